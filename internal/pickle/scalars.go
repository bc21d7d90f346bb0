package pickle

import (
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

func (m *machine) textInt() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	if s := string(line[:min(len(line), 3)]); m.data[m.op] == 'I' && (s == "00" || s == "01") {
		return m.push(s == "01")
	}
	if len(line) > m.limits.MaxDigits+1 {
		return m.fault(TooLarge, "a number of %d characters", len(line))
	}
	v, err := number(string(line), m.limits.MaxDigits)
	if err != nil {
		return m.fault(Corrupt, "%s", err)
	}
	return m.push(v)
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
		return m.fault(TooLarge, "an integer of %d bytes", n)
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

func (m *machine) textFloat() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	if len(line) > m.limits.MaxDigits {
		return m.fault(TooLarge, "a number of %d characters", len(line))
	}
	f, err := strconv.ParseFloat(string(line), 64)
	if err != nil && f == 0 { // out of range gives an infinity, as in Python
		return m.fault(Corrupt, "%q is no number", clip(string(line)))
	}
	return m.push(f)
}

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

func (m *machine) oldText(size int) error {
	p, err := m.counted(size, size == 4)
	if err != nil {
		return err
	}
	return m.push(str(p))
}

func (m *machine) bytes(size int) error {
	p, err := m.counted(size, false)
	if err != nil {
		return err
	}
	return m.push(Bytes(p))
}
