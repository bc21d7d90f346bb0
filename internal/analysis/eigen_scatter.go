package analysis

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// spectra are the eigenvalues of the scatter of rows less their mean m, the largest
// first and none below 0, and the largest eigenvalue of the scatter of the rows
// themselves. One reduction gives both. With the centred rows C it is
//
//	X'X = C'C + n m m'                                    columns
//	X X' = C C' + (C m) 1' + 1 (C m)' + m'm 1 1',  C'1 = 0      rows
//
// so that once m, or 1 and then C m, are the first basis vectors, the tridiagonal
// form of the one differs from the other's in the first numbers alone. The scatter of
// the centred rows, both halves of it, is overwritten.
func (v *finiteRows) spectra(ctx context.Context, a blas64.General) (centred []float64, largest float64, err error) {
	side := a.Rows
	var t, plain *tridiagonal
	n, squares := float64(v.n()), floats.Dot(v.mean, v.mean)
	if v.n() > v.s.rows.D {
		turnTo(a, slices.Clone(v.mean))
		if t, err = tridiagonalise(ctx, a); err != nil {
			return nil, 0, err
		}
		plain = &tridiagonal{slices.Clone(t.diagonal), slices.Clone(t.beside)}
		plain.diagonal[0] += n * squares
	} else {
		along := v.times(v.mean)
		ones := make([]float64, side)
		floats.AddConst(1, ones)
		if mirror := turnTo(a, ones); mirror != nil {
			floats.AddScaled(along, -2*floats.Dot(mirror, along), mirror)
		}
		// The first row and column are C C' 1, which is 0.
		a, along = corner(a, 1), along[1:]
		length := floats.Norm(along, 2)
		turnTo(a, along)
		if t, err = tridiagonalise(ctx, a); err != nil {
			return nil, 0, err
		}
		plain = &tridiagonal{append([]float64{n * squares}, t.diagonal...), nil}
		if side > 1 {
			plain.beside = append([]float64{math.Sqrt(n) * length}, t.beside...)
		}
	}
	all, err := plain.values()
	if err != nil {
		return nil, 0, err
	}
	if centred, err = t.values(); err != nil {
		return nil, 0, err
	}
	largest = all[len(all)-1]
	if len(centred) < side {
		centred = append(centred, 0)
	}
	slices.Sort(centred)
	slices.Reverse(centred)
	for i, l := range centred {
		centred[i] = max(l, 0)
	}
	return centred, largest, nil
}

// full is a copy of a symmetric matrix with both its halves.
func full(s *mat.SymDense) blas64.General {
	n := s.SymmetricDim()
	upper := s.RawSymmetric()
	a := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for i := range n {
		copy(a.Data[i*n+i:(i+1)*n], upper.Data[i*upper.Stride+i:i*upper.Stride+n])
		for j := range i {
			a.Data[i*n+j] = a.Data[j*n+i]
		}
	}
	return a
}

// times is the product of every row with x.
func (v *finiteRows) times(x []float64) []float64 {
	along := make([]float64, 0, v.n())
	v.blocks(sumRows, func(b gram.Vectors) {
		for k := range b.N {
			along = append(along, floats.Dot(b.Data[k*b.D:(k+1)*b.D], x))
		}
	})
	return along
}

// turnTo turns the basis of a symmetric matrix A, by a reflection, so that x is along
// its first vector: A becomes (1 - 2 u u') A (1 - 2 u u'), with the unit vector u that
// it gives. x is overwritten; where it is 0 nothing is done.
func turnTo(a blas64.General, x []float64) (u []float64) {
	length := floats.Norm(x, 2)
	if length == 0 {
		return nil
	}
	floats.Scale(1/length, x)
	x[0] += math.Copysign(1, x[0])
	floats.Scale(1/floats.Norm(x, 2), x)
	w := make([]float64, len(x))
	blas64.Gemv(blas.Trans, 2, a, vector(x), 0, vector(w))
	floats.AddScaled(w, -floats.Dot(w, x), x)
	for i := range x {
		row := rowOf(a, i)
		floats.AddScaled(row, -x[i], w)
		floats.AddScaled(row, -w[i], x)
	}
	return x
}
