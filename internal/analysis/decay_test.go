package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"poslens/internal/posemb"
)

func decay(t testing.TB, m *mat.Dense, opt DecayOptions) *DecayCurve {
	t.Helper()
	c, err := Decay(context.Background(), absolute(m), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The curve is that of the similarity matrix's diagonals.
func TestDecayIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table, opt := drawTable(rt), drawOptions(rt)
		n, d := table.Dims()
		if opt.Center && n < 3 {
			return
		}
		for range rapid.IntRange(0, 3).Draw(rt, "broken") {
			table.Set(rapid.IntRange(0, n-1).Draw(rt, "row"), rapid.IntRange(0, d-1).Draw(rt, "column"), math.NaN())
		}
		c, err := Decay(context.Background(), absolute(table), DecayOptions{SimilarityOptions: opt, All: true})
		s, serr := Similarity(context.Background(), absolute(table), opt)
		if err != nil || serr != nil {
			if errors.Is(err, ErrNothing) && errors.Is(serr, ErrNothing) {
				return
			}
			rt.Fatalf("%v, %v", err, serr)
		}
		if len(c.At) != n || c.At[n-1] != n-1 {
			rt.Fatalf("distances %v of %d rows", c.At, n)
		}
		for k := range n {
			var x []float64
			for i := range n - k {
				if v := s.Scores.At(i, i+k); !math.IsNaN(v) {
					x = append(x, v)
				}
			}
			if c.Pairs[k] != len(x) {
				rt.Fatalf("%d pairs at %d, want %d", c.Pairs[k], k, len(x))
			}
			sum, squares := 0.0, 0.0
			for _, v := range x {
				sum += v
			}
			mean := sum / float64(len(x))
			for _, v := range x {
				squares += (v - mean) * (v - mean)
			}
			near(rt, "mean", c.Mean[k], mean, 1e-12*max(1, math.Abs(mean)))
			near(rt, "std", c.Std[k], math.Sqrt(squares/float64(len(x))), 1e-7)
			if len(x) > 0 && (c.Min[k] != slices.Min(x) || c.Max[k] != slices.Max(x)) {
				rt.Fatalf("range %v to %v at %d", c.Min[k], c.Max[k], k)
			}
		}
		if opt.Dot {
			return
		}
		near(rt, "mean off the diagonal", float64(c.Summary.MeanCosineOffdiagonal), float64(s.MeanOffdiagonal), 1e-12)
	})
}

