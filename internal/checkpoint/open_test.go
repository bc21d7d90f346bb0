package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// good is a file of one tensor, "a".
var good = safetensorsOf(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, 2)

func TestOpenFaults(t *testing.T) {
	folder := fstest.MapFS{"x": {Data: good}, "empty": {}, "refused": {Data: good}}
	for name, want := range map[string]Kind{
		"missing": NotFound, "x/y": NotFound, "sub/missing": NotFound, "empty": Empty,
		"../x": UnsafePath, "/x": UnsafePath, "": UnsafePath, "a/../x": UnsafePath,
	} {
		if f, err := Open(t.Context(), folder, name, Limits{}); f != nil || kindOf(err) != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	refusing := refusingFS{folder}
	_, err := Open(t.Context(), refusing, "refused", Limits{})
	if kindOf(err) != Unreadable || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("no permission: %v", err)
	}
	if strings.Contains(err.Error(), "refused") {
		t.Errorf("the message %q names the operand, which the caller does", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, folder, "x", Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// refusingFS has a file that may not be opened.
type refusingFS struct{ fs.FS }

func (r refusingFS) Open(name string) (fs.File, error) {
	if name == "refused" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return r.FS.Open(name)
}

// TestOpenStaysInside: neither a link nor a folder leads out of an os.Root.
func TestOpenStaysInside(t *testing.T) {
	outside, inside := t.TempDir(), t.TempDir()
	write := func(dir, name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "model.safetensors")
	write(inside, "here.safetensors")
	for name, to := range map[string]string{
		"out.safetensors": filepath.Join(outside, "model.safetensors"),
		"outdir":          outside,
		"fine":            "here.safetensors",
	} {
		if err := os.Symlink(to, filepath.Join(inside, name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]Kind{
		"out.safetensors": UnsafePath, "outdir": UnsafePath, "outdir/model.safetensors": UnsafePath, "fine": "", "here.safetensors": "",
	} {
		f, err := Open(t.Context(), root.FS(), name, Limits{})
		if kindOf(err) != want || (f == nil) != (want != "") {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
		if f != nil {
			f.Close()
		}
	}
	// A folder's model that is a link out of it is refused too, not passed over.
	if err := os.Symlink(filepath.Join(outside, "model.safetensors"), filepath.Join(inside, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), root.FS(), ".", Limits{}); kindOf(err) != UnsafePath {
		t.Errorf("the folder: %v", err)
	}
}

// closable is a file that can't be read at a place, and counts its closings.
type closable struct {
	fs.File
	closed *int
}

func (c closable) Close() error { *c.closed++; return c.File.Close() }

// closableFS gives such files.
type closableFS struct {
	fs.FS
	closed *int
}

func (c closableFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return closable{f, c.closed}, nil
}

// TestOpenWithoutReadAt: such a file is spooled, and closed at once.
func TestOpenWithoutReadAt(t *testing.T) {
	closed := 0
	folder := closableFS{fstest.MapFS{"x": {Data: good}, "broken": {Data: good[:20]}}, &closed}
	f, err := Open(t.Context(), folder, "x", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Tensor(t.Context(), "a"); err != nil || len(got.Data) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if f.Close(); closed != 1 {
		t.Errorf("closed %d times", closed)
	}
	if _, err := Open(t.Context(), folder, "broken", Limits{}); err == nil || closed != 2 {
		t.Errorf("%v, closed %d times", err, closed)
	}
	if _, err := Open(t.Context(), folder, "x", Limits{MaxStream: 10}); kindOf(err) != TooLarge {
		t.Errorf("over the limit: %v", err)
	}
}

// seekable is a closable that can be read at a place.
type seekable struct{ closable }

func (s seekable) ReadAt(p []byte, off int64) (int, error) {
	return s.File.(interface {
		ReadAt([]byte, int64) (int, error)
	}).ReadAt(p, off)
}

type seekableFS struct {
	fs.FS
	closed *int
}

func (s seekableFS) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return seekable{closable{f, s.closed}}, nil
}

// TestOpenCloses: what is opened is closed once, also when opening fails.
func TestOpenCloses(t *testing.T) {
	closed := 0
	folder := seekableFS{fstest.MapFS{"x": {Data: good}, "broken": {Data: good[:20]}}, &closed}
	f, err := Open(t.Context(), folder, "x", Limits{})
	if err != nil || closed != 0 {
		t.Fatalf("%v, closed %d times", err, closed)
	}
	if f.Name != "x" {
		t.Errorf("the file's name is %q", f.Name)
	}
	f.Close()
	f.Close()
	if closed != 1 {
		t.Errorf("closed %d times", closed)
	}
	if _, err := Open(t.Context(), folder, "broken", Limits{}); err == nil || closed != 2 {
		t.Errorf("%v, closed %d times", err, closed)
	}
}

// TestTensorAtOnce: several goroutines may read one File, and warn.
func TestTensorAtOnce(t *testing.T) {
	file := safetensorsOf(`{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}`, 4)
	copy(file[len(file)-4:], "\x00\x7c\x00\x00") // +Inf, 0
	f, err := openBytes(t, "x", file, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings()) != 0 {
		t.Error(f.Warnings())
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if _, err := f.Tensor(t.Context(), "a"); err != nil {
				t.Error(err)
			}
			f.Warnings()
		})
	}
	wait.Wait()
	if w := f.Warnings(); len(w) != 1 || w[0].Kind != NonFinite || w[0].Tensor != "a" || w[0].Msg != "1 of 2 values are NaN or infinite" {
		t.Errorf("%+v", w)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Tensor(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
