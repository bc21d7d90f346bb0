package analysis

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// What makes a shift of a series a change of its level; Checks tells why.
const (
	leastSegment  = 8
	leastShift    = 0.2
	leastInOrder  = 0.95
	leastDistance = 2.69   // sqrt(ln(2e6) / 2): 2 exp(-2 x^2) is 1e-6
	closeBy       = 16     // values on either side of a split that must differ too
	leastAtOnce   = 2. / 3 // of the shift, for that of these
	mostSplits    = 4      // found at once: two blocks in the middle
	mostBins      = 512    // of a series in which splits are sought before they are made exact
)

// shiftsOf finds where a series changes its level: the first index of every new level,
// rising. It tries one split, then two and more at once up to mostSplits, since a block
// in the middle has no single split that explains it, and takes the fewest that are
// all real; then it looks into each segment in the same way.
func shiftsOf(y []float64) []int {
	s := newSeries(y)
	var all []int
	s.shifts(0, len(y), &all)
	return s.clear(all)
}

// series is a series with sums over any range of it.
type series struct {
	y   []float64 // its mean taken away
	sum []float64 // of y[:i]
}

func newSeries(y []float64) *series {
	s := &series{y: slices.Clone(y), sum: make([]float64, len(y)+1)}
	if len(y) > 0 {
		floats.AddConst(-stat.Mean(y, nil), s.y)
	}
	for i, x := range s.y {
		s.sum[i+1] = s.sum[i] + x
	}
	return s
}

// mean is that of y[from:to].
func (s *series) mean(from, to int) float64 { return (s.sum[to] - s.sum[from]) / float64(to-from) }

// gain is what a level of its own takes off the sum of squares of y[from:to].
func (s *series) gain(from, to int) float64 {
	sum := s.sum[to] - s.sum[from]
	return sum * sum / float64(to-from)
}

// shifts appends those within y[from:to].
func (s *series) shifts(from, to int, all *[]int) {
	for k := 1; k <= mostSplits && to-from >= leastSegments(k); k++ {
		splits := s.splits(from, to, k)
		if !s.real(from, to, splits) {
			continue
		}
		edges := edgesOf(from, splits, to)
		for i, start := range edges[:len(edges)-1] {
			if i > 0 {
				*all = append(*all, start)
			}
			s.shifts(start, edges[i+1], all)
		}
		return
	}
}

// edgesOf are the ends of the segments between some splits of y[from:to].
func edgesOf(from int, splits []int, to int) []int {
	return append(append([]int{from}, splits...), to)
}

// leastSegments is how many values it takes to look for k splits: so many that several
// are not found in what is left of a level that wanders.
func leastSegments(k int) int {
	if k == 1 {
		return 2 * leastSegment
	}
	return 2 * leastSegment * (k + 1)
}

// splits are the k splits of y[from:to] that leave the least squares about the means of
// the segments, none shorter than leastSegment: by dynamic programming over at most
// mostBins bins, then each in turn between those beside it.
func (s *series) splits(from, to, k int) []int {
	width := (to - from + mostBins - 1) / mostBins
	bins := (to - from) / width
	least := (leastSegment + width - 1) / width
	end := func(b int) int {
		if b == bins {
			return to
		}
		return from + b*width
	}
	best := make([][]float64, k+1) // the largest gain of the first b bins in so many segments and one
	last := make([][]int, k+1)     // where the last of them begins
	for m := range best {
		best[m], last[m] = make([]float64, bins+1), make([]int, bins+1)
		for b := range best[m] {
			best[m][b] = math.Inf(-1)
			if m == 0 {
				if b >= least {
					best[0][b] = s.gain(from, end(b))
				}
				continue
			}
			for a := m * least; a+least <= b; a++ {
				if g := best[m-1][a] + s.gain(end(a), end(b)); g > best[m][b] {
					best[m][b], last[m][b] = g, a
				}
			}
		}
	}
	splits := make([]int, k)
	b := bins
	for m := k; m > 0; m-- {
		b = last[m][b]
		splits[m-1] = end(b)
	}
	s.refine(from, to, splits)
	return splits
}

