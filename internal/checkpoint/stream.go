package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// streamMemory is what of a stream is kept in memory; a longer one goes to a
// temporary file.
const streamMemory = 64 << 20

// spooled is a stream that was read to its end: in memory, or in a temporary
// file that has no name any more.
type spooled struct {
	io.ReaderAt
	size int64
	file *os.File // nil: in memory
}

// Close gives the memory or the file back.
func (s *spooled) Close() error {
	if s.file == nil {
		return nil
	}
	return discard(s.file)
}

// spool reads a stream to its end. Its length is bounded by l.MaxStream.
func spool(ctx context.Context, r io.Reader, l Limits) (*spooled, error) {
	return spoolPast(ctx, r, streamMemory, l.MaxStream)
}

// spoolPast is spool with the bytes that may stay in memory.
func spoolPast(ctx context.Context, r io.Reader, memory, most int64) (*spooled, error) {
	in := &boundReader{ctx: ctx, r: r, left: most}
	var head bytes.Buffer
	n, err := io.Copy(&head, io.LimitReader(in, memory))
	if err != nil {
		return nil, streamFault(n, err)
	}
	if n < memory {
		return &spooled{ReaderAt: bytes.NewReader(head.Bytes()), size: n}, nil
	}
	file, err := os.CreateTemp("", "poslens-*")
	if err != nil {
		return nil, &Error{Kind: Unreadable, Off: -1, Msg: "no temporary file for a long stream", Err: err}
	}
	os.Remove(file.Name()) // where an open file can't be removed, Close does it
	if _, err = head.WriteTo(file); err == nil {
		var more int64
		more, err = io.Copy(file, in)
		n += more
	}
	if err != nil {
		discard(file)
		return nil, streamFault(n, err)
	}
	return &spooled{ReaderAt: file, size: n, file: file}, nil
}

// discard closes a temporary file and removes it, if it still has its name.
func discard(file *os.File) error {
	err := file.Close()
	if gone := os.Remove(file.Name()); err == nil && !errors.Is(gone, os.ErrNotExist) {
		err = gone
	}
	return err
}

// boundReader stops when its context does, and refuses more bytes than left.
type boundReader struct {
	ctx  context.Context
	r    io.Reader
	left int64
}

func (b *boundReader) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, fault(TooLarge, -1, "the stream is longer than the limit")
	}
	return n, err
}

// streamFault is the Error of a stream that broke off after n bytes. It never
// ends early by itself: any end is its end.
func streamFault(n int64, err error) error {
	var known *Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Error{Kind: Unreadable, Off: n, Msg: "read failed", Err: err}
}
