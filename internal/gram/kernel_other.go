//go:build noasm || !amd64

package gram

// vector is no kernel: there are no routines for this processor.
func vector[F Float]() (k kernel[F], ok bool) { return k, false }

// bestSpectrum is gonum's.
func bestSpectrum(length int) spectrum { return newPlainSpectrum(length) }
