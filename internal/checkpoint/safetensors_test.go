package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestSafetensorsFixtures(t *testing.T) { runManifest(t, "safetensors") }

func TestSafetensorsTruncations(t *testing.T) {
	everyTruncation(t, "safetensors", "empty_tensors_between.safetensors", true)
}

// safetensorsOf builds a file of a header and n bytes of data.
func safetensorsOf(header string, n int) []byte {
	p := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	p = append(p, header...)
	return append(p, make([]byte, n)...)
}

func TestSafetensorsHeaders(t *testing.T) {
	entry := func(name, dtype, shape string, begin, end int) string {
		return fmt.Sprintf(`"%s":{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]}`, name, dtype, shape, begin, end)
	}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for _, c := range []struct {
		what   string
		header string
		data   int
		kind   Kind // "" is good
	}{
		{"nothing in it", `{}`, 0, ""},
		{"spaces behind", `{}   `, 0, ""},
		{"data, but no tensor", `{}`, 1, Corrupt},
		{"one", `{` + entry("a", "F32", "[2]", 0, 8) + `}`, 8, ""},
		{"scalar", `{` + entry("a", "F32", "[]", 0, 4) + `}`, 4, ""},
		{"any order", `{` + entry("b", "U8", "[4]", 4, 8) + `,` + entry("a", "U8", "[4]", 0, 4) + `}`, 8, ""},
		{"other keys are skipped", `{"a":{"note":{"x":[1,{"y":null}]},"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1, ""},
		{"metadata", `{"__metadata__":{"format":"pt"},` + entry("a", "U8", "[1]", 0, 1) + `}`, 1, ""},
		{"metadata that is no string", `{"__metadata__":{"format":1}}`, 0, Corrupt},
		{"metadata twice", `{"__metadata__":{},"__metadata__":{}}`, 0, DuplicateName},
		{"metadata key twice", `{"__metadata__":{"a":"1","a":"2"}}`, 0, DuplicateName},
		{"metadata that is a list", `{"__metadata__":[]}`, 0, Corrupt},
		{"name twice, once escaped", `{` + entry("a", "U8", "[1]", 0, 1) + `,` + entry(`\u0061`, "U8", "[1]", 1, 2) + `}`, 2, DuplicateName},
		{"dtype twice", `{"a":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, 1, DuplicateName},
		{"hole in front", `{` + entry("a", "U8", "[1]", 1, 2) + `}`, 2, Overlap},
		{"hole between", `{` + entry("a", "U8", "[1]", 0, 1) + `,` + entry("b", "U8", "[1]", 2, 3) + `}`, 3, Overlap},
		{"no dtype", `{"a":{"shape":[1],"data_offsets":[0,1]}}`, 1, Corrupt},
		{"no shape", `{"a":{"dtype":"U8","data_offsets":[0,1]}}`, 1, Corrupt},
		{"no offsets", `{"a":{"dtype":"U8","shape":[1]}}`, 0, Corrupt},
		{"three offsets", `{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}}`, 1, Corrupt},
		{"offsets backwards", `{` + entry("a", "U8", "[1]", 1, 0) + `}`, 1, Corrupt},
		{"negative offset", `{` + entry("a", "U8", "[1]", -1, 0) + `}`, 1, Corrupt},
		{"offset past int64", `{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615]}}`, 1, Corrupt},
		{"offsets past the end", `{` + entry("a", "U8", "[9223372036854775807]", 0, math.MaxInt64) + `}`, 1, BadShape},
		{"far past the end", `{` + entry("a", "U8", "[1000000000000]", 0, 1000000000000) + `}`, 1, Truncated},
		{"a float in the shape", `{"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}`, 1, Corrupt},
		{"an exponent in the shape", `{"a":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}}`, 1, Corrupt},
		{"a shape past int64", `{"a":{"dtype":"U8","shape":[99999999999999999999],"data_offsets":[0,1]}}`, 1, BadShape},
		{"a shape of words", `{"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}}`, 1, Corrupt},
		{"a shape that is a number", `{"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}}`, 1, Corrupt},
		{"a dtype that is a number", `{"a":{"dtype":8,"shape":[1],"data_offsets":[0,1]}}`, 1, Corrupt},
		{"an entry that is a number", `{"a":1}`, 0, Corrupt},
		{"0 elements with a wide shape", `{` + entry("a", "U8", "[0,1000000]", 0, 0) + `}`, 0, ""},
		{"0 elements with an absurd shape", `{` + entry("a", "U8", "[0,4611686018427387904,4]", 0, 0) + `}`, 0, BadShape},
		{"a key of another tensor deep down", `{"a":{"x":` + deep + `,"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1, Corrupt},
		{"a list", `[{}]`, 0, Corrupt},
		{"a missing comma", `{` + entry("a", "U8", "[1]", 0, 1) + ` ` + entry("b", "U8", "[0]", 1, 1) + `}`, 1, Corrupt},
		{"a comma too much", `{` + entry("a", "U8", "[1]", 0, 1) + `,}`, 1, Corrupt},
		{"NaN", `{"a":NaN}`, 0, Corrupt},
		{"cut", `{"a":{"dtype":"U8"`, 0, Corrupt},
		{"another object behind", `{}{}`, 0, Corrupt},
		{"NUL bytes behind", "{}\x00\x00", 0, Corrupt},
		{"bits that overflow", `{` + entry("a", "F64", "[288230376151711744]", 0, 0) + `}`, 0, BadShape},
		{"a type of ggml's", `{` + entry("a", "Q8_0", "[32]", 0, 34) + `}`, 34, ""},
		{"65 dimensions", `{` + entry("a", "U8", "["+strings.Repeat("1,", 64)+"1]", 0, 1) + `}`, 1, BadShape},
	} {
		f, err := openBytes(t, "x.safetensors", safetensorsOf(c.header, c.data), Limits{})
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
		if f != nil {
			checkListing(t, f)
		}
	}
}

// TestSafetensorsLengths: lengths near 2^64 must not wrap around.
func TestSafetensorsLengths(t *testing.T) {
	file := safetensorsOf(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1)
	size := uint64(len(file))
	for n, want := range map[uint64]Kind{
		math.MaxUint64:     HeaderTooLarge,
		math.MaxUint64 - 7: HeaderTooLarge, // 8 + n is 0
		1 << 63:            HeaderTooLarge,
		100_000_001:        HeaderTooLarge,
		100_000_000:        Truncated,
		size - 7:           Truncated,
		1:                  Corrupt,
	} {
		binary.LittleEndian.PutUint64(file, n)
		if f, err := openBytes(t, "x", file, Limits{}); f != nil || kindOf(err) != want {
			t.Errorf("length %d: %v, want %s", n, err, want)
		}
	}
}

func TestSafetensorsContents(t *testing.T) {
	header := `{"__metadata__":{"format":"pt","poslens.kind":"vectors"},` +
		`"new":{"dtype":"F8_E8M0","shape":[3],"data_offsets":[0,3]},` +
		`"odd":{"dtype":"F4","shape":[3],"data_offsets":[3,5]},` +
		`"un\u0069que":{"dtype":"X7","shape":[2],"data_offsets":[5,10]},` +
		`"good":{"dtype":"I16","shape":[2],"data_offsets":[10,14]}}`
	file := safetensorsOf(header, 14)
	copy(file[len(file)-4:], "\xfe\xff\x00\x80") // unaligned
	f, err := openBytes(t, "x", file, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, info := range f.Tensors() {
		names = append(names, info.Name+" "+info.DType.String()+" "+info.Stored)
	}
	if want := []string{"good I16 I16", "new invalid F8_E8M0", "odd invalid F4", "unique invalid X7"}; !slices.Equal(names, want) {
		t.Errorf("tensors %q, want %q", names, want)
	}
	if v, ok := f.Meta("poslens.kind"); v != "vectors" || !ok {
		t.Errorf("metadata %q, %v", v, ok)
	}
	if v, ok := f.Meta("no such"); v != "" || ok {
		t.Errorf("metadata %q, %v", v, ok)
	}
	if got, err := f.Tensor(t.Context(), "good"); err != nil || !slices.Equal(got.Data, []float64{-2, -32768}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, name := range names[1:] {
		name, _, _ := strings.Cut(name, " ")
		if _, err := f.Tensor(t.Context(), name); kindOf(err) != UnsupportedDType {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The bytes of a dtype that is not read, but known, are checked all the same.
	for _, entry := range []string{`"F8_E5M2","shape":[3],"data_offsets":[0,4]`, `"F8_E8M0","shape":[3],"data_offsets":[0,4]`, `"F4","shape":[3],"data_offsets":[0,4]`, `"C64","shape":[1],"data_offsets":[0,4]`} {
		if _, err := openBytes(t, "x", safetensorsOf(`{"a":{"dtype":`+entry+`}}`, 4), Limits{}); kindOf(err) != BadShape {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// TestSafetensorsCost: one tensor of a large file costs the header and its bytes.
func TestSafetensorsCost(t *testing.T) {
	const n = 1 << 20
	header := fmt.Sprintf(`{"a":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]},"table":{"dtype":"F32","shape":[16,32],"data_offsets":[%d,%d]},"z":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]}}`,
		n, 4*n, 4*n, 4*n+2048, n, 4*n+2048, 8*n+2048)
	file := safetensorsOf(header, 8*n+2048)
	in := &counting{ReaderAt: bytes.NewReader(file)}
	b := &blob{ReaderAt: in, size: int64(len(file))}
	f, err := b.open(t.Context(), defaults)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(headBytes + 8 + len(header)); in.read > most {
		t.Errorf("opening read %d bytes, over %d", in.read, most)
	}
	in.read = 0
	before := allocated()
	if _, err := f.Tensor(t.Context(), "table"); err != nil {
		t.Fatal(err)
	}
	if in.read != 2048 {
		t.Errorf("a tensor of 2048 bytes cost %d", in.read)
	}
	if got := allocated() - before; got > 1<<20 {
		t.Errorf("a tensor of 2048 bytes allocated %d", got)
	}
}

// TestLimitOnElements: a tensor over the limit is listed, but not read.
func TestLimitOnElements(t *testing.T) {
	file := safetensorsOf(`{"a":{"dtype":"U8","shape":[100],"data_offsets":[0,100]},"b":{"dtype":"U8","shape":[10],"data_offsets":[100,110]}}`, 110)
	f, err := openBytes(t, "x", file, Limits{MaxElements: 50})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != TooLarge {
		t.Errorf("%v, want too_large", err)
	}
	if _, err := f.Tensor(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	if _, err := openBytes(t, "x", file, Limits{MaxHeader: 20}); kindOf(err) != HeaderTooLarge {
		t.Errorf("%v, want header_too_large", err)
	}
}
