package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"
)

// TestTableLies: lengths and places that a table can't have are found before
// anything is made of them.
func TestTableLies(t *testing.T) {
	header := headerOf(1)
	good := blockOf(header)
	uvarint := func(values ...uint64) string {
		var p []byte
		for _, v := range values {
			p = binary.AppendUvarint(p, v)
		}
		return string(p)
	}
	restarts := "\x00\x00\x00\x00\x01\x00\x00\x00"
	first := good[:len(good)-8]
	index := func(values ...string) []byte { // of one data block, with these for handles
		var pairs []pair
		for i, v := range values {
			pairs = append(pairs, pair{string(rune('a' + i)), v})
		}
		return tableWith(sealed(good, 0), blockOf(pairs...))
	}
	bare := func(times int) []byte { // the header's block, and one without entries that the index names so often
		none := "\x00\x00\x00\x00"
		data := sealed(good, 0)
		pairs := []pair{{"a", handleOf(0, len(good))}}
		for i := range times {
			pairs = append(pairs, pair{string(rune('b' + i)), handleOf(len(data), len(none))})
		}
		return tableWith(data+sealed(none, 0), blockOf(pairs...))
	}
	packed := func(body string) []byte {
		return tableWith(sealed(body, 1), blockOf(pair{"a", handleOf(0, len(body))}))
	}
	snap := string(snappy.Encode(nil, []byte(good)))
	for _, c := range []struct {
		what string
		file []byte
		kind Kind
	}{
		{"good", tableOf(0, good), ""},
		{"a handle with something behind", index(handleOf(0, len(good)) + "x"), Corrupt},
		{"a handle of one number", index("\x00"), Corrupt},
		{"no handle", index(""), Corrupt},
		{"a handle past int64", index(uvarint(1<<63, 1)), Corrupt},
		{"a size past the file", index(uvarint(0, 1<<40)), Corrupt},
		{"a place past the file", index(uvarint(1<<40, 8)), Corrupt},
		{"both far", index(uvarint(math.MaxInt64, math.MaxInt64)), Corrupt},
		{"a block into the footer", index(uvarint(20, 200)), Corrupt},
		{"a block that starts late", index(uvarint(1, uint64(len(good)-1))), Corrupt},
		{"the block twice", index(handleOf(0, len(good)), handleOf(0, len(good))), Corrupt},
		{"two blocks in each other", index(handleOf(0, len(good)), handleOf(len(good)+4, len(good))), Corrupt},
		{"a block without entries", bare(1), ""},
		{"a block without entries over and over", bare(2), Corrupt},
		{"an empty block", tableOf(0, ""), Corrupt},
		{"a block of three bytes", tableOf(0, "\x00\x00\x00"), Corrupt},
		{"more restarts than bytes", tableOf(0, first+"\x00\x00\x00\x00\x09\x00\x00\x00"), Corrupt},
		{"2^32 restarts", tableOf(0, first+"\x00\x00\x00\x00\xff\xff\xff\xff"), Corrupt},
		{"no restarts", tableOf(0, first+"\x00\x00\x00\x00"), ""},
		{"lengths that are cut", tableOf(0, first+"\x00\x01"+restarts), Corrupt},
		{"an endless varint", tableOf(0, first+strings.Repeat("\xff", 20)+restarts), Corrupt},
		{"a key that shares more than there is", tableOf(0, first+uvarint(1, 1, 0)+"a"+restarts), Corrupt},
		{"a key past the block", tableOf(0, first+uvarint(0, 1<<30, 0)+"a"+restarts), Corrupt},
		{"a value past the block", tableOf(0, first+uvarint(0, 1, 1<<30)+"a"+restarts), Corrupt},
		{"a key and a value that overflow", tableOf(0, first+uvarint(0, math.MaxInt32, math.MaxInt32)+"a"+restarts), Corrupt},
		{"a key twice", tableOf(0, blockOf(header, pair{"a", ""}, pair{"a", ""})), DuplicateName},
		{"a key twice in two blocks", tableOf(0, blockOf(header, pair{"a", ""}), blockOf(pair{"a", ""})), DuplicateName},
		{"keys that fall", tableOf(0, blockOf(header, pair{"b", ""}, pair{"a", ""})), Corrupt},
		{"keys that fall in the next block", tableOf(0, blockOf(header, pair{"b", ""}), blockOf(pair{"a", ""})), Corrupt},
		{"packed by zstd", tableWith(sealed(good, 2), blockOf(pair{"a", handleOf(0, len(good))})), Unsupported},
		{"packed", packed(snap), ""},
		{"packed, of no length", packed(""), Corrupt},
		{"packed, an endless length", packed(strings.Repeat("\xff", 9)), Corrupt},
		{"packed, more than there is", packed(uvarint(30) + snap[1:]), Corrupt},
		{"packed, of 4 GiB", packed(uvarint(1<<32-1) + snap[1:]), Corrupt},
		{"packed, cut", packed(snap[:len(snap)-1]), Corrupt},
	} {
		f, err := openBytes(t, "m.index", c.file, Limits{})
		if kindOf(err) != c.kind || (f == nil) != (err != nil) {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
	}
}

// TestTableDamage: a bit that flipped anywhere is found, but for those of the
// metaindex, which nobody reads, and the footer's spare bytes.
func TestTableDamage(t *testing.T) {
	file := readFixture(t, "tf", "bert_model.ckpt.index")
	_, rest, _ := cutHandle(file[len(file)-tfFooterLen:])
	at, _, _ := cutHandle(rest)
	spared := func(i int64) bool {
		start := int64(len(file) - tfFooterLen)
		return i >= 209 && i < at.off || i >= start && i < start+tfHandlesLen
	}
	for i := range file {
		for bit := range 8 {
			file[i] ^= 1 << bit
			if f, err := openBytes(t, "m.index", file, Limits{}); err == nil && !spared(int64(i)) {
				t.Errorf("bit %d of byte %d: opened, with %d tensors", bit, i, len(f.Tensors()))
			}
			file[i] ^= 1 << bit
		}
	}
}

// TestTableBudget: an index that would take more memory than it may is refused:
// long blocks, and long keys made of a few bytes each.
func TestTableBudget(t *testing.T) {
	limits := Limits{MaxHeader: 4096}
	long := strings.Repeat("k", 1000)
	pairs := []pair{headerOf(1)}
	for c := range 30 {
		pairs = append(pairs, pair{long + string(rune('a'+c)), ""})
	}
	if f, err := openBytes(t, "m.index", tableOf(0, blockOf(pairs...)), limits); f != nil || kindOf(err) != HeaderTooLarge {
		t.Errorf("long keys: %v", err)
	}
	if f, err := openBytes(t, "m.index", tableOf(0, blockOf(headerOf(1), pair{"a", strings.Repeat("v", 5000)})), limits); f != nil || kindOf(err) != HeaderTooLarge {
		t.Errorf("a long value: %v", err)
	}
	if f, err := openBytes(t, "m.index", tableOf(1, blockOf(headerOf(1), pair{"a", strings.Repeat("v", 5000)})), limits); f != nil || kindOf(err) != HeaderTooLarge {
		t.Errorf("a long value, packed: %v", err)
	}
	// Slices of two bytes each take far more in memory.
	sliced := protoOf(1) + strings.Repeat(protoOf(nil, nil, nil, nil, nil, nil, ""), maxTFSlices)
	if f, err := openBytes(t, "m.index", tableOf(1, blockOf(headerOf(1), pair{"a", sliced}, pair{"b", sliced})), Limits{}); f != nil || kindOf(err) != TooLarge {
		t.Errorf("many slices: %v", err)
	}
	// Entries that pack into nearly nothing are more than the bytes of the file allow.
	pairs = pairs[:1]
	for i := range 20_000 {
		pairs = append(pairs, pair{string(binary.BigEndian.AppendUint32([]byte("k"), uint32(i))), ""})
	}
	file := tableOf(1, blockOf(pairs...))
	if f, err := openBytes(t, "m.index", file, Limits{}); len(file) > 60_000 || f != nil || kindOf(err) != TooLarge {
		t.Errorf("%d entries in %d bytes: %v", len(pairs), len(file), err)
	}
}

// TestTableCancel: a long index stops at the next block.
func TestTableCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	in := &counting{ReaderAt: bytes.NewReader(readFixture(t, "tf", "snappy.index")), each: func() error {
		if reads++; reads == 3 {
			cancel()
		}
		return nil
	}}
	b := &blob{ReaderAt: in, size: in.ReaderAt.(*bytes.Reader).Size(), name: "m.index"}
	if f, err := openTFIndex(ctx, b, defaults); f != nil || !errors.Is(err, context.Canceled) || reads != 3 {
		t.Errorf("%v after %d reads", err, reads)
	}
}

// TestCRC32C compares with the sum that RFC 3720 gives and the mask of LevelDB's
// own test.
func TestCRC32C(t *testing.T) {
	if got := crc32c(make([]byte, 32)); got != 0x8a9136aa {
		t.Errorf("of 32 zeros: %08x", got)
	}
	for sum, want := range map[uint32]uint32{0: 0xa282ead8, 1: 0xa284ead8, 1 << 15: 0xa282ead9, math.MaxUint32: 0xa282ead7} {
		if got := maskedCRC(sum); got != want {
			t.Errorf("%08x is masked as %08x, not %08x", sum, got, want)
		}
	}
}
