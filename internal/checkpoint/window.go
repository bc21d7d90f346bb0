package checkpoint

import "context"

// How much of a file a window reads at once: the least behind a jump, then twice
// as much each time, up to the most, as long as what is wanted next stands there.
const (
	windowLeast = 4 << 10
	windowMost  = 256 << 10
)

// window gives small pieces of a file that is too large for memory. It holds the
// bytes around the piece given last, so that what stands together takes few
// reads, and what stands far apart few bytes that nobody wants.
type window struct {
	ctx  context.Context
	b    *blob
	end  int64  // where reading ahead stops
	off  int64  // of data in the file
	data []byte // what was read last
}

// newWindow starts at the front of a blob. From end on, only what is asked for is
// read.
func newWindow(ctx context.Context, b *blob, end int64) *window {
	return &window{ctx: ctx, b: b, end: end}
}

// bytes gives n bytes at off, good until the next call. What the file does not
// have is Truncated, before anything is allocated or read.
func (w *window) bytes(off, n int64) ([]byte, error) {
	if i := off - w.off; i >= 0 && n >= 0 && n <= int64(len(w.data))-i {
		return w.data[i : i+n], nil
	}
	return w.fetch(off, n)
}

// fetch is bytes where the window does not have them.
func (w *window) fetch(off, n int64) ([]byte, error) {
	if err := w.b.holds(off, n); err != nil {
		return nil, err
	}
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	got, err := w.read(off, max(n, min(w.ahead(off), w.end-off)))
	if got < n {
		return nil, readFault(off+got, err)
	}
	return w.data[:n], nil // a fault behind them is met by who wants more
}

// ahead is how many bytes to read at off: more than the last time where off is in
// what was read then, or right behind it.
func (w *window) ahead(off int64) int64 {
	have := int64(len(w.data))
	if i := off - w.off; i < 0 || i > have {
		return windowLeast
	}
	return max(windowLeast, min(2*have, windowMost))
}

// read puts the n bytes at off into the window, and tells how many there were.
func (w *window) read(off, n int64) (int64, error) {
	if int64(cap(w.data)) < n {
		w.data = make([]byte, n)
	}
	got, err := w.b.ReadAt(w.data[:n], off)
	w.off, w.data = off, w.data[:got]
	return int64(got), err
}
