package analysis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// What makes rows that recur copies that were trained on; Checks tells why.
const (
	leastPeriod   = 16     // shorter ones are waves of the components
	leastCopies   = 32     // pairs of rows a period apart
	nearShare     = 0.5    // of the way from the usual cosine to 1
	copySigmas    = 8      // of the mean cosine of random rows
	flatShare     = 1.15   // of what one copy that has moved would take
	firstShare    = 0.8    // of the share of a period, for that of a part of it
	littleRelated = 0.25   // of the variance of cosines, for the square of their mean
	mostAcross    = 2. / 3 // of the cosines within a copy, for those across a seam
	cosineRounds  = 1e-9   // what rounding takes off a mean cosine at most
)

// recurrence is a distance at which rows are alike.
type recurrence struct {
	period int
	cosine float64 // mean at that distance
	usual  float64 // median of the mean cosines at all distances
}

// share is how far a cosine is on the way from the usual one to 1.
func (r recurrence) share(cosine float64) float64 { return (cosine - r.usual) / (1 - r.usual) }

// nearCopies looks for a table that was extended by tiling and then trained.
func (c *checking) nearCopies(ctx context.Context, r *rows) error {
	if !c.wants(CodeNearCopies) || c.relative() || c.grid.Cols > 0 || c.repeated {
		return nil
	}
	if least := leastPeriod + leastCopies; r.N < least {
		c.skip(fmt.Sprintf("%d rows are too few: it takes %d", r.N, least), CodeNearCopies)
		return nil
	}
	a, err := r.autocorrelate(ctx)
	if err != nil {
		return err
	}
	found, ok := recurrenceOf(a, r.D)
	if !ok || !found.seamed(r) {
		return nil
	}
	rows, mean := found.copies(r)
	if len(rows) == 0 {
		return nil
	}
	T, or := found.period, ""
	if r.N%T == 0 {
		or = fmt.Sprintf(" (or is a grid of %d columns, read as a line: --grid)", T)
	}
	c.found(CodeNearCopies, rows, "mean_cosine", mean, "%s are near copies of the rows %d before them: their cosine is %.3f in the mean, and %.2f is usual; the table was extended by tiling its first %d rows and trained after that%s, and the model hardly tells these positions apart",
		c.words(rows), T, mean, found.usual, T, or).Pairs = c.pairs(rows, func(i int) int { return i - T })
	return nil
}

// recurrenceOf finds the distance behind the first neighbours at which rows are alike,
// which is no wave and no fall with distance.
func recurrenceOf(a *autocorrelation, d int) (r recurrence, ok bool) {
	n := len(a.mean) - leastCopies // distances 1 <= k <= n have pairs enough
	var known []float64
	for k := 1; k <= n; k++ {
		if a.pairs[k] > 0 {
			known = append(known, a.mean[k])
		}
	}
	if len(known) == 0 {
		return r, false
	}
	r.usual = spreadOf(known).median
	if 1-r.usual < cosineRounds {
		return r, false
	}
	high := func(k int) bool { return r.share(a.mean[k]) >= nearShare } // of NaN it is false
	k := 1
	for k <= n && high(k) { // neighbours
		k++
	}
	highest := math.Inf(-1)
	for k <= n {
		if !high(k) {
			k++
			continue
		}
		peak := k
		for ; k <= n && high(k); k++ {
			if a.mean[k] > a.mean[peak] {
				peak = k
			}
		}
		if a.mean[peak] <= highest {
			continue
		}
		highest = a.mean[peak]
		r.period, r.cosine = peak, highest
		if r.first(a) && r.flat(a) && r.share(r.cosine)*math.Sqrt(float64(d)*float64(a.pairs[peak])) >= copySigmas {
			return r, peak >= leastPeriod
		}
	}
	return r, false
}

// first tells that the distance is no multiple of one that has much of its share, just
// beneath what counts.
func (r recurrence) first(a *autocorrelation) bool {
	for j := 2; r.period/j >= leastPeriod; j++ {
		if r.period%j == 0 && r.share(a.mean[r.period/j]) >= firstShare*r.share(r.cosine) {
			return false
		}
	}
	return true
}

// flat tells whether rows several periods apart are as alike as those one apart. Down
// the columns of a grid, or along a wave, they become less so. Where one copy alone has
// moved, the first or the last, what is missing to a cosine of 1 is more at m periods
// than at one, by no more than the pairs are fewer.
func (r recurrence) flat(a *autocorrelation) bool {
	n := len(a.mean) - leastCopies
	sum, pairs := 0.0, 0
	for k := r.period; k <= n; k += r.period {
		if a.pairs[k] == 0 {
			continue
		}
		sum += float64(a.pairs[k]) * a.mean[k]
		pairs += a.pairs[k]
		most := flatShare * float64(a.pairs[r.period]) / float64(a.pairs[k])
		if k <= max(n/2, 2*r.period) && 1-a.mean[k] > most*(1-r.cosine)+cosineRounds {
			return false
		}
	}
	return r.share(sum/float64(pairs)) >= nearShare
}

// seamed tells a table that begins anew every period from one whose rows recur as waves
// do, which have no seam: rows on either side of one are as alike as others of their
// distance. Over the distances k below leastPeriod, s(k) being the share of the mean
// cosine within a copy and t(k) that across a seam,
//
//	sum of s(k) t(k) / sum of s(k)^2
//
// is 1 of waves and 0 of copies. Where s(k)^2 is little beside the variance of single
// cosines, rows are related to none but their copies, and no waves either.
func (r recurrence) seamed(t *rows) bool {
	across, within, variance := 0.0, 0.0, 0.0
	for k := 1; k < leastPeriod; k++ {
		var seam, inside []float64
		for i := range t.N - k {
			switch {
			case !t.defined(i) || !t.defined(i+k):
			case i/r.period != (i+k)/r.period:
				seam = append(seam, r.share(t.cosine(i, i+k)))
			default:
				inside = append(inside, r.share(t.cosine(i, i+k)))
			}
		}
		if len(seam) == 0 || len(inside) < 2 {
			continue
		}
		mean, of := stat.PopMeanVariance(inside, nil)
		within += mean * mean
		across += mean * stat.Mean(seam, nil)
		variance += of
	}
	return within < littleRelated*variance || across < mostAcross*within
}

// copies are the rows that are near the ones a period before them, and their mean
// cosine with these: all from the seam on, or but for stretches that are not.
func (r recurrence) copies(t *rows) (rows []int, mean float64) {
	var cosines []float64
	var of []int
	for i := r.period; i < t.N; i++ {
		if t.defined(i) && t.defined(i-r.period) {
			cosines = append(cosines, t.cosine(i, i-r.period))
			of = append(of, i)
		}
	}
	edges := edgesOf(0, shiftsOf(cosines), len(cosines))
	sum, count := 0.0, 0
	for k, from := range edges[:len(edges)-1] {
		segment := cosines[from:edges[k+1]]
		if len(segment) == 0 || r.share(stat.Mean(segment, nil)) < nearShare {
			continue
		}
		for i := range segment {
			rows = append(rows, of[from+i])
			sum += segment[i]
		}
		count += len(segment)
	}
	return rows, sum / float64(max(1, count))
}
