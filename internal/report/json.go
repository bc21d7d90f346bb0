package report

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
)

// Failure is a source, or a table of one, that has no result.
type Failure struct {
	Source string `json:"source"` // the operand as it was given; of a table that was read its label
	Error  string `json:"error"`
	Hint   string `json:"hint,omitempty"` // what to try
}

// WriteJSON writes results as poslens always does:
//
//	{"schema": 1, "command": ..., "results": [...], "errors": [...]}
//
// Indented by two spaces, with each list of numbers in one line. The errors are there
// only where something failed. A float64 that is NaN or infinite is an error, behind
// which the rest is missing: results have types that write null for it.
//
// The results are written as they are walked through, so that long lists of numbers
// cost no memory. A type says what it holds by JSONView() any, JSONNumbers() []float64
// or JSONRows() iter.Seq[[]float64], whose numbers may be undefined; what says nothing
// is written as encoding/json does.
func WriteJSON(w io.Writer, command string, results []any, failed ...Failure) error {
	if results == nil {
		results = []any{}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	e := &jsonWriter{out: out}
	err := e.value(reflect.ValueOf(struct {
		Schema  int       `json:"schema"`
		Command string    `json:"command"`
		Results []any     `json:"results"`
		Errors  []Failure `json:"errors,omitempty"`
	}{1, command, results, failed}))
	if err != nil {
		return fmt.Errorf("results of %s as JSON: %w", command, err)
	}
	out.WriteByte('\n')
	return out.Flush()
}

// indent writes valid compact JSON over several lines, as deep as it stands.
func indent(out *bufio.Writer, p []byte, depth int) {
	line := func() { newLine(out, depth) }
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '"':
			n := stringLen(p[i:])
			writeString(out, p[i:i+n])
			i += n - 1
		case '[', '{':
			if n := flatLen(p[i:]); n > 0 {
				writeFlat(out, p[i:i+n])
				i += n - 1
				continue
			}
			out.WriteByte(c)
			depth++
			line()
		case ']', '}':
			depth--
			line()
			out.WriteByte(c)
		case ',':
			out.WriteByte(c)
			line()
		case ':':
			out.WriteString(": ")
		default:
			out.WriteByte(c)
		}
	}
}

// newLine begins a line as deep as it stands.
func newLine(out *bufio.Writer, depth int) {
	out.WriteByte('\n')
	for range depth {
		out.WriteString("  ")
	}
}

// flatLen is the length of the list that p starts with if it holds only numbers,
// null, true and false, or nothing, as an object may. Else it is 0.
func flatLen(p []byte) int {
	for i, c := range p[1:] {
		switch c {
		case ']':
			return i + 2
		case '}':
			if i == 0 {
				return 2
			}
			return 0
		case '[', '{', '"':
			return 0
		}
	}
	return 0
}

// writeFlat writes a list in one line, with a space behind each comma.
func writeFlat(out *bufio.Writer, p []byte) {
	for _, c := range p {
		out.WriteByte(c)
		if c == ',' {
			out.WriteByte(' ')
		}
	}
}

// stringLen is the length of the string that p starts with, its quotes included.
func stringLen(p []byte) int {
	for i := 1; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(p)
}

// writeString writes a string of JSON with those control characters escaped that
// JSON lets stand: DEL and those of 0x80 to 0x9f, which steer terminals.
func writeString(out *bufio.Writer, p []byte) {
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == 0x7f:
			out.WriteString(`\u007f`)
		case c == 0xc2 && i+1 < len(p) && p[i+1] < 0xa0:
			i++
			fmt.Fprintf(out, `\u%04x`, p[i])
		default:
			out.WriteByte(c)
		}
	}
}
