package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// circle is points around one, in the order of their values.
func circle(n int) *Scatter {
	s := &Scatter{Title: "components 0 and 1", XLabel: "component 0 (29.1 % of the variance)", YLabel: "component 1 (12 % of the variance)", ColorLabel: "position"}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		s.X, s.Y, s.Value = append(s.X, 3*cos), append(s.Y, 3*sin), append(s.Value, float64(i))
	}
	return s
}

// raster is points of a grid, each a little off its place.
func raster(rows, cols int) *Scatter {
	s := circle(rows * cols)
	s.Value, s.Cells = nil, &Cells{Rows: rows, Cols: cols}
	for i := range rows * cols {
		s.Cells.Row, s.Cells.Col = append(s.Cells.Row, i/cols), append(s.Cells.Col, i%cols)
	}
	return s
}

// powerLaw is a spectrum on logarithmic axes.
func powerLaw() *Lines {
	l := &Lines{Title: "mean power spectrum", XLabel: "period (positions)", YLabel: "share of the power", XLog: true, YLog: true}
	s := Series{Name: "power"}
	for b := 1; b <= 256; b++ {
		s.X, s.Y = append(s.X, 512/float64(b)), append(s.Y, math.Pow(float64(b), -3))
	}
	l.Series = []Series{s}
	return l
}

func scatterCharts() map[string]Chart {
	far := circle(9)
	for i := range far.X {
		far.X[i], far.Y[i] = 1e6+far.X[i]/1e3, 1e-7*far.Y[i]
	}
	wordy := circle(30)
	wordy.Title = strings.Repeat("a title that goes on ", 20)
	wordy.XLabel, wordy.YLabel, wordy.ColorLabel = wordy.Title, wordy.Title, wordy.Title
	gaps := circle(20)
	gaps.X[3], gaps.Y[5], gaps.Value[7] = math.NaN(), math.Inf(1), math.NaN()
	plain := circle(7)
	plain.Value = nil
	narrow := powerLaw()
	for i := range narrow.Series[0].X {
		narrow.Series[0].X[i] = 1 + narrow.Series[0].X[i]/1e4
	}
	return map[string]Chart{
		"circle": circle(200), "one": circle(1), "two": circle(2), "many": circle(5000), "far": far, "wordy": wordy, "gaps": gaps, "plain": plain,
		"raster": raster(14, 14), "raster 1 x 9": raster(1, 9), "raster 100 x 3": raster(100, 3),
		"log": powerLaw(), "log, hardly": narrow,
		"log panels": &Panels{Rows: 1, Cols: 2, Charts: []Chart{powerLaw(), powerLaw()}},
		"board":      &Board{Title: "gpt2", Cols: 2, Charts: []Chart{powerLaw(), sampleLines(4, 30), circle(60), raster(7, 7)}},
		"board of 5": &Board{Cols: 3, Charts: []Chart{powerLaw(), sampleMap(20, 20), circle(60), samplePanels(2, 2, func(int) Chart { return sampleMap(4, 4) }), circle(3)}},
	}
}

// No word may be cut by the edge of the page, lie on another one, or on a bar.
func TestNothingCutOnScatters(t *testing.T) {
	for name, c := range scatterCharts() {
		for _, size := range [][2]float64{{0, 0}, {3, 2.5}, {2.5, 3}, {6, 4}, {6, 2.5}, {12, 10}, {1, 1}, {2, 2}, {50, 50}, {1, 20}, {20, 1}} {
			for _, style := range []Style{{Theme: "paper"}, {Theme: "slides", Title: "another title"}} {
				for _, format := range []string{"svg", "pdf"} {
					style.Width, style.Height = size[0], size[1]
					p, w := watch(t, format, c, style)
					for i, a := range w.words {
						b := a.box()
						if b.x0 < 0 || b.y0 < 0 || b.x1 > p.w || b.y1 > p.h {
							t.Errorf("%s, %v, %s, %s: %q is cut: %.0f of %.0f x %.0f", name, size, style.Theme, format, a.s, b, p.w, p.h)
						}
						for _, o := range w.words[:i] {
							if overlap(b, o.box()) {
								t.Errorf("%s, %v, %s, %s: %q and %q overlap", name, size, style.Theme, format, a.s, o.s)
							}
						}
						for _, r := range w.cellR {
							if overlap(b, r) {
								t.Errorf("%s, %v, %s, %s: %q lies on a map", name, size, style.Theme, format, a.s)
							}
						}
					}
				}
			}
		}
	}
}

