package checkpoint

import (
	"encoding/binary"
)

// ggufMaker writes GGUF headers, right ones and wrong ones, in either byte order.
type ggufMaker struct{ binary.AppendByteOrder }

// ggufLittle writes what most files are.
var ggufLittle = ggufMaker{binary.LittleEndian}

func (m ggufMaker) u32(v uint32) string { return string(m.AppendUint32(nil, v)) }
func (m ggufMaker) u64(v uint64) string { return string(m.AppendUint64(nil, v)) }

// text is a string with its length.
func (m ggufMaker) text(s string) string { return m.u64(uint64(len(s))) + s }

// pair is a key with a value of a type.
func (m ggufMaker) pair(key string, kind uint32, value string) string {
	return m.text(key) + m.u32(kind) + value
}

// list is the value of an array of n elements.
func (m ggufMaker) list(kind uint32, n int, elements string) string {
	return m.u32(kind) + m.u64(uint64(n)) + elements
}

// entry describes a tensor; its dimensions are ggml's, the fastest first.
func (m ggufMaker) entry(name string, kind uint32, begin uint64, dims ...uint64) string {
	s := m.text(name) + m.u32(uint32(len(dims)))
	for _, d := range dims {
		s += m.u64(d)
	}
	return s + m.u32(kind) + m.u64(begin)
}

// file is a file of pairs, entries and data, aligned to 32 bytes.
func (m ggufMaker) file(pairs, entries []string, data string) []byte {
	p := []byte("GGUF" + m.u32(3) + m.u64(uint64(len(entries))) + m.u64(uint64(len(pairs))))
	for _, s := range append(append([]string{}, pairs...), entries...) {
		p = append(p, s...)
	}
	for len(p)%32 != 0 && data != "" {
		p = append(p, 0)
	}
	return append(p, data...)
}
