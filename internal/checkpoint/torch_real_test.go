package checkpoint

import (
	"os"
	"strings"
	"testing"
)

// TestTorchReal compares with numpy's figures of files from real training runs.
func TestTorchReal(t *testing.T) {
	dir, tables := realTables(t, ".pt", ".pth")
	for _, c := range tables {
		f, err := Open(t.Context(), os.DirFS(dir), c.File, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			continue
		}
		defer f.Close()
		checkListing(t, f)
		c.compare(t, f)
		if len(f.Warnings()) > 0 {
			t.Errorf("%s: warnings %v", c.File, f.Warnings())
		}
		windows := 0
		for _, name := range namesOf(f) {
			if strings.HasSuffix(name, "relative_position_bias_table") {
				windows++
			}
		}
		if c.TablesInFile != 0 && windows != c.TablesInFile {
			t.Errorf("%s: %d tables, want %d", c.File, windows, c.TablesInFile)
		}
	}
	if len(tables) < 6 {
		t.Errorf("only %d real files", len(tables))
	}
}
