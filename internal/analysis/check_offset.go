package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// The thresholds of what all rows share, or not at all; Checks tells why.
const (
	leastCommon  = 0.9 // of the table's energy, in the mean row
	leastLengths = 100 // the ratio of the 95 % quantile of the norms to that of 5 %
	leastTable   = 16  // rows
)

// common looks for one vector that is in every row, beside which they hardly differ.
func (c *checking) common(left []int) {
	if !c.wants(CodeCommonOffset) || !c.enough(left, CodeCommonOffset) {
		return
	}
	n, d := len(left), c.res.Width
	largest := 0.0
	for _, i := range left {
		largest = max(largest, magnitude(c.t.Table.RawRowView(i)))
	}
	mean, row, energy := make([]float64, d), make([]float64, d), 0.0
	for _, i := range left {
		copy(row, c.t.Table.RawRowView(i))
		for j := range row {
			row[j] /= largest
		}
		floats.Add(mean, row)
		energy += floats.Dot(row, row)
	}
	floats.Scale(1/float64(n), mean)
	share := min(1, floats.Dot(mean, mean)*float64(n)/energy)
	if share < leastCommon {
		return
	}
	c.found(CodeCommonOffset, nil, "mean_vector_energy_share", share, "all rows share one vector, which is %.3g %% of the table's energy: cosines show it more than what tells positions apart, and the checks of cosines see little (decay --center takes it away)", 100*share)
}

// lengths looks for norms of very different sizes.
func (c *checking) lengths(left []int) {
	if !c.wants(CodeNormRange) || !c.enough(left, CodeNormRange) {
		return
	}
	logs := make([]float64, len(left))
	for k, i := range left {
		row := c.t.Table.RawRowView(i)
		logs[k] = logNorm(row, magnitude(row))
	}
	sorted := slices.Sorted(slices.Values(logs))
	low := quantile(sorted, 0.05)
	ratio := min(math.MaxFloat64, math.Exp(quantile(sorted, 0.95)-low))
	if ratio < leastLengths {
		return
	}
	var short []int
	for k, i := range left {
		if logs[k]-low < math.Log(leastLengths)/2 {
			short = append(short, i)
		}
	}
	times := fmt.Sprintf("%.0f", ratio)
	if ratio >= 1e6 {
		times = fmt.Sprintf("%.2g", ratio)
	}
	c.found(CodeNormRange, short, "norm_ratio", ratio, "the lengths of rows differ by %s times (between the quantiles of 5 and 95 %%), and %s %s within ten times of the shortest: beside tokens of one length these positions count for little", times, c.words(short), plural(len(short), "is", "are"))
}

// enough tells whether there are rows enough to speak of all.
func (c *checking) enough(left []int, code string) bool {
	if len(left) < leastTable {
		c.skip(fmt.Sprintf("%d rows to compare are too few: it takes %d", len(left), leastTable), code)
		return false
	}
	return true
}
