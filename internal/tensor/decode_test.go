package tensor

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// same compares bit for bit, but any NaN with any.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// TestHalves compares all 65,536 halves with the float32 built from their fields.
func TestHalves(t *testing.T) {
	src := make([]byte, 2<<16)
	for h := range 1 << 16 {
		binary.LittleEndian.PutUint16(src[2*h:], uint16(h))
	}
	got := make([]float64, 1<<16)
	if err := Decode(got, src, F16, binary.LittleEndian); err != nil {
		t.Fatal(err)
	}
	for h := range 1 << 16 {
		sign, exp, frac := uint32(h)>>15, uint32(h)>>10&31, uint32(h)&1023
		var bits uint32
		switch {
		case exp == 31:
			bits = 255<<23 | frac<<13
		case exp > 0:
			bits = (exp-15+127)<<23 | frac<<13
		case frac > 0: // subnormal: shift until the leading bit is implied
			exp = 127 - 14
			for ; frac < 1024; frac <<= 1 {
				exp--
			}
			bits = exp<<23 | frac&1023<<13
		}
		want := float64(math.Float32frombits(sign<<31 | bits))
		if !same(got[h], want) {
			t.Fatalf("half %#04x is %v, want %v", h, got[h], want)
		}
	}
	for h, want := range map[int]float64{0x0001: 0x1p-24, 0x03ff: 1023 * 0x1p-24, 0x0400: 0x1p-14, 0x7bff: 65504, 0x3c00: 1, 0xc000: -2} {
		if got[h] != want {
			t.Errorf("half %#04x is %v, want %v", h, got[h], want)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		t    DType
		big  []byte // one element
		want float64
	}{
		{F64, []byte{0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18}, math.Pi},
		{F32, []byte{0xc0, 0x20, 0, 0}, -2.5},
		{F32, []byte{0, 0, 0, 1}, math.SmallestNonzeroFloat32},
		{F32, []byte{0xff, 0x80, 0, 0}, math.Inf(-1)},
		{F32, []byte{0x7f, 0xc0, 0, 0}, math.NaN()},
		{F16, []byte{0x35, 0x55}, 0.333251953125},
		{F16, []byte{0x80, 0}, math.Copysign(0, -1)},
		{BF16, []byte{0x40, 0x49}, 3.140625},
		{BF16, []byte{0x7f, 0x80}, math.Inf(1)},
		{F8_E4M3, []byte{0xb8}, -1},
		{F8_E5M2, []byte{0x3d}, 1.25},
		{I64, []byte{0x80, 0, 0, 0, 0, 0, 0, 0}, -0x1p63},
		{I64, []byte{0, 0x20, 0, 0, 0, 0, 0, 1}, 0x1p53}, // the nearest, ties to even
		{I32, []byte{0xff, 0xff, 0xff, 0xfe}, -2},
		{I16, []byte{0x80, 0}, -32768},
		{I8, []byte{0xff}, -1},
		{U64, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 0x1p64},
		{U32, []byte{0xff, 0xff, 0xff, 0xff}, 1<<32 - 1},
		{U16, []byte{0xff, 0xff}, 65535},
		{U8, []byte{0xff}, 255},
		{Bool, []byte{0}, 0},
		{Bool, []byte{7}, 1},
	} {
		little := slices.Clone(c.big)
		slices.Reverse(little)
		for order, src := range map[binary.ByteOrder][]byte{binary.BigEndian: c.big, binary.LittleEndian: little} {
			// several elements, over the end of a piece of the big-endian loop
			const n = 4096 + 5
			dst := make([]float64, n)
			if err := Decode(dst, slices.Repeat(src, n), c.t, order); err != nil {
				t.Fatal(err)
			}
			for i, got := range dst {
				if !same(got, c.want) {
					t.Fatalf("%v %s % x: element %d is %v, want %v", c.t, order, src, i, got, c.want)
				}
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	dst := make([]float64, 2)
	for _, c := range []struct {
		t DType
		n int
	}{{F32, 7}, {F32, 4}, {F32, 12}, {F64, 8}, {Invalid, 0}, {Invalid, 2}, {DType(200), 2}, {Q8_0, 34}, {Q8_0, 2}, {Q4_K, 144}} {
		if err := Decode(dst, make([]byte, c.n), c.t, binary.LittleEndian); err == nil {
			t.Errorf("%d bytes for 2 elements of %v: no error", c.n, c.t)
		}
	}
	if err := Decode(nil, nil, F32, nil); err != nil {
		t.Errorf("nothing: %v", err)
	}
}

// TestDecodeBlocksRefused: elements that are no whole number of blocks.
func TestDecodeBlocksRefused(t *testing.T) {
	for typ := Q4_0; typ <= IQ4_NL; typ++ {
		size, block := typ.Size(), typ.Block()
		for _, c := range []struct{ elements, bytes int }{
			{block - 1, size}, {block + 1, size}, {block, size - 1}, {block, size + 1}, {block, 2 * size}, {2*block - 1, size}, {0, size}, {block, 0},
		} {
			if err := Decode(make([]float64, c.elements), make([]byte, c.bytes), typ, nil); err == nil {
				t.Errorf("%d bytes for %d elements of %v: no error", c.bytes, c.elements, typ)
			}
		}
		if err := Decode(nil, nil, typ, nil); err != nil {
			t.Errorf("nothing: %v", err)
		}
	}
}

// TestDecodeParallel compares what all cores do with one element at a time.
func TestDecodeParallel(t *testing.T) {
	const n = shareFrom + 37
	src := make([]byte, 4*n)
	for i := range n {
		binary.BigEndian.PutUint32(src[4*i:], uint32(i)*2654435761)
	}
	for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
		dst := make([]float64, n)
		if err := Decode(dst, src, I32, order); err != nil {
			t.Fatal(err)
		}
		for i, got := range dst {
			if want := float64(int32(order.Uint32(src[4*i:]))); got != want {
				t.Fatalf("%s: element %d is %v, want %v", order, i, got, want)
			}
		}
	}
}

// TestDecodeOrders: bytes turned around decode alike in the other order.
func TestDecodeOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := DType(rapid.IntRange(int(F64), int(Bool)).Draw(t, "type"))
		n := rapid.IntRange(0, 3000).Draw(t, "n")
		src := rapid.SliceOfN(rapid.Byte(), n*typ.Size(), n*typ.Size()).Draw(t, "src")
		turned := slices.Clone(src)
		for p := turned; len(p) > 0; p = p[typ.Size():] {
			slices.Reverse(p[:typ.Size()])
		}
		a, b := make([]float64, n), make([]float64, n)
		if err := Decode(a, src, typ, binary.LittleEndian); err != nil {
			t.Fatal(err)
		}
		if err := Decode(b, turned, typ, binary.BigEndian); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(a, b, same) {
			t.Fatalf("%v: % x", typ, src)
		}
	})
}

