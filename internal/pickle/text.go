package pickle

import (
	"bytes"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads the text of a decimal integer.
func number(s string) (Value, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, errors.New(strconv.Quote(clip(s)) + " is no integer")
	}
	return n, nil
}

// little reads a two's complement integer of any length, little-endian.
func little(p []byte) Value {
	if len(p) == 0 {
		return int64(0)
	}
	negative := p[len(p)-1]&0x80 != 0
	if len(p) <= 8 {
		var u uint64
		if negative {
			u = ^uint64(0) << (8 * len(p)) // 8 bytes: the shift leaves nothing
		}
		for i, c := range p {
			u |= uint64(c) << (8 * i)
		}
		return int64(u)
	}
	be := make([]byte, len(p))
	for i, c := range p {
		be[len(p)-1-i] = c
	}
	n := new(big.Int).SetBytes(be)
	if negative {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(p))))
	}
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// str gives a Python 2 string: text where it is UTF-8, else bytes.
func str(p []byte) Value {
	if utf8.Valid(p) {
		return string(p)
	}
	return Bytes(p)
}

// validText tells whether the bytes are UTF-8, lone surrogates allowed, which
// Python writes for file names that are no text.
func validText(p []byte) bool {
	if utf8.Valid(p) {
		return true
	}
	for len(p) > 0 {
		if r, n := utf8.DecodeRune(p); r != utf8.RuneError || n > 1 {
			p = p[n:]
			continue
		}
		if len(p) < 3 || p[0] != 0xed || p[1]&0xe0 != 0xa0 || p[2]&0xc0 != 0x80 {
			return false
		}
		p = p[3:]
	}
	return true
}

// rawUnicode decodes protocol 0's text: Latin-1 with \uXXXX and \UXXXXXXXX.
func rawUnicode(line []byte) (string, error) {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		n := 0
		if line[i] == '\\' && i+1 < len(line) {
			switch line[i+1] {
			case 'u':
				n = 4
			case 'U':
				n = 8
			}
		}
		if n == 0 {
			b.WriteRune(rune(line[i]))
			continue
		}
		if len(line) < i+2+n {
			return "", errors.New("a cut \\u escape")
		}
		r, err := strconv.ParseUint(string(line[i+2:i+2+n]), 16, 32)
		if err != nil || r > utf8.MaxRune {
			return "", errors.New("a bad \\u escape")
		}
		b.WriteRune(rune(r))
		i += 1 + n
	}
	return b.String(), nil
}

// quoted decodes protocol 0's repr of a Python 2 string.
func quoted(line []byte) (Value, error) {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) < 2 || line[0] != line[len(line)-1] || line[0] != '\'' && line[0] != '"' {
		return nil, errors.New("a string without quotes")
	}
	line = line[1 : len(line)-1]
	if bytes.IndexByte(line, '\\') < 0 {
		return str(line), nil
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++
		if i == len(line) {
			return nil, errors.New("a backslash at a string's end")
		}
		switch c = line[i]; c {
		case '\\', '\'', '"':
			out = append(out, c)
		case 'n', 't', 'r', 'a', 'b', 'f', 'v':
			out = append(out, "\n\t\r\a\b\f\v"[strings.IndexByte("ntrabfv", c)])
		case 'x':
			if i+2 >= len(line) {
				return nil, errors.New("a cut \\x escape")
			}
			n, err := strconv.ParseUint(string(line[i+1:i+3]), 16, 8)
			if err != nil {
				return nil, errors.New("a bad \\x escape")
			}
			out = append(out, byte(n))
			i += 2
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, end := 0, min(i+3, len(line))
			for ; i < end && line[i] >= '0' && line[i] <= '7'; i++ {
				n = n*8 + int(line[i]-'0')
			}
			i--
			out = append(out, byte(n))
		default:
			out = append(out, '\\', c)
		}
	}
	return str(out), nil
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
