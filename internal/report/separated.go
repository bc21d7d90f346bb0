package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteTSV writes a table's header and rows with tabs between the cells, at full
// precision. Tabs and newlines in a cell become \t and \n.
func WriteTSV(w io.Writer, t *Table) error { return writeTable(w, t, separated{'\t', escapeTSV}) }

// WriteCSV writes a table's header and rows as RFC 4180 has it, but for lines
// that end in a newline alone, at full precision.
func WriteCSV(w io.Writer, t *Table) error { return writeTable(w, t, separated{',', quoteCSV}) }

// Matrix is a matrix of numbers with names for its rows and columns. The numbers
// are asked for when they are written, row by row.
type Matrix struct {
	Corner string   // what the rows are, in the first cell of the header: "position"
	Cols   []string // names of the columns
	Rows   []string // names of the rows, which become the first column
	At     func(i, j int) float64
}

// WriteMatrixTSV writes a matrix with tabs between the cells, at full precision.
func WriteMatrixTSV(w io.Writer, m *Matrix) error {
	return writeMatrix(w, m, separated{'\t', escapeTSV})
}

// WriteMatrixCSV writes a matrix with commas between the cells, at full precision.
func WriteMatrixCSV(w io.Writer, m *Matrix) error { return writeMatrix(w, m, separated{',', quoteCSV}) }

// separated is a way to write cells in lines.
type separated struct {
	comma byte
	word  func(string) string // makes a word fit to stand between commas
}

func writeTable(w io.Writer, t *Table, s separated) error {
	if err := t.check(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	written := 0
	for _, c := range t.Cols {
		if !c.Spark {
			s.cell(out, written, s.word(c.Name))
			written++
		}
	}
	if err := endLine(out); err != nil {
		return err
	}
	for _, row := range t.Rows {
		if err := s.row(out, t.Cols, row); err != nil {
			return err
		}
	}
	if t.Behind == nil {
		return out.Flush()
	}
	for row := range t.Behind {
		if len(row) != len(t.Cols) {
			return fmt.Errorf("a row of the table has %d cells for %d columns", len(row), len(t.Cols))
		}
		if err := s.row(out, t.Cols, row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// row writes one line of cells.
func (s separated) row(out *bufio.Writer, cols []Column, row []any) error {
	written := 0
	for j, cell := range row {
		if cols[j].Spark {
			continue
		}
		text, isWord := exact(cell)
		if isWord {
			text = s.word(text)
		}
		s.cell(out, written, text)
		written++
	}
	return endLine(out)
}

func writeMatrix(w io.Writer, m *Matrix, s separated) error {
	out := bufio.NewWriterSize(w, 1<<16)
	s.cell(out, 0, s.word(m.Corner))
	for j, name := range m.Cols {
		s.cell(out, j+1, s.word(name))
	}
	if err := endLine(out); err != nil {
		return err
	}
	for i, name := range m.Rows {
		s.cell(out, 0, s.word(name))
		for j := range m.Cols {
			s.cell(out, j+1, number(m.At(i, j)))
		}
		if err := endLine(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// cell writes the j-th cell of a line. A failed write shows at endLine.
func (s separated) cell(out *bufio.Writer, j int, text string) {
	if j > 0 {
		out.WriteByte(s.comma)
	}
	out.WriteString(text)
}

// endLine ends a line, and tells whether a write failed so far.
func endLine(out *bufio.Writer) error { return out.WriteByte('\n') }

// escapeTSV keeps a word in its cell, and a terminal safe from it.
func escapeTSV(s string) string { return escape(s, "") }

// quoteCSV puts a word in quotes where RFC 4180 wants them. Control characters
// that it has no use for are escaped, as in TSV.
func quoteCSV(s string) string {
	s = escape(s, "\t\n\r")
	if !strings.ContainsAny(s, ",\"\n\r\t") && strings.TrimSpace(s) == s {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// escape writes control characters and broken UTF-8 as Go does (\t, \n, \x1b),
// but for those in keep.
func escape(s, keep string) string {
	if !strings.ContainsFunc(s, isControl) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		broken := r == utf8.RuneError && n == 1
		if broken || isControl(r) && !strings.ContainsRune(keep, r) {
			b.WriteString(goEscape(s[:n]))
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
