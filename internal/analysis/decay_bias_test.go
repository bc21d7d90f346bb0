package analysis

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

func TestDecayBias(t *testing.T) {
	b := bias(2, []float64{1, 2, 3, 4, 5, 6}, []float64{10, 20, 30, 40, 50, 60}) // offsets -2..3
	c, err := DecayBias(context.Background(), b, DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Measure != "score" || c.Axis != "distance" {
		t.Errorf("%s against %s", c.Measure, c.Axis)
	}
	if d := cmp.Diff(Values{16.5, 16.5, 16.5, 33}, c.Mean); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{2, 4, 4, 2}, c.Pairs); d != "" {
		t.Error(d)
	}
	near(t, "std", c.Std[1], math.Sqrt((14.5*14.5+12.5*12.5+3.5*3.5+23.5*23.5)/4), 1e-12)
	near(t, "median", c.Median[1], 12, 0)
	says(t, c.Notes, "heads and both signs")
	says(t, []string{c.Reasons["half_life_to_zero"]}, "only a cosine")

	b.Scores.Set(0, 1, math.Inf(-1))
	c, err = DecayBias(context.Background(), b, DecayOptions{MaxDistance: new(2), SimilarityOptions: SimilarityOptions{Center: true, Single: true}})
	if err != nil {
		t.Fatal(err)
	}
	says(t, c.Warnings, "offset -2", "left out")
	says(t, c.Warnings, "center, single precision", "ignored")
	if len(c.At) != 3 || c.Pairs[2] != 3 {
		t.Errorf("%v, %v", c.At, c.Pairs)
	}
	c, err = DecayBias(context.Background(), b, DecayOptions{MaxDistance: new(9)})
	if err != nil || len(c.At) != 4 {
		t.Errorf("%v, %v", c, err)
	}
	says(t, c.Warnings, "largest distance 9")

	if _, err = DecayBias(context.Background(), bias(0, []float64{math.NaN()}), DecayOptions{}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	if _, err = DecayBias(context.Background(), b, DecayOptions{MaxDistance: new(-3)}); err == nil {
		t.Error("a negative distance passes")
	}
	b.Axes[0].Max = 9
	if _, err = DecayBias(context.Background(), b, DecayOptions{}); err == nil {
		t.Error("a table of 6 rows passes for 12 offsets")
	}
}

// The range and the sum of these scores overflow; their mean and deviation do not.
func TestDecayBiasHuge(t *testing.T) {
	const m = math.MaxFloat64
	for _, meanOnly := range []bool{false, true} {
		c, err := DecayBias(context.Background(), bias(1, []float64{-m, m, m}, []float64{m, m, m}), DecayOptions{MeanOnly: meanOnly})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mean at 0", c.Mean[0], m, 0)
		near(t, "mean at 1", c.Mean[1]/m, 0.5, 1e-15)
		if !meanOnly {
			near(t, "std at 1", c.Std[1]/m, math.Sqrt(0.75), 1e-15)
		}
		if c.Reasons["mean"] != "" || c.Reasons["std"] != "" {
			t.Error(c.Reasons)
		}
	}
}

// An offset beyond all bounds is an error, and takes no memory.
func TestFarOffsets(t *testing.T) {
	b := bias(1, []float64{1, 2, 3})
	for _, first := range []int{1 << 40, -1 << 40, math.MinInt, math.MaxInt - 2} {
		b.Axes[0].Min, b.Axes[0].Max = first, first+2
		if _, err := DecayBias(context.Background(), b, DecayOptions{All: true}); err == nil {
			t.Errorf("decay from offset %d passes", first)
		}
		if _, err := ProfileOf(context.Background(), b, ProfileOptions{}); err == nil {
			t.Errorf("profile from offset %d passes", first)
		}
	}
}

func TestDecayBiasTwoAxes(t *testing.T) {
	b := &posemb.Bias{
		Axes:   []posemb.Axis{{Name: "dy", Min: -1, Max: 1}, {Name: "dx", Min: -2, Max: 2}},
		Heads:  []string{"0"},
		Scores: mat.NewDense(15, 1, []float64{2, 1, 1, 1, 2, 2, 1, 0, 1, 2, 2, 1, 1, 1, 2}), // the distance itself
	}
	c, err := DecayBias(context.Background(), b, DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Values{0, 1, 2}, c.Mean); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{1, 8, 6}, c.Pairs); d != "" {
		t.Error(d)
	}
	says(t, c.Notes, "larger of |dy| and |dx|")
}
