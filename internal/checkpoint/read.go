package checkpoint

import (
	"context"
	"encoding/binary"
	"errors"

	"poslens/internal/tensor"
)

// tensor reads the tensor whose first element is at off. It may touch the n
// bytes from there on: more is OutOfRange, and a piece of them that the file does
// not have is Truncated. Only the span that a strided view touches is read.
func (b *blob) tensor(ctx context.Context, info tensor.Info, off, n int64, order binary.ByteOrder, l Limits) (*tensor.Tensor, error) {
	e, err := measure(info, n, b.size, l)
	if err != nil {
		return nil, at(err, info.Name, off)
	}
	if err := b.holds(off, e.bytes); err != nil {
		return nil, at(err, info.Name, off)
	}
	r := newReading(info, e, off, order)
	return r.tensor(r.shared(ctx, b.ReadAt))
}

// extent is what a tensor takes.
type extent struct {
	count int   // elements
	span  int64 // stored elements from its first to its last
	bytes int64 // of the span
}

// measure gives the extent of a tensor that passes every check that needs no
// data: a readable dtype, a possible shape, the limit on elements, whole blocks, n
// bytes to lie in, and, where stored elements stand for several, a sane ratio to
// size, the bytes of the file.
func measure(info tensor.Info, n, size int64, l Limits) (extent, error) {
	if info.DType == tensor.Invalid {
		return extent{}, unreadable(info.Stored)
	}
	count, err := count(info.Shape, l)
	if err != nil {
		return extent{}, err
	}
	span, err := tensor.Span(info)
	if err != nil {
		return extent{}, shapeFault(err)
	}
	block := int64(info.DType.Block())
	if span%block != 0 {
		return extent{}, fault(BadShape, -1, "shape %v has %d elements, which are no whole number of the %d in a block of %v", info.Shape, span, block, info.DType)
	}
	if have := max(n, 0) / int64(info.DType.Size()); span/block > have {
		return extent{}, fault(OutOfRange, -1, "shape %v reaches %d elements of %v far, but its storage has %d from there on", info.Shape, span, info.DType, have*block)
	}
	if int64(count) > span && int64(count)/l.MaxRatio > size {
		return extent{}, fault(TooLarge, -1, "%d stored elements stand for %d, over %d times the file's %d bytes", span, count, l.MaxRatio, size)
	}
	if int64(count) > span && int64(count) > max(size, maxExpanded) {
		return extent{}, fault(TooLarge, -1, "%d stored elements stand for %d, more than the %d that a view may repeat in a file of %d bytes", span, count, int64(maxExpanded), size)
	}
	return extent{count, span, info.DType.Bytes(span)}, nil
}

// maxExpanded is how many elements a view may have that repeats stored ones, or as
// many as the file has bytes.
const maxExpanded = 1 << 24

// count is tensor.Count under the limits, with its refusals as Errors.
func count(shape []int, l Limits) (int, error) {
	n, err := tensor.Count(shape, l.MaxElements)
	if err != nil {
		return 0, shapeFault(err)
	}
	return n, nil
}

// declared is how many elements a header's shape has, or BadShape where there are so
// many that their bits would not fit in an int64, whatever the dtype.
func declared(shape []int) (int64, error) {
	n, err := tensor.Count(shape, 1<<56)
	if err != nil {
		return 0, fault(BadShape, -1, "%v", err)
	}
	return int64(n), nil
}

// shapeFault is the Error of what package tensor says of a shape.
func shapeFault(err error) *Error {
	kind := BadShape
	switch {
	case errors.Is(err, tensor.ErrTooLarge):
		return overElements(-1, "%v", err)
	case errors.Is(err, tensor.ErrRange):
		kind = OutOfRange
	}
	return fault(kind, -1, "%v", err)
}

// unreadable is the Error of reading a tensor whose dtype was only listed.
func unreadable(stored string) *Error {
	return fault(UnsupportedDType, -1, "elements of type %s are not read", quoted(stored))
}
