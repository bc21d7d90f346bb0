package checkpoint

import "google.golang.org/protobuf/encoding/protowire"

// tfField is a field of a protobuf message that is in memory.
type tfField struct {
	num   protowire.Number
	kind  protowire.Type
	value uint64 // of a varint or a number of fixed size
	body  []byte // of a string or a message
}

// tfFields gives every field of a message. Groups, which no message here has,
// are refused.
func tfFields(p []byte, field func(tfField) error) error {
	for len(p) > 0 {
		var f tfField
		var n int
		if f.num, f.kind, n = protowire.ConsumeTag(p); n < 0 {
			return fault(Corrupt, -1, "a message without the number of its next field")
		}
		p = p[n:]
		switch f.kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(p)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(p)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(p)
			f.value = uint64(v)
		case protowire.BytesType:
			f.body, n = protowire.ConsumeBytes(p)
		default:
			return f.fault()
		}
		if n < 0 {
			return fault(Corrupt, -1, "field %d goes on behind the end of its message", f.num)
		}
		p = p[n:]
		if err := field(f); err != nil {
			return err
		}
	}
	return nil
}

// number takes a whole number.
func (f tfField) number(to *int64) error {
	if f.kind != protowire.VarintType {
		return f.fault()
	}
	*to = int64(f.value)
	return nil
}

// fixed takes a number of four bytes.
func (f tfField) fixed(to *uint32) error {
	if f.kind != protowire.Fixed32Type {
		return f.fault()
	}
	*to = uint32(f.value)
	return nil
}

// message gives the fields of a message in a message.
func (f tfField) message(field func(tfField) error) error {
	if f.kind != protowire.BytesType {
		return f.fault()
	}
	return tfFields(f.body, field)
}

// fault is the Error of a field of another wire type than its number stands for.
func (f tfField) fault() error {
	return fault(Corrupt, -1, "field %d has the wire type %d, which is not that field's", f.num, f.kind)
}
