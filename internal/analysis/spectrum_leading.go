package analysis

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// How leading looks for eigenvectors.
const (
	ownResidual   = 1e-11 // of |S q - l q|, over l
	roundResidual = 2e-14 // of the same, over the largest eigenvalue: what rounding leaves
	guard         = 16    // vectors beside those wanted
	mostDegree    = 24    // of a filter, its products of S
	mostGrowth    = 18    // logarithm of how far a filter may lift the first vector over the last, so that rounding does not drown it
	mostProducts  = 4000
	leadingSeed   = 42
)

// leading gives the eigenvectors of the k largest eigenvalues, all above 0, of a
// symmetric matrix that has no negative ones. All are known, the largest first.
//
// It is subspace iteration: a block of k + 16 random vectors is multiplied by a
// Chebyshev polynomial of the matrix, which keeps the interval from 0 to the first
// eigenvalue beyond the block within [-1, 1] and so lifts what lies above; it is made
// orthonormal; and the block's own eigenvectors are found (Rayleigh and Ritz). That is
// repeated until every wanted vector q has
//
//	|S q - l q| <= 1e-11 l + 2e-14 max l
//
// It gives the largest |S q - l q| / l and the number of products S x block; settled
// says whether that is enough.
//
//	Zhou, Saad, Tiago and Chelikowsky, Self-consistent-field calculations using
//	Chebyshev-filtered subspace iteration, J. Comput. Phys. 219, 2006
func leading(ctx context.Context, s *mat.SymDense, l []float64, k int) (found gram.Vectors, residual float64, steps int, settled bool, err error) {
	n := len(l)
	p := min(n, k+guard)
	f := &filter{matrix: s.RawSymmetric().Data, n: n, p: p, degree: 1}
	if p < n {
		f.fit(l[0], l[k-1], l[p])
	}
	random := rand.New(rand.NewPCG(leadingSeed, 0))
	q := make([]float64, p*n)
	for i := range q {
		q[i] = random.NormFloat64()
	}
	for {
		orthonormal(q, n, random)
		sq, err := f.product(ctx, q)
		if err != nil {
			return found, 0, 0, false, err
		}
		turned, sturned, residuals, err := ritz(ctx, q, sq, n, k)
		if err != nil {
			return found, 0, 0, false, err
		}
		residual, settled = 0, true
		for c, res := range residuals {
			residual = max(residual, res/l[c])
			settled = settled && res <= ownResidual*l[c]+roundResidual*l[0]
		}
		if settled || f.steps >= mostProducts {
			return gram.Vectors{N: k, D: n, Stride: n, Data: turned[:k*n]}, residual, f.steps, settled, nil
		}
		if q, err = f.lift(ctx, turned, sturned); err != nil {
			return found, 0, 0, false, err
		}
	}
}

// filter multiplies blocks of p vectors of n numbers by polynomials of a symmetric
// matrix.
type filter struct {
	matrix []float64 // n x n, both halves
	n, p   int
	cut    float64 // end of the interval to keep down; 0: the polynomial is the matrix itself
	degree int
	steps  int // products so far
}

// fit chooses the polynomial for the first and the last eigenvalue that are wanted
// and the first beyond the block. Outside the interval it grows as
//
//	cosh(degree acosh(2 l / cut - 1))
func (f *filter) fit(first, last, beyond float64) {
	if beyond <= roundResidual*first {
		return
	}
	growth := func(l float64) float64 { return math.Acosh(max(1, 2*l/beyond-1)) }
	f.cut = beyond
	f.degree = max(1, int(min(mostDegree, mostGrowth/max(1e-9, growth(first)-growth(last)))))
}

// product is the matrix times each vector.
func (f *filter) product(ctx context.Context, q []float64) ([]float64, error) {
	f.steps++
	out := make([]float64, f.n*f.p)
	rows := gram.Vectors{N: f.n, D: f.n, Stride: f.n, Data: f.matrix}
	if err := gram.Product(ctx, out, rows, gram.Vectors{N: f.p, D: f.n, Stride: f.n, Data: q}); err != nil {
		return nil, err
	}
	return transposed(gram.Vectors{N: f.n, D: f.p, Stride: f.p, Data: out}).Data, nil
}

// lift is T(2 S/cut - 1) q of the Chebyshev polynomial T of the filter's degree, by
// its recurrence, sq being S q.
func (f *filter) lift(ctx context.Context, q, sq []float64) ([]float64, error) {
	if f.cut == 0 {
		return sq, nil
	}
	shift := func(sx, x []float64) { // 2/cut S x - x
		floats.Scale(2/f.cut, sx)
		floats.Sub(sx, x)
	}
	before, now := q, sq
	shift(now, before)
	for range f.degree - 1 {
		next, err := f.product(ctx, now)
		if err != nil {
			return nil, err
		}
		shift(next, now)
		floats.Scale(2, next)
		floats.Sub(next, before)
		before, now = now, next
		for from := 0; from < len(now); from += f.n { // a scale of its own keeps each vector in range
			if m := magnitude(now[from : from+f.n]); m > 1e100 {
				floats.Scale(1/m, now[from:from+f.n])
				floats.Scale(1/m, before[from:from+f.n])
			}
		}
	}
	return now, nil
}

// orthonormal makes vectors of n numbers orthonormal, by Gram and Schmidt's method
// twice, which is enough for rounding's sake. One that is nothing but a sum of those
// before it is drawn anew.
func orthonormal(q []float64, n int, random *rand.Rand) {
	for from := 0; from < len(q); from += n {
		v := q[from : from+n]
		for pass := 0; pass < 2; pass++ {
			m := magnitude(v)
			if m == 0 {
				for i := range v {
					v[i] = random.NormFloat64()
				}
				m, pass = 1, 0
			}
			floats.Scale(1/m, v)
			for before := 0; before < from; before += n {
				u := q[before : before+n]
				floats.AddScaled(v, -floats.Dot(u, v), u)
			}
		}
		floats.Scale(1/floats.Norm(v, 2), v)
	}
}

// ritz turns orthonormal vectors q, with S q at hand, into the eigenvectors of S
// within their span, the largest eigenvalue first, and gives the residuals
// |S q - l q| of the first k.
func ritz(ctx context.Context, q, sq []float64, n, k int) (turned, sturned, residuals []float64, err error) {
	p := len(q) / n
	small := make([]float64, p*p)
	block := func(data []float64) gram.Vectors { return gram.Vectors{N: p, D: n, Stride: n, Data: data} }
	if err := gram.Product(ctx, small, block(q), block(sq)); err != nil {
		return nil, nil, nil, err
	}
	for i := range p {
		for j := range i {
			mean := small[i*p+j]/2 + small[j*p+i]/2
			small[i*p+j], small[j*p+i] = mean, mean
		}
	}
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(p, small), true) {
		return nil, nil, nil, errEigen
	}
	turn := vectorsOf(&e, p)
	values := e.Values(nil)
	apply := func(of []float64) []float64 {
		out := make([]float64, len(of))
		for c := range p {
			for j, w := range turn.Data[c*p : (c+1)*p] {
				floats.AddScaled(out[c*n:(c+1)*n], w, of[j*n:(j+1)*n])
			}
		}
		return out
	}
	turned, sturned = apply(q), apply(sq)
	rest := make([]float64, n)
	for c := range k {
		floats.AddScaledTo(rest, sturned[c*n:(c+1)*n], -values[p-1-c], turned[c*n:(c+1)*n])
		residuals = append(residuals, floats.Norm(rest, 2))
	}
	return turned, sturned, residuals, nil
}
