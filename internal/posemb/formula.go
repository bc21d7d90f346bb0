package posemb

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// formulaTolerance is what BF16 keeps of a number up to 1.
const formulaTolerance = 5e-3

// noteFormula notes a table whose rows are a sinusoid formula, stored and not
// learned, and says whether they are.
func noteFormula(a *Absolute) bool {
	n, d := a.Table.Dims()
	if n < 2 || d < 4 || d%2 != 0 || a.First != 0 || a.Stride != 1 {
		return false
	}
	what := lineFormula(a.Table)
	if what == "" {
		what = gridFormula(a)
	}
	if what == "" {
		return false
	}
	a.Notes = append(a.Notes, "the rows are a "+what+": stored, not learned")
	return true
}

// lineFormula names the formula of positions in a line that the rows follow; empty
// when there is none.
func lineFormula(t *mat.Dense) string {
	n, d := t.Dims()
	for _, layout := range layoutNames {
		for _, frequencies := range frequencyNames {
			opt := SinusoidOptions{N: 2, D: d, Layout: layout, Frequencies: frequencies}
			if !near(t, opt) {
				continue
			}
			if opt.N = n; near(t, opt) {
				return "sinusoid formula (" + layout + ", " + frequencies + ")"
			}
		}
	}
	return ""
}

// near compares the first rows with a formula.
func near(t *mat.Dense, opt SinusoidOptions) bool {
	want, err := Sinusoid(opt)
	if err != nil {
		return false
	}
	for i := range opt.N {
		if !alike(t.RawRowView(i), want.Table.RawRowView(i)) {
			return false
		}
	}
	return true
}

// alike says whether a row has the numbers of a formula; none that is NaN is like any.
func alike(row, want []float64) bool {
	for j, v := range row {
		if !(math.Abs(v-want[j]) <= formulaTolerance) {
			return false
		}
	}
	return true
}

// gridSinusoid is a sinusoid of two axes: a quarter of the width each for the sines
// and the cosines of x = column and of y = row, with the frequencies
// 10000^(-i/steps), i = 0..d/4-1. Sources: facebookresearch/mae, util/pos_embed.py,
// which divides by d/4; google-research/big_vision, models/vit.py
// (posemb_sincos_2d), by d/4 - 1; facebookresearch/moco-v3, vits.py, by d/4 and with
// x the row.
type gridSinusoid struct {
	text string
	rows bool // the row first, then the column
	less int  // steps are d/4 less this
}

var gridSinusoids = []gridSinusoid{
	{text: "2-D sinusoid formula (columns first, frequencies 10000^(-i/(d/4)), as MAE)"},
	{text: "2-D sinusoid formula (columns first, frequencies 10000^(-i/(d/4-1)), as simple ViT)", less: 1},
	{text: "2-D sinusoid formula (rows first, frequencies 10000^(-i/(d/4)), as MoCo v3)", rows: true},
}

// gridFormula names the formula of a grid that the rows follow: the table's own
// grid, or the square that as many positions make. Empty when there is none.
func gridFormula(a *Absolute) string {
	n, d := a.Table.Dims()
	g := a.Grid
	if s := squareRoot(n); g == (Grid{}) {
		g = Grid{s, s}
	}
	if a.Frames > 1 || d%4 != 0 || g.Rows < 2 || g.Cols < 2 {
		return ""
	}
	for _, s := range gridSinusoids {
		if s.follows(a.Table, g.Cols) {
			return s.text
		}
	}
	return ""
}

// follows compares the rows of a grid with the formula. Cell (0, 1) is looked at
// first, then cell (1, 0), so that a learned table costs a few numbers.
func (s gridSinusoid) follows(t *mat.Dense, cols int) bool {
	n, d := t.Dims()
	steps := d/4 - s.less
	if steps < 1 {
		return false
	}
	w := gridFrequencies(d, 10000, steps)
	want := make([]float64, d)
	isAt := func(row, col int) bool {
		a, b := col, row
		if s.rows {
			a, b = row, col
		}
		fillCell(want, w, a, b)
		return alike(t.RawRowView(row*cols+col), want)
	}
	if !isAt(0, 1) || !isAt(1, 0) {
		return false
	}
	for i := range n {
		if !isAt(i/cols, i%cols) {
			return false
		}
	}
	return true
}
