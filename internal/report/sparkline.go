package report

import (
	"math"
	"strings"
)

// Sparkline draws values as a line of block characters, the least as ▁ and the
// greatest as █. NaN is a space; infinities do not count for the scale.
func Sparkline(values []float64) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	var b strings.Builder
	for _, v := range values {
		level := len(blocks)/2 - 1 // all the same: a flat line in the middle
		switch {
		case math.IsNaN(v):
			b.WriteByte(' ')
			continue
		case math.IsInf(v, 1):
			level = len(blocks) - 1
		case math.IsInf(v, -1):
			level = 0
		case low < high:
			at := (v/2 - low/2) / (high/2 - low/2) // halves: the difference may overflow
			level = max(0, min(int(at*float64(len(blocks))), len(blocks)-1))
		}
		b.WriteRune(blocks[level])
	}
	return b.String()
}
