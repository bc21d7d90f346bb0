package figure

import (
	"errors"
	"fmt"
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
