package gram

import (
	"math"

	"gonum.org/v1/gonum/blas"
	gonum "gonum.org/v1/gonum/blas/gonum"
)

// kernel multiplies packed vectors.
type kernel[F Float] struct {
	panel    int // rows side by side in its panels
	group    int // rows that it multiplies at a time; packed ones are filled up to a multiple of it, as Side is
	multiply func(c []F, a, b []F, d int, s span)
}

// span is the part of a tile to compute: m x n products, of which those outside
// the band low <= j-i < high may be left as they are.
type span struct {
	m, n      int
	low, high int
}

// whole is a span of m x n products without a band.
func whole(m, n int) span { return span{m, n, math.MinInt / 2, math.MaxInt / 2} }

// portable is gonum's product. Its panels are single rows.
func portable[F Float]() kernel[F] {
	var g gonum.Implementation
	var multiply any
	switch any(F(0)).(type) {
	case float64:
		multiply = func(c, a, b []float64, d int, s span) {
			g.Dgemm(blas.NoTrans, blas.Trans, s.m, s.n, d, 1, a, d, b, d, 0, c, Side)
		}
	case float32:
		multiply = func(c, a, b []float32, d int, s span) {
			g.Sgemm(blas.NoTrans, blas.Trans, s.m, s.n, d, 1, a, d, b, d, 0, c, Side)
		}
	}
	return kernel[F]{1, 1, multiply.(func(c, a, b []F, d int, s span))}
}

// best is the fastest kernel of this processor.
func best[F Float]() kernel[F] {
	if k, ok := vector[F](); ok {
		return k
	}
	return portable[F]()
}
