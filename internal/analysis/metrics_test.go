package analysis_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// metricsOf takes all metrics of a table, by name.
func metricsOf(t *testing.T, a *posemb.Absolute, opt analysis.MetricOptions) map[string]analysis.MeasuredMetric {
	t.Helper()
	set, err := analysis.MetricsOf(t.Context(), a, opt)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]analysis.MeasuredMetric{}
	for _, m := range set.Metrics {
		by[m.Name] = m
		if m.Value.Defined() == (m.Reason != "") {
			t.Errorf("%s is %v with the reason %q", m.Name, m.Value, m.Reason)
		}
		for kind, null := range map[string]*analysis.NullModel{"shuffled": m.Shuffled, "gaussian": m.Gaussian} {
			if null != nil && !null.P.Defined() && null.Reason == "" {
				t.Errorf("%s: no p under %s and no reason", m.Name, kind)
			}
		}
	}
	return by
}

// The cosine of a sinusoid depends on the distance alone, and its principal
// components are those of the shared definitions (numpy, three shapes).
func TestMetricsOfSinusoid(t *testing.T) {
	for _, c := range []struct {
		n, d       int
		components [3]float64
		pr, rank   float64 // to the digits that are printed there
	}{
		{512, 768, [3]float64{90, 111, 133}, 24.121, 59.09},
		{1024, 768, [3]float64{137, 164, 190}, 30.594, 0},
		{128, 64, [3]float64{16, 18, 20}, 12.579, 0},
	} {
		a, err := posemb.Sinusoid(posemb.SinusoidOptions{N: c.n, D: c.d})
		if err != nil {
			t.Fatal(err)
		}
		m := metricsOf(t, a, analysis.MetricOptions{Only: []string{ // but for isotropy, whose eigenvectors take most of the time
			"toeplitz_r2_cosine_all", "symmetry", "components_for_90", "norm_min",
			"toeplitz_r2_cosine_offdiagonal", "symmetry_nonnegative", "symmetry_softmax", "toeplitz_norm_share",
			"components_for_95", "components_for_99", "participation_ratio", "entropy_rank", "norm_mean", "norm_max",
		}})
		for _, name := range []string{"toeplitz_r2_cosine_all", "toeplitz_r2_cosine_offdiagonal", "symmetry", "symmetry_nonnegative", "symmetry_softmax", "toeplitz_norm_share"} {
			if v := float64(m[name].Value); !(math.Abs(v-1) <= 1e-12) {
				t.Errorf("%d x %d: %s is %v, want 1", c.n, c.d, name, v)
			}
		}
		for i, share := range []int{90, 95, 99} {
			if v := float64(m[fmt.Sprintf("components_for_%d", share)].Value); v != c.components[i] {
				t.Errorf("%d x %d: %v components for %d %%, want %v", c.n, c.d, v, share, c.components[i])
			}
		}
		if v := float64(m["participation_ratio"].Value); !(math.Abs(v-c.pr) <= 6e-4) {
			t.Errorf("%d x %d: participation ratio %v, want %v", c.n, c.d, v, c.pr)
		}
		if v := float64(m["entropy_rank"].Value); c.rank > 0 && !(math.Abs(v-c.rank) <= 5e-3) {
			t.Errorf("%d x %d: entropy rank %v, want %v", c.n, c.d, v, c.rank)
		}
		// |p|^2 = d/2 for every position.
		for _, name := range []string{"norm_min", "norm_mean", "norm_max"} {
			if v := float64(m[name].Value); !(math.Abs(v-math.Sqrt(float64(c.d)/2)) <= 1e-12*v) {
				t.Errorf("%d x %d: %s is %v", c.n, c.d, name, v)
			}
		}
	}
}

