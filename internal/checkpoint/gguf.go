package checkpoint

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"poslens/internal/tensor"
)

// maxGGUFPairs bounds the pairs of a header: those that are met have a few dozen.
const maxGGUFPairs = 1 << 16

// openGGUF opens a file of llama.cpp's: magic, version, the numbers of tensors
// and of key-value pairs, the pairs, an entry for each tensor, and, from the next
// multiple of the alignment on, the tensors' bytes.
//
//	ggml-org/ggml, docs/gguf.md and src/gguf.cpp
func openGGUF(ctx context.Context, b *blob, l Limits) (*File, error) {
	order, err := ggufOrder(b)
	if err != nil {
		return nil, err
	}
	g := &gguf{
		ggufReader: newGGUFReader(ctx, b, order, 8, l.MaxHeader),
		file:       newFile("gguf"), align: 32, keys: map[string]bool{},
	}
	tensors, err := g.count("tensors", leastGGUFTensor)
	if err != nil {
		return nil, err
	}
	pairs, err := g.count("key-value pairs", leastGGUFPair)
	if err != nil {
		return nil, err
	}
	if tensors > maxTensors || pairs > maxGGUFPairs {
		return nil, fault(TooLarge, 8, "%d tensors and %d key-value pairs, but %d and %d at most are sane", tensors, pairs, maxTensors, maxGGUFPairs)
	}
	for range pairs {
		if err := g.pair(); err != nil {
			return nil, err
		}
	}
	for range tensors {
		if err := g.tensor(); err != nil {
			return nil, err
		}
	}
	return g.finish(l)
}

// ggufOrder reads the version, which also tells the byte order.
func ggufOrder(b *blob) (binary.ByteOrder, error) {
	p, err := b.bytes(4, 4)
	if err != nil {
		return nil, err
	}
	little, big := binary.LittleEndian.Uint32(p), binary.BigEndian.Uint32(p)
	switch {
	case little == 2 || little == 3:
		return binary.LittleEndian, nil
	case big == 2 || big == 3:
		return binary.BigEndian, nil
	}
	return nil, &Error{Kind: Unsupported, Off: 4, Msg: fmt.Sprintf("GGUF version %d is not read", min(little, big)),
		Hint: "versions 2 and 3 are: convert the model again with a newer llama.cpp"}
}

// gguf is a header at work.
type gguf struct {
	ggufReader
	file    *File
	align   int64 // of the tensors' bytes, a power of two
	keys    map[string]bool
	tensors []ggufTensor
}

// ggufTensor is a tensor's entry. Its bytes are [begin, begin + length), counted
// from the first that may be a tensor's; length is 0 where the type's size is not
// known.
type ggufTensor struct {
	info          tensor.Info
	typ           ggmlType
	begin, length int64
	place         int64 // of the entry in the file
}

// leastGGUFTensor is the bytes of an entry with neither a name nor dimensions.
const leastGGUFTensor = 8 + 4 + 4 + 8

// maxGGUFDims is ggml's GGML_MAX_DIMS.
const maxGGUFDims = 4

// tensor takes an entry in: name, dimensions, type, and where its bytes are.
func (g *gguf) tensor() error {
	t := ggufTensor{place: g.place}
	name, err := g.text("a tensor's name")
	if err != nil {
		return err
	}
	bad := func(kind Kind, format string, args ...any) error {
		return &Error{Kind: kind, Tensor: name, Off: t.place, Msg: fmt.Sprintf(format, args...)}
	}
	dims, err := g.u32()
	if err != nil {
		return at(err, name, -1)
	}
	if dims > maxGGUFDims {
		return bad(BadShape, "%d dimensions, but GGUF has %d at most", dims, maxGGUFDims)
	}
	shape := make([]int, dims)
	for i := range shape {
		d, err := g.u64()
		if err != nil {
			return at(err, name, -1)
		}
		if d > math.MaxInt {
			return bad(BadShape, "dimension %d is out of range", d)
		}
		shape[len(shape)-1-i] = int(d) // the fastest comes first
	}
	number, err := g.u32()
	if err != nil {
		return at(err, name, -1)
	}
	begin, err := g.u64()
	if err != nil {
		return at(err, name, -1)
	}
	if begin > math.MaxInt64 {
		return bad(OutOfRange, "its bytes start at %d, past any file", begin)
	}
	t.typ = ggmlTypeOf(number)
	t.info = tensor.Info{Name: name, DType: t.typ.dtype, Stored: t.typ.name, Shape: shape}
	count, err := declared(shape)
	if err != nil {
		return at(err, name, t.place)
	}
	block, size := t.typ.layout()
	if columns := int64(lastOf(shape)); columns%block != 0 {
		return bad(BadShape, "its rows of %d elements are no whole number of the %d in a block of %s", columns, block, t.typ.name)
	}
	t.begin, t.length = int64(begin), count/block*size
	g.tensors = append(g.tensors, t)
	return nil
}

// lastOf is the elements of a row: the last dimension, 1 of a scalar.
func lastOf(shape []int) int {
	if len(shape) == 0 {
		return 1
	}
	return shape[len(shape)-1]
}
