//go:build !noasm

package gram

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg gram

// vectorised tells whether this processor can run the routines of asm.
func vectorised() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

// vector is the kernel with the routines of asm, if this processor can run them.
func vector[F Float]() (k kernel[F], ok bool) {
	if !vectorised() {
		return k, false
	}
	var found any
	switch any(F(0)).(type) {
	case float64:
		found = kernel[float64]{4, 12, blocks(4, micro64)}
	case float32:
		found = kernel[float32]{8, 24, blocks(8, micro32)}
	}
	return found.(kernel[F]), true
}

// depth is how many components of some panels are multiplied before the next: one
// panel of the rows and three of the columns, 24 KiB together, stay in a processor's
// first cache of 32 KiB.
const depth = 192

// A micro routine's block of sums has 4 rows and 3 panels of columns.
const microRows, microPanels = 4, 3

// blocks multiplies tiles by a micro routine.
func blocks[F Float](panel int, micro func(c, a, b *F, k, stride, apart int, add bool)) func(c, a, b []F, d int, s span) {
	return func(c, a, b []F, d int, s span) {
		for k0 := 0; k0 < d; k0 += depth {
			k := min(depth, d-k0)
			for j := 0; j < s.n; j += microPanels * panel {
				from := max(0, (j-s.high+1)/microRows*microRows) // the first rows whose band reaches column j
				for i := from; i < s.m && i+s.low < j+microPanels*panel; i += microRows {
					micro(&c[i*Side+j], &a[(i-i%panel)*d+k0*panel+i%panel], &b[j*d+k0*panel], k, Side, d*panel, k0 > 0)
				}
			}
		}
	}
}
