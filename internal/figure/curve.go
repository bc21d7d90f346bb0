package figure

import "math"

// zeroRoom is the room above a plot of a width for what is said of the line at
// 0.
func (c *curves) zeroRoom(size, width float64) float64 {
	if !c.MarkZero || c.frame.x.lo >= 0 || c.frame.x.hi <= 0 || width < 14*size {
		return 0
	}
	return 1.5 * size
}

// drawZero draws the line at x = 0, and on both sides above the plot what it
// parts.
func (c *curves) drawZero(p *page, r rect, a *axes) {
	x := a.x.pos(0, r.x0, r.x1)
	p.rule(x, r.y0-0.8*c.zero, x, r.y1, 0.8, p.mark)
	if c.zero == 0 {
		return
	}
	back, ahead := c.sides()
	size := lesser(0.9, a.size)
	y := r.y0 - 0.5*a.size
	if left := x - 0.5*size; left-p.width(back, size) >= r.x0 {
		p.text(back, point{left, y}, 1, 1, size, false, p.soft)
	}
	if right := x + 0.5*size; right+p.width(ahead, size) <= r.x1 {
		p.text(ahead, point{right, y}, 0, 1, size, false, p.soft)
	}
}

// drawSeries draws series i: a line through each run of defined points, a dot
// where a point stands alone.
func (c *curves) drawSeries(p *page, r rect, place func(x, y float64) point, i int) {
	s := &c.Series[i]
	for _, run := range s.runs(s.defined) {
		pts := s.trace(run, s.Y, place)
		if len(pts) == 1 {
			if q := pts[0]; inside(q, r) {
				p.dot(q, 3*c.thick(), c.colors[i])
			}
			continue
		}
		for _, part := range clip(thin(pts, p.hair()), r) {
			p.stroke(part, c.thick(), s.Dashed, c.colors[i])
		}
	}
}

// drawBand fills the band of series i.
func (c *curves) drawBand(p *page, r rect, place func(x, y float64) point, i int) {
	s := &c.Series[i]
	if s.Lo == nil {
		return
	}
	color := bandColor(c.colors[i], c.among)
	for _, run := range s.runs(s.banded) {
		low, high := s.trace(run, s.Lo, place), s.trace(run, s.Hi, place)
		if len(low) == 1 { // a band of one point is a stroke
			for _, part := range clip([]point{low[0], high[0]}, r) {
				p.stroke(part, 2*c.thick(), false, color)
			}
			continue
		}
		edge := clamp(thin(high, p.hair()), r)
		back := clamp(thin(low, p.hair()), r)
		for j := len(back) - 1; j >= 0; j-- {
			edge = append(edge, back[j])
		}
		p.polygon(edge, color)
	}
}

// run is a half-open range of points.
type run struct{ from, to int }

// runs are the ranges of points that hold no gap.
func (s *Series) runs(in func(i int) bool) []run {
	var runs []run
	for i := range s.X {
		switch {
		case !in(i):
		case i > 0 && in(i-1):
			runs[len(runs)-1].to = i + 1
		default:
			runs = append(runs, run{i, i + 1})
		}
	}
	return runs
}

// trace is the line through the places of y in a run, or along its steps.
func (s *Series) trace(r run, y []float64, place func(x, y float64) point) []point {
	n := r.to - r.from
	if !s.Steps {
		pts := make([]point, n)
		for i := range pts {
			pts[i] = place(s.X[r.from+i], y[r.from+i])
		}
		return pts
	}
	pts := make([]point, 0, 2*n)
	for i := r.from; i < r.to; i++ {
		left, right := s.reach(i)
		pts = append(pts, place(left, y[i]), place(right, y[i]))
	}
	return pts
}

// hair is the finest detail that a figure shows.
func (p *page) hair() float64 {
	if p.px > 0 {
		return p.px
	}
	return 72.0 / 300
}

// thin leaves out points of a rising line that no eye can tell apart: of those
// in a column as wide as hair it keeps the first, the lowest, the highest and
// the last.
func thin(pts []point, hair float64) []point {
	if len(pts) < 500 {
		return pts
	}
	for i := 1; i < len(pts); i++ {
		if pts[i].x < pts[i-1].x {
			return pts
		}
	}
	kept := make([]point, 0, len(pts))
	for i := 0; i < len(pts); {
		j, low, high := i, i, i
		for column := math.Floor(pts[i].x / hair); j < len(pts) && math.Floor(pts[j].x/hair) == column; j++ {
			if pts[j].y < pts[low].y {
				low = j
			}
			if pts[j].y > pts[high].y {
				high = j
			}
		}
		last := -1
		for _, k := range []int{i, min(low, high), max(low, high), j - 1} {
			if k > last {
				kept = append(kept, pts[k])
				last = k
			}
		}
		i = j
	}
	return kept
}

// edge is how far beyond an edge a point may lie by rounding.
const edge = 1e-6

func inside(q point, r rect) bool {
	return q.x >= r.x0-edge && q.x <= r.x1+edge && q.y >= r.y0-edge && q.y <= r.y1+edge
}

// within tells whether a line lies in r as a whole.
func within(pts []point, r rect) bool {
	for _, q := range pts {
		if q.x < r.x0 || q.x > r.x1 || q.y < r.y0 || q.y > r.y1 {
			return false
		}
	}
	return len(pts) > 1
}

// clip gives the parts of a line that lie within r.
//
//	Liang and Barsky, A New Concept and Method for Line Clipping, 1984
func clip(pts []point, r rect) [][]point {
	if within(pts, r) {
		return [][]point{pts}
	}
	onto := func(v, lo, hi float64) float64 { // a line along an edge is not to be cut to pieces by rounding
		if near := max(lo, min(hi, v)); math.Abs(v-near) <= edge {
			return near
		}
		return v
	}
	var parts [][]point
	open := false // the last part goes on
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		a = point{onto(a.x, r.x0, r.x1), onto(a.y, r.y0, r.y1)}
		b = point{onto(b.x, r.x0, r.x1), onto(b.y, r.y0, r.y1)}
		dx, dy := b.x-a.x, b.y-a.y
		t0, t1 := 0.0, 1.0
		out := false
		for _, e := range [][2]float64{{-dx, a.x - r.x0}, {dx, r.x1 - a.x}, {-dy, a.y - r.y0}, {dy, r.y1 - a.y}} {
			switch d, q := e[0], e[1]; {
			case d == 0:
				out = out || q < 0
			case d < 0:
				t0 = max(t0, q/d)
			default:
				t1 = min(t1, q/d)
			}
		}
		if out || t0 > t1 {
			open = false
			continue
		}
		if !open || t0 > 0 {
			parts = append(parts, []point{{a.x + t0*dx, a.y + t0*dy}})
		}
		last := &parts[len(parts)-1]
		*last = append(*last, point{a.x + t1*dx, a.y + t1*dy})
		open = t1 == 1
	}
	return parts
}

// clamp bends a line so that it runs along the upper or lower edge of r where
// it would leave it.
func clamp(pts []point, r rect) []point {
	bent := make([]point, 0, len(pts))
	for i, b := range pts {
		if i > 0 {
			a := pts[i-1]
			edges := [2]float64{r.y0, r.y1}
			if a.y > b.y {
				edges = [2]float64{r.y1, r.y0}
			}
			for _, y := range edges {
				if (a.y < y) != (b.y < y) {
					bent = append(bent, point{a.x + (b.x-a.x)*(y-a.y)/(b.y-a.y), y})
				}
			}
		}
		bent = append(bent, point{b.x, max(r.y0, min(r.y1, b.y))})
	}
	return bent
}
