package checkpoint

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// TestCompressedLimits: what comes out is counted, to the byte.
func TestCompressedLimits(t *testing.T) {
	array := []byte(npyMember("|u1", false, "(3000000,)", strings.Repeat("\x00", 3_000_000)))
	size := int64(len(array))
	for layer, pack := range packers(t) {
		packed := pack(array)
		ratio := (size - inflateSlack) / int64(len(packed))
		for _, c := range []struct {
			what    string
			l       Limits
			mention string // "" is good
		}{
			{"just the bytes", Limits{MaxInflate: size, MaxRatio: 1 << 15}, ""},
			{"one less", Limits{MaxInflate: size - 1, MaxRatio: 1 << 15}, "that are allowed"},
			{"few", Limits{MaxInflate: 10, MaxRatio: 1 << 15}, "that are allowed"},
			{"a ratio over it", Limits{MaxRatio: ratio + 1}, ""},
			{"a ratio below it", Limits{MaxRatio: ratio}, "times"},
			{"any ratio", Limits{MaxInflate: size, MaxRatio: math.MaxInt64}, ""},
		} {
			f, err := openBytes(t, "x", packed, c.l)
			if c.mention == "" {
				if err != nil {
					t.Errorf("%s, %s: %v", layer, c.what, err)
				}
				continue
			}
			if f != nil || kindOf(err) != TooLarge || !strings.Contains(err.Error(), c.mention) || !strings.Contains(hintOf(err), "--max-inflate") {
				t.Errorf("%s, %s: %v, want too_large with %q", layer, c.what, err, c.mention)
			}
		}
	}
}

// TestCompressedLimitStops: a bomb is left at the limit, not unpacked first.
func TestCompressedLimitStops(t *testing.T) {
	bomb := []byte(npyMember("|u1", false, "(16000000,)", strings.Repeat("\x00", 16_000_000)))
	for layer, pack := range packers(t) {
		packed := pack(bomb)
		in := &counting{ReaderAt: bytes.NewReader(append(packed, make([]byte, 1<<20)...))}
		b := &blob{ReaderAt: in, size: int64(len(packed)) + 1<<20}
		before := allocated()
		if _, err := b.open(t.Context(), Limits{MaxInflate: 1 << 16}.withDefaults()); kindOf(err) != TooLarge {
			t.Errorf("%s: %v", layer, err)
		}
		if got := allocated() - before; got > 16<<20 {
			t.Errorf("%s: %d bytes were allocated", layer, got)
		}
		if in.read > 256<<10 {
			t.Errorf("%s: %d bytes were read", layer, in.read)
		}
	}
}

// TestCompressedTwice: a zip archive or an expanded view in a compressed file
// can't take the whole ratio a second time.
func TestCompressedTwice(t *testing.T) {
	zeros := npyMember("|u1", false, "(16000000,)", strings.Repeat("\x00", 16_000_000))
	archive := zipOf(t, part{name: "a.npy", data: zeros, deflate: true})
	f, err := openBytes(t, "x.npz", archive, Limits{MaxRatio: 1100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	for layer, pack := range packers(t) {
		f, err := openBytes(t, "x.npz", pack(archive), Limits{MaxRatio: 1100})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != TooLarge || !strings.Contains(err.Error(), "inside "+layer) {
			t.Errorf("%s: %v", layer, err)
		}
	}
}

// TestZstdWindow: a frame's window is bounded by the file, whatever its header
// asks for, and what other writers ask for is given.
func TestZstdWindow(t *testing.T) {
	frame := func(header string) []byte { // one raw block behind it
		return []byte("\x28\xb5\x2f\xfd" + header + "\x11\x00\x00{}")
	}
	for _, c := range []struct {
		what   string
		packed []byte
		kind   Kind
	}{
		{"8 MiB", frame("\x00\x68"), Empty}, // an object without tables
		{"9 MiB", frame("\x00\x69"), TooLarge},
		{"3.75 TiB", frame("\x00\xff"), TooLarge},
		{"8 MiB in one segment", frame("\xa0\x00\x00\x80\x00"), Corrupt}, // fewer bytes come
		{"2 GiB in one segment", frame("\xa0\x00\x00\x00\x80"), TooLarge},
		{"2^64-1 in one segment", frame("\xe0" + strings.Repeat("\xff", 8)), TooLarge},
		{"a dictionary", frame("\x01\x68\x05"), Unsupported},
	} {
		before := allocated()
		f, err := openBytes(t, "x", c.packed, Limits{})
		if f != nil || kindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.what, err, c.kind)
		}
		if got := allocated() - before; got > 16<<20 {
			t.Errorf("%s: %d bytes were allocated", c.what, got)
		}
	}
	// A stream of unknown length has the window of its level.
	array := []byte(npyMember("<f4", false, "(50000,)", string(numbered(50_000))))
	for _, window := range []int{1 << 10, 8 << 20, 64 << 20, 128 << 20} {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		w.Write(array)
		w.Flush()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := openBytes(t, "x", b.Bytes(), Limits{})
		if large := int64(window) > zstdWindow(int64(b.Len())*1024+inflateSlack); (kindOf(err) == TooLarge) != large || err != nil && !large {
			t.Errorf("%d bytes with a window of %d: %v", b.Len(), window, err)
		}
		if f != nil {
			f.Close()
		}
	}
}

