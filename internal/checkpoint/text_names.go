package checkpoint

import (
	"bytes"
	"math"
)

// textHead is a line of names.
type textHead struct {
	line  int    // 0: there is none
	first string // name of the first column
	index bool   // the first column is an index if it counts up
	must  bool   // if it does not, the first cell was missing
	heads bool   // all other columns are called head_...
}

// names takes the first line if it holds names. The first cell decides, but a
// line that has numbers besides must look like names to be taken for them, or a
// mistyped first number would cost a row in silence.
func (m *textMatrix) names(line []byte, no int) (bool, error) {
	h := textHead{line: no}
	numeric := false                        // the first cell is a number
	words, empty, heads := 0, 0, 0          // of the other cells
	whole, rising, start := true, true, 0.0 // the numbers among them
	n := 0
	for i, cell := range cells(line, m.sep) {
		n = i
		v, why := parseCell(cell)
		switch {
		case why != "" && (!isTextCell(cell) || isDecimalComma(cell)):
			return false, cellFault(no, n, why)
		case n == 1:
			h.first, numeric = string(cell), why == ""
			start = v + 1
		case why != "" && len(cell) == 0:
			empty++
		case why != "":
			words++
			if bytes.HasPrefix(cell, []byte("head_")) {
				heads++
			}
		case n == 2 && !numeric:
			start = v
			fallthrough
		default:
			whole = whole && v >= 0 && v == math.Trunc(v)
			rising = rising && v == start+float64(n-2)
		}
	}
	labels := n > 1 && words == 0 && empty == 0 && whole && rising // 0 1 2 ...
	if numeric {
		m.labels = labels && start == 1 && n >= 4
		return false, nil
	}
	numbers := n - 1 - words - empty
	switch h.first {
	case "source":
		err := cellFault(no, 1, `column "source" holds words: this is a result of poslens, not a matrix`)
		err.Hint = "give the file that the result was made from; poslens export writes a table as a matrix"
		return false, err
	case "dy,dx":
		err := cellFault(no, 1, `column "dy,dx" holds offsets of two axes, which are not read from text`)
		err.Hint = "a table exported as .safetensors keeps its offsets"
		return false, err
	case "index", "position", "offset":
		h.index = true
	case "":
		if words == 0 && !(labels && start == 0) {
			_, why := parseCell(nil)
			return false, cellFault(no, 1, why)
		}
		h.index, h.must = true, words == 0
	default:
		if !whole || numbers > 0 && words == 0 && !(labels && start <= 1) {
			_, why := parseCell([]byte(h.first))
			return false, cellFault(no, 1, why)
		}
	}
	h.heads = n > 1 && heads == n-1
	m.head, m.cols = h, n
	return true, nil
}
