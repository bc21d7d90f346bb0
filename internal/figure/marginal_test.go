package figure

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
)

// drawnLines notes the lines that are drawn.
type drawnLines struct {
	watcher
	lines [][]point
}

func (d *drawnLines) line(pts []point, _ float64, _ bool, _ color.NRGBA) {
	d.lines = append(d.lines, pts)
}

// A distance below the map is as long as that many columns of it, from the middle of
// the first one on.
func TestMarginalIsAligned(t *testing.T) {
	for _, step := range []int{1, 4} {
		const n = 30
		m := &Marginal{Map: sampleMap(n, n), Curve: &Lines{YMin: -1, YMax: 1, Series: []Series{{}}}}
		m.Map.XStep = step
		s := &m.Curve.Series[0]
		for k := range n {
			s.X, s.Y = append(s.X, float64(k*step)), append(s.Y, math.Cos(float64(k)))
		}
		p, err := newPage("svg", m, Style{})
		if err != nil {
			t.Fatal(err)
		}
		d := &drawnLines{watcher: watcher{sheet: p.sheet}}
		p.sheet = d
		m.draw(p)
		if len(p.plots) != 2 || len(d.lines) != 1 || len(d.lines[0]) != n {
			t.Fatalf("%d plots and %d lines", len(p.plots), len(d.lines))
		}
		cells, below := p.plots[0], p.plots[1]
		if cells.X0 != below.X0 || cells.X1 != below.X1 || below.Y0 < cells.Y1 {
			t.Errorf("the map is at %+v, the curve at %+v", cells, below)
		}
		for k, q := range d.lines[0] {
			x := cells.X0 + (float64(k)+0.5)/n*(cells.X1-cells.X0)
			y := below.Y1 - (math.Cos(float64(k))-below.YMin)/(below.YMax-below.YMin)*(below.Y1-below.Y0)
			if math.Abs(q.x-x) > 1e-9 || math.Abs(q.y-y) > 1e-9 {
				t.Errorf("distance %d is at %v, want %v", k, q, point{x, y})
			}
		}
	}
}

// A slide has both parts, and the label of the curve whole.
func TestMarginalOnSlide(t *testing.T) {
	m := &Marginal{Map: sampleMap(30, 30), Curve: &Lines{XLabel: "distance", YLabel: "mean cosine", Series: []Series{{X: []float64{0, 29}, Y: []float64{1, 0}}}}}
	for _, format := range []string{"png", "svg"} {
		p, w := watch(t, format, m, Style{Theme: "slides", Width: 10, Height: 5.6})
		if len(p.plots) != 2 {
			t.Errorf("%s: %d plots", format, len(p.plots))
		}
		if !slices.ContainsFunc(w.words, func(t *word) bool { return t.s == "mean cosine" }) {
			t.Errorf("%s: the curve's label is cut", format)
		}
	}
}

func TestMarginalRefused(t *testing.T) {
	for want, m := range map[string]*Marginal{
		"no chart":                      nil,
		"one of the two is missing":     {Map: sampleMap(2, 2)},
		"a scale that is not the colum": {Map: sampleMap(2, 2), Curve: &Lines{XScale: Symlog}},
		"heat map: 0 x 0 cells":         {Map: &Heatmap{}, Curve: sampleLines(1, 2)},
		"diagonals of the heat map: lines: no values: nothing to draw": {Map: sampleMap(2, 2), Curve: &Lines{}},
	} {
		if err := checkChart(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
