package checkpoint

import (
	"math"
	"strings"

	"poslens/internal/pickle"
	"poslens/internal/tensor"
)

// torchRow is how torch names a type of elements: its dtype, and its storage in
// files before typed storages went away.
type torchRow struct {
	dtype   tensor.DType // Invalid: it can be listed, but not read
	names   string       // of the dtype, in module torch
	storage string
}

// torchRows are the types that torch has.
var torchRows = []torchRow{
	{tensor.F64, "float64 double", "DoubleStorage"},
	{tensor.F32, "float32 float", "FloatStorage"},
	{tensor.F16, "float16 half", "HalfStorage"},
	{tensor.BF16, "bfloat16", "BFloat16Storage"},
	{tensor.I64, "int64 long", "LongStorage"},
	{tensor.I32, "int32 int", "IntStorage"},
	{tensor.I16, "int16 short", "ShortStorage"},
	{tensor.I8, "int8", "CharStorage"},
	{tensor.U64, "uint64", ""},
	{tensor.U32, "uint32", ""},
	{tensor.U16, "uint16", ""},
	{tensor.U8, "uint8", "ByteStorage"},
	{tensor.Bool, "bool", "BoolStorage"},
	{tensor.Invalid, "complex32 chalf", ""},
	{tensor.Invalid, "complex64 cfloat", "ComplexFloatStorage"},
	{tensor.Invalid, "complex128 cdouble", "ComplexDoubleStorage"},
	{tensor.Invalid, "qint8", "QInt8Storage"},
	{tensor.Invalid, "quint8", "QUInt8Storage"},
	{tensor.Invalid, "qint32", "QInt32Storage"},
	{tensor.Invalid, "quint4x2", "QUInt4x2Storage"},
	{tensor.Invalid, "quint2x4", "QUInt2x4Storage"},
	{tensor.Invalid, "float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz float8_e8m0fnu", ""},
	{tensor.Invalid, "float4_e2m1fn_x2 bits8 bits16 bits1x8 bits2x4 bits4x2", ""},
}

// torchDType finds the type that a global such as torch.float32 stands for.
func torchDType(v pickle.Value) (t tensor.DType, stored string, ok bool) {
	g, isGlobal := v.(*pickle.Global)
	if !isGlobal || g.Module != "torch" {
		return 0, "", false
	}
	for _, row := range torchRows {
		for name := range strings.FieldsSeq(row.names) {
			if name == g.Name {
				return row.dtype, g.Name, true
			}
		}
	}
	return 0, "", false
}

// torchStorage finds the type of a storage class. An untyped one counts bytes.
func torchStorage(v pickle.Value) (t tensor.DType, stored string, untyped, ok bool) {
	g, isGlobal := v.(*pickle.Global)
	if !isGlobal || g.Module != "torch" && g.Module != "torch.cuda" && g.Module != "torch.storage" {
		return 0, "", false, false
	}
	if g.Name == "UntypedStorage" || g.Name == "_UntypedStorage" {
		return tensor.U8, g.Name, true, true
	}
	for _, row := range torchRows {
		if row.storage != "" && row.storage == g.Name {
			return row.dtype, g.Name, false, true
		}
	}
	return 0, "", false, false
}

// torchStore is a storage as the pickle declares it.
type torchStore struct {
	key     string
	dtype   tensor.DType // U8 where untyped
	stored  string
	untyped bool
	bytes   int64 // 0 for a dtype that can't be read
}

// storage understands a persistent id: ("storage", class, key, device, elements).
func (t *torchArchive) storage(v pickle.Value) (torchStore, error) {
	id, ok := v.(*pickle.PersID)
	if !ok {
		return torchStore{}, fault(Corrupt, -1, "something that is no storage stands where the storage belongs")
	}
	p, ok := id.Value.(*pickle.Tuple)
	if !ok || len(p.Items) < 5 || p.Items[0] != "storage" {
		return torchStore{}, fault(Corrupt, -1, "a reference outside of the pickle that is no storage")
	}
	s := torchStore{}
	if s.dtype, s.stored, s.untyped, ok = torchStorage(p.Items[1]); !ok {
		if g, isGlobal := p.Items[1].(*pickle.Global); isGlobal {
			return s, unreadable(g.String())
		}
		return s, fault(Corrupt, -1, "a storage without a class")
	}
	if s.key, ok = p.Items[2].(string); !ok {
		return s, fault(Corrupt, -1, "a storage whose key is no text")
	}
	numel, ok := p.Items[4].(int64)
	if !ok || numel < 0 {
		return s, fault(Corrupt, -1, "a storage with a count of elements that is none")
	}
	size := int64(s.dtype.Size())
	if size > 0 && numel > math.MaxInt64/size {
		return s, fault(Corrupt, -1, "a storage of %d elements, more than any file has", numel)
	}
	s.bytes = numel * size
	return s, nil
}
