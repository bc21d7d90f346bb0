package figure

import (
	"fmt"
	"image/color"
)

// Board is charts side by side that share nothing: each has axes, colours and a
// legend of its own. The plots of a column begin at one edge.
type Board struct {
	Title  string
	Cols   int     // charts in a row, at most: a page that is narrow for its type has fewer
	Charts []Chart // row by row
}

// mostBoard is how many charts a board takes.
const mostBoard = 64

func (b *Board) check() error {
	switch {
	case b.Cols < 1 || len(b.Charts) == 0 || len(b.Charts) > mostBoard:
		return fmt.Errorf("board: %d charts in rows of %d: 1 to %d have a place", len(b.Charts), b.Cols, mostBoard)
	}
	for i, c := range b.Charts {
		if _, ok := c.(*Board); ok {
			return fmt.Errorf("board: chart %d is a board itself", i)
		}
		if err := checkChart(c); err != nil {
			return fmt.Errorf("board: chart %d: %w", i, err)
		}
	}
	return nil
}

// rows is how many rows of charts there are in some columns.
func (b *Board) rows(cols int) int { return (len(b.Charts) + cols - 1) / cols }

// The room for a board's title, in inches.
const boardHead = 0.3

func (b *Board) defaultSize() (width, height float64) {
	w, h := 4.6, 3.6
	if b.Cols > 2 { // smaller ones, or the type is lost among them
		w, h = 3.5, 2.7
	}
	cols := min(b.Cols, len(b.Charts))
	width, height = w*float64(cols), h*float64(b.rows(cols))+boardHead
	shrink := min(1, 16/width, 20/height)
	return shrink * width, shrink * height
}

// The least sides of a chart of a board, in ems of its type, and the height of those in
// a column of their own, of their width.
const (
	boardWide, boardHigh = 21, 15
	boardAlone           = 0.75
)

// fits is how many times as large a chart's part is as it must be for its words.
func fits(w, h, kind float64) float64 {
	em := typeFor(w, h, kind)
	return min(w/(boardWide*em), h/(boardHigh*em))
}

// shapeAt keeps charts that would be too narrow for their words apart: fewer stand in a
// row, and the board is higher.
func (b *Board) shapeAt(width, kind float64) (w, h float64) {
	w, h = b.defaultSize()
	most := min(b.Cols, len(b.Charts))
	shape := (h - boardHead) / float64(b.rows(most)) / (w / float64(most))
	for cols := most; ; cols-- {
		part := width / float64(cols)
		switch {
		case cols < most && cols == 1:
			return width, boardAlone*part*float64(b.rows(1)) + boardHead
		case cols == 1 || fits(72*part, 72*shape*part, kind) >= 1:
			return width, shape*part*float64(b.rows(cols)) + boardHead
		}
	}
}

// columns is how many charts stand in a row on a page: as many as may, or where they
// would be too small for their words, as many as leave them the most room.
func (b *Board) columns(p *page) int {
	best, most := 1, 0.0
	for cols := min(b.Cols, len(b.Charts)); cols >= 1; cols-- {
		room := fits(p.w/float64(cols), (p.h-72*boardHead)/float64(b.rows(cols)), p.kind)
		if room >= 0.99 { // a page of whole pixels
			return cols
		}
		if room > most {
			best, most = cols, room
		}
	}
	return best
}

func (b *Board) draw(p *page) {
	title := p.titleOf(b.Title)
	top := 0.0
	if title != "" {
		top = p.snap(0.6*p.pad() + p.titleRoom())
		size := p.size
		p.text(p.cut(title, 1.15*size, p.w-2*p.pad()), point{p.pad(), p.pad() + 1.15*capHeight*size}, 0, 1, 1.15*size, false, p.ink)
	}
	cols := b.columns(p)
	rows := b.rows(cols)
	at := func(i, n int, from, to float64) float64 { return p.snap(from + (to-from)*float64(i)/float64(n)) }
	parts := make([]*page, len(b.Charts))
	aside := make([]float64, cols)
	for i, c := range b.Charts {
		row, col := i/cols, i%cols
		parts[i] = p.part(rect{
			at(col, cols, 0, p.w), at(row, rows, top, p.h),
			at(col+1, cols, 0, p.w), at(row+1, rows, top, p.h),
		})
		aside[col] = max(aside[col], parts[i].leftOf(c))
	}
	for i, c := range b.Charts {
		parts[i].drawAside(c, aside[i%cols])
	}
}

