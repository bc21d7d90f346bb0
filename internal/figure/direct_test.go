package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// endsAt is curves that end at some heights on an axis from -1 to 1.
func endsAt(heights ...float64) *Lines {
	l := &Lines{YMin: -1, YMax: 1}
	for i, y := range heights {
		l.Series = append(l.Series, Series{Name: fmt.Sprint("run ", i), X: []float64{0, 1, 2}, Y: []float64{0.5, -0.5, y}})
	}
	return l
}

// strokes is a watcher that notes lines too.
type strokes struct {
	*watcher
	lines [][]point
	color []color.NRGBA
}

func (s *strokes) line(pts []point, _ float64, _ bool, c color.NRGBA) {
	s.lines, s.color = append(s.lines, slices.Clone(pts)), append(s.color, c)
}

// drawnEnds draws lines, and gives the names beside the plot and the plot.
func drawnEnds(t *testing.T, l *Lines, format string, s Style) (p *page, names []*word, plot Plot, lines *strokes) {
	t.Helper()
	p, err := newPage(format, l, s)
	if err != nil {
		t.Fatal(err)
	}
	lines = &strokes{watcher: &watcher{sheet: p.sheet}}
	p.sheet = lines
	l.draw(p)
	plot = p.plots[0]
	for _, w := range lines.words {
		if w.start().x > plot.X1 && w.align == 0 {
			names = append(names, w)
		}
	}
	return p, names, plot, lines
}

// Names stand by the ends of their lines: within the page, apart, in the order of the
// ends and no further from them than is allowed.
func TestEndNames(t *testing.T) {
	for name, heights := range map[string][]float64{
		"far apart": {-0.8, 0, 0.9}, "two as one": {0.3, 0.3}, "crowded": {0.1, 0.12, 0.14}, "at the edges": {1, -1, 0.99, -0.99},
		"six": {-0.9, -0.5, 0, 0.3, 0.6, 0.9},
	} {
		for _, theme := range Themes() {
			for _, format := range Formats() {
				t.Run(name+" "+theme+" "+format, func(t *testing.T) {
					p, names, plot, lines := drawnEnds(t, endsAt(heights...), format, Style{Theme: theme})
					if len(names) != len(heights) {
						t.Fatalf("%d names beside the plot, want %d", len(names), len(heights))
					}
					last := math.Inf(-1)
					for _, w := range names { // from the top
						var i int
						if _, err := fmt.Sscanf(w.s, "run %d", &i); err != nil {
							t.Fatal(err)
						}
						end := plot.Y1 + (heights[i]+1)/2*(plot.Y0-plot.Y1)
						mid := w.at.y - capHeight/2*w.size
						const pixel = 72.0 / 150
						if d := math.Abs(mid - end); d > endMove*p.size+pixel {
							t.Errorf("%s stands %.2f em from its line", w.s, d/p.size)
						}
						if gap := mid - last; gap < endLine*p.size-pixel {
							t.Errorf("%s stands %.2f em below the name above", w.s, gap/p.size)
						}
						last = mid
						if b := w.box(); b.x1 > p.w || mid < plot.Y0-pixel || mid > plot.Y1+pixel {
							t.Errorf("%s at %.0f reaches beyond %.0f or the plot", w.s, b, p.w)
						}
						sample := slices.IndexFunc(lines.lines, func(l []point) bool {
							return l[0].x > plot.X1 && l[0].y == l[len(l)-1].y && math.Abs(l[0].y-mid) <= pixel
						})
						if sample < 0 {
							t.Errorf("no piece of line before %s", w.s)
						} else if want := p.theme.series[i]; lines.color[sample] != want {
							t.Errorf("the piece of line before %s is %v, want %v", w.s, lines.color[sample], want)
						}
					}
					for k := 1; k < len(names); k++ {
						var i, j int
						fmt.Sscanf(names[k-1].s, "run %d", &i)
						fmt.Sscanf(names[k].s, "run %d", &j)
						if heights[i] < heights[j] {
							t.Errorf("%s above %s", names[k-1].s, names[k].s)
						}
					}
				})
			}
		}
	}
}

