package analysis

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
)

// signal is a series of numbers that waves are fitted to. Time runs from -(n-1)/2 to
// (n-1)/2, so that
//
//	y(t) = mean + a cos(w t) + b sin(w t)
//
// has a normal matrix in closed form: the sine is orthogonal to the others.
type signal struct {
	y      []float64    // of mean 0 and length 1
	length float64      // that it had, mean taken out
	grid   []float64    // the share that a wave explains, in steps of a quarter of a turn
	bins   []complex128 // the Fourier transform at whole turns from 0
}

// The fewest turns of a wave over a whole series: less is a bend.
const leastTurns = 0.5

// gridSteps is how many frequencies from one whole number of turns to the next are
// looked at first.
const gridSteps = 4

// newSignal makes a series ready. One that does not vary explains nothing.
func newSignal(y []float64) *signal {
	n := len(y)
	s := &signal{y: make([]float64, n)}
	unit := magnitude(y)
	if unit > 0 {
		for i, v := range y {
			s.y[i] = v / unit
		}
	}
	floats.AddConst(-floats.Sum(s.y)/float64(n), s.y)
	norm := floats.Norm(s.y, 2)
	s.length = unit * norm
	if norm > 0 {
		floats.Scale(1/norm, s.y)
	}
	s.scan()
	return s
}

// scan fills the grid by one Fourier transform, padded with zeros.
func (s *signal) scan() {
	n := len(s.y)
	long := gridSteps * n
	padded := make([]float64, long)
	copy(padded, s.y)
	z := fourier.NewFFT(long).Coefficients(nil, padded)
	for k := 0; k < len(z); k += gridSteps {
		s.bins = append(s.bins, z[k])
	}
	s.grid = make([]float64, len(z))
	for k := range z {
		w := 2 * math.Pi * float64(k) / float64(long)
		sin, cos := math.Sincos(w * float64(n-1) / 2)
		re, im := real(z[k]), imag(z[k]) // sum of y(j) e^{-iwj}, of which the middle is to be time 0
		s.grid[k] = explained(n, w, re*cos-im*sin, -(re*sin + im*cos))
	}
}

// explained is the share of the energy of a series of length 1 that the best wave of
// frequency w explains, c and d being its products with cos(w t) and sin(w t).
func explained(n int, w, c, d float64) float64 {
	cosines, sines, _ := normal(n, w)
	share := 0.0
	if cosines > 1e-9*float64(n) {
		share += c * c / cosines
	}
	if sines > 1e-9*float64(n) {
		share += d * d / sines
	}
	return min(1, share)
}

// normal gives the squared lengths of cos(w t), its mean taken out, and of sin(w t),
// and the sum of cos(w t).
func normal(n int, w float64) (cosines, sines, sum float64) {
	dirichlet := func(w float64) float64 { // sum of cos(w t)
		if s := math.Sin(w / 2); math.Abs(s) > 1e-12 {
			return math.Sin(float64(n)*w/2) / s
		}
		if n%2 == 0 && math.Abs(w) > math.Pi { // at 2 pi all t are halves
			return -float64(n)
		}
		return float64(n)
	}
	sum, twice := dirichlet(w), dirichlet(2*w)
	return float64(n)/2 + twice/2 - sum*sum/float64(n), float64(n)/2 - twice/2, sum
}

// at fits a wave of a number of turns over the series: the share of the energy that
// it explains, and its phase, y ~ cos(w t - phase).
func (s *signal) at(turns float64) (share, phase float64) {
	n := len(s.y)
	w := 2 * math.Pi * turns / float64(n)
	var c, d float64
	for j, y := range s.y {
		sin, cos := math.Sincos(w * (float64(j) - float64(n-1)/2))
		c += float64(y * cos)
		d += float64(y * sin)
	}
	cosines, sines, _ := normal(n, w)
	return explained(n, w, c, d), math.Atan2(d/max(sines, 1e-9), c/max(cosines, 1e-9))
}

// best is the number of turns, at least half a one, of the wave that explains most of
// the sum of some series of one length.
func best(signals ...*signal) (turns, share float64) {
	n := len(signals[0].y)
	most := float64(n)/2 - leastTurns // as far below the fastest wave, which alternates
	at := -1
	sum := func(k int) (all float64) {
		for _, s := range signals {
			all += s.grid[k]
		}
		return all / float64(len(signals))
	}
	for k := gridSteps * leastTurns; k <= gridSteps*most; k++ {
		if at < 0 || sum(int(k)) > sum(at) {
			at = int(k)
		}
	}
	alternates := len(signals[0].grid) - 1
	if at < 0 || gridSteps*n%2 == 0 && sum(alternates) > sum(at) {
		return float64(n) / 2, sum(alternates)
	}
	middle := float64(at) / gridSteps
	return climb(signals, max(leastTurns, middle-1.0/gridSteps), min(most, middle+1.0/gridSteps))
}

// climb finds the number of turns between two that explains most of some series, by
// golden sections.
func climb(signals []*signal, lo, hi float64) (turns, share float64) {
	sum := func(turns float64) (all float64) {
		for _, s := range signals {
			share, _ := s.at(turns)
			all += share
		}
		return all / float64(len(signals))
	}
	golden := (math.Sqrt(5) - 1) / 2
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	at, bt := sum(a), sum(b)
	for hi-lo > 1e-7*hi {
		if at >= bt {
			hi, b, bt = b, a, at
			a = hi - golden*(hi-lo)
			at = sum(a)
		} else {
			lo, a, at = a, b, bt
			b = lo + golden*(hi-lo)
			bt = sum(b)
		}
	}
	turns = lo/2 + hi/2
	return turns, sum(turns)
}