// drawAside draws a chart whose plot, where it has one, leaves at least some room left
// of it.
func (p *page) drawAside(c Chart, aside float64) {
	switch c.(type) {
	case *Heatmap, *Lines, *Scatter:
		p.aside = aside
	}
	c.draw(p)
}

// leftOf is the room that a chart's axes take left of its plot; 0 where that is not
// known before it is drawn.
func (p *page) leftOf(c Chart) float64 {
	switch c.(type) {
	case *Lines, *Scatter:
	default: // its plot has a shape of its own, and stands in the middle
		return 0
	}
	q := *p
	q.sheet = unseen{p.sheet}
	c.draw(&q)
	return q.plots[0].X0 - q.pad()
}

// unseen is a sheet on which nothing is drawn.
type unseen struct{ sheet }

func (unseen) polygon([]point, color.NRGBA)             {}
func (unseen) line([]point, float64, bool, color.NRGBA) {}
func (unseen) text(*word)                               {}
func (unseen) cells(rect, *grid)                        {}

// part is a page that draws on a rectangle of p, whose corner is at pixels' edges, in
// a type size for its own size.
func (p *page) part(r rect) *page {
	q := *p
	q.face = *newFace()
	q.sheet = &shifted{p.sheet, r.x0, r.y0}
	q.w, q.h = r.w(), r.h()
	q.style.Title, q.style.Untitled, q.plots, q.aside, q.onBoard = "", false, nil, 0, true
	q.size = min(p.size, typeFor(q.w, q.h, p.kind))
	q.weight = themeOf(p.style.Theme).weight * weightFor(q.w, q.h)
	return &q
}

// shifted is a part of a sheet, from a corner on.
type shifted struct {
	sheet
	dx, dy float64
}

func (s *shifted) move(pts []point) []point {
	moved := make([]point, len(pts))
	for i, q := range pts {
		moved[i] = point{q.x + s.dx, q.y + s.dy}
	}
	return moved
}

func (s *shifted) polygon(pts []point, c color.NRGBA) { s.sheet.polygon(s.move(pts), c) }

func (s *shifted) line(pts []point, width float64, dashed bool, c color.NRGBA) {
	s.sheet.line(s.move(pts), width, dashed, c)
}

func (s *shifted) text(t *word) {
	moved := *t
	moved.at = point{t.at.x + s.dx, t.at.y + s.dy}
	s.sheet.text(&moved)
}

func (s *shifted) cells(r rect, g *grid) {
	s.sheet.cells(rect{r.x0 + s.dx, r.y0 + s.dy, r.x1 + s.dx, r.y1 + s.dy}, g)
}

// block draws the charts below each other, or side by side where there is room.
func (b *Board) block(t Terminal) block {
	const gap, narrowest = 4, 44
	var all block
	if b.Title != "" {
		all.add(t, b.Title)
	}
	perRow := max(1, min(b.Cols, (t.Width+gap)/(narrowest+gap)))
	small := t
	small.Width = max(minColumns, (t.Width+gap)/perRow-gap)
	for from := 0; from < len(b.Charts); from += perRow {
		var blocks []block
		for _, c := range b.Charts[from:min(from+perRow, len(b.Charts))] {
			blocks = append(blocks, c.block(small))
		}
		if from > 0 {
			all = append(all, nil)
		}
		all = append(all, beside(blocks, small.Width, gap)...)
	}
	return all
}
