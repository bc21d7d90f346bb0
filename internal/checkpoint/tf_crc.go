package checkpoint

import (
	"cmp"
	"hash/crc32"
	"io"
	"slices"
	"sync"
)

// crcPieces is a ReaderAt that sums up what is read through it, once each and in
// any order, by several at once.
type crcPieces struct {
	io.ReaderAt
	mu     sync.Mutex
	pieces []crcPiece
}

// crcPiece is a piece that was read and its CRC-32C.
type crcPiece struct {
	off, n int64
	sum    uint32
}

// ReadAt reads as the ReaderAt below does.
func (c *crcPieces) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	piece := crcPiece{off, int64(n), crc32c(p[:n])}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pieces = append(c.pieces, piece)
	return n, err
}

// sum is the CRC-32C of all that was read, in the order of the file.
func (c *crcPieces) sum() uint32 {
	slices.SortFunc(c.pieces, func(a, b crcPiece) int { return cmp.Compare(a.off, b.off) })
	sum := uint32(0)
	for _, p := range c.pieces {
		sum = behind(sum, p.n) ^ p.sum
	}
	return sum
}

// behind is what a CRC-32C becomes when n bytes follow that do not count. A CRC is
// linear in its bytes but for what it inverts at its start and its end, so
//
//	crc(front, back) = behind(crc(front), len(back)) ^ crc(back)
func behind(sum uint32, n int64) uint32 {
	var zeros [4096]byte
	table := crc32.MakeTable(crc32.Castagnoli)
	sum = ^sum
	for ; n > 0; n -= min(n, int64(len(zeros))) {
		sum = crc32.Update(sum, table, zeros[:min(n, int64(len(zeros)))])
	}
	return ^sum
}
