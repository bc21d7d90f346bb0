package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// leastFade is over how many values a change of level is one that takes time.
const leastFade = 16

// ramp is a series that goes from one level to another in a line:
//
//	before                                i < from
//	before + (after - before) (i - from + 1) / (to - from)    from <= i < to
//	after                                 i >= to
type ramp struct {
	from, to      int
	before, after float64
	squares       float64 // about it
}

// ramps has the sums that a fit by least squares takes.
type ramps struct {
	*series
	weighted []float64 // sums of i y_i over y[:i]
	squares  float64
}

// fit is the ramp between two knots, from < to <= n, of least squares, about the mean
// of the series.
func (s *ramps) fit(from, to int) ramp {
	n, w := float64(len(s.y)), float64(to-from)
	past := n - float64(to)
	h := w*(w+1)/2 + w*past
	hh := w*(w+1)*(2*w+1)/6 + w*w*past - h*h/n
	hy := s.weighted[to] - s.weighted[from] + float64(1-from)*(s.sum[to]-s.sum[from]) + w*(s.sum[len(s.y)]-s.sum[to])
	r := ramp{from: from, to: to, squares: s.squares}
	if hh <= 0 {
		return r
	}
	slope := hy / hh // y has mean 0
	r.before = -slope * h / n
	r.after = r.before + slope*w
	r.squares = max(0, s.squares-hy*slope)
	return r
}

// rampOf is the ramp that fits a series best: of a coarse choice of knots, then each in
// turn until none moves.
func rampOf(y []float64) ramp {
	n := len(y)
	s := &ramps{series: newSeries(y), weighted: make([]float64, n+1)}
	s.squares = floats.Dot(s.y, s.y)
	for i, x := range s.y {
		s.weighted[i+1] = s.weighted[i] + float64(i)*x
	}
	const most = 128 // knots of the coarse choice
	step := (n + most - 1) / most
	best := s.fit(0, n)
	for from := 0; from < n; from += step {
		for to := from + step; to < n+step; to += step {
			if r := s.fit(from, min(to, n)); r.squares < best.squares {
				best = r
			}
		}
	}
	for range most {
		old := best
		for from := range best.to {
			if r := s.fit(from, old.to); r.squares < best.squares {
				best = r
			}
		}
		for to := best.from + 1; to <= n; to++ {
			if r := s.fit(best.from, to); r.squares < best.squares {
				best = r
			}
		}
		if best == old {
			break
		}
	}
	mean := stat.Mean(y, nil) // which the series is without
	best.before += mean
	best.after += mean
	return best
}

// at is its value.
func (r ramp) at(i int) float64 {
	share := min(1, max(0, float64(i-r.from+1)/float64(r.to-r.from)))
	return r.before + (r.after-r.before)*share
}

// real tells whether a ramp of a series is one that matters and is not chance, as
// series.real does of splits: its CUSUM, at its largest, against the long-run variance
// about the ramp.
func (r ramp) real(y []float64) bool {
	middle := (r.from + r.to) / 2
	if r.to-r.from < leastFade || middle < leastSegment || len(y)-middle < leastSegment || math.Abs(r.after-r.before) < leastShift {
		return false
	}
	if inOrder(y[:middle], y[middle:]) < leastInOrder {
		return false
	}
	rest := slices.Clone(y)
	for i := range rest {
		rest[i] -= r.at(i)
	}
	most := 0.0
	for _, sum := range newSeries(y).sum {
		most = max(most, math.Abs(sum))
	}
	return most > leastDistance*math.Sqrt(longRun(rest)*float64(len(y)))
}

// fits tells whether a ramp is a better account of a series than levels that change at
// once at some splits: by Schwarz's criterion n ln(squares / n) + p ln n, a ramp having
// p = 4 parameters and k splits 2 k + 1.
func (r ramp) fits(y []float64, splits []int) bool {
	n := float64(len(y))
	s := newSeries(y)
	least := 1e-12 * n // what rounding leaves
	edges := edgesOf(0, splits, len(y))
	levels := floats.Dot(s.y, s.y)
	for i, from := range edges[:len(edges)-1] {
		levels -= s.gain(from, edges[i+1])
	}
	return n*math.Log(max(r.squares, least))+4*math.Log(n) < n*math.Log(max(levels, least))+float64(2*len(splits)+1)*math.Log(n)
}
