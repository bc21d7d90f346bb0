package posemb

import (
	"strings"

	"poslens/internal/tensor"
)

// readHiera reads Hiera's table of two parts: an image of vectors for the whole
// picture, and one for a window. The model brings the first to the size of its
// feature map and adds the second to each window of it:
//
//	table = resize(pos_embed, HxW) + tile(window, HxW)
//
// Bolya et al. 2023, Window Attention is Bugged. Without a grid that says H and W,
// pos_embed is read as it is stored.
func readHiera(r *reading) (Table, error) {
	own, d, data, err := r.channels(r.parts[0], r.oriented)
	if err != nil {
		return nil, err
	}
	window, width, tile, err := r.channels(r.parts[1], false)
	switch {
	case err != nil:
		return nil, err
	case width != d:
		return nil, r.fault(NotATable, "", "vectors of %d, but those of the window %s are of %d", d, printable(r.parts[1].Name), width)
	}
	r.oddValues(own.Rows*own.Cols, d, data)
	reserved := 0
	if r.opt.Reserved != nil {
		reserved = *r.opt.Reserved
	}
	g := own
	want := r.opt.Grid
	summed := want != nil && want.Rows > 0 && want.Cols > 0 && want.Rows%window.Rows == 0 && want.Cols%window.Cols == 0
	switch {
	case summed:
		if rows := max(want.Rows, own.Rows); rows > largest/want.Cols || rows*want.Cols > largest/d { // own.Rows: columns are resized first
			return nil, r.fault(BadOption, "", "%s of vectors of %d is over the %d numbers that are made", *want, d, largest)
		}
		if data, err = r.windowed(data, own, *want, d, tile, window); err != nil {
			return nil, err
		}
		g, r.opt.Grid = *want, nil // it is taken here
	case want == nil || *want == own:
		r.note("%s of vectors of %d, stored width first; no class token", own, d)
		r.note("the model resizes it and adds %s, %s, to each window: --grid HxW, of whole windows, gives the sum", printable(r.parts[1].Name), window)
	default:
		return nil, r.fault(BadOption, "", "%s is no whole number of windows, of which each is %s", *want, window)
	}
	if reserved > 0 || r.suffix() > 0 {
		g = Grid{}
	}
	a, err := r.absolute(len(data)/d, d, data, reserved, r.suffix(), g)
	if err != nil {
		return nil, err
	}
	if summed {
		a.Stored = nil // no stored vector is one of the table's
	} else {
		a.Stored[0].Unit = "cell"
		noteValues(a)
	}
	return a, nil
}

// windowed is the sum that the model adds at a size.
func (r *reading) windowed(data []float64, own, want Grid, d int, tile []float64, window Grid) ([]float64, error) {
	taps, how := cubicTaps, "bicubic, a = -0.75, as SAM 2"
	if strings.HasSuffix(r.parts[1].Name, "_win") { // timm's name
		taps, how = smoothTaps, "bicubic with antialiasing, a = -0.5, as timm"
	}
	sum := resample(data, own, want, d, taps)
	for y := range want.Rows {
		for x := range want.Cols {
			addTo(sum[(y*want.Cols+x)*d:][:d], tile[(y%window.Rows*window.Cols+x%window.Cols)*d:], 1)
		}
	}
	r.note("%s: %s of %s resized (%s), and %s of %s added to each window", want, printable(r.parts[0].Name), own, how, printable(r.parts[1].Name), window)
	return sum, nil
}

// channels is an image [width, rows, columns] as a grid of vectors; last: it is
// [rows, columns, width] already.
func (r *reading) channels(t *tensor.Tensor, last bool) (g Grid, d int, data []float64, err error) {
	s := t.Shape
	for len(s) > 3 && s[0] == 1 {
		s = s[1:]
	}
	if len(s) != 3 {
		return Grid{}, 0, nil, notRows(t.Info)
	}
	if len(t.Data) == 0 {
		return Grid{}, 0, nil, fault(NotATable, t.Name, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	if last {
		return Grid{s[0], s[1]}, s[2], t.Data, nil
	}
	return Grid{s[1], s[2]}, s[0], channelsLast(t.Data, s[0], s[1]*s[2]), nil
}
