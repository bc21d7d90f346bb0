package figure

import "math"

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
