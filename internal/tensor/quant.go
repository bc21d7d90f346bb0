package tensor

import "encoding/binary"

// The quantised types are ggml's. A block of 32 numbers, or of 256 in the types
// named K, is a few scales and a few bits for each number. Their layouts are
//
//	ggml-org/ggml, src/ggml-common.h (struct block_q4_0 and so on) and
//	src/ggml-quants.c (dequantize_row_q4_0 and so on)
//
// and are given with each type here: numbers of more than a byte, which are halfs,
// float32, int16 and words of 32 bits, are in the file's byte order. A value is
// computed in float64, in which the products are exact, where ggml rounds to
// float32.

// unpack widens one block x into y.
type unpack func(y []float64, x []byte, order binary.ByteOrder)

// unpack is how a block of the type is widened; nil for the types without blocks.
func (t DType) unpack() unpack {
	switch t {
	case Q4_0:
		return unpackQ4_0
	case Q4_1:
		return unpackQ4_1
	case Q5_0:
		return unpackQ5_0
	case Q5_1:
		return unpackQ5_1
	case Q8_0:
		return unpackQ8_0
	case IQ4_NL:
		return unpackIQ4_NL
	case Q2_K:
		return unpackQ2_K
	case Q3_K:
		return unpackQ3_K
	case Q4_K:
		return unpackQ4_K
	case Q5_K:
		return unpackQ5_K
	case Q6_K:
		return unpackQ6_K
	case Q8_K:
		return unpackQ8_K
	}
	return nil
}

// decodeBlocks is Decode for a whole number of blocks.
func decodeBlocks(dst []float64, src []byte, t DType, order binary.ByteOrder) {
	block, size, unpack := t.Block(), t.Size(), t.unpack()
	for ; len(dst) > 0; dst, src = dst[block:], src[size:] {
		unpack(dst[:block], src[:size], order)
	}
}
