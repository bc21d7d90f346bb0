package checkpoint

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// tally counts the bytes that are read of each file of a folder.
type tally struct {
	fs.FS
	mu   sync.Mutex
	read map[string]int
}

func (c *tally) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return tallied{f, c, name}, nil
}

// tallied is a file of a tally.
type tallied struct {
	fs.File
	in   *tally
	name string
}

func (f tallied) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, off)
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	f.in.read[f.name] += n
	return n, err
}

// TestTensorFlowCost: opening costs the index and none of the data, and one variable
// its own bytes.
func TestTensorFlowCost(t *testing.T) {
	const n = 1 << 20
	row, zeros := floats(make([]float32, 512)...), strings.Repeat("\x00", 4*n)
	folder := fstest.MapFS{
		"m.data-00000-of-00002": {Data: []byte(zeros + row + zeros)},
		"m.data-00001-of-00002": {Data: []byte(zeros)},
	}
	var blocks []string
	pairs := []pair{headerOf(2)}
	for i := range 100 {
		pairs = append(pairs, pair{fmt.Sprintf("layer%02d/kernel", i), entryOf(1, 0, 0, zeros, n)})
		if len(pairs) == 10 {
			blocks, pairs = append(blocks, blockOf(pairs...)), nil
		}
	}
	blocks = append(blocks, blockOf(append(pairs, pair{"other", entryOf(1, 1, 0, zeros, n)}, pair{"table", entryOf(1, 0, len(zeros), row, 16, 32)})...))
	folder["m.index"] = &fstest.MapFile{Data: tableOf(0, blocks...)}
	in := &tally{FS: folder, read: map[string]int{}}
	f, err := Open(t.Context(), in, "m", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if most := len(folder["m.index"].Data) + headBytes + 8; in.read["m.index"] > most || len(in.read) != 1 {
		t.Errorf("opening read %v; the index has %d", in.read, len(folder["m.index"].Data))
	}
	clear(in.read)
	before := allocated()
	if _, err := f.Tensor(t.Context(), "table"); err != nil {
		t.Fatal(err)
	}
	if in.read["m.data-00000-of-00002"] != len(row) || len(in.read) != 1 {
		t.Errorf("a tensor of %d bytes cost %v", len(row), in.read)
	}
	if took := allocated() - before; took > 1<<20 {
		t.Errorf("a tensor of %d bytes allocated %d", len(row), took)
	}
}

// TestTensorFlowBig: by one reader and by several, a long variable's bytes are read
// once, come to their places, and a bit that flipped is found in whichever piece it
// is.
func TestTensorFlowBig(t *testing.T) {
	const n = 5<<18 + 77
	data := numbered(n)
	for _, procs := range []int{1, 4} {
		processors(t, procs)
		folder := bundleOf(string(data), pair{"big", entryOf(1, 0, 0, string(data), n)})
		in := &tally{FS: folder, read: map[string]int{}}
		f, err := Open(t.Context(), in, "m", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		before := allocated()
		got, err := f.Tensor(t.Context(), "big")
		if err != nil {
			t.Fatal(err)
		}
		if took, most := allocated()-before, uint64(8*n+procs*pieceBytes+1<<19); took > most {
			t.Errorf("%d processors: %d bytes allocated, over %d", procs, took, most)
		}
		if read := in.read["m.data-00000-of-00001"]; read != 4*n {
			t.Errorf("%d processors: %d bytes read for a tensor of %d", procs, read, 4*n)
		}
		for i, v := range got.Data {
			if v != float64(i) {
				t.Fatalf("%d processors: element %d is %v", procs, i, v)
			}
		}
		file := folder["m.data-00000-of-00001"].Data
		for at := 0; at < len(file); at += pieceBytes/2 + 1001 {
			file[at] ^= 4
			if _, err := f.Tensor(t.Context(), "big"); kindOf(err) != Corrupt || !strings.Contains(err.Error(), "CRC-32C") {
				t.Errorf("byte %d: %v", at, err)
			}
			file[at] ^= 4
		}
	}
}

// TestTensorFlowLimit: a variable over the limit is listed, but not read.
func TestTensorFlowLimit(t *testing.T) {
	data := floats(make([]float32, 100)...)
	f, err := Open(t.Context(), bundleOf(data, pair{"a", entryOf(1, 0, 0, data, 100)}), "m", Limits{MaxElements: 50})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != TooLarge {
		t.Errorf("%v, want too_large", err)
	}
}
