package checkpoint

import (
	"io"
	"io/fs"
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
	if off < 0 || n < 0 || off > b.size || n > b.size-off {
		return nil, fault(Truncated, off, "%d bytes wanted, but the file has %d", n, b.size)
	}
	p := make([]byte, n)
	if _, err := b.ReadAt(p, off); err != nil && !(err == io.EOF && n == 0) {
		return nil, &Error{Kind: Truncated, Off: off, Msg: "read failed", Err: err}
	}
	return p, nil
}
