package analysis

import (
	"context"
	"fmt"
	"math"
	"slices"

	"poslens/internal/gram"
	"poslens/internal/posemb"
)

// SimilarityMap is a matrix without its scores for a picture that has fewer pixels
// than there are pairs: Means gives those of any blocks of pairs. It takes O(n d)
// time, in double precision. Of the figures it has the mean alone.
func SimilarityMap(ctx context.Context, a *posemb.Absolute, opt SimilarityOptions) (*Matrix, error) {
	r, err := newRows(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	m := newMatrix(a, opt, r)
	m.Path = fmt.Sprintf("means of blocks of %d positions, in linear time and double precision", r.N)
	m.undefined("the scores were not looked at one by one", "min", "max")
	if r.dot && math.IsInf(r.largest, 1) {
		m.Warnings = append(m.Warnings, "the dot product of some row with itself overflows float64: what the picture's pixels have of such pairs is undefined")
	}
	if r.count < 2 {
		m.undefined("no defined pair of two positions", "mean_offdiagonal")
		return m, nil
	}
	if m.MeanOffdiagonal = Value(r.offdiagonal()); !m.MeanOffdiagonal.Defined() {
		m.MeanOffdiagonal = Value(math.NaN())
		m.undefined(overflow, "mean_offdiagonal")
	}
	return m, nil
}

// Means gives the mean score of the defined pairs in every block
//
//	rows[a] <= i < rows[a+1],  columns[b] <= j < columns[b+1]
//
// row after row, NaN where there is no such pair or the mean overflows. A x B blocks
// take O((n + A B) d) time and no n x n memory, however large they are, since the
// mean of products is the product of the mean vectors.
func (m *Matrix) Means(ctx context.Context, rows, columns []int) ([]float64, error) {
	down, err := gram.Means(ctx, m.rows.Vectors, rows)
	if err != nil {
		return nil, err
	}
	across := down
	means := gram.Make[float64](down.N * max(0, len(columns)-1))
	if slices.Equal(rows, columns) {
		err = gram.Matrix(ctx, means, down)
	} else if across, err = gram.Means(ctx, m.rows.Vectors, columns); err == nil {
		err = gram.Product(ctx, means, down, across)
	}
	if err != nil {
		return nil, err
	}
	m.finishMeans(means, down, across, func(a, b int) bool {
		return rows[a+1]-rows[a] == 1 && columns[b+1]-columns[b] == 1 && rows[a] == columns[b]
	})
	return means, nil
}

// finishMeans turns the products of the mean vectors of blocks into mean scores: those
// that are not defined into NaN, cosines into [-1, 1], and a row's with itself, where
// that is exact, into 1.
func (m *Matrix) finishMeans(means []float64, down, across gram.Vectors, itself func(a, b int) bool) {
	for at, s := range means {
		a, b := at/across.N, at%across.N
		switch {
		case down.Norm[a] == 0 || across.Norm[b] == 0 || s-s != 0:
			means[at] = math.NaN()
		case m.rows.exact && itself(a, b):
			means[at] = 1
		case !m.rows.dot:
			means[at] = clamp(s)
		}
	}
}
