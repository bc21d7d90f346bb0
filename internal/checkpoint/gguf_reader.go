package checkpoint

import (
	"context"
	"encoding/binary"
	"unicode/utf8"
)

// maxGGUFName bounds keys and names, as the format itself does for keys.
const maxGGUFName = 1<<16 - 1

// ggufReader goes through a header from front to back.
type ggufReader struct {
	window *window
	order  binary.ByteOrder
	place  int64 // of the next byte in the file
	limit  int64 // where a header has to have ended
}

// newGGUFReader starts at a place of the file. A header may take limit bytes.
func newGGUFReader(ctx context.Context, b *blob, order binary.ByteOrder, place, limit int64) ggufReader {
	return ggufReader{newWindow(ctx, b, min(b.size, limit)), order, place, limit}
}

// take gives the next n bytes, which are valid until the next call.
func (r *ggufReader) take(n int64) ([]byte, error) {
	if err := r.holds(n); err != nil {
		return nil, err
	}
	p, err := r.window.bytes(r.place, n)
	if err != nil {
		return nil, err
	}
	r.place += n
	return p, nil
}

// skip passes over the next n bytes. A few are read all the same: a list of short
// texts is no series of jumps.
func (r *ggufReader) skip(n int64) error {
	if n <= windowLeast {
		_, err := r.take(n)
		return err
	}
	if err := r.holds(n); err != nil {
		return err
	}
	r.place += n
	return nil
}

// holds refuses a header that goes on for n bytes that are too many, or that the
// file does not have.
func (r *ggufReader) holds(n int64) error {
	if n > r.window.end-r.place {
		return r.lacks(n)
	}
	return nil
}

// lacks is the Error of n bytes that are too many.
func (r *ggufReader) lacks(n int64) error {
	if n > r.limit-r.place {
		return fault(HeaderTooLarge, r.place, "the header goes on past the %d bytes that are allowed", r.limit)
	}
	return r.window.b.holds(r.place, n)
}

func (r *ggufReader) u32() (uint32, error) {
	p, err := r.take(4)
	if err != nil {
		return 0, err
	}
	return r.order.Uint32(p), nil
}

func (r *ggufReader) u64() (uint64, error) {
	p, err := r.take(8)
	if err != nil {
		return 0, err
	}
	return r.order.Uint64(p), nil
}

// count reads how many things follow. The file must have room for them, when each
// takes so many bytes or more.
func (r *ggufReader) count(what string, each int64) (int64, error) {
	place := r.place
	n, err := r.u64()
	if err != nil {
		return 0, err
	}
	if left := r.window.b.size - r.place; n > uint64(left/each) {
		return 0, fault(Truncated, place, "the number of %s is %d, but the file has only %d bytes more", what, n, left)
	}
	return int64(n), nil
}

// text reads a name. what says whose.
func (r *ggufReader) text(what string) (string, error) {
	place := r.place
	n, err := r.count("bytes of "+what, 1)
	if err != nil {
		return "", err
	}
	if n > maxGGUFName {
		return "", fault(Corrupt, place, "%s of %d bytes, but %d at most are sane", what, n, maxGGUFName)
	}
	p, err := r.take(n)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(p) {
		return "", fault(Corrupt, place, "%s that is not valid UTF-8: %s", what, quoted(string(p)))
	}
	return string(p), nil
}
