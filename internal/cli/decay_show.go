package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// decayProduct is a set of curves in every form.
func decayProduct(curves []*analysis.DecayCurve, o *outputFlags) *product {
	return &product{
		command: "decay",
		text:    func(w io.Writer, s screen) error { return writeDecay(w, curves, o, s) },
		table:   func() *report.Table { return decayTable(curves) },
		results: func() []any {
			return each(curves)
		},
		chart: func() figure.Chart { return decayChart(curves, o) },
	}
}

// writeDecay shows curves to people: the values of a single one, the picture, and
// last what a curve comes to, where it is still seen.
func writeDecay(w io.Writer, curves []*analysis.DecayCurve, o *outputFlags, s screen) error {
	if len(curves) == 1 {
		if err := s.table(w, narrowDecay(decayTable(curves), s.width)); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := s.draw(w, decayChart(curves, o)); err != nil {
		return err
	}
	if curves[0].Measure == analysis.MeasureCosine {
		fmt.Fprintln(w)
		if err := s.table(w, decaySummary(curves)); err != nil {
			return err
		}
	}
	return writeFits(w, decayFits(curves), s)
}

// narrowDecay leaves the quartiles out where a terminal has no room for them.
func narrowDecay(t *report.Table, width int) *report.Table {
	if width >= 100 {
		return t
	}
	slim := &report.Table{Rows: make([][]any, len(t.Rows)), Notes: []string{"quartiles: on a wider terminal, or -f tsv"}}
	for j, c := range t.Cols {
		if slices.Contains([]string{"q1", "median", "q3"}, c.Name) {
			continue
		}
		slim.Cols = append(slim.Cols, c)
		for i, row := range t.Rows {
			slim.Rows[i] = append(slim.Rows[i], row[j])
		}
	}
	return slim
}

// curveOrigins are where curves came from.
func curveOrigins(curves []*analysis.DecayCurve) []posemb.Origin {
	var of []posemb.Origin
	for _, c := range curves {
		of = append(of, c.Origin)
	}
	return of
}

// decaySummary is one row of figures a curve.
func decaySummary(curves []*analysis.DecayCurve) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "mean_all", Numeric: true, Digits: 4}, {Name: "half_to_mean", Numeric: true, Digits: 4}, {Name: "half_to_zero", Numeric: true, Digits: 4}, {Name: "first_le_1/e", Numeric: true}, {Name: "first_le_0", Numeric: true}}}
	_, names := legend(curveOrigins(curves))
	var means [][]float64
	for _, c := range curves {
		means = append(means, c.Mean)
	}
	sparks := report.Sparks(means...)
	t.Cols = append(t.Cols, report.Column{Name: "curve", Spark: true, Note: fmt.Sprintf("curve: %s, from %.3g to %.3g", curveOver(curves), sparks[0].Least, sparks[0].Most)})
	for i, c := range curves {
		s := c.Summary
		t.Rows = append(t.Rows, []any{cmp.Or(names[i], c.Label), float64(s.MeanCosineOffdiagonal), float64(s.HalfLifeToMean), float64(s.HalfLifeToZero), number(s.FirstLE1OverE), number(s.FirstLE0), sparks[i]})
	}
	t.Notes = []string{"of poslens help metrics: mean_all is mean_cosine_offdiagonal, over all pairs; half_to_mean and half_to_zero are half_life_to_mean and half_life_to_zero, where the mean is half way down to mean_all, or to 0; first_le_1/e and first_le_0 are first_k_le_1_over_e and first_k_le_0; NA: never"}
	return t
}

// curveOver words what curves are and over which distances.
func curveOver(curves []*analysis.DecayCurve) string {
	first := curves[0]
	over := fmt.Sprintf("%s over %s %d to %d", decayMeasure(first), first.Axis, first.At[0], first.At[len(first.At)-1])
	for _, c := range curves {
		if !slices.Equal(c.At, first.At) {
			return fmt.Sprintf("%s over the %ss of each source", decayMeasure(first), first.Axis)
		}
	}
	return over
}

// decayTable is the long form: a row a source and distance.
func decayTable(curves []*analysis.DecayCurve) *report.Table {
	axis := curves[0].Axis
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: axis, Numeric: true}, {Name: "mean", Numeric: true, Digits: 4}}}
	full := slices.ContainsFunc(curves, func(c *analysis.DecayCurve) bool { return c.Std != nil })
	if full {
		for _, name := range []string{"std", "min", "q1", "median", "q3", "max"} {
			t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 4})
		}
	}
	t.Cols = append(t.Cols, report.Column{Name: "pairs", Numeric: true})
	for _, c := range curves {
		for i, k := range c.At {
			row := []any{c.Label, k, c.Mean[i]}
			if full {
				row = append(row, c.Std[i], c.Min[i], c.Q1[i], c.Median[i], c.Q3[i], c.Max[i])
			}
			t.Rows = append(t.Rows, append(row, c.Pairs[i]))
		}
	}
	addFits(t, decayFits(curves))
	return t
}

// quartileBand is what an axis says of the band around its line.
const quartileBand = " (band: quartiles)"

// decayChart draws the means, with a band between the quartiles.
func decayChart(curves []*analysis.DecayCurve, o *outputFlags) *figure.Lines {
	first := curves[0]
	title, names := legend(curveOrigins(curves))
	l := &figure.Lines{
		Title:    title,
		XLabel:   "distance (positions)",
		YLabel:   decayMeasure(first),
		MarkZero: first.Axis == "offset",
	}
	if slices.ContainsFunc(curves, func(c *analysis.DecayCurve) bool { return c.Raster }) {
		l.XLabel = "distance (positions, of a grid in raster order)"
	}
	if first.Axis == "offset" {
		l.XLabel = "offset (key − query, positions)"
	}
	for i, c := range curves {
		s := figure.Series{Name: names[i], X: floats(c.At), Y: c.Mean}
		if c.Q1 != nil {
			s.Lo, s.Hi = c.Q1, c.Q3
			l.YLabel = decayMeasure(first) + quartileBand
		}
		l.Series = append(l.Series, s)
		drawFit(l, c.Fits, "mean", len(curves))
	}
	o.setSpan(&l.YMin, &l.YMax)
	return l
}

// decayMeasure words what a curve is the mean of.
func decayMeasure(c *analysis.DecayCurve) string {
	if c.Measure == "score" {
		return "mean score"
	}
	return "mean " + measureLabel(c.Measure, c.Centered)
}

// each gives results as a list for JSON.
func each[T any](results []T) []any {
	var all []any
	for _, r := range results {
		all = append(all, r)
	}
	return all
}

func floats(ints []int) []float64 {
	f := make([]float64, len(ints))
	for i, v := range ints {
		f[i] = float64(v)
	}
	return f
}
