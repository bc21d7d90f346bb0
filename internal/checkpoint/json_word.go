package checkpoint

import (
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str takes a string. Of a long one the first jsonWord bytes are kept, and cut
// says that there were more.
func (s *jsonScan) str() (text string, cut bool, err error) {
	start := s.off()
	if c, err := s.take(); err != nil || c != '"' {
		if err == nil {
			s.back()
			err = s.fault(Parse, "%q where a name in quotes belongs", c)
		}
		return "", false, err
	}
	s.word = s.word[:0]
	for {
		c, err := s.take()
		if err != nil {
			return "", false, err
		}
		switch {
		case c == '"':
			if !cut && !utf8.Valid(s.word) {
				return "", false, fault(Corrupt, start, "a string that is not UTF-8")
			}
			return string(s.word), cut, nil
		case c < 0x20:
			return "", false, s.fault(Parse, "the control character %q in a string", c)
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", false, err
			}
			if !cut {
				s.word = utf8.AppendRune(s.word, r)
			}
		case !cut:
			s.word = append(s.word, c)
		}
		cut = cut || len(s.word) > jsonWord
	}
}

// escape takes what follows a backslash.
func (s *jsonScan) escape() (rune, error) {
	c, err := s.take()
	if err != nil {
		return 0, err
	}
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		return 0, s.fault(Parse, `the escape \%s in a string`, strings.Trim(strconv.QuoteRune(rune(c)), "'"))
	}
	r, err := s.hex()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	for _, want := range []byte(`\u`) {
		c, err := s.take()
		if err != nil {
			return 0, err
		}
		if c != want {
			return 0, s.fault(Corrupt, "half of a surrogate pair in a string")
		}
	}
	low, err := s.hex()
	if err != nil {
		return 0, err
	}
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, s.fault(Corrupt, "half of a surrogate pair in a string")
	}
	return r, nil
}

// hex takes four hexadecimal digits.
func (s *jsonScan) hex() (rune, error) {
	var p [4]byte
	for i := range p {
		c, err := s.take()
		if err != nil {
			return 0, err
		}
		p[i] = c
	}
	v, err := strconv.ParseUint(string(p[:]), 16, 16)
	if err != nil {
		return 0, s.fault(Parse, `%q after \u in a string`, p[:])
	}
	return rune(v), nil
}

// bare takes a word without quotes: a number, null, true, NaN. It is good until
// the next call.
func (s *jsonScan) bare() ([]byte, error) {
	s.word = s.word[:0]
	for {
		c, err := s.r.ReadByte()
		if err == io.EOF && len(s.word) > 0 {
			return s.word, nil
		}
		if err == io.EOF {
			return nil, s.fault(Truncated, "the text ends inside a value")
		}
		if err != nil {
			return nil, err
		}
		s.read++
		switch c {
		case ' ', '\n', '\t', '\r', ',', ']', '}', '[', '{', ':', '"':
			s.back()
			if len(s.word) == 0 {
				return nil, s.fault(Parse, "%q where a value belongs", c)
			}
			return s.word, nil
		}
		if s.word = append(s.word, c); len(s.word) > jsonWord {
			return nil, s.fault(Parse, "%s is not a value", quoted(string(s.word)))
		}
	}
}

// jsonNumber reads a bare word as a number, or says why it is none. null is NaN.
func jsonNumber(word []byte) (v float64, why string) {
	switch string(word) {
	case "null", "NaN":
		return math.NaN(), ""
	case "Infinity":
		return math.Inf(1), ""
	case "-Infinity":
		return math.Inf(-1), ""
	}
	if !isJSONNumber(word) {
		return 0, quoted(string(word)) + " is not a number"
	}
	v, err := strconv.ParseFloat(string(word), 64)
	if err != nil {
		return 0, quoted(string(word)) + " does not fit a float64"
	}
	return v, ""
}

// isJSONNumber tells whether a word follows JSON's rules for numbers.
func isJSONNumber(w []byte) bool {
	digits := func() int {
		n := 0
		for n < len(w) && w[n] >= '0' && w[n] <= '9' {
			n++
		}
		w = w[n:]
		return n
	}
	if len(w) > 0 && w[0] == '-' {
		w = w[1:]
	}
	zero := len(w) > 0 && w[0] == '0'
	if n := digits(); n == 0 || zero && n > 1 {
		return false
	}
	if len(w) > 0 && w[0] == '.' {
		w = w[1:]
		if digits() == 0 {
			return false
		}
	}
	if len(w) > 0 && (w[0] == 'e' || w[0] == 'E') {
		w = w[1:]
		if len(w) > 0 && (w[0] == '-' || w[0] == '+') {
			w = w[1:]
		}
		if digits() == 0 {
			return false
		}
	}
	return len(w) == 0
}
