package checkpoint

import (
	"context"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"poslens/internal/tensor"
)

// shard is one of a model's files. It is open only while something is read of
// it: a model may have more of them than a process may have open files.
type shard struct {
	name   string // as the index has it
	path   string // in the folder
	folder fs.FS
	budget *int64 // bytes that all shards' headers together may still take; nil once they are read

	mu    sync.Mutex
	size  int64 // when it was opened first; -1 before
	users int
	file  fs.File
	at    io.ReaderAt
}

// shardFormats are the names of the formats that a shard may have, and of what
// may stand in its place, whose openers say so.
var shardFormats = []string{"safetensors", "torch, npz", "torch legacy", "flax", "html", "lfs"}

// hold opens the file, if nobody holds it. It has to be released.
func (s *shard) hold() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users > 0 {
		s.users++
		return nil
	}
	file, info, err := openStat(s.folder, s.path)
	if err != nil {
		return err
	}
	at, ok := file.(io.ReaderAt)
	switch {
	case !ok || !info.Mode().IsRegular():
		err = fault(Unsupported, -1, "it is no regular file")
	case s.size >= 0 && info.Size() != s.size:
		err = fault(Corrupt, -1, "it had %d bytes when its header was read, and has %d now", s.size, info.Size())
	}
	if err != nil {
		file.Close()
		return err
	}
	s.users, s.file, s.at, s.size = 1, file, at, info.Size()
	return nil
}

// release closes the file when nobody else holds it.
func (s *shard) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users == 0 {
		s.file.Close() // it was only read
		s.file, s.at = nil, nil
	}
}

// ReadAt reads the file, which has to be held.
func (s *shard) ReadAt(p []byte, off int64) (int, error) {
	if s.budget != nil {
		if *s.budget -= int64(len(p)); *s.budget < 0 {
			return 0, fault(HeaderTooLarge, -1, "the headers of the model's files have too many bytes together")
		}
	}
	return s.at.ReadAt(p, off)
}

// open reads the file's header.
func (s *shard) open(ctx context.Context, l Limits) (*File, error) {
	if err := s.hold(); err != nil {
		return nil, err
	}
	defer s.release()
	b := &blob{ReaderAt: s, size: s.size, name: s.path}
	if b.size == 0 {
		return nil, fault(Empty, -1, "the file is empty")
	}
	head, err := b.bytes(0, min(b.size, headBytes))
	if err != nil {
		return nil, err
	}
	f, known := byHead(head)
	switch {
	case known && slices.Contains(shardFormats, f.name):
		return f.open(ctx, b, l)
	case known:
		return nil, fault(Unsupported, -1, "it is of the format %s, which is not read as a part of a model", f.name)
	case strings.EqualFold(path.Ext(s.name), ".safetensors"):
		return openSafetensors(ctx, b, l)
	}
	return nil, fault(Corrupt, 0, "no known container starts with % x", head[:min(len(head), 8)])
}

// reading is a tensor's readFunc with the file open around it.
func (s *shard) reading(read readFunc) readFunc {
	return func(ctx context.Context) (*tensor.Tensor, error) {
		if err := s.hold(); err != nil {
			return nil, inFile(s.name, err)
		}
		defer s.release()
		t, err := read(ctx)
		return t, inFile(s.name, err)
	}
}
