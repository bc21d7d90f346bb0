package analysis_test

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// spectrumOf is the spectrum of a bare table.
func spectrumOf(t *testing.T, table *mat.Dense, opt analysis.SpectrumOptions) *analysis.SpectrumResult {
	t.Helper()
	r, err := analysis.Spectrum(t.Context(), &posemb.Absolute{Table: table, Stride: 1}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// figuresOf are the figures of a spectrum by their names.
func figuresOf(r *analysis.SpectrumResult) map[string]analysis.Value {
	return map[string]analysis.Value{
		"top_component_share": r.TopComponentShare, "components_for_90": r.ComponentsFor90, "components_for_95": r.ComponentsFor95,
		"components_for_99": r.ComponentsFor99, "participation_ratio": r.ParticipationRatio, "entropy_rank": r.EntropyRank,
		"stable_rank": r.StableRank, "dominant_period": r.DominantPeriod, "spectral_flatness": r.SpectralFlatness, "spectral_top5_share": r.SpectralTop5Share,
	}
}

// The principal components of the sinusoid are those of the shared definitions.
func TestSpectrumOfSinusoid(t *testing.T) {
	for _, c := range []struct {
		n, d       int
		components [3]float64
		pr, top3   float64
	}{
		{512, 768, [3]float64{90, 111, 133}, 24.121, 0.28987},
		{128, 64, [3]float64{16, 18, 20}, 12.579, 0},
	} {
		a, err := posemb.Sinusoid(posemb.SinusoidOptions{N: c.n, D: c.d})
		if err != nil {
			t.Fatal(err)
		}
		r, err := analysis.Spectrum(t.Context(), a, analysis.SpectrumOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := [3]float64{float64(r.ComponentsFor90), float64(r.ComponentsFor95), float64(r.ComponentsFor99)}
		if got != c.components {
			t.Errorf("%d x %d: %v components, want %v", c.n, c.d, got, c.components)
		}
		if v := float64(r.ParticipationRatio); !(math.Abs(v-c.pr) <= 6e-4) {
			t.Errorf("%d x %d: participation ratio %v, want %v", c.n, c.d, v, c.pr)
		}
		if v := r.CumulativeShare[2]; c.top3 > 0 && !(math.Abs(v-c.top3) <= 6e-6) {
			t.Errorf("%d x %d: three components hold %v, want %v", c.n, c.d, v, c.top3)
		}
		// Every component is a sine or a cosine, so the variance is d/2 less that of the mean row.
		sum := 0.0
		for _, v := range r.Variance {
			sum += v
		}
		mean := 0.0
		for j := range c.d {
			m := 0.0
			for i := range c.n {
				m += a.Table.At(i, j) / float64(c.n)
			}
			mean += m * m
		}
		if want := float64(c.d)/2 - mean; !(math.Abs(sum-want) <= 1e-9*want) {
			t.Errorf("%d x %d: variance %v, want %v", c.n, c.d, sum, want)
		}
	}
}

// Its figures are the metrics' to the last bit.
func TestSpectrumHasTheMetrics(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct{ n, d int }{{64, 32}, {30, 70}, {300, 280}} {
		table := scaledBy(c.n, c.d, func(int) float64 { return random.NormFloat64() })
		metrics := metricsOf(t, &posemb.Absolute{Table: table, Stride: 3}, analysis.MetricOptions{})
		r, err := analysis.Spectrum(t.Context(), &posemb.Absolute{Table: table, Stride: 3}, analysis.SpectrumOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range figuresOf(r) {
			if want := metrics[name].Value; got != want {
				t.Errorf("%d x %d: %s is %v, and as a metric %v", c.n, c.d, name, got, want)
			}
		}
	}
}

// The scores are left singular vectors times singular values of the centred table,
// taken here by gonum's SVD of the table itself; their largest value is positive.
func TestSpectrumScoresAreSingularVectors(t *testing.T) {
	for _, c := range []struct{ n, d int }{{40, 12}, {12, 40}, {320, 290}} {
		random := rand.New(rand.NewPCG(uint64(c.n), 1))
		table := mat.NewDense(c.n, c.d, nil)
		for i := range c.n {
			for j := range c.d {
				table.Set(i, j, 3+random.NormFloat64()*math.Pow(0.7, float64(j%10)))
			}
		}
		r := spectrumOf(t, table, analysis.SpectrumOptions{Components: 6})
		centred := mat.DenseCopyOf(table)
		for j := range c.d {
			mean := mat.Sum(table.ColView(j)) / float64(c.n)
			for i := range c.n {
				centred.Set(i, j, table.At(i, j)-mean)
			}
		}
		var svd mat.SVD
		if !svd.Factorize(centred, mat.SVDThin) {
			t.Fatal("no SVD")
		}
		var u mat.Dense
		svd.UTo(&u)
		if len(r.Components) != 6 || len(r.Variance) != min(c.n, c.d) {
			t.Fatalf("%d x %d: %d components, %d variances", c.n, c.d, len(r.Components), len(r.Variance))
		}
		for k, comp := range r.Components {
			s := svd.Values(nil)[k]
			if want := s * s / float64(c.n); !(math.Abs(float64(comp.Variance)-want) <= 1e-10*want) || r.Variance[k] != float64(comp.Variance) {
				t.Errorf("%d x %d: variance %d is %v, want %v", c.n, c.d, k, comp.Variance, want)
			}
			most, at := 0.0, 0
			for i, v := range comp.Scores {
				if math.Abs(v) > most {
					most, at = math.Abs(v), i
				}
			}
			if comp.Scores[at] < 0 {
				t.Errorf("%d x %d: the largest score of component %d is %v", c.n, c.d, k, comp.Scores[at])
			}
			sign := math.Copysign(1, u.At(at, k))
			for i, v := range comp.Scores {
				if want := sign * s * u.At(i, k); !(math.Abs(v-want) <= 1e-8*s) {
					t.Fatalf("%d x %d: score %d of component %d is %v, want %v", c.n, c.d, i, k, v, want)
				}
			}
		}
	}
}

// The power spectrum is that of a plain transform of each column, less its line, under
// a Hann window, over the squares of the window.
func TestSpectrumPowerIsItsDefinition(t *testing.T) {
	for _, n := range []int{8, 21, 50} {
		const d = 3
		random := rand.New(rand.NewPCG(8, uint64(n)))
		table := scaledBy(n, d, func(i int) float64 { return 0.3*float64(i) + random.NormFloat64() })
		r := spectrumOf(t, table, analysis.SpectrumOptions{})
		if len(r.Power.Power) != n/2 {
			t.Fatalf("n = %d: %d frequencies", n, len(r.Power.Power))
		}
		total := 0.0
		want := make([]float64, n/2)
		for b := range want {
			for j := range d {
				var x, y, xx, xy float64
				for i := range n {
					x, y = x+float64(i), y+table.At(i, j)
					xx, xy = xx+float64(i)*float64(i), xy+float64(i)*table.At(i, j)
				}
				slope := (float64(n)*xy - x*y) / (float64(n)*xx - x*x)
				var sum complex128
				squares := 0.0
				for i := range n {
					w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n))
					v := table.At(i, j) - (y-slope*x)/float64(n) - slope*float64(i)
					sum += complex(w*v, 0) * cmplx.Exp(complex(0, -2*math.Pi*float64(b+1)*float64(i)/float64(n)))
					squares += w * w
				}
				want[b] += real(sum*cmplx.Conj(sum)) / squares / d
			}
			total += want[b]
		}
		for b, w := range want {
			if v := r.Power.Power[b]; !(math.Abs(v-w) <= 1e-9*total) {
				t.Errorf("n = %d: power %d is %v, want %v", n, b, v, w)
			}
			if v := r.Power.Share[b]; !(math.Abs(v-w/total) <= 1e-9) {
				t.Errorf("n = %d: share %d is %v, want %v", n, b, v, w/total)
			}
			if f, p := r.Power.Frequency[b], r.Power.Period[b]; f != float64(b+1)/float64(n) || !(math.Abs(f*p-1) <= 1e-15) {
				t.Errorf("n = %d: frequency %v, period %v", n, f, p)
			}
		}
	}
}

// A wave of amplitude A in a bin of its own has the power n A^2 / 6 there, a quarter of
// it in the bins beside, and nothing elsewhere; white noise has its variance anywhere.
func TestSpectrumPowerOfKnownTables(t *testing.T) {
	const n, bin, amplitude = 120, 12, 5.0
	table := mat.NewDense(n, 1, nil)
	for i := range n {
		table.Set(i, 0, amplitude*math.Cos(2*math.Pi*bin*(float64(i)-(n-1)/2.)/n)) // even about the middle: no slope
	}
	r := spectrumOf(t, table, analysis.SpectrumOptions{})
	for b, p := range r.Power.Power {
		want := 0.0
		switch b + 1 {
		case bin:
			want = n * amplitude * amplitude / 6
		case bin - 1, bin + 1:
			want = n * amplitude * amplitude / 24
		}
		if !(math.Abs(p-want) <= 1e-10*n) {
			t.Errorf("bin %d: power %v, want %v", b+1, p, want)
		}
	}
	if len(r.Periods) != 1 || !(math.Abs(r.Periods[0].Period-10) <= 1e-9) || !(math.Abs(r.Periods[0].Share-1) <= 1e-9) {
		t.Errorf("periods %+v, want 10 alone", r.Periods)
	}
	random := rand.New(rand.NewPCG(1, 2))
	noise := scaledBy(256, 400, func(int) float64 { return 0.3 * random.NormFloat64() })
	mean := 0.0
	for _, p := range spectrumOf(t, noise, analysis.SpectrumOptions{}).Power.Power {
		mean += p / 128
	}
	if !(math.Abs(mean/0.09-1) <= 0.02) {
		t.Errorf("mean power of white noise %v, want 0.09", mean)
	}
}

// Whatever the table, every figure is a number or says why it is none.
func TestSpectrumOfDegenerateTables(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		table *mat.Dense
		rank  int // components; -1: not told
	}{
		"one position":      {mat.NewDense(1, 4, []float64{1, 2, 3, 4}), 0},
		"two positions":     {mat.NewDense(2, 4, []float64{1, 2, 3, 4, 4, 3, 2, 1}), 1},
		"two equal":         {mat.NewDense(2, 2, []float64{1, 2, 1, 2}), 0},
		"one component":     {mat.NewDense(12, 1, []float64{1, -2, 3, -4, 5, 6, 7, 8, 9, 10, 11, 12}), 1},
		"a line":            {scaledBy(24, 1, func(i int) float64 { return float64(i) }), 1},
		"constant":          {constant(20, 6, 3), 0},
		"constant and odd":  {constant(21, 5, 0.1), 0},
		"zero rows":         {mat.NewDense(9, 2, []float64{0, 0, 1, 2, 0, 0, 3, 1, 0, 0, 5, 5, 0, 0, 1, 1, 2, 2}), 2},
		"alternating":       {scaledBy(40, 1, func(i int) float64 { return float64(i % 2) }), 1},
		"rows apart":        {mat.NewDense(5, 2, []float64{1, 2, nan, 1, 0, 0, 2, 2, math.Inf(1), 0}), -1},
		"tiny":              {scaled(9, 5, 1e-310), -1},
		"huge":              {scaled(9, 5, 1e305), -1},
		"one row":           {mat.NewDense(3, 2, []float64{nan, 0, 1, 2, nan, 1}), 0},
		"tiny beside large": {tinyBeside(20, 1e-80), 1},
		"vanishing":         {tinyBeside(20, 1e-150), 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := spectrumOf(t, c.table, analysis.SpectrumOptions{Components: 3})
			for name, v := range figuresOf(r) {
				if v.Defined() == (r.Reasons[name] != "") {
					t.Errorf("%s is %v with the reason %q", name, v, r.Reasons[name])
				}
			}
			if c.rank >= 0 && len(r.Components) != c.rank {
				t.Errorf("%d components, want %d", len(r.Components), c.rank)
			}
			for _, comp := range r.Components {
				if comp.Period.Defined() == (r.Reasons["period"] != "") || comp.Variance.Defined() == (r.Reasons["variance"] != "") {
					t.Errorf("component %+v with the reasons %q", comp, r.Reasons)
				}
			}
			if len(r.Pairs) > 0 {
				t.Errorf("pairs %+v", r.Pairs)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
	zero := &posemb.Absolute{Table: mat.NewDense(4, 3, nil), Stride: 1}
	if _, err := analysis.Spectrum(t.Context(), zero, analysis.SpectrumOptions{}); err == nil {
		t.Error("a table of zeros has a spectrum")
	}
	if _, err := analysis.Spectrum(t.Context(), &posemb.Absolute{Table: constant(4, 4, 1), Stride: 1}, analysis.SpectrumOptions{Components: -1}); err == nil {
		t.Error("-1 components")
	}
}

// tinyBeside has columns that are nothing beside another's values.
func tinyBeside(n int, tiny float64) *mat.Dense {
	m := mat.NewDense(n, 4, nil)
	for i := range n {
		m.SetRow(i, []float64{1, float64(i % 2), tiny * float64(i*i%7), tiny * float64(i*i*i%11)})
	}
	return m
}

// A table in other units has the same shares, and its scores in these units.
func TestSpectrumIsFreeOfUnits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	plain := scaledBy(40, 6, func(int) float64 { return random.NormFloat64() })
	want := spectrumOf(t, plain, analysis.SpectrumOptions{})
	for _, exponent := range []int{-600, -300, 7, 300, 600} {
		other := mat.NewDense(40, 6, nil)
		for i := range 40 {
			for j := range 6 {
				other.Set(i, j, math.Ldexp(plain.At(i, j), exponent))
			}
		}
		got := spectrumOf(t, other, analysis.SpectrumOptions{})
		if !reflect.DeepEqual(got.Share, want.Share) || !reflect.DeepEqual(got.Power.Share, want.Power.Share) {
			t.Fatalf("2^%d: other shares", exponent)
		}
		for k, c := range got.Components {
			if c.Period != want.Components[k].Period || c.Scores[7] != math.Ldexp(want.Components[k].Scores[7], exponent) {
				t.Errorf("2^%d: component %d is another", exponent, k)
			}
		}
		if beyond := exponent == 600 || exponent == -600; beyond != (got.Reasons["variance"] != "") || beyond != (got.Reasons["power"] != "") || beyond != math.IsNaN(got.Variance[0]) {
			t.Errorf("2^%d: variance %v, reasons %v", exponent, got.Variance[0], got.Reasons)
		}
	}
}

// Nor do other metrics of the rows themselves depend on how large or small they are.
func TestMetricsAreFreeOfUnits(t *testing.T) {
	plain := scaled(40, 6, 1)
	names := []string{"norm_min", "norm_mean", "norm_max", "components_for_90", "participation_ratio", "stable_rank", "dominant_period", "spectral_flatness"}
	want := metricsOf(t, &posemb.Absolute{Table: plain, Stride: 1}, analysis.MetricOptions{})
	for _, exponent := range []int{-600, 600} {
		other := scaled(40, 6, math.Ldexp(1, exponent))
		got := metricsOf(t, &posemb.Absolute{Table: other, Stride: 1}, analysis.MetricOptions{Only: names})
		for _, name := range names {
			v, w := float64(got[name].Value), float64(want[name].Value)
			if name[:4] == "norm" {
				w = math.Ldexp(w, exponent)
			}
			if !(math.Abs(v-w) <= 1e-12*w) {
				t.Errorf("2^%d: %s is %v, want %v", exponent, name, v, w)
			}
		}
	}
}

// Rows that are not finite are named, and take no part.
func TestSpectrumLeavesOutBrokenRows(t *testing.T) {
	table := scaled(30, 4, 1)
	whole := spectrumOf(t, mat.DenseCopyOf(table.Slice(0, 29, 0, 4)), analysis.SpectrumOptions{})
	table.Set(29, 2, math.NaN())
	r := spectrumOf(t, table, analysis.SpectrumOptions{})
	if !reflect.DeepEqual(r.Variance, whole.Variance) {
		t.Errorf("variances %v, want those without the row, %v", r.Variance, whole.Variance)
	}
	if s := r.Components[0].Scores; len(s) != 30 || !math.IsNaN(s[29]) || s[3] != whole.Components[0].Scores[3] {
		t.Errorf("scores %v", s)
	}
	if r.Power != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "row 29") || r.Reasons["dominant_period"] == "" {
		t.Errorf("power %v, warnings %q, reasons %q", r.Power, r.Warnings, r.Reasons)
	}
}

// The same on one processor as on all, to the last bit.
func TestSpectrumAnyWorkers(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	table := scaledBy(300, 300, func(int) float64 { return random.NormFloat64() })
	want := spectrumOf(t, table, analysis.SpectrumOptions{})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := spectrumOf(t, table, analysis.SpectrumOptions{}); !reflect.DeepEqual(got, want) {
		t.Error("another result on one processor")
	}
}

// The scores and variances of whisper's decoder table fit each other, and its figures
// are numpy's (metrics_expected.json).
func TestSpectrumOfRealTable(t *testing.T) {
	const file = "whisper-tiny-en/decoder.positional_embedding.npy"
	dir := realData(t)
	var files map[string]map[string]any
	readJSON(t, filepath.Join(dir, "metrics_expected.json"), &files)
	a := load(t, open(t, dir, file), "", posemb.ReadOptions{}).(*posemb.Absolute)
	r, err := analysis.Spectrum(t.Context(), a, analysis.SpectrumOptions{})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for name, got := range figuresOf(r) {
		if want, ok := files[file][name].(float64); ok {
			compared++
			if !(math.Abs(float64(got)-want) <= 1e-9*math.Abs(want)) {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
	}
	for i, want := range files[file]["pcs_for_90_95_99"].([]any) {
		compared++
		if got := []analysis.Value{r.ComponentsFor90, r.ComponentsFor95, r.ComponentsFor99}[i]; float64(got) != want.(float64) {
			t.Errorf("components: %v, want %v", got, want)
		}
	}
	if compared < 7 {
		t.Errorf("only %d figures were compared", compared)
	}
	for k, c := range r.Components {
		sum := 0.0
		for _, v := range c.Scores {
			sum += v * v / float64(len(c.Scores))
		}
		if !(math.Abs(sum/r.Variance[k]-1) <= 1e-9) {
			t.Errorf("component %d: the scores' variance is %v, and that along it %v", k, sum, r.Variance[k])
		}
	}
	// Seen in its scores by eye too: circles of these periods.
	want := []float64{32.15, 20.38, 10.24, 6.44, 2.163, 4.361}
	if len(r.Pairs) != len(want) {
		t.Fatalf("pairs %+v", r.Pairs)
	}
	for i, p := range r.Pairs {
		if !(math.Abs(p.Period/want[i]-1) <= 0.002) || p.QuadratureError > 6 {
			t.Errorf("pair %+v, want the period %v", p, want[i])
		}
	}
}
