package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"poslens/internal/tensor"
)

func TestTensorFlowFixtures(t *testing.T) { runManifest(t, "tf") }

func TestTensorFlowTruncations(t *testing.T) {
	everyTruncation(t, "tf", "bert_model.ckpt.index", true)
	everyTruncation(t, "tf", "snappy.index", true)
}

// TestTensorFlowShortData: data files cut at every length give what they still
// have, and say what they lack.
func TestTensorFlowShortData(t *testing.T) {
	data := floats(1, 2, 3, 4, 5, 6, 7, 8)
	for n := range data {
		folder := bundleOf(data[:n], pair{"a", entryOf(1, 0, 0, data[:16], 4)}, pair{"b", entryOf(1, 0, 16, data[16:], 2, 2)})
		f, err := openIn(t, folder, "m.index")
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"a", "b"} {
			want := Truncated
			if n >= 16*(i+1) {
				want = ""
			}
			got, err := f.Tensor(t.Context(), name)
			if kindOf(err) != want || (got == nil) != (err != nil) {
				t.Errorf("cut at %d: %s: %v, want %q", n, name, err, want)
			}
			if err != nil && !strings.Contains(err.Error(), `"m.data-00000-of-00001": tensor "`+name+`"`) {
				t.Errorf("%v names neither the file nor the tensor", err)
			}
		}
	}
}

// TestTensorFlowTypes reads every DataType in both byte orders, or refuses it by
// its name.
func TestTensorFlowTypes(t *testing.T) {
	little := map[int64]string{ // 1 and -2, or 1 and 254, ...
		1: "\x00\x00\x80\x3f\x00\x00\x00\xc0", 2: "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\xc0",
		3: "\x01\x00\x00\x00\xfe\xff\xff\xff", 4: "\x01\xfe", 5: "\x01\x00\xfe\xff", 6: "\x01\xfe",
		9: "\x01\x00\x00\x00\x00\x00\x00\x00\xfe\xff\xff\xff\xff\xff\xff\xff", 10: "\x01\x00", 14: "\x80\x3f\x00\xc0",
		17: "\x01\x00\xfe\xff", 19: "\x00\x3c\x00\xc0", 22: "\x01\x00\x00\x00\xfe\xff\xff\xff",
		23: "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00", 24: "\x3c\xc0", 25: "\x38\xc0",
	}
	second := map[int64]float64{4: 254, 10: 0, 17: 65534, 22: 4294967294, 23: 2147483648}
	for endian := range 2 {
		for n := int64(0); n < 40; n++ {
			data, readable := little[n]
			if endian == 1 && readable {
				p := []byte(data)
				for half := range slices.Chunk(p, len(p)/2) {
					slices.Reverse(half)
				}
				data = string(p)
			}
			header := pair{"", protoOf(1, endian)}
			folder := bundleOf(data)
			folder["m.index"].Data = tableOf(0, blockOf(header, pair{"x", entryOf(int(n), 0, 0, data, 2)}))
			f, err := openIn(t, folder, "m.index")
			if err != nil {
				t.Fatal(err)
			}
			checkListing(t, f)
			info := f.Tensors()[0]
			if known := tfDTypes[n].name != ""; known != strings.HasPrefix(info.Stored, "DT_") || readable != (info.DType != tensor.Invalid) || !slices.Equal(info.Shape, []int{2}) {
				t.Errorf("%d is listed as %+v", n, info)
			}
			got, err := f.Tensor(t.Context(), "x")
			if !readable {
				if kindOf(err) != UnsupportedDType || !strings.Contains(err.Error(), info.Stored) {
					t.Errorf("%s: %v", info.Stored, err)
				}
				continue
			}
			want := []float64{1, -2}
			if v, ok := second[n]; ok {
				want[1] = v
			}
			if err != nil || !slices.Equal(got.Data, want) {
				t.Errorf("%s, endianness %d: %v, %v; want %v", info.Stored, endian, got, err, want)
			}
		}
	}
}

