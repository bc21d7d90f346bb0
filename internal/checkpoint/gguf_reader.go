package checkpoint

import (
	"context"
	"encoding/binary"
	"unicode/utf8"
)

// How much a ggufReader reads at once.
const (
	ggufJump  = 4 << 10   // at first, and behind a jump
	ggufAhead = 256 << 10 // at most, as long as it does not jump
)

// maxGGUFName bounds keys and names, as the format itself does for keys.
const maxGGUFName = 1<<16 - 1

// ggufReader goes through a header from front to back. What it reads ahead grows
// until something long is skipped, so that a long header takes few reads, and a
// short one few bytes that are not its own.
type ggufReader struct {
	ctx    context.Context
	b      *blob
	order  binary.ByteOrder
	place  int64  // of the next byte in the file
	limit  int64  // where a header has to have ended
	ahead  []byte // bytes from place on that are read already
	buffer []byte // where they are
	next   int64  // how many to read the next time
}

// take gives the next n bytes, which are valid until the next call.
func (r *ggufReader) take(n int64) ([]byte, error) {
	if n > int64(len(r.ahead)) {
		if err := r.fill(n); err != nil {
			return nil, err
		}
	}
	p := r.ahead[:n]
	r.ahead, r.place = r.ahead[n:], r.place+n
	return p, nil
}

// fill reads n bytes at least.
func (r *ggufReader) fill(n int64) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if err := r.holds(n); err != nil {
		return err
	}
	size := min(max(n, r.next), r.b.size-r.place, r.limit-r.place)
	if int64(cap(r.buffer)) < size {
		r.buffer = make([]byte, size)
	}
	p := r.buffer[:size]
	if got, err := r.b.ReadAt(p, r.place); got < len(p) {
		return readFault(r.place+int64(got), err)
	}
	r.ahead, r.next = p, min(2*r.next, ggufAhead)
	return nil
}

// skip passes over the next n bytes.
func (r *ggufReader) skip(n int64) error {
	if n <= int64(len(r.ahead)) {
		r.ahead = r.ahead[n:]
	} else {
		if err := r.holds(n); err != nil {
			return err
		}
		if n > r.next {
			r.next = ggufJump
		}
		r.ahead = nil
	}
	r.place += n
	return nil
}

// holds refuses a header that goes on for n bytes that are too many, or that the
// file does not have.
func (r *ggufReader) holds(n int64) error {
	if n > r.limit-r.place {
		return fault(HeaderTooLarge, r.place, "the header goes on past the %d bytes that are allowed", r.limit)
	}
	return r.b.holds(r.place, n)
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
	if left := r.b.size - r.place; n > uint64(left/each) {
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
