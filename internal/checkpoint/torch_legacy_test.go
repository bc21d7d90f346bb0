package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// oneTwo is two tables over the storages "0" and "1".
var oneTwo = pkDict("a", oneRow, "b", pkTensor(pkStorage("FloatStorage", "1", 2), 0, []int{2}, []int{1}))

func TestTorchLegacy(t *testing.T) {
	module := pkTuple(pkText("module"), pkGlobal("__main__", "Net"), pkText("net.py"), pkText("import os\nos.system('echo > poslens-pwned.txt')")) + "Q"
	for _, c := range []struct {
		name, root string
		storages   int
		want       map[string][]float64
	}{
		{"two", oneTwo, 2, map[string][]float64{"a": {1, 2, 3, 4}, "b": {5, 6}}},
		{"a whole module, and its source", module + ")\x81" + pkDict("_parameters", pkDict("w", oneRow), "_modules", pkDict("sub", module+")\x81"+pkDict("_parameters", "}", "_buffers", pkDict("b", oneRow))+"b")) + "b", 1,
			map[string][]float64{"w": {1, 2, 3, 4}, "sub.b": {1, 2, 3, 4}}},
		{"the end of a part", pkDict("a", pkTensor(pkView("0", 4, 1, 3), 1, []int{2}, []int{1})), 1, map[string][]float64{"a": {3, 4}}},
		{"an empty part", pkDict("a", pkTensor(pkView("0", 4, 4, 0), 0, []int{0}, []int{1})), 1, map[string][]float64{"a": nil}},
		{"the first function", pkDict("a", pkGlobal("torch._utils", "_rebuild_tensor")+pkTuple(pkStorage("FloatStorage", "0", 4), pkInt(1), pkInts([]int{3}), pkInts([]int{1}))+"R"), 1, map[string][]float64{"a": {2, 3, 4}}},
		{"a parameter of version 0.3", pkDict("p", pkGlobal("torch.nn.parameter", "Parameter")+pkTuple(oneRow)+"\x81"+pkTuple("\x88", "\x89", "N")+"b"), 1, map[string][]float64{"p": {1, 2, 3, 4}}},
		{"a variable", pkDict("v", pkGlobal("torch.autograd.variable", "Variable")+pkTuple(oneRow)+"R"), 1, map[string][]float64{"v": {1, 2, 3, 4}}},
		{"keys of Python 2", "}U\x01a" + oneRow + "s", 1, map[string][]float64{"a": {1, 2, 3, 4}}},
	} {
		storages := [][]float32{{1, 2, 3, 4}, {5, 6}}
		f, err := openBytes(t, "x.pt", legacyOf(c.root, storages[:c.storages]...).bytes(), Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkListing(t, f)
		if len(f.Tensors()) != len(c.want) || f.Format != "torch" {
			t.Errorf("%s: %q of the format %s", c.name, namesOf(f), f.Format)
		}
		for name, want := range c.want {
			if got, err := f.Tensor(t.Context(), name); err != nil || !slices.Equal(got.Data, want) {
				t.Errorf("%s: %q is %v %v, want %v", c.name, name, got, err, want)
			}
		}
	}
	if _, err := os.Stat("poslens-pwned.txt"); err == nil {
		t.Error("poslens-pwned.txt is there")
	}
}

// TestTorchLegacyFaults has files that are refused as a whole.
func TestTorchLegacyFaults(t *testing.T) {
	good := func() legacyParts { return legacyOf(oneTwo, []float32{1, 2, 3, 4}, []float32{5, 6}) }
	for _, c := range []struct {
		name string
		harm func(*legacyParts)
		kind Kind
		says string
	}{
		{"another version", func(p *legacyParts) { p.version = "M\xe8\x03" }, Corrupt, "is not 1001"},
		{"no list of keys", func(p *legacyParts) { p.keys = "N" }, Corrupt, "no list of storages"},
		{"a key that is a number", func(p *legacyParts) { p.keys = pkList(pkInt(0)) }, Corrupt, "no text"},
		{"a key twice", func(p *legacyParts) { p.keys = pkList(pkText("0"), pkText("0")) }, DuplicateName, `"0" stands twice`},
		{"storages that are not there", func(p *legacyParts) { p.stores = nil }, Truncated, "8 bytes wanted"},
		{"a storage that is cut", func(p *legacyParts) { p.stores[1].data = "" }, Truncated, "8 bytes wanted"},
		{"a storage without end", func(p *legacyParts) {
			p.root = pkDict("a", pkTensor(pkStorage("FloatStorage", "0", 1<<60), 0, []int{4}, []int{1}))
		}, Truncated, ""},
		{"a count of the first that lies", func(p *legacyParts) { p.stores[0].count = 1 << 60 }, Corrupt, "counts 1152921504606846976 elements, but the pickle says 4"},
		{"a count below zero", func(p *legacyParts) { p.stores[0].count = -4 }, Corrupt, "counts -4 elements"},
		{"no key", func(p *legacyParts) { p.keys, p.stores = "]", nil }, Corrupt, `storage "0" is not in the file`},
		{"a key of nothing in front", func(p *legacyParts) { p.keys = pkList(pkText("x"), pkText("0")) }, Corrupt, `behind one of an unknown size, "x"`},
		{"no opcode", func(p *legacyParts) { p.root = "\xff" }, Corrupt, "the pickled objects: 0xff is no opcode"},
		{"an extension", func(p *legacyParts) { p.root = "\x82\x01" }, UnsafePickle, ""},
		{"no tensors", func(p *legacyParts) { p.root, p.keys, p.stores = pkDict("lr", pkInt(1)), "]", nil }, NotFound, "without tensors"},
	} {
		p := good()
		c.harm(&p)
		f, err := openBytes(t, "x.pt", p.bytes(), Limits{})
		if f != nil || kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s: %s", c.name, err, c.kind, c.says)
		}
	}
	p := good()
	p.magic = "\x8a\x01\x05"
	if _, err := openTorchLegacy(t.Context(), memory(p.bytes()), defaults); kindOf(err) != Corrupt {
		t.Errorf("another magic number: %v", err)
	}
}

