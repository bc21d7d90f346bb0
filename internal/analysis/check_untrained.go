package analysis

import (
	"math"
	"slices"
)

// The thresholds of rows that training did not reach; Checks tells why.
const (
	leastUntrained = 4
	leastRun       = 16 // rows of a run that is looked at by itself, where the rows at the floor together are no random ones
	normSpread     = 5  // standard deviations of the norm of a random row
)

// trained tells whether the rows that are not at the floor are related to their
// neighbours, half of them at least.
func (f *floorRows) trained(rest []int) bool {
	var of []float64
	for _, i := range rest {
		if f.pairs[i] > 0 {
			of = append(of, f.neighbour[i]*math.Sqrt(float64(f.D*f.pairs[i])))
		}
	}
	return len(of) >= leastUntrained && spreadOf(of).median > neighbourSigmas
}

// related tells whether some rows at the floor have a cosine with their neighbours that
// random ones have not. Together they show what one of them can't: rows that are
// half trained, of which chance puts some runs beneath any level.
func (f *floorRows) related(low []int) bool {
	sum, pairs := 0.0, 0
	for _, i := range low {
		if f.pairs[i] > 0 {
			sum += f.neighbour[i] * float64(f.pairs[i])
			pairs += f.pairs[i]
		}
	}
	// A pair of two of them is in the sum twice: half as many are independent, at worst.
	return math.Abs(sum)*math.Sqrt(float64(f.D)) >= neighbourSigmas*math.Sqrt(2*float64(pairs))
}

// groupsOf are the runs of so many rows or more, and where few make a run all others
// together.
func groupsOf(rows []int, least int) [][]int {
	var groups [][]int
	var others []int
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to] == rows[to-1]+1 {
			to++
		}
		if to-from >= least {
			groups = append(groups, rows[from:to])
		} else {
			others = append(others, rows[from:to]...)
		}
		from = to
	}
	if least == leastUntrained && len(others) >= least {
		groups = append(groups, others)
	}
	return groups
}

// without are the rows but for some.
func without(rows, some []int) []int {
	var left []int
	for _, i := range rows {
		if _, found := slices.BinarySearch(some, i); !found {
			left = append(left, i)
		}
	}
	return left
}

// untrained tells those of a group at the floor that look as they were initialised,
// and gives them.
func (c *checking) untrained(f *floorRows, group, rest []int) []int {
	var norms []float64
	for _, i := range group {
		norms = append(norms, f.length(c, i))
	}
	median := spreadOf(norms).median
	var rows []int
	for _, i := range group {
		if math.Abs(f.length(c, i)-median) < normSpread*median/math.Sqrt(2*float64(f.D)) {
			rows = append(rows, i)
		}
	}
	if len(rows) < leastUntrained {
		return nil
	}
	if f.related(rows) {
		return nil
	}
	most := 0.0
	for _, i := range rows {
		most = max(most, f.largest[i])
	}
	var others []float64
	for _, i := range rest {
		if f.pairs[i] > 0 {
			others = append(others, f.neighbour[i])
		}
	}
	sigma := median / math.Sqrt(float64(f.D))
	c.found(CodeUntrained, rows, "sigma", sigma, "%s %s initialised: cosines of at most %.2f with any other row, as random rows of %d components have (the other rows have %.2f with their neighbours), and lengths of %.3g sqrt(%d); no training example reached there",
		c.words(rows), plural(len(rows), "is as it was", "are as they were"), most, f.D, spreadOf(others).median, sigma, f.D)
	return rows
}

// length is that of row i.
func (f *floorRows) length(c *checking, i int) float64 {
	row := c.t.Table.RawRowView(i)
	return normOf(row, magnitude(row))
}
