package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// windowOver is a window over some bytes, and what counts its reads.
func windowOver(ctx context.Context, data []byte) (*window, *counting) {
	in := &counting{ReaderAt: bytes.NewReader(data)}
	return newWindow(ctx, &blob{ReaderAt: in, size: int64(len(data))}, int64(len(data))), in
}

// TestWindow compares any pieces in any order with the bytes of the file. Reading
// ahead stops where it should.
func TestWindow(t *testing.T) {
	file := make([]byte, 1<<20)
	for i := range file {
		file[i] = byte(i * 7 >> 3)
	}
	rapid.Check(t, func(t *rapid.T) {
		w, in := windowOver(context.Background(), file)
		w.end = rapid.Int64Range(0, w.b.size).Draw(t, "end")
		last, place := w.end, int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "pieces") {
			place += rapid.OneOf(rapid.Int64Range(-100, 5000), rapid.Int64Range(-1<<20, 1<<20)).Draw(t, "step")
			n := rapid.OneOf(rapid.Int64Range(-1, 100), rapid.Int64Range(0, 1<<19)).Draw(t, "n")
			read := in.read
			p, err := w.bytes(place, n)
			if place < 0 || n < 0 || place+n > w.b.size {
				var e *Error
				if !errors.As(err, &e) || e.Kind != Truncated || e.Off != place || p != nil || in.read != read {
					t.Fatalf("%d bytes at %d: %v, after reading %d", n, place, err, in.read-read)
				}
				continue
			}
			if err != nil || !bytes.Equal(p, file[place:place+n]) {
				t.Fatalf("%d bytes at %d: %v, or others", n, place, err)
			}
			last = max(last, place+n)
			if held := w.off + int64(len(w.data)); held > last || in.read-read > max(n, windowMost) {
				t.Fatalf("%d bytes at %d: read %d, up to %d", n, place, in.read-read, held)
			}
			place += n
		}
	})
}

// TestWindowAhead: reads grow while what follows is wanted, and are short again
// behind a jump.
func TestWindowAhead(t *testing.T) {
	w, in := windowOver(t.Context(), make([]byte, 4<<20))
	reads := func(off, n int64) int64 {
		t.Helper()
		before := in.read
		if _, err := w.bytes(off, n); err != nil {
			t.Fatal(err)
		}
		return in.read - before
	}
	var sizes []int64
	off := int64(0)
	for ; off < 1<<20; off += 10 {
		if n := reads(off, 10); n > 0 {
			sizes = append(sizes, n>>10)
		}
	}
	if want := []int64{4, 8, 16, 32, 64, 128, 256, 256, 256, 256}; !slices.Equal(sizes, want) {
		t.Errorf("one after the other: %d KiB, want %d", sizes, want)
	}
	end := w.off + int64(len(w.data))
	for _, c := range []struct {
		what         string
		off, n, want int64
	}{
		{"what is there", end - 1000, 1000, 0},
		{"right behind", end, 1, windowMost},
		{"back into what was there", end - 1, 1, windowLeast},
		{"a little behind", end + windowLeast, 1, windowLeast},
		{"far behind", 3 << 20, 1, windowLeast},
		{"more than is read ahead", 3<<20 + 10, windowMost + 1, windowMost + 1},
		{"the last byte", 4<<20 - 1, 1, 1},
		{"nothing at the end", 4 << 20, 0, 0},
	} {
		if got := reads(c.off, c.n); got != c.want {
			t.Errorf("%s: read %d bytes, want %d", c.what, got, c.want)
		}
	}
}

// TestWindowFaults: a read that fails is told with its place, spoils only what
// needs it, and may be tried again.
func TestWindowFaults(t *testing.T) {
	broken := errors.New("broken")
	file := bytes.Repeat([]byte("0123456789"), 10_000)
	in := &breaking{file: file, from: 5000, err: broken}
	w := newWindow(t.Context(), &blob{ReaderAt: in, size: int64(len(file))}, int64(len(file)))
	for _, off := range []int64{0, 4000, 4990} {
		if p, err := w.bytes(off, 10); err != nil || string(p) != "0123456789" {
			t.Errorf("at %d, before the fault: %q, %v", off, p, err)
		}
	}
	for range 2 {
		var e *Error
		if p, err := w.bytes(4995, 10); p != nil || !errors.As(err, &e) || e.Kind != Unreadable || e.Off != 5000 || !errors.Is(err, broken) {
			t.Errorf("into the fault: %q, %v", p, err)
		}
	}
	in.from = int64(len(file))
	if p, err := w.bytes(4995, 10); err != nil || string(p) != "5678901234" {
		t.Errorf("once more: %q, %v", p, err)
	}
	in.from, in.err = 50_000, io.EOF // the file was cut meanwhile
	var e *Error
	if p, err := w.bytes(60_000, 10); p != nil || !errors.As(err, &e) || e.Kind != Truncated || e.Off != 60_000 {
		t.Errorf("cut: %q, %v", p, err)
	}
}

// breaking is a file whose bytes can't be read from a place on.
type breaking struct {
	file []byte
	from int64
	err  error
}

func (b *breaking) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	if off < b.from {
		n = copy(p, b.file[off:b.from])
	}
	if n < len(p) {
		return n, b.err
	}
	return n, nil
}

// TestWindowLies: what the file can't have is refused before room is made for it.
func TestWindowLies(t *testing.T) {
	w, in := windowOver(t.Context(), make([]byte, 100))
	if _, err := w.bytes(50, 10); err != nil {
		t.Fatal(err)
	}
	calls, before := in.calls, allocated()
	for _, c := range [][2]int64{
		{0, 101}, {0, 1 << 40}, {0, math.MaxInt64}, {100, 1}, {101, 0}, {math.MaxInt64, 1}, {math.MaxInt64, math.MaxInt64},
		{-1, 10}, {math.MinInt64, 10}, {50, -1}, {50, math.MinInt64}, {math.MinInt64, math.MinInt64},
	} {
		if p, err := w.bytes(c[0], c[1]); p != nil || kindOf(err) != Truncated {
			t.Errorf("%d bytes at %d: %d bytes, %v", c[1], c[0], len(p), err)
		}
	}
	if took := allocated() - before; in.calls != calls || took > 64<<10 {
		t.Errorf("%d reads, and %d bytes allocated", in.calls-calls, took)
	}
}

// TestWindowCancelled: nothing is read when nobody waits, but what is there is
// given.
func TestWindowCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w, in := windowOver(ctx, make([]byte, 1<<20))
	if _, err := w.bytes(0, 10); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := w.bytes(10, 10); err != nil {
		t.Errorf("what is there: %v", err)
	}
	if p, err := w.bytes(1<<19, 10); p != nil || !errors.Is(err, context.Canceled) || in.calls != 1 {
		t.Errorf("%d bytes, %v after %d reads", len(p), err, in.calls)
	}
}
