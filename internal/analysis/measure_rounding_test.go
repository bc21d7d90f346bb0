package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// Cosines that only rounding separates have no order: those of rows along one
// direction are all 1, whatever their norms and whatever their last digits are.
func TestOrderOfEqualCosines(t *testing.T) {
	direction := gaussian(1, 16, 4).RawRowView(0)
	for name, norm := range map[string]func(i int) float64{
		"equal rows": func(int) float64 { return 0.3 },
		"a ramp":     func(i int) float64 { return float64(i + 1) },
	} {
		m := mat.NewDense(40, 16, nil)
		for i := range 40 {
			for j, x := range direction {
				m.Set(i, j, x*norm(i))
			}
		}
		res, err := MetricsOf(t.Context(), absolute(m), MetricOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]MeasuredMetric{}
		for _, v := range res.Metrics {
			got[v.Name] = v
		}
		for _, metric := range []string{"local_monotonicity_forward_M10", "local_monotonicity_backward_M10"} {
			if v := got[metric].Value; v != 0 {
				t.Errorf("%s: %s is %v, want 0: no cosine is above another", name, metric, v)
			}
		}
		if tau := got["kendall_tau"]; tau.Value.Defined() || tau.Reason != "c(k) is the same at all distances" {
			t.Errorf("%s: kendall_tau %+v, want undefined", name, tau)
		}
	}
}

// Only values beside each other are tied, and NaN is passed over.
func TestKendallTies(t *testing.T) {
	e := cosineRounding / 2
	for _, c := range []struct {
		y    []float64
		want float64 // of tau-b by hand
	}{
		{[]float64{1, 1 - e, 1 - e/2}, math.NaN()},
		{[]float64{1, 0.5, 0.5 + e}, -2 / math.Sqrt(3*2)},
		{[]float64{0.5 + e, math.NaN(), 1, 0.5}, 0},
		{[]float64{3, 2, 1}, -1},
	} {
		tau, ok := kendall(c.y)
		if ok == math.IsNaN(c.want) || ok && !(math.Abs(tau-c.want) <= 1e-12) {
			t.Errorf("kendall(%v) = %v %v, want %v", c.y, tau, ok, c.want)
		}
	}
}

// Draws beyond the square root of float64's range have a deviation.
func TestNullOfExtremeFigures(t *testing.T) {
	for _, unit := range []float64{1, 1e300, 1e-300} {
		draws := []*figures{newFigures(), newFigures(), newFigures()}
		for i, x := range []float64{1, 2, 3} {
			draws[i].set("sum_back", x*unit)
		}
		n := against(5*unit, Metric{Name: "sum_back"}, draws, rand.New(rand.NewPCG(1, 2)))
		for name, v := range map[string][2]float64{
			"mean": {float64(n.Mean) / unit, 2}, "std": {float64(n.Std) / unit, 1}, "z": {float64(n.Z), 3}, "p": {float64(n.P), 0.25},
		} {
			near(t, name, v[0], v[1], 1e-12)
		}
	}
}

// A list that a spectrum lacks has its reason beside it.
func TestSpectrumListsHaveReasons(t *testing.T) {
	for name, c := range map[string]struct {
		m    *mat.Dense
		want []string
	}{
		"equal rows":     {mat.NewDense(20, 1, nil), []string{"variance", "share", "cumulative_share", "components", "power"}},
		"two rows":       {gaussian(2, 4, 1), []string{"power"}},
		"enough of them": {gaussian(20, 4, 1), nil},
	} {
		if name == "equal rows" {
			for i := range 20 {
				c.m.Set(i, 0, 0.3)
			}
		}
		r, err := Spectrum(t.Context(), absolute(c.m), SpectrumOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []string{"variance", "share", "cumulative_share", "components", "power"} {
			if got, want := r.Reasons[list] != "", slices.Contains(c.want, list); got != want {
				t.Errorf("%s: %s has the reason %q", name, list, r.Reasons[list])
			}
		}
	}
}

// Correlations of heads that are undefined have a reason, and only then.
func TestHeadCorrelationsHaveReasons(t *testing.T) {
	for _, masked := range []bool{false, true} {
		m := gaussian(5, 2, 3)
		if masked {
			m.SetCol(1, []float64{math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)})
		}
		b := &posemb.Bias{Scores: m, Axes: []posemb.Axis{{Name: "offset", Min: -2, Max: 2}}}
		a, err := AlignHeads(t.Context(), []*posemb.Bias{b})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Reasons["correlation"] != ""; got != masked || math.IsNaN(a.Correlation[0][1]) != masked {
			t.Errorf("masked %v: correlations %v, reasons %v", masked, a.Correlation, a.Reasons)
		}
	}
}
