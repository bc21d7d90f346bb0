package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// The thresholds of scores; Checks tells why.
const (
	leastScorePairs = 100
	scoreSigmas     = 3
	leastHeads      = 4
	trainedShare    = 0.5 // of the median of the used buckets, for an unused one
	trainedTimes    = 5   // the unused one, for that median
	untrainedTimes  = 2   // the unused one, for a used bucket
)

// bias looks at the scores of a relative table, each stored entry once.
func (c *checking) bias(b *posemb.Bias, e *entries) {
	_, heads := b.Scores.Dims()
	names := b.Heads
	if len(names) != heads {
		names = nil
	}
	headName := func(h int) string {
		if names == nil {
			return fmt.Sprint(h)
		}
		return names[h]
	}
	broken := c.oddScores(b.Scores, e, headName)
	var constant []int
	zero, varied := true, false
	for h := range heads {
		level, alike, seen := 0.0, true, 0
		for _, i := range e.rows {
			switch x := b.Scores.At(i, h); {
			case !finite(x):
			case seen == 0:
				level, seen = x, 1
			default:
				alike = alike && x == level
				seen++
			}
		}
		zero = zero && alike && level == 0 && seen > 0
		switch {
		case seen >= 2 && alike:
			constant = append(constant, h)
		case seen > 0 && !alike:
			varied = true
		}
	}
	switch {
	case zero && !broken:
		c.found(CodeZeroTable, nil, "offsets", float64(c.res.Rows), "every score is zero: the table was never filled, or never trained")
		return
	case len(constant) > 0 && !varied && !broken:
		c.found(CodeConstantTable, nil, "heads", float64(len(constant)), "all offsets have the same score, in every head: softmax takes it away, so that the model can't tell them apart")
		return
	case varied:
		for _, h := range constant {
			score := 0.0
			for _, i := range e.rows {
				if x := b.Scores.At(i, h); finite(x) {
					score = x
				}
			}
			c.found(CodeConstantHead, nil, "score", score, "head %s has the same score, %.3g, at every offset: softmax takes it away, so that the head has no bias", headName(h), score).Head = headName(h)
		}
	}
	random := c.randomScores(b, e)
	c.buckets(b, e, random)
}

// oddScores tells scores that are not finite, and whether any is none that a mask
// would be.
func (c *checking) oddScores(t *mat.Dense, e *entries, headName func(int) string) (broken bool) {
	_, heads := t.Dims()
	var odd, masked []int
	bad, mask := 0, 0
	whole, broke := make([]bool, heads), make([]bool, heads) // heads with a finite score, and with a broken one
	for k, i := range e.rows {
		is, isMask := false, false
		for h := range heads {
			switch x := t.At(i, h); {
			case finite(x):
				whole[h] = true
			case math.IsInf(x, -1):
				isMask = true
				mask++
			default:
				is, broke[h] = true, true
				bad++
			}
		}
		if is {
			odd = append(odd, k)
		}
		if isMask {
			masked = append(masked, k)
		}
	}
	if len(odd) > 0 {
		c.found(CodeNonFinite, odd, "values", float64(bad), "%s %s NaN or +Inf (%d of %d scores): attention that meets it is NaN", c.words(odd), plural(len(odd), "holds", "hold"), bad, len(odd)*heads)
	}
	for h, ok := range whole {
		if !ok && !broke[h] {
			c.found(CodeNonFinite, nil, "scores", float64(len(e.rows)), "head %s has no finite score: its attention is NaN", headName(h)).Head = headName(h)
			broken = true
		}
	}
	if len(masked) > 0 {
		c.found(CodeMasked, masked, "values", float64(mask), "%s %s scores of -Inf (%d of %d): a mask, so that nothing is attended to there", c.words(masked), plural(len(masked), "holds", "hold"), mask, len(masked)*heads)
	}
	return broken || bad > 0
}

