package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"poslens/internal/tensor"
)

// WriteSafetensors writes tensors as a safetensors file: the metadata first, then
// the tensors in the order of their names, as F64. The header is padded with
// spaces, so that the numbers are aligned.
func WriteSafetensors(w io.Writer, tensors []*tensor.Tensor, meta map[string]string) error {
	sorted := slices.Clone(tensors)
	slices.SortStableFunc(sorted, func(a, b *tensor.Tensor) int { return strings.Compare(a.Name, b.Name) })
	head, err := safetensorsHeader(sorted, meta)
	if err != nil {
		return err
	}
	front := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	if err := writeAll(w, append(front, head...)); err != nil {
		return err
	}
	for _, t := range sorted {
		if err := writeFloats(w, t.Data); err != nil {
			return err
		}
	}
	return nil
}

// safetensorsHeader is the JSON in front of the numbers.
func safetensorsHeader(sorted []*tensor.Tensor, meta map[string]string) ([]byte, error) {
	var head bytes.Buffer
	item := func(name string) {
		if head.Len() == 0 {
			head.WriteByte('{')
		} else {
			head.WriteByte(',')
		}
		head.Write(quoteJSON(name))
		head.WriteByte(':')
	}
	if len(meta) > 0 {
		item("__metadata__")
		for i, key := range slices.Sorted(maps.Keys(meta)) {
			if !utf8.ValidString(key) || !utf8.ValidString(meta[key]) {
				return nil, fault(Corrupt, -1, "metadata %s: not UTF-8", quoted(key))
			}
			head.WriteByte("{,"[min(i, 1)])
			head.Write(quoteJSON(key))
			head.WriteByte(':')
			head.Write(quoteJSON(meta[key]))
		}
		head.WriteByte('}')
	}
	off := 0
	for i, t := range sorted {
		switch {
		case i > 0 && t.Name == sorted[i-1].Name:
			return nil, &Error{Kind: DuplicateName, Tensor: t.Name, Off: -1, Msg: "two tensors of one name"}
		case t.Name == "__metadata__":
			return nil, &Error{Kind: DuplicateName, Tensor: t.Name, Off: -1, Msg: "the name belongs to the file's metadata"}
		case !utf8.ValidString(t.Name):
			return nil, &Error{Kind: Corrupt, Tensor: t.Name, Off: -1, Msg: "the name is not UTF-8"}
		}
		if err := fits(t.Shape, len(t.Data)); err != nil {
			return nil, at(err, t.Name, -1)
		}
		item(t.Name)
		shape := strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ",")
		fmt.Fprintf(&head, `{"dtype":"F64","shape":%s,"data_offsets":[%d,%d]}`, shape, off, off+8*len(t.Data))
		off += 8 * len(t.Data)
	}
	if head.Len() == 0 {
		head.WriteByte('{')
	}
	head.WriteByte('}')
	for head.Len()%8 != 0 {
		head.WriteByte(' ')
	}
	return head.Bytes(), nil
}

// quoteJSON is a string as JSON, with no more escapes than JSON wants.
func quoteJSON(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // every string has a JSON, and a Buffer takes it
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
