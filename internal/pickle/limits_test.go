package pickle

import (
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"
)

// allocated is the bytes that this process has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// allocBound is what decoding n bytes may allocate: the worst opcode makes a
// dict and its place on the stack of one byte.
func allocBound(n int) uint64 { return 1<<20 + 300*uint64(n) }

// TestAllocations has the opcodes that make the most of the fewest bytes.
func TestAllocations(t *testing.T) {
	name := strings.Repeat("n", 500)
	for _, c := range []struct{ name, head, body string }{
		{"dicts", "", "}"},
		{"lists", "", "]"},
		{"memo entries", "N", "\x94"},
		{"marks", "", "("},
		{"persistent ids", "N", "Q"},
		{"tuples", "N", "\x85"},
		{"long globals over and over", "X\xf4\x01\x00\x00" + name + "q\x000", "h\x00h\x00\x930"},
		{"calls", "ca\nb\nq\x000", "h\x00)R0"},
		{"sets of a long list", "cbuiltins\nset\nq\x000](" + strings.Repeat("N", 1<<16) + "e\x85q\x010", "h\x00h\x01R0"},
		{"dicts of bad pairs", "ccollections\nOrderedDict\nq\x000](" + strings.Repeat("N", 1<<16) + "e\x85q\x010", "h\x00h\x01R0"},
		{"long keys", "X\x00\x00\x10\x00" + strings.Repeat("k", 1<<20) + "q\x000}", "h\x00Ns"},
		{"keys that are tuples", "}(" + strings.Repeat("K\x01", 1000) + "tq\x000", "h\x00Ns"},
	} {
		data := []byte(c.head + strings.Repeat(c.body, 1<<20/len(c.body)))
		before := allocated()
		Decode(data, Limits{MaxObjects: 1 << 20})
		if got := allocated() - before; got > allocBound(len(data)) {
			t.Errorf("%s: %d bytes allocated %d, over %d", c.name, len(data), got, allocBound(len(data)))
		}
	}
}

// FuzzPickle checks that any bytes give a value or an *Error, and what it costs.
func FuzzPickle(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.p[0-9]")
	for _, name := range names {
		f.Add(read(f, filepath.Base(name)))
	}
	f.Add([]byte("cposix\nsystem\n(U\x02idtR."))
	f.Add([]byte("((K\x01ia\nB\n(ca\nC\nK\x02ot."))
	f.Add([]byte("ca\nB\nK\x01\x85}U\x01kK\x02s\x92."))
	f.Add([]byte("(K\x01QPname\nS'\\x41'\nV\\u6a21\nF1.5\nI01\nt."))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := allocated()
		v, report, err := Decode(data, Limits{})
		if got := allocated() - before; got > allocBound(len(data)) {
			t.Errorf("%d bytes allocated %d", len(data), got)
		}
		if report == nil || report.Len > int64(len(data)) {
			t.Fatalf("report %v", report)
		}
		if err != nil {
			if _, ok := err.(*Error); !ok || v != nil {
				t.Fatalf("%v beside the error %v", v, err)
			}
			return
		}
		for _, g := range report.Globals {
			g.Unsafe()
		}
	})
}
