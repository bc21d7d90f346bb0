package figure

import (
	"math"
	"testing"
)

func TestPower(t *testing.T) {
	for label, want := range map[string][2]string{
		"1e−7": {"10", "−7"}, "1e0": {"10", "0"}, "2.5e12": {"2.5×10", "12"}, "−1e5": {"−10", "5"}, "−3e−5": {"−3×10", "−5"},
	} {
		if base, exponent, ok := power(label); !ok || base != want[0] || exponent != want[1] {
			t.Errorf("%q: %q, %q, %t", label, base, exponent, ok)
		}
	}
	for _, label := range []string{"", "e", "1e", "e5", "0.01", "12", "1e5 steps", "the end", "step 1e5", "1e5e5"} {
		if base, _, ok := power(label); ok || base != label {
			t.Errorf("%q is taken for a power", label)
		}
	}
}

// Powers of ten on an axis are 10 and a smaller, raised exponent that begins where it
// ends; a few decades near 1 are decimals, and a terminal has no raised digits.
func TestPowersOnAxis(t *testing.T) {
	for _, format := range Formats() {
		_, w := watch(t, format, powerLaw(), Style{})
		raised := 0
		for i, ten := range w.words {
			if ten.s != "10" || i+1 == len(w.words) {
				continue
			}
			e := w.words[i+1]
			if e.size != raisedSize*ten.size {
				continue // of the x axis
			}
			raised++
			if end := ten.start().x + ten.width; end > e.start().x+1e-9 || e.start().x-end > 0.15*ten.size {
				t.Errorf("%s: 10 ends at %g, %s begins at %g", format, end, e.s, e.start().x)
			}
			if up := ten.at.y - e.at.y; math.Abs(up-raisedBy*ten.size) > 72.0/150 {
				t.Errorf("%s: %s stands %g em above 10", format, e.s, up/ten.size)
			}
		}
		if raised < 4 {
			t.Errorf("%s: %d powers of ten", format, raised)
		}
	}
	few := &Lines{YLog: true, Series: []Series{{X: []float64{0, 1, 2}, Y: []float64{0.01, 1, 100}}}}
	_, w := watch(t, "svg", few, Style{})
	found := false
	for _, word := range w.words {
		found = found || word.s == "0.01"
	}
	if !found {
		t.Error("0.01 is not written as it is")
	}
}
