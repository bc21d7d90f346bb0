package checkpoint

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// gzipMagic starts every member of a gzip file.
const gzipMagic = "\x1f\x8b"

// errNoMember is for bytes behind a gzip member that start no other.
var errNoMember = errors.New("no gzip member")

// gzipLayer is RFC 1952.
func gzipLayer() layer {
	return layer{
		name:     "gzip",
		suffixes: []string{".gz", ".gzip"},
		undo:     "gzip -d",
		reader: func(packed *bufio.Reader, _ int64) (io.ReadCloser, error) {
			return &gzipReader{in: packed}, nil
		},
		explain: gzipFault,
	}
}

// gzipFault words the faults of package gzip.
func gzipFault(err error, _ int64) *Error {
	switch {
	case errors.Is(err, errNoMember):
		return &Error{Kind: Corrupt, Msg: "what follows the last gzip member is no gzip data"}
	case errors.Is(err, gzip.ErrHeader):
		return &Error{Kind: Corrupt, Msg: "the header of a gzip member is broken"}
	case errors.Is(err, gzip.ErrChecksum):
		return &Error{Kind: Corrupt, Msg: "the CRC-32 or the length behind a gzip member is not that of its bytes: they are damaged"}
	}
	return nil
}

// gzipReader unpacks the members of a gzip file one after the other.
type gzipReader struct {
	in     *bufio.Reader
	z      gzip.Reader
	inside bool // of a member
}

// Read unpacks. Between two members it looks for itself, since package gzip
// takes a few bytes that are no member for one that is cut.
func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		if !g.inside {
			if err := g.next(); err != nil {
				return 0, err
			}
		}
		n, err := g.z.Read(p)
		if err == io.EOF {
			g.inside, err = false, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next begins the next member, or gives io.EOF where there is none.
func (g *gzipReader) next() error {
	magic, err := g.in.Peek(len(gzipMagic))
	if len(magic) == 0 {
		return err
	}
	if !strings.HasPrefix(gzipMagic, string(magic)) {
		return errNoMember
	}
	if err := g.z.Reset(g.in); err != nil {
		return err
	}
	g.z.Multistream(false)
	g.inside = true
	return nil
}

// Close does nothing: a gzip reader holds nothing but memory.
func (g *gzipReader) Close() error { return nil }
