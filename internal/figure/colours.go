package figure

import (
	"image/color"
	"math"
)

// colours turns numbers into colours.
type colours struct {
	span
	pal     []color.RGBA
	unknown bool    // some cell is undefined
	sampled bool    // what is drawn may widen least and most
	least   float64 // of the defined cells, which may lie beyond the ends of the scale
	most    float64
}

// scaleOf is the scale of heat maps that share one.
func scaleOf(paletteName string, within size, maps ...*Heatmap) *colours {
	k := &colours{least: math.Inf(1), most: math.Inf(-1)}
	both := false
	for _, h := range maps {
		h.scan(k, within)
		both = both || h.Diverging
	}
	if k.span = k.wide(); both {
		k.span = k.around()
	}
	k.pal = palette(paletteName, both)
	return k
}

// size is a number of blocks across and down.
type size struct{ across, down int }

// scan takes the heat map's values into a scale that may be shared. Those of a map
// of Blocks are the means of as many as are within, which is no fewer than the
// picture will show: it then has no colour that its bar does not explain.
func (h *Heatmap) scan(k *colours, within size) {
	given := h.Min != 0 || h.Max != 0
	if given {
		k.add(h.Min)
		k.add(h.Max)
	}
	switch {
	case h.Range != nil:
		k.take([]float64{h.Range.Least, h.Range.Most}, given)
		k.unknown = k.unknown || h.Range.Undefined
		k.sampled = k.sampled || h.Range.Sampled
		return
	case h.Blocks != nil:
		rows, _ := edges(h.Rows, min(h.Rows, within.down))
		cols, _ := edges(h.Cols, min(h.Cols, within.across))
		k.take(h.blocks(rows, cols), given)
		return
	}
	line := make([]float64, h.Cols)
	for r := range h.Rows {
		for c := range line {
			line[c] = h.At(r, c)
		}
		k.take(line, given)
	}
}

// take notes the extremes of values, and widens the scale to the finite ones
// unless its ends are given.
func (k *colours) take(values []float64, given bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.IsNaN(v) {
			k.unknown = true
			continue
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	k.least, k.most = min(k.least, lo), max(k.most, hi)
	switch {
	case given || lo > hi:
	case finite(lo) && finite(hi):
		k.add(lo)
		k.add(hi)
	default:
		for _, v := range values {
			k.add(v)
		}
	}
}

// drawn takes in what is drawn, where only a sample of it was known. It moves no end of
// the scale.
func (k *colours) drawn(values []float64) {
	if k.sampled {
		k.take(values, true)
	}
}

// clamped tells whether some cells lie beyond the low or the high end of the
// scale, by more than rounding, and so have a colour that is not their value's.
func (k *colours) clamped() (low, high bool) {
	rounding := 1e-9 * (k.hi - k.lo)
	return k.least < k.lo-rounding, k.most > k.hi+rounding
}

// index is the place of v in the palette, -1 if undefined.
func (k *colours) index(v float64) int {
	n := len(k.pal)
	switch {
	case math.IsNaN(v):
		return -1
	case v <= k.lo:
		return 0
	case v >= k.hi:
		return n - 1
	}
	return min(n-1, int((v/2-k.lo/2)/(k.hi/2-k.lo/2)*float64(n)))
}

func (k *colours) of(v float64) color.RGBA {
	if i := k.index(v); i >= 0 {
		return k.pal[i]
	}
	return undefined
}
