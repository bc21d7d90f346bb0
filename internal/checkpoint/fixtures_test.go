package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"poslens/internal/tensor"
)

// fixture is a case of a manifest: a file, and what has to come of it.
type fixture struct {
	File     string
	Tensor   *string // nil: the tool chooses
	Expect   string  // "ok" or "error"
	Resolved *string // the tensor that the tool should choose; nil: the only one
	DType    string  // its name here ("F32") or in the file ("<f4")
	Shape    []int
	Values   string // a .npy of float64 in C order
	Error    Kind
	Alt      []Kind  // kinds that are as good
	Warn     Kind    // a warning that has to be there
	ATol     float64 // 0: exact
	Optional bool    // may be refused
	Limit    int64   `json:"limit_bytes"` // on what is unpacked; 0: the default
	Note     string
}

// fixtureRoots are the folders that hold a folder of fixtures a container: the
// few that are part of the project, and all of them where POSLENS_DATA is set.
func fixtureRoots() []string {
	roots := []string{"testdata"}
	if data := os.Getenv("POSLENS_DATA"); data != "" {
		roots = append(roots, filepath.Join(data, "fixtures"))
	}
	return roots
}

// runManifest runs every case of a container's manifests, "safetensors" for
// instance: the project's own in testdata and the full one, where it is.
func runManifest(t *testing.T, container string) {
	t.Helper()
	ran := 0
	for _, root := range fixtureRoots() {
		dir := filepath.Join(root, container)
		for _, c := range readManifest(t, dir) {
			ran++
			name := c.File
			if c.Tensor != nil {
				name += "#" + *c.Tensor
			}
			t.Run(filepath.Base(root)+"/"+name, func(t *testing.T) { runFixture(t, dir, c) })
		}
	}
	if ran == 0 {
		t.Skipf("no fixtures of %s: POSLENS_DATA is not set", container)
	}
}

// readManifest reads a folder's manifest; none has no cases.
func readManifest(t *testing.T, dir string) []fixture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Cases []fixture }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Cases
}

// runFixture opens a case's file through an os.Root and compares.
func runFixture(t *testing.T, dir string, c fixture) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := Open(t.Context(), root.FS(), c.File, Limits{MaxInflate: c.Limit})
	if (f == nil) != (err != nil) {
		t.Fatalf("Open gave the file %v with the error %v", f, err)
	}
	if f != nil {
		defer f.Close()
		checkListing(t, f)
	}
	if c.Expect == "error" {
		wantError(t, f, err, c)
		return
	}
	if err != nil {
		if c.Optional && kindOf(err) != "" {
			t.Skipf("refused, as it may be: %v", err)
		}
		t.Fatalf("Open: %v", err)
	}
	wantValues(t, f, dir, c)
}

// wantError checks that opening failed with a kind of the case's, or that
// reading the tensor, or each of them, does.
func wantError(t *testing.T, f *File, err error, c fixture) {
	if err != nil {
		wantKind(t, err, c)
		return
	}
	if c.Tensor == nil && (c.Error == "not_a_table" || c.Error == "ambiguous" || c.Error == NotFound && slices.Contains(c.Alt, "not_a_table")) {
		t.Skip("a matter of what the tensors mean")
	}
	names := []string{}
	for _, info := range f.Tensors() {
		if c.Tensor == nil || *c.Tensor == info.Name {
			names = append(names, info.Name)
		}
	}
	if len(names) == 0 {
		t.Fatalf("opened without an error; want %s", c.Error)
	}
	missing := c.Tensor == nil && c.Error == NotFound // one of the tensors is not there, and the others are
	failed := 0
	for _, name := range names {
		got, err := f.Tensor(t.Context(), name)
		if err == nil {
			if c.Optional || missing {
				continue
			}
			t.Fatalf("tensor %q was read: shape %v; want %s", name, got.Shape, c.Error)
		}
		failed++
		if got != nil {
			t.Errorf("tensor %q: a tensor beside the error %v", name, err)
		}
		wantKind(t, err, c)
	}
	if missing && failed == 0 {
		t.Errorf("all %d tensors were read; want %s of one", len(names), c.Error)
	}
}

// wantKind checks an error's kind, and that its message is fit to print.
func wantKind(t *testing.T, err error, c fixture) {
	t.Helper()
	kind := kindOf(err)
	if kind != c.Error && !slices.Contains(c.Alt, kind) && !(c.Optional && kind != "") {
		t.Errorf("kind %q of the error %v; want %s %v", kind, err, c.Error, c.Alt)
	}
	var e *Error
	if errors.As(err, &e) && e.Msg == "" {
		t.Error("an Error without a message")
	}
	for _, r := range err.Error() {
		if r < ' ' || r == 0x7f {
			t.Errorf("the message %q holds control characters", err)
			return
		}
	}
}

