package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
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
// middle, unless different ones would become alike, and columns that still find no room
// go into tables below, behind the first columns of words again. Numbers are never
// shortened, and no row is left out. Width 0 is no limit.
func WriteText(w io.Writer, t *Table, width int) error { return writeText(w, t, width, letters{}) }

// WriteASCII writes a table as WriteText does, in ASCII.
func WriteASCII(w io.Writer, t *Table, width int) error {
	return writeText(w, t, width, letters{ascii: true})
}

func writeText(w io.Writer, t *Table, width int, l letters) error {
	if err := t.check(); err != nil {
		return err
	}
	parts, notes := layout(t, width, l)
	out := bufio.NewWriter(w)
	if t.Title != "" {
		for _, line := range wrap(l.fold(sentence(t.Title)), width) {
			fmt.Fprintln(out, line)
		}
		if len(t.Cols) > 0 {
			fmt.Fprintln(out)
		}
	}
	for k, cols := range parts {
		if k > 0 {
			fmt.Fprintln(out)
		}
		writeLine(out, cols, func(c *textColumn) string { return c.head })
		for i := range t.Rows {
			writeLine(out, cols, func(c *textColumn) string { return c.cells[i] })
			for k := range moreLines(cols, i) {
				writeLine(out, cols, func(c *textColumn) string { return c.lineBelow(i, k) })
			}
		}
	}
	if len(notes) > 0 {
		fmt.Fprintln(out)
	}
	for _, note := range notes {
		mark := "* "
		for _, line := range wrap(l.fold(sentence(note)), max(0, width-len(mark))) {
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

	joined, wrap bool
	below        [][]string // of a column that is wrapped: the lines of a cell behind its first
}

// lineBelow is line k of those below the first of a cell.
func (c *textColumn) lineBelow(i, k int) string {
	if c.below == nil || k >= len(c.below[i]) {
		return ""
	}
	return c.below[i][k]
}

// moreLines is how many lines row i takes below its first.
func moreLines(cols []textColumn, i int) int {
	most := 0
	for _, c := range cols {
		if c.below != nil {
			most = max(most, len(c.below[i]))
		}
	}
	return most
}

// layout writes the cells and fits the columns to width, in parts that stand below
// each other. The notes are those of the table and of the columns in it.
func layout(t *Table, width int, l letters) (parts [][]textColumn, notes []string) {
	var cols []textColumn
	notes = append(notes, t.Notes...)
	for j, col := range t.Cols {
		if col.Spark {
			continue
		}
		c := textColumn{right: col.Numeric, head: l.fold(safe(col.Name)), cells: make([]string, len(t.Rows)), joined: col.Joined, wrap: col.Wrap}
		for i, row := range t.Rows {
			c.cells[i] = l.cell(row[j], col.Digits)
		}
		if c.right {
			alignPoints(c.cells)
		}
		c.measure()
		if col.Note != "" {
			notes = append(notes, col.Note)
		}
		cols = append(cols, c)
	}
	if width > 0 {
		narrow(cols, width, l)
	}
	parts = stack(cols, width)
	for j, col := range t.Cols {
		if !col.Spark {
			continue
		}
		if len(parts) == 0 {
			parts = [][]textColumn{nil}
		}
		last := &parts[len(parts)-1]
		for most := mostBars; most >= leastBars; most -= 2 {
			if wider := append(*last, t.sparks(j, most, l)); width == 0 || lineWidth(wider) <= width {
				*last = wider
				if col.Note != "" {
					notes = append(notes, col.Note)
				}
				break
			}
		}
	}
	return parts, notes
}

// sparks is column j, of curves, in so many bars at most.
func (t *Table) sparks(j, most int, l letters) textColumn {
	c := textColumn{head: l.fold(safe(t.Cols[j].Name)), cells: make([]string, len(t.Rows))}
	for i, row := range t.Rows {
		c.cells[i] = l.spark(row[j], most)
	}
	c.measure()
	return c
}

// lineWidth is that of a line of columns.
func lineWidth(cols []textColumn) int {
	total := -gap
	for _, c := range cols {
		total += c.width + gap
	}
	return total
}

// stack shares columns among lines of a width. Each part begins with the columns of
// words that come first, or with the first column, and those next to them that tell
// the rows apart, and has at least one more.
func stack(cols []textColumn, width int) [][]textColumn {
	if len(cols) == 0 {
		return nil
	}
	if width == 0 || lineWidth(cols) <= width {
		return [][]textColumn{cols}
	}
	lead := 1
	for lead < len(cols) && !cols[lead-1].right && !cols[lead].right {
		lead++
	}
	for more := lead; more < min(lead+3, len(cols)); more++ {
		widest := 0
		for _, c := range cols[more:] {
			widest = max(widest, c.width)
		}
		if lineWidth(cols[:more])+gap+widest > width {
			break
		}
		if distinct(cols[:more]) {
			lead = more
			break
		}
	}
	var parts [][]textColumn
	part := slices.Clone(cols[:lead])
	for rest := cols[lead:]; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].joined {
			n++
		}
		if len(part) > lead && lineWidth(part)+gap+lineWidth(rest[:n]) > width {
			parts = append(parts, part)
			part = slices.Clone(cols[:lead])
		}
		part, rest = append(part, rest[:n]...), rest[n:]
	}
	return append(parts, part)
}

