package checkpoint

import (
	"os"
	"strings"
	"testing"
)

// TestTensorFlowReal compares with numpy's figures of checkpoints that TensorFlow
// wrote.
func TestTensorFlowReal(t *testing.T) {
	dir, tables := realTables(t, tfIndex)
	for _, c := range tables {
		f, err := Open(t.Context(), os.DirFS(dir), strings.TrimSuffix(c.File, tfIndex), Limits{})
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
		c.compare(t, f)
	}
	if len(tables) != 2 {
		t.Errorf("%d real files, want 2", len(tables))
	}
}