// The fast means of all distances agree with those pair by pair.
func TestAutocorrelation(t *testing.T) {
	for _, size := range [][2]int{{1, 3}, {2, 1}, {3, 20}, {4, 3}, {64, 5}, {65, 8}, {300, 17}} {
		table := gaussian(size[0], size[1], 3)
		if size[0] > 10 {
			table.Set(4, 0, math.NaN())
			table.Set(size[0]-1, 0, math.NaN())
		}
		for _, opt := range []SimilarityOptions{{}, {Eps: 0.3}, {Center: size[0] > 2}} {
			direct := decay(t, table, DecayOptions{SimilarityOptions: opt, All: true})
			r, err := newRows(context.Background(), absolute(table), opt)
			if err != nil {
				t.Fatal(err)
			}
			fast, err := r.autocorrelate(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if opt.Eps == 0 && fast.mean[0] != 1 {
				t.Errorf("%v: the mean at distance 0 is %v", size, fast.mean[0])
			}
			for k := range size[0] {
				near(t, "mean", fast.mean[k], direct.Mean[k], 1e-10)
			}
			if d := cmp.Diff(direct.Pairs, fast.pairs); d != "" {
				t.Error(d)
			}
		}
	}
}

func TestDecayMeanOnly(t *testing.T) {
	table := gaussian(700, 6, 8)
	table.Set(350, 2, math.Inf(1))
	for _, far := range []int{20, 699} {
		full := decay(t, table, DecayOptions{MaxDistance: new(far)})
		mean := decay(t, table, DecayOptions{MaxDistance: new(far), MeanOnly: true})
		for k := range full.Mean {
			near(t, "mean", mean.Mean[k], full.Mean[k], 1e-10)
		}
		if mean.Mean[0] != 1 {
			t.Errorf("the mean at distance 0 is %v", mean.Mean[0])
		}
		if d := cmp.Diff(full.Pairs, mean.Pairs); d != "" || mean.Std != nil || mean.Q1 != nil || mean.Max != nil {
			t.Errorf("mean only: %s %+v", d, mean)
		}
	}
	bare := decay(t, table, DecayOptions{NoSummary: true})
	if d := cmp.Diff(decay(t, table, DecayOptions{}).Mean, bare.Mean); d != "" || bare.Summary.FirstLE0 != nil || bare.Reasons["half_life_to_mean"] != "not asked for" {
		t.Errorf("without a summary: %s %+v", d, bare.Summary)
	}
	b, err := json.Marshal(decay(t, table, DecayOptions{MeanOnly: true}))
	if err != nil || strings.Contains(string(b), `"q1"`) || !strings.Contains(string(b), `"first_k_le_1_over_e":1`) {
		t.Errorf("%s, %v", b, err)
	}
}

// Bands that do not fit the memory allowed are done in parts.
func TestDecayLongBand(t *testing.T) {
	table := gaussian(2500, 2, 4) // 2500 distances are more than are held at a time
	c := decay(t, table, DecayOptions{All: true})
	r, err := newRows(context.Background(), absolute(table), SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{0, 1, 1676, 1677, 1678, 2000, 2499} {
		scores := make([]float64, 2500-k)
		for i := range scores {
			scores[i] = clamp(floats.Dot(r.row(i), r.row(i+k)) / r.Norm[i] / r.Norm[i+k])
		}
		want := spreadOf(scores)
		near(t, "mean", c.Mean[k], want.mean, 1e-13)
		near(t, "std", c.Std[k], want.std, 1e-7)
		near(t, "median", c.Median[k], want.median, 1e-13)
		if c.Pairs[k] != 2500-k {
			t.Errorf("%d pairs at %d", c.Pairs[k], k)
		}
	}
}

// Values from the field's reference: cosines of sinusoids.
func TestDecaySinusoid(t *testing.T) {
	at := []int{1, 2, 5, 10, 20, 40, 100}
	for d, want := range map[int][]float64{ // six digits are printed there
		64:  {.966151, .884496, .734499, .657863, .589973, .481171, .558583},
		512: {.973055, .905209, .740612, .678866, .615523, .535262, .437306},
		768: {.973360, .906143, .741047, .680028, .616029, .536552, .436889},
	} {
		c := decay(t, sinusoid(t, 128, d), DecayOptions{All: true})
		for i, k := range at {
			near(t, "published mean", c.Mean[k], want[i], 5e-7)
		}
		for k := range c.At {
			near(t, "mean", c.Mean[k], sinusoidCosine(k, d), 1e-12)
			near(t, "std", c.Std[k], 0, 1e-12)
		}
	}
}

// A simulated learned table falls as its components' correlation says: the mean of
// about 128 cosines of 64 components is within 0.05 of what is expected.
func TestDecaySmooth(t *testing.T) {
	a, err := posemb.Smooth(posemb.SmoothOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := decay(t, a.Table, DecayOptions{})
	for k := 1; k <= 30; k++ {
		r := (1 - 0.087) * math.Exp(-float64(k*k)/72)
		near(t, "mean", c.Mean[k], posemb.ExpectedCosine(r, 64), 0.05)
	}
	if k := c.Summary.FirstLE1OverE; k == nil || *k < 7 || *k > 10 {
		t.Errorf("falls to 1/e at %v", k)
	}
}

func TestDecayConstant(t *testing.T) {
	for _, c := range []*DecayCurve{
		decay(t, constant(60, 7, 0.1), DecayOptions{}),
		decay(t, constant(60, 1, -3), DecayOptions{}), // one column
	} {
		for k := range c.At {
			near(t, "mean", c.Mean[k], 1, 1e-15)
			near(t, "std", c.Std[k], 0, 0)
		}
		near(t, "half-life", float64(c.Summary.HalfLifeToMean), math.NaN(), 0)
		says(t, []string{c.Reasons["half_life_to_mean"]}, "nothing falls")
		says(t, []string{c.Reasons["half_life_to_zero"]}, "never falls to 1/2")
		if c.Summary.FirstLE0 != nil || c.Summary.FirstLocalMinimum != nil || c.Reasons["first_local_minimum"] == "" {
			t.Errorf("%+v, %v", c.Summary, c.Reasons)
		}
	}
	c := decay(t, constant(60, 7, 0.1), DecayOptions{SimilarityOptions: SimilarityOptions{Eps: 0.5}})
	near(t, "half-life with eps", float64(c.Summary.HalfLifeToMean), math.NaN(), 0)
}

// Rounding of the fast means at the last distances makes no minimum.
func TestDecayLongConstant(t *testing.T) {
	c := decay(t, constant(1<<15, 2, 0.1), DecayOptions{MeanOnly: true, MaxDistance: new(0)})
	if c.Summary.FirstLocalMinimum != nil || c.Summary.HalfLifeToMean.Defined() {
		t.Errorf("%+v", c.Summary)
	}
}

// A table read backwards has the same pairs at every distance.
func TestDecayReversed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt)
		n, d := table.Dims()
		back := mat.NewDense(n, d, nil)
		for i := range n {
			back.SetRow(i, table.RawRowView(n-1-i))
		}
		want, got := decay(t, table, DecayOptions{All: true}), decay(t, back, DecayOptions{All: true})
		for k := range n {
			near(rt, "mean", got.Mean[k], want.Mean[k], 1e-14)
			if got.Min[k] != want.Min[k] || got.Median[k] != want.Median[k] || got.Max[k] != want.Max[k] {
				rt.Errorf("distance %d: quantiles differ", k)
			}
		}
	})
}