// shapes is a sheet that notes what is filled and stroked.
type shapes struct {
	sheet
	filled  [][]point
	colors  []color.NRGBA
	strokes [][]point
}

func (s *shapes) polygon(pts []point, c color.NRGBA) {
	s.filled, s.colors = append(s.filled, pts), append(s.colors, c)
}
func (s *shapes) line(pts []point, _ float64, _ bool, _ color.NRGBA) {
	s.strokes = append(s.strokes, pts)
}
func (s *shapes) text(*word)        {}
func (s *shapes) cells(rect, *grid) {}

// shapesOf draws a chart and gives its shapes.
func shapesOf(t *testing.T, c Chart, s Style) *shapes {
	t.Helper()
	p, err := newPage("svg", c, s)
	if err != nil {
		t.Fatal(err)
	}
	sh := &shapes{sheet: p.sheet}
	p.sheet = sh
	c.draw(p)
	return sh
}

// discs are the middles of the polygons that have some corners.
func (s *shapes) discs(corners int) (at []point, colors []color.NRGBA) {
	for i, pts := range s.filled {
		if len(pts) != corners {
			continue
		}
		var q point
		for _, p := range pts {
			q.x, q.y = q.x+p.x/float64(corners), q.y+p.y/float64(corners)
		}
		at, colors = append(at, q), append(colors, s.colors[i])
	}
	return at, colors
}

// A circle is round on a page of any shape, its points stand in their order, and their
// colours run through the part of the palette that shows on the ground.
func TestScatterIsTrue(t *testing.T) {
	const n = 40
	for _, style := range []Style{{}, {Width: 12, Height: 3}, {Width: 3, Height: 9, Theme: "dark"}} {
		at, colors := shapesOf(t, circle(n), style).discs(24)
		if len(at) != n {
			t.Fatalf("%d points, want %d", len(at), n)
		}
		middle := point{(at[0].x + at[n/2].x) / 2, (at[0].y + at[n/2].y) / 2}
		radius := at[0].x - middle.x
		for i, q := range at {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
			if math.Hypot(q.x-middle.x-radius*cos, q.y-middle.y+radius*sin) > 1e-6*radius {
				t.Fatalf("%+v: point %d is at %v, of a circle around %v of radius %v", style, i, q, middle, radius)
			}
		}
		pal, th := palettes()["viridis"], themeOf(style.Theme)
		for i, share := range map[int]float64{0: th.lo, n - 1: th.hi} {
			if want := pal[int(share*255+0.5)]; color.RGBA(colors[i]) != want {
				t.Errorf("%+v: point %d is %v, want %v", style, i, colors[i], want)
			}
		}
	}
}

// A point's pixel has its colour.
func TestScatterPixels(t *testing.T) {
	s := &Scatter{X: []float64{0, 1, 2}, Y: []float64{0, 2, 1}, Value: []float64{0, 1, 2}}
	img, err := png.Decode(bytes.NewReader(writeBytes(t, "png", s, Style{})))
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPage("png", s, Style{})
	if err != nil {
		t.Fatal(err)
	}
	sh := &shapes{sheet: p.sheet}
	p.sheet = sh
	s.draw(p)
	at, colors := sh.discs(24)
	for i, q := range at {
		if got := img.At(int(q.x/p.px), int(q.y/p.px)); !same(got, color.RGBA(colors[i])) {
			t.Errorf("point %d at %v: %v, want %v", i, q, got, colors[i])
		}
	}
	if len(at) != 3 || colors[0] == colors[1] || colors[1] == colors[2] {
		t.Errorf("points at %v in %v", at, colors)
	}
}

