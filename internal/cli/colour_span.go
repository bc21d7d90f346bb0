package cli

import (
	"fmt"
	"math"
	"strconv"

	"poslens/internal/analysis"
	"poslens/internal/figure"
)

// colourSpan is what the colours of a heat map span whose values have bounds.
type colourSpan struct {
	of       string // the values, as "cosines"
	whole    [2]float64
	lo, hi   float64         // the ends; both 0 means those of the data
	values   analysis.Extent // of what is drawn, where it was looked at
	narrowed bool            // the ends are those of the values, since they fill little of the whole
	asked    bool            // the ends are those of --range
	sampled  bool            // values is that of a sample
}

// cosines are the bounds of a cosine and of a correlation.
var cosines = [2]float64{-1, 1}

// wholeSpan spans all that values may be, or what --range says.
func (o *outputFlags) wholeSpan(of string, whole [2]float64) colourSpan {
	s := colourSpan{of: of, whole: whole, lo: whole[0], hi: whole[1], asked: o.valueRange != ""}
	o.setSpan(&s.lo, &s.hi)
	return s
}

// spanOf is wholeSpan, or what the values fill where that is less than half of the
// whole and --range does not say otherwise.
func (o *outputFlags) spanOf(of string, whole [2]float64, values analysis.Extent) colourSpan {
	s := o.wholeSpan(of, whole)
	s.values = values
	if !s.asked && values.Some {
		s.lo, s.hi, s.narrowed = figure.Narrow(whole[0], whole[1], values.Least, values.Most)
	}
	return s
}

// fills says what the values fill, to about a hundredth of it.
func (s colourSpan) fills() string {
	decimals := 1 - int(math.Floor(math.Log10(s.values.Most-s.values.Least)))
	round := func(v float64) string {
		unit := math.Pow(10, float64(decimals))
		return plainNumber(math.Round(v*unit) / unit)
	}
	text := round(s.values.Least) + " to " + round(s.values.Most)
	if s.sampled {
		return "about " + text
	}
	return text
}

// decimals is how many of them tell apart values that the colours tell apart: 2 or more.
func (s colourSpan) decimals() int {
	if !s.narrowed {
		return 2
	}
	return max(2, -int(math.Floor(math.Log10(s.hi-s.lo))))
}

// ends are the ends of the colours in words.
func (s colourSpan) ends() string { return plainNumber(s.lo) + " to " + plainNumber(s.hi) }

// plainNumber is a number without more digits than it needs, and without -0.
func plainNumber(v float64) string { return strconv.FormatFloat(v+0, 'f', -1, 64) }

// tellSpan tells where the colours do not span the whole.
func (a *app) tellSpan(label string, s colourSpan) {
	if !s.narrowed {
		return
	}
	if label != "" {
		label += ": "
	}
	a.tell("%sthe %s fill %s: colours span %s (the whole: --range=%s:%s)", label, s.of, s.fills(), s.ends(), plainNumber(s.whole[0]), plainNumber(s.whole[1]))
}

// sentence is what a caption says of the colours: what they span where that is not the
// whole, and of one of several maps, since each has a scale of its own. Empty: nothing.
func (s colourSpan) sentence(several bool) string {
	text := "Its colours span " + s.ends()
	switch {
	case s.asked || !s.narrowed && !several:
		return ""
	case s.narrowed:
		text += fmt.Sprintf(" and not %s to %s, since the %s fill %s", plainNumber(s.whole[0]), plainNumber(s.whole[1]), s.of, s.fills())
	}
	if several {
		text += "; each map has a scale of its own"
	}
	return text + "."
}
