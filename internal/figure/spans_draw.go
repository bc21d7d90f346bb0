package figure

import "image/color"

// Measures of the bars above a plot, in ems of its type.
const (
	laneHeight = 1.35 // a bar, and the name on it
	laneType   = 0.85
	laneGap    = 0.6 // between names
	leastLane  = 4   // what a name may be shortened to
	mostLanes  = 4
)

// tag is a bar with its name: a lane above the plot, the name's place and, on an x
// axis in points, what it marks.
type tag struct {
	*marking
	lane  int
	label string
	left  float64 // where the label begins
}

// tagged places the names of markings above a plot of a width in at most some lanes.
// What finds no room has a band alone.
func tagged(p *page, markings []*marking, size, width float64, most int) (tags []tag, used int) {
	rows := make(lanes, most)
	size = lesser(laneType, size)
	gap := laneGap * size
	for _, m := range markings {
		if p.fold(m.name) == "" {
			continue
		}
		hull, on := m.hull(), m.widest()
		for _, room := range []float64{width, max(hull.hi-hull.lo, leastLane*size)} {
			label := p.cut(m.name, size, room)
			wide := p.width(label, size)
			left := max(0, min(width-wide, (on.lo+on.hi)/2-wide/2))
			if wide > width {
				break
			}
			lane := rows.take(span{min(hull.lo, left), max(hull.hi, left+wide), true}, gap)
			if lane >= 0 {
				tags, used = append(tags, tag{m, lane, label, left}), max(used, lane+1)
				break
			}
		}
	}
	return tags, used
}

// spansOn are the markings on a plot of a width in points, counted from its left edge.
func (c *curves) spansOn(width float64) []*marking {
	x := scale{lo: c.frame.x.lo, hi: c.frame.x.hi}
	const apart = 0.75 // points
	all := c.markings(c.frame, apart/max(width, 1)*(x.hi-x.lo))
	for _, m := range all {
		for i, s := range m.parts {
			m.parts[i] = span{x.pos(s.lo, 0, width), x.pos(s.hi, 0, width), true}
		}
	}
	return all
}

// lanesFor is how many lanes the names take above a plot of a width; none where the
// page has no room for names at all.
func (c *curves) lanesFor(p *page, size, width float64) int {
	if len(c.Spans) == 0 || c.unnamed || p.compact() || width < 8*size {
		return 0
	}
	_, used := tagged(p, c.spansOn(width), size, width, mostLanes)
	return used
}

// spansRoom is the room for names above lines alone on a page, whose lanes it sets.
func (c *curves) spansRoom(p *page, width float64) float64 {
	c.lanes = c.lanesFor(p, p.size, width)
	return lanesRoom(c.lanes, p.size)
}

// lanesRoom is the room that lanes take.
func lanesRoom(lanes int, size float64) float64 {
	if lanes == 0 {
		return 0
	}
	return (float64(lanes)*laneHeight + 0.25) * size
}

// drawSpans draws the bands within r and the bars and names above it.
func (c *curves) drawSpans(p *page, r rect, size float64) {
	if len(c.Spans) == 0 {
		return
	}
	all := c.spansOn(r.w())
	for _, m := range all {
		ink := m.ink(p)
		for _, s := range m.parts {
			m.band(p, rect{r.x0 + s.lo, r.y0, r.x0 + s.hi, r.y1}, ink)
		}
	}
	if c.lanes == 0 {
		return
	}
	tags, _ := tagged(p, all, size, r.w(), c.lanes)
	for _, t := range tags {
		y := r.y0 - c.zero - float64(t.lane)*laneHeight*size - 0.2*size
		thick, word := 0.09*size, p.soft
		if t.strong {
			thick, word = 0.24*size, p.ink
		}
		for _, s := range t.parts {
			mid, half := (s.lo+s.hi)/2, max(s.hi-s.lo, 0.5*size)/2
			mid = max(half, min(r.w()-half, mid))
			p.fill(rect{p.snap(r.x0 + mid - half), y - max(thick, p.px), p.snap(r.x0 + mid + half), y}, t.ink(p))
		}
		p.text(t.label, point{r.x0 + t.left, y - 0.42*size}, 0, 1, lesser(laneType, size), false, word)
	}
}

// ink is the colour of a marking.
func (m *marking) ink(p *page) color.NRGBA {
	if m.strong {
		return p.theme.series[1]
	}
	return p.soft
}

// band fills one part, which is a line where it is narrow; a strong one has edges.
func (m *marking) band(p *page, r rect, ink color.NRGBA) {
	const narrow = 1.5 // points
	wide, lines, fill := 0.9, uint8(0x90), uint8(0x1a)
	if m.strong {
		wide, lines, fill = 1.1, 0xb0, 0x26
	}
	edge := ink
	edge.A, ink.A = lines, fill
	switch {
	case r.w() < narrow:
		x := (r.x0 + r.x1) / 2
		p.rule(x, r.y0, x, r.y1, max(wide, r.w()/max(p.weight, 1e-9)), edge)
		return
	case m.strong:
		p.rule(r.x0, r.y0, r.x0, r.y1, 0.6, edge)
		p.rule(r.x1, r.y0, r.x1, r.y1, 0.6, edge)
	}
	p.fill(r, ink)
}
