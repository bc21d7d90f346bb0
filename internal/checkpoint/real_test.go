package checkpoint

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// realTable is a tensor of a file from a real training run, and numpy's figures of it.
// Those of a table of biases have no FirstRow.
type realTable struct {
	File, Tensor   string
	Shape          []int
	FirstRow       []float64 `json:"first_row_first3"`
	LastRow        []float64 `json:"last_row_last3"`
	NormMin        float64   `json:"norm_min"` // of the rows behind the reserved ones, as the next
	NormMax        float64   `json:"norm_max"`
	Reserved       int
	Min, Max, Mean float64
	First, Last    float64
	TablesInFile   int `json:"tables_in_file"`
}

// realTables are those of files that end so, in the folder dir.
func realTables(t *testing.T, endings ...string) (dir string, tables []realTable) {
	t.Helper()
	data := os.Getenv("POSLENS_DATA")
	if data == "" {
		t.Skip("POSLENS_DATA is not set")
	}
	dir = filepath.Join(data, "real")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	return dir, slices.DeleteFunc(tables, func(c realTable) bool { return !slices.Contains(endings, filepath.Ext(c.File)) })
}

// compare reads the table and holds it against numpy's figures. Norms and means are
// sums in another order: 1e-14, of norms relative.
func (c realTable) compare(t *testing.T, f *File) {
	t.Helper()
	got, err := f.Tensor(t.Context(), c.Tensor)
	if err != nil || !slices.Equal(got.Shape, c.Shape) {
		t.Errorf("%s: %v, want the shape %v: %v", c.File, got, c.Shape, err)
		return
	}
	x := got.Data
	if c.FirstRow == nil {
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		if slices.Min(x) != c.Min || slices.Max(x) != c.Max || x[0] != c.First || x[len(x)-1] != c.Last || !(math.Abs(sum/float64(len(x))-c.Mean) <= 1e-14) {
			t.Errorf("%s: min %v max %v first %v last %v mean %v, want %+v", c.File, slices.Min(x), slices.Max(x), x[0], x[len(x)-1], sum/float64(len(x)), c)
		}
		return
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*b }
	width := c.Shape[len(c.Shape)-1]
	behind := x[c.Reserved*width:]
	low, high := math.Inf(1), 0.0
	for row := range slices.Chunk(behind, width) {
		sum := 0.0
		for _, v := range row {
			sum += v * v
		}
		low, high = min(low, math.Sqrt(sum)), max(high, math.Sqrt(sum))
	}
	if !slices.Equal(x[:3], c.FirstRow) && !slices.Equal(behind[:3], c.FirstRow) {
		t.Errorf("%s: first rows %v and %v, want %v", c.File, x[:3], behind[:3], c.FirstRow)
	}
	if !slices.Equal(x[len(x)-3:], c.LastRow) || !near(low, c.NormMin) || !near(high, c.NormMax) {
		t.Errorf("%s: last row %v, norms %v to %v; want %+v", c.File, x[len(x)-3:], low, high, c)
	}
}
