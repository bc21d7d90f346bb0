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
// file.
type spooled struct {
	io.ReaderAt
	size int64
	file *tempFile // nil: in memory
}

// Close gives the temporary file back, if there is one.
func (s *spooled) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// spool reads a stream to its end, which has to come within l.MaxStream bytes.
func spool(ctx context.Context, r io.Reader, l Limits) (*spooled, error) {
	return spoolPast(ctx, r, streamMemory, l.MaxStream)
}

// spoolPast is spool with the bytes that may stay in memory.
func spoolPast(ctx context.Context, r io.Reader, memory, most int64) (*spooled, error) {
	in := &boundReader{ctx: ctx, r: r, most: most}
	var head bytes.Buffer
	if _, err := io.Copy(&head, io.LimitReader(in, memory)); err != nil {
		return nil, err
	}
	if in.read < memory {
		return &spooled{ReaderAt: bytes.NewReader(head.Bytes()), size: in.read}, nil
	}
	file, err := newTempFile()
	if err != nil {
		return nil, tempFault(err)
	}
	_, err = head.WriteTo(file)
	if err == nil {
		_, err = io.Copy(file, in)
	}
	if err != nil {
		file.Close()
		if in.err != nil {
			return nil, in.err
		}
		return nil, tempFault(err)
	}
	return &spooled{ReaderAt: file, size: in.read, file: file}, nil
}

// tempFile is a temporary file that is gone once it is closed.
type tempFile struct {
	*os.File
	named bool // it still has its name
}

// newTempFile makes one. Where an open file may lose its name it has none from
// the start, so that nothing is left of it whatever ends the process.
func newTempFile() (*tempFile, error) {
	file, err := os.CreateTemp("", "poslens-*")
	if err != nil {
		return nil, err
	}
	return &tempFile{file, os.Remove(file.Name()) != nil}, nil
}

// Close closes the file and removes it.
func (f *tempFile) Close() error {
	err := f.File.Close()
	if f.named {
		err = errors.Join(err, os.Remove(f.Name()))
		f.named = false
	}
	return err
}

// tempFault is the Error of a temporary file that can't be made or written.
func tempFault(err error) *Error {
	return &Error{Kind: Unreadable, Off: -1, Msg: "a long stream is kept in a temporary file, which can't be written", Err: withoutPath(err),
		Hint: "save the stream to a file of your own, and name that"}
}

// boundReader stops when its context does, and refuses to read more bytes than
// most.
type boundReader struct {
	ctx        context.Context
	r          io.Reader
	read, most int64
	err        error // what ended it, but for the stream's own end
}

func (b *boundReader) Read(p []byte) (int, error) {
	if b.err = b.ctx.Err(); b.err != nil {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	b.read += int64(n)
	switch {
	case b.read > b.most:
		b.err = fault(TooLarge, -1, "the stream is longer than %d bytes", b.most)
	case err == nil || err == io.EOF:
		return n, err
	default:
		b.err = readFault(b.read, err)
	}
	return n, b.err
}
