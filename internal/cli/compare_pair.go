package cli

import (
	"context"
	"fmt"
	"io"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// comparePair compares two tables of positions, or of vectors of offsets.
func (a *app) comparePair(ctx context.Context, tables []loaded, how *compareFlags, o *outputFlags) (*product, error) {
	which, err := how.shown("two tables of vectors", "figures", "rows")
	if err != nil {
		return nil, err
	}
	opt := analysis.CompareOptions{Tolerance: a.toleranceOf(how, tables), Seed: how.seed}
	var c *analysis.Comparison
	if first, ok := tables[0].table.(*posemb.Absolute); ok {
		c, err = analysis.Compare(ctx, first, tables[1].table.(*posemb.Absolute), opt)
	} else {
		c, err = analysis.CompareVectors(ctx, tables[0].table.(*posemb.Vectors), tables[1].table.(*posemb.Vectors), opt)
	}
	if err != nil {
		return nil, err
	}
	a.tellComparison(c.Warnings, c.Notes)
	if c.MovedText != "" {
		a.tell("%s", c.MovedText)
	}
	p := &product{
		command: "compare",
		text: func(w io.Writer, s screen) error {
			if err := s.table(w, pairSummary(c)); err != nil {
				return err
			}
			fmt.Fprintln(w)
			return s.draw(w, pairChart(c, o))
		},
		table:   func() *report.Table { return pairTable(c) },
		results: func() []any { return []any{c} },
		chart:   func() figure.Chart { return pairChart(c, o) },
	}
	if which == "rows" {
		p.table = func() *report.Table { return pairRows(c) }
	}
	return p, nil
}

// pairSummary is a comparison for people, a figure a line.
func pairSummary(c *analysis.Comparison) *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("%s and %s", c.Label, c.Other.Label),
		Cols:  []report.Column{{Name: "figure"}, {Name: "value", Numeric: true, Digits: 4}, {Name: "what it is", Wrap: true}},
	}
	add := func(name string, value any, what, reason string) {
		if reason != "" {
			what = "undefined: " + reason
		}
		t.Rows = append(t.Rows, []any{name, value, what})
	}
	add(c.Of, c.Used, "compared", "")
	add("cka", float64(c.CKA), "linear CKA: 1 but for rotation and scale", c.Reasons["cka"])
	add("cka_chance", float64(c.CKAChance), "the same with rows in random order, on average", c.Reasons["cka_chance"])
	add("procrustes_r2", float64(c.Procrustes), "share of the variance that the best rotation and scale explain", c.Reasons["procrustes_r2"])
	add("cosine_correlation", float64(c.Cosines.Correlation), "of the cosines of every two rows", c.Reasons["cosines.correlation"])
	add("cosine_p", float64(c.Cosines.P), fmt.Sprintf("share of %d random orders with as large a one", c.Cosines.Draws+1), c.Reasons["cosines.p"])
	add("beyond_distance", float64(c.Cosines.BeyondDistance), "cosine_correlation once each distance has lost its mean", c.Reasons["cosines.beyond_distance"])
	if c.MovedText != "" {
		t.Notes = append(t.Notes, c.MovedText)
	}
	return t
}

// pairTable is one row of figures.
func pairTable(c *analysis.Comparison) *report.Table {
	cell := func(v analysis.Value) any { return float64(v) }
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "other"}}}
	row := []any{c.Label, c.Other.Label}
	add := func(name string, v any) {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true})
		row = append(row, v)
	}
	add("rows", c.Used)
	add("width", c.Width)
	add("other_width", c.OtherWidth)
	add("cka", cell(c.CKA))
	add("cka_chance", cell(c.CKAChance))
	add("procrustes_r2", cell(c.Procrustes))
	add("cosine_correlation", cell(c.Cosines.Correlation))
	add("cosine_p", cell(c.Cosines.P))
	add("cosine_draws", c.Cosines.Draws)
	add("cosine_beyond_distance", cell(c.Cosines.BeyondDistance))
	add("rows_moved", cell(c.MovedCount))
	add("tolerance", c.Tolerance)
	t.Rows = [][]any{row}
	return t
}

// pairRows is what is told of each row.
func pairRows(c *analysis.Comparison) *report.Table {
	one := c.Of[:len(c.Of)-1]
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "other"}, {Name: one, Numeric: true}, {Name: "cosine", Numeric: true}, {Name: "distance", Numeric: true}, {Name: "norm", Numeric: true}, {Name: "other_norm", Numeric: true}, {Name: "norm_ratio", Numeric: true}, {Name: "moved"}}}
	moved := map[int]bool{}
	for _, at := range c.Moved {
		moved[at] = true
	}
	for i, at := range c.At {
		row := []any{c.Label, c.Other.Label, at, nil, nil, c.Norm[i], c.OtherNorm[i], c.NormRatio[i], nil}
		if c.Cosine != nil {
			row[3], row[4] = c.Cosine[i], c.Distance[i]
			if c.Distance[i] == c.Distance[i] {
				row[8] = moved[at]
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// pairChart draws the decays, the lengths and the cosines beside each other.
func pairChart(c *analysis.Comparison, o *outputFlags) figure.Chart {
	one := c.Of[:len(c.Of)-1]
	p := &figure.Panels{Title: fmt.Sprintf("%s and %s", c.Label, c.Other.Label), Rows: 1, Free: true}
	decay := &figure.Lines{Title: "mean cosine similarity", XLabel: "distance (positions)"}
	for _, curve := range []*analysis.DecayCurve{c.Decay, c.OtherDecay} {
		if curve != nil {
			decay.Series = append(decay.Series, figure.Series{Name: curve.Label, X: floats(curve.At), Y: curve.Mean, Lo: curve.Q1, Hi: curve.Q3})
		}
	}
	at := floats(c.At)
	norms := &figure.Lines{
		Title: "length of each row", XLabel: one, MarkZero: c.Of == analysis.OfOffsets,
		Series: []figure.Series{{Name: c.Label, X: at, Y: c.Norm}, {Name: c.Other.Label, X: at, Y: c.OtherNorm}},
	}
	for _, l := range []*figure.Lines{decay, norms} {
		if drawable(l) {
			p.Charts = append(p.Charts, l)
		}
	}
	cosines := &figure.Lines{Title: "cosine of matching rows", XLabel: one, MarkZero: c.Of == analysis.OfOffsets}
	if c.Cosine != nil {
		cosines.Series = []figure.Series{{X: at, Y: c.Cosine}}
	}
	if drawable(cosines) {
		o.setSpan(&cosines.YMin, &cosines.YMax)
		p.Charts = append(p.Charts, cosines)
	}
	p.Cols = max(1, len(p.Charts))
	return p
}

// drawable tells whether lines have a point.
func drawable(l *figure.Lines) bool {
	for _, s := range l.Series {
		for i := range s.X {
			if s.Y[i]-s.Y[i] == 0 {
				return true
			}
		}
	}
	return false
}
