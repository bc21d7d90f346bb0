package tensor

import "encoding/binary"

// unpackQ4_0 widens
//
//	half d; byte q[16]
//
//	y[i]    = d (q[i]&15 - 8)
//	y[16+i] = d (q[i]>>4 - 8)
func unpackQ4_0(y []float64, x []byte, order binary.ByteOrder) {
	d := half(order.Uint16(x))
	low, high := (*[16]float64)(y), (*[16]float64)(y[16:])
	for i, c := range (*[16]byte)(x[2:]) {
		low[i] = d * float64(int(c&15)-8)
		high[i] = d * float64(int(c>>4)-8)
	}
}

// unpackQ4_1 widens
//
//	half d, m; byte q[16]
//
//	y[i]    = d (q[i]&15) + m
//	y[16+i] = d (q[i]>>4) + m
func unpackQ4_1(y []float64, x []byte, order binary.ByteOrder) {
	d, m := half(order.Uint16(x)), half(order.Uint16(x[2:]))
	low, high := (*[16]float64)(y), (*[16]float64)(y[16:])
	for i, c := range (*[16]byte)(x[4:]) {
		low[i] = d*float64(c&15) + m
		high[i] = d*float64(c>>4) + m
	}
}

// unpackQ5_0 widens, where bit i of h is the fifth of number i,
//
//	half d; word h; byte q[16]
//
//	y[i]    = d ((q[i]&15 | 16 h.i) - 16)
//	y[16+i] = d ((q[i]>>4 | 16 h.(16+i)) - 16)
func unpackQ5_0(y []float64, x []byte, order binary.ByteOrder) {
	d, h := half(order.Uint16(x)), order.Uint32(x[2:])
	low, high := (*[16]float64)(y), (*[16]float64)(y[16:])
	for i, c := range (*[16]byte)(x[6:]) {
		low[i] = d * float64(int(c&15|fifth(h, i))-16)
		high[i] = d * float64(int(c>>4|fifth(h, 16+i))-16)
	}
}

// unpackQ5_1 widens, with h as in Q5_0,
//
//	half d, m; word h; byte q[16]
//
//	y[i]    = d (q[i]&15 | 16 h.i) + m
//	y[16+i] = d (q[i]>>4 | 16 h.(16+i)) + m
func unpackQ5_1(y []float64, x []byte, order binary.ByteOrder) {
	d, m, h := half(order.Uint16(x)), half(order.Uint16(x[2:])), order.Uint32(x[4:])
	low, high := (*[16]float64)(y), (*[16]float64)(y[16:])
	for i, c := range (*[16]byte)(x[8:]) {
		low[i] = d*float64(c&15|fifth(h, i)) + m
		high[i] = d*float64(c>>4|fifth(h, 16+i)) + m
	}
}

// fifth is bit i of h at the place of a number's fifth bit.
func fifth(h uint32, i int) byte { return byte(h>>i&1) << 4 }

// unpackQ8_0 widens
//
//	half d; int8 q[32]
//
//	y[i] = d q[i]
func unpackQ8_0(y []float64, x []byte, order binary.ByteOrder) {
	d := half(order.Uint16(x))
	out := (*[32]float64)(y)
	for i, c := range (*[32]byte)(x[2:]) {
		out[i] = d * float64(int8(c))
	}
}

// unpackIQ4_NL widens, by a table of 16 levels,
//
//	half d; byte q[16]
//
//	y[i]    = d level[q[i]&15]
//	y[16+i] = d level[q[i]>>4]
func unpackIQ4_NL(y []float64, x []byte, order binary.ByteOrder) {
	d := half(order.Uint16(x))
	low, high := (*[16]float64)(y), (*[16]float64)(y[16:])
	for i, c := range (*[16]byte)(x[2:]) {
		low[i] = d * levelsIQ4_NL[c&15]
		high[i] = d * levelsIQ4_NL[c>>4]
	}
}

// levelsIQ4_NL is kvalues_iq4nl of ggml-common.h.
var levelsIQ4_NL = [16]float64{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}
