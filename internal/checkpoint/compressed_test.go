package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestCompressedFixtures(t *testing.T) { runManifest(t, "compressed") }

func TestCompressedTruncations(t *testing.T) {
	for _, name := range []string{"c_f4.npy.gz", "c_f4.npy.zst", "multi_member.npy.gz", "two_frames.npy.zst", "plain.csv.gz", "plain.csv.zst"} {
		everyTruncation(t, "compressed", name, true)
	}
}

// gz is one gzip member of these bytes.
func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zst is one zstd frame of these bytes.
func zst(t testing.TB, data []byte, opt ...zstd.EOption) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, append(opt, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(data, nil)
}

// packers are the two ways of compressing.
func packers(t testing.TB) map[string]func([]byte) []byte {
	return map[string]func([]byte) []byte{
		"gzip": func(p []byte) []byte { return gz(t, p) },
		"zstd": func(p []byte) []byte { return zst(t, p) },
	}
}

// sixNumbers are the values of the tensor in every file of insides.
var sixNumbers = []float64{1, 2, 3, 4, 5, 6}

// insides are files of several formats with one tensor.
func insides(t testing.TB) map[string]string {
	array := npyMember("|u1", false, "(2, 3)", "\x01\x02\x03\x04\x05\x06")
	return map[string]string{
		"npy":         array,
		"npz":         string(zipOf(t, part{name: "a.npy", data: array}, part{name: "big.npy", data: npyMember("|u1", false, "(5000,)", strings.Repeat("x", 5000)), deflate: true})),
		"safetensors": string(safetensorsOf(`{"a":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]}}`, 0)) + "\x01\x02\x03\x04\x05\x06",
		"text":        "1,2,3\n4,5,6\n",
		"json":        "[[1,2,3],[4,5,6]]",
	}
}

