package checkpoint

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"poslens/internal/tensor"
)

// The sizes of one read. A long tensor takes larger bites, so that every core
// has enough to decode.
const (
	pieceBytes    = 1 << 20
	pieceElements = 1 << 20
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
	return readTensor(ctx, io.NewSectionReader(b, off, e.bytes), info, e, off, order)
}

// extent is what a tensor takes.
type extent struct {
	count int   // elements
	span  int64 // stored elements from its first to its last
	bytes int64 // of the span
}

// measure gives the extent of a tensor that passes every check that needs no
// data: a readable dtype, a possible shape, the limit on elements, n bytes to lie
// in, and, where stored elements stand for several, a sane ratio to size, the
// bytes of the file.
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
	width := int64(info.DType.Size())
	if have := max(n, 0) / width; span > have {
		return extent{}, fault(OutOfRange, -1, "shape %v reaches %d elements of %v far, but its storage has %d from there on", info.Shape, span, info.DType, have)
	}
	if int64(count) > span && int64(count)/l.MaxRatio > size {
		return extent{}, fault(TooLarge, -1, "%d stored elements stand for %d, over %d times the file's %d bytes", span, count, l.MaxRatio, size)
	}
	return extent{count, span, span * width}, nil
}

// readTensor reads a tensor of this extent from r, which holds its span and
// starts at the byte off of the file, piece by piece straight into place.
func readTensor(ctx context.Context, r io.Reader, info tensor.Info, e extent, off int64, order binary.ByteOrder) (*tensor.Tensor, error) {
	size := int64(info.DType.Size())
	piece := pieceBytes / size
	if e.span >= pieceElements {
		piece = pieceElements
	}
	piece = min(piece, e.span)
	dense := info.Dense()
	t := &tensor.Tensor{Info: info, Data: make([]float64, e.count)}
	raw := make([]byte, piece*size)
	var loose []float64 // decoded, not yet in place
	if !dense {
		loose = make([]float64, piece)
	}
	for from := int64(0); from < e.span; from += piece {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw := raw[:min(piece, e.span-from)*size]
		if got, err := io.ReadFull(r, raw); err != nil {
			return nil, at(readFault(off+from*size+int64(got), err), info.Name, -1)
		}
		into := loose
		if dense {
			into = t.Data[from:]
		}
		into = into[:int64(len(raw))/size]
		if err := tensor.Decode(into, raw, info.DType, order); err != nil {
			return nil, at(err, info.Name, off)
		}
		if !dense {
			tensor.Gather(t.Data, into, from, info)
		}
	}
	return t, nil
}

// count is tensor.Count under the limits, with its refusals as Errors.
func count(shape []int, l Limits) (int, error) {
	n, err := tensor.Count(shape, l.MaxElements)
	if err != nil {
		return 0, shapeFault(err)
	}
	return n, nil
}

// shapeFault is the Error of what package tensor says of a shape.
func shapeFault(err error) *Error {
	kind := BadShape
	switch {
	case errors.Is(err, tensor.ErrTooLarge):
		kind = TooLarge
	case errors.Is(err, tensor.ErrRange):
		kind = OutOfRange
	}
	return fault(kind, -1, "%v", err)
}

// unreadable is the Error of reading a tensor whose dtype was only listed.
func unreadable(stored string) *Error {
	return fault(UnsupportedDType, -1, "elements of type %s are not read", quoted(stored))
}
