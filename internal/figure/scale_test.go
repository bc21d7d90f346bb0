package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		n      int
		whole  bool
		want   string
	}{
		{0, 1, 6, false, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-1, 1, 5, false, "−1.0 −0.5 0.0 0.5 1.0"},
		{-128, 128, 6, true, "−100 −50 0 50 100"},
		{0, 3, 9, true, "0 1 2 3"},
		{0, 3, 9, false, "0.0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{0.93, 1, 5, false, "0.94 0.96 0.98 1.00"},
		{0, 5e7, 6, false, "0 1e7 2e7 3e7 4e7 5e7"},
		{0, 8e-7, 5, false, "0 2e−7 4e−7 6e−7 8e−7"},
		{0, 12e5, 4, false, "0 500000 1000000"},
		{-1e300, 1e300, 3, false, "−1e300 0 1e300"},
		{0.2, 0.4, 1, true, "0"}, // no whole number there
	} {
		got := strings.Join(labels(span{test.lo, test.hi, true}.ticks(test.n, test.whole)), " ")
		if got != test.want {
			t.Errorf("%g to %g, at most %d: %s; want %s", test.lo, test.hi, test.n, got, test.want)
		}
	}
}

func TestPositions(t *testing.T) {
	for _, test := range []struct {
		n, first, step, most int
		want                 string
		at                   float64 // of the first
	}{
		{512, 0, 1, 6, "0 100 200 300 400 500", 0},
		{14, 0, 0, 14, "0 1 2 3 4 5 6 7 8 9 10 11 12 13", 0},
		{14, 0, 1, 7, "0 2 4 6 8 10 12", 0},
		{257, -128, 1, 7, "−100 −50 0 50 100", 28},
		{10, 2, 4, 3, "2 22", 0},           // 2, 6, 10, ...: no label can be round
		{32, 0, 16, 5, "0 160 320 480", 0}, // tens of steps
		{8, -8, 2, 4, "−8 −4 0 4", 0},
		{5, 4, -1, 2, "0", 4}, // 4, 3, 2, 1, 0
		{1, 7, 1, 0, "7", 0},
	} {
		ticks := positions(test.n, test.first, test.step, test.most)
		if got := strings.Join(labels(ticks), " "); got != test.want || ticks[0].at != test.at {
			t.Errorf("%+v: %s from %g", test, got, ticks[0].at)
		}
	}
}

func TestSpan(t *testing.T) {
	of := func(v ...float64) (s span) {
		for _, x := range v {
			s.add(x)
		}
		return s
	}
	inf := math.Inf(1)
	for _, test := range []struct{ got, want span }{
		{of(math.NaN(), inf, -inf), span{}},
		{of(3, inf, -1), span{-1, 3, true}},
		{of(math.MaxFloat64, -math.MaxFloat64), span{-1e306, 1e306, true}},
		{of().wide(), span{0, 1, true}},
		{of(2).wide(), span{1, 3, true}},
		{of(-2).wide(), span{-3, -1, true}},
		{of(0).wide(), span{-1, 1, true}},
		{of(1, 1+1e-15).wide(), span{0.5, 1.5, true}}, // rounding is no range
		{of(1, 2).wide(), span{1, 2, true}},
		{of(-1, 4).around(), span{-4, 4, true}},
		{of(0, 10).padded(0.05), span{-0.5, 10.5, true}},
	} {
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Abs(b) } // rounding of a few operations
		if !near(test.got.lo, test.want.lo) || !near(test.got.hi, test.want.hi) || test.got.some != test.want.some {
			t.Errorf("%v, want %v", test.got, test.want)
		}
	}
}

// Numbers that differ by less than a scale can show are one; a range of subnormal
// ones has no step between ticks.
func TestFrameOfSubnormal(t *testing.T) {
	for _, x := range [][]float64{{-5e-324, 5e-324}, {0, 5e-324}, {1e-291, 2e-291}, {1, math.Nextafter(1, 2)}, {0, 0}} {
		l := &Lines{Series: []Series{{X: x, Y: x}}}
		f := frameOf(l)
		if mid := x[0]; f.x.lo != mid-1 || f.x.hi != mid+1 || len(f.x.ticks(5, false)) == 0 {
			t.Errorf("%v: from %v to %v", x, f.x.lo, f.x.hi)
		}
		writeBytes(t, "svg", l, Style{})
	}
}

func TestClip(t *testing.T) {
	r := rect{0, 0, 10, 10}
	for _, test := range []struct {
		line []point
		want [][]point
	}{
		{[]point{{1, 1}, {9, 9}}, [][]point{{{1, 1}, {9, 9}}}},
		{[]point{{-5, 5}, {15, 5}}, [][]point{{{0, 5}, {10, 5}}}},
		{[]point{{-5, 5}, {5, 5}}, [][]point{{{0, 5}, {5, 5}}}},
		{[]point{{1, 1}}, nil},
		{[]point{{5, -10}, {5, 30}}, [][]point{{{5, 0}, {5, 10}}}},
		{[]point{{2, 2}, {2, 20}, {8, 20}, {8, 2}}, [][]point{{{2, 2}, {2, 10}}, {{8, 10}, {8, 2}}}},
		{[]point{{-1, -1}, {-5, 20}}, nil},
		{[]point{{-10, 0}, {10, 20}}, [][]point{{{0, 10}, {0, 10}}}}, // the corner
		{[]point{{0, -1e-14}, {5, 1e-15}, {10, -2e-14}}, [][]point{{{0, 0}, {5, 1e-15}, {10, 0}}}},
	} {
		if diff := cmp.Diff(test.want, clip(test.line, r), cmp.AllowUnexported(point{})); diff != "" {
			t.Errorf("%v: %s", test.line, diff)
		}
	}
	bent := clamp([]point{{0, 5}, {10, 25}, {20, -15}}, r)
	want := []point{{0, 5}, {2.5, 10}, {10, 10}, {13.75, 10}, {16.25, 0}, {20, 0}}
	if !slices.Equal(bent, want) {
		t.Errorf("bent %v, want %v", bent, want)
	}
}

