package posemb_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// fixture is a case of a container's manifest.
type fixture struct {
	File     string
	Tensor   *string // nil: the tool chooses
	Expect   string  // "ok" or "error"
	Resolved *string // the tensor to choose; nil: it has no name
	Shape    []int
	Values   string // a .npy of float64
	Error    string
	Alt      []string
	Optional bool
	ATol     float64 // 0: exact
	Limit    int64   `json:"limit_bytes"` // on what is unpacked
}

// noRows are fixtures whose tensor is found and read, but holds no rows of
// numbers, or dimensions that are no rows.
var noRows = []string{"zero_rows", "zero_cols", "fortran_3d"}

// Where the user names no tensor, the choice is the manifest's, and what is no
// table, or not one alone, is the error that it wants.
func TestFixturesChosen(t *testing.T) {
	for _, container := range []string{"safetensors", "torch", "npy", "npz", "text", "gguf", "onnx", "tf", "flax", "compressed"} {
		dir := filepath.Join(data(t), "fixtures", container)
		text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct{ Cases []fixture }
		if err := json.Unmarshal(text, &manifest); err != nil {
			t.Fatal(err)
		}
		chosen := 0
		for _, c := range manifest.Cases {
			if c.Tensor != nil || c.Limit != 0 { // a limit is the reader's matter
				continue
			}
			t.Run(container+"/"+c.File, func(t *testing.T) {
				table, name, err := choose(t, dir, c.File)
				switch {
				case c.Expect == "error":
					if kind := kindOf(err); err == nil && !c.Optional || err != nil && kind != c.Error && !slices.Contains(c.Alt, kind) && isChoice(c.Error) {
						t.Errorf("%v (%s), want %s", err, kind, c.Error)
					}
					return
				case slices.ContainsFunc(noRows, func(s string) bool { return strings.HasPrefix(c.File, s) }):
					if kindOf(err) != posemb.NotATable {
						t.Errorf("%v, want %s", err, posemb.NotATable)
					}
				case err != nil && c.Optional:
					t.Skip(err)
				case err != nil:
					t.Fatal(err)
				default:
					sameRows(t, table, filepath.Dir(filepath.Join(dir, c.Values)), filepath.Base(c.Values), c.ATol)
				}
				if c.Resolved != nil && name != *c.Resolved && name+"_quantized" != *c.Resolved { // the same numbers, by the name of what dequantises them
					t.Errorf("chose %q, want %q", name, *c.Resolved)
				}
				chosen++
			})
		}
		if chosen == 0 {
			t.Errorf("%s: nothing was chosen", container)
		}
	}
}

// choose opens a file and loads its only table.
func choose(t *testing.T, dir, file string) (table posemb.Table, name string, err error) {
	f, err := open(t, dir, file)
	if err != nil {
		return nil, "", err
	}
	m, err := one(f, "")
	if err != nil {
		return nil, "", err
	}
	table, err = posemb.Load(t.Context(), f, m, posemb.ReadOptions{})
	return table, m.Info.Name, err
}

// kindOf is the word of an error, whichever room it is from.
func kindOf(err error) string {
	var p *posemb.Error
	var c *checkpoint.Error
	switch {
	case errors.As(err, &p):
		return p.Kind
	case errors.As(err, &c):
		return string(c.Kind)
	}
	return ""
}

// isChoice tells the errors that are about the choice of a tensor; the others are
// the container's own affair.
func isChoice(kind string) bool {
	return kind == posemb.Ambiguous || kind == posemb.NotFound || kind == posemb.NotATable
}

// sameRows compares a table, behind its reserved rows, with the stored values.
func sameRows(t *testing.T, table posemb.Table, dir, file string, tolerance float64) {
	t.Helper()
	f, err := open(t, dir, file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Tensor(t.Context(), f.Tensors()[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	a, ok := table.(*posemb.Absolute)
	if !ok {
		t.Fatalf("a table of %T", table)
	}
	n, d := a.Table.Dims()
	if (n+a.Reserved)*d != len(want.Data) {
		t.Fatalf("%d x %d behind %d rows, of %d numbers", n, d, a.Reserved, len(want.Data))
	}
	for i := range n {
		for j := range d {
			if got, w := a.Table.At(i, j), want.Data[(i+a.Reserved)*d+j]; math.Abs(got-w) > tolerance && got != w && !(math.IsNaN(got) && math.IsNaN(w)) {
				t.Fatalf("row %d, component %d: %v, want %v", i, j, got, w)
			}
		}
	}
}
