package gram

import (
	"context"

	"gonum.org/v1/gonum/floats"
)

// Means gives the mean vector of every block of rows edges[b] <= i < edges[b+1],
// without those whose norm is 0; a block without any other has a norm of 0.
// The product of two means is the mean of the products of their blocks' vectors,
//
//	mean over i in A, j in B of v_i . v_j  =  (mean over A of v_i) . (mean over B of v_j)
//
// so that R x R blocks of a matrix take O(n d + R^2 d) time and not O(n^2 d).
func Means(ctx context.Context, v Vectors, edges []int) (Vectors, error) {
	v.check()
	n := max(0, len(edges)-1)
	means := Vectors{N: n, D: v.D, Stride: v.D, Data: Make[float64](n * v.D), Norm: make([]float64, n)}
	return means, Parallel(ctx, n, func() func(int) {
		return func(b int) {
			sum := means.row(b)
			for i := edges[b]; i < edges[b+1]; i++ {
				if norm := v.norm(i); norm != 0 {
					floats.AddScaled(sum, 1/norm, v.row(i))
					means.Norm[b]++
				}
			}
		}
	})
}
