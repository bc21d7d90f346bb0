package checkpoint

import (
	"context"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFlaxFixtures(t *testing.T) { runManifest(t, "flax") }

func TestFlaxTruncations(t *testing.T) {
	for _, name := range []string{"chunked.msgpack", "int_keys_list.msgpack", "zero_rows.msgpack"} {
		everyTruncation(t, "flax", name, true)
	}
}

func FuzzFlax(f *testing.F) {
	seedFixtures(f, "flax", 8<<10)
	for _, c := range flaxCases() {
		f.Add([]byte(c.file))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.msgpack", data) })
}

// openMsgpack opens bytes as a Flax file, whatever they look like.
func openMsgpack(file string, l Limits) (*File, error) {
	f, err := openFlax(context.Background(), memory([]byte(file)), l.withDefaults())
	if f != nil {
		f.sortInfos()
	}
	return f, err
}

// TestFlaxContents: dtypes by their names, scalars, and what is listed only.
func TestFlaxContents(t *testing.T) {
	pack := map[string]string{}
	want := map[string][]float64{}
	for dtype, data := range map[string]string{
		"float64":  string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(-2.5))),
		"float32":  floats(-2.5),
		"float16":  "\x00\xc1",
		"bfloat16": "\x20\xc0",
	} {
		pack[dtype], want[dtype] = mpArray(dtype, []int{1}, data), []float64{-2.5}
	}
	for dtype, size := range map[string]int{"int64": 8, "int32": 4, "int16": 2, "int8": 1} {
		pack[dtype], want[dtype] = mpArray(dtype, []int{1}, "\xfe"+strings.Repeat("\xff", size-1)), []float64{-2}
	}
	for dtype, size := range map[string]int{"uint64": 8, "uint32": 4, "uint16": 2, "uint8": 1, "bool": 1} {
		pack[dtype], want[dtype] = mpArray(dtype, []int{1}, "\x01"+strings.Repeat("\x00", size-1)), []float64{1}
	}
	pack["float8_e4m3fn"], want["float8_e4m3fn"] = mpArray("float8_e4m3fn", []int{1}, "\xc2"), []float64{-2.5}
	pack["float8_e5m2"], want["float8_e5m2"] = mpArray("float8_e5m2", []int{1}, "\xc1"), []float64{-2.5}
	pack["scalar"], want["scalar"] = mpExtension(flaxScalar, mpList(mpList(), mpText("float32"), mpBinary(floats(0.5)))), []float64{0.5}
	pack["none"], want["none"] = mpArray("float32", []int{3, 0}, ""), []float64{}
	pack["odd"] = mpArray("complex64", []int{1}, "12345678")
	pack["complex"] = mpExtension(flaxComplex, mpList("\xca1234", "\xca1234"))

	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(pack)) {
		pairs = append(pairs, name, pack[name])
	}
	f, err := openMsgpack(mpMap(pairs...), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tensors()) != len(pack) {
		t.Errorf("%d tensors, want %d", len(f.Tensors()), len(pack))
	}
	for _, info := range f.Tensors() {
		got, err := f.Tensor(t.Context(), info.Name)
		values, readable := want[info.Name]
		switch {
		case !readable && kindOf(err) != UnsupportedDType:
			t.Errorf("%s: %v, want unsupported_dtype", info.Name, err)
		case readable && (err != nil || !slices.Equal(got.Data, values)):
			t.Errorf("%s: %v, %v; want %v", info.Name, got, err, values)
		}
	}
}

// TestFlaxElsewhere: arrays that other files hold are a warning beside those that
// are here.
func TestFlaxElsewhere(t *testing.T) {
	f, err := openMsgpack(mpMap("a", mpArray("bool", []int{1}, "\x01"), "b", mpText("PLACEHOLDER://b")), Limits{})
	if err != nil || len(f.Warnings()) != 1 || !strings.HasPrefix(f.Warnings()[0].Msg, "1 more array is") {
		t.Errorf("%v, %v", f, err)
	}
}

// TestFlaxTrees packs trees of maps and lists drawn at random, and finds every
// array under its name, with its values.
func TestFlaxTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string][]float64{}
		var tree func(name string, depth int) string
		tree = func(name string, depth int) string {
			kind := rapid.IntRange(0, 6).Draw(t, "kind")
			if depth == 0 {
				kind = 0
			} else if depth == 4 {
				kind = 3
			}
			n := rapid.IntRange(0, 20).Draw(t, "items")
			below := func(i int) string { return strings.TrimPrefix(name+"/"+strconv.Itoa(i), "/") }
			switch kind {
			case 0, 1: // an array
				values := rapid.SliceOfN(rapid.Float32Range(-1, 1), n, n).Draw(t, "values")
				want[name] = make([]float64, n)
				for i, v := range values {
					want[name][i] = float64(v)
				}
				return mpArray("float32", []int{n}, floats(values...))
			case 2: // one in chunks
				var chunks []string
				for i := range n {
					want[name] = append(want[name], float64(i))
					chunks = append(chunks, floats(float32(i)))
				}
				if n == 0 {
					return "\xc0"
				}
				return mpChunks([]int{n}, chunks...)
			case 3, 4:
				var pairs []string
				for i := range n / 3 {
					key := mpText(strconv.Itoa(i))
					if rapid.Bool().Draw(t, "number") {
						key = mpInt(i)
					}
					pairs = append(pairs, key, tree(below(i), depth-1))
				}
				return mpPairs(pairs...)
			case 5:
				var items []string
				for i := range n {
					items = append(items, tree(below(i), depth-1))
				}
				return mpList(items...)
			default:
				return rapid.SampledFrom([]string{"\xc0", mpText("word"), mpInt(300), mpBinary("\x00\x01"), mpExtension(9, "12")}).Draw(t, "other")
			}
		}
		f, err := openMsgpack(tree("", 4), Limits{})
		if len(want) == 0 {
			if kindOf(err) != NotFound {
				t.Fatal(err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(f); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("%q, want %q", got, slices.Sorted(maps.Keys(want)))
		}
		for name, values := range want {
			if got, err := f.Tensor(context.Background(), name); err != nil || !slices.Equal(got.Data, values) {
				t.Fatalf("%q: %v, %v; want %v", name, got, err, values)
			}
		}
	})
}
