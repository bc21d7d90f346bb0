package analysis

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
	"poslens/internal/posemb"
)

// DecayMatrix averages a square score matrix, queries by keys, along its
// diagonals:
//
//	b(k) = mean over i of F[i,i+k],  -K <= k <= K
//
// A score matrix need not be symmetric, so both signs of the offset are kept. Scores
// that are not finite are left out, and a warning counts them. A matrix that is not
// square is an error, and one without a finite score wraps ErrNothing.
func DecayMatrix(ctx context.Context, from posemb.Origin, m *mat.Dense, opt DecayOptions) (*DecayCurve, error) {
	if m == nil || m.IsEmpty() {
		return nil, nothing("the matrix is empty")
	}
	n, cols := m.Dims()
	if n != cols {
		return nil, fmt.Errorf("a matrix of %d x %d: must be square, a score for every query and key", n, cols)
	}
	steps, warning, err := opt.reach(n-1, max(opt.RowStride, 1))
	if err != nil {
		return nil, err
	}
	at := make([]int, 2*steps+1)
	for i := range at {
		at[i] = (i - steps) * max(opt.RowStride, 1)
	}
	c := newCurve(from, MeasureScore, AxisOffset, at, opt.MeanOnly)
	err = gram.Parallel(ctx, len(at), func() func(int) {
		scores := make([]float64, 0, n)
		return func(task int) {
			scores = scores[:0]
			k := task - steps
			for i := max(0, -k); i < min(n, n-k); i++ {
				if s := m.At(i, i+k); finite(s) {
					scores = append(scores, s)
				}
			}
			c.set(task, scores)
		}
	})
	if err != nil {
		return nil, err
	}
	found, left := 0, 0
	for i := range at {
		k := i - steps
		found += c.Pairs[i]
		left += n - max(k, -k) - c.Pairs[i]
	}
	if found == 0 {
		return nil, nothing("no score of the matrix within offset %d is finite", steps)
	}
	if left > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d %s not finite: left out", left, plural(left, "score is", "scores are")))
	}
	c.warnOptions(opt, warning)
	c.withoutSummary("only the cosine of a table has this figure")
	c.finish()
	return c, nil
}
