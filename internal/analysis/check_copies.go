package analysis

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// copies looks for rows that are equal to the bit; zero rows and those that are not
// finite are told elsewhere. It says whether all rows are equal, which leaves
// nothing else to look for.
func (c *checking) copies() (done bool) {
	n, _ := c.t.Table.Dims()
	class, plain := classes(nil, c.t.Table)
	if n > 1 && plain[0] && !slices.ContainsFunc(class, func(k int) bool { return k != class[0] }) {
		c.found(CodeConstantTable, nil, "rows", float64(n), "all %d rows are equal: the model can't tell positions apart", n)
		return true
	}
	if c.tiledReserved() { // of which the positions alone repeat too
		c.repeated = true
		return false
	}
	if period := periodOf(class, plain); period > 0 {
		c.repeated = true
		c.tiled(period)
		return false
	}
	end := n - 1
	for end > 0 && plain[n-1] && class[end-1] == class[n-1] {
		end--
	}
	repeats := n - 1 - end
	if repeats >= 2 {
		rows := upTo(end+1, n)
		c.found(CodeRepeatedLast, rows, "rows", float64(repeats), "%s %s %s: the table was extended by its last row, and the model can't tell these positions apart",
			c.words(rows), plural(repeats, "repeats", "repeat"), c.words([]int{end})).Pairs = c.pairs(rows, func(int) int { return end })
	} else {
		end = n - 1
	}
	c.duplicates(class[:end+1], plain)
	return false
}

// classes gives each row of two tables, one after the other (the first may be nil),
// the first row that equals it; plain are those that are finite and not zero. All zero rows are alike, and a row
// that is not finite is like no other.
func classes(front, table *mat.Dense) (class []int, plain []bool) {
	seen := map[uint64][]int{} // first rows of a hash
	var rows [][]float64
	for _, t := range []*mat.Dense{front, table} {
		if t == nil {
			continue
		}
		n, _ := t.Dims()
		for i := range n {
			rows = append(rows, t.RawRowView(i))
		}
	}
	zero := -1
	for i, row := range rows {
		m := magnitude(row)
		plain = append(plain, m > 0 && finite(m))
		is := i
		switch {
		case m == 0: // +0 and -0 alike
			if zero < 0 {
				zero = i
			}
			is = zero
		case plain[i]:
			h := hashOf(row)
			first := slices.IndexFunc(seen[h], func(k int) bool { return sameBits(rows[k], row) })
			if first >= 0 {
				is = seen[h][first]
			} else {
				seen[h] = append(seen[h], i)
			}
		}
		class = append(class, is)
	}
	return class, plain
}

// hashOf mixes the bits of a row, as FNV-1a does with bytes, but a float at a time.
func hashOf(row []float64) uint64 {
	h := uint64(14695981039346656037)
	for _, x := range row {
		h = bits.RotateLeft64(h^math.Float64bits(x), 29) * 1099511628211
	}
	return h
}

// sameBits compares two rows of one length.
func sameBits(a, b []float64) bool {
	for j, x := range a {
		if math.Float64bits(x) != math.Float64bits(b[j]) {
			return false
		}
	}
	return true
}

// periodOf is the smallest T with class[i] == class[i-T] for all i >= T, of which two
// rows at least are copies and two different plain ones are among them; 0 when there
// is none. By the failure function of Knuth, Morris and Pratt 1977.
func periodOf(class []int, plain []bool) int {
	n := len(class)
	border := make([]int, n) // the longest proper border of class[:i+1]
	for i := 1; i < n; i++ {
		k := border[i-1]
		for k > 0 && class[i] != class[k] {
			k = border[k-1]
		}
		if class[i] == class[k] {
			k++
		}
		border[i] = k
	}
	if n < 2 || border[n-1] < 2 {
		return 0
	}
	period := n - border[n-1]
	first := -1
	for i := period; i < n; i++ {
		switch {
		case !plain[i]:
		case first < 0:
			first = class[i]
		case class[i] != first:
			return period
		}
	}
	return 0
}

// tiled tells a table that repeats itself.
func (c *checking) tiled(period int) {
	n, _ := c.t.Table.Dims()
	rows := upTo(period, n)
	c.found(CodeTiled, rows, "period", float64(period), "%s repeat %s: from the seam at %s on each equals the one %d before it, so the model can't tell them apart; the table was extended by tiling",
		c.words(rows), c.words(upTo(0, period)), c.words([]int{period}), period).Pairs = c.pairs(rows, func(i int) int { return i - period })
}

// tiledReserved looks for the same in the stored rows, with the reserved ones in
// front.
func (c *checking) tiledReserved() bool {
	a := c.t
	if a.Aside == nil || a.First != 0 || a.Stride > 1 {
		return false
	}
	n, d := a.Table.Dims()
	reserved, width := a.Aside.Dims()
	if d != width {
		return false
	}
	period := periodOf(classes(a.Aside, a.Table))
	if period <= reserved {
		return false
	}
	var rows []int // where the copies of the reserved rows are
	for at := period; at < n+reserved; at += period {
		for i := at; i < min(at+reserved, n+reserved); i++ {
			rows = append(rows, i-reserved)
		}
	}
	c.found(CodeTiledReserved, rows, "period", float64(period), "%s hold copies of the %s: the table was extended by repeating its %d stored rows with them, so that the copies of the positions start %d late",
		c.words(rows), plural(reserved, "reserved row", fmt.Sprintf("%d reserved rows", reserved)), period, reserved)
	return true
}

// duplicates tells other rows that equal an earlier one. Copies that follow each
// other as their originals do are told together.
func (c *checking) duplicates(class []int, plain []bool) {
	var rows []int
	var runs []string
	run := func(to []int, lag int) {
		if len(to) == 0 {
			return
		}
		from := make([]int, len(to))
		for k, i := range to {
			from[k] = i - lag
		}
		runs = append(runs, c.words(to)+" "+plural(len(to), "equals", "equal")+" "+c.words(from))
	}
	var open []int
	lag := 0
	for i, of := range class {
		if of == i || !plain[i] {
			continue
		}
		if len(open) > 0 && (open[len(open)-1] != i-1 || i-of != lag) {
			run(open, lag)
			open = nil
		}
		lag = i - of
		open = append(open, i)
		rows = append(rows, i)
	}
	run(open, lag)
	if len(rows) == 0 {
		return
	}
	named := more(runs[:min(len(runs), listed)], max(0, len(runs)-listed))
	c.found(CodeDuplicates, rows, "rows", float64(len(rows)), "%s to the bit: the model can't tell these positions apart", strings.TrimSpace(named)).Pairs = c.pairs(rows, func(i int) int { return class[i] })
}

// upTo are the numbers from <= i < to.
func upTo(from, to int) []int {
	all := make([]int, 0, max(0, to-from))
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}
