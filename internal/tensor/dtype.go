package tensor

// DType is the type of one stored element.
type DType uint8

// The element types that can be widened to float64. All but F64, I64 and U64
// widen exactly; those integers go to the nearest float64.
const (
	Invalid DType = iota
	F64
	F32
	F16
	BF16
	I64
	I32
	I16
	I8
	U64
	U32
	U16
	U8
	Bool
)