// Thinning keeps the first, the last and the extremes of every column.
func TestThin(t *testing.T) {
	var pts []point
	for i := range 100000 {
		pts = append(pts, point{float64(i) / 1000, math.Mod(float64(i)*7919, 1000)})
	}
	kept := thin(pts, 1)
	if len(kept) > 4*101 || kept[0] != pts[0] || kept[len(kept)-1] != pts[len(pts)-1] {
		t.Fatalf("%d kept, %v to %v", len(kept), kept[0], kept[len(kept)-1])
	}
	extremes := func(pts []point) map[int][2]float64 {
		m := map[int][2]float64{}
		for _, p := range pts {
			c := int(p.x)
			e, ok := m[c]
			if !ok {
				e = [2]float64{p.y, p.y}
			}
			m[c] = [2]float64{min(e[0], p.y), max(e[1], p.y)}
		}
		return m
	}
	if diff := cmp.Diff(extremes(pts), extremes(kept)); diff != "" {
		t.Error(diff)
	}
	back := slices.Clone(pts)
	slices.Reverse(back)
	if got := thin(back, 1); len(got) != len(back) {
		t.Errorf("%d of a line that runs back", len(got))
	}
}

func TestShorten(t *testing.T) {
	at := func(n int) func(string) bool { return func(s string) bool { return textWidth(s) <= n } }
	for _, test := range []struct {
		s    string
		n    int
		want string
	}{
		{"short", 5, "short"}, {"a longer name", 9, "a lo…name"}, {"a longer name", 8, "a lo…ame"},
		{"abcdef", 4, "ab…f"}, {"abcdef", 3, ""}, {"", 0, ""}, {"位置位置位置", 8, "位置…置"},
	} {
		if got := shorten(test.s, at(test.n)); got != test.want {
			t.Errorf("%q to %d: %q, want %q", test.s, test.n, got, test.want)
		}
	}
}

func TestApart(t *testing.T) {
	for _, test := range []struct{ names, want []string }{
		{[]string{"runs/step 10/model.pt", "runs/step 20/model.pt"}, []string{"…10…", "…20…"}},
		{[]string{"head 1", "head 12"}, []string{"…1", "…12"}},
		{[]string{"decay", "null"}, []string{"decay", "null"}},
		{[]string{"a b", "a b c"}, []string{"…b", "…b c"}},
		{[]string{"a ", "a b"}, []string{"a ", "a b"}}, // one would have nothing left
		{[]string{"one"}, []string{"one"}},
	} {
		if got := apart(test.names); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.names, got, test.want)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		" a\tb\nc ": "a b c", "\x1b[31m": "[31m", "a\xffb": "a\ufffdb", "x\u200by\ufffe": "xy\ufffd", "位": "位",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Series of one name share their colour across charts; two of one name in one
// chart do not.
func TestSeriesColors(t *testing.T) {
	a := &Lines{Series: []Series{{Name: "x"}, {Name: "y"}, {Name: "x"}}}
	b := &Lines{Series: []Series{{Name: "y"}, {Name: "x"}}}
	p, err := newPage("svg", a, Style{})
	if err != nil {
		t.Fatal(err)
	}
	k := newLegend(p, []*Lines{a, b})
	ca, cb := k.of(a), k.of(b)
	if ca[0] != cb[1] || ca[1] != cb[0] || ca[0] == ca[2] || ca[0] == ca[1] {
		t.Errorf("%v and %v", ca, cb)
	}
}

// A step holds half way to its neighbours, and as far out at the ends.
func TestSteps(t *testing.T) {
	s := Series{X: []float64{0, 2, 3, math.NaN(), 9}, Y: []float64{1, 2, 3, 4, 5}, Steps: true}
	for i, want := range [][2]float64{{-1, 1}, {1, 2.5}, {2.5, 3.5}, {}, {8.5, 9.5}} {
		if i == 3 {
			continue
		}
		if left, right := s.reach(i); left != want[0] || right != want[1] {
			t.Errorf("step %d from %g to %g, want %v", i, left, right, want)
		}
	}
	f := frameOf(&Lines{Series: []Series{s}})
	if lo, hi := -1-0.02*10.5, 9.5+0.02*10.5; f.x.lo != lo || math.Abs(f.x.hi-hi) > 1e-12 || !f.whole {
		t.Errorf("x from %g to %g, whole %t; want %g to %g", f.x.lo, f.x.hi, f.whole, lo, hi)
	}
}
