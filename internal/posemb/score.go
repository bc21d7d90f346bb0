package posemb

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ScoreOptions say how a query meets the vectors.
type ScoreOptions struct {
	Scale bool // multiply by 1/sqrt(width), as attention does
}

// Score is the bias of one head that a query makes of the vectors:
//
//	score(k) = query . row(k)
//
// from Shaw et al. 2018, equation 5. The query is as long as a row.
func (v *Vectors) Score(query []float64, opt ScoreOptions) (*Bias, error) {
	n, d := v.Table.Dims()
	if len(query) != d {
		return nil, fault(BadOption, v.Tensor, "", "a query of %d components for vectors of %d", len(query), d)
	}
	factor := 1.0
	if opt.Scale {
		factor = 1 / math.Sqrt(float64(d))
	}
	scores := mat.NewDense(n, 1, nil)
	for i := range n {
		sum := 0.0
		for j, x := range v.Table.RawRowView(i) {
			sum += float64(query[j] * x) // the conversion forbids a fused multiply-add: the same digits everywhere
		}
		scores.Set(i, 0, factor*sum)
	}
	return &Bias{
		Origin: v.Origin,
		Axes:   slices.Clone(v.Axes),
		Heads:  headNames(1),
		Scores: scores,
		Unused: slices.Clone(v.Unused),
		Notes:  slices.Clone(v.Notes),
	}, nil
}

// UniformQuery is the unit vector with all components equal.
func UniformQuery(width int) []float64 {
	return slices.Repeat([]float64{1 / math.Sqrt(float64(width))}, width)
}

// OnesQuery has the value 1 in every component.
func OnesQuery(width int) []float64 {
	return slices.Repeat([]float64{1}, width)
}
