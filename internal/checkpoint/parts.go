package checkpoint

import (
	"context"
	"encoding/binary"
	"sort"

	"poslens/internal/tensor"
)

// filePart is a part of a tensor's bytes: n of them from off on.
type filePart struct{ off, n int64 }

// parts reads a row-major, little-endian tensor whose bytes are these parts of
// the file, one after the other. An element may stand across two of them.
func (b *blob) parts(ctx context.Context, info tensor.Info, parts []filePart, l Limits) (*tensor.Tensor, error) {
	if len(parts) == 1 {
		return b.tensor(ctx, info, parts[0].off, parts[0].n, binary.LittleEndian, l)
	}
	ends := make([]int64, len(parts)) // of the parts, among the tensor's bytes
	var n int64
	for i, p := range parts {
		if err := b.holds(p.off, p.n); err != nil {
			return nil, at(err, info.Name, -1)
		}
		n += p.n
		ends[i] = n
	}
	e, err := measure(info, n, b.size, l)
	if err != nil {
		return nil, at(err, info.Name, -1)
	}
	r := newReading(info, e, 0, binary.LittleEndian)
	return r.tensor(r.shared(ctx, func(p []byte, off int64) (int, error) {
		got := 0
		for i := sort.Search(len(ends), func(i int) bool { return ends[i] > off }); got < len(p); i++ {
			part := parts[i]
			from := part.n - (ends[i] - off)
			n := int(min(int64(len(p)-got), part.n-from))
			had, err := b.ReadAt(p[got:got+n], part.off+from)
			got, off = got+had, off+int64(had)
			if had < n { // its place in the file, not among the tensor's bytes
				return got, readFault(part.off+from+int64(had), err)
			}
		}
		return got, nil
	}))
}
