package analysis

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"poslens/internal/gram"
)

// tridiagonal is a symmetric matrix that has numbers on its diagonal and beside it
// alone.
type tridiagonal struct {
	diagonal []float64
	beside   []float64 // one number less
}

// reflectAtOnce is how many reflections are gathered before the rest of the matrix
// follows them, so that half the work is a product of matrices.
const reflectAtOnce = 32

// tridiagonalise brings a symmetric matrix, both halves of it given, to tridiagonal
// form by reflections that leave the first basis vector alone. The matrix is
// overwritten. It takes 4/3 n^3 operations, gonum's a multiple of their time: it goes
// along columns, which rows after each other hold far apart.
//
//	Dongarra, Sorensen and Hammarling, Block reduction of matrices to condensed forms
//	for eigenvalue computations, J. Comput. Appl. Math. 27, 1989
func tridiagonalise(ctx context.Context, a blas64.General) (*tridiagonal, error) {
	n := a.Rows
	t := &tridiagonal{diagonal: make([]float64, n), beside: make([]float64, max(n-1, 0))}
	p := newReflections(min(reflectAtOnce, n), n)
	for from := 0; from < n; from += reflectAtOnce {
		rest := corner(a, from)
		p.reset(rest.Rows)
		for k := range min(reflectAtOnce, rest.Rows) {
			p.reduce(rest, k, t.diagonal[from:], t.beside[min(from, len(t.beside)):])
		}
		if rest.Rows > reflectAtOnce {
			if err := p.apply(ctx, corner(rest, reflectAtOnce)); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// corner is a square matrix without its first rows and columns.
func corner(a blas64.General, without int) blas64.General {
	return blas64.General{Rows: a.Rows - without, Cols: a.Cols - without, Stride: a.Stride, Data: a.Data[min(without*a.Stride+without, len(a.Data)):]}
}

// reflections are some that a matrix A waits for: A - V'W - W'V is what it becomes.
type reflections struct {
	v, w blas64.General // a reflection a row
	both []float64      // room for the products of apply
}

func newReflections(k, n int) *reflections {
	room := func() blas64.General {
		return blas64.General{Rows: k, Cols: n, Stride: n, Data: make([]float64, k*n)}
	}
	return &reflections{v: room(), w: room()}
}

// reset forgets them for those of an n x n matrix.
func (p *reflections) reset(n int) {
	for _, g := range []*blas64.General{&p.v, &p.w} {
		g.Cols, g.Stride = n, n
		clear(g.Data)
	}
}

func rowOf(g blas64.General, i int) []float64 { return g.Data[i*g.Stride : i*g.Stride+g.Cols] }

// reduce adds the reflection that clears column k below the number beside the
// diagonal, those before it being waited for.
func (p *reflections) reduce(a blas64.General, k int, diagonal, beside []float64) {
	column := append([]float64(nil), rowOf(a, k)[k:]...)
	for b := range k {
		v, w := rowOf(p.v, b)[k:], rowOf(p.w, b)[k:]
		floats.AddScaled(column, -v[0], w)
		floats.AddScaled(column, -w[0], v)
	}
	diagonal[k] = column[0]
	if len(column) == 1 {
		return
	}
	v, w := rowOf(p.v, k)[k+1:], rowOf(p.w, k)[k+1:]
	copy(v, column[1:])
	var tau float64
	beside[k], tau = reflector(v)
	if tau == 0 {
		clear(v)
		return
	}
	blas64.Gemv(blas.Trans, 1, corner(a, k+1), vector(v), 0, vector(w)) // A is its transpose, of which this is faster
	for b := range k {
		bv, bw := rowOf(p.v, b)[k+1:], rowOf(p.w, b)[k+1:]
		alongV, alongW := floats.Dot(bv, v), floats.Dot(bw, v)
		floats.AddScaled(w, -alongW, bv)
		floats.AddScaled(w, -alongV, bw)
	}
	floats.Scale(tau, w)
	floats.AddScaled(w, -tau/2*floats.Dot(w, v), v)
}

// reflector makes x the vector v, of which the first number is 1, such that
// (1 - tau v v') x is (first, 0, 0, ...). A tau of 0 is no reflection.
func reflector(x []float64) (first, tau float64) {
	rest := floats.Norm(x[1:], 2)
	if rest == 0 {
		return x[0], 0
	}
	first = -math.Copysign(math.Hypot(x[0], rest), x[0])
	tau = (first - x[0]) / first
	floats.Scale(1/(x[0]-first), x[1:])
	x[0] = 1
	return first, tau
}

// apply lets the rest of the matrix, its last rows and columns, follow.
func (p *reflections) apply(ctx context.Context, rest blas64.General) error {
	last := func(g blas64.General) blas64.General {
		return blas64.General{Rows: g.Rows, Cols: rest.Rows, Stride: g.Stride, Data: g.Data[g.Cols-rest.Rows:]}
	}
	v, w := last(p.v), last(p.w)
	if rest.Rows <= gram.Side { // not worth packing
		blas64.Gemm(blas.Trans, blas.NoTrans, -1, v, w, 1, rest)
		blas64.Gemm(blas.Trans, blas.NoTrans, -1, w, v, 1, rest)
		return nil
	}
	n, k := rest.Rows, v.Rows
	if p.both == nil {
		p.both = make([]float64, n*n)
	}
	vw := gram.Vectors{N: n, D: 2 * k, Stride: 2 * k, Data: make([]float64, 2*k*n)}
	wv := gram.Vectors{N: n, D: 2 * k, Stride: 2 * k, Data: make([]float64, 2*k*n)}
	for b := range k {
		for i, x := range rowOf(v, b) {
			vw.Data[i*2*k+b], wv.Data[i*2*k+k+b] = x, x
		}
		for i, x := range rowOf(w, b) {
			vw.Data[i*2*k+k+b], wv.Data[i*2*k+b] = x, x
		}
	}
	if err := gram.Product(ctx, p.both[:n*n], vw, wv); err != nil {
		return err
	}
	for i := range n {
		floats.Sub(rowOf(rest, i), p.both[i*n:(i+1)*n])
	}
	return nil
}

// values are the eigenvalues, rising. The matrix is overwritten.
func (t *tridiagonal) values() ([]float64, error) {
	if !(lapack.Implementation{}).Dsterf(len(t.diagonal), t.diagonal, t.beside) {
		return nil, errEigen
	}
	return t.diagonal, nil
}
