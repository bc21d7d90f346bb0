package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Open opens a model file of a folder, or "." for the folder itself, in which
// fixed names are tried. A TensorFlow checkpoint may be named by its prefix. A file
// that has one of those names has what config.json beside it says as well. It
// reads headers only. The folder should be one that no name and no link leads
// out of, such as the FS of an os.Root; it is asked for the other files of a
// model when they are read, so it has to last as long as the File.
func Open(ctx context.Context, folder fs.FS, name string, l Limits) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !fs.ValidPath(name) {
		return nil, fault(UnsafePath, -1, "the name %s leads out of its folder", quoted(name))
	}
	l = l.withDefaults()
	file, info, err := openStat(folder, name)
	if hasKind(err, NotFound) {
		f, ierr := openFirst(ctx, folder, ".", []string{name + tfIndex}, l)
		if f != nil || ierr != nil {
			return f, ierr
		}
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		file.Close()
		return openFolder(ctx, folder, name, l)
	}
	f, err := openFile(ctx, file, info, name, folder, l)
	if err == nil && hasConfig(path.Base(name)) {
		f.addConfig(folder, path.Join(path.Dir(name), "config.json"))
	}
	return f, err
}

// Owns gives the File something more to close when it is closed, such as what
// the folder given to Open stands on.
func (f *File) Owns(c io.Closer) { f.closers = append(f.closers, c) }

// openStat opens a file or a folder of a folder, and tells what it is. Anything
// else, such as a pipe, is Unsupported: to open it could mean to wait without end.
func openStat(folder fs.FS, name string) (fs.File, fs.FileInfo, error) {
	if s, ok := folder.(fs.StatFS); ok {
		info, err := s.Stat(name)
		if err != nil {
			return nil, nil, openFault(err)
		}
		if !info.Mode().IsRegular() && !info.IsDir() {
			return nil, nil, fault(Unsupported, -1, "it is no regular file")
		}
	}
	file, err := folder.Open(name)
	if err != nil {
		return nil, nil, openFault(err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, nil, openFault(err)
	}
	return file, info, nil
}

// openFile opens a file that is no folder, and owns it from here on. One that
// can't be read at any place is spooled first.
func openFile(ctx context.Context, file fs.File, info fs.FileInfo, name string, folder fs.FS, l Limits) (*File, error) {
	b := &blob{size: info.Size(), name: name, folder: folder}
	var closer io.Closer = file
	if r, ok := file.(io.ReaderAt); ok {
		b.ReaderAt = r
	} else {
		s, err := spool(ctx, file, l)
		file.Close()
		if err != nil {
			return nil, err
		}
		b.ReaderAt, b.size, closer = s, s.size, s
	}
	return b.finish(ctx, closer, l)
}

// OpenStream opens what a stream holds, standard input above all. All of it is
// read first: up to 64 MiB into memory, more into a temporary file. The context
// is looked at between two reads. A long stream that starts like no format is
// refused before it is read on.
func OpenStream(ctx context.Context, r io.Reader, l Limits) (*File, error) {
	l = l.withDefaults()
	head := make([]byte, headBytes)
	in := &boundReader{ctx: ctx, r: r, most: headBytes + 1}
	n, err := io.ReadFull(in, head)
	if err != nil && in.err != nil {
		return nil, in.err
	}
	head = head[:n]
	if _, known := byHead(head); n == headBytes && !known {
		return nil, (&blob{ReaderAt: bytes.NewReader(head), size: int64(n)}).unknown(head)
	}
	s, err := spool(ctx, io.MultiReader(bytes.NewReader(head), r), l)
	if err != nil {
		return nil, err
	}
	b := &blob{ReaderAt: s, size: s.size}
	return b.finish(ctx, s, l)
}

// finish opens the blob as the format it is in, and gives the File what it has
// to close, or closes it when nothing came of it.
func (b *blob) finish(ctx context.Context, c io.Closer, l Limits) (*File, error) {
	f, err := b.open(ctx, l)
	if err != nil {
		c.Close()
		return nil, err
	}
	f.Name = b.name
	f.closers = append(f.closers, c)
	f.sortInfos()
	return f, nil
}

// openFault is the Error of a file that the system did not open.
func openFault(err error) error {
	cause := withoutPath(err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Kind: NotFound, Off: -1, Msg: "no such file"}
	case errors.Is(err, fs.ErrInvalid), strings.Contains(cause.Error(), "escapes"): // os.Root exports no value for it
		return &Error{Kind: UnsafePath, Off: -1, Msg: "the file is outside of its folder", Err: cause, Hint: "a link leads out of the folder: name the file that it points to"}
	}
	return &Error{Kind: Unreadable, Off: -1, Msg: "it can't be opened", Err: cause}
}