// Where names can't stand at the ends of lines there is a legend.
func TestNoEndNames(t *testing.T) {
	change := func(f func(l *Lines)) *Lines { l := endsAt(-0.8, 0, 0.9); f(l); return l }
	for name, l := range map[string]*Lines{
		"one":          endsAt(0.5),
		"seven":        endsAt(-0.9, -0.6, -0.3, 0, 0.3, 0.6, 0.9),
		"all as one":   endsAt(0.2, 0.2, 0.2, 0.2),
		"ends early":   change(func(l *Lines) { l.Series[1].Y[2] = math.NaN() }),
		"ends outside": change(func(l *Lines) { l.Series[1].Y[2] = 2 }),
		"no name":      change(func(l *Lines) { l.Series[0].Name = "" }),
		"same name":    change(func(l *Lines) { l.Series[0].Name = l.Series[1].Name }),
		"a fit":        change(func(l *Lines) { l.Series[1].Of = "run 0" }),
		"long name":    change(func(l *Lines) { l.Series[1].Name = "a name of a run that takes over a quarter" }),
	} {
		if _, names, _, _ := drawnEnds(t, l, "svg", Style{}); len(names) > 0 {
			t.Errorf("%s: %q stands beside the plot", name, names[0].s)
		}
	}
	if _, names, _, _ := drawnEnds(t, endsAt(-0.8, 0, 0.9), "svg", Style{Width: 1.5, Height: 1.5}); len(names) > 0 {
		t.Errorf("a small page has %q beside the plot", names[0].s)
	}
}

// Long names that a legend would cut too are shortened to what tells them apart.
func TestEndNamesShortened(t *testing.T) {
	l := endsAt(-0.8, 0, 0.9)
	for i := range l.Series {
		l.Series[i].Name = fmt.Sprintf("checkpoints of the run that is the longest of them all/%d.ckpt", i)
	}
	_, names, _, _ := drawnEnds(t, l, "svg", Style{Width: 3.5})
	if len(names) != 3 {
		t.Fatalf("%d names", len(names))
	}
	for i, w := range names {
		if !strings.Contains(w.s, fmt.Sprint(2-i)) || len(w.s) > 20 {
			t.Errorf("name %d is %q", i, w.s)
		}
	}
}

// A moved name is joined with the end of its line.
func TestEndLeaders(t *testing.T) {
	leaders := func(heights ...float64) (n int) {
		_, _, plot, lines := drawnEnds(t, endsAt(heights...), "svg", Style{})
		for _, l := range lines.lines {
			if len(l) == 2 && l[0].x < plot.X1 && l[1].x > plot.X1 {
				n++
			}
		}
		return n
	}
	if n := leaders(-0.8, 0, 0.8); n != 0 {
		t.Errorf("%d leaders to names that were not moved", n)
	}
	if n := leaders(0.3, 0.3, -0.5); n != 2 {
		t.Errorf("%d leaders, want those of the two that were moved", n)
	}
}

// spread keeps the gaps and the bounds, and no other places that do are nearer.
func TestSpread(t *testing.T) {
	if got := spread([]float64{1, 1, 8}, 2, 0, 10); !slices.Equal(got, []float64{0, 2, 8}) {
		t.Errorf("got %v", got)
	}
	if got := spread([]float64{9, 10, 10}, 2, 0, 10); !slices.Equal(got, []float64{6, 8, 10}) {
		t.Errorf("at the end: %v", got)
	}
	if got := spread([]float64{1, 2, 3}, 6, 0, 10); got != nil {
		t.Errorf("without room: %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 6).Draw(t, "at")
		slices.Sort(at)
		const gap, lo, hi = 7.0, 0.0, 100.0
		got := spread(at, gap, lo, hi)
		cost := func(y []float64) (c float64) {
			for i := range y {
				c += (y[i] - at[i]) * (y[i] - at[i])
			}
			return c
		}
		fits := func(y []float64, slack float64) bool {
			for i := range y {
				if y[i] < lo-slack || y[i] > hi+slack || i > 0 && y[i]-y[i-1] < gap-slack {
					return false
				}
			}
			return true
		}
		if !fits(got, 1e-9) {
			t.Fatalf("%v of %v", got, at)
		}
		// The set is convex and so is the cost: near places that fit tell whether it is
		// the least.
		move := rapid.SliceOfN(rapid.Float64Range(-0.5, 0.5), len(at), len(at)).Draw(t, "move")
		other := slices.Clone(got)
		for i := range other {
			other[i] += move[i]
		}
		if fits(other, 0) && cost(other) < cost(got)-1e-9 {
			t.Errorf("%v is nearer to %v than %v", other, at, got)
		}
	})
}
