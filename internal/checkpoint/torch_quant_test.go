package checkpoint

import (
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

// pkQuant is a quantised tensor of 2 x 3 over the storage "0", with these
// parameters.
func pkQuant(class string, params ...string) string {
	return pkGlobal("torch._utils", "_rebuild_qtensor") +
		pkTuple(pkStorage(class, "0", 6), pkInt(0), pkInts([]int{2, 3}), pkInts([]int{3, 1}), pkTuple(params...), "\x89", pkGlobal("collections", "OrderedDict")+")R") + "R"
}

func TestTorchQuantised(t *testing.T) {
	scheme := func(name string) string { return pkGlobal("torch", name) }
	row := func(key string, class string, n int) string {
		return pkTensor(pkStorage(class, key, n), 0, []int{n}, []int{1})
	}
	int32s := "\x01\x00\x00\x00\xff\xff\xff\xff\x03\x00\x00\x00\x04\x00\x00\x00\x05\x00\x00\x00\x06\x00\x00\x00"
	for _, c := range []struct {
		name, root string
		data       string
		stored     string
		want       []float64
	}{
		{"one scale", pkQuant("QInt8Storage", scheme("per_tensor_affine"), pkFloat(0.5), pkInt(1)), "\x01\xff\x03\x04\x05\x06", "QINT8", []float64{0, -1, 1, 1.5, 2, 2.5}},
		{"without a sign", pkQuant("QUInt8Storage", scheme("per_tensor_affine"), pkFloat(2), pkInt(128)), "\x80\x00\xff\x81\x7f\x80", "QUINT8", []float64{0, -256, 254, 2, -2, 0}},
		{"of 32 bits", pkQuant("QInt32Storage", scheme("per_tensor_symmetric"), pkFloat(0.25), pkInt(0)), int32s, "QINT32", []float64{0.25, -0.25, 0.75, 1, 1.25, 1.5}},
		{"a scale a row", pkQuant("QInt8Storage", scheme("per_channel_affine"), pkList(pkFloat(1), pkFloat(10)), pkList(pkInt(0), pkInt(1)), pkInt(0)), "\x01\x02\x03\x04\x05\x06", "QINT8", []float64{1, 2, 3, 30, 40, 50}},
		{"a scale a column, in tensors", pkQuant("QUInt8Storage", scheme("per_channel_affine_float_qparams"), row("1", "FloatStorage", 3), row("2", "FloatStorage", 3), pkInt(1)), "\x01\x02\x03\x04\x05\x06", "QUINT8", []float64{0.5, 15, 250, 3.5, 45, 550}},
	} {
		for layout, file := range map[string][]byte{
			"zip":    torchOf(t, pkDict("w", c.root), c.data, floats(1, 10, 100), floats(0.5, 0.5, 0.5)),
			"legacy": quantLegacy(pkDict("w", c.root), c.data),
		} {
			if layout == "legacy" && strings.Contains(c.root, "qparams") {
				continue
			}
			f, err := openBytes(t, "x.pt", file, Limits{})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, layout, err)
				continue
			}
			got, err := f.Tensor(t.Context(), "w")
			if err != nil || !slices.Equal(got.Data, c.want) || got.Stored != c.stored || got.DType != tensor.F32 || !slices.Equal(got.Shape, []int{2, 3}) {
				t.Errorf("%s, %s: %+v %v, want %v", c.name, layout, got, err, c.want)
			}
		}
	}
	two := pkList(pkFloat(1), pkFloat(10))
	for _, c := range []struct {
		name, root string
		kind       Kind
	}{
		{"an unknown scheme", pkQuant("QInt8Storage", scheme("per_mood"), pkFloat(1), pkInt(0)), UnsupportedDType},
		{"four bits", pkQuant("QUInt4x2Storage", scheme("per_tensor_affine"), pkFloat(1), pkInt(0)), UnsupportedDType},
		{"too few parameters", pkQuant("QInt8Storage", scheme("per_tensor_affine")), UnsupportedDType},
		{"no scale", pkQuant("QInt8Storage", scheme("per_tensor_affine"), "N", pkInt(0)), Corrupt},
		{"no zero", pkQuant("QInt8Storage", scheme("per_tensor_affine"), pkFloat(1), pkText("0")), Corrupt},
		{"an axis that is not there", pkQuant("QInt8Storage", scheme("per_channel_affine"), two, two, pkInt(2)), Corrupt},
		{"no axis", pkQuant("QInt8Storage", scheme("per_channel_affine"), two, two), Corrupt},
		{"scales for another axis", pkQuant("QInt8Storage", scheme("per_channel_affine"), two, two, pkInt(1)), Corrupt},
		{"a scale of text", pkQuant("QInt8Storage", scheme("per_channel_affine"), pkList(pkText("1"), pkText("2")), two, pkInt(0)), Corrupt},
		{"a scale that is quantised itself", pkQuant("QInt8Storage", scheme("per_tensor_affine"), pkQuant("QInt8Storage", scheme("per_tensor_affine"), pkFloat(1), pkInt(0)), pkInt(0)), Corrupt},
		{"past the storage", strings.Replace(pkQuant("QInt8Storage", scheme("per_tensor_affine"), pkFloat(1), pkInt(0)), pkInts([]int{2, 3}), pkInts([]int{3, 3}), 1), OutOfRange},
	} {
		f, err := openBytes(t, "x.pt", torchOf(t, pkDict("w", c.root, "good", pkTensor(pkStorage("ByteStorage", "0", 6), 0, []int{6}, []int{1})), "\x01\x02\x03\x04\x05\x06"), Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkListing(t, f)
		if got, err := f.Tensor(t.Context(), "w"); got != nil || kindOf(err) != c.kind {
			t.Errorf("%s: %v %v, want %s", c.name, got, err, c.kind)
		}
		if _, err := f.Tensor(t.Context(), "good"); err != nil {
			t.Errorf("%s spoils the tensor beside it: %v", c.name, err)
		}
	}
}

// quantLegacy is a file of the legacy layout with one storage of six elements.
func quantLegacy(root, data string) []byte {
	p := legacyOf(root)
	p.keys = pkList(pkText("0"))
	p.stores = []legacyStore{{"0", 6, data}}
	return p.bytes()
}
