package checkpoint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTorchReads counts what it costs to open a file of many storages and to
// read one tensor of them.
func TestTorchReads(t *testing.T) {
	const storages, elements = 50, 100_000
	var root []string
	var data []string
	for i := range storages {
		s := pkStorage("FloatStorage", fmt.Sprint(i), elements)
		root = append(root, fmt.Sprintf("layer%d.weight", i), pkTensor(s, 0, []int{elements}, []int{1}))
		data = append(data, floats(make([]float32, elements)...))
	}
	root = append(root, "slice", pkTensor(pkStorage("FloatStorage", "20", elements), 50_000, []int{16, 32}, []int{32, 1}))
	file := torchOf(t, pkDict(root...), data...)
	c := &counting{ReaderAt: bytes.NewReader(file)}
	f, err := openZip(t.Context(), &blob{ReaderAt: c, size: int64(len(file))}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	pickle := int64(len(pkDict(root...)))
	directory := int64(len(file) - bytes.Index(file, []byte(zipEntry)))
	if most := pickle + directory + 2<<10; c.read > most || c.calls > 10 {
		t.Errorf("opening read %d bytes in %d calls, over %d: the pickle has %d, the directory %d", c.read, c.calls, most, pickle, directory)
	}
	for name, span := range map[string]int64{"layer7.weight": 4 * elements, "slice": 4 * 16 * 32} {
		c.read, c.calls = 0, 0
		if _, err := f.Tensor(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if c.read > span+100 || c.calls > 2 {
			t.Errorf("%s: %d bytes in %d calls for a span of %d", name, c.read, c.calls, span)
		}
	}
}

// TestTorchDamage flips a bit of a storage: found where the tensor covers it
// whole, unseen elsewhere.
func TestTorchDamage(t *testing.T) {
	whole := pkTensor(pkStorage("FloatStorage", "0", 4), 0, []int{2, 2}, []int{1, 2})
	first := pkTensor(pkStorage("FloatStorage", "0", 4), 0, []int{1}, []int{1})
	data := patched(t, torchOf(t, pkDict("whole", whole, "first", first), floats(1, 2, 3, 4)), floats(2), 0, 0, "\x01")
	f, err := openBytes(t, "x.pt", data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "whole"); kindOf(err) != Corrupt || !strings.Contains(err.Error(), "CRC-32") {
		t.Errorf("whole: %v", err)
	}
	if got, err := f.Tensor(t.Context(), "first"); err != nil || !slices.Equal(got.Data, []float64{1}) {
		t.Errorf("first: %v %v", got, err)
	}
}
