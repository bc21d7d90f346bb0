package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
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
				if err := s.table(w, f.summary(drawn)); err != nil {
					return err
				}
				fmt.Fprintln(w)
			}
			return s.draw(w, chart())
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
