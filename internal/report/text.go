package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// The measures of a table in text.
const (
	gap       = 2 // columns between two cells
	leastText = 8 // a column of words is never made narrower than this
)

// WriteText writes a table for people: aligned and rounded, decimal points below
// each other. Where the lines are wider than width, words are shortened in their
// middle; numbers never are, and no row is left out. Width 0 is no limit.
func WriteText(w io.Writer, t *Table, width int) error {
	if err := t.check(); err != nil {
		return err
	}
	cols := layout(t, width)
	out := bufio.NewWriter(w)
	if t.Title != "" {
		for _, line := range wrap(sentence(t.Title), width) {
			fmt.Fprintln(out, line)
		}
		if len(t.Cols) > 0 {
			fmt.Fprintln(out)
		}
	}
	if len(t.Cols) > 0 {
		writeLine(out, cols, func(c *textColumn) string { return c.head })
	}
	for i := range t.Rows {
		writeLine(out, cols, func(c *textColumn) string { return c.cells[i] })
	}
	if len(t.Notes) > 0 {
		fmt.Fprintln(out)
	}
	for _, note := range t.Notes {
		mark := "* "
		for _, line := range wrap(sentence(note), max(0, width-len(mark))) {
			fmt.Fprintln(out, mark+line)
			mark = "  "
		}
	}
	return out.Flush()
}

// writeLine writes one cell of each column, and no space at the end.
func writeLine(out *bufio.Writer, cols []textColumn, cell func(*textColumn) string) {
	pending := 0 // spaces that only count if something follows
	for j := range cols {
		c := &cols[j]
		s := cell(c)
		text := strings.TrimRight(s, " ")
		before, after := 0, c.width-columns(s)
		if c.right {
			before, after = after, 0
		}
		after += len(s) - len(text)
		if text != "" {
			out.WriteString(strings.Repeat(" ", pending+before))
			out.WriteString(text)
			pending = after
		} else {
			pending += before + after
		}
		pending += gap
	}
	out.WriteByte('\n')
}

// textColumn is a column as it is printed.
type textColumn struct {
	right bool
	width int
	head  string
	cells []string // of a right column as wide as each other behind the point
}

// layout writes the cells and fits the columns of words to width.
func layout(t *Table, width int) []textColumn {
	cols := make([]textColumn, len(t.Cols))
	for j, col := range t.Cols {
		c := &cols[j]
		c.right = col.Numeric
		c.head = safe(col.Name)
		c.cells = make([]string, len(t.Rows))
		for i, row := range t.Rows {
			c.cells[i] = rounded(row[j], col.Digits)
		}
		if c.right {
			alignPoints(c.cells)
		}
		c.measure()
	}
	if width > 0 {
		narrow(cols, width)
	}
	return cols
}

// measure sets the width that the column needs.
func (c *textColumn) measure() {
	c.width = columns(c.head)
	for _, s := range c.cells {
		c.width = max(c.width, columns(s))
	}
}

// narrow shortens words, those of the widest column first, until a line fits.
func narrow(cols []textColumn, width int) {
	total := -gap
	for _, c := range cols {
		total += c.width + gap
	}
	most := make([]int, len(cols))
	for j, c := range cols {
		most[j] = c.width
	}
	for ; total > width; total-- {
		widest := -1
		for j, c := range cols {
			if !c.right && most[j] > leastText && (widest < 0 || most[j] > most[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			break
		}
		most[widest]--
	}
	for j := range cols {
		c := &cols[j]
		if most[j] == c.width {
			continue
		}
		c.head = shorten(c.head, most[j])
		for i, s := range c.cells {
			c.cells[i] = shorten(s, most[j])
		}
		c.measure()
	}
}

// rounded writes a cell for people, a float64 to a number of significant digits.
func rounded(cell any, digits int) string {
	if v, ok := cell.(float64); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
		if digits <= 0 {
			digits = 6
		}
		return strconv.FormatFloat(v, 'g', min(digits, 17), 64)
	}
	text, _ := exact(cell)
	return safe(text)
}

// alignPoints fills numbers up with spaces behind, so that their decimal points
// stand below each other when they are put to the right.
func alignPoints(cells []string) {
	behind := func(s string) int {
		if i := strings.IndexByte(s, '.'); i >= 0 && isNumber(s) {
			return len(s) - i
		}
		if i := strings.IndexByte(s, 'e'); i >= 0 && isNumber(s) {
			return len(s) - i
		}
		return 0
	}
	most := 0
	for _, s := range cells {
		most = max(most, behind(s))
	}
	for i, s := range cells {
		cells[i] = s + strings.Repeat(" ", most-behind(s))
	}
}

// isNumber tells a written number from words in a column of numbers.
func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
