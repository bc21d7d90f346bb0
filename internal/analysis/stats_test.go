package analysis

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Mean, population standard deviation, minimum, quartiles and maximum from numpy
// 1.24 (x.mean(), x.std(), np.quantile).
func TestSpreadIsNumpys(t *testing.T) {
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{3.0}, []float64{3.0, 0.0, 3.0, 3.0, 3.0, 3.0, 3.0}},
		{[]float64{1.0, 2.0}, []float64{1.5, 0.5, 1.0, 1.25, 1.5, 1.75, 2.0}},
		{[]float64{0.1, 0.7, -2.5, 0.001}, []float64{-0.42475000000000007, 1.227634997668281, -2.5, -0.62425, 0.0505, 0.25, 0.7}},
		{[]float64{5.0, 1.0, 4.0, 2.0, 3.0}, []float64{3.0, 1.4142135623730951, 1.0, 2.0, 3.0, 4.0, 5.0}},
		{[]float64{1.789, 0.437, 0.096, -1.863, -0.277, -0.355, -0.083, -0.627, -0.044, -0.477}, []float64{-0.1404, 0.8664058171549865, -1.863, -0.4465, -0.18, 0.061, 1.789}},
	} {
		s := spreadOf(append([]float64(nil), c.x...))
		for i, got := range []float64{s.mean, s.std, s.min, s.q1, s.median, s.q3, s.max} {
			tol := 0.0 // quantiles agree to the bit
			if i < 2 {
				tol = 1e-15
			}
			near(t, []string{"mean", "std", "min", "q1", "median", "q3", "max"}[i], got, c.want[i], tol)
		}
	}
}

func TestSpreadExtremes(t *testing.T) {
	s := spreadOf([]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1})
	if s.mean != 0.1 || s.std != 0 || s.median != 0.1 {
		t.Errorf("equal values have mean %v, std %v, median %v", s.mean, s.std, s.median)
	}
	if m := meanOf([]float64{0.1, 0.1, 0.1}); m != 0.1 {
		t.Errorf("equal values have mean %v", m)
	}
	// Squares of these overflow, and of those underflow.
	s = spreadOf([]float64{1e308, -1e307, 3e307, 5e306})
	near(t, "mean/1e308", s.mean/1e308, 0.3125, 1e-15)
	near(t, "std/1e308", s.std/1e308, 0.42186342576715513, 1e-12)
	s = spreadOf([]float64{0, 2e-300})
	near(t, "std*1e300", s.std*1e300, 1, 1e-15)
	// So does their range, and the sum of these.
	s = spreadOf([]float64{-math.MaxFloat64, math.MaxFloat64, 0, math.MaxFloat64})
	near(t, "mean of the largest", s.mean/math.MaxFloat64, 0.25, 1e-15)
	near(t, "std of the largest", s.std/math.MaxFloat64, math.Sqrt(11)/4, 1e-15)
	near(t, "first quartile of the largest", s.q1/math.MaxFloat64, -0.25, 1e-15)
	near(t, "median of the largest", s.median/math.MaxFloat64, 0.5, 1e-15)
	if s.min != -math.MaxFloat64 || s.max != math.MaxFloat64 {
		t.Errorf("the largest range from %v to %v", s.min, s.max)
	}
	near(t, "mean of large ones", meanOf([]float64{1e308, 1.5e308, 1.7e308, -1.7e308})/1e308, 0.625, 1e-15)
	s = spreadOf([]float64{-1.5e308, -1.7e308, 0})
	near(t, "mean of negative ones", s.mean/1e308, -3.2/3, 1e-15)
	if s = spreadOf(nil); !math.IsNaN(s.mean) || !math.IsNaN(s.std) || !math.IsNaN(meanOf(nil)) {
		t.Errorf("an empty sample is described as %v", s)
	}
}

// Values of the ranks asked for stand where sorting puts them, and the others on
// their sides; also where many are equal, and where they are in order already.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		different := rapid.IntRange(1, n).Draw(t, "different values")
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, different), func(i int) float64 { return float64(i) / 7 }), n, n).Draw(t, "x")
		switch rapid.IntRange(0, 2).Draw(t, "order") {
		case 1:
			slices.Sort(x)
		case 2:
			slices.Sort(x)
			slices.Reverse(x)
		}
		ranks := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 8).Draw(t, "ranks")
		slices.Sort(ranks)
		sorted := slices.Clone(x)
		slices.Sort(sorted)
		arrange(x, 0, ranks)
		for _, k := range ranks {
			if x[k] != sorted[k] {
				t.Fatalf("rank %d holds %v, want %v", k, x[k], sorted[k])
			}
		}
		slices.Sort(x)
		if !slices.Equal(x, sorted) {
			t.Fatal("the values changed")
		}
	})
}

// The quantiles of many values, which are not sorted, are those of sorted ones.
func TestSpreadOfMany(t *testing.T) {
	for _, n := range []int{33, 34, 35, 36, 1000, 1001, 1002, 1003, 4999} {
		x := slices.Clone(gaussian(n, 1, uint64(n)).RawMatrix().Data)
		s := spreadOf(slices.Clone(x))
		slices.Sort(x)
		want := []float64{x[0], quantile(x, 0.25), quantile(x, 0.5), quantile(x, 0.75), x[n-1]}
		if got := []float64{s.min, s.q1, s.median, s.q3, s.max}; !slices.Equal(got, want) {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
}

func BenchmarkSpread(b *testing.B) {
	sample := slices.Clone(gaussian(32768, 1, 1).RawMatrix().Data)
	x := make([]float64, len(sample))
	for b.Loop() {
		copy(x, sample)
		spreadOf(x)
	}
}

func TestQuantileProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 1, 50).Draw(t, "x")
		s := spreadOf(append([]float64(nil), x...))
		if !(s.min <= s.q1 && s.q1 <= s.median && s.median <= s.q3 && s.q3 <= s.max) {
			t.Fatalf("quantiles out of order: %+v", s)
		}
		if s.mean < s.min-1e-9 || s.mean > s.max+1e-9 || s.std > (s.max-s.min)/2+1e-9 {
			t.Fatalf("mean or deviation outside the range: %+v", s)
		}
		near(t, "mean", meanOf(append([]float64(nil), x...)), s.mean, 1e-9)
	})
}
