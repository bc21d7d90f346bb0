package checkpoint

import (
	"slices"
	"strings"
	"testing"
)

// quantised is a graph with the 2 x 3 integers x: -1 0 1, 2 3 4.
func quantised(more ...string) []byte {
	return onnxOf(initializer("x", 3, []int64{2, 3}, wireBytes(tensorRawData, "\xff\x00\x01\x02\x03\x04")), strings.Join(more, ""))
}

func TestONNXDequantize(t *testing.T) {
	floats := func(name string, dims []int64, values ...float64) string {
		return initializer(name, 1, dims, wireBytes(tensorRawData, littleFloats(values...)))
	}
	bytes := func(name string, dims []int64, values string) string {
		return initializer(name, 3, dims, wireBytes(tensorRawData, values))
	}
	dequant := func(in []string, more ...string) string {
		return nodeOf("DequantizeLinear", in, []string{"y"}, more...)
	}
	xs, xsz := []string{"x", "s"}, []string{"x", "s", "z"}
	whole := []float64{-1, 0, 1, 2, 3, 4}
	for _, c := range []struct {
		what  string
		graph string
		want  []float64 // of x, and where it is listed of y; nil: an error
		kind  Kind
		y     bool
	}{
		{"a scalar scale", dequant(xs) + floats("s", nil, 0.5), []float64{-0.5, 0, 0.5, 1, 1.5, 2}, "", true},
		{"one scale in a list", dequant(xs, intAttribute("axis", 7)) + floats("s", []int64{1}, 0.5), []float64{-0.5, 0, 0.5, 1, 1.5, 2}, "", true},
		{"a zero point", dequant(xsz) + floats("s", nil, 2) + bytes("z", nil, "\xfe"), []float64{2, 4, 6, 8, 10, 12}, "", true},
		{"a zero point in a list", dequant(xsz) + floats("s", nil, 2) + bytes("z", []int64{1}, "\xfe"), []float64{2, 4, 6, 8, 10, 12}, "", true},
		{"a zero point left out", dequant([]string{"x", "s", ""}) + floats("s", nil, 2), []float64{-2, 0, 2, 4, 6, 8}, "", true},
		{"axis 1, as it is without one", dequant(xs) + floats("s", []int64{3}, 1, 10, 100), []float64{-1, 0, 100, 2, 30, 400}, "", true},
		{"axis -1", dequant(xs, intAttribute("axis", -1)) + floats("s", []int64{3}, 1, 10, 100), []float64{-1, 0, 100, 2, 30, 400}, "", true},
		{"axis 0", dequant(xs, intAttribute("axis", 0)) + floats("s", []int64{2}, 1, 10), []float64{-1, 0, 1, 20, 30, 40}, "", true},
		{"axis -2", dequant(xsz, intAttribute("axis", -2)) + floats("s", []int64{2}, 1, 10) + bytes("z", []int64{2}, "\x00\x01"), []float64{-1, 0, 1, 10, 20, 30}, "", true},
		{"a scale by a node", dequant(xs) + constantOf("s", tensorOf("", 1, nil, wireBytes(tensorFloatData, littleFloats(2)))), []float64{-2, 0, 2, 4, 6, 8}, "", true},
		{"the operator of ONNX Runtime", dequant(xs, wireBytes(nodeDomain, "com.microsoft")) + floats("s", nil, 2), []float64{-2, 0, 2, 4, 6, 8}, "", true},
		{"the operator of another", dequant(xs, wireBytes(nodeDomain, "org.example")) + floats("s", nil, 2), whole, "", false},
		{"a scale that is computed", dequant(xs), whole, "", false},
		{"a zero point that is computed", dequant(xsz) + floats("s", nil, 2), whole, "", false},
		{"integers that are computed", dequant([]string{"a", "s"}) + floats("s", nil, 2), whole, "", false},
		{"no scale", dequant([]string{"x"}) + floats("s", nil, 2), whole, "", false},
		{"a scale of integers", dequant(xs) + bytes("s", nil, "\x02"), whole, "", false},
		{"axis past the shape", dequant(xs, intAttribute("axis", 2)) + floats("s", []int64{3}, 1, 2, 3), nil, BadShape, true},
		{"axis before the shape", dequant(xs, intAttribute("axis", -3)) + floats("s", []int64{3}, 1, 2, 3), nil, BadShape, true},
		{"another number of scales", dequant(xs) + floats("s", []int64{2}, 1, 2), nil, BadShape, true},
		{"another number of zero points", dequant(xsz) + floats("s", []int64{3}, 1, 2, 3) + bytes("z", nil, "\x01"), nil, BadShape, true},
		{"no scales", dequant(xs) + floats("s", []int64{0}), nil, BadShape, true},
		{"blocks", dequant(xs, intAttribute("block_size", 3)) + floats("s", []int64{2, 1}, 1, 2), nil, Unsupported, true},
		{"one block", dequant(xs, intAttribute("block_size", 3)) + floats("s", []int64{1, 1}, 1), nil, Unsupported, true},
		{"a broken scale", dequant(xs) + initializer("s", 1, nil, rawOnes(3)), nil, BadShape, true},
		{"a broken zero point", dequant(xsz) + floats("s", nil, 2) + bytes("z", nil, "12"), nil, BadShape, true},
		{"two nodes", dequant(xs) + nodeOf("DequantizeLinear", []string{"x", "t"}, []string{"u"}) + floats("s", nil, 2) + floats("t", nil, 3), []float64{-2, 0, 2, 4, 6, 8}, "", true},
	} {
		f := openModel(t, quantised(c.graph))
		checkListing(t, f)
		if got := slices.Contains(namesOf(f), "y"); got != c.y {
			t.Errorf("%s: y is listed: %v", c.what, got)
		}
		for _, name := range []string{"x", "y"} {
			got, err := f.Tensor(t.Context(), name)
			if name == "y" && !c.y {
				continue
			}
			if kindOf(err) != c.kind || (got == nil) != (err != nil) {
				t.Errorf("%s: %s: %v, want %q", c.what, name, err, c.kind)
				continue
			}
			if got == nil {
				continue
			}
			if !slices.Equal(got.Data, c.want) || !slices.Equal(got.Shape, []int{2, 3}) || got.Name != name || got.Stored != "INT8" {
				t.Errorf("%s: %s: %+v, want %v", c.what, name, got, c.want)
			}
			if want := map[string]string{"x": "I8", "y": "F32"}[name]; got.DType.String() != want {
				t.Errorf("%s: %s is listed as %v, want %s", c.what, name, got.DType, want)
			}
		}
	}
	twice := dequant(xs) + dequant(xs) + floats("s", nil, 2)
	for _, graph := range []string{twice, dequant(xs) + floats("s", nil, 2) + floats("y", nil, 2)} {
		if _, err := openONNX(t.Context(), memory(quantised(graph)), defaults); kindOf(err) != DuplicateName {
			t.Errorf("two of a name: %v", err)
		}
	}
}

