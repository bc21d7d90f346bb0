package figure

import (
	"errors"
	"fmt"
	"image/color"
	"math"
)

// Board is charts side by side that share nothing: each has axes, colours and a
// legend of its own.
type Board struct {
	Title  string
	Cols   int     // charts in a row
	Charts []Chart // row by row
}

// mostBoard is how many charts a board takes.
const mostBoard = 64

func (b *Board) check() error {
	switch {
	case b == nil:
		return errors.New("no chart")
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

// rows is how many rows of charts there are.
func (b *Board) rows() int { return (len(b.Charts) + b.Cols - 1) / b.Cols }

func (b *Board) defaultSize() (width, height float64) {
	const w, h, head = 4.6, 3.6, 0.3
	cols, rows := float64(min(b.Cols, len(b.Charts))), float64(b.rows())
	shrink := min(1, 16/(w*cols), 20/(h*rows+head))
	return shrink * w * cols, shrink * (h*rows + head)
}

func (b *Board) draw(p *page) {
	title := p.titleOf(b.Title)
	top := 0.0
	if title != "" {
		top = p.snap(0.6*p.pad() + p.titleRoom())
		size := p.size
		p.text(p.cut(title, 1.15*size, p.w-2*p.pad()), point{p.pad(), p.pad() + 1.15*capHeight*size}, 0, 1, 1.15*size, false, p.ink)
	}
	cols, rows := min(b.Cols, len(b.Charts)), b.rows()
	at := func(i, n int, from, to float64) float64 { return p.snap(from + (to-from)*float64(i)/float64(n)) }
	for i, c := range b.Charts {
		row, col := i/b.Cols, i%b.Cols
		c.draw(p.part(rect{
			at(col, cols, 0, p.w), at(row, rows, top, p.h),
			at(col+1, cols, 0, p.w), at(row+1, rows, top, p.h),
		}))
	}
}

// part is a page that draws on a rectangle of p, whose corner is at pixels' edges, in
// a type size for its own size.
func (p *page) part(r rect) *page {
	q := *p
	q.face = *newFace()
	q.sheet = &shifted{p.sheet, r.x0, r.y0}
	q.w, q.h = r.w(), r.h()
	q.style.Title = ""
	grown := math.Sqrt(min(q.w/432, q.h/288)) // as of a page, see newPage
	q.size = min(p.size, p.kind*max(5.5, 9.5*grown))
	q.weight = themeOf(p.style.Theme).weight * max(0.6, min(2, grown))
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
