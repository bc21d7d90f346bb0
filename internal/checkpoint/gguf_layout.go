package checkpoint

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"poslens/internal/tensor"
)

// finish compares the tensors' bytes with each other and with the file, now that
// the header is read to its end, and lists the tensors.
func (g *gguf) finish(l Limits) (*File, error) {
	base := padded(g.place, g.align)
	if err := g.check(base); err != nil {
		return nil, err
	}
	for _, t := range g.tensors {
		if err := g.file.add(t.info, g.read(t, base, l)); err != nil {
			return nil, at(err, t.info.Name, t.place)
		}
	}
	return g.file, nil
}

// read says how to read a tensor. It holds on to no part of the header.
func (g *gguf) read(t ggufTensor, base int64, l Limits) readFunc {
	b, order := g.window.b, g.order
	return func(ctx context.Context) (*tensor.Tensor, error) {
		if t.info.DType == tensor.Invalid {
			return nil, at(t.typ.unread(), t.info.Name, t.place)
		}
		return b.tensor(ctx, t.info, base+t.begin, t.length, order, l)
	}
}

// check refuses tensors that are out of line, share bytes, or reach past the end.
// Bytes between two of them are nobody's, and no fault.
func (g *gguf) check(base int64) error {
	slices.SortStableFunc(g.tensors, func(a, b ggufTensor) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.length, b.length))
	})
	bad := func(t ggufTensor, kind Kind, off int64, format string, args ...any) error {
		return &Error{Kind: kind, Tensor: t.info.Name, Off: off, Msg: fmt.Sprintf(format, args...)}
	}
	have := max(g.window.b.size-base, 0)
	var end int64
	for _, t := range g.tensors {
		switch {
		case t.begin%g.align != 0:
			return bad(t, Corrupt, t.place, "its bytes start at %d of the data, which is no multiple of the alignment %d", t.begin, g.align)
		case t.begin < end:
			return bad(t, Overlap, t.place, "its bytes start at %d of the data, inside those of another tensor, which end at %d", t.begin, end)
		case t.begin > have && t.begin > padded(end, g.align):
			return bad(t, OutOfRange, t.place, "its bytes start at %d of the data, but the file has %d there", t.begin, have)
		case t.length > have-t.begin:
			return bad(t, Truncated, g.window.b.size, "its bytes are %d to %d of the data, but the file has %d there", t.begin, t.begin+t.length, have)
		}
		end = t.begin + t.length
	}
	return nil
}

// padded is the first multiple of a power of two from n on.
func padded(n, align int64) int64 { return (n + align - 1) &^ (align - 1) }
