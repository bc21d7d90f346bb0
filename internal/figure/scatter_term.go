package figure

import (
	"fmt"
	"image/color"
)

func (s *Scatter) block(t Terminal) block {
	var b block
	if s.Title != "" {
		b.add(t, s.Title)
	}
	if s.YLabel != "" {
		b.add(t, s.YLabel)
	}
	k := s.values(palette(t.Palette, false))
	plot, left, right := s.plot(t, k, min(18, t.Height-6))
	b = append(b, plot...)
	if s.XLabel != "" {
		b.centred(t, s.XLabel, left, right)
	}
	return append(b, s.key(t, k)...)
}

// plot is the points within their axes, from a column to another. A letter has twice as
// many dots down as across and is about twice as high as wide, so the dots are square.
func (s *Scatter) plot(t Terminal, k *colours, lines int) (b block, left, right int) {
	lines = max(lines, 3)
	empty := &Lines{}
	f := s.frame()
	// Of the points' shape, so that they do not drown in room.
	shape := max(1, min(3, (f.x.hi/2-f.x.lo/2)/(f.y.hi/2-f.y.lo/2)))
	t.Width = min(t.Width, 10+int(2*float64(lines)*shape))
	for range 3 { // the numbers depend on the range, and that on their room
		b, left = empty.plot(t, f, lines)
		f = s.frame().equal(float64(2*max(4, t.Width-left)), float64(4*lines))
	}
	b, left = empty.plot(t, f, lines)
	cols := max(4, t.Width-left)
	x, y := scale{lo: f.x.lo, hi: f.x.hi}, scale{lo: f.y.lo, hi: f.y.hi}
	across, down := t.dots()
	one := termSeries(1, "")[0]
	cellOf := func(i int) (c *cell, dx, dy int) {
		px, py := max(x.lo, min(x.hi, s.X[i])), max(y.lo, min(y.hi, s.Y[i]))
		dx = max(0, min(across*cols-1, int(x.pos(px, 0, float64(across*cols)))))
		dy = max(0, min(down*lines-1, int(y.pos(py, float64(down*lines), 0))))
		return b.at(dy/down, left+dx/across), dx % across, dy % down
	}
	first, last := -1, -1
	for i := range s.X {
		if !s.defined(i) {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		c, dx, dy := cellOf(i)
		t.dot(c, dx, dy, s.colorOf(i, k, one, anyGround))
	}
	if t.Color == "none" && first != last { // where colours don't tell the order, its ends do
		c, _, _ := cellOf(last)
		c.r = 'x'
		c, _, _ = cellOf(first)
		c.r = 'o'
	}
	return b, left, left + cols
}

// key tells what the colours mean; without colours, which points are the first and
// the last.
func (s *Scatter) key(t Terminal, k *colours) block {
	var b block
	switch {
	case s.Cells != nil && t.Color != "none":
		c := s.Cells
		strip := func(name string, last int, of func(i int) color.RGBA) {
			line := words(name + " 0 ")
			line.put(0, len(line[0]), " ", color.RGBA{})
			for i := range 10 {
				line[0] = append(line[0], cell{r: ' ', bg: of(i)})
			}
			line.put(0, len(line[0])+1, fmt.Sprint(last), color.RGBA{})
			b = append(b, line...)
		}
		hues := Cells{Rows: 10, Cols: 10}
		strip("row   ", c.Rows-1, func(i int) color.RGBA { return hues.color(i, 5, anyGround) })
		strip("column", c.Cols-1, func(i int) color.RGBA { return hues.color(5, i, anyGround) })
		return b
	case k == nil && s.Cells == nil:
		return nil
	case t.Color == "none":
		b.add(t, "o first, x last")
		return b
	}
	return k.key(s.ColorLabel, t)
}