// refine moves each split to where it leaves the least squares between those beside
// it, until none moves.
func (s *series) refine(from, to int, splits []int) {
	const most = 20
	for range most {
		moved := false
		for i := range splits {
			a, b := from, to
			if i > 0 {
				a = splits[i-1]
			}
			if i+1 < len(splits) {
				b = splits[i+1]
			}
			at, most := splits[i], s.gain(a, splits[i])+s.gain(splits[i], b)
			for t := a + leastSegment; t <= b-leastSegment; t++ {
				if g := s.gain(a, t) + s.gain(t, b); g > most {
					at, most = t, g
				}
			}
			moved = moved || at != splits[i]
			splits[i] = at
		}
		if !moved {
			return
		}
	}
}

// real tells whether all splits of y[from:to] are changes of level and none is chance.
// The CUSUM at each, over the segments a and b beside it,
//
//	|sum over a of (y_i - mean of a and b)| / (s sqrt(|a| + |b|))
//
// has at its largest Kolmogorov's distribution where the series keeps its level (Csorgo
// and Horvath 1997, Limit Theorems in Change-Point Analysis). s^2 is the long-run
// variance about the means of all segments, so that a series that wanders is not taken
// for one that shifts. The shift must matter too, by the thresholds above.
func (s *series) real(from, to int, splits []int) bool {
	rest := slices.Clone(s.y[from:to])
	edges := edgesOf(from, splits, to)
	for i, start := range edges[:len(edges)-1] {
		floats.AddConst(-s.mean(start, edges[i+1]), rest[start-from:edges[i+1]-from])
	}
	variance := longRun(rest)
	for i, at := range splits {
		a, b := edges[i], edges[i+2]
		shift := math.Abs(s.mean(at, b) - s.mean(a, at))
		if shift < leastShift || inOrder(s.y[a:at], s.y[at:b]) < leastInOrder {
			return false
		}
		if math.Abs(s.mean(at, min(b, at+closeBy))-s.mean(max(a, at-closeBy), at)) < leastAtOnce*shift {
			return false
		}
		cusum := math.Abs(s.sum[at] - s.sum[a] - s.mean(a, b)*float64(at-a))
		if cusum <= leastDistance*math.Sqrt(variance*float64(b-a)) {
			return false
		}
	}
	return true
}

// clear drops the splits of which the levels are no more apart than leastShift, the
// nearest first: what is found within a segment can take the shift beside it away.
func (s *series) clear(splits []int) []int {
	for len(splits) > 0 {
		s.refine(0, len(s.y), splits)
		edges := edgesOf(0, splits, len(s.y))
		drop, nearest := -1, leastShift
		for i, at := range splits {
			if by := math.Abs(s.mean(at, edges[i+2]) - s.mean(edges[i], at)); by < nearest {
				drop, nearest = i, by
			}
		}
		if drop < 0 {
			break
		}
		splits = slices.Delete(splits, drop, drop+1)
	}
	return splits
}

// longRun is the long-run variance of a series of mean 0,
//
//	g(0) + 2 sum over l <= L of (1 - l / (L + 1)) g(l),  L = ceil(2 n^(1/3))
//
// g(l) being its autocovariance (Newey and West 1987).
func longRun(y []float64) float64 {
	n := len(y)
	lags := int(math.Ceil(2 * math.Cbrt(float64(n))))
	variance := floats.Dot(y, y) / float64(n)
	for l := 1; l <= min(lags, n-1); l++ {
		variance += 2 * (1 - float64(l)/float64(lags+1)) * floats.Dot(y[:n-l], y[l:]) / float64(n)
	}
	return max(variance, 0)
}

// inOrder is the share of the pairs of a value of a and one of b that are in the
// order of their means; equal ones count half. It is the larger of Mann and
// Whitney's U and its opposite, over the pairs.
func inOrder(a, b []float64) float64 {
	b = slices.Sorted(slices.Values(b))
	below := 0.0
	for _, x := range a {
		lo := sort.SearchFloat64s(b, x)
		hi := lo + sort.Search(len(b)-lo, func(k int) bool { return b[lo+k] > x }) // no walk: cosines of 1 can be many
		below += float64(lo) + float64(hi-lo)/2
	}
	share := below / float64(len(a)) / float64(len(b))
	return max(share, 1-share)
}
