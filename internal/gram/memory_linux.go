package gram

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise asks the system for huge pages under fresh memory: a matrix of 512 MiB
// then takes 256 page faults, not 131072, which are a seventh of the time of
// computing it. Without them nothing but time is lost, so a refusal is not an error.
func advise[F Float](x []F) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(x[0])))
	page := uintptr(unix.Getpagesize())
	bytes = bytes[-uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))&(page-1):] // from the first whole page
	_ = unix.Madvise(bytes[:len(bytes)&^int(page-1)], unix.MADV_HUGEPAGE)
}
