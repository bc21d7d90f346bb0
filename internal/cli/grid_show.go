package cli

import (
	"fmt"
	"io"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/report"
)

// product is a grid's result in every form.
func (v *gridView) product() *product {
	return &product{
		command: "grid",
		text: func(w io.Writer, s screen) error {
			if err := s.table(w, v.summary()); err != nil {
				return err
			}
			fmt.Fprintln(w)
			return s.draw(w, v.chart())
		},
		table: v.table,
		results: func() []any {
			c := *v.GridDecay
			c.Tiles = v.listed
			return []any{&c}
		},
		chart: v.chart,
	}
}

// summary is the figures for people.
func (v *gridView) summary() *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("%s, %d x %d cells", v.Label, v.Grid.Rows, v.Grid.Cols),
		Cols:  []report.Column{{Name: "figure"}, {Name: "value", Numeric: true, Digits: 4}, {Name: "what it is", Wrap: true}},
		Notes: []string{"in full: poslens help grid; the decay and the tiles in numbers: -f tsv, --table tiles -f tsv"},
	}
	for _, m := range v.Figures {
		what := gridWords[m.Name]
		if m.Reason != "" {
			what = "undefined: " + m.Reason
		}
		t.Rows = append(t.Rows, []any{m.Name, float64(m.Value), what})
	}
	return t
}

// gridWords are the figures in a few words, beside their names.
var gridWords = map[string]string{
	"grid_separability_cosine":       "variance of the cosines that f(|dy|) + g(|dx|) explains",
	"grid_toeplitz_r2_cosine":        "variance that any function of (dy, dx) explains",
	"grid_separability_table":        "variance of the table that row(r) + col(c) explains",
	"grid_separability_table_chance": "the same with cells in random order",
	"half_life_rows":                 "rows apart, the cosine half-way down to its mean",
	"half_life_columns":              "columns apart, the same",
	"grid_isotropy":                  "half_life_rows / half_life_columns",
	"grid_mean_cosine":               "mean cosine of two different cells",
}

// table is the long form of what --table names.
func (v *gridView) table() *report.Table {
	switch v.flags.table {
	case "tiles":
		return v.tilesTable()
	case "figures":
		t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "metric"}, {Name: "value", Numeric: true}}}
		for _, m := range v.Figures {
			t.Rows = append(t.Rows, []any{v.Label, m.Name, float64(m.Value)})
		}
		return t
	}
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "dy", Numeric: true}, {Name: "dx", Numeric: true}, {Name: "mean", Numeric: true}, {Name: "std", Numeric: true}, {Name: "pairs", Numeric: true}}}
	for y, dy := range v.Dy {
		for x, dx := range v.Dx {
			t.Rows = append(t.Rows, []any{v.Label, dy, dx, v.Mean[y][x], v.Std[y][x], v.Pairs[y][x]})
		}
	}
	return t
}

// tilesTable is a row a tile and cell of it.
func (v *gridView) tilesTable() *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "row", Numeric: true}, {Name: "col", Numeric: true}, {Name: "key_row", Numeric: true}, {Name: "key_col", Numeric: true}, {Name: "cosine", Numeric: true}}}
	for i, r := range v.listed.Rows {
		for j, c := range v.listed.Cols {
			for y := range v.Grid.Rows {
				for x := range v.Grid.Cols {
					t.Rows = append(t.Rows, []any{v.Label, r, c, y, x, v.listed.At(i, j, y, x)})
				}
			}
		}
	}
	return t
}

// chart draws what --plot names.
func (v *gridView) chart() figure.Chart {
	if v.plots("decay") {
		return v.decayChart()
	}
	return v.tilesChart()
}

// tilesChart draws the tiles, and beside them the map of offsets.
func (v *gridView) tilesChart() *figure.Tiles {
	t := &figure.Tiles{
		Title:   v.Label,
		Caption: "tile (r, c) is the similarity of cell (r, c) with every cell",
		XLabel:  "column of the cell", YLabel: "row of the cell",
		ColorLabel: measureLabel(v.Measure, v.Centered),
		Rows:       v.Grid.Rows, Cols: v.Grid.Cols,
		Min: v.span.lo, Max: v.span.hi,
	}
	if v.drawn != nil {
		t.TileRows, t.TileCols, t.At = v.drawn.Rows, v.drawn.Cols, v.drawn.At
		if e := v.extent; e.Some {
			t.Range = &figure.Range{Least: e.Least, Most: e.Most, Undefined: e.Undefined}
		}
	}
	if v.plots("all") {
		t.Beside = v.map2D()
		t.Beside.Title = "mean similarity by offset (dy, dx)"
	}
	return t
}

// map2D is the mean of every offset, (0, 0) in its middle.
func (v *gridView) map2D() *figure.Heatmap {
	h := &figure.Heatmap{
		XLabel: "columns apart (dx)", YLabel: "rows apart (dy)",
		ColorLabel: measureLabel(v.Measure, v.Centered),
		Rows:       len(v.Dy), Cols: len(v.Dx),
		Y0: v.Dy[0], X0: v.Dx[0],
		At:  func(r, c int) float64 { return v.Mean[r][c] },
		Min: v.span.lo, Max: v.span.hi,
	}
	return h
}

// decayChart draws the curves along both axes and the map of offsets, next to its
// colours.
func (v *gridView) decayChart() *figure.Panels {
	h := v.map2D()
	h.Title = "mean similarity by offset (dy, dx)"
	l := &figure.Lines{
		Title:  "along one axis, the other offset being 0",
		XLabel: "rows or columns apart", YLabel: "mean " + h.ColorLabel,
		Series: []figure.Series{
			{Name: "down the rows, c(k, 0)", X: distances(v.Down), Y: v.Down},
			{Name: "across the columns, c(0, k)", X: distances(v.Across), Y: v.Across},
		},
	}
	v.out.setSpan(&l.YMin, &l.YMax)
	return &figure.Panels{Title: v.Label, Rows: 1, Cols: 2, Free: true, Charts: []figure.Chart{l, h}}
}

// distances are 0, 1, ... as many as there are values.
func distances(values analysis.Values) []float64 {
	x := make([]float64, len(values))
	for k := range x {
		x[k] = float64(k)
	}
	return x
}
