package checkpoint

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"poslens/internal/tensor"
)

// FuzzTFIndex tries an index as it is, and once more with the checksums of its
// blocks made right, without which nearly every change is found at once. The data
// file beside it is fuzzed, too.
func FuzzTFIndex(f *testing.F) {
	for _, root := range fixtureRoots() {
		names, _ := filepath.Glob(filepath.Join(root, "tf", "*"+tfIndex))
		for _, name := range names {
			index, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			data, _ := os.ReadFile(strings.TrimSuffix(name, tfIndex) + ".data-00000-of-00001")
			f.Add(index, data)
		}
	}
	for _, folder := range []fstest.MapFS{
		slicedOf([]int{7, 3}, []tfExtent{{0, 3}, all}, []tfExtent{{3, 2}, all}, []tfExtent{{5, 2}, all}),
		slicedOf([]int{4, 6}, []tfExtent{{0, 2}, {0, 3}}, []tfExtent{{0, 2}, {3, 3}}, []tfExtent{{2, 2}, all}),
	} {
		f.Add(folder["m.index"].Data, folder["m.data-00000-of-00001"].Data)
	}
	f.Fuzz(func(t *testing.T, index, data []byte) {
		fuzzOpen(t, "m.index", index)
		if index = resealed(index); index != nil {
			fuzzOpen(t, "m.index", index)
			fuzzBundle(t, index, data)
		}
	})
}

// resealed is an index whose blocks have the checksums that they should have; nil
// where it has no blocks.
func resealed(index []byte) []byte {
	file := append([]byte(nil), index...)
	table := &tfTable{b: memory(file), limits: defaults}
	seal := func(h tfHandle) []byte {
		if end := int64(len(file)) - tfFooterLen - tfTrailerLen; h.size > end || h.off > end-h.size {
			return nil
		}
		body := file[h.off : h.off+h.size+1]
		binary.LittleEndian.PutUint32(file[h.off+h.size+1:], maskedCRC(crc32c(body)))
		return body[:h.size]
	}
	h, err := table.footer()
	if err != nil {
		return nil
	}
	blocks := &tfBlock{data: seal(h)}
	blocks.each(func(_, value []byte, _ int64) error {
		if h, _, ok := cutHandle(value); ok {
			seal(h)
		}
		return nil
	})
	seal(h) // a data block may lie over it
	return file
}

// fuzzBundle is fuzzOpen for an index with a data file beside it.
func fuzzBundle(t *testing.T, index, data []byte) {
	limits := Limits{MaxElements: 1 << 16, MaxHeader: 1 << 20}
	folder := fstest.MapFS{"m.index": {Data: index}, "m.data-00000-of-00001": {Data: data}}
	before := allocated()
	f, err := Open(t.Context(), folder, "m", limits)
	if (f == nil) != (err != nil) || err != nil && kindOf(err) == "" {
		t.Fatalf("the file %v with the error %v", f, err)
	}
	if took, most := allocated()-before, uint64(4<<20+400*len(index)); took > most {
		t.Errorf("opening %d bytes allocated %d, over %d", len(index), took, most)
	}
	if f == nil {
		return
	}
	defer f.Close()
	checkListing(t, f)
	for i, info := range f.Tensors() {
		if i == 64 {
			break
		}
		before := allocated()
		got, err := f.Tensor(t.Context(), info.Name)
		if took, most := allocated()-before, uint64(4<<20+40*(len(index)+len(data))); took > most {
			t.Errorf("reading %q allocated %d, over %d", info.Name, took, most)
		}
		if (got == nil) != (err != nil) || err != nil && kindOf(err) == "" {
			t.Fatalf("tensor %q: %v with the error %v", info.Name, got, err)
		}
		if got != nil {
			if n, err := tensor.Count(got.Shape, limits.MaxElements); err != nil || n != len(got.Data) {
				t.Fatalf("tensor %q: %d values for the shape %v (%v)", info.Name, len(got.Data), got.Shape, err)
			}
		}
	}
}
