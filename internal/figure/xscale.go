package figure

import (
	"fmt"
	"math"
)

// Scale is how an axis places its values.
type Scale uint8

// The scales of an x axis.
const (
	Linear Scale = iota
	Symlog       // logarithmic on both sides of 0, and linear from -1 to 1
)

// Scales names the scales, in the order of their constants.
func Scales() []string { return []string{"linear", "symlog"} }

// place is where on the axis a value stands, in units of its own:
//
//	x                         for |x| <= 1
//	sign(x) (1 + ln |x|)      else
//
// which is smooth at 1, so that a line has no bend there that the data have not.
func (s Scale) place(x float64) float64 {
	if s == Linear || math.Abs(x) <= 1 {
		return x
	}
	return math.Copysign(1+math.Log(math.Abs(x)), x)
}

// value is the value that stands at a place, no larger than any that is drawn.
func (s Scale) value(at float64) float64 {
	if s == Linear || math.Abs(at) <= 1 {
		return at
	}
	return math.Copysign(min(huge, math.Exp(math.Abs(at)-1)), at)
}

// check refuses scales that there are not.
func (s Scale) check() error {
	if s > Symlog {
		return fmt.Errorf("lines: no scale %d", s)
	}
	return nil
}

// xTicks gives at most about n ticks of the x axis, at their places. Those of a
// logarithmic one are 0 and powers of ten on either side, with their double and
// fivefold where there is room, or fewer of the powers; round values at equal steps
// where the axis spans less than that.
func (f frame) xTicks(n int) []tick {
	if f.xLog {
		return f.x.ticksOn(true, n, f.whole)
	}
	if f.scale == Linear || f.x.lo >= -1 && f.x.hi <= 1 {
		return f.x.ticks(n, f.whole)
	}
	one := []float64{1}
	for _, d := range []decades{{[]float64{1, 2, 5}, 1}, {one, 1}, {one, 2}, {one, 3}, {one, 10}, {one, 50}} {
		if at := d.within(f.scale, f.x); len(at) < 2 {
			break
		} else if len(at) <= max(n, 2) {
			return f.named(at)
		}
	}
	lo, hi := f.scale.value(f.x.lo), f.scale.value(f.x.hi)
	ticks := span{lo, hi, true}.ticks(n, f.whole)
	for i := range ticks {
		ticks[i].at = f.scale.place(ticks[i].at)
	}
	return ticks
}

// decades are the round values of a logarithmic axis: the powers of ten whose exponent
// is a multiple of step, times each of the digits.
type decades struct {
	digits []float64
	step   int
}

// within are the round values of a span of places, rising.
func (d decades) within(s Scale, places span) []float64 {
	lo, hi := s.value(places.lo), s.value(places.hi)
	var up []float64
	for e := 0; e <= 300 && math.Pow10(e) <= max(-lo, hi); e += d.step {
		for _, digit := range d.digits {
			up = append(up, digit*math.Pow10(e))
		}
	}
	var at []float64
	add := func(v float64) {
		if v >= lo && v <= hi {
			at = append(at, v)
		}
	}
	for i := len(up) - 1; i >= 0; i-- {
		add(-up[i])
	}
	add(0)
	for _, v := range up {
		add(v)
	}
	return at
}

// named are ticks at round values, each written by itself.
func (f frame) named(values []float64) []tick {
	ticks := make([]tick, len(values))
	for i, v := range values {
		ticks[i] = tick{f.scale.place(v), numbers([]float64{v}, max(1, math.Abs(v)))[0]}
	}
	return ticks
}

// withoutOnes leaves -1 and 1 out of a logarithmic axis' ticks, which stand close to 0;
// nil where that leaves no other power on either side, or has nothing to leave out.
func (f frame) withoutOnes(ticks []tick) []tick {
	if f.scale != Symlog {
		return nil
	}
	var rest []tick
	for _, t := range ticks {
		if math.Abs(t.at) != 1 {
			rest = append(rest, t)
		}
	}
	if len(rest) == len(ticks) || len(rest) < 3 {
		return nil
	}
	return rest
}

// roomFor tells whether the labels of some ticks stand apart on an axis of a width, in
// points, those of a linear one at equal steps.
func (f frame) roomFor(p *page, ticks []tick, width, size float64) bool {
	if f.scale == Linear {
		return width/float64(max(1, len(ticks))) >= p.widestNumber(ticks, size)+1.2*size
	}
	for i := 1; i < len(ticks); i++ {
		half := p.numberWidth(ticks[i-1].label, size)/2 + p.numberWidth(ticks[i].label, size)/2
		if width*(ticks[i].at-ticks[i-1].at)/(f.x.hi-f.x.lo) < half+0.7*size {
			return false
		}
	}
	return true
}