// Cells of a raster differ from their neighbours; lightness falls along a row, and the
// first and the last row are the hues that every eye tells apart. Each stands out from
// the ground of the theme.
func TestCellColors(t *testing.T) {
	for _, name := range Themes() {
		of := themeOf(name)
		c := &Cells{Rows: 14, Cols: 14}
		seen := map[color.RGBA]bool{}
		for row := range 14 {
			last := 2.0
			for col := range 14 {
				v := c.color(row, col, of.tones())
				if seen[v] {
					t.Errorf("%s: cell %d, %d has the colour of another", name, row, col)
				}
				seen[v] = true
				if got := contrastOf(v, color.RGBA(of.ground)); got < 3 {
					t.Errorf("%s: cell %d, %d is %v on %v, a contrast of %.2f", name, row, col, v, of.ground, got)
				}
				light, _ := oklab(v)
				if light >= last {
					t.Errorf("%s: cell %d, %d is as light as that before it", name, row, col)
				}
				last = light
			}
		}
		if blue, yellow := c.color(0, 7, of.tones()), c.color(13, 7, of.tones()); blue.B <= blue.R+60 || yellow.B+60 >= yellow.R {
			t.Errorf("%s: the first row is %v, the last %v", name, blue, yellow)
		}
	}
}

// A power law is a straight line on logarithmic axes, and values without a logarithm
// are gaps.
func TestLogAxes(t *testing.T) {
	l := powerLaw()
	l.Series[0].Name = "" // no legend
	l.Series[0].Y[100], l.Series[0].Y[101] = 0, -1
	strokes := shapesOf(t, l, Style{}).strokes
	if len(strokes) != 2 {
		t.Fatalf("%d lines, want 2", len(strokes))
	}
	first, last := strokes[0][0], strokes[1][len(strokes[1])-1]
	for _, line := range strokes {
		for _, q := range line {
			want := first.y + (q.x-first.x)*(last.y-first.y)/(last.x-first.x)
			if math.Abs(q.y-want) > 1e-6 {
				t.Fatalf("%v is off the line from %v to %v", q, first, last)
			}
		}
	}
	if l.Series[0].X[0] != 512 || l.Series[0].Y[0] != 1 {
		t.Error("drawing changed the numbers")
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   string
	}{
		{2, 512, 9, "2 5 10 20 50 100 200 500"},
		{2, 512, 3, "10 100"},
		{1, 64, 9, "1 2 5 10 20 50"},
		{0.95, 9.5, 9, "1 2 3 4 5 6 7 8 9"},
		{1, 1000, 9, "1 10 100 1000"},
		{1e-9, 1, 4, "1e−9 1e−6 1e−3 1e0"},
		{1e-3, 1e3, 9, "0.001 0.01 0.1 1 10 100 1000"},
		{101, 109, 9, "101 102 103 104 105 106 107 108 109"},
		{1e8, 3e8, 5, "1e8 2e8 3e8"},
	} {
		s := span{math.Log10(c.lo), math.Log10(c.hi), true}
		ticks := s.logTicks(c.n)
		if got := strings.Join(labels(ticks), " "); got != c.want {
			t.Errorf("%g to %g, %d: %s, want %s", c.lo, c.hi, c.n, got, c.want)
		}
		for _, tk := range ticks {
			var v float64
			fmt.Sscan(hyphened(tk.label), &v)
			if math.Abs(math.Pow(10, tk.at)/v-1) > 1e-9 {
				t.Errorf("%s stands at %g", tk.label, math.Pow(10, tk.at))
			}
		}
	}
}

