package checkpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"poslens/internal/tensor"
)

// storedBits are the bits of one element of those safetensors dtypes that are
// listed, but not read yet.
var storedBits = map[string]int64{
	"F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
	"F6_E2M3": 6, "F6_E3M2": 6, "F4": 4, "C64": 64,
}

// isSafetensors tells a file that starts with the length of a header and the
// header's brace. Eight bytes of text are no length, but the beginning of a JSON
// or CSV file.
func isSafetensors(head []byte) bool {
	if len(head) < 9 || head[8] != '{' {
		return false
	}
	for _, c := range head[:8] {
		if (c < ' ' || c > '~') && c != '\n' && c != '\r' && c != '\t' {
			return true
		}
	}
	return false
}

// openSafetensors opens a file of the safetensors format: the length of a JSON
// header as a little-endian uint64, the header, and the tensors' bytes without
// holes or overlaps. What the official reader refuses is refused here.
//
//	https://github.com/huggingface/safetensors, README and safetensors/src/tensor.rs
func openSafetensors(_ context.Context, b *blob, l Limits) (*File, error) {
	first, err := b.bytes(0, 8)
	if err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(first)
	switch {
	case n > uint64(l.MaxHeader):
		return nil, fault(HeaderTooLarge, 0, "the header claims %d bytes, but %d at most are allowed", n, l.MaxHeader)
	case n == 0:
		return nil, fault(Corrupt, 0, "the header's length is 0")
	case int64(n) > b.size-8:
		return nil, fault(Truncated, b.size, "the header claims %d bytes, but the file has %d behind the length", n, b.size-8)
	}
	header, err := b.bytes(8, int64(n))
	if err != nil {
		return nil, err
	}
	if header[0] != '{' {
		return nil, fault(Corrupt, 8, "the header is no JSON object: it starts with %s", quoted(string(header[:min(len(header), 20)])))
	}
	if !utf8.Valid(header) {
		return nil, fault(Corrupt, 8, "the header is not valid UTF-8")
	}
	h := &stHeader{json: json.NewDecoder(bytes.NewReader(header)), file: newFile("safetensors")}
	h.json.UseNumber()
	if err := h.read(); err != nil {
		return nil, err
	}
	if err := h.check(b.size-8-int64(n), int64(n)+8); err != nil {
		return nil, err
	}
	for _, t := range h.tensors {
		info, off, length := t.info, 8+int64(n)+t.begin, t.end-t.begin
		err := h.file.add(info, func(ctx context.Context) (*tensor.Tensor, error) {
			return b.tensor(ctx, info, off, length, binary.LittleEndian, l)
		})
		if err != nil {
			return nil, err
		}
	}
	return h.file, nil
}

// stTensor is an entry of the header: a tensor and its bytes [begin, end) of the
// data.
type stTensor struct {
	info       tensor.Info
	begin, end int64
}

// check compares every tensor's shape with its bytes, and the tensors with each
// other and with the size of the data, which starts at the byte base.
func (h *stHeader) check(size, base int64) error {
	slices.SortStableFunc(h.tensors, func(a, b stTensor) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	bad := func(t stTensor, kind Kind, off int64, format string, args ...any) error {
		return &Error{Kind: kind, Tensor: t.info.Name, Off: off, Msg: fmt.Sprintf(format, args...)}
	}
	var end int64
	for _, t := range h.tensors {
		count, err := declared(t.info.Shape)
		if err != nil {
			return at(err, t.info.Name, -1)
		}
		bits, known := storedBits[t.info.Stored]
		if t.info.DType != tensor.Invalid {
			bits, known = 8*t.info.DType.Bytes(1), true
		}
		if need := (count*bits + 7) / 8; known && need != t.end-t.begin {
			return bad(t, BadShape, -1, "%d bytes, but shape %v of %s needs %d", t.end-t.begin, t.info.Shape, t.info.Stored, need)
		}
		switch {
		case t.begin < end:
			return bad(t, Overlap, base+t.begin, "its bytes %d to %d overlap those of another tensor, which end at %d", t.begin, t.end, end)
		case t.begin > end:
			return bad(t, Overlap, base+end, "its bytes start at %d, which leaves a hole from %d on", t.begin, end)
		case t.end > size:
			return bad(t, Truncated, base+size, "its bytes end at %d, but the file has %d behind the header", t.end, size)
		}
		end = t.end
	}
	if end < size {
		return fault(Corrupt, base+end, "%d %s the last tensor", size-end, plural(int(size-end), "byte follows", "bytes follow"))
	}
	return nil
}
