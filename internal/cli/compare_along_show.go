package cli

import (
	"fmt"
	"slices"
	"strconv"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/report"
)

// metricsTable is a row a checkpoint and metric.
func (f *followed) metricsTable() *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "step", Numeric: true}, {Name: "metric"}, {Name: "value", Numeric: true}}}
	for _, p := range f.Checkpoints {
		for _, m := range p.Metrics {
			t.Rows = append(t.Rows, []any{p.Label, p.Step, m.Name, float64(m.Value)})
		}
	}
	return t
}

// driftTable is a row a checkpoint and position.
func (f *followed) driftTable() *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "step", Numeric: true}, {Name: "position", Numeric: true}, {Name: "cosine", Numeric: true}, {Name: "norm_ratio", Numeric: true}}}
	for _, p := range f.Checkpoints {
		for i, at := range f.Positions {
			t.Rows = append(t.Rows, []any{p.Label, p.Step, at, p.Cosine[i], p.NormRatio[i]})
		}
	}
	return t
}

// summary is a row a checkpoint, with the metrics that are drawn.
func (f *followed) summary(drawn []string) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: f.axis(), Numeric: true}}, Notes: []string{"all metrics: -f tsv; how far each row has turned: --table drift. What they mean: poslens help metrics"}}
	for _, p := range f.Checkpoints {
		t.Rows = append(t.Rows, []any{p.Step})
	}
	for _, name := range drawn {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 4})
		for i, v := range f.values(name) {
			t.Rows[i] = append(t.Rows[i], v)
		}
	}
	turned := make([][]float64, len(f.Checkpoints))
	for i := range turned {
		for r := range f.Positions {
			turned[i] = append(turned[i], f.turned(r, i))
		}
	}
	sparks := report.Sparks(turned...)
	t.Cols = append(t.Cols, report.Column{Name: "turned", Spark: true, Note: fmt.Sprintf("turned: %s along the positions %d to %d, from %.3g to %.3g",
		f.turnedFrom(), f.Positions[0], f.Positions[len(f.Positions)-1], sparks[0].Least, sparks[0].Most)})
	for i, s := range sparks {
		t.Rows[i] = append(t.Rows[i], s)
	}
	return t
}

// turned is how far the row of position r has turned at checkpoint c.
func (f *followed) turned(r, c int) float64 { return 1 - f.Checkpoints[c].Cosine[r] }

// turnedFrom words it.
func (f *followed) turnedFrom() string {
	steps := f.steps()
	return "1 − cosine with " + map[string]string{
		analysis.AgainstFirst:    fmt.Sprintf("%s %d", f.axis(), steps[0]),
		analysis.AgainstPrevious: "the one before",
		analysis.AgainstLast:     fmt.Sprintf("%s %d", f.axis(), steps[len(steps)-1]),
	}[f.Against]
}

// chart draws the drift, the metrics, or both.
func (f *followed) chart(which string, drawn []string, o *outputFlags) figure.Chart {
	drift := f.driftMap(o)
	if which == "drift" || len(drawn) == 0 {
		return drift
	}
	p := &figure.Board{}
	if which == "" && slices.ContainsFunc(f.Checkpoints, func(c analysis.CourseCheckpoint) bool {
		return slices.ContainsFunc(c.Cosine, func(v float64) bool { return v-v == 0 })
	}) {
		p.Charts = append(p.Charts, drift)
	}
	for _, name := range drawn {
		p.Charts = append(p.Charts, &figure.Lines{
			Title: name, XLabel: f.axis(),
			Series: []figure.Series{{X: floats(f.steps()), Y: f.values(name)}},
		})
	}
	p.Cols = panelColumns(len(p.Charts))
	return p
}

// driftMap has a row a position and a column a checkpoint.
func (f *followed) driftMap(o *outputFlags) *figure.Heatmap {
	var names []string
	for _, step := range f.steps() {
		names = append(names, strconv.Itoa(step))
	}
	first := f.Positions[0]
	h := &figure.Heatmap{
		Title: "how far each row has turned", XLabel: f.axis(), YLabel: "position", ColorLabel: f.turnedFrom(),
		Rows: len(f.Positions), Cols: len(names), XNames: names, Y0: first, At: f.turned,
	}
	if len(f.Positions) > 1 {
		h.YStep = f.Positions[1] - first
	}
	for _, p := range f.Checkpoints {
		for _, v := range p.Cosine {
			if v == v {
				h.Max = max(h.Max, 1-v)
			}
		}
	}
	if !(h.Max > 0) {
		h.Max = 1
	}
	o.setSpan(&h.Min, &h.Max)
	return h
}
