package checkpoint

import (
	"unicode/utf8"

	"poslens/internal/tensor"
)

// The extensions that Flax defines.
const (
	flaxNDArray = 1 // an array
	flaxComplex = 2 // a complex number of Python's
	flaxScalar  = 3 // a scalar of numpy's, as an array without dimensions
)

// maxFlaxDType is the most bytes of a dtype's name.
const maxFlaxDType = 64

// flaxDTypes are the types that are read, under their names in numpy and
// ml_dtypes. Bytes are little-endian: a name tells no order.
var flaxDTypes = map[string]string{
	"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16",
	"float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ", "float8_e8m0fnu": "F8_E8M0",
	"int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8",
	"uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8",
	"bool": "BOOL",
}

// extension goes through an extension: an array is noted, others are passed over.
func (w *flaxWalk) extension(t msgpackToken) error {
	a := flaxArray{off: t.off}
	var read func() error
	switch t.ext {
	case flaxNDArray, flaxScalar:
		read = func() error { return w.array(&a) }
	case flaxComplex:
		a.info = tensor.Info{Stored: "complex", Shape: []int{}}
		read = w.complex
	default:
		return w.in.jump(t.n)
	}
	if err := w.in.within(t.n, read); err != nil {
		return at(err, w.name(), t.off)
	}
	return w.add(a)
}

// array takes an array's declaration: a list of the shape, the dtype's name and
// the elements, which are jumped over.
func (w *flaxWalk) array(a *flaxArray) error {
	if err := w.listOf(3, "an array"); err != nil {
		return err
	}
	var err error
	if a.info.Shape, err = w.shape(); err != nil {
		return err
	}
	if a.info.Stored, err = w.dtype(); err != nil {
		return err
	}
	a.info.DType, _ = tensor.ParseDType(flaxDTypes[a.info.Stored])
	data, err := w.in.token()
	if err != nil {
		return err
	}
	if data.kind != msgpackBinary {
		return fault(Corrupt, data.off, "%v in an array's place for its bytes", data.kind)
	}
	a.parts = []filePart{{off: w.in.off, n: data.n}}
	count, err := declared(a.info.Shape)
	if err != nil {
		return at(err, "", a.off)
	}
	if need := a.info.DType.Bytes(count); a.info.DType != tensor.Invalid && need != data.n {
		return fault(BadShape, data.off, "%d bytes, but shape %v of %s needs %d", data.n, a.info.Shape, a.info.Stored, need)
	}
	return w.in.jump(data.n)
}

// shape takes a list of dimensions.
func (w *flaxWalk) shape() ([]int, error) {
	t, err := w.in.token()
	if err != nil {
		return nil, err
	}
	if t.kind != msgpackArray {
		return nil, fault(Corrupt, t.off, "%v in an array's place for its shape", t.kind)
	}
	if t.n > tensor.MaxRank {
		return nil, fault(BadShape, t.off, "%d dimensions, but %d at most", t.n, tensor.MaxRank)
	}
	shape := make([]int, t.n)
	for i := range shape {
		if shape[i], err = w.dimension(); err != nil {
			return nil, err
		}
	}
	return shape, nil
}

// dimension takes a whole number from 0 on.
func (w *flaxWalk) dimension() (int, error) {
	t, err := w.in.token()
	if err != nil {
		return 0, err
	}
	switch {
	case t.kind != msgpackInt:
		return 0, fault(Corrupt, t.off, "%v in a shape, where a whole number belongs", t.kind)
	case t.past, t.n < 0, t.n != int64(int(t.n)):
		return 0, fault(BadShape, t.off, "a dimension that is negative or out of range")
	}
	return int(t.n), nil
}

// dtype takes a dtype's name.
func (w *flaxWalk) dtype() (string, error) {
	t, err := w.in.token()
	if err != nil {
		return "", err
	}
	if t.kind != msgpackText || t.n == 0 || t.n > maxFlaxDType {
		return "", fault(Corrupt, t.off, "%v in an array's place for the name of its dtype", t.kind)
	}
	p, err := w.in.take(int(t.n))
	if err != nil {
		return "", err
	}
	if !utf8.Valid(p) {
		return "", fault(Corrupt, t.off, "the dtype %s is not valid UTF-8", quoted(string(p)))
	}
	return string(p), nil
}

// complex takes a complex number: a list of its two parts.
func (w *flaxWalk) complex() error {
	if err := w.listOf(2, "a complex number"); err != nil {
		return err
	}
	for range 2 {
		t, err := w.in.token()
		if err != nil {
			return err
		}
		if t.kind != msgpackOther && t.kind != msgpackInt {
			return fault(Corrupt, t.off, "%v in a complex number's place for a part", t.kind)
		}
	}
	return nil
}

// listOf takes the head of a list of n items.
func (w *flaxWalk) listOf(n int64, what string) error {
	t, err := w.in.token()
	if err != nil {
		return err
	}
	if t.kind != msgpackArray || t.n != n {
		return fault(Corrupt, t.off, "the extension of %s does not hold a list of %d", what, n)
	}
	return nil
}
