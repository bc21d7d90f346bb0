package figure

import (
	"image/color"
	"math"
	"slices"
)

// endNames is the names of series at the right ends of their lines, which is where a
// reader looks for them; it stands in the place of a legend.
//
//	Tufte, The Visual Display of Quantitative Information, 1983
type endNames struct {
	size   float64
	widest float64 // of the names
	sample float64 // length of the piece of line before a name
	names  []endName
}

type endName struct {
	name   string
	series int
	color  color.NRGBA
	dashed bool
	end    point   // of the line
	y      float64 // the middle of the name
}

// The rules of names at the ends of lines, and their distances in ems.
const (
	mostEnds   = 6    // series
	endLine    = 1.15 // from a name to the next
	endMove    = 1.5  // how far a name may stand from the height of its line's end
	endLead    = 0.9  // from the plot to the piece of line
	endGap     = 0.4  // from there to the name
	endShare   = 0.25 // of the page's width, for a name
	leastShare = 0.5  // of the page's width, for the plot
)

// viewerSlack is how much wider than ours the letters of an SVG's viewer may be.
// Which names fit is decided with it in every format, so that all get the same figure.
const viewerSlack = 1.13

// endNamesFor gives the names for the ends of lines, or nil where a legend serves
// better: for one series, many, those without a name or with the same one, those that
// belong to another, those that end before the right edge, and names that are long.
func (c *curves) endNamesFor(p *page, key *legend) *endNames {
	n := len(c.Series)
	if n < 2 || n > mostEnds || len(key.shown) != n || p.compact() {
		return nil
	}
	names := make([]string, n)
	for i, e := range key.entries {
		if names[i] = e.name; e.of != i || e.name == "" || slices.Contains(names[:i], e.name) || !c.reachesEnd(i) {
			return nil
		}
	}
	e := &endNames{size: p.size, sample: 1}
	room := endShare * p.w / viewerSlack * p.slack
	if p.widest(names, e.size) > room {
		if !key.cut(p) && slices.Equal(key.names(), names) { // which has them whole
			return nil
		}
		names = apart(names)
		for i, s := range names {
			if names[i] = p.cut(s, e.size, room); names[i] == "" || slices.Contains(names[:i], names[i]) {
				return nil
			}
		}
	}
	e.widest = p.widest(names, e.size)
	for i, s := range c.Series {
		if s.Dashed {
			e.sample = 1.7 // two dashes
		}
		e.names = append(e.names, endName{name: names[i], series: i, color: c.colors[i], dashed: s.Dashed})
	}
	return e
}

// room is what the names take right of the plot.
func (e *endNames) room() float64 { return (endLead+e.sample+endGap)*e.size + e.widest }

// last is the rightmost point of series i, and how far to the right its line reaches.
func (c *curves) last(i int) (j int, reach float64) {
	s := &c.Series[i]
	j = -1
	for k := range s.X {
		if s.defined(k) && (j < 0 || s.X[k] >= s.X[j]) {
			j = k
		}
	}
	if j < 0 {
		return j, math.NaN()
	}
	reach = s.X[j]
	if s.Steps {
		_, reach = s.reach(j)
	}
	return j, reach
}

// reachesEnd tells whether series i is seen up to the right end of the data.
func (c *curves) reachesEnd(i int) bool {
	const close = 0.035 // the frame is wider than the data by 2 percent on each side
	j, reach := c.last(i)
	if j < 0 {
		return false
	}
	x, y := c.frame.x, c.Series[i].Y[j]
	return c.scale.place(reach) >= x.hi-close*(x.hi-x.lo) && y >= c.frame.y.lo && y <= c.frame.y.hi
}

// place finds the height of each name beside the plot r, from the first at the top to
// the last, in the order of the lines' ends. false: the ends are too close together
// for the names to stand by them.
func (e *endNames) place(p *page, c *curves, r rect, a *axes) bool {
	if r.w() < leastShare*p.w || r.h() < least*e.size {
		return false
	}
	for i := range e.names {
		n := &e.names[i]
		j, reach := c.last(n.series)
		x := max(a.x.lo, min(a.x.hi, c.scale.place(reach)))
		n.end = point{a.x.pos(x, r.x0, r.x1), a.y.pos(c.Series[n.series].Y[j], r.y1, r.y0)}
	}
	slices.SortStableFunc(e.names, func(m, n endName) int {
		switch {
		case m.end.y < n.end.y:
			return -1
		case m.end.y > n.end.y:
			return 1
		}
		return 0
	})
	var at []float64
	for _, n := range e.names {
		at = append(at, n.end.y)
	}
	at = spread(at, endLine*e.size, r.y0, r.y1)
	for i, y := range at {
		if math.Abs(y-e.names[i].end.y) > endMove*e.size {
			return false
		}
		e.names[i].y = y
	}
	return at != nil
}

// spread moves rising places apart to at least a gap between neighbours, all within lo
// to hi, so that the sum of the squares of the moves is least; nil where there is no
// room. Less i gaps the places need only not fall, which is isotonic regression: pools
// of neighbours that would fall take their mean. Bounds cut the result off.
//
//	Barlow et al., Statistical Inference under Order Restrictions, 1972
func spread(at []float64, gap, lo, hi float64) []float64 {
	hi -= gap * float64(len(at)-1)
	if len(at) == 0 || !(lo <= hi) {
		return nil
	}
	type pool struct {
		sum float64
		n   int
	}
	mean := func(p pool) float64 { return p.sum / float64(p.n) }
	var pools []pool
	for i, v := range at {
		pools = append(pools, pool{v - gap*float64(i), 1})
		for k := len(pools) - 1; k > 0 && mean(pools[k-1]) > mean(pools[k]); k-- {
			pools[k-1].sum += pools[k].sum
			pools[k-1].n += pools[k].n
			pools = pools[:k]
		}
	}
	var moved []float64
	for _, p := range pools {
		for range p.n {
			moved = append(moved, max(lo, min(hi, mean(p)))+gap*float64(len(moved)))
		}
	}
	return moved
}

// draw writes the names beside the plot r, each behind a piece of its line, and joins
// those that were moved with their line's end.
func (e *endNames) draw(p *page, c *curves, r rect) {
	const still = 0.15 // ems that need no leader
	from := r.x1 + endLead*e.size
	to := from + e.sample*e.size
	for _, n := range e.names {
		if math.Abs(n.y-n.end.y) > still*e.size {
			p.stroke([]point{n.end, {from, n.y}}, 0.6, false, n.color)
		}
		p.stroke([]point{{from, n.y}, {to, n.y}}, c.thick(), n.dashed, n.color)
		p.text(n.name, point{to + endGap*e.size, n.y}, 0, 0.5, e.size, false, p.ink)
	}
}
