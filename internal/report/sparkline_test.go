package report

import (
	"math"
	"testing"
)

func TestSparkline(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{nil, ""},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, "▁▂▃▄▅▆▇█"},
		{[]float64{1, nan, 0}, "█ ▁"},
		{[]float64{3, 3, nan, 3}, "▄▄ ▄"},
		{[]float64{nan, nan}, "  "},
		{[]float64{-inf, 0, 1, inf}, "▁▁██"},
		{[]float64{inf, -inf}, "█▁"},
		{[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, "▁▅█"},
		{[]float64{0, 5e-324, 1e-323}, "▁▁█"},
	} {
		if got := Sparkline(c.values); got != c.want {
			t.Errorf("Sparkline(%v) = %q, want %q", c.values, got, c.want)
		}
	}
}
