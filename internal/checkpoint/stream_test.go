package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

func TestOpenStream(t *testing.T) {
	for _, r := range []io.Reader{bytes.NewReader(good), iotest.OneByteReader(bytes.NewReader(good)), iotest.DataErrReader(bytes.NewReader(good))} {
		f, err := OpenStream(t.Context(), r, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Tensor(t.Context(), "a"); err != nil || len(got.Data) != 2 {
			t.Errorf("%v, %v", got, err)
		}
		if err := f.Close(); err != nil || f.Name != "" {
			t.Errorf("%q, %v", f.Name, err)
		}
	}
	broken := errors.New("connection reset")
	for _, c := range []struct {
		what string
		r    io.Reader
		l    Limits
		kind Kind
	}{
		{"nothing", strings.NewReader(""), Limits{}, Empty},
		{"cut", bytes.NewReader(good[:len(good)-1]), Limits{}, Truncated},
		{"broken", io.MultiReader(bytes.NewReader(good[:20]), iotest.ErrReader(broken)), Limits{}, Unreadable},
		{"over the limit", bytes.NewReader(good), Limits{MaxStream: 10}, TooLarge},
		{"just at the limit", bytes.NewReader(good), Limits{MaxStream: int64(len(good))}, ""},
	} {
		f, err := OpenStream(t.Context(), c.r, c.l)
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
	}
}

// TestSpoolFile: a long stream goes to a temporary file that nobody finds, and
// that is gone afterwards.
func TestSpoolFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // Windows
	data := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	for _, memory := range []int64{1, 15_999, 16_000, 16_001} {
		s, err := spoolPast(t.Context(), bytes.NewReader(data), memory, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if (s.file != nil) != (memory <= 16_000) || s.size != 16_000 {
			t.Errorf("memory for %d: file %v, size %d", memory, s.file != nil, s.size)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) != 0 && runtime.GOOS != "windows" {
			t.Errorf("memory for %d: %v can be found (%v)", memory, names, err)
		}
		got, err := io.ReadAll(io.NewSectionReader(s, 0, s.size))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("memory for %d: other bytes came back (%v)", memory, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for want, r := range map[Kind]io.Reader{
		Unreadable: iotest.TimeoutReader(iotest.HalfReader(bytes.NewReader(data))),
		TooLarge:   bytes.NewReader(data),
	} {
		if _, err := spoolPast(t.Context(), r, 100, 12_000); kindOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

// TestSpoolNowhere: where no temporary file can be, the stream is not to blame.
func TestSpoolNowhere(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	t.Setenv("TMPDIR", nowhere)
	t.Setenv("TMP", nowhere) // Windows
	_, err := spoolPast(t.Context(), strings.NewReader("0123456789"), 5, 100)
	if kindOf(err) != Unreadable || !strings.Contains(err.Error(), "temporary file") || hintOf(err) == "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestSpoolCancel: the context is looked at before every read.
func TestSpoolCancel(t *testing.T) {
	for _, memory := range []int64{1 << 20, 10} {
		ctx, cancel := context.WithCancel(t.Context())
		reads := 0
		endless := readerFunc(func(p []byte) (int, error) {
			if reads++; reads == 3 {
				cancel()
			}
			return 8, nil
		})
		if _, err := spoolPast(ctx, endless, memory, 1<<30); !errors.Is(err, context.Canceled) || reads != 3 {
			t.Errorf("%v after %d reads", err, reads)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// endless is a stream without an end that starts like no format.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	clear(p)
	return len(p), nil
}

// TestStreamOfNoFormat is refused by its first bytes: reading on would fill the
// disk.
func TestStreamOfNoFormat(t *testing.T) {
	in := &endless{}
	f, err := OpenStream(context.Background(), in, Limits{})
	if f != nil || !hasKind(err, Corrupt) {
		t.Errorf("got %v, %v", f, err)
	}
	if in.read > 2*headBytes {
		t.Errorf("%d bytes were read", in.read)
	}
}
