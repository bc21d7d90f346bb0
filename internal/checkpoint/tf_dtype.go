package checkpoint

import (
	"fmt"

	"poslens/internal/tensor"
)

// tfType is a DataType of TensorFlow.
type tfType struct {
	name  string
	dtype tensor.DType // Invalid: it is listed, but not read
}

// tfDTypes are the DataTypes by their numbers.
//
//	https://github.com/tensorflow/tensorflow, tensorflow/core/framework/types.proto
var tfDTypes = map[int64]tfType{
	1:  {"DT_FLOAT", tensor.F32},
	2:  {"DT_DOUBLE", tensor.F64},
	3:  {"DT_INT32", tensor.I32},
	4:  {"DT_UINT8", tensor.U8},
	5:  {"DT_INT16", tensor.I16},
	6:  {"DT_INT8", tensor.I8},
	7:  {"DT_STRING", tensor.Invalid},
	8:  {"DT_COMPLEX64", tensor.Invalid},
	9:  {"DT_INT64", tensor.I64},
	10: {"DT_BOOL", tensor.Bool},
	11: {"DT_QINT8", tensor.Invalid}, // the quantised types have their range elsewhere
	12: {"DT_QUINT8", tensor.Invalid},
	13: {"DT_QINT32", tensor.Invalid},
	14: {"DT_BFLOAT16", tensor.BF16},
	15: {"DT_QINT16", tensor.Invalid},
	16: {"DT_QUINT16", tensor.Invalid},
	17: {"DT_UINT16", tensor.U16},
	18: {"DT_COMPLEX128", tensor.Invalid},
	19: {"DT_HALF", tensor.F16},
	20: {"DT_RESOURCE", tensor.Invalid},
	21: {"DT_VARIANT", tensor.Invalid},
	22: {"DT_UINT32", tensor.U32},
	23: {"DT_UINT64", tensor.U64},
	24: {"DT_FLOAT8_E5M2", tensor.F8_E5M2},
	25: {"DT_FLOAT8_E4M3FN", tensor.F8_E4M3},
	26: {"DT_FLOAT8_E4M3FNUZ", tensor.Invalid},
	27: {"DT_FLOAT8_E4M3B11FNUZ", tensor.Invalid},
	28: {"DT_FLOAT8_E5M2FNUZ", tensor.Invalid},
	29: {"DT_INT4", tensor.Invalid},
	30: {"DT_UINT4", tensor.Invalid},
	31: {"DT_INT2", tensor.Invalid},
	32: {"DT_UINT2", tensor.Invalid},
}

// tfDType finds a DataType; one that is not known is named by its number.
func tfDType(n int64) (t tensor.DType, stored string) {
	if row, ok := tfDTypes[n]; ok {
		return row.dtype, row.name
	}
	return tensor.Invalid, fmt.Sprintf("DataType(%d)", n)
}
