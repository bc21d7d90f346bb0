package figure

import (
	"errors"
	"fmt"
	"math"
)

// Heatmap is a matrix as colours, row 0 at the top. A pixel that several cells
// share shows the mean of the defined ones.
type Heatmap struct {
	Title          string
	XLabel, YLabel string // of the columns and of the rows
	ColorLabel     string // what the numbers are
	Rows, Cols     int
	At             func(r, c int) float64 // NaN is undefined and grey; infinite ones count as the end of the scale
	X0, Y0         int                    // the number of column 0, of row 0
	XStep, YStep   int                    // from one number to the next; 0 means 1
	XNames, YNames []string               // in place of the numbers, a name a column, a row
	Decimals       int                    // of the values that are written into the cells where there is room; 0 writes none
	Min, Max       float64                // the ends of the scale, whose colours all beyond have, which the bar shows by a tip; both 0 means those of the data
	Diverging      bool                   // the scale reaches as far below 0 as above
	Range          *Range                 // of the values, where it is known; nil: they are looked at for it

	// Blocks stands in place of At for tables too large to ask cell by cell: the
	// means of blocks of cells, row after row. rows and cols are the blocks' edges,
	// rising: one more than the blocks, the first 0 and the last Rows or Cols where
	// all is asked. NaN where no cell of a block is defined. A figure asks once, and
	// before that for the range of the data where Range is nil, which is that of the
	// means of about as many blocks as the page has pixels.
	Blocks func(rows, cols []int) []float64
}

// Range is what the values of a heat map are known to lie in.
type Range struct {
	Least, Most float64
	Undefined   bool // some are NaN
	Sampled     bool // some may lie beyond Least and Most: those that are drawn are looked at, for the tips of the bar
}

func (h *Heatmap) check() error {
	switch {
	case h.Rows < 1 || h.Cols < 1:
		return fmt.Errorf("heat map: %d x %d cells: nothing to draw", h.Rows, h.Cols)
	case h.At == nil && h.Blocks == nil:
		return errors.New("heat map: no values")
	case h.At != nil && h.Blocks != nil:
		return errors.New("heat map: values both by the cell and in blocks")
	case h.XNames != nil && len(h.XNames) != h.Cols || h.YNames != nil && len(h.YNames) != h.Rows:
		return fmt.Errorf("heat map: %d and %d names of %d columns and %d rows", len(h.XNames), len(h.YNames), h.Cols, h.Rows)
	case !finite(h.Min) || !finite(h.Max) || h.Min > h.Max:
		return fmt.Errorf("heat map: a scale from %g to %g", h.Min, h.Max)
	}
	return nil
}

func (h *Heatmap) defaultSize() (width, height float64) { return 6, 5 }

func (h *Heatmap) grid(k *colours) *grid { return &grid{h.Rows, h.Cols, h.blocks, k} }

// axes are the map's axes for about a size in points.
func (h *Heatmap) axes(p *page, size, width, height float64) *axes {
	a := &axes{
		x:      scale{lo: -0.5, hi: float64(h.Cols) - 0.5},
		y:      scale{lo: float64(h.Rows) - 0.5, hi: -0.5},
		xLabel: p.fold(h.XLabel), yLabel: p.fold(h.YLabel),
		size: size,
	}
	widest := 0.0
	for _, c := range []int{0, h.Cols - 1} {
		widest = max(widest, p.width(positions(1, h.X0+c*max(1, h.XStep), 1, 1)[0].label, size))
	}
	across, down := min(few(h.Cols), int(width/(widest+1.2*size))), min(few(h.Rows), int(height/(2*size)))
	if h.Rows == h.Cols {
		across = min(across, down)
		down = across
	}
	a.x.ticks = positions(h.Cols, h.X0, h.XStep, across)
	a.y.ticks = positions(h.Rows, h.Y0, h.YStep, down)
	h.nameTicks(p, a, size, width, height)
	return a
}

// few is how many of n cells are numbered at most: all of some, a handful of
// many.
func few(n int) int {
	if n <= 16 {
		return n
	}
	return 8
}

// fit is the size of the map within the room: square cells unless that would
// make a thread of it, and whole pixels a cell unless that would waste the room.
func (h *Heatmap) fit(p *page, width, height float64) (w, ht float64) {
	const thread, waste = 4, 0.75
	rows, cols := float64(h.Rows), float64(h.Cols)
	cw, ch := width/cols, height/rows
	if cols <= thread*rows && rows <= thread*cols {
		cw = min(cw, ch)
		ch = cw
	}
	whole := func(cell, n float64) float64 {
		if p.px == 0 {
			return cell * n
		}
		if block := math.Floor(cell/p.px + 1e-9); block*p.px >= waste*cell {
			return block * p.px * n
		}
		return max(1, math.Floor(cell*n/p.px+1e-9)) * p.px
	}
	return whole(cw, cols), whole(ch, rows)
}

func (h *Heatmap) draw(p *page) { h.place(p, 0) }

// place draws the map on a page, with room left of it for at least some points of
// numbers, and gives the rectangle of its cells.
func (h *Heatmap) place(p *page, aside float64) rect {
	pad := p.pad()
	k := scaleOf(p.style.Palette, p.shown(), h)
	title := p.titleOf(h.Title)
	head := 0.0
	if title != "" {
		head = p.titleRoom()
	}
	bar := newColorBar(p, k, h.ColorLabel, 0.7*p.h)
	side := bar.width(p)
	var a *axes
	var left, top, width, height float64
	w, ht := 0.6*p.w, 0.65*p.h
	for pass := 1; ; pass++ { // the numbers depend on the map's size, which depends on their room
		a = h.axes(p, p.size, w, ht)
		if p.strip(a); pass > 2 {
			a.bare()
		}
		var right, bottom float64
		left, top, right, bottom = a.margins(p)
		left = max(left, aside)
		width = max(1, p.w-2*pad-left-max(right, side))
		height = max(1, p.h-2*pad-head-top-max(bottom, bar.noteRoom()))
		w, ht = h.fit(p, width, height)
		if pass > 2 || pass == 2 && min(width, height) >= least*p.size {
			break
		}
	}

	tall := max(ht, min(height, 12*p.size)) // of the bar
	spare := point{(width - w) / 2, (height - tall) / 2}
	if p.onBoard {
		spare = point{}
	}
	x0 := p.snap(pad + left + spare.x)
	y0 := pad + head + top + spare.y
	r := rect{x0, p.snap(y0 + (tall-ht)/2), x0 + w, 0}
	r.y1 = r.y0 + ht

	barEnd := max(y0+tall, r.y1)
	if barEnd > r.y1 || bar.noted() { // the label of x ends before what reaches down to it
		a.from, a.to = pad, r.x1+barGap*p.size/2
	}

	p.plotted(r)
	p.cells(r, h.grid(k))
	h.write(p, r, k, p.size)
	a.draw(p, r)
	bar.draw(p, r.x1, min(y0, r.y0), barEnd)
	if title != "" {
		p.title(title, r.x0, min(y0, r.y0)-top)
	}
	return r
}

// bare takes away all that stands around the plot.
func (a *axes) bare() {
	a.xLabel, a.yLabel = "", ""
	a.x.ticks, a.y.ticks = nil, nil
}

// strip takes away from the axes what a small page has no room for.
func (p *page) strip(a *axes) {
	if p.compact() {
		a.xLabel, a.yLabel = "", ""
	}
	if p.tiny() {
		a.bare()
	}
}
