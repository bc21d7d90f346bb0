// Package gram is the engine: the products of a table's rows with each other,
//
//	g[i,j] = v_i . v_j
//
// in tiles, on all processors, so that no n x n matrix need ever be held; their
// sums at every distance, by Fourier transform; and the mean products of whole
// blocks, from the blocks' mean vectors. It knows nothing of positions.
//
// Processors with AVX2 and FMA run routines of their own, which the module in
// asm writes; all others, and builds with the tag noasm, gonum's. Both sum in an
// order of their own, so they differ by rounding. With either, results do not
// depend on the number of processors.
package gram

import "fmt"

// Float is the precision that products are taken in.
type Float interface{ float32 | float64 }

// Vectors are rows of a matrix, each with a divisor, such as its norm:
//
//	v_i = Data[i*Stride : i*Stride+D] / Norm[i]
//
// Nothing of it is changed or kept.
type Vectors struct {
	N, D   int       // rows, and the components of each
	Stride int       // numbers from one row to the next, at least D
	Data   []float64 // finite where Norm is not 0
	Norm   []float64 // n divisors; one of 0 makes a row the zero vector, whatever the row holds. nil: all 1
}

// check panics on what no table can be: a bug of the caller.
func (v Vectors) check() {
	if v.N < 0 || v.D < 0 || v.Stride < v.D || v.N > 0 && len(v.Data) < (v.N-1)*v.Stride+v.D || v.Norm != nil && len(v.Norm) != v.N {
		panic(fmt.Sprintf("gram: %d x %d vectors, %d apart, in %d numbers with %d norms", v.N, v.D, v.Stride, len(v.Data), len(v.Norm)))
	}
}

// row is row i, not divided.
func (v Vectors) row(i int) []float64 { return v.Data[i*v.Stride : i*v.Stride+v.D] }

// norm is the divisor of row i.
func (v Vectors) norm(i int) float64 {
	if v.Norm == nil {
		return 1
	}
	return v.Norm[i]
}
