package cli

import (
	"context"
	"io"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// written is up to how many rows and columns a map has its values in its cells.
const written = 12

// compareMany takes the CKA of every two of several tables.
func (a *app) compareMany(ctx context.Context, tables []loaded, how *compareFlags, o *outputFlags) (*product, error) {
	if _, err := how.shown("several tables", "figures"); err != nil {
		return nil, err
	}
	var c *analysis.Alignment
	var err error
	if tables[0].table.Kind() == posemb.KindAbsolute {
		var all []*posemb.Absolute
		for _, l := range tables {
			all = append(all, l.table.(*posemb.Absolute))
		}
		c, err = analysis.Align(ctx, all)
	} else {
		var all []posemb.Table
		for _, l := range tables {
			all = append(all, l.table)
		}
		c, err = analysis.AlignRelative(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	a.tellComparison(c.Warnings, c.Notes)
	for _, s := range c.Sources {
		if reason := c.Reasons[s.Label]; reason != "" {
			a.tell("%s: no CKA: %s", s.Label, reason)
		}
	}
	span := o.spanOf("CKA values", [2]float64{0, 1}, analysis.ExtentOf(c.CKA...))
	_, names := legend(c.Sources)
	a.tellMapSpan(span, names, names, o)
	return &product{
		command: "compare",
		text: func(w io.Writer, s screen) error {
			if fitsText(names, names, s) {
				return s.table(w, squareTable("CKA", names, names, c.CKA))
			}
			return s.draw(w, alignmentChart(c, span))
		},
		table:   func() *report.Table { return alignmentTable(c) },
		results: func() []any { return []any{c} },
		chart:   func() figure.Chart { return alignmentChart(c, span) },
	}, nil
}

// fitsText tells whether a matrix with names is small enough to be written.
func fitsText(rows, cols []string, s screen) bool {
	width := 12
	for _, name := range rows {
		width = max(width, len(name))
	}
	for _, name := range cols {
		width += 2 + max(len(name), 7)
	}
	return len(rows) <= written && len(cols) <= written && width <= s.width
}

// tellMapSpan tells the colours of a map of named rows and columns, unless text has it as
// a table of numbers and no other form is asked for.
func (a *app) tellMapSpan(s colourSpan, rows, cols []string, o *outputFlags) {
	if forms := a.asked(o); shows(forms, chartForms...) || shows(forms, "text") && !fitsText(rows, cols, screen{width: a.textWidth()}) {
		a.tellSpan("", s)
	}
}

// squareTable is a matrix for people.
func squareTable(corner string, rows, cols []string, values []analysis.Values) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: corner}}}
	for _, name := range cols {
		t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 3})
	}
	for i, name := range rows {
		row := []any{name}
		for _, v := range values[i] {
			row = append(row, v)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// alignmentTable is a row for every two tables, in both orders.
func alignmentTable(c *analysis.Alignment) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "other"}, {Name: "rows", Numeric: true}, {Name: "cka", Numeric: true}, {Name: "cka_chance", Numeric: true}}}
	for i, s := range c.Sources {
		for j, other := range c.Sources {
			t.Rows = append(t.Rows, []any{s.Label, other.Label, c.Used, c.CKA[i][j], c.Chance[i][j]})
		}
	}
	return t
}

// alignmentChart is the map of CKA, the first table at the top left.
func alignmentChart(c *analysis.Alignment, span colourSpan) *figure.Heatmap {
	title, names := legend(c.Sources)
	n := len(names)
	h := &figure.Heatmap{
		Title: title, ColorLabel: "linear CKA",
		Rows: n, Cols: n, XNames: names, YNames: names,
		At:  func(i, j int) float64 { return c.CKA[i][j] },
		Min: span.lo, Max: span.hi,
	}
	if n <= written {
		h.Decimals = span.decimals()
	}
	return h
}
