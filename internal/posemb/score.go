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
// from Shaw et al. 2018, equation 5, or of every head where each has vectors of its
// own. The query is as long as a vector.
func (v *Vectors) Score(query []float64, opt ScoreOptions) (*Bias, error) {
	n, _ := v.Table.Dims()
	d := v.Width()
	if len(query) != d {
		return nil, fault(BadOption, v.Tensor, "", "a query of %s for vectors of %d", count(len(query), "component"), d)
	}
	factor := 1.0
	if opt.Scale {
		factor = 1 / math.Sqrt(float64(d))
	}
	heads := v.Heads
	if heads == nil {
		heads = headNames(1)
	}
	scores := mat.NewDense(n, len(heads), nil)
	for i := range n {
		row := v.Table.RawRowView(i)
		for h := range heads {
			sum := 0.0
			for j, x := range row[h*d : (h+1)*d] {
				sum += float64(query[j] * x) // the conversion forbids a fused multiply-add: the same digits everywhere
			}
			scores.Set(i, h, factor*sum)
		}
	}
	return &Bias{
		Origin: v.Origin,
		Axes:   slices.Clone(v.Axes),
		Heads:  slices.Clone(heads),
		Scores: scores,
		Unused: slices.Clone(v.Unused),
		Notes:  slices.Clone(v.Notes),
		Stored: slices.Clone(v.Stored),
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
