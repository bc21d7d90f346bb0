// Package checkpoint opens model files: which container it is, which tensors
// are in it, and the numbers of one of them. Files are hostile until proven
// otherwise: nothing in them is executed, and nothing is allocated by a number
// that was not checked against the file's size.
package checkpoint

import (
	"context"
	"io"
	"sort"

	"poslens/internal/tensor"
)

// File is an open checkpoint: its header is in memory, its tensors are not.
type File struct {
	Format string // "safetensors", "torch", "npy", "npz", "text", "json"

	infos    []tensor.Info // sorted by name
	readers  map[string]readFunc
	meta     map[string]string
	warnings []Warning
	closers  []io.Closer
}

// readFunc reads one tensor's bytes and nothing else.
type readFunc func(context.Context) (*tensor.Tensor, error)

// newFile makes an empty File of a format for an opener to fill.
func newFile(format string) *File {
	return &File{Format: format, readers: map[string]readFunc{}, meta: map[string]string{}}
}

// add lists a tensor and how to read it. A second one of the same name is a
// DuplicateName error.
func (f *File) add(info tensor.Info, read readFunc) error {
	if _, dup := f.readers[info.Name]; dup {
		return &Error{Kind: DuplicateName, Tensor: info.Name, Off: -1, Msg: "stands twice in the file"}
	}
	f.infos = append(f.infos, info)
	f.readers[info.Name] = read
	return nil
}

// warn notes something a reader should know.
func (f *File) warn(k Kind, tensor, msg string) {
	f.warnings = append(f.warnings, Warning{k, tensor, msg})
}

// sortInfos puts the tensors in the order of their names.
func (f *File) sortInfos() {
	sort.Slice(f.infos, func(i, j int) bool { return f.infos[i].Name < f.infos[j].Name })
}

// Tensors lists what is in the file, sorted by name. It reads no data.
func (f *File) Tensors() []tensor.Info { return f.infos }

// Tensor reads one tensor's bytes and nothing else. A name that is not there is
// a NotFound error whose hint has the nearest names.
func (f *File) Tensor(ctx context.Context, name string) (*tensor.Tensor, error) {
	read, ok := f.readers[name]
	if !ok {
		return nil, f.notFound(name)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return read(ctx)
}

// Meta gives an entry of the file's own metadata.
func (f *File) Meta(key string) (string, bool) {
	v, ok := f.meta[key]
	return v, ok
}

// Warnings are what a reader should know: unknown classes, unsafe globals.
func (f *File) Warnings() []Warning { return f.warnings }

// Close releases the file.
func (f *File) Close() error {
	var first error
	for _, c := range f.closers {
		if err := c.Close(); err != nil && first == nil {
			first = err
		}
	}
	f.closers = nil
	return first
}
