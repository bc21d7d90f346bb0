package checkpoint

import (
	"bytes"
	"iter"
)

// textFields cuts a line into cells at sep: tab, semicolon, comma, or a space, which
// stands for any run of spaces and tabs. Space around a cell and the quotes of a
// quoted one are taken off.
type textFields struct {
	rest []byte
	sep  byte
	done bool
}

// cells gives the cells of a line, with their numbers from 1.
func cells(line []byte, sep byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		f := textFields{rest: line, sep: sep}
		for n := 1; ; n++ {
			cell, ok := f.next()
			if !ok || !yield(n, cell) {
				return
			}
		}
	}
}

// next gives a cell, and false after the last one. A cell whose quotes are
// broken keeps them.
func (f *textFields) next() ([]byte, bool) {
	if f.done {
		return nil, false
	}
	blank := " \t\v\f"
	if f.sep == '\t' {
		blank = " \v\f"
	}
	s := bytes.TrimLeft(f.rest, blank)
	if f.sep == ' ' && len(s) == 0 {
		f.done = true
		return nil, false
	}
	if len(s) > 0 && s[0] == '"' {
		if cell, after, ok := unquoteCell(s); ok {
			trimmed := bytes.TrimLeft(after, blank)
			switch {
			case len(trimmed) == 0:
				f.done = true
				return cell, true
			case f.sep == ' ' && len(trimmed) < len(after):
				f.rest = trimmed
				return cell, true
			case trimmed[0] == f.sep:
				f.rest = trimmed[1:]
				return cell, true
			}
		}
	}
	var i int
	if f.sep == ' ' {
		i = bytes.IndexAny(s, blank)
	} else {
		i = bytes.IndexByte(s, f.sep)
	}
	if i < 0 {
		f.done = true
		return bytes.TrimRight(s, blank), true
	}
	f.rest = s[i+1:]
	return bytes.TrimRight(s[:i], blank), true
}

// unquoteCell takes a quoted cell off s, in which a doubled quote stands for one.
func unquoteCell(s []byte) (cell, after []byte, ok bool) {
	s = s[1:]
	var doubled []byte
	for {
		i := bytes.IndexByte(s, '"')
		if i < 0 {
			return nil, nil, false
		}
		if i+1 < len(s) && s[i+1] == '"' {
			doubled = append(doubled, s[:i+1]...)
			s = s[i+2:]
			continue
		}
		if doubled == nil {
			return s[:i], s[i+1:], true
		}
		return append(doubled, s[:i]...), s[i+1:], true
	}
}

// textSeparator chooses what separates the cells of a table from its first line: the
// one that makes all of its cells numbers, else the first that occurs.
func textSeparator(line []byte) byte {
	var present byte
	for _, sep := range []byte{'\t', ';', ',', ' '} {
		if sep != ' ' && bytes.IndexByte(line, sep) < 0 {
			continue
		}
		numbers, empty := true, false
		n := 0
		for i, cell := range cells(line, sep) {
			n = i
			empty = empty || len(cell) == 0
			if _, why := parseCell(cell); why != "" {
				numbers = false
			}
		}
		if numbers && n > 0 {
			return sep
		}
		if present == 0 && (n > 1 || sep == ' ') {
			present = sep
		}
		if sep == '\t' && n > 1 && empty {
			break // a nameless first column, which runs of space would swallow
		}
	}
	return present
}
