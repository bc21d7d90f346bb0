package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// written is what a chart writes.
func written(t *testing.T, c Chart, s Style) (texts []string, w *watcher) {
	t.Helper()
	_, w = watch(t, "svg", c, s)
	for _, word := range w.words {
		texts = append(texts, word.s)
	}
	return texts, w
}

// What stands in brackets goes before the middle of a label or of a name does.
func TestBracketsGoFirst(t *testing.T) {
	l := &Lines{YLabel: "score (units of the table, of which there are many)"}
	for i := range 4 {
		l.Series = append(l.Series, Series{Name: fmt.Sprintf("%d (%d.25 %% of all there is)", i, i), X: []float64{0, 1, math.NaN(), 3}, Y: []float64{0, 1, 2, float64(i)}})
	}
	texts, _ := written(t, l, Style{Width: 2, Height: 1.8})
	for _, want := range []string{"score", "0", "3"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no %q among %q", want, texts)
		}
	}
	for i := range l.Series { // which the brackets tell apart
		l.Series[i].Name = fmt.Sprintf("of a run with a long name (%d)", i)
	}
	texts, _ = written(t, l, Style{Width: 2, Height: 1.8})
	for i := range 4 {
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "…") && strings.Contains(s, fmt.Sprint(i)) }) {
			t.Errorf("no name tells %d: %q", i, texts)
		}
	}
}

// Small maps have the numbers of their ends, as one alone is no scale.
func TestMapsHaveTwoNumbers(t *testing.T) {
	for _, shape := range [][2]int{{2, 3}, {6, 6}, {6, 12}, {3, 8}} {
		for _, style := range []Style{{Width: 3.5}, {Width: 7}, {Width: 10, Height: 5.6, Theme: "slides"}} {
			g := &Panels{Rows: shape[0], Cols: shape[1]}
			for range shape[0] * shape[1] {
				m := sampleMap(15, 15)
				m.Title, m.X0, m.Y0 = "", -7, -7
				g.Charts = append(g.Charts, m)
			}
			_, w := watch(t, "png", g, style)
			across, down := map[string]bool{}, map[string]bool{}
			bottom := 0.0
			for _, r := range w.cellR[:len(g.Charts)] {
				bottom = max(bottom, r.y1)
			}
			for _, word := range w.words {
				switch b := word.box(); {
				case strings.Trim(word.s, "−0123456789") != "":
				case b.y0 > bottom:
					across[word.s] = true
				case b.x1 < w.cellR[0].x0:
					down[word.s] = true
				}
			}
			if len(across) == 1 || len(down) == 1 || len(across) == 0 && len(g.Charts) < 50 {
				t.Errorf("%v panels on %g inches: %v across, %v down", shape, style.Width, across, down)
			}
		}
	}
}

// Panels with axes of their own stand in more rows on a narrow page.
func TestFreePanelsReflow(t *testing.T) {
	g := &Panels{Rows: 1, Cols: 3, Free: true}
	for range 3 {
		g.Charts = append(g.Charts, sampleLines(1, 20))
	}
	for _, test := range []struct {
		style Style
		rows  int
	}{{Style{Width: 3.5}, 2}, {Style{Width: 7}, 1}, {Style{Width: 10, Height: 5.6, Theme: "slides"}, 1}, {Style{Width: 3.5, Height: 1.5}, 1}} {
		p, _ := watch(t, "svg", g, test.style)
		tops := map[float64]bool{}
		for _, plot := range p.plots {
			tops[plot.Y0] = true
		}
		if len(p.plots) != 3 || len(tops) != test.rows {
			t.Errorf("%+v: %d panels in %d rows, want %d", test.style, len(p.plots), len(tops), test.rows)
		}
	}
}

// Points without a line are dots in the legend and in words, too.
func TestDotsAreNoLine(t *testing.T) {
	nan := math.NaN()
	l := &Lines{Series: []Series{{X: []float64{0, 1, 2}, Y: []float64{0, 1, 0}}, {Name: "peaks", X: []float64{0, nan, 2}, Y: []float64{0, nan, 0}}}}
	p, err := newPage("svg", l, Style{})
	if err != nil {
		t.Fatal(err)
	}
	if k := newLegend(p, []*Lines{l}); !k.entries[1].dots || k.entries[0].dots {
		t.Errorf("entries %+v", k.entries)
	}
	if got := l.alt(); !strings.HasPrefix(got, "1 line and 1 row of dots;") {
		t.Errorf("in words: %s", got)
	}
}

// A grid much wider than high leaves no gap between its tiles and the map below.
func TestMapStandsNextToTiles(t *testing.T) {
	tiles := &Tiles{Rows: 12, Cols: 101, XLabel: "column", YLabel: "row", Beside: sampleMap(23, 201),
		At: func(i, j, r, c int) float64 { return float64(r-c) / 101 }}
	for i := range 12 {
		tiles.TileRows = append(tiles.TileRows, i)
	}
	for j := range 6 {
		tiles.TileCols = append(tiles.TileCols, 8+17*j)
	}
	tiles.Beside.Title = "by offset"
	for _, width := range []float64{3.5, 6.5} {
		p, w := watch(t, "svg", tiles, Style{Width: width})
		if gap := w.cellR[1].y0 - w.cellR[0].y1; gap > 9*p.size {
			t.Errorf("%g inches: %.1f ems between tiles and map", width, gap/p.size)
		}
	}
}

// No word of a figure on paper is smaller than the least type.
func TestLeastTypeOfMarks(t *testing.T) {
	g := &Panels{Rows: 1, Cols: 2, Free: true}
	for range 2 {
		l := sampleLines(1, 200)
		l.MarkZero = true
		l.Spans = []Span{{Name: "outliers", From: 10, To: 20}}
		g.Charts = append(g.Charts, l)
	}
	_, w := watch(t, "svg", g, Style{Width: 3.5})
	for _, word := range w.words {
		if word.size < leastType-1e-9 {
			t.Errorf("%q is set in %.2f points", word.s, word.size)
		}
	}
}
