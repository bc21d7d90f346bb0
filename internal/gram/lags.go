package gram

import (
	"context"
	"math/bits"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
)

// lagParts is into how many parts the components are cut whose power spectra are
// summed side by side. It is fixed, so that the sum is.
const lagParts = 8

// spectrum adds up power spectra of components that are padded with zeros to a
// length.
type spectrum interface {
	add(v Vectors, from, to int) // those of the components from <= k < to
	sum() []float64              // all that was added, at the frequencies 0..length/2; leaves nothing
}

// Lags sums the products of the vectors at every distance there is,
//
//	sums[k] = sum over i of v_i . v_{i+k}    for 0 <= k < n
//
// in O(n d log n): the power spectra of all components, padded to the power of two
// that holds all distances of both signs, summed and transformed back. Measured on
// 65536 equal unit vectors the mean at a distance is off by 2e-11 at the last
// distances, where few pairs are left, and by 4e-16 in the first half. Beside the
// vectors it holds 30 to 60 numbers for each of them and each worker, of which there
// are at most 8, and 8 to 16 for the sums.
func Lags(ctx context.Context, v Vectors) ([]float64, error) {
	return lags(ctx, v, bestSpectrum)
}

func lags(ctx context.Context, v Vectors, newSpectrum func(length int) spectrum) ([]float64, error) {
	v.check()
	if v.N == 0 {
		return nil, ctx.Err()
	}
	length := 1 << bits.Len(uint(2*v.N-2))
	parts := make([][]float64, lagParts)
	err := Parallel(ctx, lagParts, func() func(int) {
		s := newSpectrum(length)
		return func(part int) {
			const group = 8 // components, whole groups a part, done together
			groups := (v.D + group - 1) / group
			from, to := part*groups/lagParts*group, min((part+1)*groups/lagParts*group, v.D)
			for ; from < to && ctx.Err() == nil; from += group {
				s.add(v, from, min(from+group, to))
			}
			parts[part] = s.sum()
		}
	})
	if err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		floats.Add(parts[0], part)
	}
	coefficients := make([]complex128, length/2+1)
	for i, p := range parts[0] {
		coefficients[i] = complex(p/float64(length), 0)
	}
	return fourier.NewFFT(length).Sequence(nil, coefficients)[:v.N:v.N], nil
}

// plainSpectrum transforms one component after the other by gonum's real
// transform.
type plainSpectrum struct {
	fft          *fourier.FFT
	padded       [][]float64 // of some components at a time, which share the rows' cache lines; zero beyond the rows, and where a norm is 0
	coefficients []complex128
	power        []float64
}

func newPlainSpectrum(length int) spectrum {
	return &plainSpectrum{fourier.NewFFT(length), nil, make([]complex128, length/2+1), make([]float64, length/2+1)}
}

func (s *plainSpectrum) add(v Vectors, from, to int) {
	for len(s.padded) < to-from {
		s.padded = append(s.padded, make([]float64, s.fft.Len()))
	}
	for i := range v.N {
		norm := v.norm(i)
		if norm == 0 {
			continue
		}
		for k, x := range v.row(i)[from:to] {
			s.padded[k][i] = x / norm
		}
	}
	for _, padded := range s.padded[:to-from] {
		s.fft.Coefficients(s.coefficients, padded)
		for i, c := range s.coefficients {
			s.power[i] += real(c)*real(c) + imag(c)*imag(c)
		}
	}
}

func (s *plainSpectrum) sum() []float64 {
	sum := s.power
	s.power = make([]float64, len(sum))
	return sum
}
