package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
)

// markedLines is a level line over x = 0 to 100 on which some ranges are marked.
func markedLines(spans ...Span) *Lines {
	s := Series{}
	for x := range 101 {
		s.X, s.Y = append(s.X, float64(x)), append(s.Y, 2)
	}
	return &Lines{XLabel: "position", YLabel: "norm", Series: []Series{s}, Spans: spans}
}

// painter is a sheet that notes what is polygonFilled, and in which colour.
type painter struct {
	watcher
	fills []polygonFilled
}

type polygonFilled struct {
	rect
	color color.NRGBA
}

func (w *painter) polygon(pts []point, c color.NRGBA) {
	if len(pts) == 4 {
		w.fills = append(w.fills, polygonFilled{rect{pts[0].x, pts[0].y, pts[2].x, pts[2].y}, c})
	}
}

// painted draws lines on an SVG's page, which snaps to no pixel.
func painted(t *testing.T, l *Lines) (*painter, Plot) {
	t.Helper()
	p, err := newPage("svg", l, Style{})
	if err != nil {
		t.Fatal(err)
	}
	w := &painter{watcher: watcher{sheet: p.sheet}}
	p.sheet = w
	l.draw(p)
	return w, p.plots[0]
}

// A band stands where its rows do by the plot's own scale, from top to bottom, and its
// bar above it; a strong one is not told from others by its colour alone.
func TestSpansPlace(t *testing.T) {
	ink := themeOf("").series[1]
	soft := themeOf("").soft
	for _, c := range []struct {
		name     string
		span     Span
		from, to float64 // as drawn; NaN: nothing is
	}{
		{"within", Span{From: 20, To: 45, Name: "a"}, 20, 45},
		{"strong", Span{From: 20, To: 45, Name: "a", Strong: true}, 20, 45},
		{"beyond the right", Span{From: 90, To: 1e300, Name: "a"}, 90, 102},
		{"beyond both", Span{From: math.Inf(-1), To: math.Inf(1), Name: "a"}, -2, 102},
		{"outside", Span{From: 103, To: 110, Name: "a"}, math.NaN(), 0},
		{"turned", Span{From: 45, To: 20, Name: "a"}, math.NaN(), 0},
		{"undefined", Span{From: math.NaN(), To: 20, Name: "a"}, math.NaN(), 0},
		{"without an end", Span{From: 20, To: math.NaN(), Name: "a"}, math.NaN(), 0},
	} {
		w, plot := painted(t, markedLines(c.span))
		at := func(v float64) float64 { return plot.X0 + (v-plot.XMin)/(plot.XMax-plot.XMin)*(plot.X1-plot.X0) }
		var bands, bars, edges []polygonFilled
		for _, f := range w.fills {
			plain := f.color
			plain.A = 0xff
			switch {
			case plain != ink && plain != soft:
			case f.color.A == 0xff:
				bars = append(bars, f)
			case f.w() < 2:
				edges = append(edges, f)
			default:
				bands = append(bands, f)
			}
		}
		if math.IsNaN(c.from) {
			if len(bands)+len(bars)+len(edges)+len(w.words) != len(painted0(t)) {
				t.Errorf("%s: %d bands, %d bars, %d edges are drawn", c.name, len(bands), len(bars), len(edges))
			}
			continue
		}
		if len(bands) != 1 || len(bars) != 1 {
			t.Fatalf("%s: %d bands and %d bars, want one each", c.name, len(bands), len(bars))
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
		if b := bands[0]; !near(b.x0, at(c.from)) || !near(b.x1, at(c.to)) || !near(b.y0, plot.Y0) || !near(b.y1, plot.Y1) {
			t.Errorf("%s: the band is %.2f, want x from %.2f to %.2f in %+v", c.name, b.rect, at(c.from), at(c.to), plot)
		}
		if b := bars[0]; !near(b.x0, at(c.from)) || !near(b.x1, at(c.to)) || b.y1 > plot.Y0 {
			t.Errorf("%s: the bar is %.2f, above %+v", c.name, b.rect, plot)
		}
		if strong := bars[0].h() > 2 && len(edges) == 2; strong != c.span.Strong {
			t.Errorf("%s: a bar %.2f high and %d edges", c.name, bars[0].h(), len(edges))
		}
	}
}

// painted0 is the words of the lines without marks.
func painted0(t *testing.T) []*word {
	w, _ := painted(t, markedLines())
	return w.words
}

// A single row is a line, at its place.
func TestSpansSingleRow(t *testing.T) {
	w, plot := painted(t, markedLines(Span{From: 30, To: 30, Name: "a", Strong: true}))
	want := plot.X0 + (30-plot.XMin)/(plot.XMax-plot.XMin)*(plot.X1-plot.X0)
	found := 0
	for _, f := range w.fills {
		if f.h() > 100 && f.w() < 2 && f.color.A == 0xb0 {
			found++
			if mid := (f.x0 + f.x1) / 2; math.Abs(mid-want) > 1e-6 {
				t.Errorf("the line of row 30 is at %.2f, want %.2f", mid, want)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d lines, want 1", found)
	}
}

// Names are said once each, strong ones next to the plot, and never over each other.
func TestSpansNames(t *testing.T) {
	l := markedLines(Span{10, 10, "scattered", false}, Span{40, 42, "scattered", false}, Span{12, 60, "broken", true}, Span{11, 11, "first", false})
	_, w := watch(t, "svg", l, Style{})
	y := map[string]float64{}
	for i, a := range w.words {
		if slices.Contains([]string{"scattered", "broken", "first"}, a.s) {
			if _, twice := y[a.s]; twice {
				t.Errorf("%q is written twice", a.s)
			}
			y[a.s] = a.at.y
		}
		for _, b := range w.words[:i] {
			if overlap(a.box(), b.box()) {
				t.Errorf("%q and %q overlap", a.s, b.s)
			}
		}
	}
	if len(y) != 3 || !(y["broken"] > y["scattered"]) {
		t.Errorf("names at %v", y)
	}
}

func TestAltSpans(t *testing.T) {
	many := func(n int) (spans []Span) {
		for i := range n {
			spans = append(spans, Span{From: float64(i), To: float64(i), Name: fmt.Sprint("n", i)})
		}
		return spans
	}
	logged := markedLines(Span{From: -3, To: 10, Name: "low"}, Span{From: -3, To: 0, Name: "none"})
	logged.XLog = true
	for name, c := range map[string]struct {
		l    *Lines
		want string
	}{
		"none":       {markedLines(), ""},
		"not drawn":  {markedLines(Span{From: 3, To: 2}, Span{From: 200, To: 300}, Span{From: math.NaN(), To: 1}), ""},
		"one":        {markedLines(Span{From: 3, To: 3, Name: "zero-rows", Strong: true}), `; marked: "zero-rows" (strong) at 3`},
		"strong one": {markedLines(Span{From: 1, To: 1}, Span{From: 3, To: 7, Name: "a\x1b", Strong: true}), `; marked: "a" (strong) at 3 to 7; a range at 1`},
		"places": {markedLines(Span{1, 1, "a", false}, Span{3, 3, "a", false}, Span{5, 6, "a", false}, Span{8, 8, "a", false}, Span{9, 9, "a", false}),
			`; marked: "a" at 1, 3, 5 to 6, 8 and 1 more place`},
		"many":        {markedLines(many(10)...), `; marked: "n0" at 0; "n1" at 1; "n2" at 2; "n3" at 3; "n4" at 4; "n5" at 5; "n6" at 6; "n7" at 7; and 2 more`},
		"logarithmic": {logged, `; marked: "low" at -3 to 10`},
	} {
		got := Alt(c.l)
		if _, marked, _ := strings.Cut(got, "at 0"); !strings.HasSuffix(got, c.want+".") || c.want == "" && strings.Contains(marked, "marked") {
			t.Errorf("%s: %q, want it to end with %q", name, got, c.want)
		}
	}
}

// A terminal has the names above the plot, beside or in their bars, on as few rows as
// they need.
func TestTermSpans(t *testing.T) {
	l := markedLines(Span{0, 0, "first", false}, Span{50, 100, "untrained", true}, Span{30, 30, "zero", true}, Span{30, 31, "other", false})
	l.XLabel, l.YLabel = "", ""
	text := drawn(t, l, Terminal{Width: 60, Height: 10})
	above, _, _ := strings.Cut(text, "┤")
	// x = -2 to 102 is 57 columns from the fourth on: 30 is in column 3 + floor(57 * 32/104)
	want := "" +
		"                    ── other\n" +
		"    ▽ first         ▼ zero     ▄▄▄▄▄▄▄▄ untrained ▄▄▄▄▄▄▄▄▄\n"
	above = above[:strings.LastIndex(above, "\n")+1]
	if above != want {
		t.Errorf("above the plot stands\n%s, want\n%s", above, want)
	}
	if bare := drawn(t, markedLines(Span{From: 200, To: 300, Name: "a"}), Terminal{Width: 60, Height: 10}); bare != drawn(t, markedLines(), Terminal{Width: 60, Height: 10}) {
		t.Error("what is outside the plot is drawn")
	}
}

// An x axis reaches over rows without a value, so that what is marked there is seen.
func TestXFromTo(t *testing.T) {
	l := markedLines(Span{From: 150, To: 160, Name: "a"})
	l.XFrom, l.XTo = -20, 180
	_, plot := painted(t, l)
	if plot.XMin != -24 || plot.XMax != 184 { // 2 % more on either side
		t.Errorf("the axis is from %g to %g", plot.XMin, plot.XMax)
	}
	if got := Alt(l); !strings.Contains(got, "position, -20 to 180;") || !strings.HasSuffix(got, `marked: "a" at 150 to 160.`) {
		t.Error(got)
	}
	l.XLog = true // -20 has no place
	if f := frameOf(l.logged()); math.Abs(f.x.hi-math.Log10(180)) > 0.1 || f.x.lo < -0.1 {
		t.Errorf("the logarithmic axis is from %g to %g", f.x.lo, f.x.hi)
	}
}
