package figure

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

// The value of every defined cell stands in its middle, in a colour that is seen.
func TestValuesInCells(t *testing.T) {
	values := []float64{1, -0.354, -0.001, math.NaN(), 0.5, 0}
	m := &Heatmap{Rows: 2, Cols: 3, At: func(r, c int) float64 { return values[3*r+c] }, Min: -1, Max: 1, Decimals: 2,
		YNames: []string{"first", "second"}, XNames: []string{"x", "y", "z"}}
	_, w := watch(t, "svg", m, Style{})
	r := w.cellR[0]
	found := map[string]bool{}
	for _, word := range w.words {
		b := word.box()
		mid := point{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2}
		if mid.x < r.x0 || mid.x > r.x1 || mid.y < r.y0 || mid.y > r.y1 {
			continue
		}
		row, col := int((mid.y-r.y0)/r.h()*2), int((mid.x-r.x0)/r.w()*3)
		want := [][]string{{"1.00", "−0.35", "0.00"}, {"", "0.50", "0.00"}}[row][col]
		if word.s != want || math.Abs(mid.x-r.x0-(float64(col)+0.5)*r.w()/3) > 1 {
			t.Errorf("%q at cell %d, %d, want %q", word.s, row, col, want)
		}
		found[word.s] = true
	}
	if len(found) != 4 {
		t.Errorf("found %v", found)
	}
	for ground, want := range map[color.RGBA]uint8{{0, 0, 0, 255}: 0xff, {255, 255, 255, 255}: 0, {68, 1, 84, 255}: 0xff, {253, 231, 37, 255}: 0} {
		if got := legible(ground); got.R != want {
			t.Errorf("on %v: %v", ground, got)
		}
	}
	// no room, no values
	small := *m
	small.Rows, small.Cols, small.XNames, small.YNames = 100, 100, nil, nil
	small.At = func(int, int) float64 { return 0.25 }
	_, w = watch(t, "svg", &small, Style{})
	for _, word := range w.words {
		if word.s == "0.25" {
			t.Error("a value in a cell that has no room")
		}
	}
}

// Names stand in the place of numbers; those of columns level where there is room.
func TestNames(t *testing.T) {
	for name, upright := range map[string]bool{"ab": false, "number of ": true} {
		m := sampleMap(4, 8)
		m.YNames = []string{"alpha", "beta", "gamma", "delta"}
		for i := range 8 {
			m.XNames = append(m.XNames, name+string(rune('0'+i)))
		}
		_, w := watch(t, "pdf", m, Style{})
		found := 0
		for _, word := range w.words {
			if word.s == "alpha" || word.s == "delta" || word.s == name+"0" && word.up == upright || word.s == name+"7" && word.up == upright {
				found++
			}
		}
		if found != 4 {
			t.Errorf("%q: %d of 4 names", name, found)
		}
		if s := drawn(t, m, Terminal{Width: 80, Height: 24, Color: "none"}); !strings.Contains(s, "alpha") || strings.Contains(s, "\n0 ") {
			t.Errorf("in the terminal:\n%s", s)
		}
	}
	m := sampleMap(4, 8)
	m.XNames = []string{"one"}
	if err := m.check(); err == nil || !strings.Contains(err.Error(), "names") {
		t.Errorf("one name of 8 columns: %v", err)
	}
}

// Free panels have numbers of their own.
func TestFreePanels(t *testing.T) {
	line := func(scale float64) *Lines {
		return &Lines{Title: "t", XLabel: "step", Series: []Series{{X: []float64{0, 1, 2}, Y: []float64{0, scale, 2 * scale}}}}
	}
	p := &Panels{Rows: 1, Cols: 2, Charts: []Chart{line(1), line(1000)}}
	count := func(s string) (n int) {
		_, w := watch(t, "svg", p, Style{})
		for _, word := range w.words {
			if word.s == s {
				n++
			}
		}
		return n
	}
	if count("2000") != 1 || count("2.0")+count("1.5") != 0 {
		t.Error("panels that share their axes have numbers of their own")
	}
	p.Free = true
	if count("2000") != 1 || count("2.0")+count("1.5") == 0 {
		t.Error("free panels have no numbers of their own")
	}
}
