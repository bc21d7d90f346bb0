package analysis

import (
	"math"
)

// The thresholds of a table that is all random; Checks tells why.
const (
	leastInitial   = 8
	lowShare       = 0.95
	initialSigmas  = 3 // of the mean cosine of neighbours
	spreadSigmas   = 4 // of estimates of spread
	offsideSigmas  = 6 // of the mean cosine of all pairs, whose tail is heavier
	normTolerance  = 1.1
	normalKurtosis = 3
)

// initial tells a table that looks as it was initialised: in no figure does it differ
// from independent random numbers.
func (c *checking) initial(f *floorRows, left, low []int) bool {
	n := len(left)
	if n < leastInitial || float64(len(low)) < lowShare*float64(n) {
		return false
	}
	sum, pairs := 0.0, 0
	for _, i := range left {
		for _, j := range c.neighbours(i) {
			if j > i && f.defined(j) {
				sum += f.cosine(i, j)
				pairs++
			}
		}
	}
	d := float64(f.D)
	if pairs == 0 || math.Abs(sum)*math.Sqrt(d/float64(pairs)) >= initialSigmas {
		return false
	}
	f.count = n
	if math.Abs(f.offdiagonal())*math.Sqrt(d*float64(n)*float64(n-1)/2) >= offsideSigmas {
		return false
	}
	mean, spread, kurtosis, sigma := f.moments(c, left)
	if kurtosis > normalKurtosis+spreadSigmas*math.Sqrt(24/(float64(n)*d)) {
		return false
	}
	// The squares of independent values of kurtosis k vary by k-1, so that the norm
	// spreads by sqrt((k-1) / (4 d)) of itself.
	if spread/mean > normTolerance*math.Sqrt((kurtosis-1)/(4*d))*(1+spreadSigmas/math.Sqrt(2*float64(n))) {
		return false
	}
	c.found(CodeInitialTable, nil, "mean_neighbour_cosine", sum/float64(pairs),
		"the table is as random numbers of standard deviation %.3g are: no row has a cosine that random rows don't have, neighbours no more than others (their mean is %.2g), and all lengths are alike; it looks as it was initialised", sigma, sum/float64(pairs))
	return true
}

// moments are the mean and the spread of the rows' lengths, the kurtosis of all values
// about 0, and their root mean square.
func (f *floorRows) moments(c *checking, rows []int) (mean, spread, kurtosis, sigma float64) {
	norms := make([]float64, len(rows))
	largest := 0.0
	for k, i := range rows {
		norms[k] = f.length(c, i)
		largest = max(largest, magnitude(c.t.Table.RawRowView(i)))
	}
	var two, four float64
	for _, i := range rows {
		for _, x := range c.t.Table.RawRowView(i) {
			x /= largest
			two += x * x
			four += float64(x*x) * (x * x)
		}
	}
	count := float64(len(rows) * f.D)
	sp := spreadOf(norms)
	return sp.mean, sp.std, four / count / (two / count) / (two / count), largest * math.Sqrt(two/count)
}
