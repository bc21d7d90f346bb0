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

// meanOf is the mean of x, exact for a sample of equal values. x is overwritten.
func meanOf(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	shift := x[0]
	floats.AddConst(-shift, x)
	return shift + stat.Mean(x, nil)
}

// spreadOf describes x, which is sorted in place and then overwritten. The
// standard deviation is the population's, in two passes about the smallest value
// and in units of the range: equal values have exactly their mean and a deviation
// of 0, and no square overflows.
func spreadOf(x []float64) spread {
	if len(x) == 0 {
		nan := math.NaN()
		return spread{nan, nan, nan, nan, nan, nan, nan}
	}
	slices.Sort(x)
	s := spread{
		min:    x[0],
		q1:     quantile(x, 0.25),
		median: quantile(x, 0.5),
		q3:     quantile(x, 0.75),
		max:    x[len(x)-1],
	}
	_, exponent := math.Frexp(s.max - s.min)
	floats.AddConst(-s.min, x)
	shiftExponent(x, -exponent)
	mean, variance := stat.PopMeanVariance(x, nil)
	s.mean = s.min + math.Ldexp(mean, exponent)
	s.std = math.Ldexp(math.Sqrt(max(variance, 0)), exponent)
	return s
}

// quantile is numpy's default quantile of sorted values, R's type 7:
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
