package checkpoint

import (
	"testing"

	"poslens/internal/tensor"
)

// FuzzGzip tries bytes as a gzip file, and inside of one that is sound.
func FuzzGzip(f *testing.F) {
	seedCompressed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzCompressed(t, data)
		fuzzCompressed(t, gz(t, data))
	})
}

// FuzzZstd tries bytes as a zstd file, and inside of one that is sound.
func FuzzZstd(f *testing.F) {
	seedCompressed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzCompressed(t, data)
		fuzzCompressed(t, zst(t, data))
	})
}

// seedCompressed gives a fuzz target small compressed files (the fuzzer spends its
// time on making large ones smaller) and files that may be inside.
func seedCompressed(f *testing.F) {
	f.Helper()
	seedFixtures(f, "compressed", 512)
	for format, data := range insides(f) {
		f.Add([]byte(data))
		if format != "npz" {
			f.Add(gz(f, []byte(data)))
			f.Add(zst(f, []byte(data)))
		}
	}
}

// fuzzCompressed is fuzzOpen with bounds for a compressed file: they are those of
// what may be inside, and of a window.
func fuzzCompressed(t *testing.T, data []byte) {
	limits := Limits{MaxElements: 1 << 14, MaxHeader: 1 << 14, MaxInflate: 1 << 14}
	const most = 4<<20 + commonWindow + 400<<14
	before := allocated()
	f, err := openBytes(t, "x.npy", data, limits)
	if (f == nil) != (err != nil) {
		t.Fatalf("the file %v with the error %v", f, err)
	}
	if err != nil && kindOf(err) == "" {
		t.Fatalf("the error %v has no kind", err)
	}
	if got := allocated() - before; got > most {
		t.Errorf("opening %d bytes allocated %d, over %d", len(data), got, most)
	}
	if f == nil {
		return
	}
	defer f.Close()
	checkListing(t, f)
	for _, info := range f.Tensors()[:min(len(f.Tensors()), 64)] {
		got, err := f.Tensor(t.Context(), info.Name)
		if (got == nil) != (err != nil) {
			t.Fatalf("tensor %q: %v with the error %v", info.Name, got, err)
		}
		if got == nil {
			continue
		}
		if n, err := tensor.Count(got.Shape, limits.MaxElements); err != nil || n != len(got.Data) {
			t.Fatalf("tensor %q: %d values for the shape %v (%v)", info.Name, len(got.Data), got.Shape, err)
		}
	}
}
