package tensor

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"
)

// parallelFrom is the elements from which on Decode uses all cores.
const parallelFrom = 1 << 20

// Decode widens the elements of src, of type t in the byte order given, into
// dst, straight into place and on all cores when there are many. src must hold
// len(dst) elements exactly. A nil order is little-endian.
func Decode(dst []float64, src []byte, t DType, order binary.ByteOrder) error {
	size := t.Size()
	if size == 0 {
		return fmt.Errorf("elements of type %v can't be read", t)
	}
	if len(src)%size != 0 || len(src)/size != len(dst) {
		return fmt.Errorf("%d bytes for %d elements of %v", len(src), len(dst), t)
	}
	big := size > 1 && order != nil && order.Uint16([]byte{0, 1}) == 1
	part := func(from, to int) {
		if big {
			decodeBig(dst[from:to], src[from*size:to*size], t)
		} else {
			decodeLittle(dst[from:to], src[from*size:to*size], t)
		}
	}
	workers := runtime.GOMAXPROCS(0)
	if len(dst) < parallelFrom || workers == 1 {
		part(0, len(dst))
		return nil
	}
	var wait sync.WaitGroup
	step := (len(dst) + workers - 1) / workers
	for from := 0; from < len(dst); from += step {
		wait.Go(func() { part(from, min(from+step, len(dst))) })
	}
	wait.Wait()
	return nil
}

// decodeBig turns the bytes of a piece around, then decodes that.
func decodeBig(dst []float64, src []byte, t DType) {
	var piece [4096]byte
	size := t.Size()
	for len(src) > 0 {
		n := copy(piece[:], src)
		for p := piece[:n]; len(p) > 0; p = p[size:] {
			switch size {
			case 2:
				binary.LittleEndian.PutUint16(p, binary.BigEndian.Uint16(p))
			case 4:
				binary.LittleEndian.PutUint32(p, binary.BigEndian.Uint32(p))
			case 8:
				binary.LittleEndian.PutUint64(p, binary.BigEndian.Uint64(p))
			}
		}
		decodeLittle(dst[:n/size], piece[:n], t)
		dst, src = dst[n/size:], src[n:]
	}
}

// decodeLittle has one plain loop a type, without a call or a branch on the type
// inside.
func decodeLittle(dst []float64, src []byte, t DType) {
	le := binary.LittleEndian
	switch t {
	case F64:
		for i := range dst {
			dst[i] = math.Float64frombits(le.Uint64(src[8*i:]))
		}
	case F32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(le.Uint32(src[4*i:])))
		}
	case F16:
		for i := range dst {
			dst[i] = half(le.Uint16(src[2*i:]))
		}
	case BF16:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(uint32(le.Uint16(src[2*i:])) << 16))
		}
	case I64:
		for i := range dst {
			dst[i] = float64(int64(le.Uint64(src[8*i:])))
		}
	case I32:
		for i := range dst {
			dst[i] = float64(int32(le.Uint32(src[4*i:])))
		}
	case I16:
		for i := range dst {
			dst[i] = float64(int16(le.Uint16(src[2*i:])))
		}
	case I8:
		for i := range dst {
			dst[i] = float64(int8(src[i]))
		}
	case U64:
		for i := range dst {
			dst[i] = float64(le.Uint64(src[8*i:]))
		}
	case U32:
		for i := range dst {
			dst[i] = float64(le.Uint32(src[4*i:]))
		}
	case U16:
		for i := range dst {
			dst[i] = float64(le.Uint16(src[2*i:]))
		}
	case U8:
		for i := range dst {
			dst[i] = float64(src[i])
		}
	case Bool:
		for i := range dst {
			dst[i] = 0
			if src[i] != 0 {
				dst[i] = 1
			}
		}
	}
}

// half widens an IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. As
// the low bits of a float32 it is 2^112 too small, subnormals too, since the
// exponents' biases are 15 and 127; infinities and NaNs keep the top exponent.
func half(h uint16) float64 {
	f := math.Float32frombits(uint32(h&0x7fff)<<13) * 0x1p112
	b := math.Float32bits(f) | uint32(h&0x8000)<<16
	if h&0x7c00 == 0x7c00 {
		b |= 0x7f800000
	}
	return float64(math.Float32frombits(b))
}
