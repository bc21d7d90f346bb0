package checkpoint

import (
	"google.golang.org/protobuf/encoding/protowire"

	"poslens/internal/tensor"
)

// tfVersion is the version of the format that is read: a checkpoint may ask for
// a reader of a later one.
const tfVersion = 1

// maxTFSlices is the most slices of a variable that are put together.
const maxTFSlices = 4096

// tfHeader is the BundleHeaderProto of an index.
type tfHeader struct {
	shards int64 // data files
	endian int64 // 0 little, 1 big
}

// tfEntry is the BundleEntryProto of a variable, or of a slice of one.
type tfEntry struct {
	dtype  int64
	shape  []int
	shard  int64 // which data file its bytes are in
	offset int64 // in that file
	size   int64 // bytes
	crc    uint32
	slices [][]tfExtent // of a variable whose bytes are in entries of their own
}

// tfExtent is the part of an axis that a slice takes. A length of -1 takes all.
type tfExtent struct{ start, length int64 }

// parseTFHeader understands a header. One of version 1's is Unsupported: there
// the first field is a message.
func parseTFHeader(p []byte) (h tfHeader, err error) {
	least := int64(0)
	err = tfFields(p, func(f tfField) error {
		switch f.num {
		case 1:
			if f.kind == protowire.BytesType {
				e := fault(Unsupported, -1, "a TensorFlow checkpoint of version 1, which is not read")
				e.Hint = "restore and save it once more with tf.compat.v1.train.Saver, which writes version 2"
				return e
			}
			return f.number(&h.shards)
		case 2:
			return f.number(&h.endian)
		case 3:
			return f.message(func(f tfField) error {
				if f.num == 2 {
					return f.number(&least)
				}
				return nil
			})
		}
		return nil
	})
	switch {
	case err != nil:
		return h, err
	case h.shards < 1:
		return h, fault(Corrupt, -1, "the header counts %d data files", h.shards)
	case h.endian != 0 && h.endian != 1:
		return h, fault(Corrupt, -1, "the header names a byte order %d; 0 is little and 1 is big", h.endian)
	case least > tfVersion:
		return h, fault(Unsupported, -1, "a TensorFlow checkpoint for readers of version %d; this is one of version %d", least, tfVersion)
	}
	return h, nil
}

// parseTFEntry understands an entry.
func parseTFEntry(p []byte) (tfEntry, error) {
	e := tfEntry{shape: []int{}}
	err := tfFields(p, func(f tfField) error {
		switch f.num {
		case 1:
			return f.number(&e.dtype)
		case 2:
			return f.message(e.shapeField)
		case 3:
			return f.number(&e.shard)
		case 4:
			return f.number(&e.offset)
		case 5:
			return f.number(&e.size)
		case 6:
			return f.fixed(&e.crc)
		case 7:
			if len(e.slices) == maxTFSlices {
				return fault(Unsupported, -1, "a variable in over %d slices", maxTFSlices)
			}
			e.slices = append(e.slices, nil)
			return f.message(e.sliceField)
		}
		return nil
	})
	return e, err
}

// shapeField takes a field of a TensorShapeProto.
func (e *tfEntry) shapeField(f tfField) error {
	switch f.num {
	case 2:
		var size int64
		err := f.message(func(f tfField) error {
			if f.num == 1 {
				return f.number(&size)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(e.shape) == tensor.MaxRank {
			return fault(BadShape, -1, "over %d dimensions", tensor.MaxRank)
		}
		if size != int64(int(size)) {
			return fault(BadShape, -1, "dimension %d is out of range", size)
		}
		e.shape = append(e.shape, int(size))
	case 3:
		var unknown int64
		if err := f.number(&unknown); err != nil {
			return err
		}
		if unknown != 0 {
			return fault(BadShape, -1, "the shape is not known")
		}
	}
	return nil
}

// sliceField takes a field of the TensorSliceProto that is the last of the slices.
func (e *tfEntry) sliceField(f tfField) error {
	if f.num != 1 {
		return nil
	}
	x := tfExtent{length: -1}
	err := f.message(func(f tfField) error {
		switch f.num {
		case 1:
			return f.number(&x.start)
		case 2:
			return f.number(&x.length)
		}
		return nil
	})
	if err != nil {
		return err
	}
	last := &e.slices[len(e.slices)-1]
	if len(*last) == tensor.MaxRank {
		return fault(BadShape, -1, "a slice of over %d dimensions", tensor.MaxRank)
	}
	*last = append(*last, x)
	return nil
}
