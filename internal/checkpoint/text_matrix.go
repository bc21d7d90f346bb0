package checkpoint

import (
	"bytes"
	"fmt"
	"math"
)

// textMatrix is a matrix in the making.
type textMatrix struct {
	most   int64 // elements
	sep    byte  // 0 before the first line
	head   textHead
	cols   int // cells of a line, 0 before the first
	rows   int
	data   []float64
	first  int  // line of the first row
	labels bool // which counts 0, 1, 2 ...
	blank  int  // line of an empty line after the first row
	counts bool // the first column rises by step from row to row
	step   float64
	broken string // where it does not
}

// line takes one line of the file.
func (m *textMatrix) line(line []byte, no int) error {
	lead := bytes.TrimLeft(line, " \t\v\f")
	if m.sep == '\t' {
		lead = bytes.TrimLeft(line, " \v\f") // a tab is an empty cell
	}
	switch {
	case len(lead) == 0:
		if m.rows > 0 {
			m.blank = no
		}
		return nil
	case lead[0] == '#':
		return nil
	}
	if m.blank > 0 && m.cols == 1 {
		_, why := parseCell(nil)
		return cellFault(m.blank, 1, why)
	}
	if m.sep == 0 {
		m.sep = textSeparator(line)
		names, err := m.names(line, no)
		if names || err != nil {
			return err
		}
	}
	return m.row(line, no)
}

// row takes a line of numbers.
func (m *textMatrix) row(line []byte, no int) error {
	begin := len(m.data)
	n := 0
	for i, cell := range cells(line, m.sep) {
		n = i
		if m.cols > 0 && n > m.cols {
			continue // only counted, for the message
		}
		v, why := parseCell(cell)
		if why != "" {
			return cellFault(no, n, why)
		}
		if int64(len(m.data)) >= m.most {
			return overElements(-1, "line %d: over %d numbers", no, m.most)
		}
		m.data = append(m.data, v)
	}
	if m.cols == 0 {
		m.cols = n
	}
	if n != m.cols {
		return m.ragged(no, n)
	}
	m.count(begin, no)
	m.rows++
	return nil
}

// ragged is the fault of a line with n cells where others have m.cols.
func (m *textMatrix) ragged(no, n int) error {
	have := "1 field"
	if n != 1 {
		have = fmt.Sprintf("%d fields", n)
	}
	if m.rows > 0 {
		return fault(BadShape, -1, "line %d: %s, but the lines before have %d", no, have, m.cols)
	}
	err := fault(BadShape, -1, "line %d: %s, but the names in line %d are %d", no, have, m.head.line, m.cols)
	if n == m.cols+1 {
		err.Hint = `a column of row numbers needs a name of its own: "index"`
	}
	return err
}

// count follows whether the first column counts up by one. Positions may count
// up by any whole number, as those of every third row do.
func (m *textMatrix) count(begin, no int) {
	v := m.data[begin]
	switch {
	case m.rows == 0:
		m.first = no
		m.counts = v == math.Trunc(v) && math.Abs(v) < 1<<53
	case m.counts:
		if m.rows == 1 {
			if m.step = 1; m.head.first == "position" {
				m.step = v - m.data[begin-m.cols]
			}
		}
		m.counts = v == m.data[begin-m.cols]+m.step && m.step >= 1 && m.step == math.Trunc(m.step)
	default:
		return
	}
	if !m.counts {
		m.broken = fmt.Sprintf("line %d", no)
	}
}
