package checkpoint

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// The pieces of a MessagePack file, as msgpack-python writes them for Flax.

func mpText(s string) string { return mpSized(s, 0xd9) + s }

func mpBinary(s string) string { return mpSized(s, 0xc4) + s }

// mpSized is the head of so many bytes, of which that of one byte's length is
// given, and those of two and four follow.
func mpSized(s string, head byte) string {
	switch n := len(s); {
	case head == 0xd9 && n < 32:
		return string([]byte{0xa0 | byte(n)})
	case n < 1<<8:
		return string([]byte{head, byte(n)})
	case n < 1<<16:
		return string(binary.BigEndian.AppendUint16([]byte{head + 1}, uint16(n)))
	default:
		return string(binary.BigEndian.AppendUint32([]byte{head + 2}, uint32(n)))
	}
}

func mpInt(n int) string {
	switch {
	case n >= 0 && n < 128:
		return string([]byte{byte(n)})
	case n < 0:
		return string(binary.BigEndian.AppendUint64([]byte{0xd3}, uint64(n)))
	case n < 1<<16:
		return string(binary.BigEndian.AppendUint16([]byte{0xcd}, uint16(n)))
	default:
		return string(binary.BigEndian.AppendUint64([]byte{0xcf}, uint64(n)))
	}
}

func mpList(items ...string) string {
	head := []byte{0x90 | byte(len(items))}
	if len(items) > 15 {
		head = binary.BigEndian.AppendUint16([]byte{0xdc}, uint16(len(items)))
	}
	return string(head) + strings.Join(items, "")
}

// mpPairs is a map of packed keys and values, alternating.
func mpPairs(keysAndValues ...string) string {
	n := len(keysAndValues) / 2
	head := []byte{0x80 | byte(n)}
	if n > 15 {
		head = binary.BigEndian.AppendUint16([]byte{0xde}, uint16(n))
	}
	return string(head) + strings.Join(keysAndValues, "")
}

// mpMap is a map of text keys and packed values, alternating.
func mpMap(keysAndValues ...string) string {
	pairs := append([]string(nil), keysAndValues...)
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = mpText(pairs[i])
	}
	return mpPairs(pairs...)
}

func mpExtension(kind int, data string) string {
	n := len(data)
	switch n {
	case 1, 2, 4, 8, 16:
		head := byte(0xd4)
		for ; n > 1; n /= 2 {
			head++
		}
		return string([]byte{head, byte(kind)}) + data
	}
	return mpSized(data, 0xc7) + string([]byte{byte(kind)}) + data
}

func mpInts(ints []int) string {
	var items []string
	for _, n := range ints {
		items = append(items, mpInt(n))
	}
	return mpList(items...)
}

// mpArray is an array as Flax writes it.
func mpArray(dtype string, shape []int, data string) string {
	return mpExtension(flaxNDArray, mpList(mpInts(shape), mpText(dtype), mpBinary(data)))
}

// mpNumbered is a map of the keys "0", "1" and so on.
func mpNumbered(values ...string) string {
	var pairs []string
	for i, v := range values {
		pairs = append(pairs, strconv.Itoa(i), v)
	}
	return mpMap(pairs...)
}

// mpChunks is an array in chunks of float32.
func mpChunks(shape []int, chunks ...string) string {
	var dims, arrays []string
	for _, d := range shape {
		dims = append(dims, mpInt(d))
	}
	for _, c := range chunks {
		arrays = append(arrays, mpArray("float32", []int{len(c) / 4}, c))
	}
	return mpMap(flaxChunked, "\xc3", "shape", mpNumbered(dims...), "chunks", mpNumbered(arrays...))
}
