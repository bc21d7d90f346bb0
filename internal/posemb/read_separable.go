package posemb

import "poslens/internal/tensor"

// separable is a table of two axes with a vector for each of their entries; the
// vector of a position is the two of its row and its column, one behind the other.
type separable struct {
	rows, cols axisRows
	colFirst   bool // the column's vector comes first
}

// axisRows are the n vectors of one axis, d numbers each.
type axisRows struct {
	name string
	n, d int
	data []float64
}

// readSeparable reads DETR's learned grid: at (row, column) the vector of the column,
// then the one of the row. A grid that the caller asks for is the first rows and
// columns.
func readSeparable(r *reading) (Table, error) {
	s, err := r.separable()
	if err != nil {
		return nil, err
	}
	s.colFirst = true
	all := Grid{s.rows.n, s.cols.n}
	g := all
	if want := r.opt.Grid; want != nil {
		if want.Rows < 1 || want.Cols < 1 || want.Rows > all.Rows || want.Cols > all.Cols {
			return nil, r.fault(BadOption, "", "%s of a table that has %s and %s", *want, count(all.Rows, "row"), count(all.Cols, "column"))
		}
		g, r.opt.Grid = *want, nil // it is taken here
	}
	if g == all {
		r.note("%s, a vector for each row and one for each column; --grid HxW takes the first rows and columns, as a smaller image does", g)
	} else {
		r.note("the first %s and %s of %s, a vector for each row and one for each column", count(g.Rows, "row"), count(g.Cols, "column"), all)
	}
	s.rows.n, s.cols.n = g.Rows, g.Cols
	return r.crossed(s, g, all)
}

// readAxial reads Reformer's axial positions: position p is the vector of p / b, then
// the one of p % b, where the second axis has b.
func readAxial(r *reading) (Table, error) {
	s, err := r.separable()
	if err != nil {
		return nil, err
	}
	b := s.cols.n
	r.note("positions are %d x %d: position p is row p / %d of %s, then row p %% %d of %s", s.rows.n, b, b, printable(s.rows.name), b, printable(s.cols.name))
	return r.crossed(s, Grid{}, Grid{s.rows.n, b})
}

// separable takes the two parts, the naming one for the rows.
func (r *reading) separable() (s separable, err error) {
	if s.rows, err = r.axisOf(r.parts[0]); err == nil {
		s.cols, err = r.axisOf(r.parts[1])
	}
	return s, err
}

// axisOf is a part as rows of numbers.
func (r *reading) axisOf(t *tensor.Tensor) (axisRows, error) {
	s := squeeze(t.Shape)
	switch {
	case len(s) != 2:
		return axisRows{}, notRows(t.Info)
	case s[0] == 0 || s[1] == 0:
		return axisRows{}, fault(NotATable, t.Name, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	r.oddValues(s[0], s[1], t.Data)
	return axisRows{t.Name, s[0], s[1], t.Data}, nil
}

// crossed lays the two axes out over the wanted positions, and only those. The grid
// is zero for positions in a line; stored has the rows of the two tensors.
func (r *reading) crossed(s separable, g, stored Grid) (Table, error) {
	n, d := s.rows.n, s.rows.d+s.cols.d
	if s.cols.n > maxPosition/n {
		return nil, r.fault(NotATable, "", "%d x %d positions are more than a table has", n, s.cols.n)
	}
	n *= s.cols.n
	reserved, suffix := 0, r.suffix()
	if r.opt.Reserved != nil {
		reserved = *r.opt.Reserved
	}
	if reserved > 0 || suffix > 0 {
		g = Grid{}
	}
	c, err := r.cut(n, reserved, suffix)
	if err != nil {
		return nil, err
	}
	if c.rows > largest/d {
		return nil, r.fault(BadOption, "--positions A:B reads a part of them, --stride N every N-th", "%s of %d numbers are more than the %d that are laid out", count(c.rows, "position"), d, largest)
	}
	data := make([]float64, 0, c.rows*d)
	y, x := make([]int, c.rows), make([]int, c.rows) // the row of each tensor
	for i := range c.rows {
		y[i], x[i] = c.row(i)/s.cols.n, c.row(i)%s.cols.n
		first, second := s.rows.row(y[i]), s.cols.row(x[i])
		if s.colFirst {
			first, second = second, first
		}
		data = append(append(data, first...), second...)
	}
	a, err := r.cutTable(c, d, data, g, 1)
	if err != nil {
		return nil, err
	}
	a.Stored = []Stored{
		{Tensor: s.rows.name, Unit: "row", Count: stored.Rows, Axis: WholeTable, At: y},
		{Tensor: s.cols.name, Unit: "row", Count: stored.Cols, Axis: WholeTable, At: x},
	}
	if a.Grid == (Grid{s.rows.n, s.cols.n}) && c.rows == n {
		a.Stored[0].Axis, a.Stored[0].At = 0, upTo(s.rows.n)
		a.Stored[1].Axis, a.Stored[1].At = 1, upTo(s.cols.n)
	}
	noteValues(a)
	return a, nil
}

// row is the i-th vector.
func (v axisRows) row(i int) []float64 { return v.data[i*v.d : (i+1)*v.d] }
