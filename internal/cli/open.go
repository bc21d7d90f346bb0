package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"poslens/internal/checkpoint"
)

// isPlace tells whether a text names something that can be opened, without
// opening it.
func isPlace(s string) bool {
	if s == "-" || strings.HasPrefix(s, "gen:") && !strings.Contains(s, "#") {
		return true
	}
	_, err := os.Stat(s)
	return err == nil
}

// openPlace opens a path, a folder or standard input as a checkpoint.
func (a *app) openPlace(ctx context.Context, place string) (*checkpoint.File, error) {
	switch {
	case place == "-":
		if a.stdinUsed {
			return nil, usagef("standard input (-) can be read only once")
		}
		a.stdinUsed = true
		return checkpoint.OpenStream(ctx, a.env.In, checkpoint.Limits{})
	case strings.HasPrefix(place, "http://"), strings.HasPrefix(place, "https://"), strings.HasPrefix(place, "hf://"):
		return nil, &hinted{errors.New("remote places are not read yet"), "download the file and give its path"}
	}
	info, err := os.Stat(place)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &hinted{errors.New("no such file or folder"), nearbyHint(place)}
		}
		return nil, errorOf(err)
	}
	if !info.Mode().IsRegular() && !info.IsDir() { // a FIFO, or a shell's <(command)
		f, err := os.Open(place) // waits for a pipe's writer
		if err != nil {
			return nil, errorOf(err)
		}
		defer f.Close()
		return checkpoint.OpenStream(ctx, f, checkpoint.Limits{})
	}
	root, name, err := rootOf(place, info.IsDir())
	if err != nil {
		return nil, errorOf(err)
	}
	defer root.Close() // the files opened from it stay open
	return checkpoint.Open(ctx, root.FS(), name, checkpoint.Limits{})
}

// rootOf opens the folder that a place's siblings may be read from, and names
// the place inside it. The operand itself may be a link. In a hub cache the
// files of snapshots/REV are links into blobs, so there the root is the
// repository's whole folder, models--*.
func rootOf(place string, isDir bool) (*os.Root, string, error) {
	abs, err := filepath.Abs(place)
	if err != nil {
		return nil, "", err
	}
	slashed := filepath.ToSlash(abs)
	if i := strings.LastIndex(slashed, "/snapshots/"); i > 0 && strings.HasPrefix(filepath.Base(abs[:i]), "models--") {
		root, err := os.OpenRoot(abs[:i])
		return root, slashed[i+1:], err
	}
	if isDir {
		root, err := os.OpenRoot(abs)
		return root, ".", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, "", err
	}
	root, err := os.OpenRoot(filepath.Dir(abs))
	return root, filepath.Base(abs), err
}

// nearbyHint names a file of the same folder whose name differs little, for a
// mistyped path.
func nearbyHint(place string) string {
	entries, err := os.ReadDir(filepath.Dir(place))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if n := nearest(filepath.Base(place), names); n != "" {
		return fmt.Sprintf("did you mean %q?", filepath.Join(filepath.Dir(place), n))
	}
	return ""
}
