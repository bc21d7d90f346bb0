package figure

import (
	"image/color"
	"math"
	"strconv"
)

func (s *Scatter) draw(p *page) {
	pad := p.pad()
	title := p.titleOf(s.Title)
	head := 0.0
	if title != "" {
		head = p.titleRoom()
	}
	k := s.values(p.theme.shown(palette(p.style.Palette, false)))
	var bar *colorBar
	var patch *cellKey
	side, note := 0.0, 0.0
	switch {
	case s.Cells != nil && !p.compact():
		patch = newCellKey(p, s.Cells)
		side = patch.width()
	case k != nil:
		bar = newColorBar(p, k, s.ColorLabel, 0.7*p.h)
		if !p.tiny() {
			bar.ticks = k.ticksOn(false, min(9, int(0.7*p.h/(2.6*p.size))), s.whole())
		}
		side, note = bar.width(p), bar.noteRoom()
	}
	var f frame
	var a *axes
	var r rect
	w, h := 0.65*p.w, 0.7*p.h
	for pass := 1; ; pass++ { // the numbers depend on the ranges, these on the plot's shape, and that on the numbers' room
		f = s.frame().equal(w, h)
		a = f.axes(p, p.size, w, h)
		a.xLabel, a.yLabel = p.fold(s.XLabel), p.fold(s.YLabel)
		if p.strip(a); pass > 2 {
			a.bare()
		}
		left, top, right, bottom := a.margins(p)
		r.x0, r.x1 = p.snap(pad+left), p.snap(p.w-pad-max(right, side))
		r.y0, r.y1 = p.snap(pad+head+top), p.snap(p.h-pad-max(bottom, note))
		r.x1, r.y1 = max(r.x1, r.x0+1), max(r.y1, r.y0+1)
		w, h = r.w(), r.h()
		if pass > 2 || pass == 2 && min(w, h) >= least*p.size {
			break
		}
	}
	f = s.frame().equal(w, h)
	a.x, a.y = a.x.within(f.x), a.y.within(f.y)
	a.spread(p, w)

	p.plottedOn(r, a)
	a.drawGrid(p, r)
	if y := a.y.pos(0, r.y1, r.y0); f.y.lo < 0 && f.y.hi > 0 {
		p.rule(r.x0, y, r.x1, y, 0.5, p.mark)
	}
	if x := a.x.pos(0, r.x0, r.x1); f.x.lo < 0 && f.x.hi > 0 {
		p.rule(x, r.y0, x, r.y1, 0.5, p.mark)
	}
	s.drawPoints(p, r, a, k)
	p.rule(r.x0, r.y1, r.x1, r.y1, 0.8, p.mark)
	p.rule(r.x0, r.y0, r.x0, r.y1, 0.8, p.mark)
	a.draw(p, r)
	switch {
	case patch != nil:
		patch.draw(p, r)
	case bar != nil:
		bar.draw(p, r.x1, r.y0, r.y1)
	}
	if title != "" {
		p.title(title, r.x0, r.y0-capHeight/2*p.size)
	}
}

// within is the scale from end to end of a range, with those of its ticks that it
// still has.
func (s scale) within(of span) scale {
	kept := scale{lo: of.lo, hi: of.hi}
	for _, t := range s.ticks {
		if t.at >= of.lo && t.at <= of.hi {
			kept.ticks = append(kept.ticks, t)
		}
	}
	return kept
}

// spread leaves out numbers below the plot that would run into those before them.
func (a *axes) spread(p *page, width float64) {
	var kept []tick
	end := math.Inf(-1)
	for _, t := range a.x.ticks {
		at, half := a.x.pos(t.at, 0, width), p.width(t.label, a.size)/2
		if at-half >= end {
			kept = append(kept, t)
			end = at + half + 0.6*a.size
		}
	}
	a.x.ticks = kept
}

