package analysis

import "math"

// twoWay is numbers y[a,b] with weights w[a,b], each of h x w in rows.
type twoWay struct {
	h, w      int
	y, weight []float64 // y is not looked at where its weight is 0
}

// additive fits y[a,b] ~ f(a) + g(b) by least squares with the weights:
//
//	minimise sum over a, b of w[a,b] (y[a,b] - f(a) - g(b))^2
//
// and gives the least sum, and with f and g constant the largest. The normal
// equations, f taken out of them, are solved for g by conjugate gradients with a
// diagonal preconditioner, so that weights which leave f and g undetermined do no
// harm: the sum is determined all the same.
func (t twoWay) additive() (least, largest float64) {
	if t.w > t.h {
		t = t.transposed()
	}
	total, mean := 0.0, 0.0
	for k, w := range t.weight {
		if w > 0 {
			total += w
			mean += w * t.y[k]
		}
	}
	if total == 0 {
		return 0, 0
	}
	mean /= total
	y := make([]float64, len(t.y))
	across, down := make([]float64, t.h), make([]float64, t.w) // sums of weights
	for k, w := range t.weight {
		if w > 0 {
			y[k] = t.y[k] - mean
			largest += w * y[k] * y[k]
			across[k/t.w] += w
			down[k%t.w] += w
		}
	}
	rowMeans := make([]float64, t.h)
	byRow := func(values func(k int) float64) { // weighted means of each row
		for a := range t.h {
			sum := 0.0
			for b := range t.w {
				if k := a*t.w + b; t.weight[k] > 0 {
					sum += t.weight[k] * values(k)
				}
			}
			if rowMeans[a] = 0; across[a] > 0 {
				rowMeans[a] = sum / across[a]
			}
		}
	}
	right := make([]float64, t.w)
	byRow(func(k int) float64 { return y[k] })
	for k, w := range t.weight {
		right[k%t.w] += w * (y[k] - rowMeans[k/t.w])
	}
	g := conjugate(right, down, func(x, into []float64) {
		byRow(func(k int) float64 { return x[k%t.w] })
		for b := range into {
			into[b] = down[b] * x[b]
		}
		for k, w := range t.weight {
			into[k%t.w] -= w * rowMeans[k/t.w]
		}
	})
	byRow(func(k int) float64 { return y[k] - g[k%t.w] })
	for k, w := range t.weight {
		if w > 0 {
			e := y[k] - rowMeans[k/t.w] - g[k%t.w]
			least += w * e * e
		}
	}
	return least, largest
}

// transposed swaps a and b.
func (t twoWay) transposed() twoWay {
	s := twoWay{t.w, t.h, make([]float64, len(t.y)), make([]float64, len(t.y))}
	for a := range t.h {
		for b := range t.w {
			s.y[b*t.h+a], s.weight[b*t.h+a] = t.y[a*t.w+b], t.weight[a*t.w+b]
		}
	}
	return s
}

// conjugate solves M x = right for a matrix M that is symmetric and has no negative
// eigenvalue, from x = 0, by conjugate gradients; where it has a zero one, right must
// have no part along it. diagonal is about that of M; an entry of 0 leaves x at 0.
// (Hestenes and Stiefel 1952.)
func conjugate(right, diagonal []float64, times func(x, into []float64)) []float64 {
	n := len(right)
	x, z, p, mp := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	r := append([]float64(nil), right...)
	precondition := func() (rz float64) {
		for i := range r {
			if z[i] = 0; diagonal[i] > 0 {
				z[i] = r[i] / diagonal[i]
			}
			rz += r[i] * z[i]
		}
		return rz
	}
	rz := precondition()
	first := rz
	copy(p, z)
	for range 2*n + 10 {
		if !(rz > 0x1p-104*first) {
			break
		}
		times(p, mp)
		curvature := 0.0
		for i := range p {
			curvature += p[i] * mp[i]
		}
		if !(curvature > 0) || math.IsInf(curvature, 1) {
			break
		}
		step := rz / curvature
		for i := range x {
			x[i] += step * p[i]
			r[i] -= step * mp[i]
		}
		before := rz
		rz = precondition()
		for i := range p {
			p[i] = z[i] + rz/before*p[i]
		}
	}
	return x
}
