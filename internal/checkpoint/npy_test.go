package checkpoint

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"poslens/internal/tensor"
)

func TestNPYFixtures(t *testing.T) { runManifest(t, "npy") }

func TestNPYTruncations(t *testing.T) {
	everyTruncation(t, "npy", "one_col.npy", true)
	everyTruncation(t, "npy", "version3.npy", true)
}

// npyOf builds an array's file of a version, its header's text and its data.
func npyOf(major byte, header string, data []byte) []byte {
	p := append([]byte(npyMagic), major, 0)
	if major == 1 {
		p = binary.LittleEndian.AppendUint16(p, uint16(len(header)))
	} else {
		p = binary.LittleEndian.AppendUint32(p, uint32(len(header)))
	}
	return append(append(p, header...), data...)
}

func TestNPYHeaders(t *testing.T) {
	dict := func(descr, fortran, shape string) string {
		return "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n"
	}
	f4 := func(shape string) string { return dict("'<f4'", "False", shape) }
	for _, c := range []struct {
		what   string
		header string
		kind   Kind // "" is good
	}{
		{"plain", f4("(2, 3)"), ""},
		{"no space", "{'descr':'<f4','fortran_order':False,'shape':(2,3)}", ""},
		{"lines", "{\n'descr'\t: '<f4',\r\n 'fortran_order': True, 'shape': (2,\n3,), }\n   ", ""},
		{"one dimension", f4("(2,)"), ""},
		{"no dimension", f4("()"), ""},
		{"long", f4("(2L, 3L)"), ""},
		{"plus", f4("(+2, 3)"), ""},
		{"a bracketed number is no tuple", f4("(2)"), Corrupt},
		{"a list is no tuple", f4("[2, 3]"), Corrupt},
		{"a number is no tuple", f4("2"), Corrupt},
		{"no comma", f4("(2 3)"), Corrupt},
		{"two commas", f4("(2,,3)"), Corrupt},
		{"a comma alone", f4("(,)"), Corrupt},
		{"negative", f4("(-2, 3)"), BadShape},
		{"two negatives", f4("(-2, -3)"), BadShape},
		{"past int64", f4("(99999999999999999999, 1)"), BadShape},
		{"overflow", f4("(4294967296, 4294967296)"), BadShape},
		{"too large", f4("(4294967296, 2)"), TooLarge},
		{"more than there is", f4("(2, 300)"), Truncated},
		{"float", f4("(2., 3)"), Corrupt},
		{"exponent", f4("(2e0, 3)"), Corrupt},
		{"hexadecimal", f4("(0x2, 3)"), Corrupt},
		{"underscore", f4("(2_0, 3)"), Corrupt},
		{"sign alone", f4("(-, 3)"), Corrupt},
		{"word", f4("(two, 3)"), Corrupt},
		{"boolean", f4("(True, 3)"), Corrupt},
		{"string", f4("('2', 3)"), Corrupt},
		{"arithmetic", f4("(1+1, 3)"), Corrupt},
		{"call", dict("__import__('os').system('id')", "False", "(2, 3)"), Corrupt},
		{"order as a number", dict("'<f4'", "0", "(2, 3)"), Corrupt},
		{"order as None", dict("'<f4'", "None", "(2, 3)"), Corrupt},
		{"True with more behind", dict("'<f4'", "Trueish", "(2, 3)"), Corrupt},
		{"descr as a number", dict("4", "False", "(2, 3)"), Corrupt},
		{"descr as nothing", dict("''", "False", "(2, 3)"), Corrupt},
		{"two orders", dict("'<>f4'", "False", "(2, 3)"), Corrupt},
		{"order alone", dict("'<'", "False", "(2, 3)"), Corrupt},
		{"key twice", "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", Corrupt},
		{"key of bytes", "{b'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", Corrupt},
		{"no colon", "{'descr' '<f4', 'fortran_order': False, 'shape': (2, 3)}", Corrupt},
		{"no end", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", Corrupt},
		{"open string", "{'descr': '<f4", Corrupt},
		{"open backslash", "{'descr': '\\", Corrupt},
		{"two dicts", f4("(2, 3)") + "{}", Corrupt},
		{"empty", "", Corrupt},
		{"a list", "[1, 2]", Corrupt},
		{"deep", "{'descr': " + strings.Repeat("[", 5000), Corrupt},
		{"deep and closed", dict(strings.Repeat("[", 40)+strings.Repeat("]", 40), "False", "(2, 3)"), Corrupt},
		{"as deep as it may be", dict(strings.Repeat("[", 20)+strings.Repeat("]", 20), "False", "(2, 3)"), UnsupportedDType},
		{"65 dimensions", f4("(" + strings.Repeat("1,", 65) + ")"), BadShape},
		{"objects", dict("'|O'", "False", "(2, 3)"), UnsafePickle},
		{"old objects", dict("'|O8'", "False", "(2, 3)"), UnsafePickle},
		{"objects in a field", dict("[('a', '<f4'), ('b', '|O')]", "False", "(2, 3)"), UnsafePickle},
		{"objects in a field's field", dict("[('a', [('b', '|O')])]", "False", "(2, 3)"), UnsafePickle},
		{"fields", dict("[('a', '<f4'), ('b', '<i2', (3,))]", "False", "(2, 3)"), UnsupportedDType},
		{"complex", dict("'<c16'", "False", "(2, 3)"), UnsupportedDType},
		{"text", dict("'<U7'", "False", "(2, 3)"), UnsupportedDType},
		{"bytes", dict("'|S7'", "False", "(2, 3)"), UnsupportedDType},
		{"time", dict("'<m8[ns]'", "False", "(2, 3)"), UnsupportedDType},
		{"void", dict("'|V1'", "False", "(2, 3)"), UnsupportedDType},
		{"unheard of", dict("'<q9'", "False", "(2, 3)"), UnsupportedDType},
	} {
		f, err := openBytes(t, "x", npyOf(1, c.header, make([]byte, 24)), Limits{})
		if kindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("%s: %v, want %q", c.what, err, c.kind)
		}
	}
}

