package analysis

import (
	"fmt"
	"math"
	"slices"
)

// What makes a row stand out by its norm: among how many rows on either side, by how
// many robust standard deviations of ln |p|, and by which ratio at least; and the
// fewest rows that this is asked of.
const (
	normReach  = 16
	normSigmas = 6
	normRatio  = 1.1
	leastNorms = 8
	leastSide  = 4 // rows on a side that make a level
)

// norms looks for rows whose length stands out of those around.
func (c *checking) norms(left []int) {
	if !c.wants(CodeNorms) {
		return
	}
	if len(left) < leastNorms {
		c.skip(fmt.Sprintf("%d %s too few: it takes %d", len(left), plural(len(left), "row to compare is", "rows to compare are"), leastNorms), CodeNorms)
		return
	}
	logs := make([]float64, len(left))
	for k, i := range left {
		row := c.t.Table.RawRowView(i)
		logs[k] = logNorm(row, magnitude(row))
	}
	off := make([]float64, len(left))
	var size []float64
	for k := range left {
		off[k] = standsOut(logs, k)
		if off[k] != 0 { // copies of one row would make the usual distance 0
			size = append(size, math.Abs(off[k]))
		}
	}
	least := math.Log(normRatio)
	if len(size) > 0 {
		least = max(least, normSigmas*1.4826*spreadOf(size).median)
	}
	var out []int
	farthest := 0
	for k, i := range left {
		if math.Abs(off[k]) > least {
			if len(out) == 0 || math.Abs(off[k]) > math.Abs(off[farthest]) {
				farthest = k
			}
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		return
	}
	ratio := math.Exp(off[farthest])
	most := ""
	if len(out) > 1 {
		most = ", most of all " + c.words([]int{left[farthest]})
	}
	c.found(CodeNorms, out, "norm_ratio", ratio, "%s %s out by length%s: %.2f times the median of those around", c.words(out), plural(len(out), "stands", "stand"), most, ratio)
}

// standsOut is how far a value is off the median of those before and of those after,
// whichever is nearer, so that a row beside a step between two levels is on one of them.
func standsOut(logs []float64, k int) float64 {
	nearest := math.NaN()
	for _, side := range [][]float64{logs[max(0, k-normReach):k], logs[k+1 : min(len(logs), k+1+normReach)]} {
		if len(side) < leastSide {
			continue
		}
		if off := logs[k] - spreadOf(slices.Clone(side)).median; !(math.Abs(off) >= math.Abs(nearest)) {
			nearest = off
		}
	}
	return nearest
}