// distinct tells whether no two rows are alike in these columns.
func distinct(cols []textColumn) bool {
	met := map[string]bool{}
	for i := range cols[0].cells {
		row := ""
		for _, c := range cols {
			row += c.cells[i] + "\t"
		}
		if met[row] {
			return false
		}
		met[row] = true
	}
	return true
}

// measure sets the width that the column needs.
func (c *textColumn) measure() {
	c.width = columns(c.head)
	for _, s := range c.cells {
		c.width = max(c.width, columns(s))
	}
	for _, lines := range c.below {
		for _, s := range lines {
			c.width = max(c.width, columns(s))
		}
	}
}

// narrow shortens words, those of the widest column first, until a line fits. A column of
// up to half the width keeps words that would become alike.
func narrow(cols []textColumn, width int, l letters) {
	whole := make([]bool, len(cols))
	for {
		most := narrowed(cols, width, whole)
		again := false
		for j, c := range cols {
			if !whole[j] && !c.wrap && most[j] < c.width && c.width <= width/2 && c.alike(most[j], l) {
				whole[j], again = true, true
			}
		}
		if again {
			continue
		}
		for j := range cols {
			if most[j] < cols[j].width {
				cols[j].narrow(most[j], l)
			}
		}
		return
	}
}

// narrowed are the widths of columns that make a line fit, or come near it.
func narrowed(cols []textColumn, width int, whole []bool) []int {
	most := make([]int, len(cols))
	for j, c := range cols {
		most[j] = c.width
	}
	for total := lineWidth(cols); total > width; total-- {
		widest := -1
		for j, c := range cols {
			if !c.right && !whole[j] && most[j] > leastText && (widest < 0 || most[j] > most[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			break
		}
		most[widest]--
	}
	return most
}

// alike tells whether shortening makes one of different words.
func (c *textColumn) alike(most int, l letters) bool {
	of := map[string]string{}
	for _, s := range c.cells {
		short := l.shorten(s, most)
		if before, met := of[short]; met && before != s {
			return true
		}
		of[short] = s
	}
	return false
}

// narrow shortens the words of a column, or breaks them into lines.
func (c *textColumn) narrow(most int, l letters) {
	c.head = l.shorten(c.head, most)
	if c.wrap {
		c.below = make([][]string, len(c.cells))
	}
	for i, s := range c.cells {
		lines := []string{s}
		if c.wrap {
			lines = wrap(s, most)
		}
		for k, line := range lines {
			lines[k] = l.shorten(line, most)
		}
		c.cells[i] = lines[0]
		if c.wrap {
			c.below[i] = lines[1:]
		}
	}
	c.measure()
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
