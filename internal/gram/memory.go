package gram

import "unsafe"

// hugeFrom is the bytes from which on memory is asked for in huge pages, which are
// 2 MiB and begin at a multiple of that.
const hugeFrom = 3 << 20

// Make makes room for n numbers, as make does, in the way that is fastest to fill
// where they are very many.
func Make[F Float](n int) []F {
	x := make([]F, n)
	if n*int(unsafe.Sizeof(F(0))) >= hugeFrom {
		advise(x)
	}
	return x
}
