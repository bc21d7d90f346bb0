package tensor

import (
	"encoding/binary"
	"math"
)

// unpackQ2_K widens groups of 16 numbers, the g-th with a scale and a minimum of
// four bits each in s[g]:
//
//	byte s[16], q[64]; half d, m
//
//	y[128a+32b+i] = d (s[g]&15) (q[32a+i]>>2b & 3) - m (s[g]>>4)    g = 8a + 2b + i/16
func unpackQ2_K(y []float64, x []byte, order binary.ByteOrder) {
	d, m := half(order.Uint16(x[80:])), half(order.Uint16(x[82:]))
	for g, s := range (*[16]byte)(x) {
		scale, least := d*float64(s&15), m*float64(s>>4)
		q, shift := (*[16]byte)(x[16+g/8*32+g%2*16:]), g/2%4*2
		out := (*[16]float64)(y[16*g:])
		for i, c := range q {
			out[i] = scale*float64(c>>shift&3) - least
		}
	}
}

// unpackQ3_K widens groups of 16 numbers whose third bits, in h, take 4 away where
// they are 0. The scale of group g has its low four bits in s[g%8] and its high
// two in s[8 + g%4]:
//
//	byte h[32], q[64], s[12]; half d
//
//	y[128a+32b+i] = d (s(g) - 32) ((q[32a+i]>>2b & 3 | 4 h[i].(4a+b)) - 4)    g = 8a + 2b + i/16
//	s(g)          = s[g%8]>>4(g/8) & 15 | 16 (s[8 + g%4]>>2(g/4) & 3)
func unpackQ3_K(y []float64, x []byte, order binary.ByteOrder) {
	d, s := half(order.Uint16(x[108:])), (*[12]byte)(x[96:])
	for g := range 16 {
		scale := d * float64(int(s[g%8]>>(g/8*4)&15|s[8+g%4]>>(g/4*2)&3<<4)-32)
		h, q := (*[16]byte)(x[g%2*16:]), (*[16]byte)(x[32+g/8*32+g%2*16:])
		bit, shift := g/2, g/2%4*2
		out := (*[16]float64)(y[16*g:])
		for i, c := range q {
			out[i] = scale * float64(int(c>>shift&3|h[i]>>bit&1<<2)-4)
		}
	}
}

// unpackQ4_K widens groups of 32 numbers, two groups in the low and the high bits
// of the same bytes. Group j has a scale and a minimum of six bits each, which
// scaleK finds in s:
//
//	half d, m; byte s[12], q[128]
//
//	y[64a+i]    = d scale(2a) (q[32a+i]&15) - m least(2a)
//	y[64a+32+i] = d scale(2a+1) (q[32a+i]>>4) - m least(2a+1)
func unpackQ4_K(y []float64, x []byte, order binary.ByteOrder) {
	d, m, s := half(order.Uint16(x)), half(order.Uint16(x[2:])), (*[12]byte)(x[4:])
	for a := range 4 {
		scale1, least1 := scaleK(s, 2*a, d, m)
		scale2, least2 := scaleK(s, 2*a+1, d, m)
		low, high := (*[32]float64)(y[64*a:]), (*[32]float64)(y[64*a+32:])
		for i, c := range (*[32]byte)(x[16+32*a:]) {
			low[i] = scale1*float64(c&15) - least1
			high[i] = scale2*float64(c>>4) - least2
		}
	}
}

// unpackQ5_K widens what Q4_K has, with bit j of h[i] as the fifth bit of number i
// of group j:
//
//	half d, m; byte s[12], h[32], q[128]
//
//	y[64a+i]    = d scale(2a) (q[32a+i]&15 | 16 h[i].2a) - m least(2a)
//	y[64a+32+i] = d scale(2a+1) (q[32a+i]>>4 | 16 h[i].(2a+1)) - m least(2a+1)
func unpackQ5_K(y []float64, x []byte, order binary.ByteOrder) {
	d, m, s := half(order.Uint16(x)), half(order.Uint16(x[2:])), (*[12]byte)(x[4:])
	h := (*[32]byte)(x[16:])
	for a := range 4 {
		scale1, least1 := scaleK(s, 2*a, d, m)
		scale2, least2 := scaleK(s, 2*a+1, d, m)
		low, high := (*[32]float64)(y[64*a:]), (*[32]float64)(y[64*a+32:])
		for i, c := range (*[32]byte)(x[48+32*a:]) {
			fifths := h[i] >> (2 * a)
			low[i] = scale1*float64(c&15|fifths&1<<4) - least1
			high[i] = scale2*float64(c>>4|fifths&2<<3) - least2
		}
	}
}

// unpackQ6_K widens groups of 16 numbers, the g-th with the scale s[g]. Their low
// four bits are in q, the low and the high halves of its bytes 64 numbers apart,
// and their high two in h:
//
//	byte q[128], h[64]; int8 s[16]; half d
//
//	y[128a+32b+i] = d s[g] ((q[64a + 32(b%2) + i]>>4(b/2) & 15 | 16 (h[32a+i]>>2b & 3)) - 32)    g = 8a + 2b + i/16
func unpackQ6_K(y []float64, x []byte, order binary.ByteOrder) {
	d := half(order.Uint16(x[208:]))
	for g, s := range (*[16]byte)(x[192:]) {
		scale := d * float64(int8(s))
		a, b, side := g/8, g/2%4, g%2*16
		q, h := (*[16]byte)(x[64*a+b%2*32+side:]), (*[16]byte)(x[128+32*a+side:])
		low, high := b/2*4, 2*b
		out := (*[16]float64)(y[16*g:])
		for i, c := range q {
			out[i] = scale * float64(int(c>>low&15|h[i]>>high&3<<4)-32)
		}
	}
}

// unpackQ8_K widens what Q8_0 has, with the scale in float32. The sums of 16
// numbers each behind them, which speed up products, are not needed:
//
//	float32 d; int8 q[256]; int16 sum[16]
//
//	y[i] = d q[i]
func unpackQ8_K(y []float64, x []byte, order binary.ByteOrder) {
	d := float64(math.Float32frombits(order.Uint32(x)))
	out := (*[256]float64)(y)
	for i, c := range (*[256]byte)(x[4:]) {
		out[i] = d * float64(int8(c))
	}
}

// scaleK gives the scale and the minimum of group j of Q4_K and Q5_K, times d and
// m. The first four groups have theirs in the low six bits of s[j] and s[4+j], the
// last four in the bits that this leaves and in the two halves of s[4+j]:
//
//	scale(j) = s[4+j]&15 | 16 (s[j-4]>>6)
//	least(j) = s[4+j]>>4 | 16 (s[j]>>6)
func scaleK(s *[12]byte, j int, d, m float64) (scale, least float64) {
	if j < 4 {
		return d * float64(s[j]&63), m * float64(s[4+j]&63)
	}
	return d * float64(s[4+j]&15|s[j-4]>>6<<4), m * float64(s[4+j]>>4|s[j]>>6<<4)
}
