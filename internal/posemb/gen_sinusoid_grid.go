package posemb

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// gridFrequencyNames are how SinusoidGrid spaces its frequencies.
var gridFrequencyNames = []string{"mae", "simple-vit"}

// SinusoidGridOptions say what SinusoidGrid makes; zero is the default.
type SinusoidGridOptions struct {
	Rows        int     // of the grid; 0 is 14
	Cols        int     // of the grid; 0 is 14
	D           int     // width, a multiple of 4; 0 is 768
	Base        float64 // at least 1; 0 is 10000
	Frequencies string  // "mae" (the default) or "simple-vit"
}

// SinusoidGrid makes the fixed table of vision transformers: cell (y, x) of a grid,
// row after row, has the row
//
//	[sin(x w), cos(x w), sin(y w), cos(y w)]    each of d/4 components, the column first
//
// of the frequencies w(i), i = 0..d/4-1,
//
//	w(i) = base^(-i/(d/4))       mae
//	w(i) = base^(-i/(d/4 - 1))   simple-vit
//
// Every row has the squared norm d/2, and the cosine of two cells is the mean of
// those of their columns and their rows. Sources: facebookresearch/mae,
// util/pos_embed.py (get_2d_sincos_pos_embed, whose grid has the column first);
// google-research/big_vision, big_vision/models/vit.py (posemb_sincos_2d).
func SinusoidGrid(opt SinusoidGridOptions) (*Absolute, error) {
	rows, cols, d := cmp.Or(opt.Rows, 14), cmp.Or(opt.Cols, 14), cmp.Or(opt.D, 768)
	base, frequencies := cmp.Or(opt.Base, 10000), cmp.Or(opt.Frequencies, gridFrequencyNames[0])
	err := cmp.Or(
		checkSize("rows", rows, "cols", cols),
		checkReal("base", base, 1, hugeReal),
		checkWord("frequencies", frequencies, gridFrequencyNames),
	)
	if err == nil {
		err = checkSize("rows x cols", rows*cols, "d", d)
	}
	switch {
	case err != nil:
		return nil, err
	case d%4 != 0:
		return nil, &OptionError{Msg: fmt.Sprintf("d is %d, expected a multiple of 4: sines and cosines of columns and of rows", d)}
	case d == 4 && frequencies == "simple-vit":
		return nil, &OptionError{Msg: "d is 4, expected at least 8: simple-vit spaces its frequencies by ln(base) / (d/4 - 1)"}
	}

	steps := d / 4
	if frequencies == "simple-vit" {
		steps--
	}
	w := gridFrequencies(d, base, steps)
	table := mat.NewDense(rows*cols, d, nil)
	for cell := range rows * cols {
		fillCell(table.RawRowView(cell), w, cell%cols, cell/cols)
	}
	return &Absolute{
		Origin: Origin{Label: "sinusoid-2d"},
		Table:  table,
		Stride: 1,
		Grid:   Grid{rows, cols},
		Notes: []string{fmt.Sprintf("made here: %s of vectors of %d, sines and cosines of the column, then of the row, of base %v with the frequencies of %s",
			Grid{rows, cols}, d, base, frequencies)},
	}, nil
}

// gridFrequencies are base^(-i/steps), i = 0..d/4-1.
func gridFrequencies(d int, base float64, steps int) []float64 {
	w := make([]float64, d/4)
	for i := range w {
		w[i] = math.Pow(base, -float64(i)/float64(steps))
	}
	return w
}

// fillCell sets row to the sines and cosines of a along w, then to those of b.
func fillCell(row, w []float64, a, b int) {
	n := len(w)
	for i, f := range w {
		row[i], row[n+i] = math.Sincos(float64(a) * f)
		row[2*n+i], row[3*n+i] = math.Sincos(float64(b) * f)
	}
}
