package checkpoint

import (
	"os"
	"testing"
)

// TestFlaxReal compares a T5X checkpoint's table with numpy's figures of it.
func TestFlaxReal(t *testing.T) {
	dir, tables := realTables(t, ".msgpack")
	for _, c := range tables {
		f, err := Open(t.Context(), os.DirFS(dir), c.File, Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.File, err)
		}
		defer f.Close()
		checkListing(t, f)
		if n := len(f.Tensors()); n != 261 || len(f.Warnings()) > 0 {
			t.Errorf("%s: %d tensors, warnings %v", c.File, n, f.Warnings())
		}
		c.compare(t, f)
		for _, name := range namesOf(f) { // the optimiser's state too
			if _, err := f.Tensor(t.Context(), name); err != nil {
				t.Errorf("%s: %v", c.File, err)
			}
		}
	}
	if len(tables) == 0 {
		t.Error("no real file")
	}
}
