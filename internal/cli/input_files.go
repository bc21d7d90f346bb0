package cli

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"poslens/internal/checkpoint"
)

// inputFiles is the folder of an operand. It notes which of its files opening the
// operand opens: the model of a folder, and the shards that an index names.
type inputFiles struct {
	fs.FS
	opened []string
}

// Open opens a file and notes its name.
func (f *inputFiles) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err == nil {
		f.opened = append(f.opened, name)
	}
	return file, err
}

// Stat tells what a file is, without opening it: a pipe would wait.
func (f *inputFiles) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// isInput tells whether a file that is there, at a path without links, is one that
// an operand is read from.
func isInput(at string, file fs.FileInfo, place string) bool {
	place, info, err := statPlace(place)
	switch {
	case err != nil:
		return false
	case os.SameFile(file, info):
		return true
	case !info.IsDir() && !info.Mode().IsRegular():
		return false
	}
	root, name, err := rootOf(place, info.IsDir())
	if err != nil {
		return false
	}
	defer root.Close()
	folder := &inputFiles{FS: root.FS()}
	names := folder.names(name, info.IsDir())
	same := func(name string) bool {
		info, err := folder.Stat(name)
		return err == nil && os.SameFile(file, info)
	}
	return slices.ContainsFunc(names, same) ||
		slices.ContainsFunc(names, isONNX) && filepath.Ext(at) == "" && isInside(root.Name(), at)
}

// names are the files that the model of a name is read from, or may be: those that
// opening it opens, all of a TensorFlow checkpoint's prefix, and in a folder
// whatever has a model's suffix.
func (f *inputFiles) names(name string, isDir bool) []string {
	names := []string{name}
	if isDir || strings.Contains(strings.ToLower(path.Base(name)), ".json") {
		// What is wrong with it is told when it is read.
		if model, err := checkpoint.Open(context.Background(), f, name, checkpoint.Limits{}); err == nil {
			model.Close()
		}
		names = f.opened
	}
	for _, index := range slices.Clone(names) {
		if prefix, ok := tfPrefix(path.Base(index)); ok {
			names = append(names, f.list(path.Dir(index), func(base string) bool {
				p, ok := tfPrefix(base)
				return ok && p == prefix
			})...)
		}
	}
	if isDir {
		names = append(names, f.list(name, isModelFile)...)
	}
	return names
}

// list are the files of a folder whose names are of a kind.
func (f *inputFiles) list(dir string, kind func(base string) bool) []string {
	entries, err := fs.ReadDir(f.FS, dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if kind(e.Name()) {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	return names
}

// isModelFile tells the names of files that hold a model, or a part of one.
func isModelFile(base string) bool {
	return slices.Contains([]string{
		".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".npy", ".npz", ".msgpack", ".onnx", ".gguf",
	}, strings.ToLower(path.Ext(base)))
}

// isONNX tells an ONNX model by its name. It may have its numbers in files of any
// name in its folder or below, of which those without a suffix could be an output.
func isONNX(name string) bool { return strings.Contains(strings.ToLower(path.Base(name)), ".onnx") }

// isInside tells whether a path leads into a folder. Both have no links.
func isInside(dir, at string) bool {
	rest, err := filepath.Rel(dir, at)
	return err == nil && filepath.IsLocal(rest)
}

// isPrefix tells whether a place is the prefix of a TensorFlow checkpoint's files,
// and no file itself.
func isPrefix(place string) bool {
	found, _, err := statPlace(place)
	return err == nil && found != place
}

// tfPrefix cuts off what follows the prefix that all files of a TensorFlow
// checkpoint share: .index, or .data-SSSSS-of-NNNNN.
func tfPrefix(base string) (prefix string, ok bool) {
	if prefix, ok = strings.CutSuffix(base, ".index"); ok {
		return prefix, prefix != ""
	}
	i := strings.LastIndex(base, ".data-")
	if i <= 0 {
		return "", false
	}
	shard, of, ok := strings.Cut(base[i+len(".data-"):], "-of-")
	return base[:i], ok && isNumber(shard) && isNumber(of)
}
