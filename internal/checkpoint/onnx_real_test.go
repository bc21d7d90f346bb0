package checkpoint

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestONNXReal compares with numpy's figures of files that ONNX Runtime wrote.
func TestONNXReal(t *testing.T) {
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
		File, Tensor string
		Shape        []int
		FirstRow     []float64 `json:"first_row_first3"`
		LastRow      []float64 `json:"last_row_last3"`
		NormMin      float64   `json:"norm_min"`
		NormMax      float64   `json:"norm_max"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*b } // sums in another order
	ran := 0
	for _, c := range cases {
		if filepath.Ext(c.File) != ".onnx" {
			continue
		}
		ran++
		f, err := Open(t.Context(), os.DirFS(dir), c.File, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			continue
		}
		defer f.Close()
		checkListing(t, f)
		for _, info := range f.Tensors() {
			if _, err := f.Tensor(t.Context(), info.Name); err != nil {
				t.Errorf("%s: %v", c.File, err)
			}
		}
		got, err := f.Tensor(t.Context(), c.Tensor)
		if err != nil || !slices.Equal(got.Shape, c.Shape) {
			t.Errorf("%s: %v, %v", c.File, got, err)
			continue
		}
		x, low, high := got.Data, math.Inf(1), 0.0
		for row := range slices.Chunk(x, c.Shape[1]) {
			sum := 0.0
			for _, v := range row {
				sum += v * v
			}
			low, high = min(low, math.Sqrt(sum)), max(high, math.Sqrt(sum))
		}
		if !slices.Equal(x[:3], c.FirstRow) || !slices.Equal(x[len(x)-3:], c.LastRow) || !near(low, c.NormMin) || !near(high, c.NormMax) {
			t.Errorf("%s: first row %v, last row %v, norms %v to %v; want %+v", c.File, x[:3], x[len(x)-3:], low, high, c)
		}
		if v, _ := f.Meta("onnx.producer_name"); v != "onnxruntime.transformers" {
			t.Errorf("%s: producer %q", c.File, v)
		}
	}
	if ran != 2 {
		t.Errorf("%d real files", ran)
	}
}
