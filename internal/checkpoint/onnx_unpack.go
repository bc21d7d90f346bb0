package checkpoint

import (
	"context"
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"poslens/internal/tensor"
)

// unpack reads numbers that are not as they are in memory: integers of varying
// length, or numbers each with a tag. Types narrower than the field's, half
// precision among them, stand in it as integers of the same bits.
func (t *onnxTensor) unpack(ctx context.Context) (*tensor.Tensor, error) {
	n, err := count(t.info.Shape, t.g.limits)
	if err != nil {
		return nil, at(err, t.info.Name, t.body.off)
	}
	body := t.body
	body.in = newWindow(ctx, t.g.b, body.end)
	u := &onnxUnpacking{field: t.field, dtype: t.info.DType, size: t.info.DType.Size(), data: make([]float64, n)} // check compared n with the numbers there are
	err = body.each(func(f wireField) error {
		if f.num != t.field {
			return nil
		}
		u.at = f.at
		return body.numbers(f, u.put)
	})
	if err == nil {
		err = u.flush()
	}
	if err == nil && u.done < n {
		err = fault(BadShape, t.body.off, "%s has %d numbers, but shape %v needs %d", tensorShape.fields[t.field].name, u.done, t.info.Shape, n)
	}
	if err != nil {
		return nil, at(err, t.info.Name, -1)
	}
	return &tensor.Tensor{Info: t.info, Data: u.data}, nil
}

// onnxUnpacking turns numbers into bytes of the type's own size, and those, many
// at a time, into values.
type onnxUnpacking struct {
	field protowire.Number
	at    int64 // where it stands
	dtype tensor.DType
	size  int // of an element
	data  []float64
	done  int // values that are in data
	raw   []byte
}

// unpackBytes are turned into values at a time.
const unpackBytes = 64 << 10

// put takes one number.
func (u *onnxUnpacking) put(v uint64) error {
	if u.done+len(u.raw)/u.size == len(u.data) {
		return fault(BadShape, u.at, "%s has more numbers than the %d of the shape", tensorShape.fields[u.field].name, len(u.data))
	}
	if u.field == tensorInt32Data {
		v = uint64(int64(int32(v))) // the rest of a varint's bits is dropped, as protobuf has it
	}
	if !u.fits(v) {
		return fault(Corrupt, u.at, "%d in %s is out of the range of %v", int64(v), tensorShape.fields[u.field].name, u.dtype)
	}
	var p [8]byte
	binary.LittleEndian.PutUint64(p[:], v)
	u.raw = append(u.raw, p[:u.size]...)
	if len(u.raw) >= unpackBytes {
		return u.flush()
	}
	return nil
}

// fits tells whether a number is one of the type.
func (u *onnxUnpacking) fits(v uint64) bool {
	spare := 64 - 8*u.size
	switch u.dtype {
	case tensor.I8, tensor.I16, tensor.I32, tensor.I64:
		return int64(v)<<spare>>spare == int64(v)
	}
	return v<<spare>>spare == v
}

// flush turns the bytes at hand into values.
func (u *onnxUnpacking) flush() error {
	n := len(u.raw) / u.size
	if err := tensor.Decode(u.data[u.done:u.done+n], u.raw, u.dtype, nil); err != nil {
		return err
	}
	u.done += n
	u.raw = u.raw[:0]
	return nil
}
