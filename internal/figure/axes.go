package figure

// scale is one axis: what its two ends are worth, and its ticks. hi may lie
// below lo.
type scale struct {
	lo, hi float64
	ticks  []tick
}

// pos is the place of v between the coordinates a and b of the ends.
func (s scale) pos(v, a, b float64) float64 {
	return a + (v/2-s.lo/2)/(s.hi/2-s.lo/2)*(b-a)
}

// near is v, or where it lies far beyond the ends of the scale a place that
// does too, but that a canvas can still count to.
func (s scale) near(v float64) float64 {
	const far = 1e6
	d := far * (max(s.lo, s.hi) - min(s.lo, s.hi))
	return max(min(s.lo, s.hi)-d, min(max(s.lo, s.hi)+d, v))
}

// axes is what stands around a plot.
type axes struct {
	x, y           scale
	xLabel, yLabel string
	size           float64 // of type
	grid           bool
	noX, noY       bool    // another panel's ticks serve
	upright        bool    // the names below the plot read from bottom to top
	room           float64 // for the label of x; 0 means the page's width
	from, to       float64 // where the label of x may stand; both 0 means the page
	over, under    float64 // how far the label of y may reach above and below the plot
}

// Distances around a plot, in ems.
const (
	tickLength = 0.35
	tickGap    = 0.35
	labelRoom  = 1.5 // an axis label and the gap before it
)

// margins is the room that the axes take on each side of the plot.
func (a *axes) margins(p *page) (left, top, right, bottom float64) {
	left, bottom = tickLength*a.size, tickLength*a.size
	if !a.noY && len(a.y.ticks) > 0 {
		left += tickGap*a.size + p.widestNumber(a.y.ticks, a.size)
		top = capHeight / 2 * a.size
	}
	if !a.noX && len(a.x.ticks) > 0 {
		bottom += tickGap*a.size + a.below(p)
		// a number at either end reaches out by half
		first, last := a.x.ticks[0].label, a.x.ticks[len(a.x.ticks)-1].label
		if !a.upright {
			left, right = max(left, p.numberWidth(first, a.size)/2), p.numberWidth(last, a.size)/2
		}
	}
	if a.yLabel != "" {
		left += labelRoom * a.size
	}
	if a.xLabel != "" {
		bottom += labelRoom * a.size
	}
	return max(left, p.aside), top, right, bottom + descent*a.size
}

// below is how high the numbers or names below the plot are.
func (a *axes) below(p *page) float64 {
	if a.upright {
		return p.widest(labels(a.x.ticks), a.size)
	}
	return capHeight * a.size
}

// drawGrid draws the lines behind the data.
func (a *axes) drawGrid(p *page, r rect) {
	for _, t := range a.y.ticks {
		y := a.y.pos(t.at, r.y1, r.y0)
		p.rule(r.x0, y, r.x1, y, 0.5, p.faint)
	}
	for _, t := range a.x.ticks {
		x := a.x.pos(t.at, r.x0, r.x1)
		p.rule(x, r.y0, x, r.y1, 0.5, p.faint)
	}
}

// draw draws ticks, numbers and labels around the plot r.
func (a *axes) draw(p *page, r rect) {
	length, gap := tickLength*a.size, tickGap*a.size
	left := r.x0 - length
	for _, t := range a.y.ticks {
		y := a.y.pos(t.at, r.y1, r.y0)
		if !a.noY {
			p.rule(r.x0-length, y, r.x0, y, 0.6, p.mark)
			p.number(t.label, point{r.x0 - length - gap, y}, 1, 0.5, a.size)
		}
	}
	if !a.noY && len(a.y.ticks) > 0 {
		left -= gap + p.widestNumber(a.y.ticks, a.size)
	}
	bottom := r.y1 + length
	for _, t := range a.x.ticks {
		x := a.x.pos(t.at, r.x0, r.x1)
		if !a.noX {
			p.rule(x, r.y1, x, r.y1+length, 0.6, p.mark)
			if a.upright {
				p.text(t.label, point{x, bottom + gap}, 1, 0.5, a.size, true, p.soft)
			} else {
				p.number(t.label, point{x, bottom + gap}, 0.5, 0, a.size)
			}
		}
	}
	if !a.noX && len(a.x.ticks) > 0 {
		bottom += gap + a.below(p)
	}
	if a.xLabel != "" {
		label := a.xLabel
		if a.room > 0 {
			label = p.cutLabel(label, a.size, a.room)
		}
		lane := rect{x0: p.pad(), x1: p.w - p.pad()}
		if a.to > a.from {
			lane.x0, lane.x1 = a.from, a.to
		}
		p.level(label, r, lane, bottom+(labelRoom-capHeight)*a.size, a.size)
	}
	if a.yLabel != "" {
		lane := rect{y0: r.y0 - a.over, y1: r.y1 + a.under}
		p.upright(a.yLabel, r, lane, left-(labelRoom-capHeight)*a.size-capHeight*a.size/2, a.size)
	}
}

// level writes the label of an x axis, centred below r with its top at y,
// shortened to lane.
func (p *page) level(label string, r, lane rect, y, size float64) {
	label = p.cutLabel(label, size, lane.w())
	half := p.width(label, size) / 2
	x := max(lane.x0+half, min(lane.x1-half, (r.x0+r.x1)/2))
	p.text(label, point{x, y}, 0.5, 0, size, false, p.ink)
}

// upright writes the label of a y axis from bottom to top, its middle at x,
// centred beside r and shortened to lane.
func (p *page) upright(label string, r, lane rect, x, size float64) {
	label = p.cutLabel(label, size, lane.h())
	half := p.width(label, size) / 2
	y := max(lane.y0+half, min(lane.y1-half, (r.y0+r.y1)/2))
	p.text(label, point{x, y}, 0.5, 0.5, size, true, p.ink)
}

// pad is the empty edge of a page.
func (p *page) pad() float64 { return 0.8 * p.size }

// titleSize and titleRoom are the size of a title, and the room it takes.
func (p *page) titleSize() float64 { return 1.15 * p.size }
func (p *page) titleRoom() float64 { return 1.8 * p.size }

// title writes the title, its room ending at y, from x on or, where it is long,
// from the left edge.
func (p *page) title(s string, x, y float64) {
	size := p.titleSize()
	s = p.cutLabel(s, size, p.w-2*p.pad())
	x = max(p.pad(), min(x, p.w-p.pad()-p.width(s, size)))
	p.text(s, point{x, y - (p.titleRoom() - capHeight*size)}, 0, 1, size, false, p.ink)
}

// titleOf is the title of the figure: the style's, or the chart's.
func (p *page) titleOf(chart string) string {
	if p.tiny() || p.style.Untitled {
		return ""
	}
	if p.style.Title != "" {
		return p.fold(p.style.Title)
	}
	return p.fold(chart)
}

// least is the shortest side of a plot, in ems, that numbers and labels may
// leave. Where they would leave less they are left out.
const least = 4

// compact tells that axis labels and legends would leave no room for the data,
// tiny that even numbers would.
func (p *page) compact() bool { return p.w < 18*p.size || p.h < 14*p.size }
func (p *page) tiny() bool    { return p.w < 12*p.size || p.h < 9*p.size }
