package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"poslens/internal/posemb"
)

func profile(t testing.TB, b *posemb.Bias, opt ProfileOptions) *Profile {
	t.Helper()
	p, err := ProfileOf(context.Background(), b, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// locality is the worked example of a handbook chapter on relative positions, in
// numpy's float64: seed 42, randn(11,4)*0.1, + exp(-0.5 k^2) on component 0, met
// by the query ones(4)/sqrt(4). Offsets -5..5.
var locality = []float64{
	0.12646027564402434, 0.09408559196334045, -0.03724859116746418, -0.13025852512398212, 0.15231975162653405,
	0.4941326243454743,
	0.2428275451617193, 0.08557959824667931, -0.06792084630896222, -0.1439388357812651, 0.024656007486978618,
}

func TestProfileLocality(t *testing.T) {
	p := profile(t, bias(5, locality), ProfileOptions{})
	h := p.Heads[0]
	if d := cmp.Diff([]Offset{{0}}, h.Peak); d != "" || h.PeakText() != "0" {
		t.Error(d)
	}
	// The chapter's figures, to the ten digits printed there.
	near(t, "sum back", float64(h.SumBack), 0.2053585029, 5e-11)
	near(t, "sum ahead", float64(h.SumAhead), 0.1412034688, 5e-11)
	near(t, "peak score", float64(h.PeakScore), 0.4941326243454743, 0)
	// numpy 1.24 on the numbers above, by the definitions of the fields.
	near(t, "mass back", float64(h.MassBack), 0.43415477577758743, 1e-12)
	near(t, "mass here", float64(h.MassHere), 0.13582219387119127, 1e-12)
	near(t, "mass ahead", float64(h.MassAhead), 0.4300230303512214, 1e-12)
	near(t, "entropy", float64(h.Entropy), 2.380835877853249, 1e-12)
	near(t, "locality", float64(h.Locality), 0.3130703215348788, 1e-12)
	near(t, "asymmetry", float64(h.Asymmetry), 0.18127350946104528, 1e-12)
	near(t, "direction balance", float64(h.DirectionBalance), 0.5023905644168731, 1e-12)
	near(t, "reach", float64(h.Reach90), 5, 0)
	if p.Quantity != "score" || len(p.Warnings) > 0 || p.Reasons != nil {
		t.Errorf("%+v", p)
	}
}

// The generator and the query give the same numbers, and with them the figures.
func TestProfileOfVectors(t *testing.T) {
	v, err := posemb.Locality(posemb.LocalityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := v.Score(posemb.UniformQuery(4), posemb.ScoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h := profile(t, b, ProfileOptions{}).Heads[0]
	for i, want := range locality {
		near(t, "score", h.Score[i], want, 1e-12)
	}
	near(t, "sum back", float64(h.SumBack), floats.Sum(locality[:5]), 1e-12)
	near(t, "sum ahead", float64(h.SumAhead), floats.Sum(locality[6:]), 1e-12)
}

func TestProfileSoftmax(t *testing.T) {
	raw := profile(t, bias(5, locality), ProfileOptions{}).Heads[0]
	p := profile(t, bias(5, locality), ProfileOptions{Softmax: true})
	h := p.Heads[0]
	near(t, "all mass", floats.Sum(h.Score), 1, 1e-15)
	near(t, "mass of the peak", float64(h.PeakScore), float64(raw.MassHere), 1e-15)
	near(t, "sum back", float64(h.SumBack), float64(raw.SumBack), 0)
	near(t, "entropy", float64(h.Entropy), float64(raw.Entropy), 0)
	if p.Quantity != "mass" {
		t.Error(p.Quantity)
	}
	// Large scores overflow a softmax that does not subtract the largest.
	huge := profile(t, bias(1, []float64{-1e300, 1e300, 1e300}), ProfileOptions{Softmax: true}).Heads[0]
	if d := cmp.Diff(Values{0, 0.5, 0.5}, huge.Score); d != "" {
		t.Error(d)
	}
	near(t, "asymmetry of large scores", float64(huge.Asymmetry), 0.75, 1e-14)
	over := profile(t, bias(2, []float64{-1.5e308, -1.5e308, 0, 1, 1.5e308}), ProfileOptions{}).Heads[0]
	near(t, "overflowing sum", float64(over.SumBack), math.NaN(), 0)
	if d := cmp.Diff(map[string]string{"sum_back": overflow}, over.Reasons); d != "" {
		t.Error(d)
	}
	// In units of 1e308: odd parts +-1.5 and +-0.75, deviations -1.2, -1.2, 0.3, 0.3 and 1.8.
	near(t, "asymmetry, squares overflow", float64(over.Asymmetry), 5.625/6.3, 1e-14)
	under := profile(t, bias(1, []float64{0, 0, 1e-200, 1}), ProfileOptions{}).Heads[0] // -1..2; 2 has no opposite
	near(t, "asymmetry, squares vanish", float64(under.Asymmetry), 0.75, 1e-14)
}

// A head that attends to the previous token peaks at -1.
func TestProfileSides(t *testing.T) {
	h := profile(t, bias(2, []float64{0, 50, 0, 0, 0}), ProfileOptions{}).Heads[0]
	if d := cmp.Diff([]Offset{{-1}}, h.Peak); d != "" {
		t.Error(d)
	}
	near(t, "mass back", float64(h.MassBack), 1, 1e-15)
	near(t, "direction balance", float64(h.DirectionBalance), 1, 1e-15)
	near(t, "locality", float64(h.Locality), 0.5, 1e-15)
	near(t, "reach", float64(h.Reach90), 1, 0)
	// Uniform mass over ten offsets: nine of them hold 90 %.
	h = profile(t, bias(4, make([]float64, 10)), ProfileOptions{}).Heads[0]
	near(t, "entropy", float64(h.Entropy), math.Log(10), 1e-14)
	near(t, "reach", float64(h.Reach90), 4, 0)
}

func TestProfileUndefined(t *testing.T) {
	causal := profile(t, bias(3, []float64{1, 2, 3, 4}), ProfileOptions{}) // offsets -3..0
	h := causal.Heads[0]
	near(t, "sum ahead", float64(h.SumAhead), math.NaN(), 0)
	near(t, "mass ahead", float64(h.MassAhead), math.NaN(), 0)
	near(t, "asymmetry", float64(h.Asymmetry), math.NaN(), 0)
	near(t, "direction balance", float64(h.DirectionBalance), math.NaN(), 0)
	near(t, "sum back", float64(h.SumBack), 6, 0)
	for _, figure := range []string{"sum_ahead", "mass_ahead", "asymmetry", "direction_balance"} {
		if h.Reasons[figure] == "" || causal.Reasons[figure] != h.Reasons[figure] {
			t.Errorf("%s: reasons %q, %q", figure, h.Reasons[figure], causal.Reasons[figure])
		}
	}

	mixed := profile(t, bias(1, []float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}), ProfileOptions{})
	if mixed.Heads[0].PeakText() != "none" || mixed.Heads[1].PeakText() != "1" {
		t.Errorf("peaks %v, %v", mixed.Heads[0].Peak, mixed.Heads[1].Peak)
	}
	near(t, "asymmetry", float64(mixed.Heads[0].Asymmetry), math.NaN(), 0)
	near(t, "asymmetry", float64(mixed.Heads[1].Asymmetry), 1, 1e-15)
	if d := cmp.Diff(map[string]string{"peak": "head 0: all scores are equal", "asymmetry": "head 0: the profile is constant"}, mixed.Reasons); d != "" {
		t.Error(d)
	}
	b, err := json.Marshal(mixed)
	if err != nil || !strings.Contains(string(b), `"asymmetry":null`) || !strings.Contains(string(b), `"axes":[{"name":"offset","min":-1,"max":1}]`) || !strings.Contains(string(b), `"offsets":[-1,0,1]`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestProfileBrokenScores(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	b := bias(2, []float64{1, -inf, 2, nan, inf}, []float64{1, 2, 3, 4, -inf}, []float64{nan, nan, -inf, nan, nan})
	p := profile(t, b, ProfileOptions{Softmax: true})
	says(t, p.Warnings, "head 0: offsets 1, 2 hold NaN or +Inf: left out")
	says(t, p.Warnings, "head 0: offset -1 holds -Inf: no mass")
	says(t, p.Warnings, "head 1: offset 2 holds -Inf")
	says(t, p.Warnings, "head 2: offsets -2, -1, 1, 2 hold NaN")
	e := math.Exp(-1)
	want := Values{e / (1 + e), 0, 1 / (1 + e), nan, nan}
	for i := range want {
		near(t, "mass", p.Heads[0].Score[i], want[i], 1e-15)
	}
	near(t, "sum back", float64(p.Heads[0].SumBack), 1, 0)
	near(t, "sum ahead", float64(p.Heads[0].SumAhead), nan, 0)
	near(t, "entropy of a broken head", float64(p.Heads[2].Entropy), nan, 0)
	near(t, "reach of a broken head", float64(p.Heads[2].Reach90), nan, 0)
	if p.Heads[2].Reasons["locality"] != "no score is finite" {
		t.Errorf("%v", p.Heads[2].Reasons)
	}
	if _, err := ProfileOf(context.Background(), bias(1, []float64{nan, -inf, inf}), ProfileOptions{}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	if _, err := ProfileOf(context.Background(), &posemb.Bias{Scores: &mat.Dense{}}, ProfileOptions{}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	for _, axes := range [][]posemb.Axis{nil, {{Min: 0, Max: 3}}, {{Min: 2, Max: 1}}, {{}, {}, {}}, {{Min: math.MinInt, Max: math.MaxInt}}} {
		if _, err := ProfileOf(context.Background(), &posemb.Bias{Axes: axes, Scores: mat.NewDense(3, 1, nil)}, ProfileOptions{}); err == nil {
			t.Errorf("3 rows pass for the axes %v", axes)
		}
	}
}

// The masses, entropy and asymmetry are what they are for any shift of the scores,
// and mirror when the profile does.
func TestProfileProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		reach := rapid.IntRange(1, 20).Draw(rt, "reach")
		scores := rapid.SliceOfN(rapid.Float64Range(-5, 5), 2*reach+1, 2*reach+1).Draw(rt, "scores")
		h := profile(t, bias(reach, scores), ProfileOptions{}).Heads[0]
		near(rt, "all mass", float64(h.MassBack+h.MassHere+h.MassAhead), 1, 1e-14)
		if h.Entropy < 0 || float64(h.Entropy) > math.Log(float64(len(scores)))+1e-12 || h.Locality <= 0 || h.Locality > 1 {
			rt.Fatalf("entropy %v, locality %v", h.Entropy, h.Locality)
		}
		if h.Asymmetry.Defined() && (h.Asymmetry < 0 || h.Asymmetry > 1) {
			rt.Fatalf("asymmetry %v", h.Asymmetry)
		}
		shifted, mirrored := make([]float64, len(scores)), make([]float64, len(scores))
		for i, s := range scores {
			shifted[i] = s + 64
			mirrored[len(scores)-1-i] = s
		}
		s := profile(t, bias(reach, shifted), ProfileOptions{}).Heads[0]
		m := profile(t, bias(reach, mirrored), ProfileOptions{}).Heads[0]
		near(rt, "entropy of the shifted", float64(s.Entropy), float64(h.Entropy), 1e-10)
		near(rt, "mass back of the shifted", float64(s.MassBack), float64(h.MassBack), 1e-11)
		near(rt, "sum ahead of the mirrored", float64(m.SumAhead), float64(h.SumBack), 1e-10)
		near(rt, "mass ahead of the mirrored", float64(m.MassAhead), float64(h.MassBack), 1e-13)
		if h.Asymmetry.Defined() && m.Asymmetry.Defined() && floats.Max(scores)-floats.Min(scores) > 1e-3 {
			near(rt, "asymmetry of the mirrored", float64(m.Asymmetry), float64(h.Asymmetry), 1e-9)
		}
	})
}

// square is a 3 x 5 table, dy -1..1 and dx -2..2, with one head that counts up.
func square() *posemb.Bias {
	b := &posemb.Bias{
		Axes:   []posemb.Axis{{Name: "dy", Min: -1, Max: 1, Beyond: posemb.BeyondNone}, {Name: "dx", Min: -2, Max: 2, Beyond: posemb.BeyondNone}},
		Heads:  []string{"up"},
		Scores: mat.NewDense(15, 1, nil),
	}
	for i := range 15 {
		b.Scores.Set(i, 0, float64(i)/10)
	}
	return b
}

func TestProfileTwoAxes(t *testing.T) {
	p := profile(t, square(), ProfileOptions{})
	if d := cmp.Diff([]Offset{{-1, -2}, {0, 0}, {0, 1}, {1, 2}}, []Offset{p.Offsets[0], p.Offsets[7], p.Offsets[8], p.Offsets[14]}); d != "" {
		t.Error(d)
	}
	h := p.Heads[0]
	near(t, "sum back", float64(h.SumBack), 2.1, 1e-12)
	near(t, "sum ahead", float64(h.SumAhead), 7.7, 1e-12)
	near(t, "asymmetry", float64(h.Asymmetry), 1, 1e-14)
	if h.PeakText() != "(1, 2)" {
		t.Error(h.PeakText())
	}
	says(t, p.Notes, "raster order", "larger of |dy| and |dx|")

	dx, err := AxisProfile(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Values{0.5, 0.6, 0.7, 0.8, 0.9}, dx.Heads[0].Score); d != "" {
		t.Error(d)
	}
	near(t, "sum back along dx", float64(dx.Heads[0].SumBack), 1.1, 1e-15)
	says(t, dx.Notes, "along dx", "dy = 0")
	dy, err := AxisProfile(profile(t, square(), ProfileOptions{Softmax: true}), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(dy.Offsets) != 3 || dy.Heads[0].PeakText() != "1" || dy.Axes[0].Name != "dy" || dy.Heads[0].Head != "up" {
		t.Errorf("%+v", dy)
	}
	near(t, "all mass along dy", floats.Sum(dy.Heads[0].Score), 1, 1e-15)
	near(t, "mass along dy", dy.Heads[0].Score[0], math.Exp(0.2)/(math.Exp(0.2)+math.Exp(0.7)+math.Exp(1.2)), 1e-15)

	if same, err := AxisProfile(dx, 0); err != nil || same != dx {
		t.Errorf("one axis: %v, %v", same, err)
	}
	for _, axis := range []int{-1, 2} {
		if _, err := AxisProfile(p, axis); err == nil {
			t.Errorf("axis %d passes", axis)
		}
	}
	far := square()
	far.Axes[0].Min, far.Axes[0].Max = 1, 3
	if _, err := AxisProfile(profile(t, far, ProfileOptions{}), 1); err == nil {
		t.Error("an axis without 0 passes")
	}
}

// The bits do not depend on how many work.
func TestProfileSampledAnyWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	v := &posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Min: -150, Max: 150}}, Table: gaussian(301, 130, 3)}
	var first *Profile
	for _, workers := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(workers)
		p, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 300, Seed: 42, Scale: true})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = p
		} else if d := cmp.Diff(first, p, cmp.AllowUnexported(HeadProfile{})); d != "" {
			t.Errorf("%d workers give another profile: %s", workers, d)
		}
	}
}

