package checkpoint

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/snappy"
)

const (
	tfTrailerLen = 5  // bytes behind a block: its type and its CRC-32C
	snappyMost   = 22 // bytes that snappy makes of one at most: 64 of 3
)

// tfBlock is a block of a table, unpacked: entries, where some of them start, and
// the number of those, the last two as little-endian uint32.
type tfBlock struct {
	data   []byte
	off    int64 // in the file
	packed bool
}

// block reads a block and compares its CRC-32C, which is that of its bytes and of
// its type (0 as it is, 1 packed by snappy).
func (t *tfTable) block(h tfHandle) (*tfBlock, error) {
	if end := t.b.size - tfFooterLen - tfTrailerLen; h.size > end || h.off > end-h.size {
		return nil, fault(Corrupt, -1, "the table has a block of %v, but the file only %d bytes", h, t.b.size)
	}
	if err := t.spend(h.size, h.off); err != nil {
		return nil, err
	}
	p, err := t.b.bytes(h.off, h.size+tfTrailerLen)
	if err != nil {
		return nil, err
	}
	body, trailer := p[:h.size], p[h.size:]
	if want, have := binary.LittleEndian.Uint32(trailer[1:]), maskedCRC(crc32c(p[:h.size+1])); have != want {
		return nil, fault(Corrupt, h.off, "the CRC-32C of a block of %d bytes is %08x, not %08x: the file was damaged", h.size, have, want)
	}
	block := &tfBlock{data: body, off: h.off}
	switch trailer[0] {
	case 0:
		return block, nil
	case 1:
		block.packed = true
		block.data, err = t.unpack(body, h.off)
		return block, err
	}
	return nil, fault(Unsupported, h.off+h.size, "a block is packed by method %d; those packed by snappy (1) or not at all (0) are read", trailer[0])
}

// unpack undoes snappy, whose bytes begin with the length of what is in them.
func (t *tfTable) unpack(body []byte, off int64) ([]byte, error) {
	n, err := snappy.DecodedLen(body)
	if err != nil {
		return nil, fault(Corrupt, off, "a block packed by snappy has no length")
	}
	if int64(n) > snappyMost*int64(len(body)) {
		return nil, fault(Corrupt, off, "a block of %d bytes packed by snappy claims to hold %d, more than it can", len(body), n)
	}
	if err := t.spend(int64(n), off); err != nil {
		return nil, err
	}
	data, err := snappy.DecodeStrict(nil, body)
	if err != nil {
		return nil, fault(Corrupt, off, "a block packed by snappy can't be unpacked")
	}
	return data, nil
}

// each gives every key and its value. A key is stored as how many bytes it shares
// with the one before, how many it adds, the length of its value, all varints,
// and then what it adds. Neither slice is to be kept.
func (b *tfBlock) each(entry func(key, value []byte, off int64) error) error {
	p, err := b.entries()
	if err != nil {
		return err
	}
	var key []byte
	for pos := 0; pos < len(p); {
		off := b.at(pos)
		var lengths [3]int
		for i := range lengths {
			u, n := binary.Uvarint(p[pos:])
			if n <= 0 || u > math.MaxInt32 {
				return fault(Corrupt, off, "an entry of the table without its three lengths")
			}
			lengths[i] = int(u)
			pos += n
		}
		shared, own, value := lengths[0], lengths[1], lengths[2]
		if shared > len(key) {
			return fault(Corrupt, off, "a key shares %d bytes with the one before, which has %d", shared, len(key))
		}
		if left := len(p) - pos; own > left || value > left-own {
			return fault(Corrupt, off, "an entry claims %d bytes of key and %d of value, but its block has %d left", own, value, left)
		}
		key = append(key[:shared], p[pos:pos+own]...)
		pos += own
		if err := entry(key, p[pos:pos+value], off); err != nil {
			return err
		}
		pos += value
	}
	return nil
}

// entries cuts off the places where keys stand in full, which only a search needs.
func (b *tfBlock) entries() ([]byte, error) {
	left := len(b.data) - 4
	if left < 0 {
		return nil, fault(Corrupt, b.off, "a block of %d bytes, too short for any", len(b.data))
	}
	n := binary.LittleEndian.Uint32(b.data[left:])
	if int64(n) > int64(left)/4 {
		return nil, fault(Corrupt, b.at(left), "a block of %d bytes claims %d places where keys stand in full", len(b.data), n)
	}
	return b.data[:left-4*int(n)], nil
}

// at is where in the file a byte of the block is.
func (b *tfBlock) at(pos int) int64 {
	if b.packed {
		return b.off
	}
	return b.off + int64(pos)
}

// maskedCRC is a CRC-32C as LevelDB and TensorFlow store it, so that the CRC of
// bytes with a CRC in them is no special one.
func maskedCRC(sum uint32) uint32 { return (sum>>15 | sum<<17) + 0xa282ead8 }