// drawPoints draws the points in their order, later ones over earlier ones.
func (s *Scatter) drawPoints(p *page, r rect, a *axes, k *colours) {
	one, tones := color.RGBA(p.theme.series[0]), p.tones() // opaque
	n := len(s.X)
	wide := max(1.6, min(4.5, 4.5*math.Sqrt(250/float64(max(n, 1)))))
	corners := 24
	if n > 2000 {
		corners = 8
	}
	place := func(i int) point {
		x, y := max(a.x.lo, min(a.x.hi, s.X[i])), max(a.y.lo, min(a.y.hi, s.Y[i])) // all are within, but for the hugest
		return point{a.x.pos(x, r.x0, r.x1), a.y.pos(y, r.y1, r.y0)}
	}
	// Of many points that fall on one spot only the last is seen.
	last := map[[2]int]int{}
	spot := func(q point) [2]int { return [2]int{int(q.x / p.hair()), int(q.y / p.hair())} }
	if n > 2000 {
		for i := range n {
			if s.defined(i) {
				last[spot(place(i))] = i
			}
		}
	}
	for i := range n {
		if !s.defined(i) {
			continue
		}
		q := place(i)
		if j, ok := last[spot(q)]; ok && j != i {
			continue
		}
		c := s.colorOf(i, k, one, tones)
		p.disc(q, wide, corners, color.NRGBA(c))
	}
}

// disc draws a disc as wide as d points at the size of paper, with some corners.
func (p *page) disc(at point, d float64, corners int, c color.NRGBA) {
	pts := make([]point, corners)
	for i := range pts {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / float64(corners))
		pts[i] = point{at.x + cos*d*p.weight/2, at.y + sin*d*p.weight/2}
	}
	p.polygon(pts, c)
}

// cellKey is the key of a raster's colours: a small picture of it.
type cellKey struct {
	*Cells
	tones      span
	size       float64
	side       float64 // of the longer edge
	last, down string  // numbers of the last column and row
	numbers    float64 // how wide those of the rows are
}

func newCellKey(p *page, c *Cells) *cellKey {
	k := &cellKey{Cells: c, tones: p.tones(), size: p.size, side: p.snap(5.5 * p.size), last: strconv.Itoa(c.Cols - 1), down: strconv.Itoa(c.Rows - 1)}
	k.numbers = max(p.width("0", k.size), p.width(k.down, k.size))
	return k
}

// width is the room right of the plot.
func (k *cellKey) width() float64 {
	return (1.4+tickGap+labelRoom)*k.size + k.side + k.numbers
}

// draw draws the key right of the plot r, at its top.
func (k *cellKey) draw(p *page, r rect) {
	const most = 16 // blocks a side
	longest := max(k.Rows, k.Cols)
	x0, y0 := p.snap(r.x1+1.4*k.size), p.snap(r.y0+2.6*k.size)
	w, h := k.side*float64(k.Cols)/float64(longest), k.side*float64(k.Rows)/float64(longest)
	w, h = max(w, 0.8*k.size), max(h, 0.8*k.size)
	across, down := min(k.Cols, most), min(k.Rows, most)
	cell := func(i, blocks, n int) int { // the cell that a block shows: the first and the last are shown
		if blocks == 1 {
			return 0
		}
		return int(math.Round(float64(i) * float64(n-1) / float64(blocks-1)))
	}
	for row := range down {
		for col := range across {
			b := rect{
				p.snap(x0 + w*float64(col)/float64(across)), p.snap(y0 + h*float64(row)/float64(down)),
				p.snap(x0 + w*float64(col+1)/float64(across)), p.snap(y0 + h*float64(row+1)/float64(down)),
			}
			p.fill(b, color.NRGBA(k.color(cell(row, down, k.Rows), cell(col, across, k.Cols), k.tones)))
		}
	}
	p.text("column", point{x0, y0 - (tickGap+capHeight+0.55)*k.size}, 0, 1, k.size, false, p.ink)
	p.text("0", point{x0, y0 - tickGap*k.size}, 0, 1, k.size, false, p.soft)
	if k.Cols > 1 && w > p.width("0"+k.last, k.size)+0.5*k.size {
		p.text(k.last, point{x0 + w, y0 - tickGap*k.size}, 1, 1, k.size, false, p.soft)
	}
	x := x0 + w + tickGap*k.size
	p.text("0", point{x, y0}, 0, 0, k.size, false, p.soft)
	if k.Rows > 1 && h > 2.2*k.size {
		p.text(k.down, point{x, y0 + h}, 0, 1, k.size, false, p.soft)
	}
	lane := rect{x0, y0, x0 + w, y0 + max(h, 2.5*k.size)}
	p.upright("row", lane, lane, x+k.numbers+(labelRoom-capHeight)*k.size, k.size)
}
