package checkpoint

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// openUTF8 reads a blob as UTF-8 text. A byte order mark is taken off, and UTF-16
// that has one is decoded. The second result is the byte offset of the text's
// first byte, or -1 when the text's bytes are not the file's.
func openUTF8(ctx context.Context, b *blob, l Limits) (*bufio.Reader, int64, error) {
	if b.size == 0 {
		return nil, 0, fault(Empty, -1, "the file is empty")
	}
	if b.size > l.MaxText {
		err := fault(TooLarge, -1, "%d bytes of text, and at most %d are read", b.size, l.MaxText)
		err.Hint = "save the table as .npy"
		return nil, 0, err
	}
	r := bufio.NewReaderSize(&blobReader{ctx: ctx, b: b}, 1<<16)
	head, err := r.Peek(3)
	if err != nil && err != io.EOF {
		return nil, 0, err
	}
	switch {
	case bytes.HasPrefix(head, []byte(utf8BOM)):
		_, err := r.Discard(3)
		return r, 3, err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		return bufio.NewReaderSize(transform.NewReader(r, utf16.NewDecoder()), 1<<16), -1, nil
	}
	return r, 0, nil
}

// blobReader reads a blob from front to back and looks at its context at every
// read.
type blobReader struct {
	ctx context.Context
	b   *blob
	off int64
}

func (r *blobReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	left := r.b.size - r.off
	if left <= 0 {
		return 0, io.EOF
	}
	if int64(len(p)) > left {
		p = p[:left]
	}
	n, err := r.b.ReadAt(p, r.off)
	r.off += int64(n)
	if n == len(p) {
		return n, nil
	}
	return n, readFault(r.off, err)
}

// textLines cuts text into lines, which end in LF, CR LF or CR.
type textLines struct {
	r    *bufio.Reader
	long []byte // a line that is longer than r's buffer
	rest []byte // what is left of the bytes up to the last LF; nil: nothing
	no   int    // number of the line given last, from 1
}

// next gives a line without its end; it is good until the next call. io.EOF
// comes after the last one.
func (s *textLines) next() ([]byte, error) {
	if s.rest == nil {
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
	s.no++
	line := s.rest
	if i := bytes.IndexByte(line, '\r'); i >= 0 {
		s.rest = line[i+1:]
		return line[:i], nil
	}
	s.rest = nil
	return line, nil
}

// fill puts the bytes up to the next LF into rest.
func (s *textLines) fill() error {
	s.long = s.long[:0]
	for {
		p, err := s.r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			s.long = append(s.long, p...)
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		if len(s.long) > 0 {
			s.long = append(s.long, p...)
			p = s.long
		}
		if len(p) == 0 {
			return io.EOF
		}
		p = bytes.TrimSuffix(p, []byte("\n"))
		s.rest = bytes.TrimSuffix(p, []byte("\r"))
		if s.rest == nil {
			s.rest = []byte{}
		}
		return nil
	}
}
