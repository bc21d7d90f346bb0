package analysis

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

func TestDecayMatrix(t *testing.T) {
	m := mat.NewDense(3, 3, []float64{
		1, 2, 3,
		4, 5, 6,
		7, 8, 9,
	})
	c, err := DecayMatrix(context.Background(), posemb.Origin{Label: "scores"}, m, DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Values{7, 6, 5, 4, 3}, c.Mean); d != "" || c.Axis != "offset" || c.Label != "scores" {
		t.Errorf("%s %+v", d, c)
	}
	if d := cmp.Diff([]int{-2, -1, 0, 1, 2}, c.At); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{1, 2, 3, 2, 1}, c.Pairs); d != "" {
		t.Error(d)
	}
	m.Set(0, 2, math.Inf(-1))
	c, err = DecayMatrix(context.Background(), posemb.Origin{Label: "scores"}, m, DecayOptions{MaxDistance: new(5)})
	if err != nil {
		t.Fatal(err)
	}
	says(t, c.Warnings, "1 score is not finite")
	says(t, c.Warnings, "largest distance 5")
	says(t, []string{c.Reasons["mean"]}, "no defined pair at offset 2")
	if !math.IsNaN(c.Mean[4]) {
		t.Errorf("the masked offset has the mean %v", c.Mean[4])
	}
	// A matrix of cosines gives the decay of its table.
	table := gaussian(30, 4, 1)
	want := decay(t, table, DecayOptions{All: true})
	got, err := DecayMatrix(context.Background(), posemb.Origin{Label: ""}, mat.DenseCopyOf(similarity(t, table, SimilarityOptions{}).Scores), DecayOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Mean, got.Mean[29:]); d != "" {
		t.Error(d)
	}
	// Its transpose looks the other way.
	square := gaussian(9, 9, 1)
	ahead, err := DecayMatrix(context.Background(), posemb.Origin{}, square, DecayOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecayMatrix(context.Background(), posemb.Origin{}, mat.DenseCopyOf(square.T()), DecayOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(back.Mean)
	if d := cmp.Diff(ahead.Mean, back.Mean); d != "" {
		t.Error(d)
	}
	for _, m := range []*mat.Dense{mat.NewDense(2, 3, nil), nil, mat.NewDense(1, 1, []float64{math.NaN()})} {
		if _, err := DecayMatrix(context.Background(), posemb.Origin{Label: ""}, m, DecayOptions{}); err == nil {
			t.Errorf("%v passes", m)
		}
	}
}

// TestDecayMatrixRowStride counts offsets in positions where rows are every third
// one, and cuts the largest distance in positions too.
func TestDecayMatrixRowStride(t *testing.T) {
	m := mat.NewDense(3, 3, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8})
	c, err := DecayMatrix(context.Background(), posemb.Origin{}, m, DecayOptions{RowStride: 3, MaxDistance: new(5)})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{-3, 0, 3}, c.At); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Values{5, 4, 3}, c.Mean); d != "" { // means of 3, 7; 0, 4, 8; 1, 5
		t.Error(d)
	}
}
