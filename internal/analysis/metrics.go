package analysis

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"poslens/internal/posemb"
)

// MetricOptions say which metrics to take and what to hold them against.
type MetricOptions struct {
	Only  []string // names in Metrics; none: all
	Draws int      // of each random null model; 0: no null models
	Seed  uint64   // of the draws
}

// MetricSet is one table's metrics.
type MetricSet struct {
	posemb.Origin
	Positions int              `json:"positions,omitempty"` // of an absolute table
	Width     int              `json:"width,omitempty"`
	Offsets   int              `json:"offsets,omitempty"` // of a relative one
	Heads     int              `json:"heads,omitempty"`
	Draws     int              `json:"null_draws"`
	Seed      uint64           `json:"seed"`
	Metrics   []MeasuredMetric `json:"metrics"`
	Warnings  []string         `json:"warnings,omitempty"`
}

// MeasuredMetric is one figure and what the null models make of it.
type MeasuredMetric struct {
	Name     string     `json:"name"`
	Group    string     `json:"group"`
	Head     string     `json:"head,omitempty"` // of a relative table
	Value    Value      `json:"value"`
	Reason   string     `json:"reason,omitempty"`   // why the value is undefined
	Shuffled *NullModel `json:"shuffled,omitempty"` // the same rows in random orders; of a head the same scores
	Gaussian *NullModel `json:"gaussian,omitempty"` // random rows of the same lengths; of a head random scores of the same mean and deviation
	Sinusoid *Reference `json:"sinusoid,omitempty"` // the sinusoid of the same shape
}

// NullModel is how a figure compares with those of random tables.
type NullModel struct {
	Mean   Value  `json:"mean"`             // over the draws in which it is defined
	Std    Value  `json:"std"`              // of the sample
	Z      Value  `json:"z"`                // (value - mean) / std
	P      Value  `json:"p"`                // (1 + draws at least as far from the middle) / (draws + 1), the middle being the mean of the value and all draws; equally far ones count by lot
	Draws  int    `json:"draws"`            // in which the figure is defined
	Reason string `json:"reason,omitempty"` // why any of these is undefined
}

// Reference is a figure of a table that is known.
type Reference struct {
	Value  Value  `json:"value"`
	Reason string `json:"reason,omitempty"`
}

// MetricsOf takes the metrics of a table of positions, each beside its null models:
// the rows shuffled, Gaussian rows of the same lengths, and the sinusoid of the same
// shape (posemb.Sinusoid).
//
// It takes O(n^2 d + min(n, d)^3) time and little more memory than three copies of the
// table. Each draw takes about as long again (DrawSeconds), and those of small tables run
// together, with as many copies each, or matrices of their cosines. The draws depend on
// the table and the seed alone. Errors: a name that is not in Metrics; ErrNothing.
func MetricsOf(ctx context.Context, a *posemb.Absolute, opt MetricOptions) (*MetricSet, error) {
	wanted, err := wantedMetrics(Metrics, opt.Only)
	if err != nil {
		return nil, err
	}
	s, err := newSubject(ctx, a)
	if err != nil {
		return nil, err
	}
	n, d := a.Table.Dims()
	s.patient = len(opt.Only) > 0
	set := &MetricSet{Origin: a.Origin, Positions: n, Width: d, Draws: opt.Draws, Seed: opt.Seed, Warnings: s.rows.warnings}
	own := newFigures()
	if err := take(ctx, s, own, wanted); err != nil {
		return nil, err
	}
	for _, m := range wanted {
		v, ok := own.value[m.Name]
		if !ok {
			v = math.NaN()
		}
		set.Metrics = append(set.Metrics, MeasuredMetric{Name: m.Name, Group: m.Group, Value: Value(v), Reason: own.reason[m.Name]})
	}
	if opt.Draws > 0 {
		if err := set.nulls(ctx, a, s, wanted, opt); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// wantedMetrics are those of some names, in the order of the list. A name of the
// other list's is passed over, for tables of both kinds may stand side by side.
func wantedMetrics(list []Metric, only []string) ([]Metric, error) {
	for _, name := range only {
		if !KnownMetric(name) {
			return nil, fmt.Errorf("no metric is called %q", name)
		}
	}
	if len(only) == 0 {
		return list, nil
	}
	var wanted []Metric
	for _, m := range list {
		if slices.Contains(only, m.Name) {
			wanted = append(wanted, m)
		}
	}
	return wanted, nil
}

// KnownMetric tells whether a name is in Metrics, RelativeMetrics or ProbeMetrics.
func KnownMetric(name string) bool {
	is := func(m Metric) bool { return m.Name == name }
	return slices.ContainsFunc(Metrics, is) || slices.ContainsFunc(RelativeMetrics, is) || slices.ContainsFunc(ProbeMetrics, is)
}

// largeTable is how many numbers a table has whose copies are collected as soon as a
// measure is done with them, and whose null models are drawn one after the other, so
// that they do not add up to several times its size.
const largeTable = 1 << 22

// large tells whether the table is such.
func (s *subject) large() bool { return s.rows.N > largeTable/s.rows.D }

// take computes the measures that give some of the metrics that are wanted.
func take(ctx context.Context, s *subject, f *figures, wanted []Metric) error {
	for _, m := range measures {
		if !slices.ContainsFunc(wanted, func(w Metric) bool { return slices.Contains(m.names, w.Name) }) {
			continue
		}
		if err := m.figures(ctx, s, f); err != nil {
			return err
		}
		if s.large() {
			runtime.GC()
		}
	}
	return nil
}