func TestDecayOneRow(t *testing.T) {
	c := decay(t, gaussian(1, 4, 1), DecayOptions{})
	if d := cmp.Diff([]int{0}, c.At); d != "" || c.Mean[0] != 1 || c.Std[0] != 0 || c.Pairs[0] != 1 {
		t.Errorf("%s %+v", d, c)
	}
	near(t, "mean off the diagonal", float64(c.Summary.MeanCosineOffdiagonal), math.NaN(), 0)
	says(t, []string{c.Reasons["mean_cosine_offdiagonal"]}, "single")
	c = decay(t, gaussian(1, 4, 1), DecayOptions{MaxDistance: new(5)})
	says(t, c.Warnings, "largest distance 5", "farther apart than 0")
}

func TestDecayBrokenRow(t *testing.T) {
	table := gaussian(6, 3, 1)
	table.Set(3, 1, math.NaN())
	c := decay(t, table, DecayOptions{})
	says(t, c.Warnings, "row 3 holds NaN: its pairs are left out")
	if d := cmp.Diff([]int{5, 3, 2, 2, 2, 1}, c.Pairs); d != "" {
		t.Error(d)
	}
	// Only rows 0 and 1 are left: no pair at distance 2 and on.
	for i := 2; i < 6; i++ {
		table.Set(i, 0, math.NaN())
	}
	c = decay(t, table, DecayOptions{})
	if d := cmp.Diff([]int{2, 1, 0, 0, 0, 0}, c.Pairs); d != "" || !math.IsNaN(c.Mean[2]) || !math.IsNaN(c.Std[5]) {
		t.Errorf("%s %v", d, c.Mean)
	}
	says(t, []string{c.Reasons["mean"]}, "no defined pair at distance 2 to 5")
}

func TestDecayReach(t *testing.T) {
	table := gaussian(100, 3, 1)
	for _, c := range []struct {
		opt  DecayOptions
		last int
		warn bool
	}{
		{DecayOptions{}, 40, false},
		{DecayOptions{MaxDistance: new(7)}, 7, false},
		{DecayOptions{MaxDistance: new(99)}, 99, false},
		{DecayOptions{MaxDistance: new(100)}, 99, true},
		{DecayOptions{All: true}, 99, false},
		{DecayOptions{All: true, MaxDistance: new(3)}, 99, false},
	} {
		got := decay(t, table, c.opt)
		if got.At[len(got.At)-1] != c.last || (len(got.Warnings) > 0) != c.warn {
			t.Errorf("%+v goes to %d, %q", c.opt, got.At[len(got.At)-1], got.Warnings)
		}
	}
	if _, err := Decay(context.Background(), absolute(table), DecayOptions{MaxDistance: new(-1)}); err == nil {
		t.Error("a negative distance passes")
	}
}

