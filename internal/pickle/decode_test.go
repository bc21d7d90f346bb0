package pickle

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// show prints a value much as Python's repr does; dicts keep their order.
func show(v Value) string {
	list := func(open string, items []Value, end string) string {
		parts := []string{}
		for _, item := range items {
			parts = append(parts, show(item))
		}
		return open + strings.Join(parts, ", ") + end
	}
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return strings.ToUpper(strconv.FormatBool(v)[:1]) + strconv.FormatBool(v)[1:]
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return strconv.Quote(v)
	case Bytes:
		return "b" + strconv.Quote(string(v))
	case *List:
		return list("[", v.Items, "]")
	case *Tuple:
		return list("(", v.Items, ")")
	case *Set:
		return list("set(", v.Items, ")")
	case *Dict:
		parts := []string{}
		for _, p := range v.Pairs {
			parts = append(parts, show(p.Key)+": "+show(p.Value))
		}
		s := "{" + strings.Join(parts, ", ") + "}"
		if v.State != nil {
			s += "<" + show(v.State) + ">"
		}
		return s
	case *Global:
		return "global " + v.String()
	case *PersID:
		return "pers(" + show(v.Value) + ")"
	case *Object:
		s := v.Class + list("(", v.Args.Items, ")")
		if v.State != nil {
			s += "<" + show(v.State) + ">"
		}
		if v.Items != nil {
			s += list("[", v.Items, "]")
		}
		if v.Dict != nil {
			s += show(v.Dict)
		}
		return s
	}
	return fmt.Sprintf("?%T", v)
}

