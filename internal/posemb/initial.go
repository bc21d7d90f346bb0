package posemb

import (
	"fmt"
	"math"
	"strconv"
)

// What a table needs before its numbers may be called random, and the first rows
// that are looked at alone, since a trained table shows itself there.
const (
	initialRows    = 8
	initialNumbers = 512
	initialGlance  = 64
	farthestLag    = 8
)

// noteInitial notes a table of positions whose rows look as before training.
func noteInitial(a *Absolute) {
	n, _ := a.Table.Dims()
	var lags []int
	if a.Grid.Cols > farthestLag { // the cell below
		lags = []int{a.Grid.Cols}
	}
	if std, ok := looksInitial(rowsOf(n, a.Table.RawRowView), lags); ok {
		a.Notes = append(a.Notes, initialNote(std))
	}
}

// noteInitialOffsets notes vectors or a bias whose stored rows look so. Buckets that
// serve several offsets count once.
func (r *reading) noteInitialOffsets(t Table) {
	var view func(i int) []float64
	n := 0
	switch t := t.(type) {
	case *Vectors:
		n, _ = t.Table.Dims()
		view = t.Table.RawRowView
	case *Bias:
		n, _ = t.Scores.Dims()
		view = t.Scores.RawRowView
	}
	stored := t.Storage()
	if n == 0 || len(stored) != 1 || stored[0].Axis != WholeTable || len(stored[0].At) != n {
		return
	}
	var rows [][]float64
	seen := map[int]bool{}
	for i, at := range stored[0].At {
		if !seen[at] {
			seen[at] = true
			rows = append(rows, view(i))
		}
	}
	std, ok := looksInitial(rows, nil)
	if !ok {
		return
	}
	switch t := t.(type) {
	case *Vectors:
		t.Notes = append(t.Notes, initialNote(std))
	case *Bias:
		t.Notes = append(t.Notes, initialNote(std))
	}
}

// initialNote is what such a table is said to be.
func initialNote(std float64) string {
	return fmt.Sprintf("the rows look like independent random numbers of standard deviation %s: no row shows training", strconv.FormatFloat(std, 'g', 2, 64))
}

// rowsOf are n rows of a matrix, without a copy.
func rowsOf(n int, view func(i int) []float64) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = view(i)
	}
	return rows
}

// looksInitial says whether rows look like independent numbers of one distribution
// around 0, normal, cut normal or uniform, and of which standard deviation. It means
// to be wrong about a trained table hardly ever, and about a random one at most three
// times in a hundred: with the deviation s of all n x d numbers and their fourth
// moment k s^4,
//
//   - k is that of a light-tailed distribution, from 1.8 (uniform) to 3 (normal)
//   - the squared lengths of rows vary as those of d independent numbers do, s^4 d (k-1),
//     and none is 6 deviations off; those of columns likewise, n for d
//   - the mean row is as short as the mean of n independent rows
//   - the products of rows at distances 1..8, and at those of lags, have the mean 0,
//     and so have the products of what their lengths are off
//
// each within 3.5 or 5 standard errors. The first rows are looked at alone before.
func looksInitial(rows [][]float64, lags []int) (std float64, ok bool) {
	n := len(rows)
	if n < initialRows || len(rows[0])*n < initialNumbers {
		return 0, false
	}
	for lag := 1; lag <= farthestLag; lag++ {
		lags = append(lags, lag)
	}
	if first := rows[:min(n, initialGlance)]; n > 2*initialGlance && !independent(first, lags) {
		return 0, false
	}
	if !independent(rows, lags) {
		return 0, false
	}
	variance, _ := moments(rows)
	return math.Sqrt(variance), true
}

// moments are the mean square of all numbers, and their fourth moment over its square.
func moments(rows [][]float64) (variance, kurtosis float64) {
	second, fourth := 0.0, 0.0
	for _, row := range rows {
		for _, v := range row {
			second += v * v
			fourth += v * v * v * v
		}
	}
	all := float64(len(rows) * len(rows[0]))
	variance = second / all
	return variance, fourth / all / (variance * variance)
}

// independent makes the tests of looksInitial. Comparisons are written so that one
// with NaN fails.
func independent(rows [][]float64, lags []int) bool {
	variance, kurtosis := moments(rows)
	n, d := len(rows), len(rows[0])
	all := float64(n * d)
	if !(variance > 0 && !math.IsInf(variance, 0) && kurtosis > 1.75-5*math.Sqrt(1/all) && kurtosis < 3+5*math.Sqrt(24/all)) {
		return false
	}
	lengths, widths, sum := make([]float64, n), make([]float64, d), make([]float64, d)
	for i, row := range rows {
		for j, v := range row {
			lengths[i] += v * v / variance
			widths[j] += v * v / variance
			sum[j] += v
		}
	}
	mean := 0.0
	for _, v := range sum {
		mean += v * v / variance / float64(n)
	}
	if !sumsOfSquares(lengths, d, kurtosis) || !sumsOfSquares(widths, n, kurtosis) || !(chiSquare(mean, d) < 5) {
		return false
	}
	sizes := make([]float64, n)
	for i, v := range lengths {
		sizes[i] = chiSquare(v, d)
	}
	return unlinked(n, lags, func(lag int) float64 {
		dot := 0.0
		for i := range n - lag {
			next := rows[i+lag]
			for j, v := range rows[i] {
				dot += v * next[j] / variance
			}
		}
		return dot / math.Sqrt(float64((n-lag)*d))
	}) && unlinked(n, lags, func(lag int) float64 {
		dot := 0.0
		for i := range n - lag {
			dot += sizes[i] * sizes[i+lag]
		}
		return dot / math.Sqrt(float64(n-lag))
	})
}

// unlinked says whether rows at some distances have nothing to do with each other: of
// a number for each distance, which is nearly normal then, none is far from 0, nor are
// all together.
func unlinked(n int, lags []int, link func(lag int) float64) bool {
	sum, used := 0.0, 0
	for _, lag := range lags {
		if n-lag < initialRows {
			continue
		}
		z := link(lag)
		if !(math.Abs(z) < 3.5) {
			return false
		}
		sum += z
		used++
	}
	return used == 0 || math.Abs(sum) < 3.5*math.Sqrt(float64(used))
}

// sumsOfSquares says whether some sums, each of m squares of independent numbers with
// variance 1 and this fourth moment, vary as they should, and none is too far off.
func sumsOfSquares(sums []float64, m int, fourth float64) bool {
	if len(sums) < 2 {
		return true
	}
	want := float64(m) * (fourth - 1)
	spread := 0.0
	for _, s := range sums {
		if !(math.Abs(chiSquare(s, m)) < 6) {
			return false
		}
		spread += (s - float64(m)) * (s - float64(m))
	}
	k := float64(len(sums))
	spread /= k
	// The fourth moment of a sum is at most that of chi-square: 3 + 12/m.
	return math.Abs(spread-want) < 5*want*math.Sqrt((2+12/float64(m))/k)
}

// chiSquare is how many deviations a chi-square number with m degrees of freedom is
// off, by the cube root that makes it nearly normal. Source: Wilson and Hilferty
// 1931, The Distribution of Chi-square.
func chiSquare(x float64, m int) float64 {
	s := 2 / (9 * float64(m))
	return (math.Cbrt(x/float64(m)) - (1 - s)) / math.Sqrt(s)
}
