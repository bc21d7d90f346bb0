package figure

import (
	"errors"
	"fmt"
	"image/color"
	"math"
)

// Scatter is points in a plane whose two axes have the same scale, each in the
// colour of its value, or of its cell on a raster.
type Scatter struct {
	Title          string
	XLabel, YLabel string
	ColorLabel     string    // what the values are
	X, Y           []float64 // of one length; a point of which one is NaN or infinite is left out
	Value          []float64 // as long; nil gives all points one colour, NaN is grey
	Cells          *Cells    // in place of Value
}

// Cells are the places of points on a raster. The row chooses a point's hue, from
// blue over red to yellow, and the column its lightness, from light to dark.
type Cells struct {
	Rows, Cols int
	Row, Col   []int // a point each, from 0
}

func (s *Scatter) check() error {
	if s == nil {
		return errors.New("no chart")
	}
	n := len(s.X)
	switch {
	case len(s.Y) != n:
		return fmt.Errorf("scatter: %d x, but %d y", n, len(s.Y))
	case s.Value != nil && len(s.Value) != n:
		return fmt.Errorf("scatter: %d points, but %d values", n, len(s.Value))
	case s.Value != nil && s.Cells != nil:
		return errors.New("scatter: both values and cells")
	}
	if c := s.Cells; c != nil {
		if c.Rows < 1 || c.Cols < 1 || len(c.Row) != n || len(c.Col) != n {
			return fmt.Errorf("scatter: %d points, but %d rows and %d columns on a raster of %d x %d", n, len(c.Row), len(c.Col), c.Rows, c.Cols)
		}
		for i := range n {
			if c.Row[i] < 0 || c.Row[i] >= c.Rows || c.Col[i] < 0 || c.Col[i] >= c.Cols {
				return fmt.Errorf("scatter: point %d is at %d, %d of a raster of %d x %d", i, c.Row[i], c.Col[i], c.Rows, c.Cols)
			}
		}
	}
	for i := range n {
		if s.defined(i) {
			return nil
		}
	}
	return errors.New("scatter: no points: nothing to draw")
}

func (s *Scatter) defaultSize() (width, height float64) { return 6, 5 }

// defined tells whether point i has a place.
func (s *Scatter) defined(i int) bool { return finite(s.X[i]) && finite(s.Y[i]) }

// frame is the range of the points, with room around them.
func (s *Scatter) frame() frame {
	f := frame{}
	for i := range s.X {
		if s.defined(i) {
			f.x.add(s.X[i])
			f.y.add(s.Y[i])
		}
	}
	// What does not vary takes the reach of what does.
	reach := max(f.x.hi-f.x.lo, f.y.hi-f.y.lo, 1e-9*max(math.Abs(f.x.lo), math.Abs(f.x.hi), math.Abs(f.y.lo), math.Abs(f.y.hi)), tiny)
	if f.x.hi == f.x.lo && f.y.hi == f.y.lo {
		reach = max(2*tiny, math.Abs(f.x.lo)/2, math.Abs(f.y.lo)/2)
	}
	f.x, f.y = f.x.atLeast(reach/1e3), f.y.atLeast(reach/1e3)
	f.x, f.y = f.x.padded(0.04), f.y.padded(0.04)
	return f
}

// atLeast is s widened to a length around its middle.
func (s span) atLeast(length float64) span {
	if s.hi-s.lo >= length {
		return s
	}
	mid := s.lo/2 + s.hi/2
	return span{mid - length/2, mid + length/2, true}
}

// equal widens one of the ranges of f so that both have one scale on a plot of a size.
func (f frame) equal(width, height float64) frame {
	unit := max((f.x.hi/2-f.x.lo/2)/width, (f.y.hi/2-f.y.lo/2)/height)
	f.x, f.y = f.x.atLeast(2*unit*width), f.y.atLeast(2*unit*height)
	return f
}

// values are the colours of the points' values; nil where all have one colour. pal is
// a sequential palette.
func (s *Scatter) values(pal []color.RGBA) *colours {
	if s.Value == nil {
		return nil
	}
	k := &colours{least: math.Inf(1), most: math.Inf(-1), pal: pal}
	for i, v := range s.Value {
		if s.defined(i) {
			k.take([]float64{v}, false)
		}
	}
	k.span = k.wide()
	return k
}

// whole tells whether all values are whole numbers.
func (s *Scatter) whole() bool {
	for _, v := range s.Value {
		if finite(v) && v != math.Trunc(v) {
			return false
		}
	}
	return true
}

// colorOf is the colour of point i; one is that of all where they have neither values
// nor cells, and tones is what those of cells are made of.
func (s *Scatter) colorOf(i int, k *colours, one color.RGBA, tones span) color.RGBA {
	switch {
	case s.Cells != nil:
		return s.Cells.color(s.Cells.Row[i], s.Cells.Col[i], tones)
	case k != nil:
		return k.of(s.Value[i])
	}
	return one
}

// color is that of a cell, the last column's the darkest of tones, which are lightness.
// Hue and lightness are those of OKLab, in which equal steps look alike; blue and yellow
// ends, and lightness, are told apart by every common kind of colour vision.
func (c *Cells) color(row, col int, tones span) color.RGBA {
	share := func(i, n int) float64 {
		if n == 1 {
			return 0.5
		}
		return float64(i) / float64(n-1)
	}
	return oklch(tones.hi-(tones.hi-tones.lo)*share(col, c.Cols), 0.125, 255+200*share(row, c.Rows)) // to 95 degrees, past red
}

// tones are the lightness in OKLab that a small dot may have: at every hue of color its
// contrast with the ground is 3:1 or more.
//
//	Web Content Accessibility Guidelines 2.2, 1.4.11
func (t theme) tones() span {
	if luminanceOf(color.RGBA(t.ground)) > 0.5 {
		return span{0.34, 0.66, true}
	}
	return span{0.535, 0.94, true}
}

// anyGround are the tones for a ground that is not known: far from black and white.
var anyGround = span{0.42, 0.82, true}

// shown is the part of a sequential palette that stands out from the ground.
func (t theme) shown(pal []color.RGBA) []color.RGBA {
	n := float64(len(pal) - 1)
	return pal[int(t.lo*n+0.5) : int(t.hi*n+0.5)+1]
}
