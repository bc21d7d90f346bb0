package analysis

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
)

// oddRows are the rows that have no similarity to others.
type oddRows struct{ nans, infs, zeros []int }

// The sums of squares of a row whose root is its norm: no square of it overflows,
// and those that underflow are none that count.
const leastSquares, mostSquares = 0x1p-900, 0x1p1000

// measuredAtOnce is how many rows a worker takes at a time.
const measuredAtOnce = 64

// measure sets the norm of every row: its own plus eps, or 1 for dot products and
// for zero rows that eps defines, whose products are 0 by any norm.
func (r *rows) measure(ctx context.Context, eps float64) (odd oddRows, err error) {
	strange := make([]bool, r.N) // not known from the sum of squares alone
	err = gram.Parallel(ctx, (r.N+measuredAtOnce-1)/measuredAtOnce, func() func(int) {
		return func(task int) {
			for i := task * measuredAtOnce; i < min((task+1)*measuredAtOnce, r.N); i++ {
				squares := floats.Dot(r.row(i), r.row(i))
				switch {
				case !(squares >= leastSquares && squares <= mostSquares):
					strange[i] = true
				case r.dot:
					r.Norm[i] = 1
				default:
					r.Norm[i] = math.Sqrt(squares) + eps
				}
			}
		}
	})
	if err != nil {
		return oddRows{}, err
	}
	for i, is := range strange {
		if !is {
			continue
		}
		switch m := magnitude(r.row(i)); {
		case math.IsNaN(m):
			odd.nans = append(odd.nans, i)
		case math.IsInf(m, 0):
			odd.infs = append(odd.infs, i)
		case r.dot:
			r.Norm[i] = 1
		case m == 0 && r.exact:
			odd.zeros = append(odd.zeros, i)
		case m == 0:
			r.Norm[i] = 1
		default:
			// A power of two rounds nothing, and gives the row a norm.
			_, e := math.Frexp(m)
			r.copy()
			shiftExponent(r.row(i), -e)
			r.Norm[i] = math.Sqrt(floats.Dot(r.row(i), r.row(i))) + math.Ldexp(eps, -e)
		}
	}
	return odd, nil
}

// center makes the rows a copy, scaled by 2^-e so that their sums are finite, and
// subtracts the mean of the finite ones. It gives e, which is 0 for dot products:
// they are scaled back. A row that differs from the mean by no more than rounding
// becomes zero.
func (r *rows) center() (e int) {
	r.copy()
	whole := make([]bool, r.N)
	largest := 0.0
	for i := range r.N {
		if m := magnitude(r.row(i)); m-m == 0 {
			whole[i] = true
			largest = max(largest, m)
		}
	}
	_, e = math.Frexp(largest)
	mean, residual := make([]float64, r.D), make([]float64, r.D)
	count := 0.0
	for i := range r.N {
		if whole[i] {
			shiftExponent(r.row(i), -e)
			floats.Add(mean, r.row(i))
			count++
		}
	}
	if count == 0 {
		return 0
	}
	floats.Scale(1/count, mean)
	// The mean of what is left over corrects the first mean's rounding, to the bit
	// where all rows are equal.
	for i := range r.N {
		if whole[i] {
			for j, x := range r.row(i) {
				residual[j] += x - mean[j]
			}
		}
	}
	floats.AddScaled(mean, 1/count, residual)
	const rounding = 0x1p-50
	for i := range r.N {
		if !whole[i] {
			continue
		}
		row := r.row(i)
		before := magnitude(row)
		floats.Sub(row, mean)
		if magnitude(row) <= rounding*before {
			clear(row)
		}
		if r.dot {
			shiftExponent(row, e)
		}
	}
	if r.dot {
		return 0
	}
	return e
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
