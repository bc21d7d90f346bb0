package posemb

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

var (
	layoutNames    = []string{"interleaved", "concatenated"}
	frequencyNames = []string{"vaswani", "timescales"}
)

// SinusoidOptions say what Sinusoid makes; zero is the default.
type SinusoidOptions struct {
	N           int     // positions; 0 is 512
	D           int     // width, even; 0 is 512
	Base        float64 // at least 1; 0 is 10000
	Layout      string  // "interleaved" (the default): sin, cos, sin, ...; "concatenated": all sines, then all cosines
	Frequencies string  // "vaswani" (the default) or "timescales"
}

// Sinusoid makes the table of sines and cosines of p * w(i) for the positions
// p = 0..n-1 and i = 0..d/2-1, with
//
//	w(i) = base^(-2i/d)                     vaswani
//	w(i) = exp(-i * ln(base) / (d/2 - 1))   timescales
//
// An odd width is an error, since implementations differ on what its last
// component holds. Sources: Vaswani et al. 2017, section 3.5; tensor2tensor,
// layers/common_attention.py (get_timing_signal_1d), which Whisper follows.
func Sinusoid(opt SinusoidOptions) (*Absolute, error) {
	n, d := cmp.Or(opt.N, 512), cmp.Or(opt.D, 512)
	base := cmp.Or(opt.Base, 10000)
	layout, frequencies := cmp.Or(opt.Layout, layoutNames[0]), cmp.Or(opt.Frequencies, frequencyNames[0])
	err := cmp.Or(
		checkSize("n", n, "d", d),
		checkReal("base", base, 1, hugeReal),
		checkWord("layout", layout, layoutNames),
		checkWord("frequencies", frequencies, frequencyNames),
	)
	switch {
	case err != nil:
		return nil, err
	case d%2 != 0:
		return nil, &OptionError{Msg: fmt.Sprintf("d is %d, expected an even number: each frequency has a sine and a cosine", d)}
	case d == 2 && frequencies == "timescales":
		return nil, &OptionError{Msg: "d is 2, expected at least 4: timescales spaces its frequencies by ln(base) / (d/2 - 1)"}
	}

	half := d / 2
	w := make([]float64, half)
	for i := range w {
		if frequencies == "timescales" {
			w[i] = math.Exp(-float64(i) * math.Log(base) / float64(half-1))
		} else {
			w[i] = math.Pow(base, -2*float64(i)/float64(d))
		}
	}
	step, cosine := 2, 1 // component of the next sine, and of a sine's cosine
	if layout == "concatenated" {
		step, cosine = 1, half
	}
	table := mat.NewDense(n, d, nil)
	for p := range n {
		row := table.RawRowView(p)
		for i, f := range w {
			row[i*step], row[i*step+cosine] = math.Sincos(float64(p) * f)
		}
	}
	return &Absolute{
		Origin: Origin{Label: "sinusoid"},
		Table:  table,
		Stride: 1,
		Notes: []string{fmt.Sprintf("made here: %d positions x %d, sines and cosines (%s) of base %v with the frequencies of %s",
			n, d, layout, base, frequencies)},
	}, nil
}
