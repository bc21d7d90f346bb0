package tensor

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"testing"
)

// BenchmarkDecode decodes a piece that fits the caches, of every type and of the
// floats in both orders, and 16M elements of F32, Q8_0 and Q4_K on one core and on
// all. MB/s are those of the bytes read.
func BenchmarkDecode(b *testing.B) {
	const piece = 1 << 16
	for typ := F64; typ <= IQ4_NL; typ++ {
		b.Run(typ.String(), func(b *testing.B) { benchDecode(b, piece, typ, binary.LittleEndian) })
		if typ.IsFloat() {
			b.Run(fmt.Sprint(typ, "big"), func(b *testing.B) { benchDecode(b, piece, typ, binary.BigEndian) })
		}
	}
	for _, typ := range []DType{F32, Q8_0, Q4_K} {
		for _, procs := range []int{1, runtime.NumCPU()} {
			b.Run(fmt.Sprintf("%vlong/cores=%d", typ, procs), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				benchDecode(b, 1<<24, typ, binary.LittleEndian)
			})
		}
	}
}

func benchDecode(b *testing.B, n int, typ DType, order binary.ByteOrder) {
	dst, src := make([]float64, n), make([]byte, typ.Bytes(int64(n)))
	for i := range src {
		src[i] = byte(i * 7)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if err := Decode(dst, src, typ, order); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGather turns a matrix over.
func BenchmarkGather(b *testing.B) {
	info := Info{Shape: []int{2048, 1024}}
	info.Strides = ColumnMajor(info.Shape)
	src, dst := make([]float64, 2048*1024), make([]float64, 2048*1024)
	b.SetBytes(int64(8 * len(src)))
	for b.Loop() {
		Gather(dst, src, 0, info)
	}
}

func BenchmarkNonFinite(b *testing.B) {
	data := make([]float64, 1<<24)
	for i := range data { // pages never written to would all be one
		data[i] = float64(i)
	}
	b.SetBytes(int64(8 * len(data)))
	for b.Loop() {
		if NonFinite(data) != 0 {
			b.Fatal("all are finite")
		}
	}
}
