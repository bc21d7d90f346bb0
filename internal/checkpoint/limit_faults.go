package checkpoint

// overElements is the Error of more elements than Limits.MaxElements.
func overElements(off int64, format string, args ...any) *Error {
	e := fault(TooLarge, off, format, args...)
	e.Hint = "if the file can be trusted, --max-elements raises the limit"
	return e
}

// overInflate is the Error of compressed bytes that unpack to more than
// Limits.MaxInflate or Limits.MaxRatio.
func overInflate(off int64, format string, args ...any) *Error {
	e := fault(TooLarge, off, format, args...)
	e.Hint = "if the file can be trusted, --max-inflate raises the limit"
	return e
}