// TestNPYVersions: the text is Latin-1 before version 3 and UTF-8 in it.
func TestNPYVersions(t *testing.T) {
	header := "{'descr': [('\xe9', '<f4')], 'fortran_order': False, 'shape': (1,)}"
	_, err := readNPYHeader(bytes.NewReader(npyOf(2, header, nil)))
	if kindOf(err) != UnsupportedDType || !strings.Contains(err.Error(), `"é"`) {
		t.Errorf("version 2: %v", err)
	}
	if _, err := readNPYHeader(bytes.NewReader(npyOf(3, header, nil))); kindOf(err) != Corrupt {
		t.Errorf("version 3: %v", err)
	}
	if _, err := readNPYHeader(bytes.NewReader(npyOf(4, header, nil))); kindOf(err) != Unsupported {
		t.Errorf("version 4: %v", err)
	}
	if _, err := readNPYHeader(strings.NewReader("\x93NUMPX\x01\x00....")); kindOf(err) != Corrupt {
		t.Errorf("another magic: %v", err)
	}
}

// TestNPYHeaderListed: what can't be read can still be listed.
func TestNPYHeaderListed(t *testing.T) {
	for _, descr := range []string{"<c8", "|O"} {
		h, err := readNPYHeader(bytes.NewReader(npyOf(1, "{'descr': '"+descr+"', 'fortran_order': True, 'shape': (4, 5)}", nil)))
		if err == nil || h.dtype != tensor.Invalid || h.stored != descr || !slices.Equal(h.shape, []int{4, 5}) || h.headerLen == 0 || !h.fortran {
			t.Errorf("%s: %+v, %v", descr, h, err)
		}
	}
}

// TestNPYStopsBehindHeader: the header's reader takes nothing of the data.
func TestNPYStopsBehindHeader(t *testing.T) {
	r := bytes.NewReader(npyOf(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}\n", []byte("data")))
	h, err := readNPYHeader(r)
	if err != nil || r.Len() != 4 || h.headerLen != r.Size()-4 {
		t.Errorf("%d bytes left behind a header of %d: %v", r.Len(), h.headerLen, err)
	}
}

func TestNPYOrders(t *testing.T) {
	data := []byte{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6}
	header := "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}"
	f, err := openBytes(t, "x.npy", npyOf(1, header, data), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	info := f.Tensors()[0]
	if info.Name != "" || info.Stored != ">i2" || info.DType != tensor.I16 || !slices.Equal(info.Strides, []int{1, 2}) {
		t.Errorf("%+v", info)
	}
	if got, err := f.Tensor(t.Context(), ""); err != nil || !slices.Equal(got.Data, []float64{1, 3, 5, 2, 4, 6}) {
		t.Errorf("%v, %v", got, err)
	}
	_, err = f.Tensor(t.Context(), "wpe")
	if kindOf(err) != NotFound {
		t.Errorf("another name: %v", err)
	}
}

// TestNPYAllocation: a header that claims much gets no memory for it.
func TestNPYAllocation(t *testing.T) {
	file := npyOf(2, "{'descr': '<f8', 'fortran_order': False, 'shape': (2000000000,)}", make([]byte, 80))
	before := allocated()
	if _, err := openBytes(t, "x", file, Limits{}); kindOf(err) != Truncated {
		t.Errorf("%v, want truncated", err)
	}
	if got := allocated() - before; got > 1<<20 {
		t.Errorf("%d bytes allocated", got)
	}
}
