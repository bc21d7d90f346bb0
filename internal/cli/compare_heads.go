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

// biases are tables as tables of scores.
func biases(tables []loaded) []*posemb.Bias {
	var all []*posemb.Bias
	for _, l := range tables {
		all = append(all, l.table.(*posemb.Bias))
	}
	return all
}

// compareHeads correlates all heads of one source's tables.
func (a *app) compareHeads(ctx context.Context, tables []loaded, how *compareFlags, o *outputFlags) (*product, error) {
	if _, err := how.shown("one source of scores", "heads", "figures"); err != nil {
		return nil, err
	}
	c, err := analysis.AlignHeads(ctx, biases(tables))
	if err != nil {
		return nil, err
	}
	a.tellComparison(c.Warnings, c.Notes)
	a.tellConstant(c)
	return a.headsProduct(c, []any{c}, o), nil
}

// tellConstant names heads that have no correlation with any.
func (a *app) tellConstant(c *analysis.HeadAlignment) {
	if n := len(c.Constant); n > 0 {
		h := c.Constant[0]
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" and of %d more", n-1)
		}
		a.tell("%s: all scores of head %s%s are equal: no correlation", h.Label, h.Head, more)
	}
}

// compareBias compares the scores of two relative tables.
func (a *app) compareBias(ctx context.Context, tables []loaded, how *compareFlags, o *outputFlags) (*product, error) {
	which, err := how.shown("two tables of scores", "figures", "heads")
	if err != nil {
		return nil, err
	}
	all := biases(tables)
	c, err := analysis.CompareBias(ctx, all[0], all[1])
	if err != nil {
		return nil, err
	}
	a.tellComparison(c.Warnings, c.Notes)
	if reason := c.Reasons["heads"]; reason != "" {
		a.tell("%s: heads are not held against each other one by one, see --table heads", reason)
	}
	p := a.headsProduct(c.Across, []any{c}, o)
	if which == "figures" {
		p.table = func() *report.Table { return biasTable(c) }
		across := p.text
		p.text = func(w io.Writer, s screen) error {
			if err := s.table(w, biasTable(c)); err != nil {
				return err
			}
			fmt.Fprintln(w)
			return across(w, s)
		}
	}
	return p, nil
}

// biasTable is a row a head, and one for all together.
func biasTable(c *analysis.BiasComparison) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "other"}, {Name: "head"}, {Name: "correlation", Numeric: true}, {Name: "max_difference", Numeric: true}, {Name: "rms_difference", Numeric: true}, {Name: "scores", Numeric: true}}}
	add := func(head string, m analysis.HeadMatch) {
		t.Rows = append(t.Rows, []any{c.Label, c.Other.Label, head, float64(m.Correlation), float64(m.MaxDifference), float64(m.RMSDifference), m.Scores})
	}
	for _, m := range c.Heads {
		add(m.Head, m)
	}
	add("all", c.All)
	return t
}

// headsProduct is a matrix of heads in every form.
func (a *app) headsProduct(c *analysis.HeadAlignment, results []any, o *outputFlags) *product {
	span := headsSpan(c, o)
	rows, cols := headNames(c.Rows), headNames(c.Cols)
	a.tellMapSpan(span, rows, cols, o)
	return &product{
		command: "compare",
		text: func(w io.Writer, s screen) error {
			if fitsText(rows, cols, s) {
				return s.table(w, squareTable("correlation", rows, cols, c.Correlation))
			}
			return s.draw(w, headsChart(c, span))
		},
		table: func() *report.Table {
			t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "head"}, {Name: "other"}, {Name: "other_head"}, {Name: "correlation", Numeric: true}}}
			for i, x := range c.Rows {
				for j, y := range c.Cols {
					t.Rows = append(t.Rows, []any{x.Label, x.Head, y.Label, y.Head, c.Correlation[i][j]})
				}
			}
			return t
		},
		results: func() []any { return results },
		chart:   func() figure.Chart { return headsChart(c, span) },
	}
}

// headNames name heads by what tells them apart.
func headNames(heads []analysis.HeadName) []string {
	var of []posemb.Origin
	for _, h := range heads {
		if n := len(of); n == 0 || of[n-1] != h.Origin {
			of = append(of, h.Origin)
		}
	}
	_, names := legend(of)
	var all []string
	at := 0
	for _, h := range heads {
		for of[at] != h.Origin {
			at++
		}
		name := "head " + h.Head
		if names[at] != "" {
			name = names[at] + " h" + h.Head
		}
		all = append(all, name)
	}
	return all
}

// headsSpan is what the colours of the correlations span: as far below 0 as above, unless
// they fill little of the scale and have one sign.
func headsSpan(c *analysis.HeadAlignment, o *outputFlags) colourSpan {
	s := o.spanOf("correlations", cosines, analysis.ExtentOf(c.Correlation...))
	if s.narrowed && s.lo < 0 && s.hi > 0 {
		s.hi = max(-s.lo, s.hi)
		s.lo = -s.hi
	}
	return s
}

// headsChart is the map of the correlations.
func headsChart(c *analysis.HeadAlignment, span colourSpan) *figure.Heatmap {
	first, last := c.Rows[0], c.Cols[len(c.Cols)-1]
	h := &figure.Heatmap{
		ColorLabel: "correlation of scores",
		Rows:       len(c.Rows), Cols: len(c.Cols), XNames: headNames(c.Cols), YNames: headNames(c.Rows),
		At:  func(i, j int) float64 { return c.Correlation[i][j] },
		Min: span.lo, Max: span.hi, Diverging: !span.narrowed || span.lo < 0 && span.hi > 0,
	}
	switch {
	case c.Rows[len(c.Rows)-1].Origin == first.Origin && first.Origin == last.Origin:
		h.Title = first.Label
	case c.Rows[len(c.Rows)-1].Origin == first.Origin: // of two tables
		title, names := legend([]posemb.Origin{first.Origin, last.Origin})
		h.Title, h.YLabel, h.XLabel = title, names[0], names[1]
	default:
		var of []posemb.Origin
		for _, r := range c.Rows {
			of = append(of, r.Origin)
		}
		h.Title, _ = legend(of)
	}
	if len(c.Rows) <= written && len(c.Cols) <= written {
		h.Decimals = span.decimals()
	}
	return h
}
