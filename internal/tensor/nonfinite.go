package tensor

import "sync/atomic"

// NonFinite counts the NaN and infinite values of data, on all cores when there
// are many.
func NonFinite(data []float64) int {
	var sum atomic.Int64
	share(len(data), 1, func(from, to int) {
		sum.Add(int64(nonFinite(data[from:to])))
	})
	return int(sum.Load())
}

// nonFinite is NonFinite on one core. v - v is 0 for a finite number and NaN for
// the others, so four together are asked once, and again one by one where that
// has to be.
func nonFinite(data []float64) int {
	n := 0
	for ; len(data) >= 4; data = data[4:] {
		a, b, c, d := data[0], data[1], data[2], data[3]
		if (a-a)+(b-b)+(c-c)+(d-d) != 0 {
			n += oneByOne(data[:4])
		}
	}
	return n + oneByOne(data)
}

// oneByOne is nonFinite of a few.
func oneByOne(data []float64) int {
	n := 0
	for _, v := range data {
		if v-v != 0 {
			n++
		}
	}
	return n
}
