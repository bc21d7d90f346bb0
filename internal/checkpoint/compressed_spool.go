package checkpoint

import (
	"context"
	"errors"
	"io"
	"math"

	"poslens/internal/progress"
)

// spool reads what is inside a compressed file to its end: into memory up to
// streamMemory bytes, more into a temporary file.
func (y layer) spool(ctx context.Context, r io.Reader, u *unpacking) (*spooled, error) {
	r = &toldReader{r, u.in, progress.Start(ctx, progress.Bytes, u.size), 0}
	var kept chunks
	more, err := kept.fill(&boundReader{ctx: ctx, r: r, most: math.MaxInt64}, streamMemory)
	if err != nil {
		return nil, err
	}
	if !more {
		return &spooled{ReaderAt: &kept, size: kept.size}, nil
	}
	s, err := spoolPast(ctx, io.MultiReader(io.NewSectionReader(&kept, 0, kept.size), r), 0, math.MaxInt64)
	var e *Error
	if u.err == nil && errors.As(err, &e) { // unpacking is not to blame, so the temporary file is
		return nil, &Error{Kind: e.Kind, Off: -1, Err: e.Err, Hint: "unpack it to a file of your own, and name that: " + y.undo,
			Msg: "what is inside " + y.name + " is kept in a temporary file, which can't be written"}
	}
	return s, err
}

// toldReader tells how many bytes its reader has taken of a compressed file.
type toldReader struct {
	io.Reader
	in   *boundReader
	done func(bytes int64)
	told int64 // so far
}

func (t *toldReader) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if t.in.read > t.told {
		t.done(t.in.read - t.told)
		t.told = t.in.read
	}
	return n, err
}

// chunkBytes are the bytes of a chunk.
const chunkBytes = 256 << 10

// chunks are bytes in memory that grow without being moved: a slice that does
// takes up to three times as much for a while.
type chunks struct {
	list [][]byte // each of chunkBytes, but for the last
	size int64
}

// fill reads up to most bytes, a multiple of chunkBytes, and tells whether there
// may be more.
func (c *chunks) fill(r io.Reader, most int64) (more bool, err error) {
	for c.size < most {
		p := make([]byte, chunkBytes)
		n, err := io.ReadFull(r, p)
		c.list = append(c.list, p[:n])
		c.size += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// ReadAt is that of io.ReaderAt.
func (c *chunks) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < c.size {
		got := copy(p[n:], c.list[off/chunkBytes][off%chunkBytes:])
		n += got
		off += int64(got)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
