package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

func TestGGUFFixtures(t *testing.T) { runManifest(t, "gguf") }

func TestGGUFTruncations(t *testing.T) { everyTruncation(t, "gguf", "bert.gguf", true) }

func FuzzGGUF(f *testing.F) {
	seedFixtures(f, "gguf", 8<<10)
	f.Fuzz(func(t *testing.T, data []byte) { fuzzOpen(t, "x.gguf", data) })
}

func TestGGUFHeaders(t *testing.T) {
	const f32, q8, q4k, unknown = 0, 8, 12, 999
	m := ggufLittle
	pairs := func(p ...string) []string { return p }
	zeros := func(n int) string { return string(make([]byte, n)) }
	align := func(n uint32) []string { return pairs(m.pair("general.alignment", ggufU32, m.u32(n))) }
	one := m.entry("a", f32, 0, 2)
	deep := func(n int) string {
		return strings.Repeat(m.u32(ggufArray)+m.u64(1), n-1) + m.list(ggufU8, 0, "")
	}
	for _, c := range []struct {
		what    string
		pairs   []string
		entries []string
		data    string
		kind    Kind // "" is good
	}{
		{"nothing in it", nil, nil, "", ""},
		{"one", nil, pairs(one), zeros(8), ""},
		{"bytes behind the last", nil, pairs(one), zeros(9), ""},
		{"scalar", nil, pairs(m.entry("a", f32, 0)), zeros(4), ""},
		{"no rows", nil, pairs(m.entry("a", f32, 0, 4, 0)), "", ""},
		{"no rows, padded", nil, pairs(m.entry("a", f32, 0, 4, 0), m.entry("b", f32, 0, 1)), zeros(4), ""},
		{"no name", nil, pairs(m.entry("", f32, 0, 1)), zeros(4), ""},
		{"any order", nil, pairs(m.entry("b", f32, 32, 2), one), zeros(40), ""},
		{"a hole", nil, pairs(one, m.entry("b", f32, 96, 2)), zeros(104), ""},
		{"overlap", nil, pairs(m.entry("a", f32, 0, 9), m.entry("b", f32, 32, 2)), zeros(40), Overlap},
		{"the same bytes", nil, pairs(one, m.entry("b", f32, 0, 2)), zeros(40), Overlap},
		{"out of line", nil, pairs(m.entry("a", f32, 8, 2)), zeros(40), Corrupt},
		{"alignment 8", align(8), pairs(one, m.entry("b", f32, 8, 2)), zeros(64), ""},
		{"alignment 1", align(1), pairs(m.entry("a", f32, 0, 1)), zeros(36), ""},
		{"alignment 2^31", align(1 << 31), pairs(one), zeros(40), Truncated},
		{"alignment 2^31 of nothing", align(1 << 31), nil, "", ""},
		{"alignment 0", align(0), pairs(one), zeros(40), Corrupt},
		{"alignment 24", align(24), pairs(one), zeros(40), Corrupt},
		{"alignment of another type", pairs(m.pair("general.alignment", ggufU64, m.u64(32))), pairs(one), zeros(40), Corrupt},
		{"alignment in words", pairs(m.pair("general.alignment", ggufString, m.text("32"))), pairs(one), zeros(40), Corrupt},
		{"alignment that is a list", pairs(m.pair("general.alignment", ggufArray, m.list(ggufU32, 1, m.u32(32)))), pairs(one), zeros(40), Corrupt},
		{"alignment twice", append(align(32), align(32)...), pairs(one), zeros(40), DuplicateName},
		{"cut in the data", nil, pairs(one), zeros(7), Truncated},
		{"cut before the second", nil, pairs(one, m.entry("b", f32, 32, 2)), zeros(8), Truncated},
		{"far away", nil, pairs(one, m.entry("b", f32, 64, 2)), zeros(40), OutOfRange},
		{"past int64", nil, pairs(m.entry("a", f32, 1<<63, 2)), zeros(40), OutOfRange},
		{"at the end of int64", nil, pairs(m.entry("a", f32, math.MaxInt64-31, 2)), zeros(40), OutOfRange},
		{"4 dimensions", nil, pairs(m.entry("a", f32, 0, 2, 1, 1, 1)), zeros(8), ""},
		{"5 dimensions", nil, pairs(m.entry("a", f32, 0, 2, 1, 1, 1, 1)), zeros(8), BadShape},
		{"a dimension past int64", nil, pairs(m.entry("a", f32, 0, 1<<63)), zeros(8), BadShape},
		{"an overflow", nil, pairs(m.entry("a", f32, 0, 1<<32, 1<<32)), zeros(8), BadShape},
		{"bytes that overflow", nil, pairs(m.entry("a", f32, 0, 1<<61, 2)), zeros(8), BadShape},
		{"many elements", nil, pairs(m.entry("a", f32, 0, 1<<40)), zeros(8), Truncated},
		{"name twice", nil, pairs(one, m.entry("a", f32, 32, 2)), zeros(40), DuplicateName},
		{"key twice", pairs(m.pair("a", ggufU8, "1"), m.pair("a", ggufU8, "2")), nil, "", DuplicateName},
		{"a key that is not UTF-8", pairs(m.pair("\xff", ggufU8, "1")), nil, "", Corrupt},
		{"a name that is not UTF-8", nil, pairs(m.entry("\xff", f32, 0, 2)), zeros(8), Corrupt},
		{"a text that is not UTF-8", pairs(m.pair("a", ggufString, m.text("\xff"))), nil, "", ""},
		{"a long text", pairs(m.pair("a", ggufString, m.text(strings.Repeat("a", 100_000)))), pairs(one), zeros(8), ""},
		{"a long key", pairs(m.pair(strings.Repeat("a", 1<<16-1), ggufU8, "1")), pairs(one), zeros(8), ""},
		{"a key that is too long", pairs(m.pair(strings.Repeat("a", 1<<16), ggufU8, "1")), pairs(one), zeros(8), Corrupt},
		{"a type of value that is none", pairs(m.pair("a", 13, zeros(8))), pairs(one), zeros(8), Corrupt},
		{"a type of elements that is none", pairs(m.pair("a", ggufArray, m.list(13, 1, zeros(8)))), pairs(one), zeros(8), Corrupt},
		{"an empty list of no type", pairs(m.pair("a", ggufArray, m.list(13, 0, ""))), pairs(one), zeros(8), Corrupt},
		{"lists in lists", pairs(m.pair("a", ggufArray, m.list(ggufArray, 2, m.list(ggufU8, 3, "abc")+m.list(ggufString, 1, m.text("x"))))), pairs(one), zeros(8), ""},
		{"lists 4 deep", pairs(m.pair("a", ggufArray, deep(4))), pairs(one), zeros(8), ""},
		{"lists 5 deep", pairs(m.pair("a", ggufArray, deep(5))), pairs(one), zeros(8), Corrupt},
		{"a list of 2^61 words", pairs(m.pair("a", ggufArray, m.u32(ggufU64)+m.u64(1<<61))), pairs(one), zeros(8), Truncated},
		{"a list of 2^63 texts", pairs(m.pair("a", ggufArray, m.u32(ggufString)+m.u64(1<<63))), pairs(one), zeros(8), Truncated},
		{"a list of 2^64-1 lists", pairs(m.pair("a", ggufArray, m.u32(ggufArray)+m.u64(math.MaxUint64))), pairs(one), zeros(8), Truncated},
		{"a list with a text of 2^64-1 bytes", pairs(m.pair("a", ggufArray, m.u32(ggufString)+m.u64(1)+m.u64(math.MaxUint64))), pairs(one), zeros(8), Truncated},
		{"whole blocks", nil, pairs(m.entry("a", q8, 0, 32, 3)), zeros(3 * 34), ""},
		{"a row of half a block", nil, pairs(m.entry("a", q8, 0, 16, 2)), zeros(34), BadShape},
		{"a scalar in blocks", nil, pairs(m.entry("a", q8, 0)), zeros(34), BadShape},
		{"rows without columns in blocks", nil, pairs(m.entry("a", q8, 0, 0, 3), m.entry("b", f32, 0, 1)), zeros(34), ""},
		{"a block too few", nil, pairs(m.entry("a", q4k, 0, 256, 2)), zeros(287), Truncated},
		{"a type that is not known", nil, pairs(m.entry("a", unknown, 0, 7)), zeros(1), ""},
		{"a type that is not known, far away", nil, pairs(m.entry("a", unknown, 1<<40, 7)), zeros(1), OutOfRange},
		{"a type that is not read, cut", nil, pairs(m.entry("a", 16, 0, 256)), zeros(65), Truncated},
	} {
		for _, m := range []string{"x.gguf", "x"} {
			f, err := openBytes(t, m, ggufLittle.file(c.pairs, c.entries, c.data), Limits{})
			if kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
				t.Errorf("%s: %v, want %q", c.what, err, c.kind)
			}
			if f != nil {
				checkListing(t, f)
			}
		}
	}
}

