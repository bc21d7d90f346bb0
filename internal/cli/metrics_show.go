package cli

import (
	"fmt"
	"io"
	"math"

	"poslens/internal/analysis"
	"poslens/internal/report"
)

// metricsProduct is the metrics of tables in every form.
func metricsProduct(sets []*analysis.MetricSet, wide bool) *product {
	table := metricsTable
	if wide {
		table = wideMetrics
	}
	return &product{
		command: "metrics",
		text:    func(w io.Writer, s screen) error { return writeMetrics(w, sets, s) },
		table:   func() *report.Table { return table(sets) },
		results: func() []any { return each(sets) },
	}
}

// metricsTable is the long form: a row a source, head and figure.
func metricsTable(sets []*analysis.MetricSet) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "head"}, {Name: "group"}, {Name: "metric"}, {Name: "value", Numeric: true}}}
	draws := anyDraws(sets)
	if draws {
		for _, null := range []string{"shuffled", "gaussian"} {
			for _, of := range []string{"mean", "std", "z", "p"} {
				t.Cols = append(t.Cols, report.Column{Name: null + "_" + of, Numeric: true})
			}
		}
		t.Cols = append(t.Cols, report.Column{Name: "sinusoid", Numeric: true})
	}
	for _, set := range sets {
		for _, m := range set.Metrics {
			row := []any{set.Label, text(m.Head), m.Group, m.Name, float64(m.Value)}
			if draws {
				row = append(append(row, nullCells(m.Shuffled)...), nullCells(m.Gaussian)...)
				row = append(row, referenceCell(m.Sinusoid))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// wideMetrics has a row a table or head, and a column for every figure that some of
// them has.
func wideMetrics(sets []*analysis.MetricSet) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "head"}}}
	column := map[string]int{}
	for _, set := range sets {
		for _, m := range set.Metrics {
			if _, ok := column[m.Name]; !ok {
				column[m.Name] = len(t.Cols)
				t.Cols = append(t.Cols, report.Column{Name: m.Name, Numeric: true})
			}
		}
	}
	for _, set := range sets {
		var row []any
		head := ""
		for i, m := range set.Metrics {
			if i == 0 || m.Head != head {
				head = m.Head
				row = make([]any, len(t.Cols))
				row[0], row[1] = set.Label, text(head)
				t.Rows = append(t.Rows, row)
			}
			row[column[m.Name]] = float64(m.Value)
		}
	}
	return t
}

// anyDraws tells whether some table has null models.
func anyDraws(sets []*analysis.MetricSet) bool {
	for _, set := range sets {
		if set.Draws > 0 {
			return true
		}
	}
	return false
}

// nullCells are a null model's mean, deviation, z and p.
func nullCells(n *analysis.NullModel) []any {
	if n == nil {
		return []any{nil, nil, nil, nil}
	}
	return []any{float64(n.Mean), float64(n.Std), float64(n.Z), float64(n.P)}
}

// referenceCell is the figure of a known table.
func referenceCell(r *analysis.Reference) any {
	if r == nil {
		return nil
	}
	return float64(r.Value)
}

// writeMetrics shows tables of positions side by side, one alone with its null
// models, and the heads of each relative table.
func writeMetrics(w io.Writer, sets []*analysis.MetricSet, s screen) error {
	var absolute []*analysis.MetricSet
	var tables []*report.Table
	for _, set := range sets {
		switch {
		case set.Heads == 0:
			absolute = append(absolute, set)
		case set.Heads == 1:
			tables = append(tables, metricNulls(set))
		default:
			t := metricColumns([]*analysis.MetricSet{set})
			t.Title = set.Label
			tables = append(tables, t)
		}
	}
	switch len(absolute) {
	case 0:
	case 1:
		tables = append([]*report.Table{metricNulls(absolute[0])}, tables...)
	default:
		tables = append([]*report.Table{metricColumns(absolute)}, tables...)
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := s.table(w, t); err != nil {
			return err
		}
	}
	return nil
}

// metricNulls is one table's figures beside its null models.
func metricNulls(set *analysis.MetricSet) *report.Table {
	t := &report.Table{Title: set.Label, Cols: []report.Column{{Name: "metric"}, {Name: "value", Numeric: true, Digits: 5}}}
	if set.Draws > 0 {
		for _, name := range []string{"shuffled_z", "p", "gaussian_z", "p", "sinusoid"} {
			t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 3, Joined: name == "p"})
		}
		t.Notes = append(t.Notes, fmt.Sprintf("null models of %d draws, seed %d; NA: it can't change the figure, or the figure is undefined (reasons: -f json)", set.Draws, set.Seed))
	}
	fewer := 0
	var small, all [2]int // p of each null model up to 0.05
	for _, m := range set.Metrics {
		row := []any{m.Name, float64(m.Value)}
		if set.Draws > 0 {
			for k, n := range []*analysis.NullModel{m.Shuffled, m.Gaussian} {
				cells := nullCells(n)
				row = append(row, cells[2], cells[3])
				if n != nil && n.P.Defined() {
					all[k]++
					if n.P <= 0.05 {
						small[k]++
					}
				}
				if n != nil && n.P.Defined() && n.Draws < set.Draws {
					fewer++
				}
			}
			row = append(row, referenceCell(m.Sinusoid))
		}
		t.Rows = append(t.Rows, row)
	}
	for k, null := range []string{"rows in random orders", "Gaussian rows"} {
		if all[k] > 1 {
			t.Notes = append(t.Notes, fmt.Sprintf("against %s p is at most 0.05 in %d of %d figures, where chance alone gives about %.0f; the least that %d draws can give is %.2g",
				null, small[k], all[k], math.Ceil(0.05*float64(all[k])), set.Draws, 1/float64(set.Draws+1)))
		}
	}
	if fewer > 0 {
		verb := "are"
		if fewer == 1 {
			verb = "is"
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%d of the p %s over fewer draws, for some draws have no such figure (how many: -f json)", fewer, verb))
	}
	return t
}

// metricColumns is the figures of several tables, or of several heads, a column each.
func metricColumns(sets []*analysis.MetricSet) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "metric"}}}
	row := map[string]int{}
	for _, set := range sets {
		columns := map[string]int{}
		for _, m := range set.Metrics {
			at, ok := columns[m.Head]
			if !ok {
				at = len(t.Cols)
				columns[m.Head] = at
				name := set.Label
				if m.Head != "" {
					name = "head " + m.Head // of the one table that is shown
				}
				t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 5})
			}
			i, ok := row[m.Name]
			if !ok {
				i = len(t.Rows)
				row[m.Name] = i
				t.Rows = append(t.Rows, []any{m.Name})
			}
			for len(t.Rows[i]) <= at {
				t.Rows[i] = append(t.Rows[i], nil)
			}
			t.Rows[i][at] = float64(m.Value)
		}
	}
	for i := range t.Rows {
		for len(t.Rows[i]) < len(t.Cols) {
			t.Rows[i] = append(t.Rows[i], nil)
		}
	}
	if anyDraws(sets) {
		t.Notes = append(t.Notes, "z and p of the null models: -f tsv, or one table alone")
	}
	return t
}
