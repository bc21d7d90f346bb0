package figure

import (
	"errors"
	"fmt"
	"image/color"
	"math"
)

// Lines is curves over one pair of axes.
type Lines struct {
	Title          string
	XLabel, YLabel string
	Series         []Series
	Spans          []Span    // ranges of x that are marked
	XFrom, XTo     float64   // what the x axis takes in besides the data; both 0 for nothing more
	XScale         Scale     // how x is placed; panels have that of the first
	MarkZero       bool      // an upright line at x = 0
	Sides          [2]string // what is left and right of it; empty: "looks back", "looks ahead"
	YMin, YMax     float64   // the ends of the y axis; both 0 means those of the data
	XLog, YLog     bool      // logarithmic axes, on which values of 0 and less are gaps
}

// Series is one curve, with a band around it or without.
type Series struct {
	Name   string    // for the legend; "" leaves it out
	X, Y   []float64 // of one length; NaN and values that are infinite or over 1e306 are gaps
	Lo, Hi []float64 // the band's edges, as long as X; nil for no band
	Steps  bool      // each value holds half way to its neighbours
	Dashed bool
	Of     string // the name of a series of the chart that this one belongs to, as a fit to its data: it has a shade of that one's colour, and the legend leaves "NAME: " out at the start of its own name; "" has a colour of its own
}

// sides are the words left and right of the line at 0.
func (l *Lines) sides() (left, right string) {
	if l.Sides == [2]string{} {
		return "looks back", "looks ahead"
	}
	return l.Sides[0], l.Sides[1]
}

func (l *Lines) check() error {
	if !(l.YMin <= l.YMax) || math.IsInf(l.YMin, 0) || math.IsInf(l.YMax, 0) {
		return fmt.Errorf("lines: a y axis from %g to %g", l.YMin, l.YMax)
	}
	if err := l.XScale.check(); err != nil {
		return err
	}
	if err := l.checkLog(); err != nil {
		return err
	}
	some := false
	for i, s := range l.Series {
		if len(s.Y) != len(s.X) {
			return fmt.Errorf("lines: series %d %q: %d x, but %d y", i, clean(s.Name), len(s.X), len(s.Y))
		}
		if n := len(s.Lo); n != len(s.Hi) || n != 0 && n != len(s.X) {
			return fmt.Errorf("lines: series %d %q: %d x, but a band of %d and %d", i, clean(s.Name), len(s.X), n, len(s.Hi))
		}
	}
	for _, s := range l.logged().Series {
		for j := range s.X {
			some = some || s.defined(j)
		}
	}
	if !some {
		return errors.New("lines: no values: nothing to draw")
	}
	return nil
}

func (l *Lines) defaultSize() (width, height float64) { return 6, 4 }

// finite tells whether v can be drawn.
func finite(v float64) bool { return math.Abs(v) <= huge }

// defined tells whether the curve has a point at i.
func (s *Series) defined(i int) bool { return finite(s.X[i]) && finite(s.Y[i]) }

// dots tells whether all points stand alone, which are drawn as dots, several of them.
func (s *Series) dots() bool {
	runs := s.runs(s.defined)
	for _, r := range runs {
		if r.to-r.from > 1 {
			return false
		}
	}
	return len(runs) > 1 && !s.Steps
}

// banded tells whether the band has a place at i.
func (s *Series) banded(i int) bool {
	return s.Lo != nil && finite(s.X[i]) && finite(s.Lo[i]) && finite(s.Hi[i])
}

// frame is the range of both axes.
type frame struct {
	x, y  span  // x in places of its scale
	scale Scale // of x
	fixed bool  // y is as the caller wants it
	whole bool  // every x is a whole number

	xLog, yLog bool // x, y are logarithms
}

