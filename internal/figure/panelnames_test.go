package figure

import (
	"fmt"
	"strings"
	"testing"
)

// The names of rows and columns stand once each, beside their panels, in the place of
// titles.
func TestPanelNames(t *testing.T) {
	for _, size := range [][2]float64{{7, 0}, {0, 0}, {3.5, 0}, {7, 6}} {
		g := manyHeads()
		for _, c := range g.Charts {
			c.(*Heatmap).Title = "a title"
		}
		_, w := watch(t, "pdf", g, Style{Width: size[0], Height: size[1]})
		at := map[string]*word{}
		for _, word := range w.words {
			if strings.Contains(word.s, "title") {
				t.Fatalf("%v: a panel has a title", size)
			}
			if at[word.s] != nil && !strings.ContainsAny(word.s, "0123456789") {
				t.Errorf("%v: %q stands twice", size, word.s)
			}
			at[word.s] = word
		}
		for i := range 12 {
			row, col := at[fmt.Sprint("layer ", i)], at[fmt.Sprint("head ", i)]
			if row == nil || col == nil {
				t.Fatalf("%v: no name of row or column %d", size, i)
			}
			panel := w.cellR[i*12+i]
			if b := row.box(); (b.y0+b.y1)/2 < panel.y0 || (b.y0+b.y1)/2 > panel.y1 || b.x1 > w.cellR[0].x0 {
				t.Errorf("%v: %q at %.0f, its panels at %.0f", size, row.s, b, panel)
			}
			if b := col.box(); (b.x0+b.x1)/2 < panel.x0 || (b.x0+b.x1)/2 > panel.x1 || b.y1 > w.cellR[0].y0 {
				t.Errorf("%v: %q at %.0f, its panels at %.0f", size, col.s, b, panel)
			}
		}
	}
}

func TestPanelNamesNumber(t *testing.T) {
	g := manyHeads()
	g.RowNames = g.RowNames[:5]
	if err := checkChart(g); err == nil {
		t.Error("5 names for 12 rows pass")
	}
}

// Of 300 heads each has its number, once their titles are too wide.
func TestManyTitles(t *testing.T) {
	g := samplePanels(18, 17, func(i int) Chart { m := sampleMap(15, 15); m.Title = fmt.Sprint("head ", i); return m })
	_, w := watch(t, "svg", g, Style{Width: 7})
	found := map[string]bool{}
	for _, word := range w.words {
		found[word.s] = true
	}
	for _, i := range []int{0, 17, 100, 305} {
		if !found[fmt.Sprint(i)] {
			t.Errorf("head %d has no number", i)
		}
	}
}

// No text of a figure as wide as a column is smaller than a journal's smallest print,
// and none of one as wide as a page is large.
func TestTypeSizes(t *testing.T) {
	for name, c := range sampleCharts() {
		for _, f := range []struct{ width, least, most float64 }{{3.5, leastType, 9}, {7, leastType, 12}} {
			_, w := watch(t, "svg", c, Style{Width: f.width})
			for _, word := range w.words {
				if word.size < f.least*raisedSize || word.size > f.most {
					t.Errorf("%s, %g inches: %q is set in %.1f points", name, f.width, word.s, word.size)
					break
				}
			}
		}
	}
}

// Every panel has a name that no other has, whatever stands on the figure once.
func TestPanelNameOf(t *testing.T) {
	chart := func(title string) Chart { return &Heatmap{Title: title} }
	for _, test := range []struct {
		g    Panels
		want string
	}{
		{Panels{Rows: 2, Cols: 2, RowNames: []string{"a", "b"}, ColNames: []string{"x", "y"}, Charts: []Chart{chart("a h0"), chart("head 1"), chart("b h0"), chart("head 1")}}, "a, x; a, y; b, x; b, y"},
		{Panels{Rows: 2, Cols: 1, RowNames: []string{"a", "b"}, Charts: []Chart{chart("t"), chart("t")}}, "a; b"},
		{Panels{Rows: 1, Cols: 2, ColNames: []string{"x", "y"}, Charts: []Chart{chart("t"), chart("t")}}, "x; y"},
		{Panels{Rows: 2, Cols: 2, Charts: []Chart{chart("s"), nil, chart(""), chart("t")}}, "s; ; s; t"},
	} {
		var names []string
		for i := range test.g.Charts {
			names = append(names, test.g.NameOf(i))
		}
		if got := strings.Join(names, "; "); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