func TestDTypes(t *testing.T) {
	for typ := F64; typ <= IQ4_NL; typ++ {
		plain := typ <= Bool
		if got, ok := ParseDType(typ.String()); ok != plain || plain && got != typ {
			t.Errorf("%v is parsed as %v, %v", typ, got, ok)
		}
		if typ.Size() == 0 || (typ.Block() == 1) != plain || (typ.unpack() == nil) != plain {
			t.Errorf("%v has %d bytes for %d elements", typ, typ.Size(), typ.Block())
		}
		kinds := 0
		for _, is := range []bool{typ.IsFloat(), typ.IsInteger(), typ == Bool} {
			if is {
				kinds++
			}
		}
		if kinds != 1 {
			t.Errorf("%v is of %d kinds", typ, kinds)
		}
	}
	for _, name := range []string{"", "invalid", "f32", "F8_E8M0", "Q8_0"} {
		if got, ok := ParseDType(name); ok || got != Invalid {
			t.Errorf("%q is parsed as %v", name, got)
		}
	}
	for typ, want := range map[DType]int64{F32: 4 * 768, F8_E5M2: 768, Q8_0: 34 * 24, Q4_K: 144 * 3, Invalid: 0, DType(200): 0} {
		if got := typ.Bytes(768); got != want {
			t.Errorf("768 elements of %v are %d bytes, want %d", typ, got, want)
		}
	}
	if s := fmt.Sprint(F32, BF16, Bool, Invalid, DType(99)); s != "F32 BF16 BOOL invalid invalid" {
		t.Error(s)
	}
}
