package pickle

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Decode reads one pickle. The report holds what was seen until the end or the
// error, which is an *Error.
func Decode(data []byte, l Limits) (Value, *Report, error) {
	m := &machine{
		data:    data,
		limits:  l.withDefaults(),
		memo:    map[int64]Value{},
		globals: map[[2]string]*Global{},
		report:  &Report{},
	}
	v, err := m.run()
	m.report.Len = int64(m.pos)
	if err != nil {
		return nil, m.report, err
	}
	return v, m.report, nil
}

// machine is the state of a pickle machine. The stack's part above the last
// mark is all that an opcode may touch.
type machine struct {
	data    []byte
	pos     int
	op      int // where the opcode at work stands
	limits  Limits
	stack   []Value
	marks   []int // heights of the stack
	memo    map[int64]Value
	globals map[[2]string]*Global
	objects int // what was built so far, against MaxObjects
	report  *Report
}

// run executes opcodes until STOP.
func (m *machine) run() (Value, error) {
	for {
		m.op = m.pos
		if m.pos == len(m.data) {
			return nil, m.fault(Truncated, "the pickle ends without STOP")
		}
		code := m.data[m.pos]
		m.pos++
		if code == '.' {
			return m.pop()
		}
		do := steps[code]
		if do == nil {
			return nil, m.fault(Corrupt, "0x%02x is no opcode", code)
		}
		if err := do(m); err != nil {
			return nil, err
		}
	}
}

// fault makes an error at the opcode at work.
func (m *machine) fault(k Kind, format string, args ...any) error {
	return &Error{k, int64(m.op), fmt.Sprintf(format, args...)}
}

// charge counts what is about to be built.
func (m *machine) charge(n int) error {
	if m.objects += n; m.objects > m.limits.MaxObjects {
		return m.fault(TooLarge, "more than %d objects", m.limits.MaxObjects)
	}
	return nil
}

// take gives the next n bytes.
func (m *machine) take(n uint64) ([]byte, error) {
	if rest := len(m.data) - m.pos; n > uint64(rest) {
		return nil, m.fault(Truncated, "%d bytes wanted, but %d are left", n, rest)
	}
	p := m.data[m.pos : m.pos+int(n)]
	m.pos += int(n)
	return p, nil
}

// count reads a little-endian unsigned number of 1, 2, 4 or 8 bytes.
func (m *machine) count(size int) (uint64, error) {
	p, err := m.take(uint64(size))
	if err != nil {
		return 0, err
	}
	var b [8]byte
	copy(b[:], p)
	return binary.LittleEndian.Uint64(b[:]), nil
}

// counted gives the bytes after a count of size bytes. A signed count below
// zero is Corrupt.
func (m *machine) counted(size int, signed bool) ([]byte, error) {
	n, err := m.count(size)
	if err != nil {
		return nil, err
	}
	if signed && int32(n) < 0 {
		return nil, m.fault(Corrupt, "a length of %d", int32(n))
	}
	return m.take(n)
}

// line gives the bytes up to a newline, which is not kept.
func (m *machine) line() ([]byte, error) {
	i := bytes.IndexByte(m.data[m.pos:], '\n')
	if i < 0 {
		return nil, m.fault(Truncated, "a line without an end")
	}
	p := m.data[m.pos : m.pos+i]
	m.pos += i + 1
	return bytes.TrimSuffix(p, []byte("\r")), nil
}

// push puts a value on the stack.
func (m *machine) push(v Value) error {
	if len(m.stack) >= m.limits.MaxStack {
		return m.fault(TooLarge, "more than %d values on the stack", m.limits.MaxStack)
	}
	m.stack = append(m.stack, v)
	return nil
}

// build puts a new container on the stack, counted with its items.
func (m *machine) build(v Value, items int) error {
	if err := m.charge(1 + items); err != nil {
		return err
	}
	return m.push(v)
}

// floor is the height below which no opcode may reach.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

// need checks that n values stand above the last mark.
func (m *machine) need(n int) error {
	if have := len(m.stack) - m.floor(); have < n {
		return m.fault(Corrupt, "%d values wanted on the stack, but there are %d", n, have)
	}
	return nil
}

// pop takes the top value.
func (m *machine) pop() (Value, error) {
	if err := m.need(1); err != nil {
		return nil, err
	}
	last := len(m.stack) - 1
	v := m.stack[last]
	m.stack[last] = nil
	m.stack = m.stack[:last]
	return v, nil
}

// popN takes the top n values as a slice of their own.
func (m *machine) popN(n int) ([]Value, error) {
	if err := m.need(n); err != nil {
		return nil, err
	}
	return m.cut(len(m.stack) - n), nil
}

// popMark takes everything above the last mark, and the mark.
func (m *machine) popMark() ([]Value, error) {
	if len(m.marks) == 0 {
		return nil, m.fault(Corrupt, "no mark on the stack")
	}
	at := m.floor()
	m.marks = m.marks[:len(m.marks)-1]
	return m.cut(at), nil
}

// cut takes the stack from a height up as a slice of its own.
func (m *machine) cut(at int) []Value {
	if at == len(m.stack) {
		return nil
	}
	items := append([]Value(nil), m.stack[at:]...)
	clear(m.stack[at:])
	m.stack = m.stack[:at]
	return items
}

// top gives the top value and leaves it there.
func (m *machine) top() (Value, error) {
	if err := m.need(1); err != nil {
		return nil, err
	}
	return m.stack[len(m.stack)-1], nil
}
