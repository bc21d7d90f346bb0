package checkpoint

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// The types that the value of a key may have.
const (
	ggufU8 uint32 = iota
	ggufI8
	ggufU16
	ggufI16
	ggufU32
	ggufI32
	ggufF32
	ggufBool
	ggufString
	ggufArray
	ggufU64
	ggufI64
	ggufF64
)

// ggufSizes are the bytes of a value, by its type; 0 where they differ.
var ggufSizes = [...]int64{
	ggufU8: 1, ggufI8: 1, ggufU16: 2, ggufI16: 2, ggufU32: 4, ggufI32: 4, ggufF32: 4,
	ggufBool: 1, ggufString: 0, ggufArray: 0, ggufU64: 8, ggufI64: 8, ggufF64: 8,
}

const (
	leastGGUFPair = 8 + 4 + 1 // bytes of a pair of an empty key and a byte
	leastGGUFList = 4 + 8     // bytes of an empty array
	maxGGUFWord   = 1 << 10   // bytes of a text that is kept: the name of something, not a template or a licence
	maxGGUFDepth  = 4         // of arrays in arrays; ggml has none
)

// pair takes a key and its value in. Numbers and short texts become metadata of
// the file under the key, "general.architecture" for instance; the rest is passed
// over.
func (g *gguf) pair() error {
	place := g.place
	key, err := g.text("a key")
	if err != nil {
		return err
	}
	if g.keys[key] {
		return fault(DuplicateName, place, "the key %s stands twice in the header", quoted(key))
	}
	g.keys[key] = true
	kind, err := g.u32()
	if err != nil {
		return err
	}
	place = g.place
	switch {
	case kind == ggufString:
		err = g.word(key)
	case kind == ggufArray:
		err = g.skipList(1)
	case kind < uint32(len(ggufSizes)):
		err = g.number(key, kind)
	default:
		err = fault(Corrupt, place-4, "the value of %s is of type %d, which GGUF does not have", quoted(key), kind)
	}
	if err == nil && key == "general.alignment" {
		err = g.setAlign(kind, place)
	}
	return err
}

// number keeps a number or a truth value.
func (g *gguf) number(key string, kind uint32) error {
	p, err := g.take(ggufSizes[kind])
	if err == nil {
		g.file.meta[key] = ggufNumber(kind, p, g.order)
	}
	return err
}

// word keeps a text where it is short.
func (g *gguf) word(key string) error {
	n, err := g.count("bytes of text", 1)
	if err != nil {
		return err
	}
	if n > maxGGUFWord {
		return g.skip(n)
	}
	p, err := g.take(n)
	if err == nil && utf8.Valid(p) {
		g.file.meta[key] = string(p)
	}
	return err
}

// skipText passes over a text.
func (g *gguf) skipText() error {
	n, err := g.count("bytes of text", 1)
	if err != nil {
		return err
	}
	return g.skip(n)
}

// skipList passes over an array, at this depth of arrays in each other.
func (g *gguf) skipList(depth int) error {
	place := g.place
	kind, err := g.u32()
	if err != nil {
		return err
	}
	switch {
	case kind == ggufString:
		n, err := g.count("texts", 8)
		for ; n > 0 && err == nil; n-- {
			err = g.skipText()
		}
		return err
	case kind == ggufArray && depth == maxGGUFDepth:
		return fault(Corrupt, place, "arrays in arrays, more than %d deep", maxGGUFDepth)
	case kind == ggufArray:
		n, err := g.count("arrays", leastGGUFList)
		for ; n > 0 && err == nil; n-- {
			err = g.skipList(depth + 1)
		}
		return err
	case kind < uint32(len(ggufSizes)):
		n, err := g.count("values", ggufSizes[kind])
		if err != nil {
			return err
		}
		return g.skip(n * ggufSizes[kind])
	}
	return fault(Corrupt, place, "an array of type %d, which GGUF does not have", kind)
}

// setAlign takes the alignment that is now among the metadata.
func (g *gguf) setAlign(kind uint32, place int64) error {
	text := g.file.meta["general.alignment"]
	n, err := strconv.ParseUint(text, 10, 32)
	if kind != ggufU32 || err != nil || bits.OnesCount64(n) != 1 {
		return fault(Corrupt, place, "general.alignment is %s, but a power of two of type uint32 is wanted", quoted(text))
	}
	g.align = int64(n)
	return nil
}

// ggufNumber is a number or a truth value as text.
func ggufNumber(kind uint32, p []byte, order binary.ByteOrder) string {
	signed := func(n int64) string { return strconv.FormatInt(n, 10) }
	unsigned := func(n uint64) string { return strconv.FormatUint(n, 10) }
	switch kind {
	case ggufU8:
		return unsigned(uint64(p[0]))
	case ggufI8:
		return signed(int64(int8(p[0])))
	case ggufU16:
		return unsigned(uint64(order.Uint16(p)))
	case ggufI16:
		return signed(int64(int16(order.Uint16(p))))
	case ggufU32:
		return unsigned(uint64(order.Uint32(p)))
	case ggufI32:
		return signed(int64(int32(order.Uint32(p))))
	case ggufU64:
		return unsigned(order.Uint64(p))
	case ggufI64:
		return signed(int64(order.Uint64(p)))
	case ggufF32:
		return strconv.FormatFloat(float64(math.Float32frombits(order.Uint32(p))), 'g', -1, 32)
	case ggufF64:
		return strconv.FormatFloat(math.Float64frombits(order.Uint64(p)), 'g', -1, 64)
	}
	return strconv.FormatBool(p[0] != 0)
}
