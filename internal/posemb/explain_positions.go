package posemb

import (
	"fmt"
	"slices"
	"strings"
)

// fromZero ends a sentence with places on a grid.
const fromZero = " (counted from 0)"

// gridWord is what one index along an axis of the grid is called.
func gridWord(axis string) string {
	switch axis {
	case "grid_row":
		return "row"
	case "grid_col":
		return "column"
	}
	return axis
}

// positionWords are those of entries of an absolute table.
func (e *Explanation) positionWords(m Meaning) string {
	p := &e.parts[m.part]
	if p.Axis != WholeTable {
		return e.partWords(m)
	}
	first := m.Where[0].Spans[0].From
	switch one := point(m.Where[0]) != nil; {
	case one && !m.Read:
		return fmt.Sprintf("position %d, not read here", first)
	case one && len(e.dims) > 1:
		return fmt.Sprintf("position %d: %s of %s%s", first, e.cellWords(e.places(first)), e.gridWords(), fromZero)
	case one:
		return fmt.Sprintf("position %d", first)
	}
	words := "positions " + few(m.Where[0].Spans)
	if m.Last == m.Row {
		return words
	}
	stride := max(e.absolute.Stride, 1)
	switch e.read(m) {
	case readNone:
		return words + ", not read here"
	case readStride:
		from := e.absolute.First
		from += (first - from + stride - 1) / stride * stride
		return fmt.Sprintf("%s, of which %s from %d on is read here", words, every(stride), from)
	}
	switch {
	case stride > 1:
		return words + ", " + every(stride)
	case len(e.dims) > 1:
		return words + ": " + e.rasterWords(first, m.Where[0].Spans[0].To)
	}
	return words
}

// places is where a position that is read is along each of dims.
func (e *Explanation) places(position int) []int {
	return e.split((position - e.absolute.First) / max(e.absolute.Stride, 1))
}

// rasterWords are those of a run of positions on a grid.
func (e *Explanation) rasterWords(from, to int) string {
	n, _ := e.absolute.Table.Dims()
	switch {
	case to-from+1 < n:
		return fmt.Sprintf("%s to %s of %s%s", e.cellWords(e.places(from)), e.cellWords(e.places(to)), e.gridWords(), fromZero)
	case len(e.dims) > 2:
		return fmt.Sprintf("%d frames of %s, each row by row", e.dims[0], e.gridWords())
	}
	return e.gridWords() + ", row by row"
}

// cellWords is "frame 1, row 0, column 4".
func (e *Explanation) cellWords(index []int) string {
	words := make([]string, len(index))
	for i, v := range index {
		words[i] = fmt.Sprintf("%s %d", gridWord(e.names[i+1]), v)
	}
	return strings.Join(words, ", ")
}

// gridWords is "the 14 x 14 grid".
func (e *Explanation) gridWords() string {
	g := e.absolute.Grid
	return fmt.Sprintf("the %d x %d grid", g.Rows, g.Cols)
}

// partWords are those of entries of one of two tensors that make an absolute
// table: each is a row of the grid, a column of it, a frame.
func (e *Explanation) partWords(m Meaning) string {
	p := &e.parts[m.part]
	if len(p.along) == 0 { // positions in a line
		switch a := m.Where[0]; {
		case a.Spans != nil:
			return "positions " + few(a.Spans)
		case p.Axis == 0 || len(p.of(m.Row)) > 1:
			return "several positions"
		}
		return fmt.Sprintf("position %d and %s after it", p.of(m.Row)[0], every(max(len(p.At), 1)))
	}
	var words []string
	for _, d := range p.along {
		word, spans := gridWord(e.names[d+1]), m.Where[d+1].Spans
		if point(m.Where[d+1]) == nil {
			word += "s"
		}
		words = append(words, word+" "+few(spans))
	}
	return strings.Join(words, ", ") + " of " + e.gridWords() + ", with " + e.otherAxes(p) + fromZero
}

// otherAxes are those that the entries of a tensor do not go along: "every column".
func (e *Explanation) otherAxes(p *part) string {
	var words []string
	for d := range e.dims {
		if !slices.Contains(p.along, d) {
			words = append(words, "every "+gridWord(e.names[len(e.names)-len(e.dims)+d]))
		}
	}
	return strings.Join(words, " and ")
}
