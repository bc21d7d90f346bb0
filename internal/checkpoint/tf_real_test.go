package checkpoint

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTensorFlowReal compares with numpy's figures of checkpoints that TensorFlow
// wrote. The norms are sums in another order: 1e-14 relative.
func TestTensorFlowReal(t *testing.T) {
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
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*b }
	ran := 0
	for _, c := range cases {
		prefix, ok := strings.CutSuffix(c.File, tfIndex)
		if !ok {
			continue
		}
		ran++
		f, err := Open(t.Context(), os.DirFS(dir), prefix, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			continue
		}
		defer f.Close()
		checkListing(t, f)
		for _, name := range namesOf(f) {
			if _, err := f.Tensor(t.Context(), name); err != nil { // its CRC-32C is TensorFlow's own
				t.Errorf("%s: %v", c.File, err)
			}
		}
		got, err := f.Tensor(t.Context(), c.Tensor)
		if err != nil || !slices.Equal(got.Shape, c.Shape) {
			t.Errorf("%s: shape %v, want %v: %v", c.File, got, c.Shape, err)
			continue
		}
		x := got.Data
		low, high := math.Inf(1), 0.0
		for row := range slices.Chunk(x, c.Shape[len(c.Shape)-1]) {
			sum := 0.0
			for _, v := range row {
				sum += v * v
			}
			low, high = min(low, math.Sqrt(sum)), max(high, math.Sqrt(sum))
		}
		if !slices.Equal(x[:3], c.FirstRow) || !slices.Equal(x[len(x)-3:], c.LastRow) || !near(low, c.NormMin) || !near(high, c.NormMax) {
			t.Errorf("%s: %v ... %v, norms %v to %v; want %+v", c.File, x[:3], x[len(x)-3:], low, high, c)
		}
	}
	if ran != 2 {
		t.Errorf("%d real files, want 2", ran)
	}
}
