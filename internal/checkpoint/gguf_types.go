package checkpoint

import (
	"fmt"
	"strings"

	"poslens/internal/tensor"
)

// ggmlType is a type of elements of ggml's.
type ggmlType struct {
	name        string       // as in enum ggml_type, without GGML_TYPE_
	dtype       tensor.DType // Invalid: it can be listed, but not read
	block, size int64        // elements and bytes of a block of a type that is not read; 0 where not known here
	gone        bool         // ggml has removed it
}

// ggmlTypes are the types by their numbers in a file.
//
//	ggml-org/ggml, include/ggml.h (enum ggml_type) and src/ggml-common.h (blocks)
var ggmlTypes = [...]ggmlType{
	0:  {name: "F32", dtype: tensor.F32},
	1:  {name: "F16", dtype: tensor.F16},
	2:  {name: "Q4_0", dtype: tensor.Q4_0},
	3:  {name: "Q4_1", dtype: tensor.Q4_1},
	4:  {name: "Q4_2", gone: true},
	5:  {name: "Q4_3", gone: true},
	6:  {name: "Q5_0", dtype: tensor.Q5_0},
	7:  {name: "Q5_1", dtype: tensor.Q5_1},
	8:  {name: "Q8_0", dtype: tensor.Q8_0},
	9:  {name: "Q8_1", block: 32, size: 36},
	10: {name: "Q2_K", dtype: tensor.Q2_K},
	11: {name: "Q3_K", dtype: tensor.Q3_K},
	12: {name: "Q4_K", dtype: tensor.Q4_K},
	13: {name: "Q5_K", dtype: tensor.Q5_K},
	14: {name: "Q6_K", dtype: tensor.Q6_K},
	15: {name: "Q8_K", dtype: tensor.Q8_K},
	16: {name: "IQ2_XXS", block: 256, size: 66},
	17: {name: "IQ2_XS", block: 256, size: 74},
	18: {name: "IQ3_XXS", block: 256, size: 98},
	19: {name: "IQ1_S", block: 256, size: 50},
	20: {name: "IQ4_NL", dtype: tensor.IQ4_NL},
	21: {name: "IQ3_S", block: 256, size: 110},
	22: {name: "IQ2_S", block: 256, size: 82},
	23: {name: "IQ4_XS", block: 256, size: 136},
	24: {name: "I8", dtype: tensor.I8},
	25: {name: "I16", dtype: tensor.I16},
	26: {name: "I32", dtype: tensor.I32},
	27: {name: "I64", dtype: tensor.I64},
	28: {name: "F64", dtype: tensor.F64},
	29: {name: "IQ1_M", block: 256, size: 56},
	30: {name: "BF16", dtype: tensor.BF16},
	31: {name: "Q4_0_4_4", gone: true},
	32: {name: "Q4_0_4_8", gone: true},
	33: {name: "Q4_0_8_8", gone: true},
	34: {name: "TQ1_0", block: 256, size: 54},
	35: {name: "TQ2_0", block: 256, size: 66},
	36: {name: "IQ4_NL_4_4", gone: true},
	37: {name: "IQ4_NL_4_8", gone: true},
	38: {name: "IQ4_NL_8_8", gone: true},
	39: {name: "MXFP4", block: 32, size: 17},
	40: {name: "NVFP4"},
	41: {name: "Q1_0"},
	42: {name: "Q2_0"},
}

// ggmlTypeOf finds the type of a number. One that is not known is named by it.
func ggmlTypeOf(number uint32) ggmlType {
	if number < uint32(len(ggmlTypes)) {
		return ggmlTypes[number]
	}
	return ggmlType{name: fmt.Sprintf("type %d", number)}
}

// layout is how many elements a block holds, and its bytes: 1 and 0 where they
// are not known.
func (t ggmlType) layout() (block, size int64) {
	if t.dtype != tensor.Invalid {
		return int64(t.dtype.Block()), int64(t.dtype.Size())
	}
	return max(t.block, 1), t.size
}

// unread is the Error of reading a tensor of a type that was only listed.
func (t ggmlType) unread() *Error {
	e := unreadable(t.name)
	if t.gone {
		e.Msg = fmt.Sprintf("elements of type %s, which ggml has given up, are not read", quoted(t.name))
	}
	var read []string
	for _, t := range ggmlTypes {
		if t.dtype != tensor.Invalid {
			read = append(read, t.name)
		}
	}
	e.Hint = "convert the model to one of the types that are: " + strings.Join(read, ", ")
	return e
}