// TestTensorFlowOneBroken: entries that are broken do not spoil the others, and are
// listed with what is known of them. Alone, they are what opening says.
func TestTensorFlowOneBroken(t *testing.T) {
	data := floats(1, 2)
	good := pair{"z", entryOf(1, 0, 0, data, 2)}
	many := make([]int, tensor.MaxRank+1)
	for i := range many {
		many[i] = 1
	}
	for _, c := range []struct {
		what, value string
		kind        Kind
	}{
		{"a size that does not fit", entryOf(1, 0, 0, data, 3), BadShape},
		{"a negative dimension", entryOf(1, 0, 0, data, -2), BadShape},
		{"an overflow", entryOf(1, 0, 0, data, 1<<40, 1<<40), BadShape},
		{"bytes past int64", protoOf(1, shapeOf(1<<62), 0, 0, 1<<62), BadShape},
		{"65 dimensions", entryOf(1, 0, 0, data[:4], many...), BadShape},
		{"a shape that is not known", protoOf(1, protoOf(nil, nil, 1), 0, 0, 8), BadShape},
		{"a data file past the last", entryOf(1, 1, 0, data, 2), Corrupt},
		{"a negative data file", entryOf(1, -1, 0, data, 2), Corrupt},
		{"a negative offset", entryOf(1, 0, -1, data, 2), OutOfRange},
		{"a far offset", entryOf(1, 0, math.MaxInt64-7, data, 2), OutOfRange},
		{"an offset past the data", entryOf(1, 0, 8, data, 2), Truncated},
		{"a wrong CRC-32C", protoOf(1, shapeOf(2), 0, 0, 8, uint32(1)), Corrupt},
		{"no CRC-32C", protoOf(1, shapeOf(2), 0, 0, 8), Corrupt},
		{"a dtype that is a message", protoOf("x", shapeOf(2), 0, 0, 8), Corrupt},
		{"a shape that is a number", protoOf(1, 2, 0, 0, 8), Corrupt},
		{"a size that is a message", protoOf(1, shapeOf(2), 0, 0, "8"), Corrupt},
		{"a CRC-32C that is a varint", protoOf(1, shapeOf(2), 0, 0, 8, 8), Corrupt},
		{"a dimension that is a number", protoOf(1, protoOf(nil, 2), 0, 0, 8), Corrupt},
		{"a message that is cut", protoOf(1, shapeOf(2))[:4], Corrupt},
		{"a field without a number", "\x00", Corrupt},
		{"a group", "\x0b\x0c", Corrupt},
		{"text", "hello, world", Corrupt},
		{"nothing at all", "", UnsupportedDType},
	} {
		f, err := openIn(t, bundleOf(data, pair{"a", c.value}, good), "m.index")
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		checkListing(t, f)
		var e *Error
		if got, err := f.Tensor(t.Context(), "a"); got != nil || !errors.As(err, &e) || e.Kind != c.kind || e.Tensor != "a" {
			t.Errorf("%s: %v, want %s of the tensor", c.what, err, c.kind)
		}
		if got, err := f.Tensor(t.Context(), "z"); err != nil || !slices.Equal(got.Data, []float64{1, 2}) {
			t.Errorf("%s: the other: %v, %v", c.what, got, err)
		}
		f, err = openIn(t, bundleOf(data, pair{"a", c.value}), "m.index")
		if err == nil {
			_, err = f.Tensor(t.Context(), "a")
		}
		if kindOf(err) != c.kind {
			t.Errorf("%s, alone: %v, want %s", c.what, err, c.kind)
		}
	}
}

func TestTensorFlowHeaders(t *testing.T) {
	for _, c := range []struct {
		what    string
		header  pair
		kind    Kind
		mention string
	}{
		{"good", headerOf(3), "", ""},
		{"fields of later versions", pair{"", protoOf(1, 0, protoOf(9, 1), nil, "x")}, "", ""},
		{"no data files", headerOf(0), Corrupt, "0 data files"},
		{"fewer", headerOf(-1), Corrupt, "-1 data files"},
		{"empty", pair{"", ""}, Corrupt, "0 data files"},
		{"a third byte order", pair{"", protoOf(1, 2)}, Corrupt, "byte order"},
		{"for later readers", pair{"", protoOf(1, 0, protoOf(2, 2))}, Unsupported, "version 2"},
		{"version 1", pair{"", protoOf(protoOf(protoOf("w", shapeOf(2), 1)))}, Unsupported, "version 1"},
		{"no protobuf", pair{"", "hello"}, Corrupt, ""},
		{"another table", pair{"key", "value"}, Corrupt, `"key"`},
	} {
		file := tableOf(0, blockOf(c.header))
		f, err := openBytes(t, "m.index", file, Limits{})
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") || err != nil && !strings.Contains(err.Error(), c.mention) {
			t.Errorf("%s: %v, want %q with %q", c.what, err, c.kind, c.mention)
		}
		told := c.kind != Corrupt // a header is known wherever it stands
		if isTFIndex(file) != told {
			t.Errorf("%s: taken for an index: %v", c.what, !told)
		}
		if f, err := openBytes(t, "renamed", file, Limits{}); kindOf(err) != c.kind {
			t.Errorf("%s, renamed: %v, %v", c.what, f, err)
		}
	}
	if _, err := openBytes(t, "m.index", tableOf(0), Limits{}); kindOf(err) != Corrupt {
		t.Errorf("no entries: %v", err)
	}
}