func ExampleScatter() {
	s := circle(24)
	s.Title, s.XLabel, s.YLabel = "A turn", "x", "y"
	if err := WriteTerminal(bufferOut{}, s, Terminal{Width: 60, Height: 16}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// A turn
	// y
	//    │        ⡀ ⠠  ⠂ ⠄ ⢀
	//  2 ┤      ⠄            ⠠
	//    │    ⠠                ⠄
	//    │    ⡀                ⢀
	//    │   ⢀
	//  0 ┤                      o
	//    │    ⠁                x
	//    │    ⠐                ⠂
	// -2 ┤      ⠂            ⠐
	//    │        ⠁ ⠐ ⠠  ⠂ ⠈
	//    └┬─────┬──────┬─────┬─────┬
	//     -4    -2     0     2     4
	//                 x
	// o first, x last
}

// bufferOut prints for an example.
type bufferOut struct{}

func (bufferOut) Write(b []byte) (int, error) { return fmt.Print(string(b)) }

// The charts are written alike on every run, in every format.
func TestScattersAreSteady(t *testing.T) {
	for name, c := range scatterCharts() {
		for _, format := range Formats() {
			var a, b bytes.Buffer
			if _, err := Write(&a, format, c, Style{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := Write(&b, format, c, Style{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%s, %s: other bytes the second time", name, format)
			}
		}
		for _, mode := range []string{"none", "256", "true"} {
			for _, width := range []int{30, 80, 130} {
				for i, line := range strings.Split(drawn(t, c, Terminal{Width: width, Color: mode}), "\n") {
					if n := visible(line); n > width {
						t.Errorf("%s, %s: line %d is %d columns wide, of %d", name, mode, i, n, width)
					}
				}
			}
		}
	}
}

// visible is how many columns a line takes, colour codes aside.
func visible(line string) int {
	n := 0
	for {
		before, after, found := strings.Cut(line, "\x1b[")
		n += textWidth(before)
		if !found {
			return n
		}
		_, line, _ = strings.Cut(after, "m")
	}
}

func TestScatterRefused(t *testing.T) {
	for want, c := range map[string]Chart{
		"scatter: 2 x, but 1 y":                           &Scatter{X: []float64{1, 2}, Y: []float64{1}},
		"scatter: 1 points, but 2 values":                 &Scatter{X: []float64{1}, Y: []float64{1}, Value: []float64{1, 2}},
		"scatter: no points: nothing to draw":             &Scatter{X: []float64{math.NaN()}, Y: []float64{1}},
		"scatter: both values and cells":                  &Scatter{X: []float64{1}, Y: []float64{1}, Value: []float64{1}, Cells: &Cells{}},
		"1 points, but 0 rows":                            &Scatter{X: []float64{1}, Y: []float64{1}, Cells: &Cells{Rows: 1, Cols: 1}},
		"point 0 is at 1, 0 of a raster of 1 x 1":         &Scatter{X: []float64{1}, Y: []float64{1}, Cells: &Cells{1, 1, []int{1}, []int{0}}},
		"board: 0 charts":                                 &Board{Cols: 2},
		"board: chart 0 is a board itself":                &Board{Cols: 2, Charts: []Chart{&Board{}}},
		"board: chart 1: scatter: no points":              &Board{Cols: 2, Charts: []Chart{circle(3), &Scatter{}}},
		"board: chart 0: no chart":                        &Board{Cols: 1, Charts: []Chart{nil}},
		"panels: panel 0 is neither a heat map nor lines": &Panels{Rows: 1, Cols: 1, Charts: []Chart{circle(3)}},
		"panels: lines share their axes":                  &Panels{Rows: 1, Cols: 2, Charts: []Chart{powerLaw(), sampleLines(1, 3)}},
		"a logarithmic y axis begins above 0":             &Lines{YLog: true, YMax: 1, Series: powerLaw().Series},
		"lines: no values":                                &Lines{YLog: true, Series: []Series{{X: []float64{1, 2}, Y: []float64{0, -1}}}},
		"no chart":                                        (*Scatter)(nil),
	} {
		var b bytes.Buffer
		if _, err := Write(&b, "svg", c, Style{}); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v, want %s", err, want)
		}
		if err := WriteTerminal(&b, c, Terminal{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("terminal: %v, want %s", err, want)
		}
	}
}

// Numbers as odd as they come are drawn.
func TestOddScatters(t *testing.T) {
	odd := []float64{0, 1, -1, 1e-9, 1 + 1e-15, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1e300, 5e-324, -5e-324, 1e15}
	number := rapid.OneOf(rapid.SampledFrom(odd), rapid.Float64(), rapid.Float64Range(-2, 2))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		some := func(name string) []float64 { return rapid.SliceOfN(number, n, n).Draw(t, name) }
		s := &Scatter{X: some("x"), Y: some("y"), Value: some("v"), ColorLabel: "c"}
		l := &Lines{Series: []Series{{X: some("lx"), Y: some("ly"), Lo: some("lo"), Hi: some("hi"), Steps: rapid.Bool().Draw(t, "steps")}}, XLog: rapid.Bool().Draw(t, "xlog"), YLog: true, MarkZero: true}
		for _, c := range []Chart{s, l, &Board{Cols: 2, Charts: []Chart{s, l}}} {
			if c.check() != nil {
				continue
			}
			for _, format := range Formats() {
				var b bytes.Buffer
				if _, err := Write(&b, format, c, Style{Width: 3, Height: 2, DPI: 40}); err != nil {
					t.Fatal(err)
				}
				if m := noNumber.Find(b.Bytes()); format == "svg" && m != nil {
					t.Fatalf("%s", m)
				}
			}
			if err := WriteTerminal(&bytes.Buffer{}, c, Terminal{Width: 40}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
