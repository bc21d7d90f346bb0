package figure

import (
	"math"
	"strconv"
	"strings"
)

// tick is a place on a scale and what stands there.
type tick struct {
	at    float64
	label string
}

func labels(ticks []tick) []string {
	s := make([]string, len(ticks))
	for i, t := range ticks {
		s[i] = t.label
	}
	return s
}

// huge bounds every number that is drawn, so that no difference of two
// overflows, nor a range that is many times as long; a value beyond it is a gap.
// tiny is the least range of a scale, so that none of its parts vanishes.
const huge, tiny = 1e306, 1e-290

// span is a range that grows with its values. The zero span is empty.
type span struct {
	lo, hi float64
	some   bool
}

// add takes in v, unless it is undefined or infinite.
func (s *span) add(v float64) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
	case !s.some:
		v = max(-huge, min(huge, v))
		*s = span{v, v, true}
	default:
		s.lo, s.hi = min(s.lo, max(-huge, v)), max(s.hi, min(huge, v))
	}
}

// wide is s with room for a scale: an empty range becomes 0 to 1, and one value,
// or values that differ by no more than rounding, get their surroundings.
func (s span) wide() span {
	if !s.some {
		return span{0, 1, true}
	}
	size := max(math.Abs(s.lo), math.Abs(s.hi))
	if s.hi-s.lo > 1e-9*size && size > tiny {
		return s
	}
	mid, half := s.lo/2+s.hi/2, size/2
	if size <= tiny {
		mid, half = 0, 1
	}
	return span{mid - half, mid + half, true}
}

// around is the range of the same reach on both sides of 0.
func (s span) around() span {
	m := max(math.Abs(s.lo), math.Abs(s.hi))
	return span{-m, m, s.some}
}

// padded is s with a share of its length added at both ends.
func (s span) padded(share float64) span {
	d := (s.hi - s.lo) * share
	return span{s.lo - d, s.hi + d, s.some}
}

// digits is how many digits tell numbers of the range apart well: 4, and more where its
// ends are much alike.
func (s span) digits() int {
	far := max(math.Abs(s.lo), math.Abs(s.hi)) / (s.hi - s.lo)
	if !(far > 10) || math.IsInf(far, 0) {
		return 4
	}
	return min(9, 4+int(math.Log10(far)))
}

// ticks gives about n round places within s, which is no shorter than wide makes
// it: more than n where fewer would leave a single one, at least one; whole numbers
// only if whole.
func (s span) ticks(n int, whole bool) []tick {
	n = max(n, 2)
	step := 0.0
	for i := 0; ; i++ {
		// 1, 2, 5, 10, ... from well below the finest step on
		e := math.Floor(math.Log10((s.hi-s.lo)/float64(n))) - 1 + float64(i/3)
		next := math.Pow(10, e) * []float64{1, 2, 5}[i%3]
		if e < 0 {
			next = []float64{1, 2, 5}[i%3] / math.Pow(10, -e)
		}
		if whole && next < 1 {
			continue
		}
		count := math.Floor(s.hi/next+1e-9) - math.Ceil(s.lo/next-1e-9) + 1
		if step != 0 && count < 2 { // one place alone gives no scale
			break
		}
		step = next
		if count <= float64(n) {
			break
		}
	}
	var at []float64
	for i := math.Ceil(s.lo/step - 1e-9); i <= math.Floor(s.hi/step+1e-9) && len(at) < 100; i++ {
		at = append(at, i*step)
	}
	if len(at) == 0 { // whole numbers are wanted where there are none
		at = []float64{math.Round(s.lo/2 + s.hi/2)}
	}
	ticks := make([]tick, len(at))
	for i, label := range numbers(at, step) {
		ticks[i] = tick{at[i], label}
	}
	return ticks
}

// numbers writes multiples of a step alike: as decimals, or with a power of ten
// where that is shorter.
func numbers(at []float64, step float64) []string {
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	plain := make([]string, len(at))
	power := make([]string, len(at))
	var size float64
	for _, v := range at {
		size = max(size, math.Abs(v))
	}
	e := math.Floor(math.Log10(max(size, step)))
	digits := max(0, int(e-math.Floor(math.Log10(step)+1e-9)))
	if digits == 1 { // 12e5, not 1.2e6
		e, digits = e-1, 0
	}
	longPlain, longPower := 0, 0
	for i, v := range at {
		if v == 0 {
			v = 0 // no -0
			plain[i], power[i] = strconv.FormatFloat(0, 'f', min(decimals, 20), 64), "0"
		} else {
			plain[i] = strconv.FormatFloat(v, 'f', min(decimals, 400), 64)
			power[i] = strconv.FormatFloat(v/math.Pow(10, e), 'f', min(digits, 17), 64) + "e" + strconv.Itoa(int(e))
		}
		longPlain, longPower = max(longPlain, len(plain[i])), max(longPower, len(power[i]))
	}
	if longPlain > 7 && longPower < longPlain {
		plain = power
	}
	for i, s := range plain {
		plain[i] = minus(s)
	}
	return plain
}

// positions gives at most most of n cells as ticks, the label of cell i being
// first + i*step, and round where the labels can be.
func positions(n, first, step, most int) []tick {
	if step == 0 {
		step = 1
	}
	every := 1
	for i := 0; every < n && (n-1)/every+1 > max(most, 1); i++ {
		every = []int{1, 2, 5}[i%3] * int(math.Pow10(i/3))
	}
	from := 0
	if first%step == 0 { // the first cell whose label is a multiple of every*step
		if from = mod(-(first / step), every); from >= n {
			from = 0
		}
	}
	var ticks []tick
	for i := from; i < n; i += every {
		ticks = append(ticks, tick{float64(i), minus(strconv.Itoa(first + i*step))})
	}
	return ticks
}

func mod(i, n int) int { return ((i % n) + n) % n }

// minus sets a number with a true minus sign.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
