package posemb

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// RotaryOptions say what Rotary makes; zero is the default.
type RotaryOptions struct {
	D     int     // width of a head, even; 0 is 64
	Reach int     // farthest offset, 1 to a million; 0 is 128
	Base  float64 // at least 1; 0 is 10000
}

// Rotary makes the similarity that rotary embeddings give a query and a key that
// are equal, with the same length in every pair of components: the mean cosine of
// the angles between them at offset k,
//
//	score(k) = (2/d) * sum of cos(k * base^(-2i/d)) over i = 0..d/2-1
//
// which is also the cosine of two rows of Sinusoid of that width, k apart. Real
// queries and keys differ, and weigh the pairs. Source: Su et al. 2021 (RoFormer),
// section 3.2.2, which rotates pair i by k * base^(-2i/d).
func Rotary(opt RotaryOptions) (*Bias, error) {
	d, reach, base := cmp.Or(opt.D, 64), cmp.Or(opt.Reach, 128), cmp.Or(opt.Base, 10000)
	err := cmp.Or(checkReach(reach), checkReal("base", base, 1, hugeReal))
	switch {
	case err != nil:
		return nil, err
	case d < 2 || d%2 != 0:
		return nil, &OptionError{Msg: fmt.Sprintf("d is %d, expected an even number: components turn in pairs", d)}
	case d/2 > maxNumbers/(reach+1):
		return nil, &OptionError{Msg: fmt.Sprintf("%d cosines for each of %d distances are over the %d that a made table may take", d/2, reach+1, maxNumbers)}
	}

	w := make([]float64, d/2)
	for i := range w {
		w[i] = math.Pow(base, -2*float64(i)/float64(d))
	}
	scores := mat.NewDense(2*reach+1, 1, nil)
	for k := range reach + 1 {
		sum := 0.0
		for _, f := range w {
			sum += math.Cos(float64(k) * f)
		}
		score := sum / float64(len(w))
		scores.Set(reach-k, 0, score)
		scores.Set(reach+k, 0, score)
	}
	return &Bias{
		Origin: Origin{Label: "rotary"},
		Axes:   []Axis{{"offset", -reach, reach, BeyondEndless}},
		Heads:  headNames(1),
		Scores: scores,
		Notes: []string{fmt.Sprintf("made here: the similarity of an equal query and key of width %d under rotary embeddings of base %v, offsets -%d..%d",
			d, base, reach, reach)},
	}, nil
}
