package tensor

// DType is the type of one stored element. The zero value is Invalid.
type DType uint8

// The element types that can be widened to float64. All but F64, I64 and U64
// widen exactly; those integers go to the nearest float64.
const (
	Invalid DType = iota // none of these: no element can be read
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

// dtypeRow is a type's name, as safetensors spells it, and the bytes of an
// element.
type dtypeRow struct {
	name string
	size int
}

var dtypes = [...]dtypeRow{
	Invalid: {"invalid", 0},
	F64:     {"F64", 8},
	F32:     {"F32", 4},
	F16:     {"F16", 2},
	BF16:    {"BF16", 2},
	I64:     {"I64", 8},
	I32:     {"I32", 4},
	I16:     {"I16", 2},
	I8:      {"I8", 1},
	U64:     {"U64", 8},
	U32:     {"U32", 4},
	U16:     {"U16", 2},
	U8:      {"U8", 1},
	Bool:    {"BOOL", 1},
}

// ParseDType finds the type that a name like "F32" or "BOOL" stands for. Names
// that are not known give Invalid and false.
func ParseDType(name string) (DType, bool) {
	for t := F64; int(t) < len(dtypes); t++ {
		if dtypes[t].name == name {
			return t, true
		}
	}
	return Invalid, false
}

// String gives the type's name: "F32", "BF16", "BOOL", or "invalid".
func (t DType) String() string { return t.row().name }

// Size is the bytes of one element; 0 for Invalid.
func (t DType) Size() int { return t.row().size }

// IsFloat tells the floating-point types.
func (t DType) IsFloat() bool { return t >= F64 && t <= BF16 }

// IsInteger tells the integer types, signed or not. Bool is none of them.
func (t DType) IsInteger() bool { return t >= I64 && t <= U8 }

// row is the type's line of the table; a number that is no type is Invalid.
func (t DType) row() dtypeRow {
	if int(t) >= len(dtypes) {
		t = Invalid
	}
	return dtypes[t]
}
