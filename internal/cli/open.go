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
	_, _, err := statPlace(s)
	return err == nil
}

// statPlace finds a path's file. A TensorFlow checkpoint may also be named by
// its prefix, which is no file itself: that means its index.
func statPlace(place string) (string, fs.FileInfo, error) {
	info, err := os.Stat(place)
	if errors.Is(err, fs.ErrNotExist) && place != "" {
		index := place + ".index"
		if found, err := os.Stat(index); err == nil && found.Mode().IsRegular() {
			return index, found, nil
		}
	}
	return place, info, err
}

// openPlace opens a path, a folder or standard input as a checkpoint, under the
// limits of the flags.
func (a *app) openPlace(ctx context.Context, place string, limits *limitFlags) (*checkpoint.File, error) {
	l, err := limits.read()
	if err != nil {
		return nil, err
	}
	switch {
	case place == "-":
		if a.stdinUsed {
			return nil, usagef("standard input (-) can be read only once")
		}
		a.stdinUsed = true
		return checkpoint.OpenStream(ctx, a.env.In, l)
	case strings.HasPrefix(place, "http://"), strings.HasPrefix(place, "https://"), strings.HasPrefix(place, "hf://"):
		return nil, &hinted{errors.New("remote places are not read yet"), "download the file and give its path"}
	}
	place, info, err := statPlace(place)
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
		return checkpoint.OpenStream(ctx, f, l)
	}
	root, name, err := rootOf(place, info.IsDir())
	if err != nil {
		return nil, errorOf(err)
	}
	file, err := checkpoint.Open(ctx, root.FS(), name, l)
	if err != nil {
		var e *checkpoint.Error
		if names := (&inputFiles{FS: root.FS()}).list(name, isModelFile); info.IsDir() && errors.As(err, &e) && e.Kind == checkpoint.NotFound && len(names) > 0 {
			e.Hint = "name the file itself: " + filesHere(place, names)
		}
		root.Close()
		return nil, err
	}
	file.Owns(root) // a model in several files opens them when they are read
	return file, nil
}

// filesHere names the first files of a folder.
func filesHere(folder string, names []string) string {
	const most = 3
	var files []string
	for _, name := range names[:min(most, len(names))] {
		files = append(files, filepath.Join(folder, name))
	}
	s := strings.Join(files, ", ")
	if more := len(names) - len(files); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
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
