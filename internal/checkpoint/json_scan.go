package checkpoint

import (
	"bufio"
	"errors"
	"io"
)

// Bounds on what a JSON text may hold.
const (
	jsonDepth = 32      // brackets inside brackets
	jsonNames = 100_000 // objects and their names, all together
	jsonWord  = 4096    // bytes of a name, a number or a kept string
)

// jsonScan reads the tokens of a JSON text and keeps none of them. NaN, Infinity
// and -Infinity are numbers, as Python writes them. Nothing in it recurses by
// what the file holds.
type jsonScan struct {
	r     *bufio.Reader
	base  int64 // file offset of the text's first byte, -1: offsets mean nothing
	read  int64 // bytes taken
	most  int64 // elements of one array
	names int   // objects and names so far
	word  []byte
}

// off is the file offset of the next byte.
func (s *jsonScan) off() int64 {
	if s.base < 0 {
		return -1
	}
	return s.base + s.read
}

// fault makes an Error at the next byte.
func (s *jsonScan) fault(k Kind, format string, args ...any) *Error {
	return fault(k, s.off(), format, args...)
}

// take gives the next byte. The text's end is Truncated.
func (s *jsonScan) take() (byte, error) {
	c, err := s.r.ReadByte()
	if err == io.EOF {
		return 0, s.fault(Truncated, "the text ends inside a value")
	}
	if err != nil {
		return 0, err
	}
	s.read++
	return c, nil
}

// back gives the last byte back.
func (s *jsonScan) back() {
	s.r.UnreadByte() // cannot fail: a byte was just read
	s.read--
}

// peek passes white space and shows the next byte.
func (s *jsonScan) peek() (byte, error) {
	for {
		c, err := s.take()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			s.back()
			return c, nil
		}
	}
}

// end refuses anything but white space.
func (s *jsonScan) end() error {
	c, err := s.peek()
	var e *Error
	switch {
	case errors.As(err, &e) && e.Kind == Truncated && s.atEnd():
		return nil
	case err != nil:
		return err
	}
	return s.fault(Parse, "%q after the end of the value", c)
}

// atEnd tells whether the text is read to its end.
func (s *jsonScan) atEnd() bool {
	_, err := s.r.Peek(1)
	return err == io.EOF
}

// more stands behind the opening bracket or behind an item: it takes a comma and
// is true, or takes the closing bracket and is false. No comma belongs before
// the first item.
func (s *jsonScan) more(closing byte, first bool) (bool, error) {
	c, err := s.peek()
	switch {
	case err != nil:
		return false, err
	case c == closing:
		s.take()
		return false, nil
	case first:
		return true, nil
	case c != ',':
		return false, s.fault(Parse, "%q where a comma or %q belongs", c, closing)
	}
	s.take()
	if c, err = s.peek(); err == nil && c == closing {
		return false, s.fault(Parse, "a comma before %q", closing)
	}
	return true, err
}

// skip takes whole values until the brackets that are open are closed; none open
// is one value. Only brackets and strings are looked at.
func (s *jsonScan) skip(open []byte) error {
	for {
		c, err := s.peek()
		if err != nil {
			return err
		}
		switch c {
		case '[', '{':
			if len(open) >= jsonDepth {
				return s.fault(Corrupt, "brackets nested deeper than %d", jsonDepth)
			}
			s.take()
			open = append(open, c+2) // its closing bracket
		case ']', '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return s.fault(Parse, "%q closes nothing", c)
			}
			s.take()
			open = open[:len(open)-1]
		case '"':
			if _, _, err := s.str(); err != nil {
				return err
			}
		case ',', ':':
			if len(open) == 0 {
				return s.fault(Parse, "%q where a value belongs", c)
			}
			s.take()
			continue
		default:
			if _, err := s.bare(); err != nil {
				return err
			}
		}
		if len(open) == 0 {
			return nil
		}
	}
}