// TestGGUFStart: versions, and counts that are lies.
func TestGGUFStart(t *testing.T) {
	m := ggufLittle
	big := ggufMaker{binary.BigEndian}
	for _, c := range []struct {
		head string
		kind Kind
	}{
		{"GGUF" + m.u32(3) + m.u64(0) + m.u64(0), ""},
		{"GGUF" + m.u32(2) + m.u64(0) + m.u64(0), ""},
		{"GGUF" + big.u32(3) + m.u64(0) + m.u64(0), ""},
		{"GGUF" + big.u32(2) + m.u64(0) + m.u64(0), ""},
		{"GGUF" + m.u32(1) + m.u32(0) + m.u32(0), Unsupported},
		{"GGUF" + big.u32(1) + m.u64(0) + m.u64(0), Unsupported},
		{"GGUF" + m.u32(0) + m.u64(0) + m.u64(0), Unsupported},
		{"GGUF" + m.u32(4) + m.u64(0) + m.u64(0), Unsupported},
		{"GGUF" + m.u32(3) + m.u64(1) + m.u64(0), Truncated},
		{"GGUF" + m.u32(3) + m.u64(0) + m.u64(1), Truncated},
		{"GGUF" + m.u32(3) + m.u64(math.MaxUint64) + m.u64(0), Truncated},
		{"GGUF" + m.u32(3) + m.u64(0) + m.u64(1<<63) + strings.Repeat("\x00", 1000), Truncated},
		{"GGUF" + m.u32(3) + m.u64(1<<20+1) + m.u64(0) + strings.Repeat("\x00", 25<<20), TooLarge},
		{"GGUF" + m.u32(3) + m.u64(0) + m.u64(1<<16+1) + strings.Repeat("\x00", 1<<20), TooLarge},
	} {
		if f, err := openBytes(t, "x", []byte(c.head), Limits{}); kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("% x: %v, want %q", c.head[:min(len(c.head), 24)], err, c.kind)
		}
	}
	file := m.file([]string{m.pair("a", ggufArray, m.list(ggufU8, 5000, string(make([]byte, 5000))))}, nil, "")
	for limit, want := range map[int64]Kind{50: HeaderTooLarge, 5040: HeaderTooLarge, int64(len(file)): ""} {
		if _, err := openBytes(t, "x", file, Limits{MaxHeader: limit}); kindOf(err) != want {
			t.Errorf("a header of %d bytes, limit %d: %v, want %q", len(file), limit, err, want)
		}
	}
}

