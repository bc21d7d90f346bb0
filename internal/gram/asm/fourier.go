package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Four transforms run side by side: an element is 4 real parts, then 4 imaginary
// ones, 64 bytes.
const elementBytes = 64

// pair is an element in registers.
type pair struct{ re, im VecVirtual }

func loadPair(at Mem) pair {
	p := pair{YMM(), YMM()}
	VMOVUPD(at, p.re)
	VMOVUPD(at.Offset(vectorBytes), p.im)
	return p
}

func (p pair) store(at Mem) {
	VMOVUPD(p.re, at)
	VMOVUPD(p.im, at.Offset(vectorBytes))
}

// plus is p + q, minus p - q.
func (p pair) plus(q pair) pair {
	r := pair{YMM(), YMM()}
	VADDPD(q.re, p.re, r.re)
	VADDPD(q.im, p.im, r.im)
	return r
}

func (p pair) minus(q pair) pair {
	r := pair{YMM(), YMM()}
	VSUBPD(q.re, p.re, r.re)
	VSUBPD(q.im, p.im, r.im)
	return r
}

// times is p times the complex number at a place, the same for all four.
func (p pair) times(at Mem) pair {
	wr, wi := YMM(), YMM()
	VBROADCASTSD(at, wr)
	VBROADCASTSD(at.Offset(8), wi)
	r := pair{YMM(), YMM()}
	VMULPD(p.im, wi, r.re)
	VFMSUB231PD(p.re, wr, r.re) // re*wr - im*wi
	VMULPD(p.im, wr, r.im)
	VFMADD231PD(p.re, wi, r.im) // im*wr + re*wi
	return r
}

// radix4 emits one pass of a Fourier transform by decimation in frequency over
// blocks of 4*quarter elements that follow each other:
//
//	func radix4(x *float64, blocks, quarter int, twiddles *float64)
//
// twiddles are the complex numbers w^p, w^2p, w^3p for p < quarter, with
// w = exp(-2 pi i / (4 quarter)). Element p + j*quarter becomes the p-th of the
// sequence whose transform is that of the block at the frequencies j, j+4, ...
func radix4() {
	TEXT("radix4", NOSPLIT, "func(x *float64, blocks, quarter int, twiddles *float64)")
	Doc("radix4 does a pass of radix 4 over blocks of 4*quarter elements, four transforms side by side.")
	Pragma("noescape")
	x := Load(Param("x"), GP64())
	blocks := Load(Param("blocks"), GP64())
	quarter := Load(Param("quarter"), GP64())
	twiddles := Load(Param("twiddles"), GP64())
	step := GP64() // bytes of a quarter
	MOVQ(quarter, step)
	SHLQ(Imm(6), step)
	skip := GP64() // the three quarters behind the one just walked
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, skip)
	loop("blocks", blocks, func() {
		w, p, third := GP64(), GP64(), GP64()
		MOVQ(twiddles, w)
		MOVQ(quarter, p)
		LEAQ(Mem{Base: x, Index: step, Scale: 2}, third)
		loop("quarter", p, func() {
			at := [4]Mem{{Base: x}, {Base: x, Index: step, Scale: 1}, {Base: third}, {Base: third, Index: step, Scale: 1}}
			a, c := loadPair(at[0]), loadPair(at[2])
			sum, difference := a.plus(c), a.minus(c)
			b, d := loadPair(at[1]), loadPair(at[3])
			other, odd := b.plus(d), b.minus(d)
			sum.plus(other).store(at[0])
			sum.minus(other).times(Mem{Base: w, Disp: 16}).store(at[2])
			// -i * odd is (odd.im, -odd.re).
			first, last := pair{YMM(), YMM()}, pair{YMM(), YMM()}
			VADDPD(odd.im, difference.re, first.re)
			VSUBPD(odd.re, difference.im, first.im)
			VSUBPD(odd.im, difference.re, last.re)
			VADDPD(odd.re, difference.im, last.im)
			first.times(Mem{Base: w}).store(at[1])
			last.times(Mem{Base: w, Disp: 32}).store(at[3])
			ADDQ(Imm(48), w)
			ADDQ(Imm(elementBytes), x)
			ADDQ(Imm(elementBytes), third)
		})
		ADDQ(skip, x)
	})
	VZEROUPPER()
	RET()
}

// radix2 emits the last pass over blocks of two elements:
//
//	func radix2(x *float64, blocks int)
func radix2() {
	TEXT("radix2", NOSPLIT, "func(x *float64, blocks int)")
	Doc("radix2 does the last pass of radix 2 over blocks of two elements, four transforms side by side.")
	Pragma("noescape")
	x := Load(Param("x"), GP64())
	blocks := Load(Param("blocks"), GP64())
	loop("blocks", blocks, func() {
		at, next := Mem{Base: x}, Mem{Base: x, Disp: elementBytes}
		a, b := loadPair(at), loadPair(next)
		a.plus(b).store(at)
		a.minus(b).store(next)
		ADDQ(U32(2*elementBytes), x)
	})
	VZEROUPPER()
	RET()
}

// addPower emits
//
//	func addPower(power, x *float64, n int)
//
// which adds |z|^2 of n elements to power, 4 numbers an element.
func addPower() {
	TEXT("addPower", NOSPLIT, "func(power, x *float64, n int)")
	Doc("addPower adds the squared absolute values of n elements to power, four numbers an element.")
	Pragma("noescape")
	power := Load(Param("power"), GP64())
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	loop("elements", n, func() {
		z, sum := loadPair(Mem{Base: x}), YMM()
		VMOVUPD(Mem{Base: power}, sum)
		VFMADD231PD(z.re, z.re, sum)
		VFMADD231PD(z.im, z.im, sum)
		VMOVUPD(sum, Mem{Base: power})
		ADDQ(Imm(elementBytes), x)
		ADDQ(Imm(vectorBytes), power)
	})
	VZEROUPPER()
	RET()
}
