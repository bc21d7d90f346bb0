package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// biasMetrics takes the metrics of a relative table, by head and name.
func biasMetrics(t testing.TB, b *posemb.Bias, opt MetricOptions) map[string]MeasuredMetric {
	t.Helper()
	set, err := MetricsOfBias(t.Context(), b, opt)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]MeasuredMetric{}
	for _, m := range set.Metrics {
		by[m.Head+" "+m.Name] = m
		if m.Value.Defined() == (m.Reason != "") {
			t.Errorf("head %s: %s is %v with the reason %q", m.Head, m.Name, m.Value, m.Reason)
		}
		for _, null := range []*NullModel{m.Shuffled, m.Gaussian} {
			if null != nil && !null.P.Defined() && null.Reason == "" {
				t.Errorf("head %s: %s has no p and no reason", m.Head, m.Name)
			}
		}
	}
	return by
}

// Over all orders of three scores each offset has a third of the mass, and what the
// order can't change says so.
func TestMetricsOfBias(t *testing.T) {
	const draws = 2000
	m := biasMetrics(t, bias(1, []float64{3, 0, 1}), MetricOptions{Draws: draws, Seed: 1})
	all := math.Exp(3) + 1 + math.E
	near(t, "mass back", float64(m["0 mass_back"].Value), math.Exp(3)/all, 1e-15)
	near(t, "sum ahead", float64(m["0 sum_ahead"].Value), 1, 0)
	null := m["0 mass_back"].Shuffled
	var mean, squares float64
	for _, s := range []float64{3, 0, 1} {
		p := math.Exp(s) / all
		mean, squares = mean+p/3, squares+p*p/3
	}
	std := math.Sqrt(squares - mean*mean)
	near(t, "mean of shuffles", float64(null.Mean), mean, 5*std/math.Sqrt(draws))
	near(t, "deviation of shuffles", float64(null.Std), std, 0.05*std)
	near(t, "z", float64(null.Z), float64(m["0 mass_back"].Value-null.Mean)/float64(null.Std), 1e-12)
	for _, name := range []string{"entropy", "peak_score"} {
		if n := m["0 "+name]; n.Shuffled.Reason != keptByOffsets || !n.Gaussian.P.Defined() {
			t.Errorf("%s: %+v, %+v", name, n.Shuffled, n.Gaussian)
		}
	}
	if m["0 mass_back"].Sinusoid.Reason == "" {
		t.Error("a head has a sinusoid")
	}
}

// buckets is a table of 61 offsets that share 9 entries, coarser with the distance.
func buckets(heads int, random *rand.Rand) *posemb.Bias {
	const reach, side = 30, 4
	scores := mat.NewDense(2*reach+1, heads, nil)
	stored := posemb.Stored{Axis: posemb.WholeTable, Unit: "bucket", Count: 2*side + 1}
	entry := make([][]float64, 2*side+1)
	for k := range entry {
		for range heads {
			entry[k] = append(entry[k], random.NormFloat64())
		}
	}
	for k := -reach; k <= reach; k++ {
		at := min(side, int(math.Ceil(math.Log2(1+math.Abs(float64(k))))))
		if k < 0 {
			at = -at
		}
		stored.At = append(stored.At, side+at)
		scores.SetRow(k+reach, entry[side+at])
	}
	return &posemb.Bias{Axes: []posemb.Axis{{Name: "offset", Min: -reach, Max: reach}}, Scores: scores, Steps: true, Stored: []posemb.Stored{stored}}
}

// The p of random scores is as small as 0.05 in 5 % of the heads, also where many
// offsets share an entry, whether the table says which or not.
func TestBiasNullsAreCalibrated(t *testing.T) {
	const heads = 400
	for _, known := range []bool{true, false} {
		b := buckets(heads, rand.New(rand.NewPCG(5, 6)))
		if !known {
			b.Stored = nil
		}
		small := map[string]int{}
		for _, m := range biasMetrics(t, b, MetricOptions{Draws: 39, Seed: 3}) {
			for kind, null := range map[string]*NullModel{" shuffled": m.Shuffled, " gaussian": m.Gaussian} {
				if null.P.Defined() && null.P <= 0.05 {
					small[m.Name+kind]++
				}
			}
		}
		for _, name := range []string{"mass_back", "mass_here", "mass_ahead", "direction_balance", "sum_back", "sum_ahead", "asymmetry", "locality", "reach_90", "entropy", "peak_offset"} {
			// The Gaussian null knows nine scores' deviation only, so it is rougher.
			for kind, most := range map[string]float64{" shuffled": 0.09, " gaussian": 0.12} {
				if share := float64(small[name+kind]) / heads; share < 0.01 || share > most {
					t.Errorf("entries told: %v, %s%s: p <= 0.05 in %.3f of %d heads", known, name, kind, share, heads)
				}
			}
		}
	}
}

