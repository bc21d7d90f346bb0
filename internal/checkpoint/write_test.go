package checkpoint

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"poslens/internal/tensor"
)

// TestWriteNPY compares with what numpy.save of numpy 1.24.2 wrote of the same
// arrays, byte for byte.
func TestWriteNPY(t *testing.T) {
	inf, nan := math.Inf(1), math.Float64frombits(0x7ff8000000000000) // numpy's NaN; math.NaN has another payload
	for name, a := range map[string]array{
		"matrix": {[]int{3, 3}, []float64{0, math.Copysign(0, -1), 1.0 / 3, nan, inf, -inf, 5e-324, math.MaxFloat64, -2.5}},
		"scalar": {nil, []float64{2.5}},
		"vector": {[]int{4}, []float64{0, 1, 2, 3}},
		"empty":  {[]int{0, 5}, nil},
		"deep":   {[]int{1, 2, 1, 3}, []float64{0, 1, 2, 3, 4, 5}},
	} {
		want, err := os.ReadFile(filepath.Join("testdata", "write", name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteNPY(&b, a.shape, a.data); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s: wrote %q, numpy writes %q", name, b.Bytes(), want)
		}
	}
}

// TestWriteNPYFloat32 compares with what numpy.save of numpy 1.24.2 writes of
//
//	numpy.array([[0, -2.5, 1/3], [numpy.inf, 1e-45, 3.4028235e38]], "f4")
func TestWriteNPYFloat32(t *testing.T) {
	third := float32(1) / 3
	data := []float32{0, -2.5, third, float32(math.Inf(1)), math.SmallestNonzeroFloat32, math.MaxFloat32}
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + strings.Repeat(" ", 58) + "\n" +
		"\x00\x00\x00\x00\x00\x00 \xc0\xab\xaa\xaa>\x00\x00\x80\x7f\x01\x00\x00\x00\xff\xff\x7f\x7f"
	var b bytes.Buffer
	if err := WriteNPY(&b, []int{2, 3}, data); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("wrote %q, numpy writes %q", b.String(), want)
	}
}

// TestWriteNPYLong: an array longer than what is written at once keeps every
// number, of both types and for every remainder of a group of four.
func TestWriteNPYLong(t *testing.T) {
	for n := 100_000; n < 100_005; n++ {
		single, double := make([]float32, n), make([]float64, n)
		want32, want64 := []byte{}, []byte{}
		for i := range n {
			single[i], double[i] = float32(i)/3, float64(i)/3
			want32 = binary.LittleEndian.AppendUint32(want32, math.Float32bits(single[i]))
			want64 = binary.LittleEndian.AppendUint64(want64, math.Float64bits(double[i]))
		}
		var b32, b64 bytes.Buffer
		if err := errors.Join(WriteNPY(&b32, []int{n}, single), WriteNPY(&b64, []int{n}, double)); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasSuffix(b32.Bytes(), want32) || !bytes.HasSuffix(b64.Bytes(), want64) || b32.Len() != 128+4*n || b64.Len() != 128+8*n {
			t.Errorf("%d numbers: other bytes", n)
		}
	}
}

// drawTensor is any tensor of a few numbers, of the odd ones too.
func drawTensor(t *rapid.T, name string) *tensor.Tensor {
	shape := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 3).Draw(t, "shape")
	n := 1
	for _, d := range shape {
		n *= d
	}
	nan, inf := math.NaN(), math.Inf(1)
	odd := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), nan, math.Float64frombits(0xfff8dead00000001), inf, -inf, 5e-324, -1e-310, math.MaxFloat64})
	data := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), odd), n, n).Draw(t, "data")
	return &tensor.Tensor{Info: tensor.Info{Name: name, Shape: shape}, Data: data}
}

