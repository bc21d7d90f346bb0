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
)

// writeFile puts what emit writes into the file at path. A regular file is
// replaced whole: emit writes to a temporary beside it, which is renamed when
// all went well, so a failure leaves the old file and nothing else. Devices and
// pipes are written straight. Links are followed, so the link stays.
func writeFile(ctx context.Context, path string, emit func(io.Writer) error) error {
	target, err := followLinks(path)
	if err != nil {
		return err
	}
	old, err := os.Stat(target)
	switch {
	case err == nil && old.IsDir():
		return fmt.Errorf("%s: is a folder, not a file", path)
	case err == nil && !old.Mode().IsRegular():
		return writeStraight(ctx, target, emit)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", path, errorOf(err))
	}
	tmp, err := createBeside(target)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return &hinted{fmt.Errorf("%s: there is no folder %q", path, filepath.Dir(target)), "make it first: mkdir -p " + filepath.Dir(path)}
		}
		return fmt.Errorf("%s: %w", path, errorOf(err))
	}
	defer os.Remove(tmp.Name()) // finds nothing after the rename
	if err := fill(ctx, tmp, emit); err != nil {
		tmp.Close()
		return fmt.Errorf("%s: %w", path, errorOf(err))
	}
	if old != nil {
		if err := tmp.Chmod(old.Mode().Perm()); err != nil {
			tmp.Close()
			return fmt.Errorf("%s: %w", path, errorOf(err))
		}
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("%s: %w", path, errorOf(err))
	}
	if err := os.Rename(tmp.Name(), target); err != nil {
		return fmt.Errorf("%s: %w", path, errorOf(err))
	}
	return nil
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

// writeStraight writes to a device or a pipe. Opening a pipe waits for its
// reader, so it happens aside and an interrupt ends the wait.
func writeStraight(ctx context.Context, path string, emit func(io.Writer) error) error {
	done := make(chan error, 1)
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = fill(ctx, f, emit)
			if cerr := f.Close(); err == nil {
				err = cerr
			}
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s: %w", path, errorOf(err))
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// createBeside makes a new file in the folder of path. Its mode is what the
// umask leaves of 0666, as for any new file (os.CreateTemp would give 0600).
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
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