// A mask stays where it is, so that draws attend to nothing there either.
func TestBiasNullsKeepMasks(t *testing.T) {
	scores := []float64{1, math.Inf(-1), 2, math.NaN(), 3, 4}
	shared := [][]int{{0}, {1}, {2}, {3}, {4}, {5}}
	for _, kind := range nullKinds {
		for seed := range uint64(20) {
			x := kind.scores(scores, shared, rand.New(rand.NewPCG(seed, 1)))
			if !math.IsInf(x[1], -1) || !math.IsNaN(x[3]) || !finite(x[0]+x[2]+x[4]+x[5]) {
				t.Fatal(x)
			}
		}
	}
	for seed := range uint64(20) {
		x := shuffledScores(scores, shared, rand.New(rand.NewPCG(seed, 1)))
		near(t, "sum of shuffled scores", x[0]+x[2]+x[4]+x[5], 10, 0)
	}
}

// A figure has the same null model whatever else is asked for.
func TestNullsOfAFigureAlone(t *testing.T) {
	b := bias(3, []float64{1, 1, 2, 3, 2, 1, 0}, []float64{0, 0, 1, 0, 0, 1, 0})
	opt := MetricOptions{Draws: 19, Seed: 9}
	all := biasMetrics(t, b, opt)
	opt.Only = []string{"reach_90", "peak_offset"}
	for key, m := range biasMetrics(t, b, opt) {
		if !reflect.DeepEqual(fmt.Sprint(*m.Shuffled, *m.Gaussian), fmt.Sprint(*all[key].Shuffled, *all[key].Gaussian)) {
			t.Errorf("%s: %+v, with all %+v", key, m.Shuffled, all[key].Shuffled)
		}
	}
	table := absolute(gaussian(20, 6, 3))
	names := []string{"nearest_neighbour_is_adjacent", "first_k_le_0", "components_for_90", "dominant_period"}
	whole, err := MetricsOf(t.Context(), table, MetricOptions{Draws: 19, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		alone, err := MetricsOf(t.Context(), table, MetricOptions{Draws: 19, Seed: 9, Only: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range whole.Metrics {
			if one := alone.Metrics[0]; m.Name == name && fmt.Sprint(*m.Shuffled, *m.Gaussian) != fmt.Sprint(*one.Shuffled, *one.Gaussian) {
				t.Errorf("%s: %+v, with all %+v", name, one.Shuffled, m.Shuffled)
			}
		}
	}
}

// What is 0 but for rounding has no z: the lengths of a sinusoid are all sqrt(d/2), and
// the cosines of rows along one line all 1.
func TestNullsOfRounding(t *testing.T) {
	line := mat.NewDense(30, 3, nil)
	for i := range 30 {
		line.SetRow(i, []float64{0.1 * float64(i+1), 0.7 * float64(i+1), 0.3 * float64(i+1)})
	}
	for name, c := range map[string]struct {
		table  *mat.Dense
		metric []string
	}{
		"sinusoid": {sinusoid(t, 64, 16), []string{"norm_slope"}},
		"line":     {line, []string{"translation_error", "decay_std_1", "decay_5"}},
	} {
		set, err := MetricsOf(t.Context(), absolute(c.table), MetricOptions{Draws: 9, Seed: 1, Only: c.metric})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range set.Metrics {
			if m.Shuffled.Z.Defined() || m.Shuffled.P.Defined() || m.Shuffled.Reason == "" {
				t.Errorf("%s: %s is %v, shuffled %+v", name, m.Name, m.Value, m.Shuffled)
			}
		}
	}
}
