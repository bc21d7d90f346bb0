package posemb

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// readRows reads a table with one row a position.
func readRows(r *reading) (Table, error) {
	return r.positions(func(n, d int, data []float64, _ int) (int, Grid, error) {
		return r.reservedRows(n, d, data), Grid{}, nil
	})
}

// positions reads a matrix of positions. What the caller leaves open, front
// decides: how many rows stand in front of the positions, and their grid.
func (r *reading) positions(front func(n, d int, data []float64, suffix int) (reserved int, g Grid, err error)) (Table, error) {
	n, d, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	suffix := r.suffix()
	var g Grid
	reserved, ok := r.frontOfGrid(n, suffix)
	if !ok {
		if reserved, g, err = front(n, d, data, suffix); err != nil {
			return nil, err
		}
	}
	a, err := r.absolute(n, d, data, reserved, suffix, g)
	if err != nil {
		return nil, err // not a, whose nil pointer would make a Table that is not nil
	}
	noteFormula(a)
	return a, nil
}

// suffix is the number of trailing rows to leave out.
func (r *reading) suffix() int {
	if r.opt.Suffix != nil {
		return *r.opt.Suffix
	}
	return r.preset.Suffix
}

// frontOfGrid is the number of rows in front of the grid that the caller asks for,
// where the caller doesn't say it.
func (r *reading) frontOfGrid(n, suffix int) (reserved int, ok bool) {
	g := r.opt.Grid
	if g == nil || r.opt.Reserved != nil || !r.whole() || g.Rows < 1 || g.Cols < 1 || g.Rows > n/g.Cols {
		return 0, false
	}
	if reserved = n - suffix - g.Rows*g.Cols; reserved < 0 {
		return 0, false
	}
	if reserved > 0 {
		r.note("%s leaves %s in front of it", *g, count(reserved, "row"))
	}
	return reserved, true
}

// whole says that all positions are wanted.
func (r *reading) whole() bool { return r.opt.Positions == nil && r.opt.Stride <= 1 }

// noteFormula notes a table whose rows are a sinusoid formula: stored, not learned.
func noteFormula(a *Absolute) {
	n, d := a.Table.Dims()
	if n < 2 || d < 4 || d%2 != 0 || a.First != 0 || a.Stride != 1 {
		return
	}
	for _, layout := range layoutNames {
		for _, frequencies := range frequencyNames {
			opt := SinusoidOptions{N: 2, D: d, Layout: layout, Frequencies: frequencies}
			if !near(a.Table, opt) {
				continue
			}
			if opt.N = n; near(a.Table, opt) {
				a.Notes = append(a.Notes, "the rows are a sinusoid formula ("+layout+", "+frequencies+"): stored, not learned")
				return
			}
		}
	}
}

// near compares the first rows with a formula, to what BF16 keeps of a
// number up to 1.
func near(t *mat.Dense, opt SinusoidOptions) bool {
	const tolerance = 5e-3
	want, err := Sinusoid(opt)
	if err != nil {
		return false
	}
	for i := range opt.N {
		row := t.RawRowView(i)
		for j, v := range want.Table.RawRowView(i) {
			if !(math.Abs(row[j]-v) <= tolerance) {
				return false
			}
		}
	}
	return true
}
