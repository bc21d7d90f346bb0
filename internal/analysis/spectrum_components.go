package analysis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// components fills in all that the principal components give, and the scores of the
// first k, or of as many as there are; asked is how many the caller wants.
func (r *SpectrumResult) components(ctx context.Context, s *subject, k, asked int) error {
	f := newFigures()
	found, err := s.components(ctx, f, true)
	if err != nil {
		return err
	}
	r.take(f, append([]string{"stable_rank"}, varianceNames...)...)
	l := found.values
	if l == nil {
		return nil
	}
	r.variances(l, found.rows)
	real := rankOf(l)
	if asked > real {
		r.Notes = append(r.Notes, fmt.Sprintf("%d components hold more than rounding, of the %d that were asked for", real, asked))
	}
	k = min(k, real)
	scores, err := r.scores(ctx, found.rows, found.scatter, l, k)
	if err != nil {
		return err
	}
	for c := range k {
		all := undefined(s.rows.N)
		for i, at := range s.whole {
			all[at] = scores.Data[c*scores.Stride+i]
		}
		r.Components = append(r.Components, Component{Index: c, Variance: Value(r.Variance[c]), Share: Value(r.Share[c]), Period: Value(math.NaN()), WaveShare: Value(math.NaN()), Scores: all})
	}
	return nil
}

// rankOf is how many eigenvalues of a scatter, the largest first, are more than the
// rounding of the largest.
func rankOf(l []float64) int {
	const epsilon = 0x1p-52
	rounding := float64(len(l)) * epsilon * l[0]
	rank := 0
	for rank < len(l) && l[rank] > rounding {
		rank++
	}
	return rank
}

// variances fills in the variances along all components from the eigenvalues of the
// scatter, which are in units of 2^exponent, squared.
func (r *SpectrumResult) variances(l []float64, v *finiteRows) {
	total, sum := floats.Sum(l), 0.0
	unit := 2 * v.exponent
	for _, x := range l {
		sum += x
		r.Variance = append(r.Variance, math.Ldexp(x/float64(v.n()), unit))
		r.Share = append(r.Share, x/total)
		r.CumulativeShare = append(r.CumulativeShare, min(1, sum/total))
	}
	if !representable(l[0]/float64(v.n()), unit) {
		r.Variance = undefined(len(l))
		r.Reasons["variance"] = beyond
	}
}

// beyond is the reason of values whose squares no float64 holds.
const beyond = "beyond the range of float64"

// representable tells whether x 2^exponent is a float64 with all its digits.
func representable(x float64, exponent int) bool {
	_, e := math.Frexp(x)
	return e+exponent <= 1024 && e+exponent > -1000
}

// mostWholeEigen is the side of a scatter up to which all its eigenvectors are taken,
// which is 0.2 s for 256, 1.5 s for 512 and 11 s for 1024.
const mostWholeEigen = 256

// scores are those of the rows along the first k components, a component a vector,
// in the table's units and with the largest one positive. l are the eigenvalues of
// the scatter of v.
func (r *SpectrumResult) scores(ctx context.Context, v *finiteRows, scatter *mat.SymDense, l []float64, k int) (gram.Vectors, error) {
	side := len(l)
	var vectors gram.Vectors
	if side <= mostWholeEigen || 4*k > side {
		_, all, err := eigenvectors(scatter)
		if err != nil {
			return vectors, err
		}
		vectors = gram.Vectors{N: k, D: side, Stride: side, Data: all.Data[:k*side]}
		r.Path = fmt.Sprintf("all eigenvectors of the %d x %d scatter matrix", side, side)
	} else {
		found, residual, steps, settled, err := leading(ctx, scatter, l, k)
		if err != nil {
			return vectors, err
		}
		vectors = found
		r.Path = fmt.Sprintf("the first eigenvectors of the %d x %d scatter matrix by %d products of it, with residuals up to %.1e of the eigenvalues", side, side, steps, residual)
		if !settled {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the first %d components are rough (residuals up to %.1e of their variances): those after them are nearly as large", k, residual))
		}
	}
	scores := gram.Vectors{N: k, D: v.n(), Stride: v.n(), Data: make([]float64, k*v.n())}
	if v.n() <= v.s.rows.D {
		// Of X X' = U L U' the scores are X (X'u / sqrt l) = sqrt(l) u.
		for c := range k {
			floats.ScaleTo(scores.Data[c*scores.Stride:][:v.n()], math.Sqrt(l[c]), vectors.Data[c*side:][:side])
		}
	} else {
		var failed error
		from := 0
		v.blocks(blockRows, func(b gram.Vectors) {
			if failed != nil {
				return
			}
			along := make([]float64, b.N*k)
			failed = gram.Product(ctx, along, b, vectors)
			for i := range b.N {
				for c := range k {
					scores.Data[c*scores.Stride+from+i] = along[i*k+c]
				}
			}
			from += b.N
		})
		if failed != nil {
			return vectors, failed
		}
	}
	for c := range k {
		score := scores.Data[c*scores.Stride:][:v.n()]
		if largestOf(score) < 0 {
			floats.Scale(-1, score)
		}
		shiftExponent(score, v.exponent)
	}
	return scores, nil
}

// largestOf is the value of the largest magnitude; of those that differ by no more
// than rounding the first, so that rounding does not choose a sign.
func largestOf(y []float64) float64 {
	most := 0.0
	for _, v := range y {
		most = max(most, math.Abs(v))
	}
	for _, v := range y {
		if math.Abs(v) >= most*(1-1e-9) {
			return v
		}
	}
	return 0
}
