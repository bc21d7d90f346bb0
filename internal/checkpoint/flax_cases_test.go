package checkpoint

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

type flaxCase struct {
	what, file string
	kind       Kind   // "" is good
	says       string // the names, or a part of the error or of its hint
}

// flaxCases are files, good and bad.
func flaxCases() []flaxCase {
	two := floats(1, 2)
	good := mpArray("float32", []int{2}, two)
	array := func(items ...string) string { return mpMap("a", mpExtension(flaxNDArray, mpList(items...))) }
	shape, dtype, data := mpInts([]int{2}), mpText("float32"), mpBinary(two)
	chunked := func(pairs ...string) string { return mpMap("a", mpMap(pairs...)) }
	dims, chunks := mpNumbered(mpInt(4)), mpNumbered(good, good)
	deep := func(n int, v string) string { return strings.Repeat("\x91", n) + v }
	return []flaxCase{
		{"one", mpMap("a", good), "", "a"},
		{"the root itself", good, "", ""},
		{"nested", mpMap("params", mpMap("x", mpMap("y", good), "z", good)), "", "params/x/y params/z"},
		{"numbers as keys", mpPairs(mpInt(0), good, mpInt(-3), good, "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", good), "", "-3 0 18446744073709551615"},
		{"bytes as a key", mpPairs(mpBinary("b"), good), "", "b"},
		{"an empty key", mpMap("a", mpMap("", good)), "", "a/"},
		{"lists", mpMap("a", mpList("\xc0", good, mpList(good, "\xcb12345678", good))), "", "a/1 a/2/0 a/2/2"},
		{"a train state", mpMap("step", mpInt(7), "params", mpMap("w", good), "opt_state", mpNumbered(mpMap("count", mpExtension(flaxScalar, mpList(mpList(), mpText("int32"), mpBinary("\x07\x00\x00\x00"))), "mu", mpMap("w", good)), mpMap())),
			"", "opt_state/0/count opt_state/0/mu/w params/w"},
		{"other values", mpMap("i", mpInt(1<<40), "f", "\xca1234", "t", "\xc3", "s", mpText(strings.Repeat("x", 300)), "b", mpBinary(strings.Repeat("\xff", 70_000)), "e", mpExtension(-1&0xff, "12345678"), "a", good), "", "a"},
		{"long forms", "\xdf\x00\x00\x00\x01\xdb\x00\x00\x00\x01a\xdd\x00\x00\x00\x01\xc9\x00\x00\x00\x1e\x01\xdc\x00\x03\xdd\x00\x00\x00\x01\xce\x00\x00\x00\x01\xda\x00\x04bool\xc6\x00\x00\x00\x01\x01", Truncated, "bytes wanted"},
		{"long forms of their right size", "\xdf\x00\x00\x00\x01\xdb\x00\x00\x00\x01a\xdd\x00\x00\x00\x01\xc9\x00\x00\x00\x1a\x01\xdc\x00\x03\xdd\x00\x00\x00\x01\xce\x00\x00\x00\x01\xda\x00\x04bool\xc6\x00\x00\x00\x01\x01", "", "a/0"},
		{"chunks", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", chunks), "", "a"},
		{"chunks in another order", chunked("chunks", chunks, "shape", dims, flaxChunked, "\xc3"), "", "a"},
		{"chunks in a list", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpList(good, good)), "", "a"},
		{"chunks at the root", mpMap(flaxChunked, "\xc3", "shape", dims, "chunks", chunks), "", ""},
		{"an unknown dtype", mpMap("a", mpArray("str96", []int{2}, "12345")), "", "a"},
		{"a complex number", mpMap("a", mpExtension(flaxComplex, mpList("\xcb12345678", "\xcb12345678"))), "", "a"},
		{"some arrays elsewhere", mpMap("a", good, "b", mpText("//GDAPlaceholder:b"), "c", mpMap("driver", mpText("zarr"), "kvstore", mpMap())), "", "a"},

		{"nothing", mpMap(), NotFound, "a map"},
		{"only numbers", mpMap("model", mpInt(1), "layers", mpInt(2)), NotFound, `a map of the keys "model", "layers"`},
		{"many numbers", mpNumbered(slices.Repeat([]string{mpInt(1)}, 9)...), NotFound, `a map of 9 keys, the first of them "0", "1", "2", "3", "4"`},
		{"a number", "?", NotFound, "a whole number"},
		{"all arrays elsewhere", mpMap("a", mpText("PLACEHOLDER://a")), NotFound, "Orbax"},
		{"msgpack-numpy", mpMap("a", mpMap("nd", "\xc3", "type", mpText("<f4"), "kind", mpText(""), "shape", mpList(mpInt(2)), "data", mpBinary(two))), NotFound, "msgpack-numpy"},
		{"another value behind", mpMap("a", good) + mpMap(), Corrupt, "1 byte follows"},
		{"a key twice", mpMap("a", good, "b", mpInt(0), "a", good), DuplicateName, `"a"`},
		{"a key twice, once a number", mpMap("x", mpPairs(mpText("0"), mpInt(1), mpInt(0), mpInt(1))), DuplicateName, `"x/0"`},
		{"names alike", mpMap("a/b", good, "a", mpMap("b", good)), DuplicateName, `"a/b"`},
		{"a key that is no text", mpPairs("\xc0", good), Corrupt, "should be a text"},
		{"a key that is a list", mpPairs(mpList(), good), Corrupt, "a list as a key"},
		{"a key that is no UTF-8", mpMap("\xff\x1b[2J", good), Corrupt, "UTF-8"},
		{"a very long key", mpMap(strings.Repeat("k", maxFlaxKey+1), good), TooLarge, "4097 bytes"},
		{"as deep as may be", deep(maxFlaxDepth, good), "", strings.TrimSuffix(strings.Repeat("0/", maxFlaxDepth), "/")},
		{"too deep", deep(maxFlaxDepth+1, good), TooLarge, "128 deep"},
		{"the byte 0xc1", mpMap("a", "\xc1"), Corrupt, "0xc1"},
		{"a map of four billion", "\x81\xa1a\xdf\xff\xff\xff\xff", Truncated, "8589934590 bytes"},
		{"a list of four billion", "\x81\xa1a\xdd\xff\xff\xff\xff", Truncated, "4294967295 bytes"},
		{"a text of 4 GiB", "\x81\xdb\xff\xff\xff\xffabc", Truncated, "4294967295 bytes"},
		{"bytes of 4 GiB", "\x81\xa1a\xc6\xff\xff\xff\xffabc", Truncated, "4294967295 bytes"},
		{"an extension of 4 GiB", "\x81\xa1a\xc9\xff\xff\xff\xff\x01abc", Truncated, "4294967295 bytes"},
		{"a list in an array that reaches out", mpMap("a", mpExtension(1, "\xdd\x00\x00\x00\x03"), "b", mpInt(1)), Corrupt, "extension"},

		{"an array of one thing", array(shape), Corrupt, "a list of 3"},
		{"an array of four", array(shape, dtype, data, data), Corrupt, "a list of 3"},
		{"an array that is no list", mpMap("a", mpExtension(1, mpInt(3))), Corrupt, "a list of 3"},
		{"an empty array extension", mpMap("a", "\xc7\x00\x01", "b", "\xc0"), Corrupt, "0 left"},
		{"something behind an array", mpMap("a", mpExtension(1, mpList(shape, dtype, data)+"\xc0")), Corrupt, "1 bytes too many"},
		{"a shape of text", array(mpText("2"), dtype, data), Corrupt, "a text in an array's place for its shape"},
		{"a dimension of nil", array(mpList("\xc0"), dtype, data), Corrupt, "in a shape"},
		{"a negative dimension", array(mpInts([]int{-2}), dtype, data), BadShape, "negative"},
		{"a dimension past int64", array(mpList("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), dtype, data), BadShape, "out of range"},
		{"a product past int64", array(mpInts([]int{1 << 40, 1 << 40}), dtype, data), BadShape, "overflows"},
		{"a product past int64 beside 0", array(mpInts([]int{0, 1 << 40, 1 << 40}), dtype, mpBinary("")), BadShape, "overflows"},
		{"65 dimensions", array(mpInts(make([]int, 65)), dtype, data), BadShape, "65 dimensions"},
		{"a byte too few", array(shape, dtype, mpBinary(two[1:])), BadShape, "7 bytes, but shape [2] of float32 needs 8"},
		{"a byte too many", array(shape, dtype, mpBinary(two+"x")), BadShape, "9 bytes"},
		{"bytes that reach out", array(shape, dtype, "\xc4\x09"+two), Truncated, "9 bytes wanted"},
		{"bytes that reach out into the next", mpMap("a", mpExtension(1, mpList(shape, dtype, "\xc4\x09"+two)), "b", mpInt(1)), Corrupt, "9 bytes wanted"},
		{"bytes as a text", array(shape, dtype, mpText(two)), Corrupt, "a text in an array's place for its bytes"},
		{"a dtype that is a number", array(shape, mpInt(4), data), Corrupt, "its dtype"},
		{"a dtype without letters", array(shape, mpText(""), data), Corrupt, "its dtype"},
		{"a very long dtype", array(shape, mpText(strings.Repeat("f", 65)), data), Corrupt, "its dtype"},
		{"a dtype that is no UTF-8", array(shape, mpText("\xfe"), data), Corrupt, "UTF-8"},
		{"a complex number of one part", mpMap("a", mpExtension(flaxComplex, mpList(mpInt(1)))), Corrupt, "a list of 2"},
		{"a complex number of words", mpMap("a", mpExtension(flaxComplex, mpList(mpInt(1), mpText("i")))), Corrupt, "a text"},

		{"chunks without a shape", chunked(flaxChunked, "\xc3", "chunks", chunks), Corrupt, "without a shape"},
		{"no chunks", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap()), Corrupt, "without chunks"},
		{"chunk 0 missing", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap("1", good, "2", good)), Corrupt, "chunk 0"},
		{"chunk 1 missing", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap("0", good, "2", good)), Corrupt, "chunk 1"},
		{"a chunk with a word as its key", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap("0", good, "one", good)), Corrupt, "chunk 1"},
		{"a chunk with a zero in front", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap("0", good, "01", good)), Corrupt, "chunk 1"},
		{"a chunk beside the chunks", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap("0", good), "1", good), Corrupt, "something else"},
		{"a chunk that is there twice", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpMap("0", good), "chunks/0", good), Corrupt, "something else"},
		{"chunks of two dtypes", chunked(flaxChunked, "\xc3", "shape", dims, "chunks", mpNumbered(good, mpArray("int32", []int{2}, two))), Corrupt, `"int32"`},
		{"chunks for another shape", chunked(flaxChunked, "\xc3", "shape", mpNumbered(mpInt(5)), "chunks", chunks), BadShape, "16 bytes in 2 chunks, but shape [5] of float32 needs 20"},
		{"chunks of a shape past int64", chunked(flaxChunked, "\xc3", "shape", mpNumbered(mpInt(1<<40), mpInt(1<<40)), "chunks", chunks), BadShape, "overflows"},
		{"chunks of a negative shape", chunked(flaxChunked, "\xc3", "shape", mpNumbered(mpInt(-4)), "chunks", chunks), BadShape, "negative"},
		{"chunks with a list as shape", chunked(flaxChunked, "\xc3", "shape", mpInts([]int{4}), "chunks", chunks), Corrupt, "a list in a chunked array's place"},
		{"chunks with a word as shape", chunked(flaxChunked, "\xc3", "shape", mpMap("0", mpText("4")), "chunks", chunks), Corrupt, "in a shape"},
		{"chunks with dimension 0 missing", chunked(flaxChunked, "\xc3", "shape", mpMap("1", mpInt(4)), "chunks", chunks), Corrupt, "dimension 0"},
		{"chunks of 65 dimensions", chunked(flaxChunked, "\xc3", "shape", mpNumbered(slices.Repeat([]string{mpInt(1)}, 65)...), "chunks", chunks), BadShape, "65 dimensions"},
	}
}

func TestFlaxFiles(t *testing.T) {
	for _, c := range flaxCases() {
		f, err := openMsgpack(c.file, Limits{})
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error()+hintOf(err), c.says) {
				t.Errorf("%s: %v; hint %q; want %q", c.what, err, hintOf(err), c.says)
			}
			if e := new(Error); errors.As(err, &e) && e.Off < 0 && e.Kind != NotFound {
				t.Errorf("%s: %v has no place", c.what, err)
			}
			continue
		}
		checkListing(t, f)
		if got := strings.Join(namesOf(f), " "); got != c.says {
			t.Errorf("%s: %q, want %q", c.what, got, c.says)
		}
		for _, name := range namesOf(f) {
			if got, err := f.Tensor(t.Context(), name); err != nil && kindOf(err) != UnsupportedDType || err == nil && got.DType.Size() == 4 && got.Data[0] != 1 && got.Data[0] != 7 {
				t.Errorf("%s: %q: %v, %v", c.what, name, got, err)
			}
		}
	}
}
