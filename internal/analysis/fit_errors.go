package analysis

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// singular is the condition from which on parameters can't be told apart.
const singular = 1e10

// errors fills the parameters and the value at 0 with their standard errors.
func (p *points) errors(f *Fit, s *solver, x solution) {
	nt := len(x.theta)
	value, at := p.natural(f.model, x)
	for i := range f.Params {
		f.Params[i].Value = Value(value[i])
	}
	phi := make([]float64, len(x.alpha))
	slope := make([][]float64, nt)
	for m := range slope {
		slope[m] = make([]float64, len(phi))
	}
	f.model.basis(0, x.theta, phi, slope)
	f.AtZero.Value = Value(at)
	if !finite(at) {
		f.AtZero = undefinedEstimate()
		f.undefine("the model has no value at 0", "at_zero")
	}

	// Along the logarithms the columns are of like size; d value = value d log.
	j, _ := s.jacobian(x)
	cov, ok := covariance(j, x.rss/float64(f.N-f.model.params()))
	if !ok {
		f.Converged = false
		f.undefine("the points do not tell the parameters apart", "converged", "std_err")
		return
	}
	gradient := make([]float64, len(f.Params)) // of the value at 0
	for i := range f.Params {
		d := math.Sqrt(cov.At(i, i))
		switch {
		case i >= nt:
			gradient[i] = phi[i-nt]
			d = math.Ldexp(d, p.exponent)
		default:
			gradient[i] = floats.Dot(slope[i], x.alpha)
			if f.model.theta[i].log {
				d *= value[i]
			}
		}
		f.Params[i].StdErr = Value(d)
	}
	for _, param := range f.Params {
		if !param.Value.Defined() || !param.StdErr.Defined() {
			f.undefine(overflow, "params")
		}
	}
	if f.AtZero.Value.Defined() {
		g := mat.NewVecDense(len(gradient), gradient)
		f.AtZero.StdErr = Value(math.Ldexp(math.Sqrt(max(0, mat.Inner(g, cov, g))), p.exponent))
	}
}

// covariance is variance (J^T J)^-1, by the QR factors of J with its columns scaled to
// norm 1. ok is false when that is singular.
func covariance(j *mat.Dense, variance float64) (cov *mat.Dense, ok bool) {
	_, n := j.Dims()
	a := mat.DenseCopyOf(j)
	norm := make([]float64, n)
	for c := range norm {
		column := mat.Col(nil, c, a)
		if norm[c] = floats.Norm(column, 2); !(norm[c] > 0) || !finite(norm[c]) {
			return nil, false
		}
		floats.Scale(1/norm[c], column)
		a.SetCol(c, column)
	}
	var qr mat.QR
	qr.Factorize(a)
	if !(qr.Cond() < singular) {
		return nil, false
	}
	var r, inverse mat.Dense
	qr.RTo(&r)
	if err := inverse.Inverse(r.Slice(0, n, 0, n)); err != nil {
		return nil, false
	}
	cov = mat.NewDense(n, n, nil)
	cov.Mul(&inverse, inverse.T())
	cov.Apply(func(i, k int, v float64) float64 { return variance * v / norm[i] / norm[k] }, cov)
	return cov, true
}
