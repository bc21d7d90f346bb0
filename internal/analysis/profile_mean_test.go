package analysis

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// TestProfileMean holds the mean over heads and its band against their closed forms:
// of x, 2x and 6x the mean is 3x, the population's deviation x sqrt(14/3).
func TestProfileMean(t *testing.T) {
	x := []float64{-1, 0.5, 2, 0.25, -3}
	var heads [][]float64
	for _, factor := range []float64{1, 2, 6} {
		h := make([]float64, len(x))
		floats.ScaleTo(h, factor, x)
		heads = append(heads, h)
	}
	p := profile(t, bias(2, heads...), ProfileOptions{Mean: true})
	if len(p.Heads) != 1 || p.Heads[0].Head != "mean" || p.MeanOver != OverHeads || p.Quantity != QuantityScore {
		t.Fatalf("%+v", p)
	}
	h := p.Heads[0]
	for k, v := range x {
		near(t, "mean", h.Score[k], 3*v, 1e-14)
		near(t, "lo", h.Lo[k], 3*v-math.Abs(v)*math.Sqrt(14.0/3), 1e-13)
		near(t, "hi", h.Hi[k], 3*v+math.Abs(v)*math.Sqrt(14.0/3), 1e-13)
	}
	// The figures are those of the mean profile.
	want := make([]float64, len(x))
	floats.ScaleTo(want, 3, x)
	alone := profile(t, bias(2, want), ProfileOptions{}).Heads[0]
	for _, f := range [][2]Value{{h.SumBack, alone.SumBack}, {h.MassBack, alone.MassBack}, {h.Entropy, alone.Entropy}, {h.Asymmetry, alone.Asymmetry}, {h.Locality, alone.Locality}, {h.PeakScore, alone.PeakScore}} {
		near(t, "figure", float64(f[0]), float64(f[1]), 1e-13)
	}
	if h.PeakText() != "0" {
		t.Error(h.PeakText())
	}
	says(t, []string{p.Band}, "one standard deviation over 3 heads")
	says(t, p.Notes, "mean over 3 heads")
}

// With softmax the masses of the heads are averaged, not their scores.
func TestProfileMeanSoftmax(t *testing.T) {
	a, b := []float64{0, math.Log(3), 0}, []float64{math.Log(6), 0, 0} // masses 1 3 1 of 5, and 6 1 1 of 8
	p := profile(t, bias(1, a, b), ProfileOptions{Mean: true, Softmax: true})
	h := p.Heads[0]
	for k, want := range [][2]float64{{1.0 / 5, 6.0 / 8}, {3.0 / 5, 1.0 / 8}, {1.0 / 5, 1.0 / 8}} {
		mean, half := (want[0]+want[1])/2, math.Abs(want[0]-want[1])/2 // of two values
		near(t, "mass", h.Score[k], mean, 1e-14)
		near(t, "lo", h.Lo[k], mean-half, 1e-14)
		near(t, "hi", h.Hi[k], mean+half, 1e-14)
	}
	near(t, "mass back", float64(h.MassBack), (1.0/5+6.0/8)/2, 1e-14)
	near(t, "mass here", float64(h.MassHere), (3.0/5+1.0/8)/2, 1e-14)
	near(t, "direction balance", float64(h.DirectionBalance), (1.0/5+6.0/8)/(1.0/5+6.0/8+1.0/5+1.0/8), 1e-14)
	if h.SumBack.Defined() || p.Reasons["sum_ahead"] == "" {
		t.Errorf("sums %v, %v: want none, with a reason", h.SumBack, p.Reasons)
	}
	// A mass too small for a float64 in every head is 0 and no fault.
	far := profile(t, bias(1, []float64{-1e4, 0, 0}, []float64{-1e4, 1, 0}), ProfileOptions{Mean: true, Softmax: true})
	if len(far.Warnings) > 0 || far.Heads[0].Score[0] != 0 {
		t.Errorf("%v, %v", far.Warnings, far.Heads[0].Score)
	}
}

