package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// What makes a shift of the neighbour cosine a change point; Checks tells why.
const (
	leastSegment  = 8
	leastShift    = 0.2
	leastInOrder  = 0.95
	leastDistance = 2.69 // sqrt(ln(2e6) / 2): 2 exp(-2 x^2) is 1e-6
)

// shift is where a series changes its level.
type shift struct {
	at            int     // the first value of the new level
	before, after float64 // means
	distance      float64 // of the CUSUM, in units of the long-run deviation times sqrt(n)
}

// shiftOf finds the one split of a series that explains most of its variance,
//
//	max over t of (sum over i < t of y_i - mean y)^2 / (t (n - t))
//
// and its CUSUM |sum over i < t| / (s sqrt(n)), whose largest value over t has
// Kolmogorov's distribution where the series keeps its level (Csorgo and Horvath 1997,
// Limit Theorems in Change-Point Analysis). s^2 is the long-run variance about both
// means, so that a series that wanders is not taken for one that shifts:
//
//	s^2 = g(0) + 2 sum over l <= L of (1 - l / (L + 1)) g(l),  L = ceil(2 n^(1/3))
//
// g(l) being its autocovariance (Newey and West 1987). ok is false where the series
// is too short, or the shift is not one by the thresholds above.
func shiftOf(y []float64) (s shift, ok bool) {
	n := len(y)
	if n < 2*leastSegment {
		return s, false
	}
	mean := stat.Mean(y, nil)
	sum, best, cusum := 0.0, -1.0, 0.0
	for t := 1; t <= n-leastSegment; t++ {
		sum += y[t-1] - mean
		if gain := sum * sum / float64(t) / float64(n-t); t >= leastSegment && gain > best {
			best, cusum, s.at = gain, math.Abs(sum), t
		}
	}
	s.before, s.after = stat.Mean(y[:s.at], nil), stat.Mean(y[s.at:], nil)
	if math.Abs(s.after-s.before) < leastShift || inOrder(y[:s.at], y[s.at:]) < leastInOrder {
		return s, false
	}
	rest := slices.Clone(y)
	floats.AddConst(-s.before, rest[:s.at])
	floats.AddConst(-s.after, rest[s.at:])
	lags := int(math.Ceil(2 * math.Cbrt(float64(n))))
	variance := floats.Dot(rest, rest) / float64(n)
	for l := 1; l <= min(lags, n-1); l++ {
		variance += 2 * (1 - float64(l)/float64(lags+1)) * floats.Dot(rest[:n-l], rest[l:]) / float64(n)
	}
	s.distance = cusum / math.Sqrt(max(variance, 1e-18)*float64(n)) // of two levels without noise it is merely large
	return s, s.distance > leastDistance
}

// inOrder is the share of the pairs of a value of a and one of b that are in the
// order of their means; equal ones count half. It is the larger of Mann and
// Whitney's U and its opposite, over the pairs.
func inOrder(a, b []float64) float64 {
	b = slices.Sorted(slices.Values(b))
	below := 0.0
	for _, x := range a {
		lo, _ := slices.BinarySearch(b, x)
		hi := lo
		for hi < len(b) && b[hi] == x {
			hi++
		}
		below += float64(lo) + float64(hi-lo)/2
	}
	share := below / float64(len(a)) / float64(len(b))
	return max(share, 1-share)
}

// change looks for a shift of the cosine of neighbours.
func (c *checking) change(r *rows) {
	if !c.wants(CodeChangePoint) || c.relative() {
		return
	}
	var y []float64
	var first []int // the first row of each pair
	for i := range r.N - 1 {
		if c.beside(i) && r.defined(i) && r.defined(i+1) {
			y = append(y, r.cosine(i, i+1))
			first = append(first, i)
		}
	}
	if len(y) < 2*leastSegment {
		c.skip(fmt.Sprintf("%d pairs of neighbours are too few: it takes %d", len(y), 2*leastSegment), CodeChangePoint)
		return
	}
	s, ok := shiftOf(y)
	if !ok {
		return
	}
	if s.after < s.before {
		low := upTo(first[s.at]+1, r.N)
		length := ""
		if c.grid.Cols == 0 {
			length = fmt.Sprintf("; likely trained at length %d", c.number(low[0]))
		}
		c.found(CodeChangePoint, low, "cosine_shift", s.after-s.before, "%s: the cosine of neighbours falls from %.2f to %.2f there%s", c.words(low), s.before, s.after, length)
		return
	}
	low := upTo(0, first[s.at])
	c.found(CodeChangePoint, low, "cosine_shift", s.after-s.before, "%s: the cosine of neighbours is %.2f there, and %.2f after: the first positions were trained less, as where sequences are padded in front", c.words(low), s.before, s.after)
}

// beside tells whether rows i and i+1 are neighbours: not across the rows of a grid.
func (c *checking) beside(i int) bool { return c.grid.Cols == 0 || (i+1)%c.grid.Cols != 0 }

// cosine is that of two defined rows.
func (r *rows) cosine(i, j int) float64 {
	return clamp(floats.Dot(r.row(i), r.row(j)) / r.Norm[i] / r.Norm[j])
}
