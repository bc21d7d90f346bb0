package checkpoint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestONNXMeta(t *testing.T) {
	entry := func(key, value string) string {
		return wireBytes(modelMetadataProps, wireBytes(entryKey, key), wireBytes(entryValue, value))
	}
	opset := func(domain string, version int64) string {
		return wireBytes(modelOpsetImport, wireInts(opsetVersion, version), wireBytes(opsetDomain, domain))
	}
	model := string(onnxOf()) + wireBytes(modelProducerVersion, "1.0") + wireBytes(modelDomain, "") + opset("com.microsoft", 1) +
		entry("model_type", "gpt2") + entry("log", strings.Repeat("x", maxONNXText)) + wireInts(5, 3)
	f := openModel(t, []byte(model))
	for key, want := range map[string]string{
		"onnx.ir_version": "8", "onnx.producer_name": "test", "onnx.producer_version": "1.0", "onnx.domain": "", "onnx.opset": "17",
		"onnx.opset.com.microsoft": "1", "model_type": "gpt2", "log": "",
	} {
		if got, _ := f.Meta(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	for i := range 2 * maxONNXMeta {
		model += entry(fmt.Sprint("key", i), "x")
	}
	if f := openModel(t, []byte(model)); len(f.meta) != maxONNXMeta {
		t.Errorf("%d entries of metadata are kept", len(f.meta))
	}
}

func TestONNXGraphs(t *testing.T) {
	good := initializer("a", 1, []int64{2}, rawOnes(8))
	bad := initializer("b", 1, []int64{3}, rawOnes(8))
	float := tensorOf("inner", 1, []int64{2}, rawOnes(8))
	sparse := wireBytes(sparseValues, tensorOf("s", 1, []int64{1}, rawOnes(4))) + wireInts(sparseDims, 16, 32)
	for _, c := range []struct {
		what, graph string
		names       string // of the tensors; an empty text: none
		kind        Kind   // of opening
	}{
		{"nothing", "", "", ""},
		{"one", good, "a", ""},
		{"a broken one beside a good one", bad + good, "a b", ""},
		{"a broken one alone", bad, "", BadShape},
		{"one of a type that is not read, alone", initializer("c", 22, []int64{2}, rawOnes(1)), "c", ""},
		{"two of a name", good + good, "", DuplicateName},
		{"a name twice, once by a node", good + constantOf("a", float), "", DuplicateName},
		{"a constant", constantOf("k", float), "k", ""},
		{"a constant without an output", constantOf("", float), "", ""},
		{"a constant that is a number", nodeOf("Constant", nil, []string{"k"}, wireBytes(nodeAttribute, wireBytes(attributeName, "value_int"), wireInts(attributeI, 3))), "", ""},
		{"a constant of two tensors", nodeOf("Constant", nil, []string{"k"}, wireBytes(nodeAttribute, wireBytes(attributeT, float), wireBytes(attributeT, float))), "", Corrupt},
		{"a constant of another domain", nodeOf("Constant", nil, []string{"k"}, wireBytes(nodeAttribute, wireBytes(attributeT, float)), wireBytes(nodeDomain, "x.y")), "", ""},
		{"a domain in front of the operator", wireBytes(graphNode, wireBytes(nodeDomain, "x.y"), wireBytes(nodeOutput, "k"), wireBytes(nodeOpType, "Constant"), wireBytes(nodeAttribute, wireBytes(attributeT, float))), "", ""},
		{"another node's tensor", nodeOf("ConstantOfShape", nil, []string{"k"}, wireBytes(nodeAttribute, wireBytes(attributeT, float))), "", ""},
		{"a graph in a node", nodeOf("If", nil, []string{"k"}, wireBytes(nodeAttribute, wireBytes(6, good))), "", ""},
		{"a sparse one", wireBytes(graphSparseInitializer, sparse) + good, "a s", ""},
		{"a sparse constant", nodeOf("Constant", nil, []string{"k"}, wireBytes(nodeAttribute, wireBytes(attributeSparseTensor, sparse))), "k", ""},
		{"a name that is not UTF-8", initializer("a\xff", 1, []int64{2}, rawOnes(8)), "", Corrupt},
		{"a long name", initializer(strings.Repeat("a", maxONNXText+1), 1, []int64{2}, rawOnes(8)), "", TooLarge},
		{"unknown fields", good + wireInts(999, 1) + wireBytes(1000, "\xff"), "a", ""},
		{"a field of number 0", good + "\x02\x00", "", Corrupt},
		{"a group", good + "\x0b\x0c", "", Corrupt},
		{"the end of a group", good + "\x0c", "", Corrupt},
		{"a wire type that is none", good + "\x0e", "", Corrupt},
		{"an initialiser past its graph", good + "\x2a\x7f", "", Corrupt},
		{"a name past its initialiser", "\x2a\x04\x42\x7fab", "", Corrupt},
		{"a varint without an end", "\x2a\x0c\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "", Corrupt},
		{"a varint past its message", "\x2a\x02\x08\xff", "", Corrupt},
	} {
		f, err := openONNX(t.Context(), memory(onnxOf(c.graph)), defaults)
		if kindOf(err) != c.kind || (f == nil) != (err != nil) {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
			continue
		}
		if f == nil {
			continue
		}
		f.sortInfos()
		checkListing(t, f)
		if got := strings.Join(namesOf(f), " "); got != c.names {
			t.Errorf("%s: tensors %q, want %q", c.what, got, c.names)
		}
		if got, err := f.Tensor(t.Context(), "a"); slices.Contains(namesOf(f), "a") && (err != nil || len(got.Data) != 2) {
			t.Errorf("%s: %v, %v", c.what, got, err)
		}
	}
	two := string(onnxOf(good)) + wireBytes(modelGraph)
	none := wireInts(modelIRVersion, 8) + wireBytes(modelProducerName, "test")
	long := wireInts(modelIRVersion, 8) + "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x0a\x00"
	for model, want := range map[string]Kind{two: Corrupt, none: Corrupt, long: Truncated, strings.Repeat("\x0b", 50_000): Corrupt, "\x08" + strings.Repeat("\xff", 11): Corrupt} {
		if f, err := openONNX(t.Context(), memory([]byte(model)), defaults); f != nil || kindOf(err) != want {
			t.Errorf("%.20q: %v, want %s", model, err, want)
		}
	}
}

// TestONNXBounds: more nodes than any model has are refused, not kept.
func TestONNXBounds(t *testing.T) {
	node := nodeOf("DequantizeLinear", []string{"x", "s"}, []string{"y"})
	if f, err := openONNX(t.Context(), memory(onnxOf(strings.Repeat(node, maxTensors+1))), defaults); f != nil || kindOf(err) != TooLarge {
		t.Errorf("%v, %v", f, err)
	}
	name := initializer(strings.Repeat("x", maxONNXText), 1, nil, rawOnes(4))
	if f, err := openONNX(t.Context(), memory(onnxOf(strings.Repeat(name, maxNames/maxONNXText+1))), defaults); f != nil || kindOf(err) != TooLarge {
		t.Errorf("%v, %v", f, err)
	}
}

// TestONNXShapePastBytes: a shape whose bytes can't be counted spoils its tensor,
// which is listed without it, and no other.
func TestONNXShapePastBytes(t *testing.T) {
	f := openModel(t, onnxOf(initializer("a", 1, []int64{2}, rawOnes(8)), initializer("b", 11, []int64{1 << 31, 1 << 30}, "")))
	checkListing(t, f)
	if _, err := f.Tensor(t.Context(), "b"); kindOf(err) != BadShape {
		t.Error(err)
	}
}
