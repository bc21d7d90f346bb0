package tensor

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Decode widens the elements of src, of type t in the byte order given, into
// dst, straight into place and on all cores when there are many. src must hold
// len(dst) elements exactly, a whole number of blocks. A nil order is
// little-endian.
func Decode(dst []float64, src []byte, t DType, order binary.ByteOrder) error {
	size, block := t.Size(), t.Block()
	if size == 0 {
		return fmt.Errorf("elements of type %v can't be read", t)
	}
	if len(src)%size != 0 || len(dst)%block != 0 || len(src)/size != len(dst)/block {
		return fmt.Errorf("%d bytes for %d elements of %v", len(src), len(dst), t)
	}
	if order == nil {
		order = binary.LittleEndian
	}
	decode := func(dst []float64, src []byte) { decodeLittle(dst, src, t) }
	switch {
	case block > 1:
		decode = func(dst []float64, src []byte) { decodeBlocks(dst, src, t, order) }
	case size > 1 && order.Uint16([]byte{0, 1}) == 1:
		decode = func(dst []float64, src []byte) { decodeBig(dst, src, t) }
	}
	share(len(dst), block, func(from, to int) {
		decode(dst[from:to], src[from/block*size:to/block*size])
	})
	return nil
}

// decodeBig turns the bytes of a piece around, then decodes that.
func decodeBig(dst []float64, src []byte, t DType) {
	var piece [4096]byte
	size := t.Size()
	for len(src) > 0 {
		n := copy(piece[:], src)
		reverse(piece[:n], size)
		decodeLittle(dst[:n/size], piece[:n], t)
		dst, src = dst[n/size:], src[n:]
	}
}

// reverse turns the bytes of every element of this size around.
func reverse(p []byte, size int) {
	le := binary.LittleEndian
	switch size {
	case 2:
		for ; len(p) >= 2; p = p[2:] {
			le.PutUint16(p, bits.ReverseBytes16(le.Uint16(p)))
		}
	case 4:
		for ; len(p) >= 4; p = p[4:] {
			le.PutUint32(p, bits.ReverseBytes32(le.Uint32(p)))
		}
	case 8:
		for ; len(p) >= 8; p = p[8:] {
			le.PutUint64(p, bits.ReverseBytes64(le.Uint64(p)))
		}
	}
}

// decodeLittle has one plain loop a type, without a call or a branch on the type
// inside. An element is cut out on both sides before it is loaded, which the
// compiler checks in less time than src[4*i:]. The loop of F64, which only moves,
// is as fast as memory when it takes four at a time.
func decodeLittle(dst []float64, src []byte, t DType) {
	le := binary.LittleEndian
	switch t {
	case F64:
		for ; len(dst) >= 4; dst, src = dst[4:], src[32:] {
			d, s := dst[:4], src[:32]
			d[0] = math.Float64frombits(le.Uint64(s[0:]))
			d[1] = math.Float64frombits(le.Uint64(s[8:]))
			d[2] = math.Float64frombits(le.Uint64(s[16:]))
			d[3] = math.Float64frombits(le.Uint64(s[24:]))
		}
		for i := range dst {
			dst[i] = math.Float64frombits(le.Uint64(src[8*i : 8*i+8]))
		}
	case F32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(le.Uint32(src[4*i : 4*i+4])))
		}
	case F16:
		for i := range dst {
			dst[i] = half(le.Uint16(src[2*i : 2*i+2]))
		}
	case BF16:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(uint32(le.Uint16(src[2*i:2*i+2])) << 16))
		}
	case F8_E4M3:
		for i := range dst {
			dst[i] = float8E4M3(src[i])
		}
	case F8_E5M2:
		for i := range dst {
			dst[i] = float8E5M2(src[i])
		}
	case I64:
		for i := range dst {
			dst[i] = float64(int64(le.Uint64(src[8*i : 8*i+8])))
		}
	case I32:
		for i := range dst {
			dst[i] = float64(int32(le.Uint32(src[4*i : 4*i+4])))
		}
	case I16:
		for i := range dst {
			dst[i] = float64(int16(le.Uint16(src[2*i : 2*i+2])))
		}
	case I8:
		for i := range dst {
			dst[i] = float64(int8(src[i]))
		}
	case U64:
		for i := range dst {
			dst[i] = float64(le.Uint64(src[8*i : 8*i+8]))
		}
	case U32:
		for i := range dst {
			dst[i] = float64(le.Uint32(src[4*i : 4*i+4]))
		}
	case U16:
		for i := range dst {
			dst[i] = float64(le.Uint16(src[2*i : 2*i+2]))
		}
	case U8:
		for i := range dst {
			dst[i] = float64(src[i])
		}
	case Bool:
		for i := range dst {
			v := 0.0
			if src[i] != 0 {
				v = 1
			}
			dst[i] = v
		}
	}
}

// half widens an IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. With
// those at the float64's places it is 2^1008 too small, subnormals too, since the
// exponents' biases are 15 and 1023; infinities and NaNs take the top exponent.
func half(h uint16) float64 {
	const between = 0x3f << 57 // the six exponent bits that a half does not have
	b := uint64(int64(int16(h))) << 42 &^ between
	if h&0x7c00 == 0x7c00 {
		return math.Float64frombits(b | 0x7ff<<52)
	}
	return math.Float64frombits(b) * 0x1p1008
}
