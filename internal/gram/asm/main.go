// Command asm writes the AVX2 and FMA routines of package gram: the products of
// packed panels, in float64 and float32, and the passes of its Fourier transform.
// It is a module of its own, so that the generator's dependencies stay out of the
// program's. Run go generate in the folder above.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("!noasm")
	micro(float64s)
	micro(float32s)
	radix4()
	radix2()
	addPower()
	Generate()
}

// loop emits body, which is done n times with n in a register. n may be 0.
func loop(name string, n Op, body func()) {
	start, end := name+"_loop", name+"_done"
	TESTQ(n, n)
	JZ(LabelRef(end))
	Label(start)
	body()
	DECQ(n)
	JNZ(LabelRef(start))
	Label(end)
}
