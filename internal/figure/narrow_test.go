package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNarrow(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		lo, hi, least, most float64
		from, to            float64
		narrowed            bool
	}{
		{-1, 1, 0.64, 1, 0.6, 1, true},
		{-1, 1, 0.66, 1, 0.65, 1, true},
		{-1, 1, 0.4, 1, 0.4, 1, true},
		{-1, 1, 1e-9, 1, 0, 1, true}, // just less than half of the whole
		{-1, 1, 0, 1, -1, 1, false},  // half of it
		{-1, 1, -1e-9, 1, -1, 1, false},
		{-1, 1, -0.62, 0.38, -1, 1, false},
		{-1, 1, -0.61, 0.38, -0.8, 0.4, true},
		{-1, 1, 0.7, 1 - 1e-16, 0.7, 1, true},
		{-1, 1, 0.7 - 1e-15, 1, 0.7, 1, true}, // an end is not moved for rounding
		{-1, 1, -0.3, -1e-3, -0.3, 0, true},
		{-1, 1, -1, -0.93, -1, -0.93, true},
		{-1, 1, 0.99981, 1, 0.9998, 1, true},
		{-1, 1, -4.547473508864641e-13, 0.00140380859375, 0, 0.0016, true}, // rounding is of every step alike
		{-1, 1, 0.99995, 1, -1, 1, false},                                  // alike, but for rounding
		{-1, 1, 1, 1, -1, 1, false},
		{-1, 1, nan, nan, -1, 1, false},
		{-1, 1, math.Inf(1), math.Inf(-1), -1, 1, false},
		{0, 1, 0.56, 1, 0.5, 1, true},
		{0, 1, 0.5, 1, 0, 1, false},
	} {
		from, to, narrowed := Narrow(c.lo, c.hi, c.least, c.most)
		if from != c.from || to != c.to || narrowed != c.narrowed || math.Signbit(to) && to == 0 {
			t.Errorf("%v to %v of %v to %v: %v to %v, %v; want %v to %v, %v", c.least, c.most, c.lo, c.hi, from, to, narrowed, c.from, c.to, c.narrowed)
		}
	}
}

// A narrowed scale holds its values, stays within the whole, wastes less than half of
// itself, and ends at ticks of its bar.
func TestNarrowHoldsItsValues(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		least := rapid.Float64Range(-1, 0.9998).Draw(rt, "least")
		most := rapid.Float64Range(least+1.1e-4, min(1, least+0.999)).Draw(rt, "most")
		from, to, narrowed := Narrow(-1, 1, least, most)
		if !narrowed || from > least+1e-9 || to < most-1e-9 || from < -1 || to > 1 || to-from > 2*(most-least) {
			rt.Fatalf("%v to %v: %v to %v, %v", least, most, from, to, narrowed)
		}
		ticks := span{from, to, true}.ticks(barTicks, false)
		if first, last := ticks[0].at, ticks[len(ticks)-1].at; math.Abs(first-from) > 1e-9 || math.Abs(last-to) > 1e-9 {
			rt.Errorf("%v to %v: ticks from %v to %v of a scale from %v to %v", least, most, first, last, from, to)
		}
	})
}

// Of a map whose values are known by a sample, the bar says which ends those drawn lie
// beyond; the scale does not move.
func TestSampledRange(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0.6, 0.9, "0.6 [" + ramp + "] 0.9"}, {0.5, 0.9, "≤0.6 [" + ramp + "] 0.9"}, {0.5, 0.95, "≤0.6 [" + ramp + "] ≥0.9"}} {
		asked := 0
		h := &Heatmap{Rows: 900, Cols: 900, Min: 0.6, Max: 0.9, Range: &Range{Least: 0.6, Most: 0.9, Sampled: true},
			Blocks: func(rows, cols []int) []float64 {
				asked++
				all := make([]float64, (len(rows)-1)*(len(cols)-1))
				for i := range all {
					all[i] = 0.7
				}
				all[0], all[len(all)-1] = c.low, c.high
				return all
			}}
		var b bytes.Buffer
		if err := WriteTerminal(&b, h, Terminal{Width: 80, Color: "none"}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), c.want+"\n") || asked != 1 {
			t.Errorf("%d times asked, want once; want %s:\n%s", asked, c.want, b.String())
		}
		for _, format := range Formats() {
			p, err := newPage(format, h, Style{})
			if err != nil {
				t.Fatal(err)
			}
			k := scaleOf("", p.shown(), h)
			k.drawn(h.grid(k).view(100, 100).values)
			if low, high := k.clamped(); low != (c.low < 0.6) || high != (c.high > 0.9) || k.lo != 0.6 || k.hi != 0.9 {
				t.Errorf("%s: %v, %v of a scale from %v to %v", format, low, high, k.lo, k.hi)
			}
		}
	}
}

// The ends of a scale are told apart however near they are.
func TestNearEndsAreTold(t *testing.T) {
	h := &Heatmap{Rows: 1, Cols: 2, Min: 0.99988, Max: 1, ColorLabel: "cosine", At: func(_, c int) float64 { return 0.99989 + 1e-4*float64(c) }}
	var b bytes.Buffer
	if err := WriteTerminal(&b, h, Terminal{Width: 80, Color: "none"}); err != nil {
		t.Fatal(err)
	}
	if want := "cosine  0.99988 [" + ramp + "] 1\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("want %q:\n%s", want, b.String())
	}
	if alt := h.alt(); !strings.Contains(alt, "the colours span 0.99988 to 1;") {
		t.Error(alt)
	}
}

// The map beside tiles ends where they end, where cells of the map are large enough for
// that, in every format.
func TestTilesAndMapAreLevel(t *testing.T) {
	for _, format := range Formats() {
		for _, n := range []int{7, 14, 24} {
			c := sampleTiles(n, n, 1, 1)
			c.Beside = sampleMap(2*n-1, 2*n-1)
			_, w := watch(t, format, c, Style{})
			tiles, beside := w.cellR[0], w.cellR[1]
			if tiles.y0 != beside.y0 || math.Abs(tiles.y1-beside.y1) > 1e-9 || math.Abs(beside.w()-beside.h()) > 1e-9 {
				t.Errorf("%s: %d x %d tiles at %v, the map at %v", format, n, n, tiles, beside)
			}
		}
	}
}