// TestCompressedSpool: a large file is unpacked into a temporary file that
// nobody finds, and that is gone with the File; nothing else is left behind.
func TestCompressedSpool(t *testing.T) {
	const n = streamMemory + 1000
	array := make([]byte, 0, n+200)
	array = append(array, npyMember("|u1", false, "(67109864,)", "")...)
	array = append(array, bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n]...)
	for layer, pack := range packers(t) {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		t.Setenv("TMP", dir) // Windows
		packed := pack(array)
		l := Limits{MaxRatio: 1 << 15}
		before := runtime.NumGoroutine()
		f, err := openBytes(t, "x.npy", packed, l)
		if err != nil {
			t.Fatal(err)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s: %v can be found (%v)", layer, names, err)
		}
		got, err := f.Tensor(t.Context(), "")
		if err != nil || len(got.Data) != n || got.Data[n-1] != float64(array[len(array)-1]) || got.Data[12] != 'c' {
			t.Errorf("%s: other values came back (%v)", layer, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("%s: %v is left (%v)", layer, left, err)
		}
		noneLeft(t, layer, before)
		nowhere := filepath.Join(dir, "nowhere")
		t.Setenv("TMPDIR", nowhere)
		t.Setenv("TMP", nowhere)
		if _, err := openBytes(t, "x.npy", packed, l); kindOf(err) != Unreadable || !strings.Contains(err.Error(), "temporary file") || !strings.Contains(hintOf(err), layer+" -d") {
			t.Errorf("%s: %v (%s)", layer, err, hintOf(err))
		}
	}
}

// TestCompressedGoroutines: none is left, whatever becomes of the file.
func TestCompressedGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for layer, pack := range packers(t) {
		packed := pack([]byte(npyMember("<f4", false, "(500000,)", string(numbered(500_000)))))
		for _, data := range [][]byte{packed, packed[:len(packed)/2], packed[:len(packed)-1], append([]byte("\x28\xb5\x2f\xfd"), packed...)} {
			for _, l := range []Limits{{}, {MaxInflate: 100_000}} {
				if f, err := openBytes(t, layer, data, l); err == nil {
					f.Close()
				}
			}
		}
	}
	noneLeft(t, "all", before)
}

// noneLeft checks that no more goroutines are there than before. One that is done
// may still be on its way out, which a waiting group does not wait for.
func noneLeft(t *testing.T, what string, before int) {
	t.Helper()
	for range 5000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%s: %d goroutines, and %d before", what, runtime.NumGoroutine(), before)
}

// BenchmarkCompressed opens a compressed table.
func BenchmarkCompressed(b *testing.B) {
	data := []byte(npyMember("<f4", false, "(4000000,)", string(numbered(4_000_000))))
	for layer, pack := range packers(b) {
		packed := pack(data)
		b.Run(layer, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := memory(packed).open(b.Context(), defaults)
				if err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
}

func TestChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := numbered(chunkBytes) // four chunks
		data = data[:rapid.IntRange(0, len(data)).Draw(t, "size")]
		var c chunks
		most := rapid.IntRange(0, 5).Draw(t, "most") * chunkBytes
		more, err := c.fill(iotest.HalfReader(bytes.NewReader(data)), int64(most))
		if err != nil || more != (len(data) >= most) || c.size != int64(min(most, len(data))) {
			t.Fatalf("%v, %v, %d bytes of %d, at most %d", more, err, c.size, len(data), most)
		}
		p := make([]byte, rapid.IntRange(0, 3*chunkBytes).Draw(t, "n"))
		off := rapid.IntRange(0, int(c.size)+10).Draw(t, "off")
		n, err := c.ReadAt(p, int64(off))
		want := data[min(off, int(c.size)):min(off+len(p), int(c.size))]
		if !bytes.Equal(p[:n], want) || (err == io.EOF) != (n < len(p)) {
			t.Fatalf("%d bytes at %d: %d, %v", len(p), off, n, err)
		}
	})
}
