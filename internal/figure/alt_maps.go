package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// altBlocks is how many blocks a side of a map of Blocks is asked in at most.
const altBlocks = 512

// alt says what a heat map shows: the cells and where the least and the most of them
// stand.
func (h *Heatmap) alt() string {
	rows, cols := edges1(h.Rows), edges1(h.Cols)
	if h.Blocks != nil {
		rows, _ = edges(h.Rows, min(h.Rows, altBlocks))
		cols, _ = edges(h.Cols, min(h.Cols, altBlocks))
	}
	down := func(i int) string { return altPlaces("row", h.YNames, h.Y0, h.YStep, rows[i], rows[i+1]) }
	across := func(i int) string { return altPlaces("column", h.XNames, h.X0, h.XStep, cols[i], cols[i+1]) }
	e := extremesOf(len(rows)-1, len(cols)-1, h.rowsOf(rows, cols))
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s in %s and %s; down: %s; across: %s", altOr(h.ColorLabel, "values"), count(h.Rows, "row"), count(h.Cols, "column"),
		altAxis(h.YLabel, altEnds(h.YNames, h.Y0, h.YStep, h.Rows)), altAxis(h.XLabel, altEnds(h.XNames, h.X0, h.XStep, h.Cols)))
	if h.Min != 0 || h.Max != 0 {
		fmt.Fprintf(b, "; the colours span %s", altSpan(span{h.Min, h.Max, true}))
	}
	noun := "cell"
	if len(rows) <= h.Rows || len(cols) <= h.Cols {
		noun = "block"
		fmt.Fprintf(b, "; the values are means of %d x %d blocks of cells", len(rows)-1, len(cols)-1)
	}
	e.write(b, noun, func(r, c int) string { return down(r) + ", " + across(c) })
	return b.String()
}

// edges1 are the edges of n cells, each a block.
func edges1(n int) []int {
	e := make([]int, n+1)
	for i := range e {
		e[i] = i
	}
	return e
}

// rowsOf gives the values of a map's blocks row by row.
func (h *Heatmap) rowsOf(rows, cols []int) func(r int, line []float64) {
	if h.Blocks == nil {
		return func(r int, line []float64) {
			for c := range line {
				line[c] = h.At(r, c)
			}
		}
	}
	all := h.blocks(rows, cols)
	return func(r int, line []float64) { copy(line, all[r*len(line):]) }
}

// altEnds are the numbers, or the names, of the first and the last of n.
func altEnds(names []string, first, step, n int) string {
	a, b := altPlace(names, first, step, 0), altPlace(names, first, step, n-1)
	if n == 1 {
		return a
	}
	return a + " to " + b
}

// altPlace is the number, or the name, of row or column i.
func altPlace(names []string, first, step, i int) string {
	if names != nil {
		return altText(names[i])
	}
	return strconv.Itoa(first + i*max(1, step))
}

// altPlaces are the numbers or names of those from from on, to not included.
func altPlaces(what string, names []string, first, step, from, to int) string {
	if to-from == 1 {
		return what + " " + altPlace(names, first, step, from)
	}
	return what + "s " + altPlace(names, first, step, from) + " to " + altPlace(names, first, step, to-1)
}

// extremes are the least and the most of some values, and where the first of them
// stand.
type extremes struct {
	least, most      float64
	low, high        [2]int // row and column
	lows, highs      int    // how many are as low, as high, but for rounding
	cells, undefined int
}

// extremesOf looks at rows x cols values, a row at a time, twice: the ties are
// counted when the range is known.
func extremesOf(rows, cols int, row func(r int, line []float64)) extremes {
	e := extremes{least: math.Inf(1), most: math.Inf(-1), cells: rows * cols}
	line := make([]float64, cols)
	each := func(do func(r, c int, v float64)) {
		for r := range rows {
			row(r, line)
			for c, v := range line {
				do(r, c, v)
			}
		}
	}
	each(func(_, _ int, v float64) {
		if math.IsNaN(v) {
			e.undefined++
			return
		}
		e.least, e.most = min(e.least, v), max(e.most, v)
	})
	each(func(r, c int, v float64) {
		if altSame(v, e.least) {
			if e.lows == 0 {
				e.low = [2]int{r, c}
			}
			e.lows++
		}
		if altSame(v, e.most) {
			if e.highs == 0 {
				e.high = [2]int{r, c}
			}
			e.highs++
		}
	})
	return e
}

// write says the extremes, each with the first place that has it.
func (e *extremes) write(b *strings.Builder, noun string, where func(r, c int) string) {
	end := func(what string, v float64, n int, at [2]int) {
		fmt.Fprintf(b, "; %s %s", what, altNumber(v))
		if n == 1 {
			fmt.Fprintf(b, " at %s", where(at[0], at[1]))
		} else {
			fmt.Fprintf(b, " in %d %ss, first at %s", n, noun, where(at[0], at[1]))
		}
	}
	defined := e.cells - e.undefined
	switch {
	case defined == 0:
		fmt.Fprintf(b, "; no %s is defined", noun)
		return
	case e.lows == defined && e.highs == defined:
		fmt.Fprintf(b, "; %s everywhere", altNumber(e.least))
	default:
		end("lowest", e.least, e.lows, e.low)
		end("highest", e.most, e.highs, e.high)
	}
	if e.undefined > 0 {
		fmt.Fprintf(b, "; %d of %s undefined", e.undefined, count(e.cells, noun))
	}
}

// alt says what tiles show: which there are, and where among them the extremes stand.
func (t *Tiles) alt() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s of a grid of %s and %s, in %d x %d tiles", altOr(t.ColorLabel, "values"), count(t.Rows, "row"), count(t.Cols, "column"), len(t.TileRows), len(t.TileCols))
	if s := altText(t.Caption); s != "" {
		fmt.Fprintf(b, " (%s)", s)
	}
	last := func(at []int) string { return altSpan(span{float64(at[0]), float64(at[len(at)-1]), true}) }
	fmt.Fprintf(b, "; down: %s; across: %s", altAxis(t.YLabel, last(t.TileRows)), altAxis(t.XLabel, last(t.TileCols)))
	if t.Min != 0 || t.Max != 0 {
		fmt.Fprintf(b, "; the colours span %s", altSpan(span{t.Min, t.Max, true}))
	}
	cols := len(t.TileCols)
	e := extremesOf(len(t.TileRows)*cols, t.Rows*t.Cols, func(k int, line []float64) {
		for i := range line {
			line[i] = t.At(k/cols, k%cols, i/t.Cols, i%t.Cols)
		}
	})
	e.write(b, "cell", func(k, i int) string {
		return fmt.Sprintf("tile (%d, %d), cell (%d, %d)", t.TileRows[k/cols], t.TileCols[k%cols], i/t.Cols, i%t.Cols)
	})
	return b.String()
}