// randomScores tells scores of which neighbours are no more alike than others. The
// second neighbour of a grid's is the one along the other axis.
func (c *checking) randomScores(b *posemb.Bias, e *entries) bool {
	n, heads := b.Scores.Dims()
	steps := []int{1}
	if len(b.Axes) == 2 {
		steps = append(steps, b.Axes[1].Len())
	}
	seen := map[[2]int]bool{}
	var pairs [][2]int
	for i := range n {
		for _, step := range steps {
			j := i + step
			if j >= n || step == 1 && len(steps) == 2 && j%steps[1] == 0 {
				continue
			}
			p := [2]int{min(e.of[i], e.of[j]), max(e.of[i], e.of[j])}
			if p[0] != p[1] && !seen[p] {
				seen[p] = true
				pairs = append(pairs, p)
			}
		}
	}
	sum, count := 0.0, 0
	for h := range heads {
		var x []float64
		for _, i := range e.rows {
			if v := b.Scores.At(i, h); finite(v) {
				x = append(x, v)
			}
		}
		sp := spreadOf(x)
		if !(sp.std > flat*math.Max(math.Abs(sp.min), math.Abs(sp.max))) {
			continue // a constant head
		}
		for _, p := range pairs {
			a, b := b.Scores.At(e.rows[p[0]], h), b.Scores.At(e.rows[p[1]], h)
			if finite(a) && finite(b) {
				sum += (a - sp.mean) / sp.std * ((b - sp.mean) / sp.std)
				count++
			}
		}
	}
	if count < leastScorePairs {
		c.skip(fmt.Sprintf("%d %s too few: it takes %d", count, plural(count, "pair of neighbouring scores is", "pairs of neighbouring scores are"), leastScorePairs), CodeInitialScores)
		return false
	}
	correlation := sum / float64(count)
	if math.Abs(correlation)*math.Sqrt(float64(count)) >= scoreSigmas {
		return false
	}
	c.found(CodeInitialScores, nil, "neighbour_correlation", correlation, "the scores of neighbouring offsets are no more alike than random ones (their correlation is %.2g over %d pairs): the table looks as it was initialised", correlation, count)
	return true
}

// buckets holds the stored rows that no offset uses, which keep the size of the
// initial values, against the used ones.
func (c *checking) buckets(b *posemb.Bias, e *entries, random bool) {
	codes := []string{CodeTrainedUnused, CodeUntrainedBuckets}
	_, heads := b.Scores.Dims()
	switch {
	case len(b.Unused) == 0:
		return // there is nothing to ask
	case b.Aside == nil || e.entry == nil:
		c.skip("the scores of the unused buckets are not known", codes...)
		return
	case heads < leastHeads:
		c.skip(fmt.Sprintf("%d %s too few to tell a size from: it takes %d", heads, plural(heads, "head is", "heads are"), leastHeads), codes...)
		return
	case random:
		c.skip("the scores look random as a whole", codes...)
		return
	}
	if rows, width := b.Aside.Dims(); rows != len(b.Unused) || width != heads {
		return
	}
	size := func(row []float64) float64 {
		m := magnitude(row)
		if m == 0 || !finite(m) {
			return m
		}
		return normOf(row, m) / math.Sqrt(float64(heads))
	}
	used := make([]float64, len(e.rows))
	var sizes []float64
	for k, i := range e.rows {
		used[k] = size(b.Scores.RawRowView(i))
		if finite(used[k]) {
			sizes = append(sizes, used[k])
		}
	}
	if len(sizes) == 0 {
		return
	}
	median := spreadOf(sizes).median
	largest := 0.0
	names := c.rowNames
	for k, bucket := range b.Unused {
		s := size(b.Aside.RawRowView(k))
		if !finite(s) {
			continue
		}
		largest = max(largest, s)
		if s >= trainedShare*median && s > 0 {
			c.rowNames = rowNames{names.unit, func(int) int { return bucket }, nil}
			c.found(CodeTrainedUnused, []int{0}, "size_ratio", s/median, "%s %d is used by no offset, yet its scores are %.2g times the size of the used ones: the rule that the table is read by may not be the model's", names.unit, bucket, s/median)
		}
	}
	c.rowNames = names
	if largest == 0 || median < trainedTimes*largest {
		return
	}
	var small []int
	for k, s := range used {
		if s <= untrainedTimes*largest {
			small = append(small, k)
		}
	}
	if len(small) > 0 {
		slices.Sort(small)
		c.found(CodeUntrainedBuckets, small, "size", largest, "%s %s no larger than what no offset uses (%.2g; the used ones have a median of %.2g): training may not have met these offsets", c.words(small), plural(len(small), "is", "are"), largest, median)
	}
}
