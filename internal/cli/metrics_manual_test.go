package cli

import (
	"strings"
	"testing"

	"poslens/internal/analysis"
)

// Metrics that differ in a number alone are one entry, all others keep their names and
// their order.
func TestFamilies(t *testing.T) {
	of := func(names ...string) string {
		var list []analysis.Metric
		for _, name := range names {
			number := name[strings.LastIndexByte(name, '_')+1:]
			list = append(list, analysis.Metric{Name: name, Doc: "at " + number + " of K"})
		}
		var all []string
		for _, m := range familiesOf(list) {
			all = append(all, m.Name+": "+m.Doc)
		}
		return strings.Join(all, "\n")
	}
	if got, want := of("a_1", "a_20", "b", "reach_90", "a_3"), "a_K: at K of K; K is 1, 20, 3\nb: at b of K\nreach_90: at 90 of K"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	total := 0
	for _, list := range [][]analysis.Metric{analysis.Metrics, analysis.RelativeMetrics, analysis.ProbeMetrics} {
		for _, m := range familiesOf(list) {
			if i := strings.Index(m.Doc, "; K is "); i >= 0 && strings.HasSuffix(m.Name, "_K") {
				total += strings.Count(m.Doc[i:], ",") + 1
			} else {
				total++
			}
		}
	}
	if want := len(analysis.Metrics) + len(analysis.RelativeMetrics) + len(analysis.ProbeMetrics); total != want {
		t.Errorf("%d metrics are told of %d", total, want)
	}
}

// A p over fewer draws than asked for says so.
func TestFewerDrawsAreTold(t *testing.T) {
	set := &analysis.MetricSet{Draws: 9, Metrics: []analysis.MeasuredMetric{
		{Name: "a", Value: 1, Shuffled: &analysis.NullModel{P: 0.5, Draws: 7}, Gaussian: &analysis.NullModel{P: 0.5, Draws: 9}},
	}}
	if notes := strings.Join(metricNulls(set).Notes, "\n"); !strings.Contains(notes, "1 of the p is over fewer draws") {
		t.Error(notes)
	}
	set.Metrics[0].Shuffled.Draws = 9
	if notes := metricNulls(set).Notes; len(notes) != 1 {
		t.Error(notes)
	}
}
