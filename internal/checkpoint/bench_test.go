package checkpoint

import (
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"testing"
)

// BenchmarkSafetensors reads a table of 16M and one of 512 x 768 elements, with
// the count of odd values, out of a file in memory.
func BenchmarkSafetensors(b *testing.B) {
	for _, shape := range [][]int{{16384, 1024}, {512, 768}} {
		n := shape[0] * shape[1]
		header := fmt.Sprintf(`{"t":{"dtype":"F32","shape":[%d,%d],"data_offsets":[0,%d]}}`, shape[0], shape[1], 4*n)
		file := safetensorsOf(header, 4*n)
		copy(file[len(file)-4*n:], numbered(n))
		benchTensor(b, fmt.Sprintf("%dx%d", shape[0], shape[1]), file, "t", 4*n)
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
	), string(numbered(rows*cols)))
	for _, name := range []string{"dense", "turned"} {
		benchTensor(b, name, file, name, 4*rows*cols)
	}
}

// benchTensor reads one tensor of a file of size bytes over and over, on one core
// and on all. MB/s are the file's.
func benchTensor(b *testing.B, what string, file []byte, name string, size int) {
	f, err := memory(file).open(b.Context(), defaults)
	if err != nil {
		b.Fatal(err)
	}
	for _, procs := range []int{1, runtime.NumCPU()} {
		b.Run(fmt.Sprintf("%s/cores=%d", what, procs), func(b *testing.B) {
			processors(b, procs)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Tensor(b.Context(), name); err != nil {
					b.Fatal(err)
				}
			}
		})
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
		joinCRC(crc32.IEEE, 0x12345678, 0x9abcdef0, pieceBytes)
	}
}
