package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// headerCase is a case of the checkpoints' manifests: a file, and its table.
type headerCase struct {
	File, Expect, DType string
	Resolved            *string
	Shape               []int
}

// elementBits are the bits of an element of a dtype, here or in a file's words.
// Those of the quantised ones are what ggml's blocks come to.
var elementBits = map[string]float64{
	"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "F8_E4M3": 8, "F8_E5M2": 8,
	"I64": 64, "I32": 32, "I16": 16, "I8": 8, "U64": 64, "U32": 32, "U16": 16, "U8": 8,
	"Q4_0": 4.5, "Q4_1": 5, "Q5_0": 5.5, "Q5_1": 6, "Q8_0": 8.5, "IQ4_NL": 4.5,
	"Q2_K": 2.625, "Q3_K": 3.4375, "Q4_K": 4.5, "Q5_K": 5.5,
	"F32 (QINT8)": 8, "F32 (QUINT8)": 8, "F32 (INT8)": 8, "F32 (UINT8)": 8, "F64 (text)": 64,
}

// TestListAll lists the header of a file of every container, as text, TSV and
// JSON, which have to agree with each other and with the file's manifest.
func TestListAll(t *testing.T) {
	roots := []string{"../checkpoint/testdata"}
	if data := os.Getenv("POSLENS_DATA"); data != "" {
		roots = append(roots, filepath.Join(data, "fixtures"))
	}
	for _, root := range roots {
		for _, container := range []string{"compressed", "flax", "gguf", "npy", "npz", "onnx", "safetensors", "text", "tf", "torch"} {
			listed := 0
			for _, c := range headerCases(t, filepath.Join(root, container)) {
				if c.Expect != "ok" {
					continue
				}
				t.Run(container+"/"+c.File, func(t *testing.T) { checkHeaders(t, filepath.Join(root, container, c.File), c) })
				listed++
			}
			if listed == 0 {
				t.Errorf("%s has no file of %s", root, container)
			}
		}
	}
}

func headerCases(t *testing.T, dir string) []headerCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Cases []headerCase }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Cases
}

// checkHeaders holds the list of a file against a case.
func checkHeaders(t *testing.T, path string, c headerCase) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	rows := listAllJSON(t, path)
	found := c.Resolved == nil // the only one, or any
	tsv := strings.Split(strings.TrimSuffix(listAllAs(t, path, "tsv"), "\n"), "\n")
	text := strings.Split(strings.TrimSuffix(listAllAs(t, path, "text"), "\n"), "\n")
	if tsv[0] != "source\ttensor\tdtype\tshape\tbytes" || len(tsv) != len(rows)+1 || len(text) != len(tsv) {
		t.Fatalf("%d tensors in JSON, but\n%q\n%q", len(rows), tsv, text)
	}
	for i, h := range rows {
		bytes := "NA"
		if h.Bytes != nil {
			bytes = fmt.Sprint(*h.Bytes)
		}
		dtype := h.dtype()
		if h.Bytes != nil {
			bits, known := elementBits[dtype]
			for _, d := range h.Shape {
				bits *= float64(d)
			}
			if !known || float64(*h.Bytes)*8 != bits {
				t.Errorf("%q: %s of shape %v has %s bytes", h.Tensor, dtype, h.Shape, bytes)
			}
		}
		want := []string{dtype, joinInts(h.Shape, "x"), bytes}
		if !strings.HasSuffix(tsv[i+1], "\t"+strings.Join(want, "\t")) {
			t.Errorf("tensor %d is %q in JSON and %q in TSV", i, want, tsv[i+1])
		}
		line := strings.Join(strings.Fields(text[i+1]), " ")
		if !strings.HasSuffix(line, strings.Join(strings.Fields(strings.Join(want, " ")), " ")) || !strings.Contains(line, printable(h.Tensor)) {
			t.Errorf("tensor %q is %q in JSON and %q in text", h.Tensor, want, line)
		}
		if len(rows) == 1 || c.Resolved != nil && h.Tensor == *c.Resolved {
			found = true
			if h.DType != c.DType && h.Stored != c.DType || h.Stored == "" || fmt.Sprint(h.Shape) != fmt.Sprint(c.Shape) || h.Bytes == nil {
				t.Errorf("%q: %s stored as %s of shape %v and %s bytes, want %s of %v", h.Tensor, h.DType, h.Stored, h.Shape, bytes, c.DType, c.Shape)
			}
		}
	}
	if !found {
		t.Errorf("%s is not in the list", *c.Resolved)
	}
}

func listAllAs(t *testing.T, path, form string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	env := Env{Out: &out, Err: &stderr, Getenv: noEnv, Terminal: noTerminal}
	if code := Main(context.Background(), []string{"ls", "--all", "-q", "--max-inflate", "1G", path, "-f", form}, env); code != 0 {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	return out.String()
}

func listAllJSON(t *testing.T, path string) []header {
	t.Helper()
	var list struct{ Results []header }
	if err := json.Unmarshal([]byte(listAllAs(t, path, "json")), &list); err != nil {
		t.Fatal(err)
	}
	return list.Results
}
