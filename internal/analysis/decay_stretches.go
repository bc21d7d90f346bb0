package analysis

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// stretchCount is into how many stretches the pairs at each distance are cut. Of 4, 6,
// 10, 16 and 20 on tables of posemb.Smooth, ten come nearest to the scatter of fitted
// lengths: fewer make the error itself scatter, more are shorter than the length.
const stretchCount = 10

// stretches are the means of a curve without a part of the table: the pairs at each
// distance, in the order of their first positions, are cut into stretchCount stretches
// of as many pairs, and each is left out once.
type stretches struct {
	positions int         // that the table spans
	without   [][]float64 // stretchCount x places; NaN where no pair is left
}

func newStretches(places int, positions int) *stretches {
	s := &stretches{positions: positions}
	for range stretchCount {
		s.without = append(s.without, undefined(places))
	}
	return s
}

// take fills place k from the defined scores there, in the order of their first
// positions, which it leaves as they are. They are summed about the first one and in
// units of a power of two, so that nothing overflows and equal scores have no scatter.
func (s *stretches) take(k int, scores []float64) {
	n := len(scores)
	if n < 2 {
		return
	}
	_, exponent := math.Frexp(magnitude(scores))
	exponent = max(exponent, -1000) // of its inverse
	unit := math.Ldexp(1, -exponent)
	first := scores[0] * unit
	sums := make([]float64, stretchCount)
	for b := range sums {
		for _, x := range scores[b*n/stretchCount : (b+1)*n/stretchCount] {
			sums[b] += x*unit - first
		}
	}
	total := floats.Sum(sums)
	for b, sum := range sums {
		left := n - ((b+1)*n/stretchCount - b*n/stretchCount)
		s.without[b][k] = math.Ldexp(first+(total-sum)/float64(left), exponent)
	}
}