// TestCompressedInside: whatever is inside is opened, and its format kept.
func TestCompressedInside(t *testing.T) {
	for layer, pack := range packers(t) {
		for format, data := range insides(t) {
			f, err := openBytes(t, "x", pack([]byte(data)), Limits{})
			if err != nil {
				t.Errorf("%s in %s: %v", format, layer, err)
				continue
			}
			if f.Format != format+" in "+layer || f.Name != "x" {
				t.Errorf("%q, %q", f.Format, f.Name)
			}
			checkListing(t, f)
			got, err := f.Tensor(t.Context(), f.Tensors()[0].Name)
			if err != nil || !slices.Equal(got.Data, sixNumbers) || !slices.Equal(got.Shape, []int{2, 3}) {
				t.Errorf("%s in %s: %v, %v", format, layer, got, err)
			}
			if _, err := f.Tensor(t.Context(), "no such"); kindOf(err) != NotFound {
				t.Errorf("%s in %s: %v", format, layer, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCompressedStream: standard input may be compressed, too.
func TestCompressedStream(t *testing.T) {
	for layer, pack := range packers(t) {
		f, err := OpenStream(t.Context(), iotest.OneByteReader(bytes.NewReader(pack(good))), Limits{})
		if err != nil {
			t.Errorf("%s: %v", layer, err)
			continue
		}
		if got, err := f.Tensor(t.Context(), "a"); err != nil || len(got.Data) != 2 || f.Name != "" {
			t.Errorf("%s: %v, %v, %q", layer, got, err, f.Name)
		}
		f.Close()
	}
}

// TestCompressedRefused: what is inside, but can't be opened.
func TestCompressedRefused(t *testing.T) {
	hopeless := "\x10\x00\x00\x00\x00\x00\x00\x00this is not json"
	tar := strings.Repeat("model.npy\x00", 30)[:257] + "ustar\x0000" + strings.Repeat("\x00", 5000)
	for layer, pack := range packers(t) {
		for _, c := range []struct {
			name, data, mention, hint string
			kind                      Kind
		}{
			{"x.gz", string(gz(t, good)), "compressed by gzip inside " + layer + ": one layer", "outer layer", Unsupported},
			{"x.zst", string(zst(t, good)), "compressed by zstd inside " + layer, "outer layer", Unsupported},
			{"x", "\xfd7zXZ\x00", "xz", "unxz", Unsupported},
			{"x.tar.gz", tar, "inside " + layer + ": a tar archive", "unpack it", Unsupported},
			{"x.npy", tar, "a tar archive", "unpack it", Unsupported},
			{"x", "", "inside " + layer + ": the file is empty", "", Empty},
			{"x", "<html>", "inside " + layer + ": a web page", "", Corrupt},
			{"x", hopeless, "no known container", "", Corrupt},
			{"x", hopeless + strings.Repeat("\x00", headBytes), "no known container", "", Corrupt},
			{"x.npy.gz", hopeless, map[string]string{"gzip": "numpy", "zstd": "no known"}[layer], "", Corrupt},
			{"x.NPY.GZ", hopeless + strings.Repeat("\x00", headBytes), map[string]string{"gzip": "numpy", "zstd": "no known"}[layer], "", Corrupt},
			{"x.npy.zst", hopeless, map[string]string{"zstd": "numpy", "gzip": "no known"}[layer], "", Corrupt},
			{"x.npy.zstd", hopeless, map[string]string{"zstd": "numpy", "gzip": "no known"}[layer], "", Corrupt},
			{"x.npy", hopeless, "numpy", "", Corrupt},
			{"x", string(good[:len(good)-1]), "inside " + layer + `: tensor "a"`, "", Truncated},
		} {
			f, err := openBytes(t, c.name, pack([]byte(c.data)), Limits{})
			if f != nil || kindOf(err) != c.kind || !strings.Contains(err.Error(), c.mention) || !strings.Contains(hintOf(err), c.hint) {
				t.Errorf("%s of %.20q in %s: %v (%s), want %s with %q", c.name, c.data, layer, err, hintOf(err), c.kind, c.mention)
			}
		}
	}
}

// TestCompressedBehind: what follows the last member or frame. Members and
// frames may be empty.
func TestCompressedBehind(t *testing.T) {
	nothing := string(gz(t, nil))
	skipped := "\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"
	for _, c := range []struct {
		behind map[string]string
		kind   Kind
		want   string
	}{
		{map[string]string{"gzip": nothing, "zstd": skipped}, "", ""},
		{map[string]string{"gzip": strings.Repeat(nothing, 300), "zstd": strings.Repeat(skipped, 300)}, "", ""},
		{map[string]string{"gzip": "\x00", "zstd": "\x00\x00\x00\x00"}, Corrupt, "follows"},
		{map[string]string{"gzip": "\n", "zstd": "more text"}, Corrupt, "follows"},
		{map[string]string{"gzip": "\x1f", "zstd": "\x28"}, Truncated, "ends"},
		{map[string]string{"gzip": nothing + "\x1f\x8b", "zstd": skipped[:9]}, Truncated, "ends"},
		{map[string]string{"gzip": "\x1f\x8b\x07garbage...", "zstd": "\x28\xb5\x2f\xfd\x08\x00\x00\x00\x00"}, Corrupt, ""},
	} {
		for layer, pack := range packers(t) {
			packed := pack(good)
			f, err := openBytes(t, "x", append(slices.Clone(packed), c.behind[layer]...), Limits{})
			if kindOf(err) != c.kind || (f == nil) != (c.kind != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q behind %s: %v, want %q", c.behind[layer], layer, err, c.kind)
			}
			var e *Error
			if errors.As(err, &e) && (e.Off < int64(len(packed)) || e.Off > int64(len(packed)+len(c.behind[layer]))) {
				t.Errorf("%q behind %s: the fault is at byte %d, and they begin at %d", c.behind[layer], layer, e.Off, len(packed))
			}
		}
	}
}

// TestCompressedDamage: a byte that is changed is found, or changes nothing.
func TestCompressedDamage(t *testing.T) {
	array := []byte(npyMember("<f4", false, "(16, 8)", string(numbered(128))))
	for layer, pack := range packers(t) {
		packed := pack(array)
		for i := range packed {
			for _, flip := range []byte{0x01, 0x80, 0xff} {
				bad := slices.Clone(packed)
				bad[i] ^= flip
				f, err := openBytes(t, "x.npy", bad, Limits{})
				if err != nil {
					if kindOf(err) == "" {
						t.Errorf("%s, byte %d: %v has no kind", layer, i, err)
					}
					continue
				}
				got, err := f.Tensor(t.Context(), "")
				for k := range 128 {
					if err != nil || got.Data[k] != float64(k) {
						t.Fatalf("%s, byte %d: the damage is not found (%v)", layer, i, err)
					}
				}
			}
		}
	}
}

// TestCompressedErrors: errors of reading and the end of the context are not
// taken for damage, wherever they come.
func TestCompressedErrors(t *testing.T) {
	for layer, pack := range packers(t) {
		packed := pack(good)
		if layer == "zstd" { // its package hides errors where it skips
			packed = append(packed, "\x5f\x2a\x4d\x18\x00\x00\x02\x00"+strings.Repeat("s", 0x20000)...)
		} else {
			packed = append(packed, bytes.Repeat(gz(t, nil), 0x20000/23)...)
		}
		for at := int64(headBytes); at < int64(len(packed)); at += 1 << 15 {
			b := &blob{ReaderAt: broken{bytes.NewReader(packed), []int64{at}}, size: int64(len(packed))}
			if _, err := b.open(t.Context(), defaults); kindOf(err) != Unreadable || !errors.Is(err, errBroken) {
				t.Errorf("%s, read error at %d: %v", layer, at, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		in := &counting{ReaderAt: bytes.NewReader(packed)}
		in.each = func() error {
			if in.calls == 3 {
				cancel()
			}
			return nil
		}
		if _, err := (&blob{ReaderAt: in, size: int64(len(packed))}).open(ctx, defaults); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the end of the context", layer, err)
		}
		shrunk := &blob{ReaderAt: bytes.NewReader(packed[:headBytes+1]), size: int64(len(packed))}
		if _, err := shrunk.open(t.Context(), defaults); kindOf(err) != Truncated {
			t.Errorf("%s, a file that shrank: %v", layer, err)
		}
	}
}

// TestCompressedCost: opening reads the file once, and a tensor reads nothing of
// it more.
func TestCompressedCost(t *testing.T) {
	for layer, pack := range packers(t) {
		packed := pack([]byte(npyMember("<f4", false, "(100000,)", string(numbered(100_000)))))
		in := &counting{ReaderAt: bytes.NewReader(packed)}
		f, err := (&blob{ReaderAt: in, size: int64(len(packed))}).open(t.Context(), defaults)
		if err != nil {
			t.Fatal(err)
		}
		if most := int64(headBytes + len(packed)); in.read > most {
			t.Errorf("%s: opening %d bytes read %d", layer, len(packed), in.read)
		}
		in.read = 0
		if _, err := f.Tensor(t.Context(), ""); err != nil || in.read != 0 {
			t.Errorf("%s: a tensor cost %d bytes of the file, %v", layer, in.read, err)
		}
	}
}

// TestCompressedNames: the file inside is called as the compressed one without
// the suffix of its own way of compressing.
func TestCompressedNames(t *testing.T) {
	for _, c := range []struct{ name, gzip, zstd string }{
		{"a/x.npy.gz", "a/x.npy", "a/x.npy.gz"},
		{"a/x.NPY.GZ", "a/x.NPY", "a/x.NPY.GZ"},
		{"x.csv.zst", "x.csv.zst", "x.csv"},
		{"x.csv.zstd", "x.csv.zstd", "x.csv"},
		{"x.gz.gz", "x.gz", "x.gz.gz"},
		{"x.npy", "x.npy", "x.npy"},
		{"", "", ""},
	} {
		if g, z := gzipLayer().inside(c.name), zstdLayer().inside(c.name); g != c.gzip || z != c.zstd {
			t.Errorf("%q: %q in gzip, %q in zstd", c.name, g, z)
		}
	}
}

// A frame to be skipped before the data, as some writers begin a file, is passed over.
func TestZstdSkippable(t *testing.T) {
	data := readFixture(t, "compressed", "c_f4.npy.zst")
	skip := []byte("\x5a\x2a\x4d\x18\x03\x00\x00\x00abc")
	f, err := openBytes(t, "c_f4.npy.zst", append(skip, data...), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Tensor(t.Context(), ""); err != nil {
		t.Error(err)
	}
}
