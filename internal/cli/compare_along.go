package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// followed are checkpoints of one training, in the order of their steps.
type followed struct {
	*analysis.Course
	Unit string `json:"unit"` // step, epoch, or number
}

// drawnMetrics are the metrics whose lines are drawn unless others are asked for.
var drawnMetrics = []string{
	"decay_1", "decay_10", "half_life_to_mean",
	"toeplitz_r2_cosine_offdiagonal", "nearest_neighbour_is_adjacent", "mean_cosine_offdiagonal",
	"participation_ratio", "norm_mean",
}

// mostDrawn is how many metrics one figure has room for.
const mostDrawn = 12

// compareAlong follows checkpoints along their steps.
func (a *app) compareAlong(ctx context.Context, tables []loaded, read *readingFlags, how *compareFlags, o *outputFlags) (*product, error) {
	if _, err := how.shown("checkpoints", "metrics", "drift"); err != nil {
		return nil, err
	}
	if len(tables) < 2 {
		return nil, &usageError{"--along needs two checkpoints or more", "for example: poslens compare run/checkpoint-* --along step"}
	}
	steps, unit, err := a.stepsOf(ctx, tables, read)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(tables))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(steps[i], steps[j]) })
	nameByFolder(tables)
	var sorted []*posemb.Absolute
	var rising []int
	for _, i := range order {
		sorted, rising = append(sorted, tables[i].table.(*posemb.Absolute)), append(rising, steps[i])
	}
	c, err := analysis.CourseOf(ctx, sorted, rising, analysis.CourseOptions{Against: how.against, Only: how.only})
	if err != nil {
		return nil, err
	}
	where := "their names, LABELs or metadata"
	a.tell("%d checkpoints, %s %d to %d, as %s have them", len(rising), unitWord(unit), rising[0], rising[len(rising)-1], where)
	a.tellComparison(c.Warnings, c.Notes)
	f := &followed{c, unit}
	drawn := f.drawn(how.only)
	if len(how.only) > mostDrawn && how.table != "drift" {
		a.tell("a figure has room for %d metrics, the first of those asked for", mostDrawn)
	}
	chart := func() figure.Chart { return f.chart(how.table, drawn, o) }
	return &product{
		command: "compare",
		text: func(w io.Writer, s screen) error {
			if how.table != "drift" {
				if err := report.WriteText(w, f.summary(drawn), s.width); err != nil {
					return err
				}
				fmt.Fprintln(w)
			}
			return figure.WriteTerminal(w, chart(), figure.Terminal{Width: s.width, Color: s.color})
		},
		table: func() *report.Table {
			if how.table == "drift" {
				return f.driftTable()
			}
			return f.metricsTable()
		},
		results: func() []any { return []any{f} },
		chart:   chart,
	}, nil
}

// nameByFolder labels checkpoints whose files have one name by their folders.
func nameByFolder(tables []loaded) {
	for _, l := range tables {
		if clues, err := nameClues(l.base()); l.op.label != "" || l.op.place == "-" || strings.HasPrefix(l.op.place, "gen:") || err != nil || len(clues) > 0 {
			return
		}
	}
	seen := map[string]bool{}
	names := make([]string, len(tables))
	for i, l := range tables {
		names[i] = filepath.Base(filepath.Dir(filepath.Clean(l.op.place)))
		if seen[names[i]] {
			return
		}
		seen[names[i]] = true
	}
	for i, l := range tables {
		l.table.From().Label = names[i]
	}
}

// unitWord is a unit in a sentence.
func unitWord(unit string) string {
	if unit == "number" {
		return "numbers"
	}
	return unit + "s"
}

// axis is the label of the axis of steps.
func (f *followed) axis() string {
	if f.Unit == "number" {
		return "checkpoint"
	}
	return f.Unit
}

// drawn are the metrics to draw, those that some checkpoint has.
func (f *followed) drawn(only []string) []string {
	wanted := only
	if len(wanted) == 0 {
		wanted = drawnMetrics
	}
	var names []string
	for _, name := range wanted {
		for _, v := range f.values(name) {
			if v-v == 0 && len(names) < mostDrawn {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

// values are a metric's, one a checkpoint.
func (f *followed) values(name string) []float64 {
	var values []float64
	for _, p := range f.Checkpoints {
		for _, m := range p.Metrics {
			if m.Name == name {
				values = append(values, float64(m.Value))
			}
		}
	}
	return values
}

func (f *followed) steps() []int {
	var steps []int
	for _, p := range f.Checkpoints {
		steps = append(steps, p.Step)
	}
	return steps
}

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
	return t
}

// chart draws the drift, the metrics, or both.
func (f *followed) chart(which string, drawn []string, o *outputFlags) figure.Chart {
	drift := f.driftMap(o)
	if which == "drift" || len(drawn) == 0 {
		return drift
	}
	p := &figure.Panels{Free: true}
	if which == "" && slices.ContainsFunc(f.Checkpoints, func(c analysis.CourseCheckpoint) bool {
		return slices.ContainsFunc(c.Cosine, func(v float64) bool { return v-v == 0 })
	}) {
		drift.Title = "how far each row has turned"
		p.Charts = append(p.Charts, drift)
	}
	for _, name := range drawn {
		p.Charts = append(p.Charts, &figure.Lines{
			Title: name, XLabel: f.axis(),
			Series: []figure.Series{{X: floats(f.steps()), Y: f.values(name)}},
		})
	}
	p.Cols = panelColumns(len(p.Charts))
	p.Rows = (len(p.Charts) + p.Cols - 1) / p.Cols
	return p
}

// driftMap has a row a position and a column a checkpoint.
func (f *followed) driftMap(o *outputFlags) *figure.Heatmap {
	var names []string
	for _, step := range f.steps() {
		names = append(names, strconv.Itoa(step))
	}
	first := f.Positions[0]
	with := map[string]string{
		analysis.AgainstFirst:    fmt.Sprintf("%s %s", f.axis(), names[0]),
		analysis.AgainstPrevious: "the one before",
		analysis.AgainstLast:     fmt.Sprintf("%s %s", f.axis(), names[len(names)-1]),
	}[f.Against]
	h := &figure.Heatmap{
		XLabel: f.axis(), YLabel: "position", ColorLabel: "1 − cosine with " + with,
		Rows: len(f.Positions), Cols: len(names), XNames: names, Y0: first,
		At: func(r, c int) float64 { return 1 - f.Checkpoints[c].Cosine[r] },
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
