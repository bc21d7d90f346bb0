package checkpoint

import (
	"bytes"
	"testing"
)

func FuzzONNX(f *testing.F) {
	seedFixtures(f, "onnx", 2<<10) // a short input is made smaller in short time
	f.Add(onnxOf(constantOf("k", tensorOf("", 1, []int64{1}, rawOnes(4))), initializer("a", 3, []int64{2}, wirePacked(tensorInt32Data, -1, 1)), initializer("b", 7, []int64{1}, wireInts(tensorInt64Data, -1))))
	f.Add(onnxOf(initializer("x_quantized", 2, []int64{2, 1}, rawOnes(2)), initializer("s", 16, []int64{2}, wirePacked(tensorInt32Data, 1, 2)),
		nodeOf("DequantizeLinear", []string{"x_quantized", "s"}, []string{"y"}, intAttribute("axis", 0)), nodeOf("Gather", []string{"x_quantized", "i"}, []string{"g"})))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzOpen(t, "x.onnx", data)
		file, err := openONNX(t.Context(), &blob{ReaderAt: bytes.NewReader(data), size: int64(len(data)), name: "x.onnx"}, defaults) // whatever its head is
		if (file == nil) != (err != nil) || err != nil && kindOf(err) == "" {
			t.Fatalf("the file %v with the error %v", file, err)
		}
	})
}
