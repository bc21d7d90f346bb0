package checkpoint

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

func TestTorchFixtures(t *testing.T) {
	runManifest(t, "torch")
	// what the evil ones would have written
	if _, err := os.Stat("poslens-pwned.txt"); err == nil {
		t.Error("a pickle was obeyed: poslens-pwned.txt is there")
	}
}

// namesOf lists what is in a file.
func namesOf(f *File) []string {
	var list []string
	for _, info := range f.Tensors() {
		list = append(list, info.Name)
	}
	return list
}

// oneRow is a tensor of one row over the storage "0" of four elements.
var oneRow = pkTensor(pkStorage("FloatStorage", "0", 4), 0, []int{4}, []int{1})

func TestTorchNames(t *testing.T) {
	module := func(state string) string { return pkGlobal("m", "Net") + ")\x81" + state + "b" }
	for _, c := range []struct {
		name, root string
		want       []string
	}{
		{"the root itself", oneRow, []string{""}},
		{"a dict", pkDict("wpe.weight", oneRow), []string{"wpe.weight"}},
		{"dicts", pkDict("model", pkDict("pos", oneRow), "n", pkInt(3)), []string{"model.pos"}},
		{"a list", pkList(pkInt(1), oneRow, pkList(oneRow)), []string{"1", "2.0"}},
		{"a tuple", pkTuple(oneRow, "N", pkDict("a", oneRow)), []string{"0", "2.a"}},
		{"optimiser state", pkDict("optimizer_states", pkList(pkDict("state", "}("+pkInt(0)+pkDict("exp_avg", oneRow)+"u"))), []string{"optimizer_states.0.state.0.exp_avg"}},
		{"keys of other types", "}(" + "N" + oneRow + "\x88" + oneRow + "G\x3f\xe0\x00\x00\x00\x00\x00\x00" + oneRow + pkTuple(pkText("a"), pkInt(1)) + oneRow + "u", []string{"(a,1)", "0.5", "None", "True"}},
		{"tied weights", pkDict("a", oneRow+"q\x00", "b", "h\x00"), []string{"a", "b"}},
		{"a dict in two places", pkDict("a", pkDict("x", oneRow)+"q\x00", "b", "h\x00"), []string{"a.x"}},
		{"a dict in itself", "}q\x00(" + pkText("me") + "h\x00" + pkText("x") + oneRow + "u", []string{"x"}},
		{"attributes of an object", pkDict("a", module(pkDict("x", oneRow, "lr", pkInt(1)))), []string{"a.x"}},
		{"attributes and slots", module(pkTuple("N", pkDict("x", oneRow))), []string{"x"}},
		{"items of an object", pkGlobal("m", "L") + ")R(" + oneRow + "e", []string{"0"}},
		{"keys of an object", pkGlobal("m", "D") + ")R" + pkText("k") + oneRow + "s", []string{"k"}},
		{"a module", module(pkDict("_parameters", pkDict("w", oneRow), "_buffers", pkDict("b", oneRow), "_modules", pkDict("sub", module(pkDict("_parameters", pkDict("w", oneRow)))), "extra", oneRow)), []string{"b", "extra", "sub.w", "w"}},
		{"a parameter", pkGlobal("torch._utils", "_rebuild_parameter") + pkTuple(oneRow, "\x88", "N") + "R", []string{""}},
		{"a parameter with state", pkDict("p", pkGlobal("torch._utils", "_rebuild_parameter_with_state")+pkTuple(oneRow, "\x88", "N", "}")+"R"), []string{"p"}},
		{"a subclass", pkDict("p", pkGlobal("torch._tensor", "_rebuild_from_type_v2")+pkTuple(pkGlobal("torch._utils", "_rebuild_tensor_v2"), pkGlobal("m", "T"), pkTuple(pkStorage("FloatStorage", "0", 4), pkInt(0), pkInts([]int{4}), pkInts([]int{1})), "}")+"R"), []string{"p"}},
	} {
		f, err := openBytes(t, "x.pt", torchOf(t, c.root, floats(1, 2, 3, 4)), Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := namesOf(f); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, name := range namesOf(f) {
			if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, []float64{1, 2, 3, 4}) {
				t.Errorf("%s: %q is %v %v", c.name, name, got, err)
			}
		}
	}
	_, err := openBytes(t, "x.pt", torchOf(t, pkDict("a", pkDict("b", oneRow), "a.b", oneRow), floats(1, 2, 3, 4)), Limits{})
	if kindOf(err) != DuplicateName {
		t.Errorf("two tensors of one name: %v", err)
	}
}

