package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// drafts are the temporaries under way, so that an interrupt that can't wait for
// a blocked writer still leaves none behind.
type drafts struct {
	mu    sync.Mutex
	names map[string]bool
}

func (d *drafts) add(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names == nil {
		d.names = map[string]bool{}
	}
	d.names[name] = true
}

// discard removes one draft; one that became a file is not there any more.
func (d *drafts) discard(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.names, name)
	os.Remove(name)
}

// discardAll removes what is left.
func (d *drafts) discardAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name := range d.names {
		os.Remove(name)
	}
	d.names = nil
}

// draft is a regular file's new content, written beside it.
type draft struct {
	path, target, tmp string
	mode              fs.FileMode // of the old file; 0 without one
	of                *drafts
}

// writeFile puts what emit writes into the file at path. A regular file is
// replaced whole: emit writes to a temporary beside it, which is renamed when
// all went well, so a failure leaves the old file and nothing else. Devices and
// pipes are written straight. Links are followed, so the link stays.
func (d *drafts) writeFile(ctx context.Context, path string, emit func(io.Writer) error) error {
	regular, err := isRegular(path)
	if err != nil {
		return err
	}
	if !regular {
		return writeStraight(ctx, path, emit)
	}
	w, err := d.write(ctx, path, emit)
	if err != nil {
		return err
	}
	return w.commit()
}

// isRegular tells whether an output is a regular file, or will be one.
func isRegular(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", path, errorOf(err))
	case info.IsDir():
		return false, fmt.Errorf("%s: is a folder, not a file", path)
	}
	return info.Mode().IsRegular(), nil
}

// write fills a draft of the regular file at path.
func (d *drafts) write(ctx context.Context, path string, emit func(io.Writer) error) (*draft, error) {
	w := &draft{path: path, of: d}
	var err error
	if w.target, err = followLinks(path); err != nil {
		return nil, err
	}
	if old, err := os.Stat(w.target); err == nil {
		w.mode = old.Mode().Perm()
	}
	tmp, err := createBeside(w.target)
	if err != nil {
		return nil, noFolder(path, w.target, err)
	}
	w.tmp = tmp.Name()
	d.add(w.tmp)
	err = fill(ctx, tmp, emit)
	if err == nil && w.mode != 0 {
		err = tmp.Chmod(w.mode)
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		d.discard(w.tmp)
		return nil, fmt.Errorf("%s: %w", path, errorOf(err))
	}
	return w, nil
}

// commit makes the draft the file.
func (w *draft) commit() error {
	defer w.of.discard(w.tmp)
	if err := os.Rename(w.tmp, w.target); err != nil {
		return fmt.Errorf("%s: %w", w.path, errorOf(err))
	}
	return nil
}

// noFolder words the error of a file that could not be made, with what to do
// about a folder that is not there.
func noFolder(path, target string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &hinted{fmt.Errorf("%s: there is no folder %q", path, filepath.Dir(target)), "make it first: mkdir -p " + filepath.Dir(target)}
	}
	return fmt.Errorf("%s: %w", path, errorOf(err))
}

// fill runs emit through a buffer and stops at a cancelled context.
func fill(ctx context.Context, w io.Writer, emit func(io.Writer) error) error {
	buf := bufio.NewWriterSize(cancelWriter{ctx, w}, 1<<16)
	if err := emit(buf); err != nil {
		return err
	}
	return buf.Flush()
}

// cancelWriter fails once its context is cancelled.
type cancelWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c cancelWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// writeStraight writes to a device or a pipe.
func writeStraight(ctx context.Context, path string, emit func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // a pipe waits here for its reader
	if err == nil {
		err = fill(ctx, f, emit)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, errorOf(err))
	}
	return nil
}

// createBeside makes a new file in the folder of path. Its mode is what the
// umask leaves of 0666, as for any new file (os.CreateTemp would give 0600).
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	if len(base) > 200 { // file systems stop at 255 bytes
		base = base[:200]
	}
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%s.%d-%d.tmp", dir, base, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && i < 100 {
			continue
		}
		return f, err
	}
}

// followLinks resolves the links of an output path, also one whose end does not
// exist yet.
func followLinks(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// errorOf drops the path that the system's errors repeat: the caller's operand
// stands in front already.
func errorOf(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
