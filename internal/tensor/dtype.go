package tensor

// DType is the type of stored elements. The zero value is Invalid.
type DType uint8

// The element types that can be widened to float64. All but F64, I64 and U64
// widen exactly; those integers go to the nearest float64. From Q4_0 on, elements
// are stored in blocks that share a scale (see quant.go).
const (
	Invalid DType = iota // none of these: no element can be read
	F64
	F32
	F16
	BF16
	F8_E4M3 // 4 exponent bits, no infinities; E4M3FN elsewhere
	F8_E5M2
	I64
	I32
	I16
	I8
	U64
	U32
	U16
	U8
	Bool
	Q4_0
	Q4_1
	Q5_0
	Q5_1
	Q8_0
	Q2_K
	Q3_K
	Q4_K
	Q5_K
	Q6_K
	Q8_K
	IQ4_NL
)

// dtypeRow is a type's name, as safetensors or else ggml spells it, how many
// elements are stored together, and their bytes.
type dtypeRow struct {
	name  string
	block int
	size  int
}

var dtypes = [...]dtypeRow{
	Invalid: {"invalid", 1, 0},
	F64:     {"F64", 1, 8},
	F32:     {"F32", 1, 4},
	F16:     {"F16", 1, 2},
	BF16:    {"BF16", 1, 2},
	F8_E4M3: {"F8_E4M3", 1, 1},
	F8_E5M2: {"F8_E5M2", 1, 1},
	I64:     {"I64", 1, 8},
	I32:     {"I32", 1, 4},
	I16:     {"I16", 1, 2},
	I8:      {"I8", 1, 1},
	U64:     {"U64", 1, 8},
	U32:     {"U32", 1, 4},
	U16:     {"U16", 1, 2},
	U8:      {"U8", 1, 1},
	Bool:    {"BOOL", 1, 1},
	Q4_0:    {"Q4_0", 32, 18},
	Q4_1:    {"Q4_1", 32, 20},
	Q5_0:    {"Q5_0", 32, 22},
	Q5_1:    {"Q5_1", 32, 24},
	Q8_0:    {"Q8_0", 32, 34},
	Q2_K:    {"Q2_K", 256, 84},
	Q3_K:    {"Q3_K", 256, 110},
	Q4_K:    {"Q4_K", 256, 144},
	Q5_K:    {"Q5_K", 256, 176},
	Q6_K:    {"Q6_K", 256, 210},
	Q8_K:    {"Q8_K", 256, 292},
	IQ4_NL:  {"IQ4_NL", 32, 18},
}

// ParseDType finds the type that a name like "F32" or "BOOL" of safetensors
// stands for. Names that are not known there, those of blocks among them, give
// Invalid and false.
func ParseDType(name string) (DType, bool) {
	for t := F64; t <= Bool; t++ {
		if dtypes[t].name == name {
			return t, true
		}
	}
	return Invalid, false
}

// String gives the type's name: "F32", "BF16", "BOOL", "Q4_K", or "invalid".
func (t DType) String() string { return t.row().name }

// Block is how many elements are stored together: 1, or 32 or 256 for the
// quantised types. A tensor has a whole number of blocks, and a row of it, too.
func (t DType) Block() int { return t.row().block }

// Size is the bytes of one block, which is those of one element for all but the
// quantised types; 0 for Invalid.
func (t DType) Size() int { return t.row().size }

// Bytes is the bytes of n elements, a whole number of blocks; 0 for Invalid.
func (t DType) Bytes(n int64) int64 {
	row := t.row()
	return n / int64(row.block) * int64(row.size)
}

// IsFloat tells the types whose elements have fractions: the floating-point types
// and the quantised ones.
func (t DType) IsFloat() bool { return t >= F64 && t <= F8_E5M2 || t >= Q4_0 && t <= IQ4_NL }

// IsInteger tells the integer types, signed or not. Bool is none of them.
func (t DType) IsInteger() bool { return t >= I64 && t <= U8 }

// row is the type's line of the table; a number that is no type is Invalid.
func (t DType) row() dtypeRow {
	if int(t) >= len(dtypes) {
		t = Invalid
	}
	return dtypes[t]
}
