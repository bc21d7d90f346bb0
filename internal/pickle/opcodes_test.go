package pickle

import (
	"strings"
	"testing"
)

// How an opcode is handled.
const (
	asValue = "value"   // it makes plain data, or moves it about
	inert   = "inert"   // what it names or wants to call is written down, no more
	refused = "refused" // it ends the reading
)

// opcodeRow is an opcode: its name in CPython's Lib/pickletools.py, how it is
// handled, and a pickle around it with what comes of that.
type opcodeRow struct {
	code   byte
	name   string
	how    string
	pickle string
	want   string // as show prints it; of a refused one a part of the error
}

// opcodeRows are all opcodes of protocols 0 to 5.
var opcodeRows = []opcodeRow{
	{'I', "INT", asValue, "I7\n.", "7"},
	{'J', "BININT", asValue, "J\xfe\xff\xff\xff.", "-2"},
	{'K', "BININT1", asValue, "K\xff.", "255"},
	{'M', "BININT2", asValue, "M\x01\x01.", "257"},
	{'L', "LONG", asValue, "L7L\n.", "7"},
	{0x8a, "LONG1", asValue, "\x8a\x01\xff.", "-1"},
	{0x8b, "LONG4", asValue, "\x8b\x01\x00\x00\x00\x05.", "5"},
	{'S', "STRING", asValue, "S'a'\n.", `"a"`},
	{'T', "BINSTRING", asValue, "T\x01\x00\x00\x00a.", `"a"`},
	{'U', "SHORT_BINSTRING", asValue, "U\x01a.", `"a"`},
	{'B', "BINBYTES", asValue, "B\x01\x00\x00\x00a.", `b"a"`},
	{'C', "SHORT_BINBYTES", asValue, "C\x01a.", `b"a"`},
	{0x8e, "BINBYTES8", asValue, "\x8e\x01\x00\x00\x00\x00\x00\x00\x00a.", `b"a"`},
	{0x96, "BYTEARRAY8", asValue, "\x96\x01\x00\x00\x00\x00\x00\x00\x00a.", `b"a"`},
	{0x97, "NEXT_BUFFER", refused, "\x97.", "outside of the pickle"},
	{0x98, "READONLY_BUFFER", refused, "\x98.", "outside of the pickle"},
	{'N', "NONE", asValue, "N.", "None"},
	{0x88, "NEWTRUE", asValue, "\x88.", "True"},
	{0x89, "NEWFALSE", asValue, "\x89.", "False"},
	{'V', "UNICODE", asValue, "Va\n.", `"a"`},
	{0x8c, "SHORT_BINUNICODE", asValue, "\x8c\x01a.", `"a"`},
	{'X', "BINUNICODE", asValue, "X\x01\x00\x00\x00a.", `"a"`},
	{0x8d, "BINUNICODE8", asValue, "\x8d\x01\x00\x00\x00\x00\x00\x00\x00a.", `"a"`},
	{'F', "FLOAT", asValue, "F0.5\n.", "0.5"},
	{'G', "BINFLOAT", asValue, "G\x3f\xe0\x00\x00\x00\x00\x00\x00.", "0.5"},
	{']', "EMPTY_LIST", asValue, "].", "[]"},
	{'a', "APPEND", asValue, "]Na.", "[None]"},
	{'e', "APPENDS", asValue, "](NNe.", "[None, None]"},
	{'l', "LIST", asValue, "(Nl.", "[None]"},
	{')', "EMPTY_TUPLE", asValue, ").", "()"},
	{'t', "TUPLE", asValue, "(NNt.", "(None, None)"},
	{0x85, "TUPLE1", asValue, "N\x85.", "(None)"},
	{0x86, "TUPLE2", asValue, "NN\x86.", "(None, None)"},
	{0x87, "TUPLE3", asValue, "NNN\x87.", "(None, None, None)"},
	{'}', "EMPTY_DICT", asValue, "}.", "{}"},
	{'d', "DICT", asValue, "(K\x01Nd.", "{1: None}"},
	{'s', "SETITEM", asValue, "}K\x01Ns.", "{1: None}"},
	{'u', "SETITEMS", asValue, "}(K\x01Nu.", "{1: None}"},
	{0x8f, "EMPTY_SET", asValue, "\x8f.", "set()"},
	{0x90, "ADDITEMS", asValue, "\x8f(N\x90.", "set(None)"},
	{0x91, "FROZENSET", asValue, "(N\x91.", "set(None)"},
	{'0', "POP", asValue, "NK\x010.", "None"},
	{'2', "DUP", asValue, "N2\x86.", "(None, None)"},
	{'(', "MARK", asValue, "(t.", "()"},
	{'1', "POP_MARK", asValue, "N(K\x011.", "None"},
	{'g', "GET", asValue, "Np7\n0g7\n.", "None"},
	{'h', "BINGET", asValue, "Nq\x070h\x07.", "None"},
	{'j', "LONG_BINGET", asValue, "Nr\x07\x00\x00\x000j\x07\x00\x00\x00.", "None"},
	{'p', "PUT", asValue, "Np7\n.", "None"},
	{'q', "BINPUT", asValue, "Nq\x07.", "None"},
	{'r', "LONG_BINPUT", asValue, "Nr\x07\x00\x00\x00.", "None"},
	{0x94, "MEMOIZE", asValue, "N\x94.", "None"},
	{0x82, "EXT1", refused, "\x82\x01.", "registry of code"},
	{0x83, "EXT2", refused, "\x83\x01\x00.", "registry of code"},
	{0x84, "EXT4", refused, "\x84\x01\x00\x00\x00.", "registry of code"},
	{'c', "GLOBAL", inert, "cposix\nsystem\n.", "global posix.system"},
	{0x93, "STACK_GLOBAL", inert, "U\x05posixU\x06system\x93.", "global posix.system"},
	{'R', "REDUCE", inert, "cposix\nsystem\nU\x02id\x85R.", `posix.system("id")`},
	{'b', "BUILD", inert, "cm\nC\n)\x81K\x01b.", "m.C()<1>"},
	{'i', "INST", inert, "(U\x02idiposix\nsystem\n.", `posix.system("id")`},
	{'o', "OBJ", inert, "(cposix\nsystem\nU\x02ido.", `posix.system("id")`},
	{0x81, "NEWOBJ", inert, "cm\nC\n)\x81.", "m.C()"},
	{0x92, "NEWOBJ_EX", inert, "cm\nC\n)}\x92.", "m.C()"},
	{0x80, "PROTO", asValue, "\x80\x05N.", "None"},
	{'.', "STOP", asValue, "N.", "None"},
	{0x95, "FRAME", asValue, "\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", "None"},
	{'P', "PERSID", inert, "Pa\n.", `pers("a")`},
	{'Q', "BINPERSID", inert, "NQ.", "pers(None)"},
}

