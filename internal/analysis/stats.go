package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// spread describes a sample. Its fields are NaN for an empty one.
type spread struct {
	mean, std, min, q1, median, q3, max float64
}

// meanOf is the mean of x, finite for finite values and exact for equal ones. x is
// overwritten.
func meanOf(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	_, exponent := math.Frexp(magnitude(x))
	shiftExponent(x, -exponent)
	first := x[0]
	floats.AddConst(-first, x)
	return math.Ldexp(first+stat.Mean(x, nil), exponent)
}

// spreadOf describes x, which is overwritten. The standard deviation is the
// population's, in two passes about the smallest value.
// All is computed in units of a power of two, which rounds nothing: no difference
// and no square overflows, and equal values have a deviation of 0.
func spreadOf(x []float64) spread {
	if len(x) == 0 {
		nan := math.NaN()
		return spread{nan, nan, nan, nan, nan, nan, nan}
	}
	last := len(x) - 1
	ranks := []int{0}
	for _, q := range []float64{0.25, 0.5, 0.75} {
		below := int(q * float64(last))
		ranks = append(ranks, below, min(below+1, last))
	}
	ranks = append(ranks, last)
	slices.Sort(ranks) // those of three values or fewer do not rise by themselves
	arrange(x, 0, ranks)
	s := spread{min: x[0], max: x[last]}
	_, exponent := math.Frexp(max(-s.min, s.max, s.min, -s.max))
	shiftExponent(x, -exponent)
	s.q1 = math.Ldexp(quantile(x, 0.25), exponent)
	s.median = math.Ldexp(quantile(x, 0.5), exponent)
	s.q3 = math.Ldexp(quantile(x, 0.75), exponent)
	least := x[0]
	floats.AddConst(-least, x)
	mean, variance := stat.PopMeanVariance(x, nil)
	s.mean = math.Ldexp(least+mean, exponent)
	s.std = math.Ldexp(math.Sqrt(max(variance, 0)), exponent)
	return s
}

// quantile is numpy's default quantile of sorted values, R's type 7, of which those
// beside it are in place:
//
//	h = (n-1) q,  x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h])
//
// interpolated from the nearer end, as numpy does. gonum's stat.LinInterp is R's
// type 4.
func quantile(sorted []float64, q float64) float64 {
	h := q * float64(len(sorted)-1)
	below := int(h)
	a := sorted[below]
	if below+1 == len(sorted) {
		return a
	}
	b := sorted[below+1]
	t := h - float64(below)
	if t >= 0.5 {
		return b - (b-a)*(1-t)
	}
	return a + (b-a)*t
}
