// Package checkpoint opens model files: which container it is, which tensors
// are in it, and the numbers of one of them. Files are hostile until proven
// otherwise: nothing in them is executed, and nothing is allocated by a number
// that was not checked against the file's size.
package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"poslens/internal/tensor"
)

// File is an open checkpoint: its header is in memory, its tensors are not.
type File struct {
	// Format is "npy", "npz", "torch" (both layouts), "safetensors", "gguf", "onnx",
	// "tensorflow", "flax", "json" or "text", with " in gzip" or " in zstd" behind it
	// where that was undone. A model in several files has that of the files, or
	// theirs joined by ", ".
	Format string
	Name   string // the file that was opened, from the folder given to Open; empty for standard input

	infos   []tensor.Info // sorted by name
	readers map[string]readFunc
	meta    map[string]string
	closers []io.Closer

	mu       sync.Mutex // tensors may be read at the same time, and each may warn
	warnings []Warning
}

// readFunc reads one tensor's bytes and nothing else.
type readFunc func(context.Context) (*tensor.Tensor, error)

// newFile makes an empty File of a format for an opener to fill.
func newFile(format string) *File {
	return &File{Format: format, readers: map[string]readFunc{}, meta: map[string]string{}}
}

// unknownStored is the stored dtype of a tensor that is too broken to tell.
const unknownStored = "unknown"

// add lists a tensor and how to read it. A second one of the same name is a
// DuplicateName error.
func (f *File) add(info tensor.Info, read readFunc) error {
	if _, dup := f.readers[info.Name]; dup {
		return &Error{Kind: DuplicateName, Tensor: info.Name, Off: -1, Msg: "stands twice in the file"}
	}
	if info.Stored == "" { // the file names its dtype by nothing
		info.Stored = unknownStored
	}
	f.infos = append(f.infos, info)
	f.readers[info.Name] = read
	return nil
}

// warn notes something a reader should know, once.
func (f *File) warn(k Kind, tensor, msg string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := (Warning{k, tensor, msg}); !slices.Contains(f.warnings, w) {
		f.warnings = append(f.warnings, w)
	}
}

// sortInfos puts the tensors in the order of their names.
func (f *File) sortInfos() {
	slices.SortFunc(f.infos, func(a, b tensor.Info) int { return strings.Compare(a.Name, b.Name) })
}

// Tensors lists what is in the file, sorted by name. It reads no data. The list
// and the shapes in it are the File's own, and must not be changed.
func (f *File) Tensors() []tensor.Info { return f.infos }

// Tensor reads one tensor's bytes and nothing else. A name that is not there is
// a NotFound error whose hint has the nearest names. NaN and infinite values are
// no error, but a warning of the file's.
func (f *File) Tensor(ctx context.Context, name string) (*tensor.Tensor, error) {
	read, ok := f.readers[name]
	if !ok {
		return nil, f.notFound(name)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := read(ctx)
	if err != nil {
		return nil, err
	}
	if odd := tensor.NonFinite(t.Data); odd > 0 {
		f.warn(NonFinite, name, fmt.Sprintf("%d of %d values are NaN or infinite", odd, len(t.Data)))
	}
	return t, nil
}

// Meta gives an entry of the file's own metadata.
func (f *File) Meta(key string) (string, bool) {
	v, ok := f.meta[key]
	return v, ok
}

// Warnings are what a reader should know: unknown classes and unsafe globals, parts
// of the model that are not there or not read, and values that are not finite in
// the tensors read so far.
func (f *File) Warnings() []Warning {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.warnings)
}

// Close releases what the File holds open. A second Close does nothing.
func (f *File) Close() error {
	var errs []error
	for _, c := range f.closers {
		errs = append(errs, c.Close())
	}
	f.closers = nil
	return errors.Join(errs...)
}
