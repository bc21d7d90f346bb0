package figure

import "math"

// leastNarrow is the least share of the whole that a scale is narrowed to: 0.0001 for
// cosines. What differs by less, such as the cosines of equal vectors, differs by little
// more than products in single precision are good to: colours would show rounding as if
// it were structure.
const leastNarrow = 5e-5

// Narrow gives the ends of the scale of values that may lie anywhere from lo to hi, and
// lie from least to most. They are lo and hi, so that figures of different tables have
// one scale, unless the values fill less than half of that: then the colours would tell
// them apart badly, and the scale is theirs, its ends moved outward to where the colour
// bar has ticks. Values that are all alike have no scale of their own and keep the
// whole, which shows where in it they are.
func Narrow(lo, hi, least, most float64) (from, to float64, narrowed bool) {
	const steps = barTicks - 1
	span := most - least
	if !(span >= leastNarrow*(hi-lo) && span < (hi-lo)/2) {
		return lo, hi, false
	}
	rounding := 1e-9 * span // of every step alike: 1 + 1e-16 ends at 1
	first := int(math.Floor(math.Log10(span))) - 1
	for i := 0; ; i++ { // 0.01, 0.02, 0.05, 0.1 ... of a span of 0.1 to 1
		perStep := math.Pow(10, float64(-first-i/3)) / []float64{1, 2, 5}[i%3]
		a, b := math.Floor((least+rounding)*perStep), math.Ceil((most-rounding)*perStep)
		if b-a <= steps {
			return max(lo, a/perStep) + 0, min(hi, b/perStep) + 0, true // no -0
		}
	}
}
