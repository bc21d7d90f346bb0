package checkpoint

import (
	"strings"
	"testing"
)

// TestSniffONNX: heads as exporters write them, and those of other files that
// begin with a small varint.
func TestSniffONNX(t *testing.T) {
	graph := "\x3a\x80\x80\x80\x10" + "\x0a\x33\x0a\x09input_ids\x12\x01y\"\x06Gather" // 32 MiB
	for _, head := range []string{
		"\x08\x06\x12\x07pytorch\x1a\x052.1.0" + graph,
		"\x08\x03\x12\x07pytorch\x1a\x031.1" + graph,
		"\x08\x0a\x12\x07pytorch\x1a\x0d2.7.0+cu12632" + graph,
		"\x08\x07\x12\x07tf2onnx\x1a\x0d1.9.3 1190aab" + graph,
		"\x08\x07\x12\x07tf2onnx\x3a\x80\x80\x80\x10\x12\x04main",
		"\x08\x06\x12\x18onnxruntime.transformers\x1a\x061.17.0" + graph,
		"\x08\x08\x12\x0donnx.quantize\x1a\x050.1.0" + graph,
		"\x08\x08\x12\x08skl2onnx\x1a\x061.14.0\x22\x07ai.onnx\x28\x00\x32\x00" + graph,
		"\x08\x05\x12\x0akeras2onnx\x1a\x051.6.0\x22\x04onnx\x28\x00\x32\x00" + graph,
		"\x08\x04\x12\x00\x1a\x00\x22\x00" + graph,
		"\x08\x0c" + graph,
		"\x08\x08\x42\x04\x0a\x00\x10\x11" + graph,
		"\x08\x08\x42\x02\x10\x11" + graph,
		"\x08\x08\x32\x80\x40a long story\n" + strings.Repeat("of the model ", 400),
		"\x08\x08\x72\x0a\x0a\x03key\x12\x03val" + graph,
		"\x08\x08\x3a\x80\x01", // cut behind the graph's length
	} {
		if got := sniffed(head); got != "onnx" {
			t.Errorf("%.40q is taken for %q", head, got)
		}
	}
	for _, head := range []string{
		"",
		"\x08", "\x08\x08", "\x08\x08\x12",
		"\x08\x01\x12\xf0\xa3\x05\x0a\xa7\x1f\x0a\x05serve\x12", // TensorFlow's SavedModel
		"\x08\x04\x12\x5a\x0a\x1c\x0a\x05image\x1a\x13\x12\x11", // Core ML
		"\x08\x01\x12\x00\xc2\x0c\x05",                          // Core ML, nothing described
		"\x08\x01\x3a\x80\x01\x61bc",                            // a graph of another kind
		"\x08\x01\x12\x04abc\x00" + graph,
		"\x08\x01\x12\x04ab\xff\xfe" + graph,
		"\x08\x00" + graph,
		"\x08\xff\x01" + graph,
		"\x08\x08\x38\x01" + graph, // a graph that is a number
		"\x08\x08\x0a\x01a" + graph,
		"\x08\x08\x08\x08" + graph,
		"\x08\x08\x0b" + graph,
		"\x08\x08\x00" + graph,
		"\x08\x08\x4a\x01a" + graph, // no field of a model
		"\x08\x08\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"\x08\x08text",
	} {
		if isONNX([]byte(head)) {
			t.Errorf("%.40q is taken for ONNX", head)
		}
	}
}

// TestSniffONNXLength: the eight bytes of a safetensors header's length never look
// like ONNX.
func TestSniffONNXLength(t *testing.T) {
	for n := range 1 << 20 {
		head := append([]byte{0x08, byte(n), byte(n >> 8), byte(n >> 16), 0, 0, 0, 0}, `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`...)
		if isONNX(head) {
			t.Fatalf("% x is taken for ONNX", head[:8])
		}
	}
}
