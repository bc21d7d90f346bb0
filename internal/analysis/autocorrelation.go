package analysis

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
)

// autocorrelation is the mean cosine at every distance there is.
type autocorrelation struct {
	mean  []float64 // NaN without a pair
	pairs []int
}

// spectrumParts is into how many parts the columns are cut whose power spectra
// are summed side by side. It is fixed, so that the sum is.
const spectrumParts = 8

// autocorrelate takes the mean over i of the dot product of rows i and i+k, for
// every k, in O(n d log n): the power spectra of all columns, padded to twice
// their length, summed and transformed back. Measured on 65536 equal rows it is off
// by 4e-12 at the last distances, where few pairs are left, and by 4e-16 in the
// first half.
func (r *rows) autocorrelate(ctx context.Context) (*autocorrelation, error) {
	length := 1 << bits.Len(uint(2*r.n-2))
	parts := make([][]float64, spectrumParts)
	err := parallel(ctx, spectrumParts, func() func(int) {
		t := newTransform(length)
		return func(part int) {
			parts[part] = make([]float64, length/2+1)
			for j := part * r.d / spectrumParts; j < (part+1)*r.d/spectrumParts && ctx.Err() == nil; j++ {
				for i := range r.n {
					t.padded[i] = r.vectors[i*r.d+j]
				}
				t.addPower(parts[part])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		floats.Add(parts[0], part)
	}
	t := newTransform(length)
	sums := t.sequence(parts[0])[:r.n:r.n]
	a := &autocorrelation{mean: sums, pairs: r.pairs()}
	for k, pairs := range a.pairs {
		if pairs == 0 {
			a.mean[k] = math.NaN()
		} else {
			a.mean[k] = clamp(a.mean[k] / float64(pairs))
		}
	}
	if r.exact {
		a.mean[0] = 1
	}
	return a, nil
}

// pairs counts the defined pairs at every distance.
func (r *rows) pairs() []int {
	pairs := make([]int, r.n)
	if r.count == r.n {
		for k := range pairs {
			pairs[k] = r.n - k
		}
		return pairs
	}
	t := newTransform(1 << bits.Len(uint(2*r.n-2)))
	for i, ok := range r.defined {
		if ok {
			t.padded[i] = 1
		}
	}
	power := make([]float64, len(t.coefficients))
	t.addPower(power)
	for k, sum := range t.sequence(power)[:r.n] {
		pairs[k] = int(math.Round(sum))
	}
	return pairs
}

// transform is a real Fourier transform with its scratch space.
type transform struct {
	fft          *fourier.FFT
	padded       []float64
	coefficients []complex128
}

func newTransform(length int) *transform {
	return &transform{fourier.NewFFT(length), make([]float64, length), make([]complex128, length/2+1)}
}

// addPower adds the power spectrum of the padded sequence to dst.
func (t *transform) addPower(dst []float64) {
	t.fft.Coefficients(t.coefficients, t.padded)
	for i, c := range t.coefficients {
		dst[i] += real(c)*real(c) + imag(c)*imag(c)
	}
}

// sequence transforms a power spectrum back.
func (t *transform) sequence(power []float64) []float64 {
	for i, p := range power {
		t.coefficients[i] = complex(p/float64(len(t.padded)), 0)
	}
	return t.fft.Sequence(nil, t.coefficients)
}
