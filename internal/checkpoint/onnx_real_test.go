package checkpoint

import (
	"os"
	"testing"
)

// TestONNXReal compares with numpy's figures of files that ONNX Runtime wrote.
func TestONNXReal(t *testing.T) {
	dir, tables := realTables(t, ".onnx")
	for _, c := range tables {
		f, err := Open(t.Context(), os.DirFS(dir), c.File, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			continue
		}
		defer f.Close()
		checkListing(t, f)
		for _, name := range namesOf(f) {
			if _, err := f.Tensor(t.Context(), name); err != nil {
				t.Errorf("%s: %v", c.File, err)
			}
		}
		c.compare(t, f)
		if v, _ := f.Meta("onnx.producer_name"); v != "onnxruntime.transformers" {
			t.Errorf("%s: producer %q", c.File, v)
		}
	}
	if len(tables) != 2 {
		t.Errorf("%d real files", len(tables))
	}
}
