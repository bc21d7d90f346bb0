package analysis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// scattered are the centred rows X of a table with what CKA needs of them.
type scattered struct {
	rows   *finiteRows
	kernel []float64 // X X', n x n, where n is no more than the width; else nil
	norm   float64   // |X X'|_F = |X' X|_F
	trace  float64   // |X|_F^2, in units of the rows' exponent
	reason string    // why nothing is defined; empty: it is
}

// newScattered centres the rows of a subject. The smaller of X X' and X' X is
// computed, whose norms are the same.
func newScattered(ctx context.Context, s *subject) (*scattered, error) {
	x := &scattered{rows: s.finite(true)}
	energy := s.finite(false).energy()
	x.trace = x.rows.energy()
	switch {
	case energy == 0:
		x.reason = "every row is zero"
		return x, nil
	case len(s.whole) < 2:
		x.reason = "a single row does not vary"
		return x, nil
	case x.trace <= 1e-24*energy: // rounding of the mean is no variance
		x.reason = "all rows are equal: nothing varies"
		return x, nil
	}
	scatter, err := x.rows.scatter(ctx)
	if err != nil {
		return nil, err
	}
	data := scatter.RawSymmetric().Data // whole, not its upper half alone
	x.norm = floats.Norm(data, 2)
	if x.rows.n() <= s.rows.D {
		x.kernel = data
	}
	return x, nil
}

// cka is linear centred kernel alignment,
//
//	|X'Y|_F^2 / (|X'X|_F |Y'Y|_F)
//
// which no rotation and no scale of either table changes, and which tables of
// different width have too. |X'Y|_F^2 is the sum of the products of X X' and Y Y',
// which are taken instead where they are smaller; else X'Y is given as well, in the
// units of the rows' exponents. Kornblith et al. 2019.
func (x *scattered) cka(ctx context.Context, y *scattered) (cka float64, cross []float64, err error) {
	var inner float64
	if x.kernel != nil && y.kernel != nil {
		inner = floats.Dot(x.kernel, y.kernel)
	} else {
		if cross, err = crossProducts(ctx, x.rows, y.rows); err != nil {
			return 0, nil, err
		}
		inner = floats.Dot(cross, cross)
	}
	return min(1, inner/x.norm/y.norm), cross, nil
}

// chance is the mean of CKA over all orders of the rows of one table,
//
//	tr(X X') tr(Y Y') / ((n-1) |X X'|_F |Y Y'|_F)
//
// since the mean of P K P' over all permutations P is, for a centred K, the
// projection onto vectors of sum 0 times tr(K)/(n-1).
func (x *scattered) chance(y *scattered) float64 {
	return x.trace / x.norm * (y.trace / y.norm) / float64(x.rows.n()-1)
}

// crossProducts is X'Y of rows that belong together, of width by width.
func crossProducts(ctx context.Context, x, y *finiteRows) ([]float64, error) {
	dx, dy := x.s.rows.D, y.s.rows.D
	sum, part := make([]float64, dx*dy), make([]float64, dx*dy)
	for from := 0; from < x.n(); from += blockRows {
		n := min(blockRows, x.n()-from)
		if err := gram.Product(ctx, part, transposed(x.block(nil, from, n)), transposed(y.block(nil, from, n))); err != nil {
			return nil, err
		}
		floats.Add(sum, part)
	}
	return sum, nil
}

// mostSingular is the side of a matrix up to which singular values are taken.
const mostSingular = 1536

// procrustes is the share of a table's variance that the other explains once it is
// turned, mirrored and scaled as fits best,
//
//	R^2 = (sum of the singular values of X'Y)^2 / (|X|_F^2 |Y|_F^2)
//
// 1 - R^2 is the least |Y - s X Q|_F^2 / |Y|_F^2 over scales s and orthogonal Q, the
// same with X and Y changed about. Undefined, with the reason, for tables of different
// width and for very large ones. Schoenemann 1966; Schoenemann and Carroll 1970 for
// the scale.
func (x *scattered) procrustes(ctx context.Context, y *scattered, cross []float64) (r2 float64, reason string, err error) {
	n, d := x.rows.n(), x.rows.s.rows.D
	if other := y.rows.s.rows.D; d != other {
		return math.NaN(), fmt.Sprintf("widths %d and %d: no rotation turns one into the other", d, other), nil
	}
	if side := min(n, d); side > mostSingular {
		return math.NaN(), fmt.Sprintf("singular values of a %d x %d matrix take minutes", side, side), nil
	}
	var m *mat.Dense
	if n < d {
		// Of X' = Q R the singular values of X'Y = Qx Rx Ry' Qy' are those of Rx Ry'.
		m = mat.NewDense(n, n, nil)
		m.Mul(x.triangle(), y.triangle().T())
	} else {
		if cross == nil {
			if cross, err = crossProducts(ctx, x.rows, y.rows); err != nil {
				return 0, "", err
			}
		}
		m = mat.NewDense(d, d, cross)
	}
	if err := ctx.Err(); err != nil {
		return 0, "", err
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		return math.NaN(), "the singular values did not converge", nil
	}
	sum := floats.Sum(svd.Values(nil))
	return min(1, sum/x.trace*(sum/y.trace)), "", nil
}

// triangle is the R of X' = Q R.
func (x *scattered) triangle() *mat.Dense {
	n, d := x.rows.n(), x.rows.s.rows.D
	all := x.rows.block(nil, 0, n)
	var qr mat.QR
	qr.Factorize(mat.NewDense(n, d, all.Data).T())
	var r mat.Dense
	qr.RTo(&r)
	return r.Slice(0, n, 0, n).(*mat.Dense)
}