// TestEveryOpcode goes through all bytes: each is an opcode that is handled as
// its row says, or no opcode and refused.
func TestEveryOpcode(t *testing.T) {
	rows := map[byte]opcodeRow{}
	for _, r := range opcodeRows {
		if old, twice := rows[r.code]; twice {
			t.Errorf("%s and %s are both 0x%02x", old.name, r.name, r.code)
		}
		rows[r.code] = r
	}
	if len(rows) != 68 {
		t.Errorf("%d opcodes, and protocol 5 has 68", len(rows))
	}
	for i := range 256 {
		r, ok := rows[byte(i)]
		if !ok {
			v, _, err := Decode([]byte{byte(i), '.'}, Limits{})
			if e, isError := err.(*Error); v != nil || !isError || e.Kind != Corrupt || !strings.Contains(e.Msg, "is no opcode") {
				t.Errorf("0x%02x: %s %v", i, show(v), err)
			}
			continue
		}
		if !strings.Contains(r.pickle, string([]byte{r.code})) {
			t.Errorf("%s: not in its pickle %q", r.name, r.pickle)
		}
		v, _, err := Decode([]byte(r.pickle), Limits{})
		if r.how == refused {
			if v != nil || err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("%s: %s %v, want it refused: %s", r.name, show(v), err, r.want)
			}
			continue
		}
		if err != nil || show(v) != r.want {
			t.Errorf("%s: %s %v, want %s", r.name, show(v), err, r.want)
		}
		switch v.(type) {
		case *Global, *Object, *PersID:
			if r.how != inert {
				t.Errorf("%s: %s is no plain value", r.name, show(v))
			}
		default:
			if r.how != asValue {
				t.Errorf("%s: %s is not inert", r.name, show(v))
			}
		}
	}
}

// TestReportPersIDs: every reference to something outside is reported, wherever
// it stands, in the order of the file.
func TestReportPersIDs(t *testing.T) {
	_, report, err := Decode([]byte("K\x01Q0}(K\x05K\x02Qu]Pthird\na0."), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, id := range report.PersIDs {
		got = append(got, show(id))
	}
	if s := strings.Join(got, " "); s != `pers(1) pers(2) pers("third")` {
		t.Error(s)
	}
}