// frameOf is the frame that all the charts fit in.
func frameOf(charts ...*Lines) frame {
	f := frame{whole: true}
	if len(charts) > 0 {
		f.scale = charts[0].XScale
	}
	given := span{}
	for _, l := range charts {
		f.xLog, f.yLog = l.XLog, l.YLog
		if l.YMin != 0 || l.YMax != 0 {
			given.add(l.YMin)
			given.add(l.YMax)
		}
		if l.XFrom != 0 || l.XTo != 0 {
			f.x.add(f.scale.place(l.XFrom))
			f.x.add(f.scale.place(l.XTo))
		}
		for _, s := range l.Series {
			for i, x := range s.X {
				banded := s.banded(i)
				if banded {
					f.y.add(s.Lo[i])
					f.y.add(s.Hi[i])
				}
				if s.defined(i) {
					f.y.add(s.Y[i])
				} else if !banded {
					continue
				}
				f.x.add(f.scale.place(x))
				f.whole = f.whole && x == math.Trunc(x)
				if s.Steps {
					left, right := s.reach(i)
					f.x.add(f.scale.place(left))
					f.x.add(f.scale.place(right))
				}
			}
		}
	}
	if given.some {
		f.y, f.fixed = given.wide(), true
	} else {
		f.y = f.y.wide()
		if f.yLog { // noise is not to look like peaks
			f.y = f.y.atLeast(1)
		}
		f.y = f.y.padded(0.05)
	}
	if f.x.hi-f.x.lo <= max(tiny, 1e-9*max(math.Abs(f.x.lo), math.Abs(f.x.hi))) { // one x
		half := max(1, 1e-3*math.Abs(f.x.lo))
		f.x = span{f.x.lo - half, f.x.hi + half, true}
	} else {
		f.x = f.x.padded(0.02)
	}
	return f
}

// reach is from where to where the step at i holds.
func (s *Series) reach(i int) (left, right float64) {
	x := s.X[i]
	left, right = math.NaN(), math.NaN()
	if i > 0 && finite(s.X[i-1]) {
		left = x/2 + s.X[i-1]/2
	}
	if i+1 < len(s.X) && finite(s.X[i+1]) {
		right = x/2 + s.X[i+1]/2
	}
	switch { // as far out at the ends as in
	case math.IsNaN(left) && math.IsNaN(right):
		return x - 0.5, x + 0.5
	case math.IsNaN(left):
		left = 2*x - right
	case math.IsNaN(right):
		right = 2*x - left
	}
	return left, right
}

// axes are the axes of a frame for about a size in points.
func (f frame) axes(p *page, size, width, height float64) *axes {
	a := &axes{
		x:    scale{lo: f.x.lo, hi: f.x.hi},
		y:    scale{lo: f.y.lo, hi: f.y.hi, ticks: f.y.ticksOn(f.yLog, min(9, int(height/(2.4*size))), false)},
		size: size, grid: true,
	}
	// fewer numbers until they stand apart
	for n := min(11, int(width/(3*size))); ; n-- {
		a.x.ticks = f.xTicks(n)
		if n <= 2 || f.roomFor(p, a.x.ticks, width, size) {
			break
		}
		if ticks := f.withoutOnes(a.x.ticks); ticks != nil && f.roomFor(p, ticks, width, size) {
			a.x.ticks = ticks
			break
		}
	}
	if t := a.x.ticks; len(t) > 2 && a.crowded(p, width) {
		a.x.ticks = []tick{t[0], t[len(t)-1]}
	}
	if a.crowded(p, width) {
		a.x.ticks = nil
	}
	return a
}

// crowded tells whether numbers of the x axis touch on a plot of a width.
func (a *axes) crowded(p *page, width float64) bool {
	t := a.x.ticks
	for i := 1; i < len(t); i++ {
		half := p.numberWidth(t[i-1].label, a.size)/2 + p.numberWidth(t[i].label, a.size)/2
		if width*((t[i].at-t[i-1].at)/(a.x.hi-a.x.lo)) < half+0.2*a.size {
			return true
		}
	}
	return false
}

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
