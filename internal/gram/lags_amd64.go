//go:build !noasm

package gram

import "math"

// bestSpectrum is the fastest one of this processor.
func bestSpectrum(length int) spectrum {
	if vectorised() && length > 1 {
		return newVectorSpectrum(length)
	}
	return newPlainSpectrum(length)
}

// lanes is how many complex transforms run side by side. Two components share
// one, as its real and its imaginary part: the power at the frequencies f and -f is
// together twice the sum of theirs.
const lanes = 4

// vectorSpectrum transforms 8 components at a time by decimation in frequency,
// in place. What comes out is in an order of its own, which is undone in the sum
// alone.
type vectorSpectrum struct {
	x        []float64   // length elements of 4 real and 4 imaginary parts
	power    []float64   // length elements of 4 numbers
	twiddles [][]float64 // of the pass over blocks of length, length/4, ...; see radix4
}

func newVectorSpectrum(length int) *vectorSpectrum {
	s := &vectorSpectrum{x: make([]float64, 2*lanes*length), power: make([]float64, lanes*length)}
	for m := length; m >= 4; m /= 4 {
		twiddle := make([]float64, 0, 6*m/4)
		for p := range m / 4 {
			for j := 1; j <= 3; j++ {
				sin, cos := math.Sincos(-2 * math.Pi * float64(j*p) / float64(m))
				twiddle = append(twiddle, cos, sin)
			}
		}
		s.twiddles = append(s.twiddles, twiddle)
	}
	return s
}

func (s *vectorSpectrum) add(v Vectors, from, to int) {
	for i := range v.N {
		at := s.x[2*lanes*i : 2*lanes*(i+1)]
		norm := v.norm(i)
		if norm == 0 {
			clear(at)
			continue
		}
		row := v.row(i)[from:to]
		for k, x := range row {
			at[k] = x / norm
		}
		clear(at[len(row):])
	}
	clear(s.x[2*lanes*v.N:])
	s.transform(s.x, s.twiddles)
	addPower(&s.power[0], &s.x[0], len(s.power)/lanes)
}

// cached is how many elements, 256 KiB of them, are taken through all passes
// before the next: as many as stay in a processor's second cache.
const cached = 4096

// transform does the passes of x that twiddles are for, and the last of radix 2
// where there is one.
func (s *vectorSpectrum) transform(x []float64, twiddles [][]float64) {
	m := len(x) / (2 * lanes)
	if m > cached {
		radix4(&x[0], 1, m/4, &twiddles[0][0])
		for j := range 4 {
			s.transform(x[j*len(x)/4:(j+1)*len(x)/4], twiddles[1:])
		}
		return
	}
	blocks := 1
	for _, twiddle := range twiddles {
		radix4(&x[0], blocks, m/4, &twiddle[0])
		m /= 4
		blocks *= 4
	}
	if m == 2 {
		radix2(&x[0], blocks)
	}
}

func (s *vectorSpectrum) sum() []float64 {
	length := len(s.power) / lanes
	natural := make([]float64, length)
	for i := range length {
		p := s.power[lanes*i : lanes*(i+1)]
		natural[s.frequency(i)] = p[0] + p[1] + p[2] + p[3]
	}
	clear(s.power)
	sum := make([]float64, length/2+1)
	for f := range sum {
		sum[f] = (natural[f] + natural[(length-f)%length]) / 2
	}
	return sum
}

// frequency is that of the element which the passes leave at place i: each digit
// of i, from the highest, is one of the frequency, from the lowest.
func (s *vectorSpectrum) frequency(i int) int {
	f, weight := 0, 1
	m := len(s.power) / lanes
	for m > 1 {
		radix := min(m, 4)
		m /= radix
		f += i / m * weight
		i %= m
		weight *= radix
	}
	return f
}