// wantValues reads the case's tensor and compares dtype, shape and every value.
func wantValues(t *testing.T, f *File, dir string, c fixture) {
	name := ""
	switch {
	case c.Tensor != nil:
		name = *c.Tensor
	case c.Resolved != nil:
		name = *c.Resolved
	case len(f.Tensors()) == 1:
		name = f.Tensors()[0].Name
	default:
		t.Fatalf("%d tensors, and the case names none", len(f.Tensors()))
	}
	got, err := f.Tensor(t.Context(), name)
	if err != nil {
		if c.Optional && kindOf(err) != "" {
			t.Skipf("refused, as it may be: %v", err)
		}
		t.Fatalf("Tensor(%q): %v", name, err)
	}
	if c.DType != "" && c.DType != got.DType.String() && c.DType != got.Stored && c.DType != f.Format {
		t.Errorf("dtype %v (%s), want %s", got.DType, got.Stored, c.DType)
	}
	if !slices.Equal(got.Shape, c.Shape) {
		t.Errorf("shape %v, want %v", got.Shape, c.Shape)
	}
	want := readExpected(t, filepath.Join(dir, c.Values))
	if len(want) != len(got.Data) {
		t.Fatalf("%d values, want %d", len(got.Data), len(want))
	}
	for i, w := range want {
		g := got.Data[i]
		same := g == w || math.IsNaN(g) && math.IsNaN(w) || math.Abs(g-w) <= c.ATol
		if !same {
			t.Fatalf("value %d is %v, want %v", i, g, w)
		}
	}
	if c.Warn != "" && !slices.ContainsFunc(f.Warnings(), func(w Warning) bool { return w.Kind == c.Warn }) {
		t.Errorf("no warning %s among %v", c.Warn, f.Warnings())
	}
}

// checkListing checks what holds for every File: a format, names sorted, each
// once, a stored dtype, and where the dtype is known a possible shape, whose bytes
// can be counted.
func checkListing(t *testing.T, f *File) {
	t.Helper()
	infos := f.Tensors()
	for i, info := range infos {
		if i > 0 && infos[i-1].Name >= info.Name {
			t.Errorf("tensors %q and %q are out of order", infos[i-1].Name, info.Name)
		}
		if info.Stored == "" {
			t.Errorf("tensor %q has no stored dtype", info.Name)
		}
		if info.DType != tensor.Invalid {
			if _, err := tensor.Span(info); errors.Is(err, tensor.ErrShape) {
				t.Errorf("tensor %q is listed with the shape %v: %v", info.Name, info.Shape, err)
			}
			if _, err := declared(info.Shape); err != nil {
				t.Errorf("tensor %q is listed, but has no count of bytes: %v", info.Name, err)
			}
		}
	}
	if f.Format == "" {
		t.Error("a File without a format")
	}
}

// kindOf is the kind of an Error, or "" of another error.
func kindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

var expectedShape = regexp.MustCompile(`'descr': '<f8', 'fortran_order': False, 'shape': \(([^)]*)\)`)

// readExpected reads a .npy of little-endian float64 in C order, without the
// reader under test.
func readExpected(t *testing.T, name string) []float64 {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 10 || !bytes.HasPrefix(data, []byte("\x93NUMPY\x01\x00")) {
		t.Fatalf("%s is no .npy of version 1", name)
	}
	n := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	m := expectedShape.FindSubmatch(data[:n])
	if m == nil {
		t.Fatalf("%s: %q", name, data[10:n])
	}
	count := 1
	for _, d := range strings.FieldsFunc(string(m[1]), func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.Atoi(d)
		if err != nil {
			t.Fatal(err)
		}
		count *= size
	}
	if len(data) != n+8*count {
		t.Fatalf("%s: %d bytes for %d values", name, len(data)-n, count)
	}
	values := make([]float64, count)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[n+8*i:]))
	}
	return values
}

// readFixture reads a file of a container's fixtures from the first of the roots
// that has it.
func readFixture(t testing.TB, container, name string) []byte {
	t.Helper()
	for _, root := range fixtureRoots() {
		if data, err := os.ReadFile(filepath.Join(root, container, name)); err == nil {
			return data
		}
	}
	t.Skipf("%s/%s is not here", container, name)
	return nil
}

// openBytes opens bytes as a file of this name.
func openBytes(t testing.TB, name string, data []byte, l Limits) (*File, error) {
	t.Helper()
	return Open(t.Context(), fstest.MapFS{name: {Data: data}}, name, l)
}

// everyTruncation opens a fixture cut at every length. Where whole is set, none
// of them may open; else a File may come of it, whose tensors may be read or not.
// Nothing may panic, and no File may come with an error.
func everyTruncation(t *testing.T, container, name string, whole bool) {
	t.Helper()
	data := readFixture(t, container, name)
	for n := range data {
		f, err := openBytes(t, name, data[:n], Limits{})
		if (f == nil) != (err != nil) {
			t.Fatalf("cut at %d: the file %v with the error %v", n, f, err)
		}
		if err != nil {
			if kindOf(err) == "" {
				t.Errorf("cut at %d: %v has no kind", n, err)
			}
			continue
		}
		if whole {
			t.Errorf("cut at %d of %d: opened without an error", n, len(data))
		}
		for _, info := range f.Tensors() {
			f.Tensor(t.Context(), info.Name)
		}
		f.Close()
	}
}
