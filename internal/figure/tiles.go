package figure

import (
	"errors"
	"fmt"
)

// Tiles is a small map for each of some cells of a grid, laid out as the cells are:
// tile (r, c) shows what cell (r, c) has with every cell, row 0 at the top. All tiles
// share one scale, with the map beside them if there is one.
type Tiles struct {
	Title          string
	Caption        string                       // above the tiles: what one of them shows
	XLabel, YLabel string                       // of the columns and of the rows of tiles
	ColorLabel     string                       // what the numbers are
	Rows, Cols     int                          // of the grid, and so the cells of a tile
	TileRows       []int                        // which rows of tiles are drawn, rising
	TileCols       []int                        // which columns of tiles are drawn, rising
	At             func(i, j, r, c int) float64 // cell (r, c) of the tile in the i-th of TileRows and j-th of TileCols; NaN is undefined and grey
	Min, Max       float64                      // the ends of the scale; both 0 means those of the data
	Range          *Range                       // of the values, where it is known; nil: they are looked at for it
	Beside         *Heatmap                     // right of the tiles, or below on a page that is higher than wide; its title stands above it; nil: none
}

func (t *Tiles) check() error {
	switch {
	case t.Rows < 1 || t.Cols < 1:
		return fmt.Errorf("tiles: a grid of %d x %d cells: nothing to draw", t.Rows, t.Cols)
	case t.At == nil:
		return errors.New("tiles: no values")
	case !finite(t.Min) || !finite(t.Max) || t.Min > t.Max:
		return fmt.Errorf("tiles: a scale from %g to %g", t.Min, t.Max)
	}
	for _, side := range []struct {
		what string
		at   []int
		n    int
	}{{"rows", t.TileRows, t.Rows}, {"columns", t.TileCols, t.Cols}} {
		if len(side.at) == 0 {
			return fmt.Errorf("tiles: no %s of them", side.what)
		}
		before := -1
		for _, i := range side.at {
			if i <= before || i >= side.n {
				return fmt.Errorf("tiles: %s %v, which do not rise within 0 to %d", side.what, side.at, side.n-1)
			}
			before = i
		}
	}
	if t.Beside != nil {
		return t.Beside.check()
	}
	return nil
}

// wideGrid is how many times wider than high a grid is whose map stands below its
// tiles.
const wideGrid = 2

func (t *Tiles) defaultSize() (width, height float64) {
	switch {
	case t.Beside == nil:
		return 6, 5.3
	case t.Cols > wideGrid*t.Rows:
		return 6.5, 8
	}
	return 11, 5.2
}

// shapeAt puts the map below the tiles on a page that is narrow for its type.
func (t *Tiles) shapeAt(width, kind float64) (w, h float64) {
	const narrow = 45 // ems of the smallest type
	if t.Beside != nil && 72*width < narrow*leastType*kind {
		return 6.5, 10
	}
	return t.defaultSize()
}

// scale is that of the tiles and the map beside them.
func (t *Tiles) scale(palette string, within size) *colours {
	tiles, cells := len(t.TileRows)*len(t.TileCols), t.Rows*t.Cols
	maps := []*Heatmap{{Rows: tiles, Cols: cells, Min: t.Min, Max: t.Max, Range: t.Range,
		At: func(k, cell int) float64 {
			return t.At(k/len(t.TileCols), k%len(t.TileCols), cell/t.Cols, cell%t.Cols)
		}}}
	if t.Beside != nil {
		maps = append(maps, t.Beside)
	}
	return scaleOf(palette, within, maps...)
}

// EveryTile chooses which of n tiles to draw where not all of them have room: every
// step-th, as far from the first as from the last.
func EveryTile(n, step int) []int {
	step = max(1, min(step, n))
	m := (n-1)/step + 1
	at := make([]int, m)
	for i := range at {
		at[i] = (n-1-(m-1)*step)/2 + i*step
	}
	return at
}

// Steps is how far apart the rows and the columns of tiles must be so that every cell
// of a tile has a pixel in a figure of a style, a PNG of its DPI: 1 and 1 where all
// tiles can be drawn, more than there are where not even one has such cells. Its tiles
// are not looked at.
func (t *Tiles) Steps(s Style) (rows, cols int, err error) {
	all := *t
	all.TileRows, all.TileCols = EveryTile(t.Rows, 1), EveryTile(t.Cols, 1)
	all.At = func(int, int, int, int) float64 { return 0 }
	all.Range = &Range{Least: -1, Most: 1, Undefined: true} // the note of undefined cells takes room
	if err := all.check(); err != nil {
		return 0, 0, fmt.Errorf("figure: %w", err)
	}
	p, err := newPage("svg", &all, s) // without its pixels
	if err != nil {
		return 0, 0, fmt.Errorf("figure: %w", err)
	}
	p.px = 72 / float64(p.style.DPI)
	room := all.layOut(p, all.scale(p.style.Palette, p.shown())).room
	rows, cols = stepWithin(t.Rows, int(room.h()/p.px)), stepWithin(t.Cols, int(room.w()/p.px))
	if t.Rows == t.Cols { // a square stays one
		rows, cols = max(rows, cols), max(rows, cols)
	}
	return rows, cols, nil
}

// stepWithin is the least step at which tiles of n cells and the gaps between them
// have no more than some pixels; n + 1 if there is none.
func stepWithin(n, pixels int) int {
	for step := 1; step <= n; step++ {
		if m := (n-1)/step + 1; m*(n+1)-1 <= pixels {
			return step
		}
	}
	return n + 1
}
