package analysis

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// logistic is a logistic regression of m examples x with the labels t of -1 and 1,
// which only their products K = X X' are needed of. It minimises
//
//	1/2 |w|^2 + sum over i of ln(1 + exp(-t_i (w . x_i + b)))
//
// over w and, unless it is without, the intercept b, which is not penalised: what
// scikit-learn's LogisticRegression does with C = 1. At the minimum
//
//	w = sum over i of weight_i x_i,  weight_i = t_i / (1 + exp(t_i (w . x_i + b)))
type logistic struct {
	weight    []float64
	intercept float64
	gradient  float64 // its length at the end, as a share of that at w = 0, b = 0
	ok        bool    // the minimum was found
}

// The gradient at which a fit is the minimum, and the most steps to it.
const (
	flatGradient = 1e-9
	newtonSteps  = 200
)

// fitLogistic finds the minimum by Newton's method in the weights, in which a step is
// the solution of m equations whatever the width (Rasmussen and Williams 2006,
// section 3.4; the intercept is eliminated), and is halved until the sum falls.
func fitLogistic(products []float64, t []float64, without bool) *logistic {
	m := len(t)
	f := &logistic{weight: make([]float64, m)}
	margin := make([]float64, m) // w . x + b
	l := &logisticStep{k: blas64.Symmetric{Uplo: blas.Upper, N: m, Stride: m, Data: products}, t: t, without: without, scratch: make([]float64, m*m)}
	start := l.gradient(f.weight, margin)
	if start == 0 { // no example tells anything
		f.ok = true
		return f
	}
	value := l.value(f.weight, margin, 0)
	next, nextMargin := make([]float64, m), make([]float64, m)
	for range newtonSteps {
		f.gradient = l.gradient(f.weight, margin) / start
		if f.gradient <= flatGradient {
			f.ok = true
			break
		}
		intercept, ok := l.newton(next, margin)
		if !ok {
			break
		}
		blas64.Symv(1, l.k, vector(next), 0, vector(nextMargin))
		floats.AddConst(intercept, nextMargin)
		improved := false
		for range 60 {
			if v := l.value(next, nextMargin, intercept); v < value {
				value, improved = v, true
				break
			}
			half(next, f.weight)
			half(nextMargin, margin)
			intercept = (intercept + f.intercept) / 2
		}
		if !improved {
			// Rounding hides what is left to gain.
			f.ok = f.gradient <= math.Sqrt(flatGradient)
			break
		}
		copy(f.weight, next)
		copy(margin, nextMargin)
		f.intercept = intercept
	}
	return f
}

// half goes back half of the way to from.
func half(x, from []float64) {
	for i := range x {
		x[i] = (x[i] + from[i]) / 2
	}
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// logisticStep is what the steps of a fit share.
type logisticStep struct {
	k       blas64.Symmetric
	t       []float64
	without bool
	scratch []float64 // m x m
}

// value is the sum that is minimised.
func (l *logisticStep) value(weight, margin []float64, intercept float64) float64 {
	sum := 0.0
	for i, t := range l.t {
		sum += weight[i] * (margin[i] - intercept) / 2
		if x := -t * margin[i]; x > 0 {
			sum += x + math.Log1p(math.Exp(-x))
		} else {
			sum += math.Log1p(math.Exp(x))
		}
	}
	return sum
}

// wrong is how likely example i is of the other label.
func (l *logisticStep) wrong(i int, margin []float64) float64 {
	return 1 / (1 + math.Exp(l.t[i]*margin[i]))
}

// gradient is the length of the gradient over w and b.
func (l *logisticStep) gradient(weight, margin []float64) float64 {
	r, kr := make([]float64, len(weight)), make([]float64, len(weight))
	sum := 0.0
	for i, t := range l.t {
		pull := t * l.wrong(i, margin)
		r[i] = weight[i] - pull
		sum += pull
	}
	if l.without {
		sum = 0
	}
	blas64.Symv(1, l.k, vector(r), 0, vector(kr))
	return math.Sqrt(max(0, floats.Dot(r, kr)) + sum*sum)
}

// newton gives the weights and the intercept of the minimum of the quadratic at some
// margins. With q the chance of the wrong label and W = diag q (1 - q),
//
//	B = 1 + W^1/2 K W^1/2,  weight = W^1/2 B^-1 (W^1/2 (margin - b) + t (q / (1 - q))^1/2)
//
// where b makes the weights' sum 0.
func (l *logisticStep) newton(weight, margin []float64) (intercept float64, ok bool) {
	m := len(weight)
	root, fixed, free := make([]float64, m), make([]float64, m), make([]float64, m)
	for i, t := range l.t {
		q := l.wrong(i, margin)
		rest := 1 / (1 + math.Exp(-t*margin[i])) // 1 - q, with all digits
		root[i] = math.Sqrt(q * rest)
		fixed[i] = root[i]*margin[i] + t*math.Sqrt(q/rest)
	}
	copy(free, root)
	b := blas64.Symmetric{Uplo: blas.Upper, N: m, Stride: m, Data: l.scratch}
	for i := range m {
		row, k := b.Data[i*m:(i+1)*m], l.k.Data[i*m:(i+1)*m]
		for j := i; j < m; j++ {
			row[j] = root[i] * root[j] * k[j]
		}
		row[i]++
	}
	c, ok := lapack64.Potrf(b) // mat.Cholesky takes as long again to estimate the condition
	if !ok {
		return 0, false
	}
	for _, x := range [][]float64{fixed, free} {
		blas64.Trsv(blas.Trans, c, vector(x))
		blas64.Trsv(blas.NoTrans, c, vector(x))
	}
	if !l.without {
		intercept = floats.Dot(root, fixed) / floats.Dot(root, free)
	}
	for i := range m {
		weight[i] = root[i] * (fixed[i] - intercept*free[i])
	}
	return intercept, finite(intercept) && finite(floats.Sum(weight))
}
