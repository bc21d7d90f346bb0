package posemb

import "fmt"

// readGrid reads a table whose rows follow a raster behind a few prefix rows, or
// an image of vectors.
func readGrid(r *reading) (Table, error) {
	if s := squeeze(r.parts[0].Shape); len(s) == 3 {
		return r.image(s)
	}
	return r.positions(func(n, _ int, _ []float64, suffix int) (int, Grid, error) {
		reserved, g := r.raster(n, suffix)
		r.prefix(reserved)
		if r.opt.Suffix == nil && r.preset.Suffix > 0 {
			for row := max(n-suffix, 0); row < n; row++ {
				r.call(row, "detection token")
			}
		}
		return reserved, g, nil
	})
}

// raster decides how many of n rows stand in front of a square grid, and notes it.
func (r *reading) raster(n, suffix int) (reserved int, g Grid) {
	prefixes := []int{0, 1, 2}
	switch {
	case r.opt.Reserved != nil:
		prefixes = []int{*r.opt.Reserved}
	case r.preset.Prefixed:
		prefixes = []int{r.preset.Reserved}
	}
	behind := ""
	if suffix > 0 {
		behind = fmt.Sprintf(", then %s that are no positions", count(suffix, "row"))
	}
	if g, ok := r.fixedRows(n-suffix, prefixes); ok {
		r.note("%s, then %s%s", prefixNote(prefixes[0]), g, behind)
		return prefixes[0], g
	}
	frames := max(r.opt.Frames, 1)
	reserved, g, ok := framesBehind(n-suffix, frames, prefixes...)
	switch {
	case r.opt.Grid != nil: // the caller's grid replaces this one
		if !ok {
			reserved = prefixes[0]
		}
		return reserved, Grid{}
	case ok && reserved == 0:
		r.note("%s, no class token%s", framesText(frames, g), behind)
	case ok:
		r.note("%s, then %s%s", prefixNote(reserved), framesText(frames, g), behind)
	case len(prefixes) > 1:
		r.note("%s are no square grid, nor behind 1 or 2 prefix rows: read as positions in a line; --reserved N and --grid HxW say better", count(n, "row"))
	default:
		reserved = prefixes[0]
		r.note("%s%s; the other %d are no square grid: read as positions in a line; --grid HxW says better", prefixNote(reserved), behind, n-reserved-suffix)
	}
	return reserved, g
}

// fixedRows is the grid of a model whose grids have a certain number of rows, such
// as bands of a spectrogram, though the rows of the table make a square as well.
func (r *reading) fixedRows(n int, prefixes []int) (Grid, bool) {
	rows, left := r.preset.GridRows, n-prefixes[0]
	if rows < 1 || len(prefixes) != 1 || prefixes[0] < 0 || left < 1 || left%rows != 0 || r.opt.Grid != nil || r.opt.Frames > 1 {
		return Grid{}, false
	}
	return Grid{rows, left / rows}, true
}

// image reads an image of vectors, which is a grid without prefix rows.
func (r *reading) image(s []int) (Table, error) {
	h, w, d, first, err := r.layout(s)
	if err != nil {
		return nil, err
	}
	if h == 0 || w == 0 || d == 0 {
		return nil, r.fault(NotATable, "", "%s: no numbers in it", shapeText(s))
	}
	data := r.parts[0].Data
	if first {
		data = channelsLast(data, d, h*w)
		r.note("%s of vectors of %d, stored width first; no class token", Grid{h, w}, d)
	} else {
		r.note("%s of vectors of %d, no class token", Grid{h, w}, d)
	}
	r.oddValues(h*w, d, data)
	reserved := 0
	if r.opt.Reserved != nil {
		reserved = *r.opt.Reserved
	}
	g := Grid{h, w}
	if reserved > 0 || r.opt.Suffix != nil && *r.opt.Suffix > 0 {
		g = Grid{}
	}
	a, err := r.absolute(h*w, d, data, reserved, r.suffix(), g)
	if err != nil {
		return nil, err // not a, whose nil pointer would make a Table that is not nil
	}
	a.Stored[0].Unit = "cell"
	noteValues(a)
	return a, nil
}

// layout tells [rows, columns, width] from [width, rows, columns]: by the preset,
// by the grid that the caller names, or by the two sides that are equal. What
// stays open is an error with its readings.
func (r *reading) layout(s []int) (h, w, d int, channelsFirst bool, err error) {
	a, b, c := s[0], s[1], s[2]
	last, first := a == b && b != c, b == c && a != b
	switch g := r.opt.Grid; {
	case r.preset.RowMajor, r.oriented:
		last, first = true, false
	case g != nil && r.opt.Positions == nil && r.opt.Stride <= 1:
		last, first = *g == Grid{a, b}, *g == Grid{b, c}
	}
	switch {
	case last && !first:
		return a, b, c, false, nil
	case first && !last:
		return b, c, a, true, nil
	}
	return 0, 0, 0, false, r.fault(NotATable, fmt.Sprintf("--grid %dx%d or --grid %dx%d says which, or --axes rows,cols,width or --axes width,rows,cols", a, b, b, c),
		"%s reads as %s of vectors of %d, or as %d maps of %d x %d", shapeText(s), Grid{a, b}, c, a, b, c)
}

// channelsLast turns [d][n] into [n][d].
func channelsLast(data []float64, d, n int) []float64 {
	turned := make([]float64, len(data))
	for k := range d {
		for i := range n {
			turned[i*d+k] = data[k*n+i]
		}
	}
	return turned
}