// TestONNXGathered: ONNX Runtime's dynamic quantiser looks rows up first, and
// makes numbers of those rows.
func TestONNXGathered(t *testing.T) {
	table := initializer("wpe.weight_quantized", 2, []int64{2, 2}, rawOnes(4))
	scale := initializer("wpe.weight_scale", 1, nil, wireBytes(tensorRawData, littleFloats(0.5)))
	zero := initializer("wpe.weight_zero_point", 2, nil, wireBytes(tensorRawData, "\x80"))
	gather := nodeOf("Gather", []string{"wpe.weight_quantized", "ids"}, []string{"rows_quantized"})
	dequant := nodeOf("DequantizeLinear", []string{"rows_quantized", "wpe.weight_scale", "wpe.weight_zero_point"}, []string{"rows"})
	want := []float64{-63.5, -63.5, -63.5, -63.5}
	f := openModel(t, onnxOf(gather, dequant, table, scale, zero))
	if got := strings.Join(namesOf(f), " "); got != "wpe.weight wpe.weight_quantized wpe.weight_scale wpe.weight_zero_point" {
		t.Errorf("tensors %q", got)
	}
	for _, name := range []string{"wpe.weight", "wpe.weight_quantized"} {
		if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}

	// A name that another tensor has is left to it.
	f = openModel(t, onnxOf(gather, dequant, table, scale, zero, initializer("wpe.weight", 1, nil, rawOnes(4))))
	if got, err := f.Tensor(t.Context(), "wpe.weight"); err != nil || len(got.Data) != 1 {
		t.Errorf("%v, %v", got, err)
	}

	// Several scales can't be told of rows that were looked up.
	many := initializer("wpe.weight_scale", 1, []int64{2}, rawOnes(8))
	f = openModel(t, onnxOf(gather, nodeOf("DequantizeLinear", []string{"rows_quantized", "wpe.weight_scale"}, []string{"rows"}), table, many))
	if got, err := f.Tensor(t.Context(), "wpe.weight_quantized"); err != nil || got.Data[0] != 1 || len(f.Tensors()) != 2 {
		t.Errorf("%v, %v", got, err)
	}

	// The quantiser of whole networks gives outputs names of their own.
	f = openModel(t, onnxOf(nodeOf("DequantizeLinear", []string{"wpe.weight_quantized", "wpe.weight_scale", "wpe.weight_zero_point"}, []string{"wpe.weight_DequantizeLinear_Output"}), table, scale, zero))
	for _, name := range []string{"wpe.weight", "wpe.weight_quantized", "wpe.weight_DequantizeLinear_Output"} {
		if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
