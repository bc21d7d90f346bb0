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

// TestTorchReal compares with numpy's figures of files from real training runs.
// The norms are sums over rows in another order: 1e-14 relative.
func TestTorchReal(t *testing.T) {
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
		File, Tensor   string
		Shape          []int
		FirstRow       []float64 `json:"first_row_first3"`
		LastRow        []float64 `json:"last_row_last3"`
		NormMin        float64   `json:"norm_min"`
		NormMax        float64   `json:"norm_max"`
		Reserved       int
		Min, Max, Mean float64
		First, Last    float64
		TablesInFile   int `json:"tables_in_file"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Max(math.Abs(a), math.Abs(b)) }
	ran := 0
	for _, c := range cases {
		if ext := filepath.Ext(c.File); ext != ".pt" && ext != ".pth" {
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
		got, err := f.Tensor(t.Context(), c.Tensor)
		if err != nil || !slices.Equal(got.Shape, c.Shape) {
			t.Errorf("%s: shape %v, want %v: %v", c.File, got, c.Shape, err)
			continue
		}
		x := got.Data
		if len(f.Warnings()) > 0 {
			t.Errorf("%s: warnings %v", c.File, f.Warnings())
		}
		if c.FirstRow == nil { // a table of biases
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			if slices.Min(x) != c.Min || slices.Max(x) != c.Max || x[0] != c.First || x[len(x)-1] != c.Last || math.Abs(sum/float64(len(x))-c.Mean) > 1e-14 {
				t.Errorf("%s: min %v max %v first %v last %v mean %v, want %+v", c.File, slices.Min(x), slices.Max(x), x[0], x[len(x)-1], sum/float64(len(x)), c)
			}
			tables := 0
			for _, name := range namesOf(f) {
				if strings.HasSuffix(name, "relative_position_bias_table") {
					tables++
				}
			}
			if c.TablesInFile != 0 && tables != c.TablesInFile {
				t.Errorf("%s: %d tables, want %d", c.File, tables, c.TablesInFile)
			}
			continue
		}
		width := c.Shape[len(c.Shape)-1]
		low, high := math.Inf(1), 0.0
		for i := c.Reserved * width; i < len(x); i += width {
			sum := 0.0
			for _, v := range x[i : i+width] {
				sum += v * v
			}
			low, high = min(low, math.Sqrt(sum)), max(high, math.Sqrt(sum))
		}
		if !slices.Equal(x[:3], c.FirstRow) && !slices.Equal(x[c.Reserved*width:c.Reserved*width+3], c.FirstRow) {
			t.Errorf("%s: first row %v, want %v", c.File, x[:3], c.FirstRow)
		}
		if !slices.Equal(x[len(x)-3:], c.LastRow) || !near(low, c.NormMin) || !near(high, c.NormMax) {
			t.Errorf("%s: last row %v norms %v to %v, want %+v", c.File, x[len(x)-3:], low, high, c)
		}
	}
	if ran < 6 {
		t.Errorf("only %d real files", ran)
	}
}
