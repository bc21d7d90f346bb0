package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
)

const (
	tfFooterLen  = 48 // bytes of a table's footer
	tfHandlesLen = 40 // of the footer, up to the magic number
)

// tfTable reads a LevelDB table: blocks of keys and values in the order of their
// keys, a block that has a handle for each of them, and a footer.
//
//	table:  data blocks, metaindex block, index block, footer
//	footer: handle of the metaindex, handle of the index, zeros, magic number
//	handle: offset and size of a block, both varints
//
//	https://github.com/google/leveldb, doc/table_format.md
type tfTable struct {
	b      *blob
	limits Limits
	used   int64  // bytes of all blocks and keys so far
	next   int64  // where the next data block may begin
	last   []byte // the key before; nil at the start
}

// tfHandle is where a block stands in the file.
type tfHandle struct{ off, size int64 }

// each gives every key and its value, and the place of that entry: where its
// block is unpacked from, for a packed one. Keys must rise, and blocks with them.
func (t *tfTable) each(ctx context.Context, entry func(key, value []byte, off int64) error) error {
	at, err := t.footer()
	if err != nil {
		return err
	}
	index, err := t.block(at)
	if err != nil {
		return err
	}
	return index.each(func(_, value []byte, off int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, rest, ok := cutHandle(value)
		if !ok || len(rest) > 0 {
			return fault(Corrupt, off, "the index block has %s where the place of a block belongs", quoted(string(value)))
		}
		if h.off < t.next { // one block named over and over would cost as many reads
			return fault(Corrupt, off, "the table has a block of %v, but the one before ends at %d", h, t.next)
		}
		data, err := t.block(h)
		if err != nil {
			return err
		}
		t.next = h.off + h.size + tfTrailerLen
		return data.each(func(key, value []byte, off int64) error {
			if err := t.follow(key, off); err != nil {
				return err
			}
			return entry(key, value, off)
		})
	})
}

// footer reads where the index block is.
func (t *tfTable) footer() (tfHandle, error) {
	if t.b.size < tfFooterLen {
		return tfHandle{}, fault(Truncated, t.b.size, "the index of a TensorFlow checkpoint ends in a footer of %d bytes, but the file has %d", tfFooterLen, t.b.size)
	}
	start := t.b.size - tfFooterLen
	p, err := t.b.bytes(start, tfFooterLen)
	if err != nil {
		return tfHandle{}, err
	}
	if magic := p[tfHandlesLen:]; string(magic) != tableMagic {
		return tfHandle{}, fault(Corrupt, start+tfHandlesLen, "the index of a TensorFlow checkpoint ends in % x, but this file in % x: it is cut short, or something else", tableMagic, magic)
	}
	_, p, ok := cutHandle(p[:tfHandlesLen])
	h, _, ok2 := cutHandle(p)
	if !ok || !ok2 {
		return tfHandle{}, fault(Corrupt, start, "the table's footer holds no places of blocks")
	}
	return h, nil
}

// cutHandle takes a handle off the front of p.
func cutHandle(p []byte) (h tfHandle, rest []byte, ok bool) {
	for _, v := range []*int64{&h.off, &h.size} {
		u, n := binary.Uvarint(p)
		if n <= 0 || u > math.MaxInt64 {
			return h, p, false
		}
		*v, p = int64(u), p[n:]
	}
	return h, p, true
}

// follow checks that a key comes after the one before, and that all keys together
// stay in bounds: each may be nearly as long as the one before at the cost of a
// few bytes.
func (t *tfTable) follow(key []byte, off int64) error {
	if t.last != nil {
		switch bytes.Compare(key, t.last) {
		case 0:
			return &Error{Kind: DuplicateName, Tensor: string(key), Off: off, Msg: "stands twice in the index"}
		case -1:
			return fault(Corrupt, off, "the key %s follows %s, but keys must rise", quoted(string(key)), quoted(string(t.last)))
		}
	}
	if t.last = append(t.last[:0], key...); t.last == nil {
		t.last = []byte{}
	}
	return t.spend(int64(len(key)), off)
}

// spend counts bytes that a block or a key takes in memory.
func (t *tfTable) spend(n, off int64) error {
	if n > t.limits.MaxHeader-t.used {
		return fault(HeaderTooLarge, off, "the index takes over %d bytes", t.limits.MaxHeader)
	}
	t.used += n
	return nil
}

// String says a handle in a message.
func (h tfHandle) String() string { return fmt.Sprintf("%d bytes at %d", h.size, h.off) }