// values is what testdata/make.py pickled.
var values = `{"ints": [1, -1, 255, 256, 65536, -129, 1099511627776, 9223372036854775807, -9223372036854775808, 9223372036854775808, 1267650600228229401496703205376, -1180591620717411303424], ` +
	`"floats": [1.5, +Inf, -2.25, 1e-300], "bools": (True, False, None), "tuples": ((), ("x"), (1, 2), (1, 2, 3), (1, 2, 3, 4)), ` +
	`"empty": [[], {}], "text": "é模\n\\u0041 😀", "long": "` + strings.Repeat("y", 300) + `", "shared": [[7], [7]], "ordered": {"k": 1, "j": 2}, (1, "z"): 3}`

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestProtocols(t *testing.T) {
	for p := range 6 {
		t.Run(strconv.Itoa(p), func(t *testing.T) {
			data := read(t, fmt.Sprintf("values.p%d", p))
			v, report, err := Decode(append(data, "behind"...), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(v); got != values {
				t.Errorf("got  %s\nwant %s", got, values)
			}
			if report.Len != int64(len(data)) {
				t.Errorf("Len %d, want %d", report.Len, len(data))
			}
			if len(report.Globals) != 1 || report.Globals[0].String() != "collections.OrderedDict" {
				t.Errorf("globals %v", report.Globals)
			}
			shared, _ := v.(*Dict).Get("shared")
			if l := shared.(*List).Items; l[0] != l[1] {
				t.Error("a shared list became two")
			}
		})
	}
}

func TestBytes(t *testing.T) {
	for p, array := range map[int]string{3: `builtins.bytearray(b"hi")`, 4: `builtins.bytearray(b"hi")`, 5: `b"hi"`} {
		v, _, err := Decode(read(t, fmt.Sprintf("bytes.p%d", p)), Limits{})
		want := `{"bytes": b"\x00\xffab", "set": set(3), "frozen": set(4), "array": ` + array + `}`
		if err != nil || show(v) != want {
			t.Errorf("protocol %d: %v %v, want %s", p, show(v), err, want)
		}
	}
}

// TestOpcodes has pickles written by hand, from the opcodes' descriptions in
// CPython's Lib/pickletools.py.
func TestOpcodes(t *testing.T) {
	for _, c := range []struct{ name, pickle, want string }{
		{"as many digits as may be", "L" + strings.Repeat("0", 4299) + "7L\n.", "7"},
		{"text integers", "(I00\nI01\nI-7\nL12L\nL-5\nI7\r\nt.", "(False, True, -7, 12, -5, 7)"},
		{"LONG1 and LONG4", "(\x8a\x00\x8a\x01\xff\x8a\x02\x00\x80\x8b\x01\x00\x00\x00\x05\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\xfft.", "(0, -1, -32768, 5, 9223372036854775807, -1)"},
		{"BININT has a sign, BININT2 none", "(J\xff\xff\xff\xffM\xff\xffK\xfft.", "(-1, 65535, 255)"},
		{"text floats", "(F1.5\nF1e400\nF-inf\nt.", "(1.5, +Inf, -Inf)"},
		{"quoted strings", "(S'a\\'b\\n\\x41\\101\\q'\nS\"c'\"\nS'\\xff'\nt.", `("a'b\nAA\\q", "c'", b"\xff")`},
		{"Python 2 strings", "(U\x02hiT\x02\x00\x00\x00\xc3\xa9U\x01\xfft.", `("hi", "é", b"\xff")`},
		{"raw unicode", "(V\xe9\\u6a21\\U0001f600\\x\nt.", `("é模😀\\x")`},
		{"memo", "]p5\n0g5\nq\xff0h\xff0g5\n.", "[]"},
		{"memo of 32 bits", "]r\xff\xff\xff\x7f0j\xff\xff\xff\x7f.", "[]"},
		{"MEMOIZE", "]\x94}\x940h\x00.", "[]"},
		{"DUP, POP, POP_MARK", "K\x012(K\x02K\x0310(0\x85.", "(1)"},
		{"list and dict from a mark", "((K\x01l(K\x02K\x03dt.", "([1], {2: 3})"},
		{"APPENDS, SETITEMS, ADDITEMS", "(](K\x01K\x02e}(K\x03NK\x04Nu\x8f(K\x05\x90t.", "([1, 2], {3: None, 4: None}, set(5))"},
		{"equal keys are one", "}(K\x01K\x0a\x88K\x0bG\x3f\xf0\x00\x00\x00\x00\x00\x00K\x0cu.", "{1: 12}"},
		{"equal tuples are one key", "}(K\x01K\x02\x86K\x0aK\x01K\x02\x86K\x0bu.", "{(1, 2): 11}"},
		{"a call stays a call", "cposix\nsystem\n(U\x02idtR.", `posix.system("id")`},
		{"an attribute of a call", "cbuiltins\ngetattr\n(K\x01tR(K\x02tR(K\x03tR.", "result of builtins.getattr(3)"},
		{"NEWOBJ and BUILD", "ca\nB\n)\x81}U\x01kK\x01sb.", `a.B()<{"k": 1}>`},
		{"NEWOBJ_EX", "ca\nB\nK\x01\x85}U\x01kK\x02s\x92.", `a.B(1, {"k": 2})`},
		{"INST and OBJ", "((K\x01ia\nB\n(ca\nC\nK\x02ot.", "(a.B(1), a.C(2))"},
		{"STACK_GLOBAL", "U\x01aU\x03B.C\x93.", "global a.B.C"},
		{"items of an object", "ca\nB\n)R(K\x01eK\x02a(K\x03K\x04u.", "a.B()[1, 2]{3: 4}"},
		{"OrderedDict with attributes", "ccollections\nOrderedDict\n)R}U\x01aK\x01sb.", `{}<{"a": 1}>`},
		{"Python 2's OrderedDict", "ccollections\nOrderedDict\n((](U\x01aK\x01e](U\x01bK\x02eltR.", `{"a": 1, "b": 2}`},
		{"defaultdict", "ccollections\ndefaultdict\n(c__builtin__\nlist\ntRU\x01aK\x01s.", `{"a": 1}`},
		{"a frozenset as a key", "}(K\x01\x91K\x02s.", "{set(1): 2}"},
		{"persistent ids", "(K\x01QPname\nt.", `(pers(1), pers("name"))`},
		{"an instance of a class outside", "(U\x06modulecm\nNet\nU\x04n.pyU\x04codetQ)\x81}U\x01kK\x01sb.", `m.Net()<{"k": 1}>`},
		{"a call of something outside", "K\x01Q)R.", "persistent id()"},
		{"a call of a tuple outside", "(U\x06moduleU\x01atQ)R.", "persistent id()"},
		{"a frame is a hint", "\x80\x04\x95\x01\x00\x00\x00\x00\x00\x00\x00K\x01.", "1"},
		{"a lone surrogate", "X\x03\x00\x00\x00\xed\xb3\xbf.", `"\xed\xb3\xbf"`},
		{"a float that is not a number", "G\x7f\xf8\x00\x00\x00\x00\x00\x00.", "NaN"},
	} {
		v, _, err := Decode([]byte(c.pickle), Limits{})
		if err != nil || show(v) != c.want {
			t.Errorf("%s: %s %v, want %s", c.name, show(v), err, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, pickle string
		kind         Kind
		off          int64
	}{
		{"nothing", "", Truncated, 0},
		{"no STOP", "K\x01", Truncated, 2},
		{"STOP at once", "\x80\x02.", Corrupt, 2},
		{"protocol 6", "\x80\x06N.", Corrupt, 0},
		{"no opcode", "N\x7f.", Corrupt, 1},
		{"a frame that is too long", "\x95\x00\x00\x00\x00\x00\x00\x00\x40N.", Truncated, 0},
		{"a text that is too long", "\x8d\x00\x00\x00\x00\x00\x00\x00\x40ab.", Truncated, 0},
		{"bytes that are too long", "\x8e\xff\xff\xff\xff\xff\xff\xff\xffab.", Truncated, 0},
		{"a negative length", "T\xff\xff\xff\xffab.", Corrupt, 0},
		{"a negative LONG4", "\x8b\xff\xff\xff\xffab.", Corrupt, 0},
		{"a long LONG4", "\x8b\x00\x00\x00\x10ab.", TooLarge, 0},
		{"digits without end", "I" + strings.Repeat("9", 5000) + "\n.", TooLarge, 0},
		{"one digit too many", "I" + strings.Repeat("9", 4301) + "\n.", TooLarge, 0},
		{"a word for a number", "Ix\n.", Corrupt, 0},
		{"a word for a float", "Fx\n.", Corrupt, 0},
		{"a float without end", "F" + strings.Repeat("9", 5000) + "\n.", TooLarge, 0},
		{"a line without end", "cposix\nsystem", Truncated, 0},
		{"no UTF-8", "X\x01\x00\x00\x00\xff.", Corrupt, 0},
		{"no quotes", "Sab\n.", Corrupt, 0},
		{"an escape that is cut", "S'\\x4'\n.", Corrupt, 0},
		{"a backslash at the end", "S'\\'\n.", Corrupt, 0},
		{"a \\u that is cut", "V\\u12\n.", Corrupt, 0},
		{"underflow", "K\x01\x86.", Corrupt, 2},
		{"below the mark", "K\x01(K\x02\x86.", Corrupt, 5},
		{"POP of nothing", "0.", Corrupt, 0},
		{"no mark", "K\x01t.", Corrupt, 2},
		{"a memo entry that is not there", "h\x05.", Corrupt, 0},
		{"a negative memo entry", "Np-1\n.", Corrupt, 1},
		{"a memo number that is none", "Npx\n.", Corrupt, 1},
		{"a memo number without end", "Np" + strings.Repeat("1", 30) + "\n.", Corrupt, 1},
		{"a list as a key", "}]Ns.", Corrupt, 3},
		{"a list in a tuple as a key", "}]\x85Ns.", Corrupt, 4},
		{"a dict with half a pair", "}(K\x01u.", Corrupt, 4},
		{"keys for a list", "]NNs.", Corrupt, 3},
		{"items for a number", "K\x01Na.", Corrupt, 3},
		{"items for no set", "](N\x90.", Corrupt, 3},
		{"a state for None", "NNb.", Corrupt, 2},
		{"a call of a number", "K\x05)R.", Corrupt, 3},
		{"arguments that are no tuple", "ca\nb\nNR.", Corrupt, 6},
		{"an instance of nothing", "(o.", Corrupt, 1},
		{"a global that is no text", "K\x01U\x01a\x93.", Corrupt, 5},
		{"a global of a long name", "c" + strings.Repeat("a", 600) + "\nb\n.", TooLarge, 0},
		{"an extension", "\x80\x02\x82\x01.", Unsafe, 2},
		{"a buffer from outside", "\x97.", Corrupt, 0},
		{"marks without end", strings.Repeat("(", 1<<16+1), TooLarge, 1 << 16},
		{"a stack without end", strings.Repeat("N", 1<<22+1), TooLarge, 1 << 22},
		{"objects without end", strings.Repeat("]0", 1<<22+1), TooLarge, 1 << 23},
	} {
		v, report, err := Decode([]byte(c.pickle), Limits{})
		e, ok := err.(*Error)
		if !ok || v != nil || report == nil || e.Kind != c.kind || e.Off != c.off {
			t.Errorf("%s: %v %v, want kind %d at %d", c.name, show(v), err, c.kind, c.off)
		}
	}
}

// TestTruncations cuts real pickles everywhere: what is left never has a value.
func TestTruncations(t *testing.T) {
	names, err := filepath.Glob("testdata/*.p[0-9]")
	if err != nil || len(names) < 9 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data := read(t, filepath.Base(name))
		for n := range data {
			_, _, err := Decode(data[:n], Limits{})
			if e, ok := err.(*Error); !ok || e.Kind != Truncated {
				t.Errorf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

// TestSelfReference has values that hold themselves, which must neither hang nor
// be unfolded.
func TestSelfReference(t *testing.T) {
	v, _, err := Decode([]byte("]q\x00h\x00a."), Limits{})
	if l, ok := v.(*List); err != nil || !ok || l.Items[0] != v {
		t.Errorf("a list of itself: %v", err)
	}
	v, _, err = Decode([]byte("}q\x00U\x01ah\x00s."), Limits{})
	if d, ok := v.(*Dict); err != nil || !ok || d.Pairs[0].Value != v {
		t.Errorf("a dict of itself: %v", err)
	}
	laughs := ")" + strings.Repeat("2\x86", 60) // each tuple holds the one before twice
	if _, _, err := Decode([]byte(laughs+"."), Limits{}); err != nil {
		t.Errorf("tuples that stand for 2^60: %v", err)
	}
	if _, _, err := Decode([]byte("}"+laughs+"Ns."), Limits{}); err == nil || err.(*Error).Kind != TooLarge {
		t.Errorf("the same as a dict's key: %v", err)
	}
}

func TestDict(t *testing.T) {
	d := &Dict{}
	for i := range 100 {
		if _, err := d.set(fmt.Sprint(i), int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.set("50", int64(-1)); err != nil {
		t.Fatal(err)
	}
	if v, ok := d.Get("50"); !ok || v != int64(-1) || len(d.Pairs) != 100 || d.Pairs[50].Key != "50" {
		t.Errorf("%v %v of %d", v, ok, len(d.Pairs))
	}
	if _, ok := d.Get("100"); ok {
		t.Error("a key that is not there")
	}
	big1, big2 := new(big.Int).Lsh(big.NewInt(1), 80), new(big.Int).Lsh(big.NewInt(1), 80)
	for _, same := range [][2]Value{
		{int64(0), false}, {float64(3), int64(3)}, {big1, big2},
		{&Tuple{[]Value{true, "x"}}, &Tuple{[]Value{1.0, "x"}}},
		{&Tuple{[]Value{Bytes("a"), nil, 1.5, big1}}, &Tuple{[]Value{Bytes("a"), nil, 1.5, big2}}},
	} {
		a, err1 := identity(same[0])
		b, err2 := identity(same[1])
		if err1 != nil || err2 != nil || a != b {
			t.Errorf("%s and %s are not one key: %v %v", show(same[0]), show(same[1]), a, b)
		}
	}
	for _, other := range [][2]Value{
		{"a", Bytes("a")}, {int64(1), "1"}, {big1, new(big.Int).Neg(big1)}, {math.NaN(), math.NaN()},
		{&Tuple{[]Value{"ab", "c"}}, &Tuple{[]Value{"a", "bc"}}}, {&Object{}, &Object{Class: "x"}},
		{&Tuple{nil}, nil},
	} {
		a, _ := identity(other[0])
		b, _ := identity(other[1])
		if a == b {
			t.Errorf("%s and %s are one key", show(other[0]), show(other[1]))
		}
	}
}

func TestUnsafe(t *testing.T) {
	for _, c := range []struct {
		module, name     string
		unsafe, harmless bool
	}{
		{"posix", "system", true, false},
		{"os", "system", true, false},
		{"os.path", "join", true, false},
		{"subprocess", "Popen", true, false},
		{"builtins", "eval", true, false},
		{"__builtin__", "getattr", true, false},
		{"builtins", "type", true, false},
		{"torch.hub", "os", true, false},
		{"torch.hub", "load", true, false},
		{"anything", "os.system", true, false},
		{"anything", "f.__globals__", true, false},
		{"importlib", "import_module", true, false},
		{"ctypes", "CDLL", true, false},
		{"torch", "load", true, false},
		{"operator", "attrgetter", true, false},
		{"builtins", "set", false, true},
		{"__builtin__", "complex", false, true},
		{"builtins", "bytearray", false, true},
		{"collections", "OrderedDict", false, true},
		{"_codecs", "encode", false, true},
		{"torch._utils", "_rebuild_tensor_v2", false, false},
		{"argparse", "Namespace", false, false},
		{"__main__", "Net", false, false},
		{"ossify", "Net", false, false},
	} {
		g := &Global{Module: c.module, Name: c.name, full: c.module + "." + c.name}
		if g.Unsafe() != c.unsafe || g.Harmless() != c.harmless {
			t.Errorf("%s: unsafe %v, harmless %v", g, g.Unsafe(), g.Harmless())
		}
	}
}
