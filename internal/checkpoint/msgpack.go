package checkpoint

import "context"

// How much of a MessagePack file is read at once: little after a jump, twice as
// much each time that what follows is wanted, too. A key is never longer than the
// most.
const (
	leastAhead = 4 << 10
	mostAhead  = 64 << 10
)

// msgpackReader walks through a MessagePack file token by token, and jumps over
// what is only data. No more than mostAhead bytes of it are in memory.
type msgpackReader struct {
	ctx    context.Context
	b      *blob
	off    int64  // of the next token
	end    int64  // of the value at work: the file's, or an extension's
	window []byte // the file's bytes from start on
	start  int64
	ahead  int   // bytes read last
	rest   int64 // bytes that tokens may still take
	most   int64
}

// newMsgpackReader starts at the front of the file. Tokens, which are all but the
// data jumped over, may take most bytes together.
func newMsgpackReader(ctx context.Context, b *blob, most int64) *msgpackReader {
	return &msgpackReader{ctx: ctx, b: b, end: b.size, rest: most, most: most}
}

// take gives the next n bytes, up to mostAhead, and goes behind them. They hold
// until the next call.
func (m *msgpackReader) take(n int) ([]byte, error) {
	p, err := m.peek(n)
	if err != nil {
		return nil, err
	}
	if m.rest -= int64(n); m.rest < 0 {
		return nil, fault(HeaderTooLarge, m.off, "keys and small values take over %d bytes", m.most)
	}
	m.off += int64(n)
	return p, nil
}

// peek gives the next n bytes, up to mostAhead, and stays.
func (m *msgpackReader) peek(n int) ([]byte, error) {
	if err := m.holds(int64(n)); err != nil {
		return nil, err
	}
	if from := m.off - m.start; from < 0 || from+int64(n) > int64(len(m.window)) {
		if err := m.fill(n); err != nil {
			return nil, err
		}
	}
	from := int(m.off - m.start)
	return m.window[from : from+n], nil
}

// fill puts n bytes or more from off on into the window.
func (m *msgpackReader) fill(n int) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if m.off >= m.start && m.off <= m.start+int64(len(m.window)) {
		m.ahead = min(2*m.ahead, mostAhead)
	} else {
		m.ahead = 0
	}
	m.ahead = max(m.ahead, leastAhead, n)
	size := int(min(int64(m.ahead), m.b.size-m.off))
	if cap(m.window) < size {
		m.window = make([]byte, size)
	}
	m.window, m.start = m.window[:size], m.off
	got, err := m.b.ReadAt(m.window, m.off)
	m.window = m.window[:got]
	if got < n {
		return readFault(m.off+int64(got), err)
	}
	return nil
}

// jump goes over n bytes unread.
func (m *msgpackReader) jump(n int64) error {
	if err := m.holds(n); err != nil {
		return err
	}
	m.off += n
	return nil
}

// holds refuses n bytes that do not lie before the end of the value at work.
func (m *msgpackReader) holds(n int64) error {
	if m.end < m.b.size && n > m.end-m.off {
		return fault(Corrupt, m.off, "%d bytes wanted, but the extension they stand in has %d left", n, m.end-m.off)
	}
	return m.b.holds(m.off, n)
}

// within runs read on the next n bytes, which a token has promised, as if nothing
// came behind them, and refuses what read leaves over.
func (m *msgpackReader) within(n int64, read func() error) error {
	outer := m.end
	m.end = m.off + n
	if err := read(); err != nil {
		return err
	}
	if m.off < m.end {
		return fault(Corrupt, m.off, "%d bytes too many in an extension", m.end-m.off)
	}
	m.end = outer
	return nil
}
