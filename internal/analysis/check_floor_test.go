package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"poslens/internal/posemb"
)

// The floor is the level of the distribution that it is documented to be: in 3
// components a cosine is uniform, so that P(|c| > x) is 1 - x; in 2 it is
// (2/pi) arccos x. And random tables pass it as rarely as said.
func TestCosineFloor(t *testing.T) {
	for _, n := range []int{2, 10, 500} {
		p := 0.01 / (float64(n) * float64(n-1) / 2)
		near(t, "floor in 3 components", cosineFloor(n, 3), 1-p, 1e-12)
		near(t, "floor in 2 components", cosineFloor(n, 2), math.Cos(math.Pi/2*p), 1e-12)
	}
	if cosineFloor(5, 1) != 1 || cosineFloor(1, 5) != 1 {
		t.Error("a floor where there is no direction or no pair")
	}
	passed := 0
	for seed := range uint64(400) {
		r, err := newRows(t.Context(), absolute(gaussian(60, 24, seed)), SimilarityOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f := &floorRows{rows: r}
		if err := f.measure(t.Context(), &checking{t: absolute(gaussian(60, 24, seed)), res: &CheckResult{Kind: posemb.KindAbsolute}}); err != nil {
			t.Fatal(err)
		}
		if slices.Max(f.largest) > cosineFloor(60, 24) {
			passed++
		}
	}
	if passed == 0 || passed > 12 { // 4 expected
		t.Errorf("%d of 400 random tables pass the floor, and 1 of 100 should", passed)
	}
}

// The largest cosine of each row is that of the matrix.
func TestFloorRows(t *testing.T) {
	m := gaussian(230, 20, 5)
	m.SetRow(100, make([]float64, 20))
	r, err := newRows(t.Context(), absolute(m), SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := &floorRows{rows: r}
	if err := f.measure(t.Context(), &checking{t: absolute(m), res: &CheckResult{}}); err != nil {
		t.Fatal(err)
	}
	for i := range 230 {
		want := 0.0
		for j := range 230 {
			if i != j && i != 100 && j != 100 {
				want = max(want, math.Abs(r.cosine(i, j)))
			}
		}
		near(t, fmt.Sprint("largest cosine of row ", i), f.largest[i], want, 1e-12)
	}
}

// Numbers that a finding compares are not written alike.
func TestDigitsApart(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{{0.5, 0.6, 2}, {0.604, 0.644, 2}, {0.636, 0.637, 3}, {0.64, 0.64001, 5}, {0.5, 0.5, 6}} {
		if got := digitsApart(c.a, c.b); got != c.want {
			t.Errorf("%g and %g: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