// TestGGUFMeta: numbers and short texts become metadata, whatever the byte order.
func TestGGUFMeta(t *testing.T) {
	for _, m := range []ggufMaker{ggufLittle, {binary.BigEndian}} {
		u16 := func(v uint16) string { return string(m.AppendUint16(nil, v)) }
		f, err := openBytes(t, "x", m.file([]string{
			m.pair("general.architecture", ggufString, m.text("bert")),
			m.pair("long", ggufString, m.text(strings.Repeat("a", maxGGUFWord+1))),
			m.pair("broken", ggufString, m.text("a\xff")),
			m.pair("u8", ggufU8, "\xff"), m.pair("i8", ggufI8, "\xff"),
			m.pair("u16", ggufU16, u16(0xfffe)), m.pair("i16", ggufI16, u16(0xfffe)),
			m.pair("u32", ggufU32, m.u32(1<<32-3)), m.pair("i32", ggufI32, m.u32(1<<32-3)),
			m.pair("list", ggufArray, m.list(ggufString, 2, m.text("a")+m.text("b"))),
			m.pair("u64", ggufU64, m.u64(1<<64-4)), m.pair("i64", ggufI64, m.u64(1<<64-4)),
			m.pair("f32", ggufF32, m.u32(math.Float32bits(0.1))), m.pair("f64", ggufF64, m.u64(math.Float64bits(-1e-300))),
			m.pair("nan", ggufF32, m.u32(0x7fc00000)),
			m.pair("yes", ggufBool, "\x01"), m.pair("no", ggufBool, "\x00"),
		}, []string{m.entry("a", 26, 0, 2)}, m.u32(7)+m.u32(1<<32-7)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{
			"general.architecture": "bert", "u8": "255", "i8": "-1", "u16": "65534", "i16": "-2", "u32": "4294967293", "i32": "-3",
			"u64": "18446744073709551612", "i64": "-4", "f32": "0.1", "f64": "-1e-300", "nan": "NaN", "yes": "true", "no": "false",
		} {
			if got, ok := f.Meta(key); !ok || got != want {
				t.Errorf("%s: %q, %v, want %q", key, got, ok, want)
			}
		}
		for _, key := range []string{"long", "broken", "list", "a"} {
			if got, ok := f.Meta(key); ok {
				t.Errorf("%s: %q", key, got)
			}
		}
		if got, err := f.Tensor(t.Context(), "a"); err != nil || !slices.Equal(got.Data, []float64{7, -7}) {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// TestGGUFTypes: every type is listed under ggml's name; those that are not read
// say so, and which are.
func TestGGUFTypes(t *testing.T) {
	m := ggufLittle
	for number := range uint32(50) {
		typ := ggmlTypeOf(number)
		block, size := typ.layout()
		file := m.file(nil, []string{m.entry("a", number, 0, 256, 2)}, string(make([]byte, max(512/block*size, 1))))
		f, err := openBytes(t, "x", file, Limits{})
		if err != nil {
			t.Errorf("type %d: %v", number, err)
			continue
		}
		info := f.Tensors()[0]
		if info.DType != tensor.Invalid && info.DType.String() != info.Stored || !slices.Equal(info.Shape, []int{2, 256}) || typ.name == "" {
			t.Errorf("type %d is listed as %+v", number, info)
		}
		got, err := f.Tensor(t.Context(), "a")
		if info.DType != tensor.Invalid {
			if err != nil || len(got.Data) != 512 {
				t.Errorf("%s: %v", typ.name, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Kind != UnsupportedDType || e.Tensor != "a" || e.Off < 0 ||
			!strings.Contains(e.Msg, typ.name) || !strings.Contains(e.Hint, "F32, F16, Q4_0,") {
			t.Errorf("%s: %v (%s)", typ.name, err, hintOf(err))
		}
		if typ.gone != strings.Contains(e.Msg, "given up") {
			t.Errorf("%s: %v", typ.name, err)
		}
	}
}

// TestGGUFLongBlocks: tensors of Q6_K and Q8_K, whose numbers of more than a byte
// turn with the file's byte order.
func TestGGUFLongBlocks(t *testing.T) {
	zeros := func(n int) string { return string(make([]byte, n)) }
	for _, m := range []ggufMaker{ggufLittle, {binary.BigEndian}} {
		six := "\x2f" + zeros(127) + "\x83" + zeros(63) + "\x01\x00\x00\x00\x02" + zeros(11) + string(m.AppendUint16(nil, 0x3c00)) // a scale of 1
		eight := m.u32(math.Float32bits(0.5)) + "\x80\x7f" + zeros(254) + zeros(32)
		f, err := openBytes(t, "x", m.file(nil, []string{m.entry("six", 14, 0, 256, 2), m.entry("eight", 15, 448, 256)}, six+six+zeros(28)+eight), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Tensor(t.Context(), "six")
		if err != nil || !slices.Equal(got.Shape, []int{2, 256}) || got.Data[256] != 15+48-32 || got.Data[257] != -32 || got.Data[256+64] != 2*(2-32) {
			t.Errorf("Q6_K: %v, %v", got, err)
		}
		got, err = f.Tensor(t.Context(), "eight")
		if err != nil || got.Data[0] != -64 || got.Data[1] != 63.5 || got.Data[2] != 0 {
			t.Errorf("Q8_K: %v, %v", got, err)
		}
	}
}

// TestGGUFCost: a long vocabulary is passed over in a few reads and without a
// string made of it; one tensor costs its own bytes.
func TestGGUFCost(t *testing.T) {
	const tokens, before = 150_000, 1 << 20
	m := ggufLittle
	var list strings.Builder
	for i := range tokens {
		list.WriteString(m.text(fmt.Sprint("token", i)))
	}
	header := []string{
		m.pair("general.architecture", ggufString, m.text("gpt2")),
		m.pair("tokenizer.ggml.tokens", ggufArray, m.list(ggufString, tokens, list.String())),
		m.pair("tokenizer.ggml.scores", ggufArray, m.list(ggufF32, tokens, string(make([]byte, 4*tokens)))),
	}
	entries := []string{m.entry("a", 0, 0, before), m.entry("table", 8, 4*before, 64, 16), m.entry("z", 0, 4*before+1088, before)}
	file := m.file(header, entries, string(make([]byte, 8*before+1088)))
	in := &counting{ReaderAt: bytes.NewReader(file)}
	b := &blob{ReaderAt: in, size: int64(len(file))}
	f, err := b.open(t.Context(), defaults)
	if err != nil {
		t.Fatal(err)
	}
	length := int64(len(file) - 8*before - 1088)
	if most := length + windowMost + headBytes; in.read > most {
		t.Errorf("opening read %d bytes, over %d: the header has %d", in.read, most, length)
	}
	if in.calls > 30 {
		t.Errorf("opening took %d reads", in.calls)
	}
	again := func() {
		if _, err := b.open(t.Context(), defaults); err != nil {
			t.Error(err)
		}
	}
	if got, most := leastAllocated(again), uint64(3*windowMost); got > most {
		t.Errorf("opening allocated %d, over %d", got, most)
	}
	in.read = 0
	if _, err := f.Tensor(t.Context(), "table"); err != nil {
		t.Fatal(err)
	}
	if in.read != 1088 {
		t.Errorf("a tensor of 1088 bytes cost %d", in.read)
	}
}

// TestGGUFCancelled: a header is not read on when nobody waits for it.
func TestGGUFCancelled(t *testing.T) {
	m := ggufLittle
	file := m.file([]string{m.pair("a", ggufArray, m.list(ggufString, 100_000, strings.Repeat(m.text("abc"), 100_000)))}, nil, "")
	ctx, cancel := context.WithCancel(t.Context())
	in := &counting{ReaderAt: bytes.NewReader(file)}
	in.each = func() error {
		if in.calls == 4 {
			cancel()
		}
		return nil
	}
	b := &blob{ReaderAt: in, size: int64(len(file))}
	if f, err := b.open(ctx, defaults); f != nil || !errors.Is(err, context.Canceled) || in.calls > 4 {
		t.Errorf("%v, %v after %d reads", f, err, in.calls)
	}
}
