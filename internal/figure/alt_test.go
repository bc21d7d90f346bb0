package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// A sentence a chart, with numbers that can be read off the data.
func TestAlt(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	grid := func(rows, cols int, v ...float64) *Heatmap {
		return &Heatmap{Rows: rows, Cols: cols, At: func(r, c int) float64 { return v[r*cols+c] }}
	}
	named := grid(2, 3, 1, 2, 3, 4, 5, nan)
	named.Title, named.ColorLabel, named.XLabel, named.YLabel = "a\x1b[31m\nb", "score", "head", "offset (key − query)"
	named.XNames, named.Y0, named.YStep, named.Min, named.Max = []string{"h0", "h1", "h2"}, -4, 2, -1, 1
	blocks := inBlocks(&Heatmap{Rows: 1024, Cols: 3, ColorLabel: "v", At: func(r, c int) float64 { return float64(r*3 + c) }})
	lines := func(s ...Series) *Lines { return &Lines{XLabel: "distance", YLabel: "mean", Series: s} }
	logged := lines(Series{X: []float64{0, 1, 10, 100}, Y: []float64{9, 0, 4, 2}})
	logged.XLog, logged.YLog = true, true
	banded := lines(
		Series{Name: "a", X: []float64{0, 1, 2, 3}, Y: []float64{1, -0.5, 2, 0.25}, Lo: make([]float64, 4), Hi: make([]float64, 4)},
		Series{X: []float64{0, 3}, Y: []float64{0.5, 0.5 + 1e-12}},
		Series{Name: "none", X: []float64{1}, Y: []float64{nan}},
	)
	banded.Title, banded.XScale, banded.YMin, banded.YMax = "t", Symlog, -1, 1
	var many []Series
	for i := range 9 {
		many = append(many, Series{Name: string(rune('a' + i)), X: []float64{float64(i), 20}, Y: []float64{float64(i * i), 0.5}})
	}
	tiles := &Tiles{Title: "g", ColorLabel: "cosine", XLabel: "column", YLabel: "row", Rows: 2, Cols: 2, TileRows: []int{0, 1}, TileCols: []int{1},
		At: func(i, j, r, c int) float64 { return float64(8*i + 2*r + c) }, Beside: grid(1, 1, 7)}
	for name, test := range map[string]struct {
		chart Chart
		want  string
	}{
		"map": {named, `Heat map "a [31m b": score in 2 rows and 3 columns; down: offset (key - query), -4 to -2; across: head, h0 to h2; the colours span -1 to 1; lowest 1 at row -4, column h0; highest 5 at row -2, column h1; 1 of 6 cells undefined.`},
		"ties": {grid(2, 2, 1, 0.25, 0.25, 1-1e-12),
			`Heat map: values in 2 rows and 2 columns; down: 0 to 1; across: 0 to 1; lowest 0.25 in 2 cells, first at row 0, column 1; highest 1 in 2 cells, first at row 0, column 0.`},
		"one":      {grid(1, 1, 123456.75), `Heat map: values in 1 row and 1 column; down: 0; across: 0; 1.235e+05 everywhere.`},
		"nothing":  {grid(1, 2, nan, nan), `Heat map: values in 1 row and 2 columns; down: 0; across: 0 to 1; no cell is defined.`},
		"infinite": {grid(1, 3, inf, 0, -inf), `Heat map: values in 1 row and 3 columns; down: 0; across: 0 to 2; lowest -Inf at row 0, column 2; highest +Inf at row 0, column 0.`},
		// the mean of rows 0 and 1, 1.5 + c; of rows 1022 and 1023, 3067.5 + c
		"blocks": {blocks, `Heat map: v in 1024 rows and 3 columns; down: 0 to 1023; across: 0 to 2; the values are means of 512 x 3 blocks of cells; lowest 1.5 at rows 0 to 1, column 0; highest 3070 at rows 1022 to 1023, column 2.`},
		"lines":  {banded, `Line chart "t": 3 lines, of which 1 with a band; across: distance, 0 to 3 (logarithmic on both sides of 0); up: mean, -1 to 1; "a" is lowest, -0.5, at 1, and highest, 2, at 2, and ends with 0.25 at 3; line 2 is 0.5 throughout; "none" has no values.`},
		"logarithmic": {logged, // x = 0 and y = 0 have no place
			`Line chart: 1 line; across: distance, 10 to 100 (logarithmic); up: mean, 2 to 4 (logarithmic); it is lowest, 2, at 100, and highest, 4, at 10.`},
		"a band": {lines(Series{X: []float64{1, 2}, Y: []float64{3, 4}, Lo: []float64{2, 3}, Hi: []float64{4, 5}}),
			`Line chart: 1 line with a band; across: distance, 1 to 2; up: mean, 3 to 4; it is lowest, 3, at 1, and highest, 4, at 2.`},
		"bands": {sampleLines(2, 1), `Line chart "Score against offset": 2 lines with a band around each; across: offset (key - query), -1 to 1; up: score (logits), 0.8187 to 1; ` +
			`"head 0" is lowest, 0.8187, at -1, and highest, 1, at 0, and ends with 0.8187 at 1; "head 1" is lowest, 0.8825, at -1, and highest, 1, at 0, and ends with 0.8825 at 1.`},
		"many": {lines(many...), `Line chart: 9 lines; across: distance, 0 to 20; up: mean, 0 to 64; lowest 0 of "a" at 0; highest 64 of "i" at 8.`},
		"scatter": {&Scatter{Title: "s", XLabel: "u", ColorLabel: "position", X: []float64{1, nan, -2, 0.5}, Y: []float64{3, 0, 1, 2}, Value: []float64{5, 9, 1, nan}},
			`Scatter plot "s": 3 points; across: u, -2 to 1; up: 1 to 3; the first at (1, 3), the last at (0.5, 2); colour: position, lowest 1 at (-2, 1), highest 5 at (1, 3); 1 point undefined.`},
		"raster": {&Scatter{X: []float64{4}, Y: []float64{5}, Cells: &Cells{Rows: 2, Cols: 3, Row: []int{1}, Col: []int{2}}},
			`Scatter plot: 1 point; across: 4; up: 5; at (4, 5); colour: cells of a raster of 2 x 3.`},
		"tiles": {tiles, `Tiles of heat maps "g": cosine of a grid of 2 rows and 2 columns, in 2 x 1 tiles; down: row, 0 to 1; across: column, 1; lowest 0 at tile (0, 1), cell (0, 0); highest 11 at tile (1, 1), cell (1, 1).` + "\n" +
			`Heat map: values in 1 row and 1 column; down: 0; across: 0; 7 everywhere.`},
		"panels": {&Panels{Title: "p", Rows: 1, Cols: 3, Charts: []Chart{grid(1, 1, 7), nil, lines(many[1])}},
			`Panels in 1 row and 3 columns "p".` + "\n" + `Heat map: values in 1 row and 1 column; down: 0; across: 0; 7 everywhere.` + "\n" +
				`Line chart: 1 line; across: distance, 1 to 20; up: mean, 0.5 to 1; "b" is lowest, 0.5, at 20, and highest, 1, at 1.`},
		"board": {&Board{Cols: 1, Charts: []Chart{grid(1, 1, 7)}}, "Board of 1 chart.\nHeat map: values in 1 row and 1 column; down: 0; across: 0; 7 everywhere."},
		"nil":   {nil, ""},
		"empty": {lines(), ""},
	} {
		if got := Alt(test.chart); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// Whatever the chart, its words are plain, and there is a sentence a line.
func TestAltIsPlain(t *testing.T) {
	for name, c := range sampleCharts() {
		text := Alt(c)
		for _, line := range strings.Split(text, "\n") {
			if !strings.HasSuffix(line, ".") || clean(line) != line || strings.Contains(line, "NaN") {
				t.Errorf("%s: %q", name, line)
			}
		}
		var b bytes.Buffer
		if err := WriteAlt(&b, c, Style{}); err != nil || b.String() != text+"\n" {
			t.Errorf("%s: written as %q, %v", name, b.String(), err)
		}
	}
}

func TestWriteAlt(t *testing.T) {
	var b bytes.Buffer
	if err := WriteAlt(&b, sampleMap(4, 4), Style{Title: "mine"}); err != nil || !strings.HasPrefix(b.String(), `Heat map "mine": `) {
		t.Errorf("%q, %v", b.String(), err)
	}
	for _, c := range []Chart{nil, &Lines{}} {
		if err := WriteAlt(&bytes.Buffer{}, c, Style{}); err == nil {
			t.Errorf("%v is described", c)
		}
	}
	if err := WriteAlt(broken{}, sampleMap(2, 2), Style{}); err == nil {
		t.Error("a full disk is not told")
	}
}