func TestProfileSampled(t *testing.T) {
	const samples = 20000
	v := &posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Min: -2, Max: 2}}, Table: gaussian(5, 16, 3)}
	for _, scale := range []bool{false, true} {
		p, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: samples, Seed: 42, Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		h := p.Heads[0]
		for k := range 5 {
			// q . v is N(0, |v|^2); six standard errors.
			norm := floats.Norm(v.Table.RawRowView(k), 2)
			if scale {
				norm /= 4
			}
			near(t, "mean", h.Score[k], 0, 6*norm/math.Sqrt(samples))
			near(t, "band", (h.Hi[k]-h.Lo[k])/2, norm, 6*norm/math.Sqrt(2*samples))
			near(t, "middle of the band", (h.Hi[k]+h.Lo[k])/2, h.Score[k], 1e-12)
		}
		again, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: samples, Seed: 42, Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(p, again, cmp.AllowUnexported(HeadProfile{})); d != "" {
			t.Error(d)
		}
		other, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: samples, Seed: 43, Scale: scale})
		if err != nil || other.Heads[0].Score[0] == h.Score[0] {
			t.Errorf("another seed gives the same mean, %v", err)
		}
	}
	// One query has no spread; its scores are proportional to those with scale.
	one, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 1, Seed: 7, Scale: false})
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 1, Seed: 7, Scale: true})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		near(t, "spread of one", one.Heads[0].Hi[k]-one.Heads[0].Lo[k], 0, 0)
		near(t, "scaled", 4*scaled.Heads[0].Score[k], one.Heads[0].Score[k], 1e-13)
	}
	if _, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 0, Seed: 7, Scale: false}); err == nil {
		t.Error("no sample passes")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p, err := ProfileSampled(ctx, v, SampleOptions{Samples: 10, Seed: 7, Scale: false}); !errors.Is(err, context.Canceled) || p != nil {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := ProfileOf(ctx, square(), ProfileOptions{}); !errors.Is(err, context.Canceled) || p != nil {
		t.Errorf("%v, %v", p, err)
	}
}

// TestProfileSampledSoftmax compares the mean masses with a plain loop over the
// same queries, to 1e-12.
func TestProfileSampledSoftmax(t *testing.T) {
	v := &posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Min: -2, Max: 2}}, Table: gaussian(5, 3, 4)}
	const samples = 300
	p, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: samples, Seed: 9, Softmax: true})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(9, 0))
	mean := make([]float64, 5)
	for range samples {
		q := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		mass, sum := make([]float64, 5), 0.0
		for k := range mass {
			mass[k] = math.Exp(q[0]*v.Table.At(k, 0) + q[1]*v.Table.At(k, 1) + q[2]*v.Table.At(k, 2))
			sum += mass[k]
		}
		for k := range mass {
			mean[k] += mass[k] / sum / samples
		}
	}
	h := p.Heads[0]
	if p.Quantity != QuantityMass {
		t.Errorf("quantity %q", p.Quantity)
	}
	for k := range mean {
		if math.Abs(h.Score[k]-mean[k]) > 1e-12 {
			t.Errorf("offset %d: mass %v, want %v", k-2, h.Score[k], mean[k])
		}
	}
	if back := mean[0] + mean[1]; math.Abs(float64(h.MassBack)-back) > 1e-12 {
		t.Errorf("mass back %v, want %v", h.MassBack, back)
	}
	if h.SumBack.Defined() || h.Reasons["sum_back"] == "" {
		t.Errorf("sum back %v, reason %q: want none, with a reason", h.SumBack, h.Reasons["sum_back"])
	}
}

// TestProfileSampledSoftmaxUndefined leaves an undefined row out of the others'
// masses, which still sum to 1.
func TestProfileSampledSoftmaxUndefined(t *testing.T) {
	v := &posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Min: -1, Max: 1}}, Table: mat.NewDense(3, 2, []float64{1, 2, 3, 4, math.NaN(), 1})}
	p, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 20, Seed: 1, Softmax: true})
	if err != nil {
		t.Fatal(err)
	}
	s := p.Heads[0].Score
	if !math.IsNaN(s[2]) || math.Abs(s[0]+s[1]-1) > 1e-12 {
		t.Errorf("masses %v: want two that sum to 1, and NaN", s)
	}
}