// TestTorchTypes reads every type that torch has a storage for, of bytes whose
// values are known from the definitions of the types.
func TestTorchTypes(t *testing.T) {
	untyped := pkTuple(pkText("storage"), pkGlobal("torch.storage", "UntypedStorage"), pkText("0"), pkText("cuda:0"), pkInt(8)) + "Q"
	v3 := func(dtype string, size int) string {
		return pkGlobal("torch._utils", "_rebuild_tensor_v3") + pkTuple(untyped, pkInt(0), pkInts([]int{8 / size}), pkInts([]int{1}), "\x89", "N", pkGlobal("torch", dtype)) + "R"
	}
	v2 := func(storage string, size int) string {
		return pkTensor(pkStorage(storage, "0", 8/size), 0, []int{8 / size}, []int{1})
	}
	const bits = "\x00\xc0\x01\x80\x00\xc0\x01\x80"
	u64 := float64(0x8001c0008001c000)
	i64 := float64(-0x7ffe3fff7ffe4000)
	i32, u32 := float64(-0x7ffe4000), float64(0x8001c000)
	for _, c := range []struct {
		tensor string
		dtype  tensor.DType
		want   []float64
	}{
		{v2("DoubleStorage", 8), tensor.F64, []float64{math.Float64frombits(0x8001c0008001c000)}},
		{v2("FloatStorage", 4), tensor.F32, []float64{float64(math.Float32frombits(0x8001c000)), float64(math.Float32frombits(0x8001c000))}},
		{v2("HalfStorage", 2), tensor.F16, []float64{-2, -0x1p-24, -2, -0x1p-24}},
		{v2("BFloat16Storage", 2), tensor.BF16, []float64{-2, -0x1p-133, -2, -0x1p-133}},
		{v2("LongStorage", 8), tensor.I64, []float64{i64}},
		{v2("IntStorage", 4), tensor.I32, []float64{i32, i32}},
		{v2("ShortStorage", 2), tensor.I16, []float64{-16384, -32767, -16384, -32767}},
		{v2("CharStorage", 1), tensor.I8, []float64{0, -64, 1, -128, 0, -64, 1, -128}},
		{v2("ByteStorage", 1), tensor.U8, []float64{0, 192, 1, 128, 0, 192, 1, 128}},
		{v2("BoolStorage", 1), tensor.Bool, []float64{0, 1, 1, 1, 0, 1, 1, 1}},
		{v3("float32", 4), tensor.F32, []float64{float64(math.Float32frombits(0x8001c000)), float64(math.Float32frombits(0x8001c000))}},
		{v3("half", 2), tensor.F16, []float64{-2, -0x1p-24, -2, -0x1p-24}},
		{v3("uint16", 2), tensor.U16, []float64{0xc000, 0x8001, 0xc000, 0x8001}},
		{v3("uint32", 4), tensor.U32, []float64{u32, u32}},
		{v3("uint64", 8), tensor.U64, []float64{u64}},
		{v3("float8_e4m3fn", 1), tensor.F8_E4M3, []float64{0, -2, 0x1p-9, math.Copysign(0, -1), 0, -2, 0x1p-9, math.Copysign(0, -1)}},
		{v3("float8_e5m2", 1), tensor.F8_E5M2, []float64{0, -2, 0x1p-16, math.Copysign(0, -1), 0, -2, 0x1p-16, math.Copysign(0, -1)}},
	} {
		f, err := openBytes(t, "x.pt", torchOf(t, c.tensor, bits), Limits{})
		if err != nil {
			t.Errorf("%v: %v", c.dtype, err)
			continue
		}
		got, err := f.Tensor(t.Context(), "")
		if err != nil || got.DType != c.dtype || !slices.Equal(got.Data, c.want) {
			t.Errorf("%v: %v %v, want %v", c.dtype, got, err, c.want)
		}
	}
	for stored, x := range map[string]string{
		"float8_e4m3fnuz":     v3("float8_e4m3fnuz", 1),
		"complex64":           v3("complex64", 8),
		"ComplexFloatStorage": v2("ComplexFloatStorage", 8),
		"QInt8Storage":        v2("QInt8Storage", 1),
	} {
		f, err := openBytes(t, "x.pt", torchOf(t, x, bits), Limits{})
		if err != nil {
			t.Errorf("%s: %v", stored, err)
			continue
		}
		if info := f.Tensors()[0]; info.DType != tensor.Invalid || info.Stored != stored || len(info.Shape) != 1 {
			t.Errorf("%s: listed as %+v", stored, info)
		}
		if _, err := f.Tensor(t.Context(), ""); kindOf(err) != UnsupportedDType {
			t.Errorf("%s: %v", stored, err)
		}
	}
}

