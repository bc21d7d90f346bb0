package analysis

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// neighbourCosines is the cosine of each two rows that are beside each other.
type neighbourCosines struct {
	y     []float64
	first []int // the first row of each pair
}

// change looks for changes of the cosine of neighbours along the table: at once, or
// little by little.
func (c *checking) change(r *rows) {
	if !c.wants(CodeChangePoint, CodeFading) || c.relative() {
		return
	}
	var s neighbourCosines
	for i := range r.N - 1 {
		if c.beside(i) && r.defined(i) && r.defined(i+1) {
			s.y = append(s.y, r.cosine(i, i+1))
			s.first = append(s.first, i)
		}
	}
	if n := len(s.y); n < 2*leastSegment {
		c.skip(fmt.Sprintf("%d %s too few: it takes %d", n, plural(n, "pair of neighbours is", "pairs of neighbours are"), 2*leastSegment), CodeChangePoint, CodeFading)
		return
	}
	splits := shiftsOf(s.y)
	if ramp := rampOf(s.y); ramp.real(s.y) && ramp.fits(s.y, splits) {
		c.fading(s, ramp)
		return
	}
	if len(splits) > 0 {
		c.changePoints(s, splits, r.N)
	}
}

// changePoints tells each stretch of rows whose level is beneath the highest. A pair
// with one row of either level is taken for one of the lower.
func (c *checking) changePoints(s neighbourCosines, splits []int, n int) {
	edges := edgesOf(0, splits, len(s.y))
	levels := make([]float64, len(edges)-1)
	for k := range levels {
		levels[k] = stat.Mean(s.y[edges[k]:edges[k+1]], nil)
	}
	highest := floats.Max(levels)
	for k, level := range levels {
		shift := level - highest
		if shift > -leastShift {
			continue
		}
		from, to := 0, n // rows from <= i < to
		if k > 0 {
			from = s.first[edges[k]]
			if levels[k-1] > level {
				from++
			}
		}
		last := k == len(levels)-1
		if !last {
			to = s.first[edges[k+1]]
			if levels[k+1] < level {
				to++
			}
		}
		low := upTo(from, to)
		which := c.words(low)
		switch {
		case k == 0:
			c.found(CodeChangePoint, low, "cosine_shift", shift, "%s: the cosine of neighbours is %.2f there, and %.2f after: the first positions were trained less, as where sequences are padded in front", which, level, levels[1])
		case last && levels[k-1] > level:
			length := ""
			if c.grid.Cols == 0 {
				length = fmt.Sprintf("; likely trained at length %d", c.number(from))
			}
			c.found(CodeChangePoint, low, "cosine_shift", shift, "%s: the cosine of neighbours falls from %.2f to %.2f there%s", which, levels[k-1], level, length)
		case last:
			c.found(CodeChangePoint, low, "cosine_shift", shift, "%s: the cosine of neighbours is %.2f there, %.2f before, and %.2f at its highest: they were trained less", which, level, levels[k-1], highest)
		default:
			c.found(CodeChangePoint, low, "cosine_shift", shift, "%s: the cosine of neighbours is %.2f there, %.2f before and %.2f after: they were trained less than others", which, level, levels[k-1], levels[k+1])
		}
	}
}

// fading tells rows of which the cosine with their neighbours changes little by little.
func (c *checking) fading(s neighbourCosines, r ramp) {
	n := len(s.y)
	shift := r.after - r.before
	if shift < 0 {
		low := upTo(s.first[r.from]+1, s.first[n-1]+2)
		stays := ""
		if n-r.to >= leastSegment {
			stays = fmt.Sprintf(" at %s", c.words([]int{s.first[r.to]}))
		}
		c.found(CodeFading, low, "cosine_shift", shift, "%s: the cosine of neighbours falls little by little from %.2f before to %.2f%s: the further on, the less these positions were trained, as where few sequences are so long", c.words(low), r.before, r.after, stays)
		return
	}
	low := upTo(0, s.first[r.to-1]+1)
	c.found(CodeFading, low, "cosine_shift", -shift, "%s: the cosine of neighbours rises little by little from %.2f to %.2f after: the further in front, the less these positions were trained, as where sequences are padded in front", c.words(low), r.before, r.after)
}

// beside tells whether rows i and i+1 are neighbours: not across the rows of a grid.
func (c *checking) beside(i int) bool { return c.grid.Cols == 0 || (i+1)%c.grid.Cols != 0 }

// cosine is that of two defined rows.
func (r *rows) cosine(i, j int) float64 {
	return clamp(floats.Dot(r.row(i), r.row(j)) / r.Norm[i] / r.Norm[j])
}
