package tensor

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestNonFinite compares with package math, wherever the odd values are and
// however many.
func TestNonFinite(t *testing.T) {
	odd := rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 5e-324, math.Copysign(0, -1)})
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.OneOf(rapid.Float64(), odd)).Draw(t, "data")
		want := 0
		for _, v := range data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				want++
			}
		}
		if got := NonFinite(data); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
	long := make([]float64, shareFrom+5)
	for _, i := range []int{0, 3, 4, shareFrom / 2, shareFrom, shareFrom + 4} {
		long[i] = math.NaN()
	}
	if got := NonFinite(long); got != 6 {
		t.Errorf("of many: %d, want 6", got)
	}
}
