package analysis_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// A factor changes lengths alone, however small or large it is, and however it differs
// from row to row.
func TestMetricsOfAnySize(t *testing.T) {
	plain, err := posemb.Random(posemb.RandomOptions{N: 24, D: 6, Std: ptr(1.0)})
	if err != nil {
		t.Fatal(err)
	}
	want := metricsOf(t, plain, analysis.MetricOptions{})
	for _, e := range []int{-900, -470, 480, 900} {
		scaled := mat.NewDense(24, 6, nil)
		scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, plain.Table)
		got := metricsOf(t, &posemb.Absolute{Table: scaled, Stride: 1}, analysis.MetricOptions{})
		for name, w := range want {
			g := float64(got[name].Value)
			switch name {
			case "isotropy": // has the unit of the table in an exponent
				continue
			case "norm_min", "norm_mean", "norm_max":
				g = math.Ldexp(g, -e)
			}
			if v := float64(w.Value); !(math.Abs(g-v) <= 1e-12*max(1, math.Abs(v))) && !(math.IsNaN(g) && math.IsNaN(v)) {
				t.Errorf("times 2^%d: %s is %v (%s), want %v", e, name, g, got[name].Reason, v)
			}
		}
	}
}
