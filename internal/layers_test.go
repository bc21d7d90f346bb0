package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arrows is who may import whom inside the house, strictly down.
var arrows = map[string][]string{
	"cmd/poslens":         {"internal/cli"},
	"internal/cli":        {"internal/analysis", "internal/posemb", "internal/checkpoint", "internal/remote", "internal/figure", "internal/report", "internal/tensor", "internal/progress", "internal/ascii"},
	"internal/analysis":   {"internal/posemb", "internal/gram", "internal/progress"},
	"internal/posemb":     {"internal/tensor"},
	"internal/checkpoint": {"internal/tensor", "internal/pickle", "internal/progress"},
	"internal/gram":       {},
	"internal/figure":     {"internal/ascii"},
	"internal/report":     {"internal/ascii"},
	"internal/tensor":     {},
	"internal/pickle":     {},
	"internal/progress":   {},
	"internal/ascii":      {},
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && path != ".."
			if hidden || d.Name() == "testdata" || path != ".." && isModule(path) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		from := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		allowed, known := arrows[from]
		if !known {
			t.Errorf("%s: the package has no row in the table of who imports whom", from)
			return nil
		}
		seen[from] = true
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range file.Imports {
			to, ours := strings.CutPrefix(strings.Trim(imp.Path.Value, `"`), "poslens/")
			if ours && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s, which is no arrow of the house", path, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for from := range arrows {
		if !seen[from] {
			t.Errorf("%s: in the table, but there is no such package", from)
		}
	}
}

// isModule tells a folder with a go.mod of its own, which is another module.
func isModule(dir string) bool {
	m, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(m) > 0
}
