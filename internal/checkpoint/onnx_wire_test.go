package checkpoint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

// TestWireTypes: each known field of each message is refused with every wire type
// that is not its own.
func TestWireTypes(t *testing.T) {
	values := map[protowire.Type]string{
		protowire.VarintType: "\x01", protowire.Fixed64Type: "12345678", protowire.BytesType: "\x02\x08\x01", protowire.Fixed32Type: "1234",
	}
	node := func(attribute string) string {
		return nodeOf("DequantizeLinear", []string{"x", "s"}, []string{"y"}, wireBytes(nodeAttribute, attribute))
	}
	tensor := func(p string) []byte { return onnxOf(wireBytes(graphInitializer, p)) }
	for _, m := range []struct {
		shape *wireShape
		in    func(fields string) []byte
	}{
		{modelShape, func(p string) []byte { return append(onnxOf(), p...) }},
		{opsetShape, func(p string) []byte { return append(onnxOf(), wireBytes(modelOpsetImport, p)...) }},
		{entryShape, func(p string) []byte { return append(onnxOf(), wireBytes(modelMetadataProps, p)...) }},
		{entryShape, func(p string) []byte { return tensor(wireBytes(tensorExternalData, p)) }},
		{graphShape, func(p string) []byte { return onnxOf(p) }},
		{nodeShape, func(p string) []byte { return onnxOf(wireBytes(graphNode, p)) }},
		{attributeShape, func(p string) []byte { return onnxOf(node(p)) }},
		{tensorShape, tensor},
		{tensorShape, func(p string) []byte { return onnxOf(constantOf("k", p)) }},
		{sparseShape, func(p string) []byte { return onnxOf(wireBytes(graphSparseInitializer, p)) }},
	} {
		for num, kind := range m.shape.fields {
			for typ, value := range values {
				field := string(protowire.AppendTag(nil, num, typ)) + value
				_, err := openONNX(t.Context(), memory(m.in(field)), defaults)
				right := typ == kind.typ || kind.list && typ == protowire.BytesType
				told := err != nil && strings.Contains(err.Error(), m.shape.name+"."+kind.name+" has the wire type")
				if told == right || told && kindOf(err) != Corrupt {
					t.Errorf("%s.%s with the wire type %d: %v", m.shape.name, kind.name, typ, err)
				}
			}
		}
	}
}

// TestWireWalk compares the walk with the parser of package protowire, which has
// the message in memory, at every place of the window.
func TestWireWalk(t *testing.T) {
	shape := &wireShape{"Test", map[protowire.Number]wireKind{
		1: {name: "varint", typ: protowire.VarintType}, 2: {name: "bytes", typ: protowire.BytesType},
		3: {name: "fixed32", typ: protowire.Fixed32Type}, 4: {name: "fixed64", typ: protowire.Fixed64Type},
	}}
	rapid.Check(t, func(t *rapid.T) {
		message := []byte(strings.Repeat("x", rapid.IntRange(0, 10).Draw(t, "front")))
		front := len(message)
		for range rapid.IntRange(0, 200).Draw(t, "fields") {
			num := protowire.Number(rapid.IntRange(1, 5).Draw(t, "field")) // 5 is not known
			switch num {
			case 1, 5:
				message = protowire.AppendTag(message, num, protowire.VarintType)
				message = protowire.AppendVarint(message, rapid.Uint64().Draw(t, "varint"))
			case 2:
				message = protowire.AppendTag(message, num, protowire.BytesType)
				message = protowire.AppendBytes(message, bytes.Repeat([]byte("ab"), rapid.SampledFrom([]int{0, 1, 30, windowLeast / 2, windowLeast, windowMost}).Draw(t, "bytes")))
			case 3:
				message = protowire.AppendTag(message, num, protowire.Fixed32Type)
				message = protowire.AppendFixed32(message, rapid.Uint32().Draw(t, "fixed32"))
			case 4:
				message = protowire.AppendTag(message, num, protowire.Fixed64Type)
				message = protowire.AppendFixed64(message, rapid.Uint64().Draw(t, "fixed64"))
			}
		}
		var want, got []string
		for p := message[front:]; len(p) > 0; {
			num, typ, n := protowire.ConsumeField(p)
			_, _, head := protowire.ConsumeTag(p)
			value := p[head:n]
			if typ == protowire.BytesType {
				value, _ = protowire.ConsumeBytes(value)
			}
			if num != 5 {
				want = append(want, fmt.Sprintf("%d %x", num, value))
			}
			p = p[n:]
		}
		in := newWindow(context.Background(), memory(message), int64(len(message)))
		m := wireMessage{in, shape, int64(front), int64(len(message))}
		err := m.each(func(f wireField) error {
			raw := message[f.off:f.end]
			if f.typ != protowire.BytesType {
				if v, _ := nextNumber(raw, f.typ); v != f.value {
					return fmt.Errorf("field %d is %d, want %d", f.num, f.value, v)
				}
			}
			got = append(got, fmt.Sprintf("%d %x", f.num, raw))
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v: %d fields, want %d", err, len(got), len(want))
		}
		if len(in.data) > windowMost {
			t.Fatalf("%d bytes in the window", len(in.data))
		}
	})
}

// TestWireCost: what stands together is read by few calls, and a jump reads little.
func TestWireCost(t *testing.T) {
	read := func(message string) *counting {
		in := &counting{ReaderAt: strings.NewReader(message)}
		r := newWindow(t.Context(), &blob{ReaderAt: in, size: int64(len(message))}, int64(len(message)))
		if err := (wireMessage{r, graphShape, 0, int64(len(message))}).each(func(wireField) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return in
	}
	near := read(strings.Repeat(wireBytes(graphNode, "0123456789"), 300_000))
	if near.calls > 30 {
		t.Errorf("%d calls for what stands together", near.calls)
	}
	far := read(strings.Repeat(wireBytes(graphInitializer, strings.Repeat("x", 1<<20)), 30))
	if far.read > 31*2*windowLeast {
		t.Errorf("%d bytes read of what is jumped over", far.read)
	}
}
