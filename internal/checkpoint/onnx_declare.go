package checkpoint

import (
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"poslens/internal/tensor"
)

// onnxDeclaration is a TensorProto while it is walked through.
type onnxDeclaration struct {
	t         *onnxTensor
	dims      []int64 // up to tensor.MaxRank+1
	count     int64   // elements of the shape that they make
	dataType  uint64
	segment   bool
	elsewhere uint64 // data_location
	place     onnxPlace
	raws      int
	lists     []wireField // fields with numbers: the first, and one that is another list
	pieces    int         // of the lists
}

// take takes one field in.
func (d *onnxDeclaration) take(f wireField) error {
	m := d.t.body
	switch f.num {
	case tensorDims:
		return m.numbers(f, d.dim)
	case tensorDataType:
		d.dataType = f.value
	case tensorSegment:
		d.segment = true
	case tensorName:
		var err error
		d.t.info.Name, err = d.t.g.name(m, f)
		return err
	case tensorRawData:
		d.t.raw = f
		d.raws++
	case tensorFloatData, tensorInt32Data, tensorInt64Data, tensorDoubleData, tensorUint64Data:
		d.list(f)
	case tensorExternalData:
		return d.place.take(m.inside(f, entryShape))
	case tensorDataLocation:
		d.elsewhere = f.value
	}
	return nil
}

// dim takes one dimension in.
func (d *onnxDeclaration) dim(n uint64) error {
	if len(d.dims) <= tensor.MaxRank {
		d.dims = append(d.dims, int64(n))
	}
	return nil
}

// list notes a field with numbers, and how many there may be in it.
func (d *onnxDeclaration) list(f wireField) {
	if f.typ == protowire.BytesType && f.off == f.end {
		return
	}
	if len(d.lists) == 0 || len(d.lists) == 1 && d.lists[0].num != f.num {
		d.lists = append(d.lists, f)
	}
	d.pieces++
	switch n := f.end - f.off; {
	case f.typ != protowire.BytesType:
		d.t.numbers++
	case f.num == tensorFloatData:
		d.t.numbers += n / 4
	case f.num == tensorDoubleData:
		d.t.numbers += n / 8
	default:
		d.t.numbers += n
	}
}

// shape makes the tensor's shape of the dimensions.
func (d *onnxDeclaration) shape() error {
	if len(d.dims) > tensor.MaxRank {
		return fault(BadShape, -1, "over %d dimensions", tensor.MaxRank)
	}
	shape := make([]int, len(d.dims))
	for i, n := range d.dims {
		if n < 0 || n > math.MaxInt {
			return fault(BadShape, -1, "dimension %d is out of range", n)
		}
		shape[i] = int(n)
	}
	var err error
	if d.count, err = declared(shape); err == nil {
		d.t.info.Shape = shape
	}
	return err
}

// check holds what was said against itself: the type, the shape, and the one
// place where the numbers are.
func (d *onnxDeclaration) check() error {
	t := d.t
	var kind onnxType
	if d.dataType < uint64(len(onnxTypes)) {
		kind = onnxTypes[d.dataType]
	}
	t.info.Stored = kind.name
	if kind.name == "" {
		t.info.Stored = "type " + strconv.FormatUint(d.dataType, 10)
	}
	if err := d.shape(); err != nil {
		return err
	}
	t.info.DType = kind.dtype
	switch {
	case t.info.DType == tensor.Invalid:
		return unreadable(t.info.Stored)
	case d.segment:
		return fault(Unsupported, -1, "a segment of a larger tensor, which is not read yet")
	case d.raws > 1:
		return fault(Corrupt, t.raw.at, "raw_data stands twice")
	case len(d.lists) > 1 || len(d.lists) > 0 && d.raws > 0:
		return fault(Corrupt, d.lists[len(d.lists)-1].at, "the numbers stand in two fields")
	}
	need := t.info.DType.Bytes(d.count)
	switch d.elsewhere {
	case 0:
	case 1:
		if d.raws > 0 || len(d.lists) > 0 {
			return fault(Corrupt, -1, "the numbers are said to be in another file, and stand here too")
		}
		t.external = &d.place
		return d.place.check(need)
	default:
		return fault(Corrupt, -1, "a data_location of %d, which is neither here (0) nor another file (1)", d.elsewhere)
	}
	if len(d.lists) > 0 {
		return d.checkList(kind, need)
	}
	if have := t.raw.end - t.raw.off; have != need {
		return fault(BadShape, t.raw.at, "%d bytes of raw_data, but shape %v of %s needs %d", have, t.info.Shape, kind.name, need)
	}
	return nil
}

// checkList holds the list of numbers against the type, of which they would take
// need bytes. One in which they stand as they are is as good as raw_data.
func (d *onnxDeclaration) checkList(kind onnxType, need int64) error {
	t, f := d.t, d.lists[0]
	name := tensorShape.fields[f.num].name
	if f.num != kind.field {
		return fault(Corrupt, f.at, "%s holds the numbers, but those of %s belong into %s", name, kind.name, tensorShape.fields[kind.field].name)
	}
	if d.count > t.numbers {
		return fault(BadShape, f.at, "%s has %d numbers at most, but shape %v needs %d", name, t.numbers, t.info.Shape, d.count)
	}
	plain := f.typ == protowire.BytesType && d.pieces == 1 && (f.num == tensorFloatData || f.num == tensorDoubleData)
	if !plain {
		t.field = f.num
		return nil
	}
	if f.end-f.off != need {
		return fault(BadShape, f.at, "%d bytes of %s, but shape %v of %s needs %d", f.end-f.off, name, t.info.Shape, kind.name, need)
	}
	t.raw = f
	return nil
}
