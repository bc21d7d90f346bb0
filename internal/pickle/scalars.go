package pickle

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// integer pushes a binary integer; only the one of 4 bytes has a sign.
func (m *machine) integer(size int) error {
	n, err := m.count(size)
	if err != nil {
		return err
	}
	if size == 4 {
		return m.push(int64(int32(n)))
	}
	return m.push(int64(n))
}

// textInt is INT and LONG. The words 00 and 01 of an INT are False and True.
func (m *machine) textInt() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	if m.data[m.op] == 'I' && (string(line) == "00" || string(line) == "01") {
		return m.push(string(line) == "01")
	}
	digits := bytes.TrimSuffix(line, []byte("L")) // Python 2's, of a long
	if err := m.short(digits); err != nil {
		return err
	}
	v, err := number(string(digits))
	if err != nil {
		return m.fault(Corrupt, "%s", err)
	}
	return m.push(v)
}

// short refuses a number of more characters than one may have.
func (m *machine) short(number []byte) error {
	if len(number) > m.limits.MaxDigits {
		return m.fault(TooLarge, "a number of %d characters, limit %d", len(number), m.limits.MaxDigits)
	}
	return nil
}

// long pushes a two's complement integer of any length.
func (m *machine) long(size int) error {
	n, err := m.count(size)
	switch {
	case err != nil:
		return err
	case size == 4 && int32(n) < 0:
		return m.fault(Corrupt, "a length of %d", int32(n))
	case n > uint64(m.limits.MaxLong):
		return m.fault(TooLarge, "an integer of %d bytes, limit %d", n, m.limits.MaxLong)
	}
	p, err := m.take(n)
	if err != nil {
		return err
	}
	return m.push(little(p))
}

// float reads a big-endian float64.
func (m *machine) float() error {
	p, err := m.take(8)
	if err != nil {
		return err
	}
	return m.push(math.Float64frombits(binary.BigEndian.Uint64(p)))
}

// textFloat is FLOAT.
func (m *machine) textFloat() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	if err := m.short(line); err != nil {
		return err
	}
	f, err := strconv.ParseFloat(string(line), 64)
	if err != nil && f == 0 { // out of range gives an infinity, as in Python
		return m.fault(Corrupt, "%q is no number", clip(string(line)))
	}
	return m.push(f)
}

// text pushes a counted UTF-8 text.
func (m *machine) text(size int) error {
	p, err := m.counted(size, false)
	if err != nil {
		return err
	}
	if !validText(p) {
		return m.fault(Corrupt, "a text that is no UTF-8")
	}
	return m.push(string(p))
}

// rawText is UNICODE, protocol 0's text.
func (m *machine) rawText() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	s, err := rawUnicode(line)
	if err != nil {
		return m.fault(Corrupt, "%s", err)
	}
	return m.push(s)
}

// quotedText is STRING, protocol 0's text of Python 2.
func (m *machine) quotedText() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	v, err := quoted(line)
	if err != nil {
		return m.fault(Corrupt, "%s", err)
	}
	return m.push(v)
}

// oldText pushes a counted string of Python 2, whose longer count has a sign.
func (m *machine) oldText(size int) error {
	p, err := m.counted(size, size == 4)
	if err != nil {
		return err
	}
	return m.push(str(p))
}

// bytes pushes counted bytes.
func (m *machine) bytes(size int) error {
	p, err := m.counted(size, false)
	if err != nil {
		return err
	}
	return m.push(Bytes(p))
}
