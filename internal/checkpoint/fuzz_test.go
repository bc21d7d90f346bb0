package checkpoint

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

func FuzzSafetensors(f *testing.F) {
	seedFixtures(f, "safetensors", 8<<10)
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.safetensors", data) })
}

func FuzzNPY(f *testing.F) {
	seedFixtures(f, "npy", 8<<10)
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.npy", data) })
}

// FuzzNPYHeader tries the literal parser on texts alone.
func FuzzNPYHeader(f *testing.F) {
	f.Add([]byte("{'descr': '<f4', 'fortran_order': False, 'shape': (16, 32), }\n"))
	f.Add([]byte(`{"descr": [("a", "<f4"), ('b', [('c', '|O', (2L,))])], 'fortran_order': True, 'shape': ()}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := readNPYHeader(bytes.NewReader(npyOf(2, string(text), nil)))
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v has no kind", err)
		}
	})
}

// seedFixtures gives a fuzz target every file of a container's fixtures that is
// small enough.
func seedFixtures(f *testing.F, container string, most int64) {
	f.Helper()
	for _, root := range fixtureRoots() {
		names, _ := filepath.Glob(filepath.Join(root, container, "*"))
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil || !info.Mode().IsRegular() || info.Size() > most || strings.HasSuffix(name, ".expected.npy") {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
}

// fuzzOpen is what every fuzz target of a container checks: bytes that are opened
// as a file of this name give a File or an Error, every tensor's values fit its
// shape, and what is allocated is bounded by the bytes.
func fuzzOpen(t *testing.T, name string, data []byte) {
	limits := Limits{MaxElements: 1 << 16, MaxHeader: 1 << 20, MaxInflate: 1 << 20, MaxText: 1 << 20}
	before := allocated()
	f, err := openBytes(t, name, data, limits)
	if (f == nil) != (err != nil) {
		t.Fatalf("the file %v with the error %v", f, err)
	}
	if err != nil && kindOf(err) == "" {
		t.Fatalf("the error %v has no kind", err)
	}
	opened := allocated()
	if most := uint64(4<<20 + 400*len(data)); opened-before > most {
		t.Errorf("opening %d bytes allocated %d, over %d", len(data), opened-before, most)
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
		if most := uint64(4<<20 + 40*len(data)); allocated()-before > most {
			t.Errorf("reading %q of a file of %d bytes allocated %d, over %d", info.Name, len(data), allocated()-before, most)
		}
		if (got == nil) != (err != nil) {
			t.Fatalf("tensor %q: %v with the error %v", info.Name, got, err)
		}
		if got != nil {
			if n, err := tensor.Count(got.Shape, limits.MaxElements); err != nil || n != len(got.Data) {
				t.Fatalf("tensor %q: %d values for the shape %v (%v)", info.Name, len(got.Data), got.Shape, err)
			}
		}
	}
}

// leastAllocated is the bytes that do allocates. What runs beside it, such as what an
// earlier test left to the collector, counts too, so it is the least of some tries.
func leastAllocated(do func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 5 {
		before := allocated()
		do()
		least = min(least, allocated()-before)
	}
	return least
}

// allocated is the bytes that this process has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
