package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// element is the type of number that a routine works on.
type element struct {
	name      string
	size      int
	zero      func(...Op) // a vector to zero
	load      func(...Op)
	broadcast func(...Op)
	fma       func(...Op)
	add       func(...Op)
}

var (
	float64s = element{"float64", 8, VXORPD, VMOVUPD, VBROADCASTSD, VFMADD231PD, VADDPD}
	float32s = element{"float32", 4, VXORPS, VMOVUPS, VBROADCASTSS, VFMADD231PS, VADDPS}
)

// The block of sums that one call of a micro kernel keeps in registers: 4 rows of
// 3 vectors are 12 of the 16, beside the 3 of b and the one of a. A step takes 7
// loads for 12 multiply-adds.
const (
	microRows    = 4
	microVectors = 3
	vectorBytes  = 32
	unroll       = 4 // steps in one turn of the loop
)

// micro emits the routine
//
//	func micro64(c, a, b *float64, k, stride int)
//
// which adds to the 4 x 12 (float32: 4 x 24) block at c, whose rows are stride
// numbers apart, the products of k steps:
//
//	c[q*stride+j] += sum over s < k of a[s*panel+q] * b[s*panel+j]
//
// A panel holds 12 (24) rows side by side, so that the same packed rows serve as
// a and as b.
func micro(e element) {
	panel := microVectors * vectorBytes // bytes of a step
	TEXT(fmt.Sprintf("micro%d", 8*e.size), NOSPLIT, fmt.Sprintf("func(c, a, b *%s, k, stride int)", e.name))
	Doc(fmt.Sprintf("micro%d adds the products of k steps of two panels to a block of %d x %d sums.", 8*e.size, microRows, panel/e.size))
	Pragma("noescape")
	c := Load(Param("c"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	k := Load(Param("k"), GP64())
	stride := Load(Param("stride"), GP64())

	var sums [microRows][microVectors]VecVirtual
	for q := range sums {
		for j := range sums[q] {
			sums[q][j] = YMM()
			e.zero(sums[q][j], sums[q][j], sums[q][j])
		}
	}
	step := func(s int) {
		var bs [microVectors]VecVirtual
		for j := range bs {
			bs[j] = YMM()
			e.load(Mem{Base: b, Disp: s*panel + j*vectorBytes}, bs[j])
		}
		for q := range sums {
			x := YMM()
			e.broadcast(Mem{Base: a, Disp: s*panel + q*e.size}, x)
			for j := range bs {
				e.fma(x, bs[j], sums[q][j])
			}
		}
	}
	rest := GP64()
	MOVQ(k, rest)
	ANDQ(Imm(unroll-1), rest)
	SHRQ(Imm(2), k) // turns of unroll steps
	loop("turns", k, func() {
		for s := range unroll {
			step(s)
		}
		ADDQ(U32(unroll*panel), a)
		ADDQ(U32(unroll*panel), b)
	})
	loop("rest", rest, func() {
		step(0)
		ADDQ(U32(panel), a)
		ADDQ(U32(panel), b)
	})
	for q := range sums {
		for j, sum := range sums[q] {
			at := Mem{Base: c, Disp: j * vectorBytes}
			e.add(at, sum, sum)
			e.load(sum, at)
		}
		if q+1 < microRows {
			LEAQ(Mem{Base: c, Index: stride, Scale: uint8(e.size)}, c)
		}
	}
	VZEROUPPER()
	RET()
}
