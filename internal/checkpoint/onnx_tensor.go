package checkpoint

import (
	"context"

	"google.golang.org/protobuf/encoding/protowire"

	"poslens/internal/tensor"
)

// onnxType is a type of elements: its name in TensorProto.DataType, its dtype,
// which is Invalid where it is only listed, and the field that holds the numbers
// where raw_data does not.
type onnxType struct {
	name  string
	dtype tensor.DType
	field protowire.Number
}

// onnxTypes are the types by their numbers.
var onnxTypes = [...]onnxType{
	1:  {"FLOAT", tensor.F32, tensorFloatData},
	2:  {"UINT8", tensor.U8, tensorInt32Data},
	3:  {"INT8", tensor.I8, tensorInt32Data},
	4:  {"UINT16", tensor.U16, tensorInt32Data},
	5:  {"INT16", tensor.I16, tensorInt32Data},
	6:  {"INT32", tensor.I32, tensorInt32Data},
	7:  {"INT64", tensor.I64, tensorInt64Data},
	8:  {"STRING", tensor.Invalid, tensorStringData},
	9:  {"BOOL", tensor.Bool, tensorInt32Data},
	10: {"FLOAT16", tensor.F16, tensorInt32Data},
	11: {"DOUBLE", tensor.F64, tensorDoubleData},
	12: {"UINT32", tensor.U32, tensorUint64Data},
	13: {"UINT64", tensor.U64, tensorUint64Data},
	14: {"COMPLEX64", tensor.Invalid, tensorFloatData},
	15: {"COMPLEX128", tensor.Invalid, tensorDoubleData},
	16: {"BFLOAT16", tensor.BF16, tensorInt32Data},
	17: {"FLOAT8E4M3FN", tensor.F8_E4M3, tensorInt32Data},
	18: {"FLOAT8E4M3FNUZ", tensor.Invalid, tensorInt32Data},
	19: {"FLOAT8E5M2", tensor.F8_E5M2, tensorInt32Data},
	20: {"FLOAT8E5M2FNUZ", tensor.Invalid, tensorInt32Data},
	21: {"UINT4", tensor.Invalid, tensorInt32Data},
	22: {"INT4", tensor.Invalid, tensorInt32Data},
	23: {"FLOAT4E2M1", tensor.Invalid, tensorInt32Data},
	24: {"FLOAT8E8M0", tensor.Invalid, tensorInt32Data},
	25: {"UINT2", tensor.Invalid, tensorInt32Data},
	26: {"INT2", tensor.Invalid, tensorInt32Data},
}

// onnxTensor is a TensorProto as it was met: what it says of itself, and where
// its numbers are.
type onnxTensor struct {
	g    *onnxGraph
	info tensor.Info
	body wireMessage
	err  error // what is wrong with it; the info says what is known all the same

	raw      wireField        // the numbers as they are; without any the zero field
	field    protowire.Number // of numbers that are not as they are, or 0
	numbers  int64            // in that field, at most
	external *onnxPlace       // the numbers are in another file
}

// listable tells a tensor that is sound, also where it is of a kind that is not
// read.
func (t *onnxTensor) listable() bool {
	return t.err == nil || hasKind(t.err, UnsupportedDType) || hasKind(t.err, Unsupported)
}

// read reads the numbers from where they are.
func (t *onnxTensor) read(ctx context.Context) (*tensor.Tensor, error) {
	switch {
	case t.err != nil:
		return nil, at(t.err, t.info.Name, t.body.off)
	case t.external != nil:
		return t.external.read(ctx, t)
	case t.field != 0:
		return t.unpack(ctx)
	}
	return t.g.b.tensor(ctx, t.info, t.raw.off, t.raw.end-t.raw.off, nil, t.g.limits)
}

// tensor takes in a TensorProto, but not its numbers. What is wrong with the
// message is an error, what is wrong with the tensor alone is noted in it.
func (g *onnxGraph) tensor(m wireMessage) (*onnxTensor, error) {
	d := onnxDeclaration{t: &onnxTensor{g: g, body: m}}
	if err := m.each(d.take); err != nil {
		return nil, at(err, d.t.info.Name, -1)
	}
	d.t.err = d.check()
	return d.t, nil
}

// sparse lists a SparseTensorProto, whose numbers are not read.
func (g *onnxGraph) sparse(m wireMessage) (*onnxTensor, error) {
	d := onnxDeclaration{t: &onnxTensor{g: g, body: m}}
	err := m.each(func(f wireField) error {
		switch f.num {
		case sparseValues:
			values, err := g.tensor(m.inside(f, tensorShape))
			if err == nil {
				d.t.info.Name, d.t.info.Stored = values.info.Name, "sparse "+values.info.Stored
			}
			return err
		case sparseDims:
			return m.numbers(f, d.dim)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.shape()
	if d.t.info.Stored == "" {
		d.t.info.Stored = "sparse"
	}
	e := fault(Unsupported, m.off, "a sparse tensor, which is not read yet")
	e.Hint = "convert it to a dense one where the model was exported"
	d.t.err = e
	return d.t, nil
}
