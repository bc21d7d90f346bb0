package checkpoint

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFlaxReal compares a T5X checkpoint's table with numpy's figures of it. The
// mean is a sum in another order.
func TestFlaxReal(t *testing.T) {
	data := os.Getenv("POSLENS_DATA")
	if data == "" {
		t.Skip("POSLENS_DATA is not set")
	}
	dir := filepath.Join(data, "real")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		File, Tensor                string
		Shape                       []int
		Min, Max, Mean, First, Last float64
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range cases {
		if filepath.Ext(c.File) != ".msgpack" {
			continue
		}
		ran++
		f, err := Open(t.Context(), os.DirFS(dir), c.File, Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.File, err)
		}
		defer f.Close()
		checkListing(t, f)
		if n := len(f.Tensors()); n != 261 || len(f.Warnings()) > 0 {
			t.Errorf("%s: %d tensors, warnings %v", c.File, n, f.Warnings())
		}
		got, err := f.Tensor(t.Context(), c.Tensor)
		if err != nil || !slices.Equal(got.Shape, c.Shape) {
			t.Fatalf("%s: shape %v, want %v: %v", c.File, got, c.Shape, err)
		}
		x, sum := got.Data, 0.0
		for _, v := range x {
			sum += v
		}
		if slices.Min(x) != c.Min || slices.Max(x) != c.Max || x[0] != c.First || x[len(x)-1] != c.Last || math.Abs(sum/float64(len(x))-c.Mean) > 1e-14 {
			t.Errorf("%s: min %v max %v first %v last %v mean %v, want %+v", c.File, slices.Min(x), slices.Max(x), x[0], x[len(x)-1], sum/float64(len(x)), c)
		}
		for _, info := range f.Tensors() { // the optimiser's state too
			if _, err := f.Tensor(t.Context(), info.Name); err != nil {
				t.Errorf("%s: %v", c.File, err)
			}
		}
	}
	if ran == 0 {
		t.Error("no real file")
	}
}
