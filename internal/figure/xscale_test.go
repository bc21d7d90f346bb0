package figure

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The scale is x within 1, 1 + ln|x| beyond, odd, and undone by value.
func TestSymlog(t *testing.T) {
	for _, test := range []struct{ x, at float64 }{
		{0, 0}, {0.25, 0.25}, {-1, -1}, {1, 1}, {math.E, 2}, {-math.E, -2}, {10, 1 + math.Ln10}, {-1000, -1 - 3*math.Ln10}, {1e300, 1 + 300*math.Ln10},
	} {
		at := Symlog.place(test.x)
		if math.Abs(at-test.at) > 1e-13*math.Abs(test.at) {
			t.Errorf("%g stands at %v, want %v", test.x, at, test.at)
		}
		if back := Symlog.value(at); math.Abs(back-test.x) > 1e-12*math.Abs(test.x) {
			t.Errorf("%g comes back as %v", test.x, back)
		}
		if Linear.place(test.x) != test.x || Linear.value(test.x) != test.x {
			t.Errorf("%g moves on a linear scale", test.x)
		}
	}
	if d := (Symlog.place(1.001) - Symlog.place(1)) / (Symlog.place(1) - Symlog.place(0.999)); math.Abs(d-1) > 1e-3 {
		t.Errorf("the slope changes by %v at 1", d)
	}
	if v := Symlog.value(5000); v != huge {
		t.Errorf("a place far outside is worth %v", v)
	}
}

func TestSymlogTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64 // values
		n      int
		want   string
	}{
		{-512, 512, 11, "−100 −10 −1 0 1 10 100"},
		{-512, 512, 20, "−500 −200 −100 −50 −20 −10 −5 −2 −1 0 1 2 5 10 20 50 100 200 500"},
		{-512, 512, 6, "−100 −1 0 1 100"},
		{-5, 5, 11, "−5 −2 −1 0 1 2 5"},
		{-128, 0, 11, "−100 −50 −20 −10 −5 −2 −1 0"},
		{-128, 0, 5, "−100 −10 −1 0"},
		{110, 190, 6, "120 140 160 180"}, // no two powers
		{64, 512, 6, "100 200 500"},
		{-1, 1, 6, "−1 0 1"}, // no logarithm at all
		{0, 1.5e300, 9, "0 1 1e50 1e100 1e150 1e200 1e250 1e300"},
	} {
		f := frame{scale: Symlog, whole: true, x: span{Symlog.place(test.lo), Symlog.place(test.hi), true}}
		ticks := f.xTicks(test.n)
		if got := strings.Join(labels(ticks), " "); got != test.want {
			t.Errorf("%g to %g, at most %d: %s; want %s", test.lo, test.hi, test.n, got, test.want)
		}
		for _, tk := range ticks {
			v, err := strconv.ParseFloat(strings.ReplaceAll(tk.label, "−", "-"), 64)
			if err != nil || Symlog.place(v) != tk.at {
				t.Errorf("tick %s stands at %v", tk.label, tk.at)
			}
		}
	}
}

// Where 1 has no room beside 0, the other powers of ten stand, not some values at equal
// steps.
func TestSymlogTicksOfNarrowAxis(t *testing.T) {
	l := &Lines{XScale: Symlog, Series: []Series{{X: []float64{-511, 0, 511}, Y: []float64{1, 2, 1}}}}
	for _, test := range []struct {
		width float64 // points
		want  string
	}{{400, "−100 −10 −1 0 1 10 100"}, {170, "−100 −10 0 10 100"}, {130, "−100 0 100"}} {
		p, err := newPage("svg", l, Style{})
		if err != nil {
			t.Fatal(err)
		}
		a := frameOf(l).axes(p, 8, test.width, 100)
		if got := strings.Join(labels(a.x.ticks), " "); got != test.want {
			t.Errorf("%g points: %s; want %s", test.width, got, test.want)
		}
	}
}

// In a figure the decades are of one length, to both sides of 0, and as long as 2.3
// times the linear part.
func TestSymlogFigure(t *testing.T) {
	l := &Lines{XScale: Symlog, MarkZero: true, Series: []Series{{X: []float64{-1000, -1, 0, 1, 1000}, Y: []float64{1, 2, 3, 2, 1}}}}
	svg := string(writeBytes(t, "svg", l, Style{}))
	x := map[string]float64{}
	for _, m := range regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>(−?[0-9]+)</text>`).FindAllStringSubmatch(svg, -1) {
		at, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		x[m[2]] = at
	}
	decade := x["100"] - x["10"]
	for _, d := range []struct {
		from, to string
		length   float64
	}{
		{"1", "10", decade}, {"100", "1000", decade}, {"−1000", "−100", decade}, {"−10", "−1", decade},
		{"0", "1", decade / math.Ln10}, {"−1", "0", decade / math.Ln10},
	} {
		if got := x[d.to] - x[d.from]; decade < 20 || math.Abs(got-d.length) > 0.05 {
			t.Errorf("%s to %s is %v long, want %v", d.from, d.to, got, d.length)
		}
	}
	for _, form := range []string{"png", "pdf"} {
		writeBytes(t, form, l, Style{})
	}
	if err := (&Lines{XScale: 7, Series: l.Series}).check(); err == nil {
		t.Error("scale 7 passes")
	}
	linear := *l
	linear.XScale = Linear
	if string(writeBytes(t, "svg", &linear, Style{})) == svg {
		t.Error("the scale makes no difference")
	}
}

// The terminal picture has the scale as well, and odd values do not stop any form.
func TestSymlogOdd(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, xs := range [][]float64{{0}, {-inf, nan, 3}, {-1e308, 1e306, 1e308}, {5e-324, -5e-324}, {0.5, 1, 2}, {7, 7}, {1e5, 1e5 + 1}} {
		ys := make([]float64, len(xs))
		l := &Lines{XScale: Symlog, MarkZero: true, Series: []Series{{X: xs, Y: ys, Steps: len(xs) > 1}}}
		for _, form := range []string{"svg", "png", "pdf"} {
			writeBytes(t, form, l, Style{})
		}
		var b strings.Builder
		if err := WriteTerminal(&b, l, Terminal{Width: 80, Color: "none"}); err != nil {
			t.Error(err)
		}
	}
	var b strings.Builder
	l := &Lines{XScale: Symlog, Series: []Series{{X: []float64{-1000, 0, 1000}, Y: []float64{1, 2, 3}}}}
	if err := WriteTerminal(&b, l, Terminal{Width: 80, Color: "none"}); err != nil || !strings.Contains(b.String(), " 100 ") || strings.Contains(b.String(), "500") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
