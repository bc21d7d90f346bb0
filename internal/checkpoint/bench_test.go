package checkpoint

import (
	"fmt"
	"io"
	"testing"

	"poslens/internal/tensor"
)

// BenchmarkSafetensors reads a table of 16M and one of 512 x 768 elements, with
// the warning of odd values, out of a file in memory. MB/s are the file's.
func BenchmarkSafetensors(b *testing.B) {
	for _, shape := range [][]int{{16384, 1024}, {512, 768}} {
		n := shape[0] * shape[1]
		for _, stored := range []tensor.DType{tensor.F32, tensor.F16} {
			size := n * stored.Size()
			file := safetensorsOf(fmt.Sprintf(`{"t":{"dtype":"%v","shape":[%d,%d],"data_offsets":[0,%d]}}`, stored, shape[0], shape[1], size), size)
			b.Run(fmt.Sprintf("%dx%d/%v", shape[0], shape[1], stored), func(b *testing.B) { benchTensor(b, file, "t", size) })
		}
	}
}

// BenchmarkTorch reads a stored member of 16M elements with its CRC-32, and a
// view of it turned over.
func BenchmarkTorch(b *testing.B) {
	const rows, cols = 16384, 1024
	storage := pkStorage("FloatStorage", "0", rows*cols)
	file := torchOf(b, pkDict(
		"dense", pkTensor(storage, 0, []int{rows, cols}, []int{cols, 1}),
		"turned", pkTensor(storage, 0, []int{rows, cols}, []int{1, rows}),
	), string(make([]byte, 4*rows*cols)))
	for _, name := range []string{"dense", "turned"} {
		b.Run(name, func(b *testing.B) { benchTensor(b, file, name, 4*rows*cols) })
	}
}

// benchTensor reads one tensor of a file over and over.
func benchTensor(b *testing.B, file []byte, name string, size int) {
	f, err := memory(file).open(b.Context(), defaults)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Tensor(b.Context(), name); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteNPY writes 16M numbers to nowhere.
func BenchmarkWriteNPY(b *testing.B) {
	const n = 1 << 24
	b.Run("float32", func(b *testing.B) { benchWrite(b, 4, make([]float32, n)) })
	b.Run("float64", func(b *testing.B) { benchWrite(b, 8, make([]float64, n)) })
}

func benchWrite[F float32 | float64](b *testing.B, size int, data []F) {
	for i := range data {
		data[i] = F(i) / 3
	}
	b.SetBytes(int64(size * len(data)))
	for b.Loop() {
		if err := WriteNPY(io.Discard, []int{len(data)}, data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkJoinCRC joins the sums of two pieces.
func BenchmarkJoinCRC(b *testing.B) {
	for b.Loop() {
		joinCRC(0x12345678, 0x9abcdef0, pieceBytes)
	}
}
