package checkpoint

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"

	"poslens/internal/tensor"
)

// blob is the bytes of one file: a ReaderAt of a known size, and the folder in
// which its siblings are.
type blob struct {
	io.ReaderAt
	size   int64
	name   string
	folder fs.FS // nil: no siblings (standard input)
}

// bytes reads n bytes at off. It is the only way from a number in a file to an
// allocation: what does not lie inside the file is Truncated before anything is
// allocated.
func (b *blob) bytes(off, n int64) ([]byte, error) {
	if err := b.holds(off, n); err != nil {
		return nil, err
	}
	p := make([]byte, n)
	return p, b.fill(p, off)
}

// holds refuses a piece that does not lie inside the file.
func (b *blob) holds(off, n int64) error {
	if off < 0 || n < 0 || off > b.size || n > b.size-off {
		return fault(Truncated, off, "%d bytes wanted, but the file has %d", n, b.size)
	}
	return nil
}

// fill reads len(p) bytes at off.
func (b *blob) fill(p []byte, off int64) error {
	n, err := b.ReadAt(p, off)
	if n == len(p) {
		return nil // an io.EOF beside the last byte is no fault
	}
	return readFault(off+int64(n), err)
}

// readFault is the Error of a read that ended early: Truncated when the bytes
// end, Unreadable when the system gave another reason. An Error stays itself.
func readFault(off int64, err error) error {
	var known *Error
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault(Truncated, off, "the data ends here, but more was promised")
	}
	return &Error{Kind: Unreadable, Off: off, Msg: "read failed", Err: err}
}

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
	span, err := checkSpan(info, n, b.size, l)
	if err != nil {
		return nil, at(err, info.Name, off)
	}
	length := span * int64(info.DType.Size())
	if err := b.holds(off, length); err != nil {
		return nil, at(err, info.Name, off)
	}
	return readTensor(ctx, io.NewSectionReader(b, off, length), info, off, order)
}

// checkSpan gives the stored elements that a tensor touches, after it has passed
// every check that needs no data: a readable dtype, a possible shape, the limit
// on elements, n bytes to lie in, and, where stored elements stand for several,
// a sane ratio to size, the bytes of the file.
func checkSpan(info tensor.Info, n, size int64, l Limits) (int64, error) {
	l = l.withDefaults()
	if info.DType == tensor.Invalid {
		return 0, unreadable(info.Stored)
	}
	count, err := count(info.Shape, l)
	if err != nil {
		return 0, err
	}
	span, err := tensor.Span(info)
	if err != nil {
		return 0, shapeFault(err)
	}
	if have := max(n, 0) / int64(info.DType.Size()); span > have {
		return 0, fault(OutOfRange, -1, "shape %v reaches %d elements of %v far, but its storage has %d from there on", info.Shape, span, info.DType, have)
	}
	if int64(count) > span && int64(count)/l.MaxRatio > size {
		return 0, fault(TooLarge, -1, "%d stored elements stand for %d, over %d times the file's %d bytes", span, count, l.MaxRatio, size)
	}
	return span, nil
}

// readTensor reads a tensor from r, which holds the span that the tensor touches
// and starts at the byte off of the file, piece by piece straight into place.
// The tensor has passed checkSpan.
func readTensor(ctx context.Context, r io.Reader, info tensor.Info, off int64, order binary.ByteOrder) (*tensor.Tensor, error) {
	count, err := tensor.Count(info.Shape, 1<<62)
	if err != nil {
		return nil, at(shapeFault(err), info.Name, -1)
	}
	span, err := tensor.Span(info)
	if err != nil {
		return nil, at(shapeFault(err), info.Name, -1)
	}
	size := int64(info.DType.Size())
	piece := pieceBytes / size
	if span >= pieceElements {
		piece = pieceElements
	}
	piece = min(piece, span)
	dense := info.Dense()
	t := &tensor.Tensor{Info: info, Data: make([]float64, count)}
	raw := make([]byte, piece*size)
	var loose []float64 // decoded, not yet in place
	if !dense {
		loose = make([]float64, piece)
	}
	for from := int64(0); from < span; from += piece {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw := raw[:min(piece, span-from)*size]
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
	n, err := tensor.Count(shape, l.withDefaults().MaxElements)
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
	return fault(UnsupportedDType, -1, "elements of type %s are not read", stored)
}