// TestTensorFlowStays: an index that is read from a link, or whose data is one,
// does not lead out of the folder.
func TestTensorFlowStays(t *testing.T) {
	inside, outside := t.TempDir(), t.TempDir()
	data := floats(1, 2)
	folder := bundleOf(data, pair{"a", entryOf(1, 0, 0, data, 2)})
	for name, dir := range map[string]string{"m.index": inside, "m.data-00000-of-00001": outside} {
		if err := os.WriteFile(filepath.Join(dir, name), folder[name].Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "m.data-00000-of-00001"), filepath.Join(inside, "m.data-00000-of-00001")); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), root.FS(), "m", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != UnsafePath {
		t.Errorf("%v, want unsafe_path", err)
	}
	f.Owns(root)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := root.Open("m.index"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("what the file owns is not closed with it: %v", err)
	}
}

// TestTensorFlowCloses: data files are open only while they are read, also when
// that fails.
func TestTensorFlowCloses(t *testing.T) {
	data := floats(1, 2)
	closed := 0
	folder := bundleOf(data, pair{"a", entryOf(1, 0, 0, data, 2)}, pair{"far", entryOf(1, 0, 4, data, 2)})
	f, err := Open(t.Context(), seekableFS{folder, &closed}, "m.index", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Kind{"a": "", "far": Truncated} {
		closed = 0
		if _, err := f.Tensor(t.Context(), name); kindOf(err) != want || closed != 1 {
			t.Errorf("%s: %v, closed %d times", name, err, closed)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Tensor(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	closed = 0
	if f.Close(); closed != 1 {
		t.Errorf("the index was closed %d times", closed)
	}
	// A folder whose files can't be read at any place has an index, but no data.
	f, err = Open(t.Context(), closableFS{folder, &closed}, "m.index", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	closed = 0
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != Unreadable || closed != 1 {
		t.Errorf("%v, closed %d times", err, closed)
	}
}

// TestTensorFlowNames lists what training and TF2's objects leave in a checkpoint,
// under the names that stand there.
func TestTensorFlowNames(t *testing.T) {
	names := []string{
		"_CHECKPOINTABLE_OBJECT_GRAPH", "bert/embeddings/position_embeddings", "bert/embeddings/position_embeddings/adam_m",
		"model/pos/embeddings/.ATTRIBUTES/VARIABLE_VALUE", "model/pos/embeddings/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE",
		"\x1b[31m", "позиция", "not\xffutf8",
	}
	slices.Sort(names)
	var pairs []pair
	for _, name := range names {
		pairs = append(pairs, pair{name, entryOf(1, 0, 0, "\x00\x00\x80\x3f")})
	}
	f, err := openIn(t, bundleOf("\x00\x00\x80\x3f", pairs...), "m.index")
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(f); !slices.Equal(got, names) {
		t.Errorf("%q, want %q", got, names)
	}
	for _, name := range names {
		if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, []float64{1}) || len(got.Shape) != 0 {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	if f.Format != "tensorflow" {
		t.Error(f.Format)
	}
}

// TestTensorFlowSnappy: packed blocks hold the same as those that are not.
func TestTensorFlowSnappy(t *testing.T) {
	data := floats(1, 2)
	var pairs []pair
	for _, c := range "abcdefghij" {
		pairs = append(pairs, pair{string(c) + "/weights", entryOf(1, 0, 0, data, 2)})
	}
	folder := bundleOf(data)
	folder["m.index"].Data = tableOf(1, blockOf(append([]pair{headerOf(1)}, pairs[:4]...)...), blockOf(pairs[4:]...))
	plain := maps.Clone(folder)
	plain["m.index"] = &fstest.MapFile{Data: tableOf(0, blockOf(append([]pair{headerOf(1)}, pairs[:4]...)...), blockOf(pairs[4:]...))}
	for name, fsys := range map[string]fstest.MapFS{"packed": folder, "plain": plain} {
		f, err := openIn(t, fsys, "m.index")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(f.Tensors()) != len(pairs) {
			t.Errorf("%s: %q", name, namesOf(f))
		}
		if got, err := f.Tensor(t.Context(), "j/weights"); err != nil || !slices.Equal(got.Data, []float64{1, 2}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
