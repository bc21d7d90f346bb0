package posemb

import (
	"math"
	"slices"
	"testing"
)

// The implied similarity is the cosine of the sinusoid's rows: by its printed
// values, by the rows themselves, and by turning a query and a key.
func TestRotary(t *testing.T) {
	distances := []int{1, 2, 5, 10, 20, 40, 100}
	for d, printed := range map[int][]float64{
		64:  {.966151, .884496, .734499, .657863, .589973, .481171, .558583},
		512: {.973055, .905209, .740612, .678866, .615523, .535262, .437306},
		768: {.973360, .906143, .741047, .680028, .616029, .536552, .436889},
	} {
		b, err := Rotary(RotaryOptions{D: d})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.Axes, []Axis{{"offset", -128, 128, BeyondEndless}}) || !slices.Equal(b.Heads, []string{"0"}) || b.Scores.At(128, 0) != 1 {
			t.Errorf("d %d: axes %v, heads %v, %v at offset 0", d, b.Axes, b.Heads, b.Scores.At(128, 0))
		}
		for j, k := range distances {
			back, ahead := b.Scores.At(128-k, 0), b.Scores.At(128+k, 0)
			if back != ahead || math.Abs(ahead-printed[j]) > 5e-7 {
				t.Errorf("d %d, distance %d: %.7f back, %.7f ahead, printed %.6f", d, k, back, ahead, printed[j])
			}
		}
		for k := range 129 {
			if want := turned(d, 31, 31+k, 10000); math.Abs(b.Scores.At(128+k, 0)-want) > 1e-12 {
				t.Errorf("d %d, offset %d: %v, turned %v", d, k, b.Scores.At(128+k, 0), want)
			}
		}
	}
	a, err := Sinusoid(SinusoidOptions{N: 150, D: 16, Base: 500})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Rotary(RotaryOptions{D: 16, Base: 500, Reach: 100})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 101 {
		if got, want := b.Scores.At(100-k, 0), rowCosine(a.Table, 40, k); math.Abs(got-want) > 1e-12 {
			t.Errorf("base 500, distance %d: %v, of the sinusoid's rows %v", k, got, want)
		}
	}
}

// turned is the cosine of a query at position p and an equal key at position q
// after each pair (1, 0) is turned by its angle.
func turned(d, p, q int, base float64) float64 {
	dot := 0.0
	for i := range d / 2 {
		w := math.Pow(base, -float64(2*i)/float64(d))
		sp, cp := math.Sincos(float64(p) * w)
		sq, cq := math.Sincos(float64(q) * w)
		dot += sp*sq + cp*cq
	}
	return dot / float64(d/2)
}