// TestTorchLegacyBroken has one broken tensor beside a sound one.
func TestTorchLegacyBroken(t *testing.T) {
	with := func(broken string) legacyParts {
		return legacyOf(pkDict("bad", broken, "good", oneRow), []float32{1, 2, 3, 4})
	}
	unknown := with(pkTensor(pkStorage("FutureStorage", "1", 2), 0, []int{2}, []int{1}))
	unknown.keys = pkList(pkText("0"), pkText("1"))
	behind := with(pkTensor(pkStorage("FloatStorage", "2", 1), 0, []int{1}, []int{1}))
	behind.root = pkDict("bad", pkTensor(pkStorage("FloatStorage", "2", 1), 0, []int{1}, []int{1}), "good", oneRow, "other", pkStorage("FutureStorage", "1", 2))
	behind.keys = pkList(pkText("0"), pkText("1"), pkText("2"))
	lies := legacyOf(pkDict("good", oneRow, "bad", pkTensor(pkStorage("FloatStorage", "1", 2), 0, []int{2}, []int{1})), []float32{1, 2, 3, 4}, []float32{5, 6})
	lies.stores[1].count = 1
	for _, c := range []struct {
		name string
		p    legacyParts
		kind Kind
		says string
	}{
		{"a part past the storage", with(pkTensor(pkView("0", 4, 2, 3), 0, []int{1}, []int{1})), OutOfRange, "a part of a storage"},
		{"a negative part", with(pkTensor(pkView("0", 4, -1, 3), 0, []int{1}, []int{1})), OutOfRange, "a part of a storage"},
		{"a part that overflows", with(pkTensor(pkView("0", 4, 1<<62, 1<<62), 0, []int{1}, []int{1})), OutOfRange, "a part of a storage"},
		{"past its part", with(pkTensor(pkView("0", 4, 0, 2), 0, []int{3}, []int{1})), OutOfRange, "reaches 3 elements"},
		{"a part that is a number", with(pkTensor(pkTuple(pkText("storage"), pkGlobal("torch", "FloatStorage"), pkText("0"), pkText("cpu"), pkInt(4), pkInt(1))+"Q", 0, []int{1}, []int{1})), Corrupt, "no tuple"},
		{"a storage that is not there", with(pkTensor(pkStorage("FloatStorage", "7", 4), 0, []int{4}, []int{1})), Corrupt, `"7" is not in the file`},
		{"a storage of two sizes", legacyOf(pkDict("good", oneRow, "bad", pkTensor(pkStorage("FloatStorage", "0", 5), 0, []int{4}, []int{1})), []float32{1, 2, 3, 4}), Corrupt, "20 bytes here and 16 elsewhere"},
		{"a storage of an unknown class", unknown, UnsupportedDType, "FutureStorage"},
		{"a storage behind that", behind, Corrupt, "behind one of an unknown size"},
		{"a count that lies", lies, Corrupt, "counts 1 elements, but the pickle says 2"},
	} {
		f, err := openBytes(t, "x.pt", c.p.bytes(), Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkListing(t, f)
		if _, err := f.Tensor(t.Context(), "good"); err != nil {
			t.Errorf("%s spoils the tensor beside it: %v", c.name, err)
		}
		got, err := f.Tensor(t.Context(), "bad")
		var e *Error
		if got != nil || !errors.As(err, &e) || e.Kind != c.kind || e.Tensor != "bad" || !strings.Contains(e.Msg, c.says) {
			t.Errorf("%s: %v %v, want %s: %s", c.name, got, err, c.kind, c.says)
		}
	}
}

// TestTorchLegacySizes: storages that are not read have their place all the same.
func TestTorchLegacySizes(t *testing.T) {
	for class, width := range unreadWidths {
		p := legacyOf(pkDict("bad", pkTensor(pkStorage(class, "1", 3), 0, []int{3}, []int{1}), "good", pkTensor(pkStorage("FloatStorage", "2", 1), 0, []int{1}, []int{1})))
		p.keys = pkList(pkText("1"), pkText("2"))
		p.stores = []legacyStore{{"1", 3, strings.Repeat("x", 3*int(width))}, {"2", 1, floats(7)}}
		f, err := openBytes(t, "x.pt", p.bytes(), Limits{})
		if err != nil {
			t.Errorf("%s: %v", class, err)
			continue
		}
		if got, err := f.Tensor(t.Context(), "good"); err != nil || got.Data[0] != 7 {
			t.Errorf("behind a %s: %v %v", class, got, err)
		}
		if _, err := f.Tensor(t.Context(), "bad"); kindOf(err) != UnsupportedDType {
			t.Errorf("%s: %v", class, err)
		}
	}
}

// TestTorchLegacyHostile: what any of the pickles wants to call is not called, but
// told, and the table beside it is read.
func TestTorchLegacyHostile(t *testing.T) {
	call := pkGlobal("posix", "system") + pkTuple(pkText("echo > poslens-pwned.txt")) + "R"
	for name, harm := range map[string]func(*legacyParts){
		"beside the table":    func(p *legacyParts) { p.root = pkDict("x", call, "a", oneRow) },
		"as a state":          func(p *legacyParts) { p.root += call + "b" },
		"in the magic number": func(p *legacyParts) { p.magic = torchMagic + call + "0" },
		"in the version":      func(p *legacyParts) { p.version = call + "0" + p.version },
		"for the machine":     func(p *legacyParts) { p.machine = call },
		"in the list of keys": func(p *legacyParts) { p.keys = call + "0" + p.keys },
		"in a persistent id":  func(p *legacyParts) { p.root = call + "Q0" + p.root },
	} {
		p := legacyOf(pkDict("a", oneRow), []float32{1, 2, 3, 4})
		harm(&p)
		f, err := openBytes(t, "x.pt", p.bytes(), Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := f.Tensor(t.Context(), "a"); err != nil || !slices.Equal(got.Data, []float64{1, 2, 3, 4}) {
			t.Errorf("%s: %v %v", name, got, err)
		}
		if w := f.Warnings(); len(w) != 1 || w[0].Kind != UnsafeGlobal || !strings.Contains(w[0].Msg, `"posix.system"`) {
			t.Errorf("%s: warnings %v", name, w)
		}
	}
	p := legacyOf(pkDict("x", call))
	if _, err := openBytes(t, "x.pt", p.bytes(), Limits{}); kindOf(err) != UnsafePickle {
		t.Errorf("alone: %v", err)
	}
	if _, err := os.Stat("poslens-pwned.txt"); err == nil {
		t.Error("poslens-pwned.txt is there")
	}
}

// TestTorchLegacyForeign: the numbers are little-endian whatever machine wrote
// them; a big-endian one's counts may be either.
func TestTorchLegacyForeign(t *testing.T) {
	for _, c := range []struct {
		machine string
		swap    bool
		kind    Kind
	}{
		{pkDict("little_endian", "\x89"), true, ""},
		{pkDict("little_endian", "\x89"), false, ""},
		{pkDict("little_endian", "\x88"), true, Corrupt},
		{pkDict("protocol_version", pkInt(1001)), true, Corrupt},
		{"N", false, ""},
	} {
		p := legacyOf(oneRow, []float32{1, 2, 3, 4})
		p.machine = c.machine
		if c.swap {
			p.stores[0].count = 4 << 56
		}
		f, err := openBytes(t, "x.pt", p.bytes(), Limits{})
		if kindOf(err) != c.kind {
			t.Errorf("%q, swapped %v: %v", c.machine, c.swap, err)
		}
		if err != nil {
			continue
		}
		if got, err := f.Tensor(t.Context(), ""); err != nil || !slices.Equal(got.Data, []float64{1, 2, 3, 4}) {
			t.Errorf("%q: %v %v", c.machine, got, err)
		}
	}
}

// TestTorchLegacyTruncations cuts files everywhere: each time it says that the
// download is cut.
func TestTorchLegacyTruncations(t *testing.T) {
	everyTruncation(t, "torch", "flat.legacy.pt", true)
	for _, data := range [][]byte{legacyOf(oneTwo, []float32{1, 2, 3, 4}, []float32{5, 6}).bytes(), readFixture(t, "torch", "flat.legacy.pt")} {
		for n := range data {
			if _, err := openTorchLegacy(t.Context(), memory(data[:n]), defaults); kindOf(err) != Truncated {
				t.Errorf("cut at %d of %d: %v", n, len(data), err)
			}
		}
	}
}

// TestTorchLegacyProtocols: from protocol 4 on there are frames around pickles.
func TestTorchLegacyProtocols(t *testing.T) {
	framed := func(s string) string {
		s += "."
		return "\x95" + string(binary.LittleEndian.AppendUint64(nil, uint64(len(s)))) + s
	}
	p := legacyOf(oneRow, []float32{1, 2, 3, 4})
	var b []byte
	for _, s := range []string{p.magic, p.version, p.machine, p.root, p.keys} {
		b = append(b, "\x80\x04"+framed(s)...)
	}
	b = append(append(b, "\x04\x00\x00\x00\x00\x00\x00\x00"...), floats(1, 2, 3, 4)...)
	f, err := openBytes(t, "x.pt", b, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Tensor(t.Context(), ""); err != nil || !slices.Equal(got.Data, []float64{1, 2, 3, 4}) {
		t.Errorf("%v %v", got, err)
	}
}

// TestTorchLegacyReads counts what it costs to open a file of many storages and
// to read one tensor of them.
func TestTorchLegacyReads(t *testing.T) {
	const storages, elements = 50, 100_000
	for _, names := range []int{10, 10_000} { // bytes of a name: the pickle ends in the first window, or far behind it
		var root []string
		p := legacyOf("")
		var keys []string
		for i := range storages {
			key := fmt.Sprint(i)
			root = append(root, fmt.Sprintf("%d%s", i, strings.Repeat("x", names)), pkTensor(pkStorage("FloatStorage", key, elements), 0, []int{elements}, []int{1}))
			keys = append(keys, pkText(key))
			p.stores = append(p.stores, legacyStore{key, elements, floats(make([]float32, elements)...)})
		}
		root = append(root, "slice", pkTensor(pkStorage("FloatStorage", "20", elements), 50_000, []int{16, 32}, []int{32, 1}))
		p.root, p.keys = pkDict(root...), pkList(keys...)
		file := p.bytes()
		c := &counting{ReaderAt: bytes.NewReader(file)}
		before := allocated()
		f, err := (&blob{ReaderAt: c, size: int64(len(file))}).open(t.Context(), defaults)
		if err != nil {
			t.Fatal(err)
		}
		if most := int64(5*len(p.root) + 2*pickleWindow); c.read > most || c.calls > 6 {
			t.Errorf("opening read %d bytes in %d calls, over %d: the pickle has %d", c.read, c.calls, most, len(p.root))
		}
		if n := allocated() - before; n > 16<<20 {
			t.Errorf("opening allocated %d bytes", n)
		}
		for name, span := range map[string]int64{"7" + strings.Repeat("x", names): 4 * elements, "slice": 4 * 16 * 32} {
			c.read, c.calls = 0, 0
			if _, err := f.Tensor(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			if c.read != span+8 || c.calls > 3 {
				t.Errorf("%.10s: %d bytes in %d calls for a span of %d", name, c.read, c.calls, span)
			}
		}
	}
}

// TestTorchLegacyLongPickle: a pickle that does not end is not read to the end of
// a large file.
func TestTorchLegacyLongPickle(t *testing.T) {
	p := legacyOf(strings.Repeat("N0", 1<<20)+oneRow, []float32{1, 2, 3, 4})
	if f, err := openBytes(t, "x.pt", p.bytes(), Limits{}); err != nil {
		t.Error(err)
	} else if got, err := f.Tensor(t.Context(), ""); err != nil || got.Data[3] != 4 {
		t.Error(got, err)
	}
	file := p.bytes()
	c := &counting{ReaderAt: bytes.NewReader(file)}
	_, err := (&blob{ReaderAt: c, size: int64(len(file))}).open(t.Context(), Limits{MaxHeader: 1 << 20}.withDefaults())
	if kindOf(err) != HeaderTooLarge || c.read > 3<<20 {
		t.Errorf("%v, after %d bytes", err, c.read)
	}
	_, err = openBytes(t, "x.pt", legacyOf("\x8d\xff\xff\xff\xff\xff\xff\xff\x7f").bytes(), Limits{})
	if kindOf(err) != Truncated {
		t.Errorf("a text without end: %v", err)
	}
}

// TestTar: PyTorch's first files are refused by name, and other archives too.
func TestTar(t *testing.T) {
	for name, says := range map[string]string{"sys_info": "before 0.1.10", "pickle": "before 0.1.10", "model/x.pt": "a tar archive"} {
		tar := make([]byte, 1024)
		copy(tar, name)
		copy(tar[257:], "ustar\x0000")
		_, err := openTar(t.Context(), memory(tar), defaults)
		if kindOf(err) != Unsupported || !strings.Contains(err.Error(), says) || hintOf(err) == "" || !isTar(tar) {
			t.Errorf("%s: %v; %s", name, err, hintOf(err))
		}
	}
}

func FuzzTorchLegacy(f *testing.F) {
	seedFixtures(f, "torch", 8<<10)
	f.Add(legacyOf(oneTwo, []float32{1, 2, 3, 4}, []float32{5, 6}).bytes())
	f.Add(legacyOf(pkDict("a", pkTensor(pkView("0", 4, 1, 3), 1, []int{2}, []int{1})), []float32{1, 2, 3, 4}).bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzOpen(t, "x.pt", data)
		front := legacyOf("").bytes()
		front = front[:len(front)-len("\x80\x02.\x80\x02](e.")]
		fuzzOpen(t, "x.pt", append(front, data...)) // whatever it is, it is taken for the objects and what follows
	})
}
