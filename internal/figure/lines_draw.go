package figure

import "image/color"

// curves is lines with their colours, in their frame.
type curves struct {
	*Lines
	frame
	colors []color.NRGBA
	among  int     // how many series the legend has
	zero   float64 // room above the plot for what is said of the line at 0
	lanes  int     // rows above that for the names of spans

	unnamed bool // there is no room for these
}

// thick is the width of a line.
func (c *curves) thick() float64 {
	if c.among > 8 {
		return 1
	}
	return 1.5
}

func (l *Lines) draw(p *page) {
	l = l.logged()
	pad := p.pad()
	key := newLegend(p, []*Lines{l})
	title := p.titleOf(l.Title)
	c := curves{Lines: l, frame: frameOf(l), colors: key.of(l), among: key.colours}
	a := c.axes(p, p.size, 0.8*p.w, 0.7*p.h)
	a.xLabel, a.yLabel = p.fold(l.XLabel), p.fold(l.YLabel)
	p.strip(a)
	var r rect
	var head float64
	var names *endNames
	for range 2 {
		left, top, right, bottom := a.margins(p)
		if title != "" {
			top += p.titleRoom()
		}
		place := func(above, side float64) {
			r.x0, r.x1 = p.snap(pad+left), p.snap(p.w-pad-max(right, side))
			c.zero = c.zeroRoom(p.size, r.w())
			head = above + c.zero + c.spansRoom(p, r.w())
			r.y0, r.y1 = p.snap(pad+top+head), p.snap(p.h-pad-bottom)
			a.over = r.y0 - pad - top
		}
		key.fit(p, p.w-2*pad-left-right, p.h-2*pad-top-bottom)
		if names = c.endNamesFor(p, key); names != nil {
			if place(0, names.room()); !names.place(p, &c, r, a) {
				names = nil
			}
		}
		if names == nil {
			place(key.room())
		}
		if min(r.w(), r.h()) >= least*p.size {
			break
		}
		a.bare()
		key.columns, c.MarkZero, c.unnamed = 0, false, true
	}
	r.x1, r.y1 = max(r.x1, r.x0+1), max(r.y1, r.y0+1)

	if names != nil || a.crowded(p, r.w()) {
		a.x = c.axes(p, p.size, r.w(), r.h()).x
	}
	c.draw(p, r, a)
	if names != nil {
		names.draw(p, &c, r)
	} else {
		key.draw(p, r, r.y0-head)
	}
	if title != "" {
		p.title(title, r.x0, r.y0-head-capHeight/2*p.size)
	}
}

// draw draws the curves within r, and the axes around it.
func (c *curves) draw(p *page, r rect, a *axes) {
	p.plottedOn(r, a)
	a.drawGrid(p, r)
	c.drawSpans(p, r, a.size)
	place := func(x, y float64) point {
		x = max(a.x.lo, min(a.x.hi, c.scale.place(x))) // all of them are within, but for the hugest
		return point{a.x.pos(x, r.x0, r.x1), a.y.pos(a.y.near(y), r.y1, r.y0)}
	}
	for i := range c.Series {
		c.drawBand(p, r, place, i)
	}
	if a.y.lo < 0 && a.y.hi > 0 && !c.frame.yLog {
		y := a.y.pos(0, r.y1, r.y0)
		p.rule(r.x0, y, r.x1, y, 0.8, p.mark)
	}
	if c.MarkZero && a.x.lo < 0 && a.x.hi > 0 {
		c.drawZero(p, r, a)
	}
	for i := range c.Series {
		c.drawSeries(p, r, place, i)
	}
	p.rule(r.x0, r.y1, r.x1, r.y1, 0.8, p.mark)
	p.rule(r.x0, r.y0, r.x0, r.y1, 0.8, p.mark)
	a.draw(p, r)
}
