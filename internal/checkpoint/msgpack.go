package checkpoint

import "context"

// msgpackReader walks through a MessagePack file token by token, and jumps over
// what is only data.
type msgpackReader struct {
	window *window
	off    int64 // of the next token
	end    int64 // of the value at work: the file's, or an extension's
	rest   int64 // bytes that tokens may still take
	most   int64
}

// newMsgpackReader starts at the front of the file. Tokens, which are all but the
// data jumped over, may take most bytes together.
func newMsgpackReader(ctx context.Context, b *blob, most int64) *msgpackReader {
	return &msgpackReader{window: newWindow(ctx, b, b.size), end: b.size, rest: most, most: most}
}

// take gives the next n bytes and goes behind them. They hold until the next call.
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

// peek gives the next n bytes and stays.
func (m *msgpackReader) peek(n int) ([]byte, error) {
	if err := m.holds(int64(n)); err != nil {
		return nil, err
	}
	return m.window.bytes(m.off, int64(n))
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
	if m.end < m.window.b.size && n > m.end-m.off {
		return fault(Corrupt, m.off, "%d bytes wanted, but the extension they stand in has %d left", n, m.end-m.off)
	}
	return m.window.b.holds(m.off, n)
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
