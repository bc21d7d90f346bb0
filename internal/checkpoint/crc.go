package checkpoint

import "hash/crc32"

// joinCRC is the CRC-32 of some bytes and n bytes behind them, from the CRC-32 of
// each, both with the polynomial poly, such as crc32.IEEE. A CRC is the remainder
// of its bytes as a polynomial over GF(2), so the front's is multiplied by x once
// for every bit behind it:
//
//	crc(front, back) = crc(front) x^(8n) + crc(back)   modulo poly
//
// What a CRC-32 adds at its start and its end cancels out (zlib, crc32_combine).
func joinCRC(poly, front, back uint32, n int64) uint32 {
	power := uint32(1 << 23) // x^8: the highest bit is x^0, the lowest x^31
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			front = timesCRC(poly, front, power)
		}
		power = timesCRC(poly, power, power)
	}
	return front ^ back
}

// timesCRC multiplies two polynomials modulo poly, a term of a at a time.
func timesCRC(poly, a, b uint32) uint32 {
	product := uint32(0)
	for ; a != 0; a <<= 1 {
		if a&(1<<31) != 0 {
			product ^= b
		}
		carry := b & 1
		if b >>= 1; carry != 0 { // b times x
			b ^= poly
		}
	}
	return product
}

// crc32c is the CRC-32 of Castagnoli's polynomial.
func crc32c(p []byte) uint32 { return crc32.Checksum(p, crc32.MakeTable(crc32.Castagnoli)) }
