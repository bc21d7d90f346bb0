package tensor

import "math"

// float8E4M3 widens 1 sign, 4 exponent and 3 fraction bits, of bias 7, as the half
// widens its own. There are no infinities: all bits set but the sign is NaN, and
// 448 is the largest value.
//
//	OCP 8-bit floating point specification (OFP8) 1.0; torch.float8_e4m3fn
func float8E4M3(c byte) float64 {
	const between = 0x7f << 56 // the seven exponent bits that it does not have
	if c&0x7f == 0x7f {
		return math.NaN()
	}
	return math.Float64frombits(uint64(int64(int8(c)))<<49&^between) * 0x1p1016
}

// float8E5M2 widens the upper byte of a half: 1 sign, 5 exponent and 2 fraction
// bits, with infinities and NaNs.
//
//	OCP 8-bit floating point specification (OFP8) 1.0; torch.float8_e5m2
func float8E5M2(c byte) float64 { return half(uint16(c) << 8) }