// TestTorchUnread lists what is in fixtures of tensors that are not read.
func TestTorchUnread(t *testing.T) {
	for file, want := range map[string]string{
		"bad_sparse.pt":  "sparse_tensor [16 32]",
		"bad_complex.pt": "ComplexFloatStorage [16 32]",
	} {
		f, err := openBytes(t, file, readFixture(t, "torch", file), Limits{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		info := f.Tensors()[0]
		if got := fmt.Sprintf("%s %v", info.Stored, info.Shape); got != want || info.Name != "wpe.weight" || info.DType != tensor.Invalid {
			t.Errorf("%s: %+v, want %s", file, info, want)
		}
		if _, err := f.Tensor(t.Context(), "wpe.weight"); kindOf(err) != UnsupportedDType {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestTorchByteOrder(t *testing.T) {
	big := "\x3f\x80\x00\x00\x40\x00\x00\x00\x40\x40\x00\x00\x40\x80\x00\x00" // 1 2 3 4
	for order, want := range map[string][]float64{"big": {1, 2, 3, 4}, "big\n": {1, 2, 3, 4}, "little": nil} {
		f, err := openBytes(t, "x.pt", zipOf(t, append(torchParts(oneRow, big), part{name: "archive/byteorder", data: order})...), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Tensor(t.Context(), "")
		if err != nil || want != nil && !slices.Equal(got.Data, want) || want == nil && got.Data[0] == 1 {
			t.Errorf("%q: %v %v", order, got, err)
		}
	}
	_, err := openBytes(t, "x.pt", zipOf(t, append(torchParts(oneRow, big), part{name: "archive/byteorder", data: "middle"})...), Limits{})
	if kindOf(err) != Corrupt {
		t.Errorf("middle: %v", err)
	}
}

// TestTorchDeflated has a file that someone packed anew: all members deflated.
func TestTorchDeflated(t *testing.T) {
	values := make([]float32, 1000)
	for i := range values {
		values[i] = float32(i)
	}
	root := pkDict("t", pkTensor(pkStorage("FloatStorage", "0", 1000), 100, []int{2, 3}, []int{1, 10}))
	parts := torchParts(root, floats(values...))
	for i := range parts {
		parts[i].deflate = true
	}
	f, err := openBytes(t, "x.pt", zipOf(t, parts...), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Tensor(t.Context(), "t")
	if err != nil || !slices.Equal(got.Data, []float64{100, 110, 120, 101, 111, 121}) {
		t.Errorf("%v %v", got, err)
	}
	// a pickle that unpacks to far more objects than its packed bytes are worth
	lists := pkList(strings.Repeat("]", 1<<20))
	parts = []part{{name: "a/data.pkl", data: lists + ".", deflate: true}}
	before := allocated()
	if _, err := openBytes(t, "x.pt", zipOf(t, parts...), Limits{}); kindOf(err) != TooLarge {
		t.Errorf("a million lists in a kilobyte: %v", err)
	}
	if n := allocated() - before; n > 16<<20 {
		t.Errorf("a refusal allocated %d bytes", n)
	}
}

// TestTorchExpanded has a row that stands for many in the first member: what the
// file as a whole is worth counts, not what lies before the member's end.
func TestTorchExpanded(t *testing.T) {
	root := pkTensor(pkStorage("FloatStorage", "0", 4), 0, []int{50_000, 4}, []int{0, 1})
	parts := torchParts(root, floats(1, 2, 3, 4))
	parts[0], parts[1] = parts[1], parts[0]
	f, err := openBytes(t, "x.pt", zipOf(t, parts...), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Tensor(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Data {
		if v != float64(1+i%4) {
			t.Fatalf("element %d is %v", i, v)
		}
	}
}

// TestTorchWarnings checks what a pickle's imports come to.
func TestTorchWarnings(t *testing.T) {
	call := pkGlobal("posix", "system") + pkTuple(pkText("echo pwned > poslens-pwned.txt")) + "R"
	space := pkGlobal("argparse", "Namespace") + ")\x81" + pkDict("lr", pkInt(1)) + "b"
	scalar := pkGlobal("numpy.core.multiarray", "scalar") + pkTuple(pkGlobal("numpy", "dtype")+pkTuple(pkText("f8"), "\x89", "\x88")+"R", pkGlobal("_codecs", "encode")+pkTuple(pkText("12345678"), pkText("latin1"))+"R") + "R"
	for _, c := range []struct {
		name, root string
		warn       Kind   // of the file that was opened
		fail       Kind   // or of the error
		says       string // in either
	}{
		{"a plain state dict", pkDict("a", oneRow), "", "", ""},
		{"numpy's scalars", pkDict("a", oneRow, "s", scalar), "", "", ""},
		{"a namespace", pkDict("a", oneRow, "args", space), UnknownClass, "", `"argparse.Namespace"`},
		{"a call", pkDict("x", call, "a", oneRow), UnsafeGlobal, "", `"posix.system"`},
		{"a call alone", call, "", UnsafePickle, `"posix.system"`},
		{"a call in a dict", pkDict("x", call), "", UnsafePickle, `"posix.system"`},
		{"a call where the offset belongs", pkGlobal("torch._utils", "_rebuild_tensor_v2") + pkTuple(pkStorage("FloatStorage", "0", 4), call, pkInts([]int{4}), pkInts([]int{1})) + "R", "", UnsafePickle, `"posix.system"`},
		{"a name with an escape", pkDict("a", oneRow, "x", pkGlobal("m\x1b[31m", "N")+")R"), UnknownClass, "", `"m\x1b[31m.N"`},
		{"an object without tensors", pkGlobal("m", "Net") + ")\x81" + pkDict("lr", pkInt(1)) + "b", "", UnsafePickle, `"m.Net"`},
		{"nothing", pkDict("lr", pkInt(1)), "", NotFound, "without tensors"},
	} {
		f, err := openBytes(t, "x.pt", torchOf(t, c.root, floats(1, 2, 3, 4)), Limits{})
		if kindOf(err) != c.fail || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.name, err, c.fail)
		}
		if err != nil {
			continue
		}
		w := f.Warnings()
		if c.warn == "" && len(w) > 0 || c.warn != "" && (len(w) != 1 || w[0].Kind != c.warn || !strings.Contains(w[0].Msg, c.says)) {
			t.Errorf("%s: warnings %v, want %s", c.name, w, c.warn)
		}
	}
	if _, err := os.Stat("poslens-pwned.txt"); err == nil {
		t.Error("poslens-pwned.txt is there")
	}
	_, err := openBytes(t, "x.pt", torchOf(t, pkGlobal("m", "Net")+")\x81"), Limits{})
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "state_dict") {
		t.Errorf("a whole module's hint: %+v", e)
	}
}

// TestTorchModules reads whole modules and TorchScript, whose classes stay
// unknown.
func TestTorchModules(t *testing.T) {
	for _, file := range []string{"whole_module.pt", "torchscript.pt"} {
		f, err := openBytes(t, file, readFixture(t, "torch", file), Limits{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if got := namesOf(f); !slices.Equal(got, []string{"lin.bias", "lin.weight", "wpe.weight"}) {
			t.Errorf("%s: %q", file, got)
		}
		got, err := f.Tensor(t.Context(), "wpe.weight")
		if err != nil || !slices.Equal(got.Shape, []int{16, 32}) {
			t.Fatalf("%s: %v", file, err)
		}
		if !slices.ContainsFunc(f.Warnings(), func(w Warning) bool { return w.Kind == UnknownClass }) {
			t.Errorf("%s: warnings %v", file, f.Warnings())
		}
	}
}

// TestTorchTruncations cuts a file everywhere: each time it says that the
// download is cut.
func TestTorchTruncations(t *testing.T) {
	everyTruncation(t, "torch", "flat.pt", true)
	data := readFixture(t, "torch", "flat.pt")
	for n := range data {
		if _, err := openZip(t.Context(), memory(data[:n]), defaults); kindOf(err) != Truncated {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}
