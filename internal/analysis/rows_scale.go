package analysis

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// center scales all rows by 2^-scale and subtracts the mean of the defined ones.
// A row that differs from the mean by no more than rounding becomes zero.
func (r *rows) center(scale int) {
	mean, residual := make([]float64, r.d), make([]float64, r.d)
	count := 0.0
	for i := range r.n {
		if r.defined[i] {
			shiftExponent(r.row(i), -scale)
			floats.Add(mean, r.row(i))
			count++
		}
	}
	if count == 0 {
		return
	}
	floats.Scale(1/count, mean)
	// The mean of what is left over corrects the first mean's rounding, to the bit
	// where all rows are equal.
	for i := range r.n {
		if r.defined[i] {
			for j, x := range r.row(i) {
				residual[j] += x - mean[j]
			}
		}
	}
	floats.AddScaled(mean, 1/count, residual)
	const rounding = 0x1p-50
	for i := range r.n {
		if !r.defined[i] {
			continue
		}
		row := r.row(i)
		before := magnitude(row)
		floats.Sub(row, mean)
		if magnitude(row) <= rounding*before {
			clear(row)
		}
	}
}

// magnitude is the largest absolute value of a row; NaN when it holds one.
func magnitude(row []float64) float64 {
	m := 0.0
	for _, x := range row {
		m = max(m, math.Abs(x))
	}
	return m
}

// shiftExponent multiplies a row by 2^e, in two steps because 2^e itself may be
// no float64.
func shiftExponent(row []float64, e int) {
	if e == 0 {
		return
	}
	floats.Scale(math.Ldexp(1, e/2), row)
	floats.Scale(math.Ldexp(1, e-e/2), row)
}
