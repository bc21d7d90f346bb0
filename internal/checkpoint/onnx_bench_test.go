package checkpoint

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkONNXOpen opens a model of 3000 nodes and 150 tensors of 256 KiB.
func BenchmarkONNXOpen(b *testing.B) {
	var graph strings.Builder
	for i := range 3000 {
		graph.WriteString(nodeOf("MatMul", []string{fmt.Sprint("a", i), fmt.Sprint("w", i)}, []string{fmt.Sprint("a", i+1)}))
	}
	data := rawOnes(256 << 10)
	for i := range 150 {
		graph.WriteString(initializer(fmt.Sprint("w", i), 1, []int64{256, 256}, data))
	}
	file := onnxOf(graph.String())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openONNX(b.Context(), memory(file), defaults); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkONNXTensor reads a table of 512 x 768 numbers by each of the ways in
// which a file may hold them.
func BenchmarkONNXTensor(b *testing.B) {
	const n = 512 * 768
	dims := []int64{512, 768}
	half := make([]int64, n)
	for i := range half {
		half[i] = int64(0x2000 + i%0x1c00)
	}
	scales := initializer("s", 1, []int64{512}, wireBytes(tensorRawData, strings.Repeat(littleFloats(0.5), 512)))
	f := openModel(b, onnxOf(
		initializer("raw", 1, dims, rawOnes(4*n)), initializer("half", 10, dims, wirePacked(tensorInt32Data, half...)),
		initializer("x", 3, dims, rawOnes(n)), scales, nodeOf("DequantizeLinear", []string{"x", "s"}, []string{"dequantised"}, intAttribute("axis", 0)),
	))
	for _, name := range []string{"raw", "half", "dequantised"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(8 * n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Tensor(b.Context(), name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
