package checkpoint

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestONNXExternal(t *testing.T) {
	data := []byte("front" + littleFloats(1, -2) + "back")
	for _, c := range []struct {
		what  string
		pairs []string
		want  []float64 // nil: an error
		kind  Kind
	}{
		{"offset and length", []string{"location", "w.bin", "offset", "5", "length", "8"}, []float64{1, -2}, ""},
		{"other keys", []string{"checksum", "00", "location", "w.bin", "offset", "5", "length", "8", "prepacked_0", "a|0|4"}, []float64{1, -2}, ""},
		{"a path through the folder", []string{"location", "./sub/../w.bin", "offset", "5", "length", "8"}, []float64{1, -2}, ""},
		{"a file below", []string{"location", "sub/exact.bin"}, []float64{1, -2}, ""},
		{"no length, and more in the file", []string{"location", "w.bin", "offset", "5"}, nil, BadShape},
		{"no length, and less in the file", []string{"location", "w.bin", "offset", "10"}, nil, BadShape},
		{"another length", []string{"location", "w.bin", "offset", "5", "length", "9"}, nil, BadShape},
		{"past the end", []string{"location", "w.bin", "offset", "10", "length", "8"}, nil, Truncated},
		{"far past the end", []string{"location", "w.bin", "offset", "9223372036854775807", "length", "8"}, nil, OutOfRange},
		{"past int64", []string{"location", "w.bin", "offset", "9223372036854775808", "length", "8"}, nil, OutOfRange},
		{"a negative offset", []string{"location", "w.bin", "offset", "-1", "length", "8"}, nil, OutOfRange},
		{"a negative length", []string{"location", "w.bin", "offset", "5", "length", "-8"}, nil, OutOfRange},
		{"an offset in hexadecimal", []string{"location", "w.bin", "offset", "0x5", "length", "8"}, nil, Corrupt},
		{"an offset with a fraction", []string{"location", "w.bin", "offset", "5.0", "length", "8"}, nil, Corrupt},
		{"no location", []string{"offset", "5", "length", "8"}, nil, Corrupt},
		{"two locations", []string{"location", "w.bin", "location", "sub/exact.bin"}, nil, Corrupt},
		{"no such file", []string{"location", "other.bin"}, nil, NotFound},
		{"a folder", []string{"location", "sub"}, nil, Unsupported},
		{"the folder itself", []string{"location", "."}, nil, Unsupported},
		{"up", []string{"location", "../w.bin", "offset", "5", "length", "8"}, nil, UnsafePath},
		{"up after going down", []string{"location", "sub/../../m/w.bin"}, nil, UnsafePath},
		{"absolute", []string{"location", "/etc/passwd"}, nil, UnsafePath},
	} {
		model := onnxOf(initializer("other", 1, nil, rawOnes(4)), initializer("a", 1, []int64{2}, elsewhere(c.pairs...)))
		folder := fstest.MapFS{"m/x.onnx": {Data: model}, "m/w.bin": {Data: data}, "m/sub/exact.bin": {Data: data[5:13]}, "w.bin": {Data: data}}
		f, err := Open(t.Context(), folder, "m/x.onnx", Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		got, err := f.Tensor(t.Context(), "a")
		if kindOf(err) != c.kind || (got == nil) != (c.kind != "") {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
		if got != nil && !slices.Equal(got.Data, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got.Data, c.want)
		}
		if err != nil && c.kind != Corrupt && c.kind != UnsafePath && c.kind != OutOfRange && c.kind != BadShape && !strings.Contains(err.Error(), quoted(c.pairs[1])) {
			t.Errorf("%s: %v does not name the file", c.what, err)
		}
	}
	both := initializer("a", 1, []int64{2}, elsewhere("location", "w.bin"), rawOnes(8))
	ignored := initializer("b", 1, []int64{2}, rawOnes(8), wireBytes(tensorExternalData, wireBytes(entryKey, "location"), wireBytes(entryValue, "w.bin")))
	f := openModel(t, onnxOf(both, ignored))
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != Corrupt {
		t.Errorf("numbers here and there: %v", err)
	}
	if _, err := f.Tensor(t.Context(), "b"); err != nil {
		t.Errorf("a place that is not used: %v", err)
	}
}

// TestONNXExternalStream: standard input has no siblings.
func TestONNXExternalStream(t *testing.T) {
	model := onnxOf(initializer("a", 1, []int64{2}, elsewhere("location", "w.bin")))
	f, err := OpenStream(t.Context(), strings.NewReader(string(model)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != NotFound || !strings.Contains(err.Error(), "standard input") || hintOf(err) == "" {
		t.Error(err)
	}
}

// TestONNXExternalLinks: a link inside of the folder is followed, one out of it
// is not, and nothing waits for a pipe.
func TestONNXExternalLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege here")
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	model := func(location string) []byte {
		return onnxOf(initializer("a", 1, []int64{2}, elsewhere("location", location)))
	}
	numbers := []byte(littleFloats(1, -2))
	write("secret", numbers)
	write("models--a--b/blobs/1", model("model.onnx_data"))
	write("models--a--b/blobs/2", numbers)
	link("../../../blobs/1", "models--a--b/snapshots/rev/onnx/model.onnx")
	link("../../../blobs/2", "models--a--b/snapshots/rev/onnx/model.onnx_data")
	write("models--a--b/out.onnx", model("out.bin"))
	link("../secret", "models--a--b/out.bin")
	write("models--a--b/far.onnx", model("far.bin"))
	link(filepath.Join(dir, "secret"), "models--a--b/far.bin")
	write("models--a--b/device.onnx", model("device.bin"))
	link("/dev/zero", "models--a--b/device.bin")
	root, err := os.OpenRoot(filepath.Join(dir, "models--a--b"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]Kind{"snapshots/rev/onnx/model.onnx": "", "out.onnx": UnsafePath, "far.onnx": UnsafePath, "device.onnx": UnsafePath} {
		f, err := Open(t.Context(), root.FS(), name, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer f.Close()
		if got, err := f.Tensor(t.Context(), "a"); kindOf(err) != want || (got == nil) != (want != "") {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
