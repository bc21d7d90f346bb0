package checkpoint

import (
	"bytes"
	"compress/gzip"
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"poslens/internal/progress"
)

// The bytes of a large tensor are counted as they are read, those of a compressed
// file as they are unpacked; a small one is not counted.
func TestReadingIsTold(t *testing.T) {
	var begun []int64
	var done atomic.Int64
	ctx := progress.With(context.Background(), func(what string, total int64) func(int64) {
		if what != progress.Bytes {
			t.Errorf("told of %q", what)
		}
		begun = append(begun, total)
		return func(more int64) { done.Add(more) }
	})
	for _, c := range []struct {
		rows    int
		packed  bool
		stages  int
		tensors int64 // bytes of the tensor that are counted
	}{{300, false, 0, 0}, {3000, false, 1, 3000 * 256 * 8}, {3000, true, 2, 3000 * 256 * 8}} {
		begun = nil
		done.Store(0)
		random := rand.New(rand.NewPCG(1, 2))
		x := make([]float64, c.rows*256)
		for i := range x {
			x[i] = random.NormFloat64()
		}
		var file bytes.Buffer
		if err := WriteNPY(&file, []int{c.rows, 256}, x); err != nil {
			t.Fatal(err)
		}
		want := c.tensors
		if c.packed {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write(file.Bytes())
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			file = packed
			want += int64(packed.Len())
		}
		f, err := Open(ctx, fstest.MapFS{"x": {Data: file.Bytes()}}, "x", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Tensor(ctx, f.Tensors()[0].Name); err != nil {
			t.Fatal(err)
		}
		f.Close()
		total := int64(0)
		for _, n := range begun {
			total += n
		}
		if len(begun) != c.stages || total != want || done.Load() != want {
			t.Errorf("%d rows, packed %v: %d times begun, %d bytes to do and %d done, want %d times and %d", c.rows, c.packed, len(begun), total, done.Load(), c.stages, want)
		}
	}
}
