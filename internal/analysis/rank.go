package analysis

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// spearman is the correlation of two samples' ranks, equal values sharing their mean
// rank; NaN where one is constant.
func spearman(x, y []float64) float64 {
	return stat.Correlation(ranks(x), ranks(y), nil)
}

// ranks are 0, 1, ... in rising order.
func ranks(x []float64) []float64 {
	sorted, order := append([]float64(nil), x...), make([]int, len(x))
	floats.Argsort(sorted, order)
	r := make([]float64, len(x))
	for from := 0; from < len(x); {
		to := from
		for to < len(x) && sorted[to] == sorted[from] {
			to++
		}
		for _, i := range order[from:to] {
			r[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return r
}

// kendall is Kendall's tau-b of the index and the value, NaN passed over:
//
//	(concordant - discordant) / sqrt(pairs * (pairs - pairs of equal values))
//
// in O(n log n) by counting inversions as they are sorted away. Undefined when all
// values are equal.
func kendall(y []float64) (tau float64, ok bool) {
	var v []float64
	for _, x := range y {
		if !math.IsNaN(x) {
			v = append(v, x)
		}
	}
	v = tied(v, cosineRounding)
	n := float64(len(v))
	sorted := slices.Clone(v)
	inversions := sortCounting(sorted, make([]float64, len(v)))
	ties, run := 0.0, 1.0
	for i := 1; i <= len(sorted); i++ {
		if i < len(sorted) && sorted[i] == sorted[i-1] {
			run++
			continue
		}
		ties += run * (run - 1) / 2
		run = 1
	}
	pairs := n * (n - 1) / 2
	if pairs-ties <= 0 {
		return math.NaN(), false
	}
	return (pairs - ties - 2*inversions) / math.Sqrt(pairs*(pairs-ties)), true
}

// tied gives the values of v with those equal that lie within the rounding of the next
// smaller one.
func tied(v []float64, rounding float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	equal := slices.Clone(v)
	for k := 1; k < len(order); k++ {
		if before, i := order[k-1], order[k]; v[i]-v[before] <= rounding {
			equal[i] = equal[before]
		}
	}
	return equal
}

// sortCounting sorts v by merging and counts its inversions: pairs i < j with
// v[i] > v[j].
func sortCounting(v, scratch []float64) (inversions float64) {
	if len(v) < 2 {
		return 0
	}
	half := len(v) / 2
	inversions = sortCounting(v[:half], scratch) + sortCounting(v[half:], scratch)
	merged := scratch[:0]
	i, j := 0, half
	for i < half || j < len(v) {
		if j == len(v) || i < half && v[i] <= v[j] {
			merged = append(merged, v[i])
			i++
			continue
		}
		inversions += float64(half - i)
		merged = append(merged, v[j])
		j++
	}
	copy(v, merged)
	return inversions
}
