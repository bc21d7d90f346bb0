package report

import "math"

// Spark is a small curve as a cell of a table in text: its values from first to last,
// as bars between two ends of a scale.
type Spark struct {
	Values      []float64 // NaN is a gap; what is beyond the ends, infinities too, stands at them
	Least, Most float64   // the ends of the scale; where they are equal, bars are of half the height
}

// mostBars is how many values a Spark shows; of more, each bar is the mean of a block
// of them. Where a line has no room it shows fewer, down to leastBars. All are odd, so
// that what is in the middle has a bar of its own.
const mostBars, leastBars = 13, 5

// Sparks gives curves one scale, between the least and the most of all their finite
// values.
func Sparks(curves ...[]float64) []Spark {
	least, most := math.Inf(1), math.Inf(-1)
	for _, values := range curves {
		for _, v := range values {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if least > most {
		least, most = 0, 0
	}
	sparks := make([]Spark, len(curves))
	for i, values := range curves {
		sparks[i] = Spark{values, least, most}
	}
	return sparks
}

// draw writes the curve in so many letters at most, of levels from low to high.
func (s Spark) draw(levels []rune, most int) string {
	n := len(s.Values)
	columns := min(most, n)
	edge := func(i int) int { return (2*i*n + columns) / (2 * columns) } // rounded: as far from the one end as from the other
	line := make([]rune, columns)
	for i := range line {
		line[i] = s.letter(mean(s.Values[edge(i):edge(i+1)]), levels)
	}
	return string(line)
}

// letter is a value's.
func (s Spark) letter(v float64, levels []rune) rune {
	n := len(levels)
	switch {
	case math.IsNaN(v):
		return ' '
	case s.Most <= s.Least:
		return levels[(n-1)/2]
	case v >= s.Most:
		return levels[n-1]
	case v <= s.Least:
		return levels[0]
	}
	return levels[min(n-1, int((v/2-s.Least/2)/(s.Most/2-s.Least/2)*float64(n)))]
}

// mean is that of the defined values; NaN where there are none.
func mean(values []float64) float64 {
	n := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			n++
		}
	}
	m := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			m += v / n // no sum that overflows
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return m
}