// Distances are in positions, however many of them lie between two rows.
func TestDecayStride(t *testing.T) {
	dense := decay(t, sinusoid(t, 101, 16), DecayOptions{All: true})
	sparse := mat.NewDense(26, 16, nil)
	for i := range 26 {
		sparse.SetRow(i, sinusoid(t, 101, 16).RawRowView(4*i))
	}
	a := absolute(sparse)
	a.Stride = 4
	c, err := Decay(context.Background(), a, DecayOptions{MaxDistance: new(42)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.At) != 11 || c.At[10] != 40 {
		t.Errorf("distances %v", c.At)
	}
	for i, k := range c.At {
		near(t, "mean", c.Mean[i], dense.Mean[k], 1e-12)
	}
	if *c.Summary.FirstLE1OverE%4 != 0 || float64(c.Summary.HalfLifeToZero) < 4 {
		t.Errorf("%+v", c.Summary)
	}
}

func TestDecayExtremes(t *testing.T) {
	table := gaussian(50, 5, 9)
	want := decay(t, table, DecayOptions{})
	for _, power := range []int{1015, -1015} {
		scaled := mat.DenseCopyOf(table)
		for i := range 50 {
			for j, x := range scaled.RawRowView(i) {
				scaled.Set(i, j, math.Ldexp(x, power))
			}
		}
		got := decay(t, scaled, DecayOptions{})
		for k := range want.At {
			near(t, "mean", got.Mean[k], want.Mean[k], 1e-12)
			near(t, "median", got.Median[k], want.Median[k], 1e-12)
		}
		dot := decay(t, scaled, DecayOptions{SimilarityOptions: SimilarityOptions{Dot: true}})
		if power > 0 {
			says(t, dot.Warnings, "overflow float64: left out")
			if dot.Pairs[0] >= 50 {
				t.Errorf("%d pairs", dot.Pairs[0])
			}
		}
		says(t, []string{dot.Reasons["half_life_to_mean"]}, "only a cosine")
		near(t, "dot's half-life", float64(dot.Summary.HalfLifeToMean), math.NaN(), 0)
	}
}

func TestCrossing(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		curve []float64
		level float64
		at    float64
		ok    bool
	}{
		{[]float64{1, 0.5, 0}, 0.25, 1.5, true},
		{[]float64{1, 0.5, 0}, 0.5, 1, true},
		{[]float64{1, nan, 0}, 0.5, 1, true},
		{[]float64{1, 0.8, 0.9}, 0.5, 0, false},
		{[]float64{1, 0.2, 0.9, 0.1}, 0.6, 0.5, true},
		{[]float64{1}, 0.5, 0, false},
	} {
		if at, ok := crossing(c.curve, c.level); ok != c.ok || math.Abs(at-c.at) > 1e-15 {
			t.Errorf("%v comes down to %v at %v, %v", c.curve, c.level, at, ok)
		}
	}
}

func TestDecayGridNote(t *testing.T) {
	a := absolute(gaussian(12, 3, 1))
	a.Grid = posemb.Grid{Rows: 3, Cols: 4}
	c, err := Decay(context.Background(), a, DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	says(t, c.Notes, "raster order of the 3 x 4 grid", "grid")
}

func TestDecayAnyWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	table := gaussian(150, 33, 2)
	table.Set(17, 1, math.NaN())
	var first *DecayCurve
	for _, workers := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(workers)
		c := decay(t, table, DecayOptions{MaxDistance: new(90)})
		if first == nil {
			first = c
		} else if d := cmp.Diff(first, c, cmp.AllowUnexported(DecayCurve{}, stretches{})); d != "" {
			t.Errorf("%d workers give another curve: %s", workers, d)
		}
	}
}

func TestDecayStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := Decay(ctx, absolute(gaussian(100, 4, 1)), DecayOptions{}); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := DecayBias(ctx, bias(1, []float64{1, 2, 3}), DecayOptions{}); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := DecayMatrix(ctx, posemb.Origin{Label: "m"}, gaussian(5, 5, 1), DecayOptions{}); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("%v, %v", c, err)
	}
}
