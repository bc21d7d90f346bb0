package checkpoint

import (
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// wireKind is what a field of a message should be.
type wireKind struct {
	name string
	typ  protowire.Type
	list bool // of numbers: each with a tag, or packed together as bytes
}

// wireShape is a type of messages: its name, and the fields that it has.
type wireShape struct {
	name   string
	fields map[protowire.Number]wireKind
}

// wireMessage is a protobuf message in the bytes [off, end) of a file. It may be
// too large for memory.
type wireMessage struct {
	in       *window
	shape    *wireShape
	off, end int64
}

// wireField is one field of a message, with [off, end) as its value's bytes.
type wireField struct {
	num      protowire.Number
	typ      protowire.Type
	value    uint64 // of a number
	at       int64  // where the tag is
	off, end int64
}

// inside is a field as the message that it holds.
func (m wireMessage) inside(f wireField, shape *wireShape) wireMessage {
	return wireMessage{m.in, shape, f.off, f.end}
}

// each visits the fields in their order. Fields that the shape does not have are
// left out, those that it has are of its type.
func (m wireMessage) each(visit func(wireField) error) error {
	for off := m.off; off < m.end; {
		f, err := m.field(off)
		if err != nil {
			return err
		}
		off = f.end
		kind, known := m.shape.fields[f.num]
		if !known {
			continue
		}
		if f.typ != kind.typ && !(kind.list && f.typ == protowire.BytesType) {
			return fault(Corrupt, f.at, "%s.%s has the wire type %d, not %d", m.shape.name, kind.name, f.typ, kind.typ)
		}
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// maxFieldHead is the most bytes that a tag and a number, or a length, take.
const maxFieldHead = 20

// field reads the field at off, but not the bytes that it may have.
func (m wireMessage) field(off int64) (wireField, error) {
	p, err := m.in.bytes(off, min(maxFieldHead, m.end-off))
	if err != nil {
		return wireField{}, err
	}
	f := wireField{at: off}
	var n, size int
	if f.num, f.typ, n = protowire.ConsumeTag(p); n < 0 {
		return f, m.broken(off, n)
	}
	f.off = off + int64(n)
	switch f.typ {
	case protowire.VarintType, protowire.BytesType:
		f.value, size = protowire.ConsumeVarint(p[n:])
	case protowire.Fixed32Type:
		var v uint32
		v, size = protowire.ConsumeFixed32(p[n:])
		f.value = uint64(v)
	case protowire.Fixed64Type:
		f.value, size = protowire.ConsumeFixed64(p[n:])
	default:
		return f, fault(Corrupt, off, "%s has a field of the wire type %d, a group, which no ONNX file has", m.shape.name, f.typ)
	}
	if size < 0 {
		return f, m.broken(off, size)
	}
	f.end = f.off + int64(size)
	if f.typ == protowire.BytesType {
		if f.off = f.end; f.value > uint64(m.end-f.off) {
			return f, m.short(off)
		}
		f.end = f.off + int64(f.value)
	}
	return f, nil
}

// broken is the Error of a number that package protowire does not take.
func (m wireMessage) broken(off int64, code int) error {
	if errors.Is(protowire.ParseError(code), io.ErrUnexpectedEOF) {
		return m.short(off)
	}
	return fault(Corrupt, off, "%s has a tag or a number that is none", m.shape.name) // the package's own words vary from build to build
}

// short is the Error of a field that does not end where its message does.
func (m wireMessage) short(off int64) error {
	if m.end == m.in.b.size {
		return fault(Truncated, off, "%s has a field that goes on past the end of the file at %d", m.shape.name, m.end)
	}
	return fault(Corrupt, off, "%s has a field that goes on past its own end at %d", m.shape.name, m.end)
}

// text reads a field's bytes, at most so many, as text.
func (m wireMessage) text(f wireField, most int64) (string, error) {
	n := f.end - f.off
	if n > most {
		return "", fault(TooLarge, f.at, "%s.%s has %d bytes, limit %d", m.shape.name, m.shape.fields[f.num].name, n, most)
	}
	p, err := m.in.bytes(f.off, n)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(p) {
		return "", fault(Corrupt, f.off, "%s.%s is not UTF-8", m.shape.name, m.shape.fields[f.num].name)
	}
	return string(p), nil
}

// numbers visits the numbers of a list's field, of which there is one, or any
// number packed together.
func (m wireMessage) numbers(f wireField, visit func(uint64) error) error {
	typ := m.shape.fields[f.num].typ
	if f.typ == typ {
		return visit(f.value)
	}
	for off := f.off; off < f.end; {
		p, err := m.in.bytes(off, min(windowLeast, f.end-off))
		if err != nil {
			return err
		}
		last := off+int64(len(p)) == f.end
		for len(p) > 0 && (last || len(p) >= binary.MaxVarintLen64) {
			v, n := nextNumber(p, typ)
			if n < 0 {
				return m.inside(f, m.shape).broken(off, n)
			}
			if err := visit(v); err != nil {
				return err
			}
			p, off = p[n:], off+int64(n)
		}
	}
	return nil
}

// nextNumber takes the next of numbers that are packed together, and tells its
// length, or what is wrong with it.
func nextNumber(p []byte, typ protowire.Type) (uint64, int) {
	switch typ {
	case protowire.Fixed32Type:
		v, n := protowire.ConsumeFixed32(p)
		return uint64(v), n
	case protowire.Fixed64Type:
		return protowire.ConsumeFixed64(p)
	}
	return protowire.ConsumeVarint(p)
}
