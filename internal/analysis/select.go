package analysis

import "slices"

// arrange puts the values of the given ranks, which rise, where sorting x would
// put them, smaller ones before and larger ones behind: for a few ranks in O(n)
// time. x holds no NaN and is the part of a sample that begins at the rank first.
//
// C. A. R. Hoare, Algorithm 65: Find, Communications of the ACM 4 (1961); with
// a third part in the middle, so that equal values cost nothing.
func arrange(x []float64, first int, ranks []int) {
	const few = 32
	for tries := 64; len(ranks) > 0; tries-- { // each leaves two thirds or so
		if len(x) <= few || tries == 0 {
			slices.Sort(x)
			return
		}
		below, above := partition(x, pivot(x))
		left, _ := slices.BinarySearch(ranks, first+below)
		right, _ := slices.BinarySearch(ranks, first+above)
		arrange(x[:below], first, ranks[:left])
		x, ranks, first = x[above:], ranks[right:], first+above
	}
}

// pivot is the median of three medians of three, spread over x.
func pivot(x []float64) float64 {
	n := len(x)
	median := func(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
	three := func(i int) float64 { return median(x[i], x[i+n/12], x[i+n/6]) }
	return median(three(n/12), three(5*n/12), three(3*n/4))
}

// partition moves the values below p to the front and those above it to the end,
// and gives where those equal to p begin and end.
func partition(x []float64, p float64) (below, above int) {
	i, above := 0, len(x)
	for i < above {
		switch v := x[i]; {
		case v < p:
			x[i] = x[below]
			x[below] = v
			below++
			i++
		case v > p:
			above--
			x[i] = x[above]
			x[above] = v
		default:
			i++
		}
	}
	return below, above
}
