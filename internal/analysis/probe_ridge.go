package analysis

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"
	lapacks "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// linearFit is the least-squares fit of positions to rows, of every penalty at once.
// With the singular value decomposition of the m rows to fit, less their mean,
//
//	X - 1 mean' = U S V'
//
// it holds what predictions of other rows need, and neither U nor V.
type linearFit struct {
	m       int        // rows that were fitted
	s       []float64  // singular values that are no rounding, the largest first
	u       []float64  // U' (position - middle), for each
	v       *mat.Dense // V' (row - mean): singular values x rows to predict
	outside float64    // sum of the squares of the positions that no fit reaches
	middle  float64    // mean position of the rows that were fitted
}

// fit takes some rows to fit and others to predict; false when the singular values do
// not converge.
//
// The decomposition is LAPACK's in its steps, and so as exact: the matrix is turned
// into a bidiagonal one, and the rotations that make that diagonal are applied to the
// positions and to the rows to predict alone. That takes a third of the time of
// making U and V.
func (p *probed) fit(train, test []int) (*linearFit, bool) {
	_, d := p.x.Dims()
	m, t := len(train), len(test)
	x, other := mat.NewDense(m, d, nil), mat.NewDense(t, d, nil)
	at := make([]float64, m)
	for k, i := range train {
		x.SetRow(k, p.x.RawRowView(i))
		at[k] = p.at[i]
	}
	for k, i := range test {
		other.SetRow(k, p.x.RawRowView(i))
	}
	f := &linearFit{m: m, middle: floats.Sum(at) / float64(m)}
	floats.AddConst(-f.middle, at)
	size := mat.Norm(x, 2)
	mean := meanRow(x)
	subtractMean(x, mean)
	subtractMean(other, mean)
	rows := mat.DenseCopyOf(other.T())
	var ok bool
	if m >= d {
		f.s, ok = singularValues(x, mat.NewDense(m, 1, at), rows)
	} else {
		// The transposed matrix is the taller one, with U and V the other way round.
		f.s, ok = singularValues(mat.DenseCopyOf(x.T()), rows, mat.NewDense(m, 1, at))
	}
	if !ok {
		return nil, false
	}
	// What the decomposition rounds (numpy's matrix_rank has the same bound), and what
	// the mean's subtraction does.
	rounding := 0x1p-52 * max(float64(max(m, d))*f.s[0], 4*size)
	rank := 0
	for rank < len(f.s) && f.s[rank] > rounding {
		rank++
	}
	f.outside = floats.Dot(at[rank:], at[rank:])
	if rank == m-1 { // with the intercept every position is reached, but for rounding
		f.outside = 0
	}
	f.s, f.u, f.v = f.s[:rank], at[:rank], rows
	return f, true
}

// singularValues gives the singular values of a matrix that is as tall as wide or taller,
// and turns left into U' left and right into V' right, of which as many rows as there
// are values count (left's others are what is left of it outside of U, turned). The
// matrix is overwritten.
func singularValues(a, left, right *mat.Dense) (values []float64, ok bool) {
	var l lapacks.Implementation
	m, n := a.Dims()
	x, y, z := a.RawMatrix(), left.RawMatrix(), right.RawMatrix()
	values = make([]float64, n)
	beside, tauQ, tauP := make([]float64, max(0, n-1)), make([]float64, n), make([]float64, n)
	work := make([]float64, 64*(m+n+y.Cols+z.Cols)) // blocks of 64 at most
	l.Dgebrd(m, n, x.Data, x.Stride, values, beside, tauQ, tauP, work, len(work))
	l.Dormbr(lapack.ApplyQ, blas.Left, blas.Trans, m, y.Cols, n, x.Data, x.Stride, tauQ, y.Data, y.Stride, work, len(work))
	l.Dormbr(lapack.ApplyP, blas.Left, blas.Trans, n, z.Cols, m, x.Data, x.Stride, tauP, z.Data, z.Stride, work, len(work))
	ok = l.Dbdsqr(blas.Upper, n, z.Cols, 0, y.Cols, values, beside, z.Data, z.Stride, nil, 1, y.Data, y.Stride, work)
	return values, ok
}

// predict gives the positions of the rows to predict, by the fit with a penalty,
//
//	middle + sum over k of v_k s_k / (s_k^2 + penalty) u_k
//
// which for the penalty 0 is the fit of least norm, and for an infinite one the middle.
func (f *linearFit) predict(penalty float64) []float64 {
	_, t := f.v.Dims()
	predicted := make([]float64, t)
	for i := range predicted {
		predicted[i] = f.middle
	}
	for k, s := range f.s {
		if w := f.u[k] / (s + penalty/s); w != 0 {
			floats.AddScaled(predicted, w, f.v.RawRowView(k))
		}
	}
	return predicted
}

// The penalties that are tried, in squares of the largest singular value: from what
// leaves no slope to next to none.
const (
	penalties      = 33
	largestPenalty = 1e4
	penaltyStep    = 0.31622776601683794 // from one to the next: half a power of ten
)

// penalty is the one of least generalised cross-validation,
//
//	m |residuals|^2 / (m - trace of the hat matrix)^2
//
// which stands for leaving each row out in turn and knows of the fitted rows alone
// (Golub, Heath and Wahba 1979). An infinite one: no row differs.
func (f *linearFit) penalty() float64 {
	best, least := math.Inf(1), math.Inf(1)
	if len(f.s) == 0 {
		return best
	}
	penalty := largestPenalty * f.s[0] * f.s[0]
	for range penalties {
		// Sums of what is left, without cancellation: the intercept and each singular
		// value reach one dimension, the latter's by s^2 / (s^2 + penalty) alone.
		squares, left := f.outside, float64(f.m-1-len(f.s))
		for k, s := range f.s {
			g := penalty / (s*s + penalty)
			squares += f.u[k] * g * f.u[k] * g
			left += g
		}
		if score := squares / left / left; score < least {
			best, least = penalty, score
		}
		penalty *= penaltyStep
	}
	return best
}
