package posemb

// readRows reads a table with one row a position.
func readRows(r *reading) (Table, error) {
	return r.positions(func(n, d int, data []float64, _ int) (int, Grid, error) {
		return r.reservedRows(n, d, data), Grid{}, nil
	})
}

// readUntied reads TUPE's table, whose first two rows serve the class token: its
// score for all others, and the score of all others for it.
func readUntied(r *reading) (Table, error) {
	return r.positions(func(n, d int, data []float64, _ int) (int, Grid, error) {
		if r.opt.Reserved != nil {
			return *r.opt.Reserved, Grid{}, nil
		}
		if n > r.preset.Reserved {
			r.call(0, "from [CLS] to the other tokens")
			r.call(1, "from the other tokens to [CLS], which stands here")
		}
		r.note("rows 0 and 1 serve [CLS]; row 2 is the first token behind it")
		return r.preset.Reserved, Grid{}, nil
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
	noteValues(a)
	return a, nil
}

// noteValues notes what the numbers of a table are when they were not learned.
func noteValues(a *Absolute) {
	if !noteFormula(a) {
		noteInitial(a)
	}
}

// suffix is the number of trailing rows to leave out.
func (r *reading) suffix() int {
	if r.opt.Suffix != nil {
		return *r.opt.Suffix
	}
	return r.preset.Suffix
}

// frontOfGrid is the number of rows in front of the grid, or the frames of it, that
// the caller asks for, where the caller doesn't say it.
func (r *reading) frontOfGrid(n, suffix int) (reserved int, ok bool) {
	g, frames := r.opt.Grid, max(r.opt.Frames, 1)
	if g == nil || r.opt.Reserved != nil || !r.whole() || g.Rows < 1 || g.Cols < 1 || g.Rows > n/g.Cols || frames > n/(g.Rows*g.Cols) {
		return 0, false
	}
	if reserved = n - suffix - frames*g.Rows*g.Cols; reserved < 0 {
		return 0, false
	}
	if reserved > 0 {
		r.note("%s leaves %s in front of it", framesText(frames, *g), count(reserved, "row"))
	}
	return reserved, true
}

// whole says that all positions are wanted.
func (r *reading) whole() bool { return r.opt.Positions == nil && r.opt.Stride <= 1 }
