package checkpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"poslens/internal/tensor"
)

// layer is a way of compressing a file.
type layer struct {
	name     string
	suffixes []string // that a file's name has for it
	undo     string   // the command that takes it off
	reader   func(packed *bufio.Reader, most int64) (io.ReadCloser, error)
	explain  func(err error, most int64) *Error // what the reader's error means; nil: damage
}

// openGzip opens a file that gzip has compressed, in one member or several. The
// File's format is that of the file inside, followed by " in gzip".
func openGzip(ctx context.Context, b *blob, l Limits) (*File, error) {
	return gzipLayer().open(ctx, b, l)
}

// openZstd opens a file that zstd has compressed, in one frame or several. The
// File's format is that of the file inside, followed by " in zstd".
func openZstd(ctx context.Context, b *blob, l Limits) (*File, error) {
	return zstdLayer().open(ctx, b, l)
}

// layers are the ways of compressing that are known.
func layers() []layer { return []layer{gzipLayer(), zstdLayer()} }

// open unpacks a compressed file and opens the one inside. All of it is unpacked
// at once, into memory or a temporary file, since neither way of compressing can
// be entered in the middle, and since what tells damage stands at the end.
func (y layer) open(ctx context.Context, b *blob, l Limits) (*File, error) {
	u, err := y.unpack(ctx, b, l)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	head := make([]byte, headBytes)
	n, _ := io.ReadFull(u, head)
	if u.err != nil {
		return nil, u.err
	}
	head = head[:n]
	inner := &blob{ReaderAt: bytes.NewReader(head), size: int64(n), name: y.inside(b.name), folder: b.folder}
	if err := y.refuse(ctx, inner, head, l); err != nil {
		return nil, err
	}
	s, err := y.spool(ctx, io.MultiReader(bytes.NewReader(head), u), u)
	if err != nil {
		return nil, err
	}
	inner.ReaderAt, inner.size = s, s.size
	// Whatever is packed once more inside shares the ratio with this layer.
	l.MaxRatio = max(1, l.MaxRatio/max(1, inner.size/b.size))
	f, err := inner.open(ctx, l)
	if err != nil {
		s.Close()
		return nil, y.within(err)
	}
	f.closers = append(f.closers, s)
	f.Format += " in " + y.name
	for name, read := range f.readers {
		f.readers[name] = func(ctx context.Context) (*tensor.Tensor, error) {
			t, err := read(ctx)
			return t, y.within(err)
		}
	}
	return f, nil
}

// inside is the name that a file has without the suffix of its compression.
func (y layer) inside(name string) string {
	suffix := path.Ext(name)
	for _, s := range y.suffixes {
		if strings.EqualFold(suffix, s) {
			return strings.TrimSuffix(name, suffix)
		}
	}
	return name
}

// refuse tells by the first bytes what can't be opened, before the rest is
// unpacked.
func (y layer) refuse(ctx context.Context, inner *blob, head []byte, l Limits) error {
	if isTar(head) {
		_, err := openTar(ctx, inner, l)
		return y.within(err)
	}
	f, known := byHead(head)
	for _, other := range layers() {
		if known && f.name == other.name {
			e := fault(Unsupported, -1, "a file compressed by %s inside %s: one layer is opened, not two", other.name, y.name)
			e.Hint = "take the outer layer off first: " + y.undo
			return e
		}
	}
	_, named := byName()[strings.ToLower(path.Ext(inner.name))]
	_, part := tfByName(inner.name, head)
	if len(head) < headBytes || known || named || part || isTFIndex(head) || inner.isTFTable() {
		return nil
	}
	return y.within(inner.unknown(head))
}

// isTar tells a tar archive by the magic in the header of its first file.
func isTar(head []byte) bool {
	const at, magic = 257, "ustar"
	return len(head) > at && bytes.HasPrefix(head[at:], []byte(magic))
}

// within says of an error that it, and the byte it names, are of the file inside.
func (y layer) within(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("inside %s: %w", y.name, err)
}
