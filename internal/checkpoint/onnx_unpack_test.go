package checkpoint

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"poslens/internal/tensor"
)

func TestONNXNumbers(t *testing.T) {
	floats := func(values ...float64) string { return wireBytes(tensorFloatData, littleFloats(values...)) }
	fixed := func(v float64) string {
		return string(protowire.AppendFixed32(protowire.AppendTag(nil, tensorFloatData, protowire.Fixed32Type), math.Float32bits(float32(v))))
	}
	double := binary.LittleEndian.AppendUint64(nil, math.Float64bits(-0.1))
	for _, c := range []struct {
		what   string
		typ    int64
		fields string
		want   []float64 // nil: an error
		kind   Kind
	}{
		{"raw floats", 1, wireBytes(tensorRawData, littleFloats(1, -2)), []float64{1, -2}, ""},
		{"floats packed", 1, floats(1, -2), []float64{1, -2}, ""},
		{"floats packed in two", 1, floats(1) + floats() + floats(-2), []float64{1, -2}, ""},
		{"floats with a tag each", 1, fixed(1) + fixed(-2), []float64{1, -2}, ""},
		{"floats packed and not", 1, floats(1) + fixed(-2), []float64{1, -2}, ""},
		{"an empty list beside raw data", 1, floats() + wireBytes(tensorRawData, littleFloats(1, -2)), []float64{1, -2}, ""},
		{"doubles", 11, wireBytes(tensorDoubleData, string(double), string(double)), []float64{-0.1, -0.1}, ""},
		{"doubles in two", 11, wireBytes(tensorDoubleData, string(double)) + wireBytes(tensorDoubleData, string(double)), []float64{-0.1, -0.1}, ""},
		{"int8", 3, wirePacked(tensorInt32Data, -128, 127), []float64{-128, 127}, ""},
		{"int8 with a tag each", 3, wireInts(tensorInt32Data, -128, 127), []float64{-128, 127}, ""},
		{"int8 too low", 3, wirePacked(tensorInt32Data, -129, 127), nil, Corrupt},
		{"int8 too high", 3, wirePacked(tensorInt32Data, 0, 128), nil, Corrupt},
		{"uint8", 2, wirePacked(tensorInt32Data, 0, 255), []float64{0, 255}, ""},
		{"uint8 below 0", 2, wirePacked(tensorInt32Data, 0, -1), nil, Corrupt},
		{"uint8 too high", 2, wirePacked(tensorInt32Data, 0, 256), nil, Corrupt},
		{"int16", 5, wirePacked(tensorInt32Data, -32768, 32767), []float64{-32768, 32767}, ""},
		{"uint16", 4, wirePacked(tensorInt32Data, 0, 65535), []float64{0, 65535}, ""},
		{"int32", 6, wirePacked(tensorInt32Data, math.MinInt32, math.MaxInt32), []float64{math.MinInt32, math.MaxInt32}, ""},
		{"int32 in five bytes", 6, wirePacked(tensorInt32Data, math.MaxUint32, 0), []float64{-1, 0}, ""}, // as protobuf has it
		{"int64", 7, wirePacked(tensorInt64Data, math.MinInt64, -1), []float64{math.MinInt64, -1}, ""},
		{"uint32", 12, wirePacked(tensorUint64Data, 0, math.MaxUint32), []float64{0, math.MaxUint32}, ""},
		{"uint32 too high", 12, wirePacked(tensorUint64Data, 0, 1<<32), nil, Corrupt},
		{"uint64", 13, wirePacked(tensorUint64Data, -1, 0), []float64{math.MaxUint64, 0}, ""},
		{"bool", 9, wirePacked(tensorInt32Data, 1, 0), []float64{1, 0}, ""},
		{"half precision", 10, wirePacked(tensorInt32Data, 0x3c00, 0xc000), []float64{1, -2}, ""},
		{"half precision below 0", 10, wirePacked(tensorInt32Data, 0x3c00, -2), nil, Corrupt},
		{"bfloat16", 16, wirePacked(tensorInt32Data, 0x3f80, 0xc000), []float64{1, -2}, ""},
		{"float8", 17, wirePacked(tensorInt32Data, 0x38, 0xc0), []float64{1, -2}, ""},
		{"float8, the other", 19, wirePacked(tensorInt32Data, 0x3c, 0xc0), []float64{1, -2}, ""},
		{"dims packed", 1, wirePacked(tensorDims, 1, 1) + wireBytes(tensorRawData, littleFloats(1, -2)), []float64{1, -2}, ""},
		{"no numbers", 1, "", nil, BadShape},
		{"raw data too short", 1, rawOnes(7), nil, BadShape},
		{"raw data too long", 1, rawOnes(9), nil, BadShape},
		{"raw data twice", 1, rawOnes(8) + rawOnes(8), nil, Corrupt},
		{"raw data and a list", 1, rawOnes(8) + floats(1, 2), nil, Corrupt},
		{"two lists", 1, floats(1, 2) + wirePacked(tensorInt32Data, 1), nil, Corrupt},
		{"the wrong list", 1, wirePacked(tensorInt32Data, 1, 2), nil, Corrupt},
		{"the other wrong list", 7, wirePacked(tensorInt32Data, 1, 2), nil, Corrupt},
		{"a list too short", 1, floats(1), nil, BadShape},
		{"a list too long", 1, floats(1, 2, 3), nil, BadShape},
		{"a list of parts of numbers", 1, wireBytes(tensorFloatData, "123456789"), nil, BadShape},
		{"parts of numbers in two lists", 1, wireBytes(tensorFloatData, "1234567") + wireBytes(tensorFloatData, "12345"), nil, Corrupt},
		{"numbers too short", 3, wirePacked(tensorInt32Data, 1), nil, BadShape},
		{"numbers too short, of many bytes", 3, wirePacked(tensorInt32Data, -1), nil, BadShape},
		{"numbers too long", 3, wirePacked(tensorInt32Data, 1, 2, 3), nil, BadShape},
		{"a number without an end", 3, wireBytes(tensorInt32Data, "\x01\x80"), nil, Corrupt},
		{"a number of eleven bytes", 3, wireBytes(tensorInt32Data, strings.Repeat("\xff", 11), "\x01"), nil, Corrupt},
		{"text", 8, wireBytes(tensorStringData, "a") + wireBytes(tensorStringData, "b"), nil, UnsupportedDType},
		{"complex", 14, rawOnes(16), nil, UnsupportedDType},
		{"4 bits", 22, rawOnes(1), nil, UnsupportedDType},
		{"a type of the future", 99, rawOnes(8), nil, UnsupportedDType},
		{"no type", 0, rawOnes(8), nil, UnsupportedDType},
		{"a type far out", -1, rawOnes(8), nil, UnsupportedDType},
		{"a segment", 1, rawOnes(8) + wireBytes(tensorSegment, wireInts(1, 0)), nil, Unsupported},
		{"a data_location that is none", 1, rawOnes(8) + wireInts(tensorDataLocation, 2), nil, Corrupt},
		{"negative", 1, rawOnes(8) + wireInts(tensorDims, -1), nil, BadShape},
		{"overflow", 1, rawOnes(8) + wireInts(tensorDims, math.MaxInt64), nil, BadShape},
		{"bytes overflow", 1, rawOnes(8) + wireInts(tensorDims, math.MaxInt64/4), nil, BadShape},
		{"rank", 1, wireBytes(tensorRawData, littleFloats(1, -2)) + wireInts(tensorDims, slices.Repeat([]int64{1}, 63)...), []float64{1, -2}, ""},
		{"rank too high", 1, rawOnes(8) + wireInts(tensorDims, slices.Repeat([]int64{1}, 64)...), nil, BadShape},
		{"rank far too high", 1, rawOnes(8) + wirePacked(tensorDims, slices.Repeat([]int64{1}, 64_000)...), nil, BadShape},
	} {
		f := openModel(t, onnxOf(initializer("other", 1, []int64{1}, rawOnes(4)), initializer("a", c.typ, []int64{2}, c.fields)))
		checkListing(t, f)
		got, err := f.Tensor(t.Context(), "a")
		if kindOf(err) != c.kind || (got == nil) != (c.kind != "") {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
		if got != nil && !slices.Equal(got.Data, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got.Data, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), `"a"`) {
			t.Errorf("%s: %v does not name the tensor", c.what, err)
		}
	}
}

