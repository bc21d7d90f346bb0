package checkpoint

import (
	"context"
	"errors"
	"io"
	"io/fs"
)

// blob is the bytes of one file: a ReaderAt of a known size, and the folder in
// which its siblings are.
type blob struct {
	io.ReaderAt
	size   int64
	name   string
	folder fs.FS // nil: no siblings (standard input, a shard of a model)
}

// bytes reads n bytes at off. It is the only way from a number in a file to an
// allocation: what does not lie inside the file is Truncated before anything is
// allocated.
func (b *blob) bytes(off, n int64) ([]byte, error) {
	if err := b.holds(off, n); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, nil // not worth a request
	}
	p := make([]byte, n)
	got, err := b.ReadAt(p, off)
	if got < len(p) { // an io.EOF beside the last byte is no fault
		return nil, readFault(off+int64(got), err)
	}
	return p, nil
}

// holds refuses a piece that does not lie inside the file.
func (b *blob) holds(off, n int64) error {
	if off < 0 || n < 0 || off > b.size || n > b.size-off {
		return fault(Truncated, off, "%d %s wanted, but the file has %d", n, plural(int(min(n, 2)), "byte", "bytes"), b.size)
	}
	return nil
}

// readFault is the Error of a read that ended early: Truncated when the bytes
// end, Unreadable when the system gave another reason. An Error and the end of a
// context stay themselves.
func readFault(off int64, err error) error {
	var known *Error
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault(Truncated, off, "the data ends here, but more was promised")
	}
	return &Error{Kind: Unreadable, Off: off, Msg: "read failed", Err: withoutPath(err)}
}

// withoutPath is the cause of a file system's error: the caller names the operand.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