// drawTensors are tensors of different names, in any order.
func drawTensors(t *rapid.T) []*tensor.Tensor {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z0-9_.é位]{1,8}`), 0, 4, rapid.ID).Filter(func(names []string) bool {
		return !slices.ContainsFunc(names, func(s string) bool { return s == "." || s == ".." })
	}).Draw(t, "names")
	var tensors []*tensor.Tensor
	for _, name := range names {
		tensors = append(tensors, drawTensor(t, name))
	}
	return tensors
}

// openWritten opens what was written as a file of this name.
func openWritten(t *rapid.T, file string, written []byte) *File {
	f, err := Open(context.Background(), fstest.MapFS{file: {Data: written}}, file, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantTensors reads a written file back.
func wantTensors(t *rapid.T, file string, written []byte, want []*tensor.Tensor) *File {
	f := openWritten(t, file, written)
	if len(f.Tensors()) != len(want) {
		t.Fatalf("%d tensors, want %d", len(f.Tensors()), len(want))
	}
	for _, w := range want {
		got, err := f.Tensor(context.Background(), w.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Shape, w.Shape) {
			t.Fatalf("shape %v, want %v", got.Shape, w.Shape)
		}
		wantFloats(t, got.Data, w.Data)
	}
	return f
}

func TestNPYRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTensor(t, "")
		var b bytes.Buffer
		if err := WriteNPY(&b, want.Shape, want.Data); err != nil {
			t.Fatal(err)
		}
		if b.Len()%64 != 8*len(want.Data)%64 {
			t.Fatalf("the numbers start at %d", b.Len()-8*len(want.Data))
		}
		f := openWritten(t, "a.npy", b.Bytes())
		want.Name = f.Tensors()[0].Name
		wantTensors(t, "a.npy", b.Bytes(), []*tensor.Tensor{want})
	})
}

func TestNPZRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTensors(t)
		if len(want) == 0 {
			t.Skip("an archive of nothing")
		}
		var b, again bytes.Buffer
		if err := WriteNPZ(&b, want); err != nil {
			t.Fatal(err)
		}
		wantTensors(t, "a.npz", b.Bytes(), want)
		slices.Reverse(want)
		if err := WriteNPZ(&again, want); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatal("the order of the tensors shows in the file")
		}
	})
}

func TestSafetensorsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTensors(t)
		meta := rapid.MapOfN(rapid.StringMatching(`[a-z<>&"\\\n位.]{0,6}`), rapid.StringMatching(`[a-z<>&"\\\n位]{0,6}`), 0, 3).Draw(t, "meta")
		var b, again bytes.Buffer
		if err := WriteSafetensors(&b, want, meta); err != nil {
			t.Fatal(err)
		}
		f := wantTensors(t, "a.safetensors", b.Bytes(), want)
		for key, w := range meta {
			if got, ok := f.Meta(key); !ok || got != w {
				t.Fatalf("metadata %q is %q, want %q", key, got, w)
			}
		}
		slices.Reverse(want)
		if err := WriteSafetensors(&again, want, meta); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatal("the order of the tensors shows in the file")
		}
	})
}

// vector is a tensor of a name and two numbers.
func vector(name string) *tensor.Tensor {
	return &tensor.Tensor{Info: tensor.Info{Name: name, Shape: []int{2}}, Data: []float64{1, -2}}
}

func TestWriteSafetensors(t *testing.T) {
	matrix := &tensor.Tensor{Info: tensor.Info{Name: "a<b>", Shape: []int{1, 1}}, Data: []float64{0.5}}
	scalar := &tensor.Tensor{Info: tensor.Info{Name: "s"}, Data: []float64{3}}
	var b bytes.Buffer
	if err := WriteSafetensors(&b, []*tensor.Tensor{scalar, matrix}, map[string]string{"z": "1", "poslens.kind": "vectors"}); err != nil {
		t.Fatal(err)
	}
	want := "\xa8\x00\x00\x00\x00\x00\x00\x00" +
		`{"__metadata__":{"poslens.kind":"vectors","z":"1"},` +
		`"a<b>":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]},` +
		`"s":{"dtype":"F64","shape":[],"data_offsets":[8,16]}}` + strings.Repeat(" ", 6) +
		"\x00\x00\x00\x00\x00\x00\xe0\x3f" + "\x00\x00\x00\x00\x00\x00\x08\x40"
	if b.String() != want {
		t.Errorf("wrote\n%q, want\n%q", b.String(), want)
	}
	b.Reset()
	if err := WriteSafetensors(&b, nil, nil); err != nil || b.String() != "\x08\x00\x00\x00\x00\x00\x00\x00{}      " {
		t.Errorf("of nothing: %q, %v", b.String(), err)
	}
}

func TestWriteNPZ(t *testing.T) {
	var b bytes.Buffer
	if err := WriteNPZ(&b, []*tensor.Tensor{vector("wpe.weight"), vector("")}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var member bytes.Buffer
	if err := WriteNPY(&member, []int{2}, []float64{1, -2}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"arr_0.npy", "wpe.weight.npy"} {
		f := z.File[i]
		if f.Name != want || f.Method != zip.Store || f.Flags != 0 || f.Modified.Format("2006-01-02 15:04:05") != "1980-01-01 00:00:00" {
			t.Errorf("member %q, method %d, flags %#x, of %v", f.Name, f.Method, f.Flags, f.Modified)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r) // checks the CRC too
		if err != nil || !bytes.Equal(got, member.Bytes()) {
			t.Errorf("member %q: %v, or other bytes than WriteNPY's", f.Name, err)
		}
	}
}

func TestWriteRefusals(t *testing.T) {
	short := vector("a")
	short.Data = short.Data[:1]
	for _, c := range []struct {
		name string
		err  error
		want Kind
	}{
		{"npy, shape", WriteNPY(io.Discard, []int{3}, []float64{1, 2}), BadShape},
		{"npy, float32", WriteNPY(io.Discard, []int{3}, []float32{1, 2}), BadShape},
		{"npy, negative", WriteNPY(io.Discard, []int{-1, -2}, []float64{1, 2}), BadShape},
		{"npz, shape", WriteNPZ(io.Discard, []*tensor.Tensor{short}), BadShape},
		{"npz, names", WriteNPZ(io.Discard, []*tensor.Tensor{vector(""), vector("arr_0")}), DuplicateName},
		{"npz, path", WriteNPZ(io.Discard, []*tensor.Tensor{vector("../../a")}), UnsafePath},
		{"npz, UTF-8", WriteNPZ(io.Discard, []*tensor.Tensor{vector("\xff")}), Corrupt},
		{"npz, root", WriteNPZ(io.Discard, []*tensor.Tensor{vector("/a")}), UnsafePath},
		{"safetensors, shape", WriteSafetensors(io.Discard, []*tensor.Tensor{short}, nil), BadShape},
		{"safetensors, names", WriteSafetensors(io.Discard, []*tensor.Tensor{vector("a"), vector("a")}, nil), DuplicateName},
		{"safetensors, metadata", WriteSafetensors(io.Discard, []*tensor.Tensor{vector("__metadata__")}, nil), DuplicateName},
		{"safetensors, UTF-8", WriteSafetensors(io.Discard, []*tensor.Tensor{vector("\xff")}, nil), Corrupt},
		{"safetensors, metadata's UTF-8", WriteSafetensors(io.Discard, nil, map[string]string{"a": "\xff"}), Corrupt},
	} {
		if kindOf(c.err) != c.want {
			t.Errorf("%s: error %v, want %s", c.name, c.err, c.want)
		}
	}
}

// fullDisk takes some bytes, then fails, or takes less than it was given.
type fullDisk struct {
	left   int
	silent bool
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.left)
	d.left -= n
	if n < len(p) && !d.silent {
		return n, errFull
	}
	return n, nil
}

// TestWriteFails stops every writer at every byte.
func TestWriteFails(t *testing.T) {
	tensors := []*tensor.Tensor{vector("a"), vector("b")}
	for name, write := range map[string]func(io.Writer) error{
		"npy":         func(w io.Writer) error { return WriteNPY(w, []int{2}, []float64{1, 2}) },
		"npy float32": func(w io.Writer) error { return WriteNPY(w, []int{2}, []float32{1, 2}) },
		"npz":         func(w io.Writer) error { return WriteNPZ(w, tensors) },
		"safetensors": func(w io.Writer) error { return WriteSafetensors(w, tensors, nil) },
	} {
		var whole bytes.Buffer
		if err := write(&whole); err != nil {
			t.Fatal(err)
		}
		for n := range whole.Len() {
			if err := write(&fullDisk{left: n}); !errors.Is(err, errFull) {
				t.Errorf("%s, full after %d of %d bytes: error %v", name, n, whole.Len(), err)
			}
			if err := write(&fullDisk{left: n, silent: true}); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%s, short after %d of %d bytes: error %v", name, n, whole.Len(), err)
			}
		}
	}
}
