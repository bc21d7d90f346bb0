package analysis

import (
	"fmt"

	"poslens/internal/posemb"
)

// raster is a grid of h rows of w cells. Behind each of its rows but the last stand
// w-1 empty cells, so that the cells of any two rows and columns are a lag of their
// own apart, which for offsets that look ahead is
//
//	lag = dr (2w - 1) + dc,    0 < dr, or dr = 0 <= dc
//
// and a sum over a lag is one over an offset.
type raster struct{ h, w int }

// rasterOf is the grid of a table. A table without one, one of several frames, or one
// that does not hold its cells is an error.
func rasterOf(a *posemb.Absolute) (raster, error) {
	g := a.Grid
	if g == (posemb.Grid{}) {
		return raster{}, fmt.Errorf("positions in a line, not cells of a grid")
	}
	n := 0
	if a.Table != nil {
		n, _ = a.Table.Dims()
	}
	frames := max(a.Frames, 1)
	if g.Rows < 1 || g.Cols < 1 || n/g.Rows/g.Cols != frames || n%g.Rows != 0 || n/g.Rows%g.Cols != 0 {
		return raster{}, fmt.Errorf("%d rows do not make %s of %d x %d cells", n, frameWord(frames), g.Rows, g.Cols)
	}
	if frames > 1 {
		return raster{}, fmt.Errorf("%d frames of %d x %d cells, and a map of offsets is of one", frames, g.Rows, g.Cols)
	}
	return raster{g.Rows, g.Cols}, nil
}

func frameWord(frames int) string {
	if frames == 1 {
		return "a grid"
	}
	return fmt.Sprintf("%d frames", frames)
}

// period is the lag from a row to the next.
func (g raster) period() int { return 2*g.w - 1 }

// lags is how many lags there are, which is how many cells the padded grid has.
func (g raster) lags() int { return (g.h-1)*g.period() + g.w }

// padded is where cell i stands in the padded grid.
func (g raster) padded(i int) int { return i/g.w*g.period() + i%g.w }

// offset is that of a lag: dr from 0 on, dc of both signs.
func (g raster) offset(lag int) (dr, dc int) {
	at := lag + g.w - 1
	return at / g.period(), at%g.period() - (g.w - 1)
}

// lag is that of an offset or of its opposite, whichever looks ahead.
func (g raster) lag(dr, dc int) int {
	if k := dr*g.period() + dc; k >= 0 {
		return k
	}
	return -dr*g.period() - dc
}

// pairs is how many pairs of cells are a lag apart.
func (g raster) pairs(lag int) int {
	dr, dc := g.offset(lag)
	return (g.h - dr) * (g.w - max(dc, -dc))
}

// single is why a grid has no figures of two axes, or empty.
func (g raster) single() string {
	switch {
	case g.h == 1:
		return "the grid has one row"
	case g.w == 1:
		return "the grid has one column"
	}
	return ""
}
