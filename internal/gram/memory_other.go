//go:build !linux

package gram

// advise does nothing: the system has no such advice.
func advise[F Float]([]F) {}
