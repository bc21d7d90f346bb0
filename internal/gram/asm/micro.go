package main

import (
	"fmt"
	"math/bits"

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
//	func micro64(c, a, b *float64, k, stride, apart int, add bool)
//
// which puts into the 4 x 12 (float32: 4 x 24) block at c, whose rows are stride
// numbers apart, the products of k steps, or adds them:
//
//	c[q*stride + p*panel + r] = sum over s < k of a[s*panel + q] * b[p*apart + s*panel + r]
//
// A panel is a vector of 4 (8) rows side by side, so that the same packed rows serve
// as a and as b, where three panels are apart numbers from each other.
func micro(e element) {
	panel := vectorBytes / e.size
	TEXT(fmt.Sprintf("micro%d", 8*e.size), NOSPLIT, fmt.Sprintf("func(c, a, b *%s, k, stride, apart int, add bool)", e.name))
	Doc(fmt.Sprintf("micro%d puts the products of k steps of panels into a block of %d x %d sums, or adds them.", 8*e.size, microRows, microVectors*panel))
	Pragma("noescape")
	c := Load(Param("c"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	k := Load(Param("k"), GP64())
	stride := Load(Param("stride"), GP64())
	apart := Load(Param("apart"), GP64())
	SHLQ(Imm(uint64(bits.TrailingZeros(uint(e.size)))), apart)

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
			from := Mem{Base: b, Disp: s * vectorBytes}
			if j > 0 {
				from.Index, from.Scale = apart, uint8(j)
			}
			e.load(from, bs[j])
		}
		for q := range sums {
			x := YMM()
			e.broadcast(Mem{Base: a, Disp: s*vectorBytes + q*e.size}, x)
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
		ADDQ(U32(unroll*vectorBytes), a)
		ADDQ(U32(unroll*vectorBytes), b)
	})
	loop("rest", rest, func() {
		step(0)
		ADDQ(U32(vectorBytes), a)
		ADDQ(U32(vectorBytes), b)
	})
	each := func(do func(at Mem, sum VecVirtual)) {
		row := GP64()
		MOVQ(c, row)
		for q := range sums {
			for j, sum := range sums[q] {
				do(Mem{Base: row, Disp: j * vectorBytes}, sum)
			}
			if q+1 < microRows {
				LEAQ(Mem{Base: row, Index: stride, Scale: uint8(e.size)}, row)
			}
		}
	}
	add := Load(Param("add"), GP8())
	TESTB(add, add)
	JZ(LabelRef("put"))
	each(func(at Mem, sum VecVirtual) { e.add(at, sum, sum) })
	Label("put")
	each(func(at Mem, sum VecVirtual) { e.load(sum, at) })
	VZEROUPPER()
	RET()
}