// What is broken in one head is left out of all, and a head that is broken as a whole
// is left out itself.
func TestProfileMeanBroken(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	heads := [][]float64{{1, 2, 3, 4, -inf}, {3, nan, 5, 6, -inf}, {nan, nan, -inf, nan, inf}, {2, 2, -inf, 2, -inf}}
	p := profile(t, bias(2, heads...), ProfileOptions{Mean: true})
	h := p.Heads[0]
	for k, want := range []float64{2, nan, -inf, 4, -inf} {
		near(t, "mean", h.Score[k], want, 1e-15)
	}
	near(t, "band", h.Hi[0]-h.Lo[0], 2*math.Sqrt(2.0/3), 1e-14)
	near(t, "band beside -Inf", h.Lo[2], nan, 0)
	says(t, p.Warnings, "offset -1 holds NaN", "left out")
	says(t, p.Warnings, "head 2: no score is finite, left out of the mean")
	says(t, p.Warnings, "head 3: offsets 0, 2 hold -Inf")

	masses := profile(t, bias(2, heads...), ProfileOptions{Mean: true, Softmax: true}).Heads[0]
	sum := 0.0
	for k, m := range masses.Score {
		if k != 1 {
			sum += m
		}
	}
	near(t, "undefined mass", masses.Score[1], nan, 0)
	near(t, "all other mass", sum, 1, 1e-14)
	near(t, "masked mass", masses.Score[4], 0, 0)
	z := math.Exp(1.) + math.Exp(3) + math.Exp(4)
	y := math.Exp(3.) + math.Exp(5) + math.Exp(6)
	near(t, "mass", masses.Score[2], (math.Exp(3)/z+math.Exp(5)/y+0)/3, 1e-14)

	for _, softmax := range []bool{false, true} {
		if _, err := ProfileOf(context.Background(), bias(1, []float64{nan, -inf, inf}), ProfileOptions{Mean: true, Softmax: softmax}); !errors.Is(err, ErrNothing) {
			t.Error(err)
		}
		if _, err := ProfileOf(context.Background(), bias(1, []float64{nan, nan, 1}, []float64{1, 1, nan}), ProfileOptions{Mean: true, Softmax: softmax}); !errors.Is(err, ErrNothing) {
			t.Errorf("no offset is whole: %v", err)
		}
	}
	huge := profile(t, bias(1, []float64{1e308, 0, 1}, []float64{1.5e308, 0, 1}), ProfileOptions{Mean: true}).Heads[0]
	near(t, "mean of huge scores", huge.Score[0]/1e308, 1.25, 1e-14)
}

// perHead is two heads of vectors of width 2 for the offsets -1..1.
func perHead() *posemb.Vectors {
	return &posemb.Vectors{
		Axes:  []posemb.Axis{{Name: "offset", Min: -1, Max: 1}},
		Heads: []string{"0", "1"},
		Table: mat.NewDense(3, 4, []float64{1, 0, 0, 2, 0.5, 1, -1, 1, 3, -2, 0, 0.5}),
	}
}

// TestProfileSampledHeads compares the mean and the band of each head, and of both
// together, with a plain loop over the same queries.
func TestProfileSampledHeads(t *testing.T) {
	const samples = 300
	v := perHead()
	random := rand.New(rand.NewPCG(5, 0))
	var scores [2][3][]float64
	for range samples {
		q := []float64{random.NormFloat64() / math.Sqrt2, random.NormFloat64() / math.Sqrt2}
		for h := range 2 {
			for k := range 3 {
				scores[h][k] = append(scores[h][k], q[0]*v.Table.At(k, 2*h)+q[1]*v.Table.At(k, 2*h+1))
			}
		}
	}
	against := func(what string, h HeadProfile, k int, x []float64) {
		t.Helper()
		mean := floats.Sum(x) / float64(len(x))
		variance := 0.0
		for _, s := range x {
			variance += (s - mean) * (s - mean) / float64(len(x))
		}
		near(t, what, h.Score[k], mean, 1e-13)
		near(t, what+", band", (h.Hi[k]-h.Lo[k])/2, math.Sqrt(variance), 1e-13)
	}
	opt := SampleOptions{Samples: samples, Seed: 5, Scale: true}
	sampled := func(opt SampleOptions) *Profile {
		t.Helper()
		p, err := ProfileSampled(context.Background(), v, opt)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := sampled(opt)
	if len(p.Heads) != 2 || p.Heads[1].Head != "1" || p.MeanOver != OverQueries {
		t.Fatalf("%+v", p)
	}
	for h := range 2 {
		for k := range 3 {
			against("head", p.Heads[h], k, scores[h][k])
		}
	}
	opt.Heads = []int{1}
	if d := cmp.Diff(p.Heads[1:], sampled(opt).Heads, cmp.AllowUnexported(HeadProfile{})); d != "" {
		t.Error(d)
	}
	opt.Heads, opt.Mean = nil, true
	p = sampled(opt)
	if len(p.Heads) != 1 || p.MeanOver != OverBoth {
		t.Fatalf("%+v", p)
	}
	for k := range 3 {
		against("both heads", p.Heads[0], k, append(append([]float64(nil), scores[0][k]...), scores[1][k]...))
	}
	says(t, p.Notes, "seed 5", "2 heads")
	for _, heads := range [][]int{{2}, {-1}} {
		if _, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 1, Heads: heads}); err == nil {
			t.Errorf("head %v passes", heads)
		}
	}
	v.Heads = nil
	if _, err := ProfileSampled(context.Background(), v, SampleOptions{Samples: 1, Heads: []int{0}}); err == nil {
		t.Error("a head of vectors that serve all passes")
	}
}