// A table whose matrix can be written down: rows e1, e2, e1, e2, ... have cosine 1 at
// even distances and 0 at odd ones.
func TestMetricsOfAlternation(t *testing.T) {
	const n = 40
	table := mat.NewDense(n, 2, nil)
	for i := range n {
		table.Set(i, i%2, 1)
	}
	m := metricsOf(t, &posemb.Absolute{Table: table, Stride: 1}, analysis.MetricOptions{})
	for name, want := range map[string]float64{
		"decay_1": 0, "decay_2": 1, "decay_5": 0, "decay_std_1": 0, "decay_std_2": 0,
		"decay_centered_1": -1, "decay_centered_2": 1, // the mean row is (1/2, 1/2)
		"mean_cosine_offdiagonal": 2 * 2 * 190. / (40 * 39), // 2 x 20 x 19 / 2 pairs of 780
		"toeplitz_r2_cosine_all":  1, "toeplitz_norm_share": 1, "translation_error": 0,
		"first_k_le_0": 1, "first_local_minimum": 1,
		"components_for_90": 1, "participation_ratio": 1, "entropy_rank": 1, "stable_rank": 2,
		"mean_vector_energy_share": 0.5, "top_component_share": 1,
		"dominant_period": 2, "nearest_neighbour_is_adjacent": 0,
		"norm_mean": 1, "norm_slope": 0,
	} {
		if v := float64(m[name].Value); !(math.Abs(v-want) <= 1e-12) {
			t.Errorf("%s is %v (%s), want %v", name, v, m[name].Reason, want)
		}
	}
	// Of (i, m): S[i, i+m] > S[i, i+m+1] where m is even.
	if v := float64(m["local_monotonicity_forward_M10"].Value); !(v > 0.45 && v < 0.55) {
		t.Errorf("forward monotonicity %v", v)
	}
	// Along e1 and e2, the eigenvectors of P'P = 20 I, any basis will do; along (1, 1)/sqrt 2
	// all rows have the same component. Only the range is certain.
	if v := float64(m["isotropy"].Value); !(v > 0 && v < 1) {
		t.Errorf("isotropy %v", v)
	}
}

// Whatever the table, every metric is a number or says why it is none.
func TestMetricsOfDegenerateTables(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]*mat.Dense{
		"one position":       mat.NewDense(1, 4, []float64{1, 2, 3, 4}),
		"two positions":      mat.NewDense(2, 4, []float64{1, 2, 3, 4, 4, 3, 2, 1}),
		"two equal":          mat.NewDense(2, 2, []float64{1, 2, 1, 2}),
		"one component":      mat.NewDense(12, 1, []float64{1, -2, 3, -4, 5, 6, 7, 8, 9, 10, 11, 12}),
		"constant":           constant(20, 6, 3),
		"constant and odd":   constant(21, 5, 0.1),
		"one row defined":    mat.NewDense(3, 2, []float64{0, 0, 1, 2, nan, 1}),
		"rows apart":         mat.NewDense(5, 2, []float64{1, 2, nan, 1, 0, 0, 2, 2, math.Inf(1), 0}),
		"tiny":               scaled(9, 5, 1e-310),
		"huge":               scaled(9, 5, 1e305),
		"beyond any length":  constant(9, 64, 1e308), // no float64 holds the norm
		"zero in the middle": mat.NewDense(9, 1, []float64{1, 1, 1, 1, 0, 1, 1, 1, 1}),
	} {
		t.Run(name, func(t *testing.T) {
			metricsOf(t, &posemb.Absolute{Table: c, Stride: 1}, analysis.MetricOptions{Draws: 5, Seed: 1})
		})
	}
	zero := &posemb.Absolute{Table: mat.NewDense(4, 3, nil), Stride: 1}
	if _, err := analysis.MetricsOf(t.Context(), zero, analysis.MetricOptions{}); err == nil {
		t.Error("a table of zeros has metrics")
	}
}

// constant is a table of equal values.
func constant(n, d int, v float64) *mat.Dense {
	return scaledBy(n, d, func(int) float64 { return v })
}

// scaled is a table of small whole numbers times a factor.
func scaled(n, d int, factor float64) *mat.Dense {
	return scaledBy(n, d, func(i int) float64 { return float64(i*i%7-3) * factor })
}

func scaledBy(n, d int, value func(int) float64) *mat.Dense {
	m := mat.NewDense(n, d, nil)
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = value(i)
	}
	return m
}

// Tables that are the null itself have a small p as rarely as they should: over 200
// Gaussian tables of 64 x 32 with 199 draws, the share of p <= 0.05 is between 1 % and
// 10 % for every metric and null model.
func TestNullsAreCalibrated(t *testing.T) {
	tables, draws := 200, 199
	if os.Getenv("POSLENS_SLOW") == "" {
		t.Skip("POSLENS_SLOW is not set: make test-slow takes a minute for it")
	}
	small := map[string]int{}
	counted := map[string]int{}
	for seed := range tables {
		a, err := posemb.Random(posemb.RandomOptions{N: 64, D: 32, Seed: ptr(uint32(seed))})
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range metricsOf(t, a, analysis.MetricOptions{Draws: draws, Seed: uint64(seed)}) {
			for kind, null := range map[string]*analysis.NullModel{" shuffled": m.Shuffled, " gaussian": m.Gaussian} {
				if null.P.Defined() {
					counted[name+kind]++
					if null.P <= 0.05 {
						small[name+kind]++
					}
				}
			}
		}
	}
	for key, n := range counted {
		if share := float64(small[key]) / float64(n); n > tables/2 && (share < 0.01 || share > 0.10) {
			t.Errorf("%s: p <= 0.05 in %.3f of %d tables", key, share, n)
		}
	}
}

func ptr[T any](v T) *T { return &v }