// TestONNXEmpty: tensors without elements need no numbers.
func TestONNXEmpty(t *testing.T) {
	f := openModel(t, onnxOf(
		initializer("a", 1, []int64{0, 4}), initializer("b", 3, []int64{3, 0}, rawOnes(0)), initializer("c", 10, []int64{0}, wireBytes(tensorInt32Data)), initializer("scalar", 6, nil, wirePacked(tensorInt32Data, 7)),
	))
	for _, info := range f.Tensors() {
		got, err := f.Tensor(t.Context(), info.Name)
		if err != nil || len(got.Data) != map[bool]int{true: 1}[info.Name == "scalar"] {
			t.Errorf("%s: %v, %v", info.Name, got, err)
		}
	}
	f = openModel(t, onnxOf(initializer("a", 3, []int64{0}, wirePacked(tensorInt32Data, 1))))
	if _, err := f.Tensor(t.Context(), "a"); kindOf(err) != BadShape {
		t.Errorf("a number where there is none: %v", err)
	}
}

// TestONNXPacking: however numbers are packed, the same come out.
func TestONNXPacking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64(), 0, 300).Draw(t, "values")
		repeat := rapid.SampledFrom([]int{1, 1, 1, 70}).Draw(t, "repeat") // past the window, and past the bytes that are decoded at once
		values = slices.Repeat(values, repeat)
		var fields string
		for rest := values; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if rapid.Bool().Draw(t, "packed") {
				fields += wirePacked(tensorInt64Data, rest[:n]...)
			} else {
				fields += wireInts(tensorInt64Data, rest[:n]...)
			}
			if rapid.Bool().Draw(t, "between") {
				fields += wireBytes(12, "about it")
			}
			rest = rest[n:]
		}
		f, err := openONNX(context.Background(), memory(onnxOf(initializer("a", 7, []int64{int64(len(values))}, fields))), defaults)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Tensor(context.Background(), "a")
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if got.Data[i] != float64(v) {
				t.Fatalf("number %d is %v, want %d", i, got.Data[i], v)
			}
		}
	})
}

// TestONNXLimit: a tensor over the limit is listed, but not read.
func TestONNXLimit(t *testing.T) {
	model := onnxOf(initializer("a", 3, []int64{10}, wirePacked(tensorInt32Data, make([]int64, 10)...)), initializer("b", 3, []int64{10}, rawOnes(10)), initializer("c", 3, []int64{5}, rawOnes(5)))
	f, err := openBytes(t, "x", model, Limits{MaxElements: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if got, err := f.Tensor(t.Context(), name); got != nil || kindOf(err) != TooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := f.Tensor(t.Context(), "c"); err != nil || got.DType != tensor.I8 {
		t.Error(err)
	}
}
