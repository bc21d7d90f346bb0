package analysis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Rounding neither delays a level that is reached exactly nor makes a minimum where
// all is equal.
func TestSummaryTies(t *testing.T) {
	const n, wide = 900, 100
	box := mat.NewDense(n, n+wide, nil) // the cosine of rows k apart is 1 - k/100, and 0 from 100 on
	for i := range n {
		for j := i; j < i+wide; j++ {
			box.Set(i, j, 1)
		}
	}
	orthogonal := mat.NewDense(60, 60, nil)
	for i := range 60 {
		for j := range 60 {
			orthogonal.Set(i, j, math.Cos(math.Pi*float64((2*i+1)*(2*j+1))/240)) // DCT-IV
		}
	}
	for _, single := range []bool{false, true} {
		opt := DecayOptions{SimilarityOptions: SimilarityOptions{Single: single}}
		if k := decay(t, box, opt).Summary.FirstLE0; k == nil || *k != wide {
			t.Errorf("single %t: 0 at %v", single, k)
		}
		if c := decay(t, orthogonal, opt); c.Summary.FirstLocalMinimum != nil || *c.Summary.FirstLE0 != 1 {
			t.Errorf("single %t: %+v", single, c.Summary)
		}
	}
}

// What float32 can't tell from 0 is warned of, and what overflows in the picture.
func TestProductsBeyondPrecision(t *testing.T) {
	small := gaussian(5, 4, 1)
	small.Scale(1e-20, small)
	says(t, similarity(t, small, SimilarityOptions{Dot: true, Single: true}).Warnings, "float32 keeps few digits")
	if w := similarity(t, small, SimilarityOptions{Single: true}).Warnings; len(w) > 0 {
		t.Errorf("cosines: %q", w)
	}
	s := similarity(t, constant(3, 2, 1e200), SimilarityOptions{Dot: true})
	if s.Reasons["mean_offdiagonal"] != "every product overflows" {
		t.Errorf("%v", s.Reasons)
	}
	// The products are finite, and their sum is not.
	s = similarity(t, constant(900, 2, 1e152), SimilarityOptions{Dot: true})
	near(t, "mean/2e304", float64(s.MeanOffdiagonal)/2e304, 1, 1e-12)
	m, err := SimilarityMap(t.Context(), absolute(constant(3, 2, 1e200)), SimilarityOptions{Dot: true})
	if err != nil {
		t.Fatal(err)
	}
	says(t, m.Warnings, "overflows float64")
}
