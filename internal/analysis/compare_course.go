package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"

	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// What a row of a checkpoint is held against.
const (
	AgainstFirst    = "first"
	AgainstPrevious = "previous"
	AgainstLast     = "last"
)

// CourseOptions say what is followed along a training.
type CourseOptions struct {
	Against string   // AgainstFirst, AgainstPrevious or AgainstLast; "" is the first
	Only    []string // metrics; none: all
}

// Course is how a table changes along the checkpoints of one training.
type Course struct {
	Against     string             `json:"against"`
	Positions   []int              `json:"positions"` // that all checkpoints have
	Checkpoints []CourseCheckpoint `json:"checkpoints"`
	Warnings    []string           `json:"warnings,omitempty"`
	Notes       []string           `json:"notes,omitempty"`
}

// CourseCheckpoint is one of them.
type CourseCheckpoint struct {
	posemb.Origin
	Step      int              `json:"step"`
	Metrics   []MeasuredMetric `json:"metrics"`
	Cosine    Values           `json:"cosine"`     // of each position with that of the checkpoint it is held against
	NormRatio Values           `json:"norm_ratio"` // its length over that one's
	Reasons   Reasons          `json:"reasons,omitempty"`
}

// CourseOf follows tables of positions along the steps of a training, which rise: the
// metrics of each, and how far each row has turned from what it was. A table without a
// defined row, such as one that begins at zero, has no metric, with the reason. The
// tables have one width; those of different length are followed at the positions that
// all have, and a note says so.
func CourseOf(ctx context.Context, tables []*posemb.Absolute, steps []int, opt CourseOptions) (*Course, error) {
	if len(tables) != len(steps) || len(tables) == 0 {
		return nil, fmt.Errorf("%d tables and %d steps", len(tables), len(steps))
	}
	if _, err := wantedMetrics(Metrics, opt.Only); err != nil {
		return nil, err
	}
	c := &Course{Against: opt.Against}
	if c.Against == "" {
		c.Against = AgainstFirst
	}
	m, err := pairUp(ctx, tables, OfPositions)
	if err != nil {
		return nil, err
	}
	c.Positions, c.Warnings, c.Notes = m.at, m.warnings, m.notes
	done := progress.Start(ctx, "checkpoints", int64(len(tables)))
	for i, t := range m.tables {
		_, d := t.Table.Dims()
		if _, first := m.tables[0].Table.Dims(); d != first {
			return nil, fmt.Errorf("%s is %d wide, and %s %d: they are no checkpoints of one training", m.tables[0].Label, first, t.Label, d)
		}
		p := CourseCheckpoint{Origin: t.Origin, Step: steps[i]}
		if p.Metrics, err = metricsOrNone(ctx, t, opt.Only); err != nil {
			return nil, err
		}
		with := 0
		switch c.Against {
		case AgainstPrevious:
			with = i - 1
		case AgainstLast:
			with = len(tables) - 1
		}
		p.turned(m, with, i)
		c.Checkpoints = append(c.Checkpoints, p)
		done(1)
	}
	return c, nil
}

// metricsOrNone takes a table's metrics; where no row is defined they all are
// undefined.
func metricsOrNone(ctx context.Context, t *posemb.Absolute, only []string) ([]MeasuredMetric, error) {
	set, err := MetricsOf(ctx, t, MetricOptions{Only: only})
	if err == nil {
		return set.Metrics, nil
	}
	if !errors.Is(err, ErrNothing) {
		return nil, err
	}
	wanted, _ := wantedMetrics(Metrics, only)
	var none []MeasuredMetric
	for _, w := range wanted {
		none = append(none, MeasuredMetric{Name: w.Name, Group: w.Group, Value: Value(math.NaN()), Reason: err.Error()})
	}
	return none, nil
}

// turned fills what has become of every row since the checkpoint with; -1 is none.
func (p *CourseCheckpoint) turned(m *matched, with, now int) {
	n := len(m.at)
	p.Cosine, p.NormRatio = undefined(n), undefined(n)
	if with < 0 {
		p.Reasons = Reasons{"cosine": "there is no previous checkpoint", "norm_ratio": "there is no previous checkpoint"}
		return
	}
	var none []int
	for i := range n {
		f := fits(m.tables[with], m.tables[now], m.cosines[with], m.cosines[now], i)
		p.Cosine[i], p.NormRatio[i] = f.cosine, f.ratio
		if math.IsNaN(f.cosine) {
			none = append(none, i)
		}
	}
	if len(none) > 0 {
		reason := fmt.Sprintf("%s %s not finite, or zero, here or in %s", m.named(m.tables[now], none), plural(len(none), "is", "are"), m.tables[with].Label)
		p.Reasons = Reasons{"cosine": reason}
	}
}
