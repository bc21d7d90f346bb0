package checkpoint

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/encoding/protowire"
)

// pair is a key of a table and its value.
type pair struct{ key, value string }

// blockOf makes a block of pairs, in the order given, that shares what it can.
func blockOf(pairs ...pair) string {
	var p []byte
	last := ""
	for _, kv := range pairs {
		shared := 0
		for shared < min(len(last), len(kv.key)) && last[shared] == kv.key[shared] {
			shared++
		}
		p = binary.AppendUvarint(p, uint64(shared))
		p = binary.AppendUvarint(p, uint64(len(kv.key)-shared))
		p = binary.AppendUvarint(p, uint64(len(kv.value)))
		p = append(p, kv.key[shared:]+kv.value...)
		last = kv.key
	}
	return string(p) + "\x00\x00\x00\x00\x01\x00\x00\x00"
}

// handleOf is a handle's bytes.
func handleOf(off, size int) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(off)), uint64(size)))
}

// sealed is a block with its trailer.
func sealed(block string, method byte) string {
	p := append([]byte(block), method)
	return string(binary.LittleEndian.AppendUint32(p, maskedCRC(crc32c(p))))
}

// tableOf makes a table of data blocks, each packed where method is 1.
func tableOf(method byte, blocks ...string) []byte {
	file := ""
	var index []pair
	for i, block := range blocks {
		if method == 1 {
			block = string(snappy.Encode(nil, []byte(block)))
		}
		index = append(index, pair{fmt.Sprintf("%06d", i), handleOf(len(file), len(block))})
		file += sealed(block, method)
	}
	return tableWith(file, blockOf(index...))
}

// tableWith makes a table of the bytes of data blocks and an index block.
func tableWith(data, index string) []byte {
	footer := handleOf(len(data), 0) + handleOf(len(data), len(index))
	return []byte(data + sealed(index, 0) + footer + strings.Repeat("\x00", tfHandlesLen-len(footer)) + tableMagic)
}

// protoOf makes a message: a uint32 is a fixed number, another number a varint, a
// string a message; nil is left out.
func protoOf(fields ...any) string {
	var p []byte
	for i, v := range fields {
		num := protowire.Number(i + 1)
		switch v := v.(type) {
		case int:
			p = protowire.AppendVarint(protowire.AppendTag(p, num, protowire.VarintType), uint64(v))
		case uint32:
			p = protowire.AppendFixed32(protowire.AppendTag(p, num, protowire.Fixed32Type), v)
		case string:
			p = protowire.AppendString(protowire.AppendTag(p, num, protowire.BytesType), v)
		}
	}
	return string(p)
}

// headerOf is the header of a checkpoint of n data files.
func headerOf(n int) pair { return pair{"", protoOf(n, nil, protoOf(1))} }

// shapeOf is a TensorShapeProto.
func shapeOf(shape ...int) string {
	s := ""
	for _, d := range shape {
		s += protoOf(nil, protoOf(d))
	}
	return s
}

// sliceOf is a TensorSliceProto; a length of -1 is left out.
func sliceOf(slice ...tfExtent) string {
	s := ""
	for _, x := range slice {
		if x.length < 0 {
			s += protoOf("")
			continue
		}
		s += protoOf(protoOf(int(x.start), int(x.length)))
	}
	return s
}

// entryOf is the entry of a tensor whose bytes are those of data from off on.
func entryOf(dtype, shard, off int, data string, shape ...int) string {
	return protoOf(dtype, shapeOf(shape...), shard, off, len(data), maskedCRC(crc32c([]byte(data))))
}

// bundleOf makes the folder of a checkpoint "m" in one data file.
func bundleOf(data string, pairs ...pair) fstest.MapFS {
	return fstest.MapFS{
		"m.index":               {Data: tableOf(0, blockOf(append([]pair{headerOf(1)}, pairs...)...))},
		"m.data-00000-of-00001": {Data: []byte(data)},
	}
}

// slicedOf makes a checkpoint of one float32 variable "v" of this shape, element k
// of which is k, in these slices.
func slicedOf(shape []int, list ...[]tfExtent) fstest.MapFS {
	var parts []pair
	data, specs := "", ""
	for _, slice := range list {
		start, size := make([]int, len(shape)), slices.Clone(shape)
		for i, x := range slice {
			if x.length >= 0 {
				start[i], size[i] = int(x.start), int(x.length)
			}
		}
		part := sliceData(shape, start, size)
		parts = append(parts, pair{tfSliceKey("v", slice), entryOf(1, 0, len(data), part, size...)})
		data += part
		specs += string(protowire.AppendString(protowire.AppendTag(nil, 7, protowire.BytesType), sliceOf(slice...)))
	}
	slices.SortFunc(parts, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	return bundleOf(data, append(parts, pair{"v", protoOf(1, shapeOf(shape...)) + specs})...)
}

// sliceData is the numbers of a slice, each its place in the whole.
func sliceData(shape, start, size []int) string {
	n := 1
	for _, d := range size {
		n *= d
	}
	var numbers []float32
	for k := range n {
		place, scale, rest := 0, 1, k
		for i := len(shape) - 1; i >= 0; i-- {
			place += (start[i] + rest%size[i]) * scale
			rest /= size[i]
			scale *= shape[i]
		}
		numbers = append(numbers, float32(place))
	}
	return floats(numbers...)
}

// openIn opens a file of a folder.
func openIn(t testing.TB, folder fstest.MapFS, name string) (*File, error) {
	t.Helper()
	f, err := Open(t.Context(), folder, name, Limits{})
	if (f == nil) != (err != nil) {
		t.Fatalf("%s: the file %v with the error %v", name, f, err)
	}
	return f, err
}
