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
			what := plural(suffix, "class token", "detection token")
			for row := max(n-suffix, 0); row < n; row++ {
				r.call(row, what)
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
		behind = fmt.Sprintf(", then %s that %s", count(suffix, "row"), plural(suffix, "is no position", "are no positions"))
	}
	if g, ok := r.fixedRows(n-suffix, prefixes); ok {
		r.note("%s, then %s%s", prefixNote(prefixes[0]), g, behind)
		return prefixes[0], g
	}
	frames := max(r.opt.Frames, 1)
	reserved, g, ok := framesBehind(n-suffix, frames, prefixes...)
	if p, stated, fits := r.statedRaster(n-suffix, prefixes); fits && frames == 1 && (!ok || p != reserved || stated != g) {
		r.note("%s, then %s%s, as the configuration has it", prefixNote(p), stated, behind)
		return p, stated
	}
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
		r.note("%s no square grid, nor behind 1 or 2 prefix rows: read as positions in a line; --reserved N and --grid HxW say better", are(n, "row"))
	default:
		reserved = prefixes[0]
		r.note("%s%s; the other %d %s no square grid: read as positions in a line; --grid HxW says better", prefixNote(reserved), behind, n-reserved-suffix, plural(n-reserved-suffix, "is", "are"))
	}
	return reserved, g
}

// statedRaster is the configuration's grid, where n rows are just that behind as many
// prefix rows as one of prefixes says.
func (r *reading) statedRaster(n int, prefixes []int) (reserved int, g Grid, ok bool) {
	g = r.statedGrid()
	if g == (Grid{}) || r.opt.Grid != nil {
		return 0, Grid{}, false
	}
	for _, p := range prefixes {
		if p >= 0 && n-p == g.Rows*g.Cols {
			return p, g, true
		}
	}
	return 0, Grid{}, false
}

// fixedRows is the grid of a model whose grids have a certain number of rows, such
// as bands of a spectrogram, though the rows of the table make a square as well.
func (r *reading) fixedRows(n int, prefixes []int) (Grid, bool) {
	rows, left := r.preset.GridRows, n-prefixes[0]
	if rows > 0 {
		rows = r.bands(rows)
	}
	if rows < 1 || len(prefixes) != 1 || prefixes[0] < 0 || left < 1 || left%rows != 0 || r.opt.Grid != nil || r.opt.Frames > 1 {
		return Grid{}, false
	}
	return Grid{rows, left / rows}, true
}

// bands is the number of rows that the patches of a spectrogram make, by the
// configuration, else as many as usual.
func (r *reading) bands(usual int) int {
	mels, ok := r.number("num_mel_bins")
	patch, ok2 := r.number("patch_size")
	step, ok3 := r.number("frequency_stride")
	if !ok || !ok2 || !ok3 || mels < patch {
		return usual
	}
	rows := (mels-patch)/step + 1
	if rows != usual {
		r.note("%d bands of frequencies, as the configuration has it", rows)
	}
	return rows
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
	if reserved > 0 || r.suffix() > 0 {
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
// by the grid that the caller or else the configuration names, or by the two sides
// that are equal. What
// stays open is an error with its readings.
func (r *reading) layout(s []int) (h, w, d int, channelsFirst bool, err error) {
	a, b, c := s[0], s[1], s[2]
	last, first := a == b && b != c, b == c && a != b
	stated := r.statedGrid()
	switch g := r.opt.Grid; {
	case r.preset.RowMajor, r.oriented:
		last, first = true, false
	case g == nil && last == first && (stated == Grid{a, b}) != (stated == Grid{b, c}):
		last, first = stated == Grid{a, b}, stated == Grid{b, c}
		r.note("%s, as the configuration has it", stated)
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
