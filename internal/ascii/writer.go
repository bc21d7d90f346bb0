package ascii

import (
	"io"
	"unicode/utf8"
)

// NewWriter gives a writer that folds what is written to it. A character whose bytes
// come in two writes is written with the second.
func NewWriter(w io.Writer) io.Writer { return &writer{w: w} }

type writer struct {
	w    io.Writer
	tail []byte // the bytes of a character that is not whole yet
}

func (f *writer) Write(p []byte) (int, error) {
	text := append(f.tail, p...)
	whole := len(text)
	for i := whole - 1; i >= max(0, whole-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				whole = i
			}
			break
		}
	}
	f.tail = append([]byte(nil), text[whole:]...)
	if whole == 0 {
		return len(p), nil
	}
	if _, err := io.WriteString(f.w, Fold(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}
