package analysis

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
)

// spectrumNames are the metrics of the mean power spectrum.
var spectrumNames = []string{"dominant_period", "spectral_flatness", "spectral_top5_share"}

// leastSpectrum is how many positions a spectrum needs.
const leastSpectrum = 8

// meanPower is the mean power spectrum of a table's columns, of the frequencies
// 1/n, 2/n, ... up to 1/2 a row: of each column the linear trend is taken out, a Hann
// window
//
//	w(i) = 1/2 - 1/2 cos(2 pi i / n)
//
// applied, and the squared moduli of its Fourier transform averaged over the columns.
// Columns are in units of the largest value.
func (v *finiteRows) meanPower(ctx context.Context) ([]float64, error) {
	n, d := v.n(), v.s.rows.D
	window := make([]float64, n)
	for i := range window {
		window[i] = hann(i, n)
	}
	power := make([]float64, n/2)
	for from := 0; from < d; from += columnsAtOnce {
		columns := v.columns(from, min(from+columnsAtOnce, d))
		each := make([]float64, columns.N*len(power))
		err := gram.Parallel(ctx, columns.N, func() func(int) {
			fft := fourier.NewFFT(n)
			coefficients := make([]complex128, n/2+1)
			return func(j int) {
				column := columns.Data[j*n : (j+1)*n]
				detrend(column)
				floats.Mul(column, window)
				coefficients = fft.Coefficients(coefficients, column)
				for k := range power {
					re, im := real(coefficients[k+1]), imag(coefficients[k+1])
					each[j*len(power)+k] = float64(re*re) + float64(im*im)
				}
			}
		})
		if err != nil {
			return nil, err
		}
		for j := range columns.N {
			floats.AddScaled(power, 1/float64(d), each[j*len(power):(j+1)*len(power)])
		}
	}
	return power, nil
}

// meanPowerByLags is meanPower from the autocorrelation r of all columns together,
//
//	power(f) = sum over k of r(k) exp(-2 pi i k f / n),  r(-k) = r(k)
//
// which gram.Lags takes in a fraction of the time for any n. Its rounding is that of
// the largest powers: it will do for random rows, whose powers are all of one size.
func (v *finiteRows) meanPowerByLags(ctx context.Context) ([]float64, error) {
	n, d := v.n(), v.s.rows.D
	rows := v.block(nil, 0, n)
	middle := float64(n-1) / 2
	mean, slope, squares := make([]float64, d), make([]float64, d), 0.0
	for i := range n {
		x := float64(i) - middle
		floats.AddScaled(mean, 1/float64(n), rows.Data[i*d:(i+1)*d])
		floats.AddScaled(slope, x, rows.Data[i*d:(i+1)*d])
		squares += x * x
	}
	for i := range n {
		row := rows.Data[i*d : (i+1)*d]
		floats.Sub(row, mean)
		floats.AddScaled(row, -(float64(i)-middle)/squares, slope)
		floats.Scale(hann(i, n), row)
	}
	lags, err := gram.Lags(ctx, rows)
	if err != nil {
		return nil, err
	}
	round := slices.Clone(lags) // the lags k and k - n are one
	for k := 1; k < n; k++ {
		round[k] += lags[n-k]
	}
	power := make([]float64, n/2)
	for k, c := range fourier.NewFFT(n).Coefficients(nil, round)[1:] {
		power[k] = max(real(c), 0) / float64(d)
	}
	return power, nil
}

// hann is the window at row i of n.
func hann(i, n int) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n)) }

// columnsAtOnce is how many columns are copied at a time.
const columnsAtOnce = 64

// detrend takes the least-squares line out of values at 0, 1, 2, ...
func detrend(y []float64) {
	n := float64(len(y))
	middle := (n - 1) / 2
	mean, slope, squares := floats.Sum(y)/n, 0.0, 0.0
	for i, v := range y {
		x := float64(i) - middle
		slope += x * (v - mean)
		squares += x * x
	}
	if squares > 0 {
		slope /= squares
	}
	for i := range y {
		y[i] -= mean + slope*(float64(i)-middle)
	}
}

// spectrumFigures gives the figures of spectrumNames. Rows must follow each other.
func spectrumFigures(ctx context.Context, s *subject, f *figures) error {
	power, err := s.power(ctx, f)
	if err == nil && power != nil {
		spectrumOf(power, s.rows.N*s.stride, f)
	}
	return err
}

// power is the mean power spectrum of the table, or nil with the reason in f.
func (s *subject) power(ctx context.Context, f *figures) ([]float64, error) {
	n := s.rows.N
	switch {
	case n < leastSpectrum:
		f.undefine("fewer than 8 positions have no spectrum", spectrumNames...)
		return nil, nil
	case len(s.whole) < n:
		f.undefine("some rows are not finite, and a spectrum needs all", spectrumNames...)
		return nil, nil
	}
	take := (*finiteRows).meanPower
	if s.random && !s.large() {
		take = (*finiteRows).meanPowerByLags
	}
	power, err := take(s.finite(true), ctx)
	if err != nil {
		return nil, err
	}
	if floats.Sum(power) <= 1e-24*float64(n) { // in units of the largest value, whose rounding this is
		f.undefine("nothing is left once each column's line is taken out", spectrumNames...)
		return nil, nil
	}
	return power, nil
}

// spectrumOf gives the figures of a power spectrum of rows over a length in positions.
func spectrumOf(power []float64, length int, f *figures) {
	f.set("dominant_period", float64(length)/float64(floats.MaxIdx(power)+1))
	f.set("spectral_flatness", flatness(power))
	largest := slices.Clone(power)
	slices.Sort(largest)
	f.set("spectral_top5_share", floats.Sum(largest[max(0, len(largest)-5):])/floats.Sum(power))
}

// flatness is the geometric over the arithmetic mean.
func flatness(power []float64) float64 {
	logs, sum := 0.0, 0.0
	for _, p := range power {
		logs += math.Log(p) // of 0 it is -Inf, and the flatness 0
		sum += p
	}
	n := float64(len(power))
	return math.Exp(logs/n) / (sum / n)
}
