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
	{tensor.F8_E4M3, "float8_e4m3fn", ""},
	{tensor.F8_E5M2, "float8_e5m2", ""},
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
	{tensor.Invalid, "float8_e5m2fnuz float8_e4m3fnuz float8_e8m0fnu", ""},
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

// unreadWidths are the bytes of an element of the storages that are not read: in
// the legacy layout others stand behind them.
var unreadWidths = map[string]int64{
	"ComplexFloatStorage": 8, "ComplexDoubleStorage": 16, "QInt8Storage": 1, "QUInt8Storage": 1, "QInt32Storage": 4,
	"QUInt4x2Storage": 1, "QUInt2x4Storage": 1,
}

// torchStore is a storage as the pickle declares it, or the part of one that an
// old file's tensors are views of.
type torchStore struct {
	key     string
	dtype   tensor.DType // U8 where untyped
	stored  string
	untyped bool
	width   int64 // bytes of an element; 0 for a class that is not known
	total   int64 // bytes of the whole storage
	off     int64 // of the part's first byte in it
	bytes   int64 // of the part
}

// storageOf understands a persistent id: ("storage", class, key, device,
// elements), and behind them None or, until version 0.4, the part of the storage
// that is meant: (key, offset, elements). Beside the error that the class is not
// known it gives the key.
func storageOf(v pickle.Value) (torchStore, error) {
	id, ok := v.(*pickle.PersID)
	if !ok {
		return torchStore{}, fault(Corrupt, -1, "something that is no storage stands where the storage belongs")
	}
	p, ok := id.Value.(*pickle.Tuple)
	if !ok || len(p.Items) < 5 || p.Items[0] != "storage" {
		return torchStore{}, fault(Corrupt, -1, "a reference outside of the pickle that is no storage")
	}
	s := torchStore{}
	if s.key, ok = p.Items[2].(string); !ok {
		return torchStore{}, fault(Corrupt, -1, "a storage whose key is no text")
	}
	if s.dtype, s.stored, s.untyped, ok = torchStorage(p.Items[1]); !ok {
		if g, isGlobal := p.Items[1].(*pickle.Global); isGlobal {
			return s, unreadable(g.String())
		}
		return s, fault(Corrupt, -1, "a storage without a class")
	}
	if s.width = int64(s.dtype.Size()); s.width == 0 {
		s.width = unreadWidths[s.stored]
	}
	numel, ok := p.Items[4].(int64)
	if !ok || numel < 0 {
		return s, fault(Corrupt, -1, "a storage with a count of elements that is none")
	}
	if s.width > 0 && numel > math.MaxInt64/s.width {
		return s, fault(Corrupt, -1, "a storage of %d elements, more than any file has", numel)
	}
	s.total = numel * s.width
	s.bytes = s.total
	if len(p.Items) > 5 && p.Items[5] != nil {
		return s, s.take(p.Items[5], numel)
	}
	return s, nil
}

// take narrows a storage of numel elements to the part that a view of it is.
func (s *torchStore) take(view pickle.Value, numel int64) error {
	p, ok := view.(*pickle.Tuple)
	if !ok || len(p.Items) < 2 {
		return fault(Corrupt, -1, "a part of a storage that is no tuple")
	}
	off, ok := p.Items[len(p.Items)-2].(int64)
	n, ok2 := p.Items[len(p.Items)-1].(int64)
	if !ok || !ok2 || off < 0 || n < 0 || off > numel || n > numel-off {
		return fault(OutOfRange, -1, "a part of a storage that does not lie in its %d elements", numel)
	}
	s.off, s.bytes = off*s.width, n*s.width
	return nil
}
