// Package tensor holds numbers as model files store them: dtypes, shapes,
// strides, and the way from bytes to float64.
package tensor

// Info describes one tensor of a file without its numbers.
type Info struct {
	Name    string
	DType   DType  // Invalid when the file's dtype is not known here; Stored still names it
	Stored  string // the dtype in the file's own words: "F32", "<f4", "FloatStorage"
	Shape   []int  // slowest dimension first; empty for a scalar
	Strides []int  // in elements; nil means row-major without gaps
}

// Tensor is an Info with its numbers.
type Tensor struct {
	Info
	Data []float64 // row-major and dense, whatever the file's layout was
}
