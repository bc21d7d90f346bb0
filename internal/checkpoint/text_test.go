package checkpoint

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTextFixtures(t *testing.T) { runManifest(t, "text") }

// openedText opens a string as text, whatever it looks like.
func openedText(t testing.TB, text string, l Limits) (*File, error) {
	t.Helper()
	f, err := openText(t.Context(), memory([]byte(text)), l.withDefaults())
	if (f == nil) != (err != nil) {
		t.Fatalf("the file %v with the error %v", f, err)
	}
	return f, err
}

func TestText(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	two := [][]float64{{1, 2.5}, {-3, 4}}
	for _, c := range []struct {
		name, text string
		want       [][]float64
		meta       map[string]string
		warn       string // part of the only warning
	}{
		{name: "commas", text: "1,2.5\n-3,4\n", want: two},
		{name: "commas and spaces", text: " 1, 2.5 \n -3 , 4\n", want: two},
		{name: "tabs", text: "1\t2.5\n-3\t4\n", want: two},
		{name: "semicolons", text: "1;2.5\n-3;4", want: two},
		{name: "spaces", text: "  1   2.5\n -3 4  \n", want: two},
		{name: "spaces and tabs", text: "1 \t 2.5\n-3\t4\n", want: two},
		{name: "a tab among spaces", text: "1 2\t3\n4 5 6\n", want: [][]float64{{1, 2, 3}, {4, 5, 6}}},
		{name: "quotes", text: "\"1\" , \"2.5\"\n-3,\"4\"\n", want: two},
		{name: "quotes and spaces", text: "\"1\"  \"2.5\"\n\"-3\" 4\n", want: two},
		{name: "CR LF", text: "1,2.5\r\n-3,4\r\n", want: two},
		{name: "CR alone", text: "1,2.5\r-3,4\r", want: two},
		{name: "byte order mark", text: "\xef\xbb\xbf1,2.5\n-3,4", want: two},
		{name: "comments and empty lines", text: "# numpy\n\n1 2.5\n\n  # more\n-3 4\n\n\n", want: two},
		{name: "names", text: "a,b\n1,2.5\n-3,4\n", want: two},
		{name: "quoted names", text: "\"a, \"\"b\"\"\",c\n1,2.5\n-3,4\n", want: two},
		{name: "names below a comment", text: "# x\na b\n1 2.5\n-3 4\n", want: two},
		{name: "one name", text: "loss\n1\n2\n", want: [][]float64{{1}, {2}}},
		{name: "names with numbers", text: "layer,0,mean\n1,2,3\n", want: [][]float64{{1, 2, 3}}},
		{name: "words for numbers", text: "NA,nan,NaN,-nan\ninf,-INF,+Infinity,+Inf\n", want: [][]float64{{nan, nan, nan, nan}, {inf, -inf, inf, inf}}},
		{name: "all digits", text: "0.1,1e-320,-0,+.5,5.,1E3\n", want: [][]float64{{0.1, 1e-320, math.Copysign(0, -1), 0.5, 5, 1000}}},
		{name: "counted columns", text: "0,1,2,3\n4,5,6,7\n", want: [][]float64{{0, 1, 2, 3}, {4, 5, 6, 7}}, warn: "line 1 counts 0, 1, 2"},

		{name: "pandas", text: ",a,b\n0,1,2.5\n1,-3,4\n", want: two, meta: map[string]string{"text.index": ""}},
		{name: "pandas without names", text: ",0,1\n0,1,2.5\n1,-3,4\n", want: two, meta: map[string]string{"text.index": ""}},
		{name: "pandas, tabs", text: "\t0\t1\n0\t1\t2.5\n1\t-3\t4\n", want: two, meta: map[string]string{"text.index": ""}},
		{name: "index", text: "index,a,b\n0,1,2.5\n1,-3,4\n", want: two, meta: map[string]string{"text.index": "index"}},
		{name: "position", text: "position\t0\t1\n0\t1\t2.5\n1\t-3\t4\n", want: two, meta: map[string]string{"text.index": "position"}},
		{name: "position, spaces", text: "position 0 1\n5 1 2.5\n6 -3 4\n", want: two, meta: map[string]string{"text.index": "position", "poslens.positions": "5:1"}},
		{name: "position, one row", text: "position,0,1\n7,1,2.5\n", want: [][]float64{{1, 2.5}}, meta: map[string]string{"text.index": "position", "poslens.positions": "7:1"}},
		{name: "offset", text: "offset,0,1\n-1,1,2.5\n0,-3,4\n", want: two, meta: map[string]string{"text.index": "offset", "poslens.kind": "vectors", "poslens.offsets": "-1:1"}},
		{name: "offset of eleven rows", text: "offset,x\n-5,0\n-4,0\n-3,0\n-2,0\n-1,0\n0,0\n1,0\n2,0\n3,0\n4,0\n5,0\n", want: slices.Repeat([][]float64{{0}}, 11),
			meta: map[string]string{"text.index": "offset", "poslens.kind": "vectors", "poslens.offsets": "-5:6"}},

		{name: "every second position", text: "position,0\n1,1\n3,2\n5,4\n", want: [][]float64{{1}, {2}, {4}}, meta: map[string]string{"text.index": "position", "poslens.positions": "1:2"}},
		{name: "every second index", text: "index,0\n1,1\n3,2\n", want: [][]float64{{1, 1}, {3, 2}}, warn: "(line 3)"},
		{name: "positions with a gap", text: "position,0\n0,1\n1,1\n3,2\n", want: [][]float64{{0, 1}, {1, 1}, {3, 2}}, warn: `"position" is read as numbers of the table: it does not count up by one (line 4)`},
		{name: "falling positions", text: "position,0\n1,1\n0,2\n", want: [][]float64{{1, 1}, {0, 2}}, warn: "(line 3)"},
		{name: "positions that are no integers", text: "offset,0\n0.5,1\n1.5,2\n", want: [][]float64{{0.5, 1}, {1.5, 2}}, warn: "(line 2)"},
		{name: "another case", text: "Position,x\n0,1\n1,2\n", want: [][]float64{{0, 1}, {1, 2}}, warn: `"Position" counts up by one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := openedText(t, c.text, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			wantMatrix(t, f, c.want)
			if d := cmp.Diff(c.meta, f.meta, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("metadata: %s", d)
			}
			var got []Warning
			for _, w := range f.Warnings() {
				if w.Kind != NonFinite {
					got = append(got, w)
				}
			}
			if c.warn == "" && len(got) > 0 || c.warn != "" && (len(got) != 1 || !strings.Contains(got[0].Msg, c.warn)) {
				t.Errorf("warnings %v, want %q", got, c.warn)
			}
		})
	}
}

// wantMatrix checks the only tensor of a File, to the bit but for the sort of NaN.
func wantMatrix(t *testing.T, f *File, want [][]float64) {
	t.Helper()
	got, err := f.Tensor(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if shape := []int{len(want), len(want[0])}; !slices.Equal(got.Shape, shape) {
		t.Fatalf("shape %v, want %v", got.Shape, shape)
	}
	wantFloats(t, got.Data, slices.Concat(want...))
}

// wantFloats compares numbers; t is a *testing.T or a *rapid.T.
func wantFloats(t interface {
	Helper()
	Fatalf(string, ...any)
}, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for i, w := range want {
		if math.Float64bits(got[i]) != math.Float64bits(w) && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
			t.Fatalf("number %d is %v, want %v", i, got[i], w)
		}
	}
}

func TestTextErrors(t *testing.T) {
	long := strings.Repeat("wörter ", 100)
	for _, c := range []struct {
		name, text string
		kind       Kind
		msg        string // of the whole message when it starts with ^
	}{
		{"nothing", "", Empty, ""},
		{"white space", " \n\t\n", Empty, "no rows of numbers"},
		{"comments", "# a\n# b\n", Empty, "no rows of numbers"},
		{"names only", "a,b\n", Empty, "a line of names, but no rows"},
		{"an index alone", "position\n0\n1\n", Empty, `the column "position" alone`},

		{"empty cell", "1,2\n3,\n", Parse, "^line 2, column 2: the cell is empty, which is not 0 (NA stands for a missing value)"},
		{"empty cell in front", ",2,3\n4,5,6\n", Parse, "^line 1, column 1: the cell is empty"},
		{"empty cell in front of a count", ",0,1\n4,5,6\n9,9,9\n", Parse, "^line 1, column 1: the cell is empty"},
		{"empty cell, tabs", "1\t2\t3\n\t5\t6\n", Parse, "^line 2, column 1: the cell is empty"},
		{"row of empty cells", "1\t2\n\t\n", Parse, "^line 2, column 1: the cell is empty"},
		{"empty quotes", "1,2\n\"\",3\n", Parse, "^line 2, column 1: the cell is empty"},
		{"separator at the end", "1,2,\n3,4,\n", Parse, "^line 1, column 3: the cell is empty"},
		{"empty line of one column", "1\n\n2\n", Parse, "^line 2, column 1: the cell is empty"},

		{"word", "1,2\n3,x\n", Parse, `^line 2, column 2: "x" is not a number`},
		{"word in front of numbers", "x,2.5,3\n4,5,6\n", Parse, `^line 1, column 1: "x" is not a number`},
		{"word in the first row", "1,x,3\n4,5,6\n", Parse, `^line 1, column 2: "x" is not a number`},
		{"long word", "1,2\n3," + long + "\n", Parse, `^line 2, column 2: "` + long[:17*8+1] + `..." is not a number`},
		{"escape", "1,2\n3,\x1b[31m\n", Parse, `^line 2, column 2: "\x1b[31m" is not text`},
		{"NUL", "\x00,\x01\n3,4\n", Parse, "^line 1, column 1: "},
		{"escape in names", "a,b\x1b\n3,4\n", Parse, `^line 1, column 2: "b\x1b" is not text`},
		{"hexadecimal", "1,0x1p3\n", Parse, `"0x1p3" is not a number`},
		{"underscores", "1,1_000\n", Parse, `"1_000" is not a number`},
		{"out of range", "1,1e400\n", Parse, `^line 1, column 2: "1e400" does not fit a float64`},
		{"open quote", "1,2\n\"3,4\n", Parse, "^line 2, column 1: "},
		{"words after a quote", "1,2\n\"3\"x,4\n", Parse, `"\"3\"x" is not a number`},
		{"decimal commas", "1,5;2,5\n", Parse, `^line 1, column 1: "1,5" has a decimal comma`},
		{"decimal commas, tabs", "a\tb\n-0,5\t2,5e-3\n", Parse, `^line 2, column 1: "-0,5" has a decimal comma`},
		{"decimal commas, quotes", "\"0,5\",\"1,5\"\n", Parse, `"0,5" has a decimal comma`},
		{"decimal commas, spaces", "0,5 1,5\n", Parse, `^line 1, column 2: "5 1" is not a number`},
		{"a result", "source\tdistance\tmean\ngpt2\t1\t0.5\n", Parse, `^line 1, column 1: column "source" holds words: this is a result of poslens, not a matrix`},

		{"offsets of two axes", "dy,dx\t0\n-1,0\t0.5\n", Parse, `^line 1, column 1: column "dy,dx" holds offsets of two axes`},

		{"short row", "1,2,3\n4,5\n", BadShape, "^line 2: 2 fields, but the lines before have 3"},
		{"long row", "1 2 3\n4 5 6 7\n", BadShape, "^line 2: 4 fields, but the lines before have 3"},
		{"names too few", "a,b\n1,2,3\n", BadShape, "^line 2: 3 fields, but the names in line 1 are 2"},
		{"long row below a comment", "# x\n1 2\n# y\n3\n", BadShape, "^line 4: 1 field, but the lines before have 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := openedText(t, c.text, Limits{})
			wantFault(t, err, c.kind, c.msg)
		})
	}
}

// wantFault checks an error's kind, and its message: a part of it, or its
// beginning behind a ^.
func wantFault(t *testing.T, err error, k Kind, msg string) {
	t.Helper()
	if kindOf(err) != k {
		t.Fatalf("error %v of kind %q, want %s", err, kindOf(err), k)
	}
	if begin, ok := strings.CutPrefix(msg, "^"); ok && !strings.HasPrefix(err.Error(), begin) || !ok && !strings.Contains(err.Error(), msg) {
		t.Errorf("error %q, want %q", err, msg)
	}
}

func TestTextUTF16(t *testing.T) {
	const text = "position,ä\r\n0,0.5\r\n1,-2\r\n"
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		p := order.AppendUint16(nil, 0xfeff)
		for _, u := range utf16.Encode([]rune(text)) {
			p = order.AppendUint16(p, u)
		}
		t.Run(name, func(t *testing.T) {
			f, err := openedText(t, string(p), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			wantMatrix(t, f, [][]float64{{0.5}, {-2}})
		})
	}
}

func TestTextLimits(t *testing.T) {
	_, err := openedText(t, "1,2\n3,4\n", Limits{MaxText: 7})
	wantFault(t, err, TooLarge, "8 bytes of text")
	_, err = openedText(t, "1,2\n3,4\n", Limits{MaxElements: 3})
	wantFault(t, err, TooLarge, "line 2: over 3 numbers")
	_, err = openJSON(t.Context(), &blob{ReaderAt: strings.NewReader("[1,2]"), size: 5}, Limits{MaxText: 4}.withDefaults())
	wantFault(t, err, TooLarge, "5 bytes of text")
	_, err = openJSON(t.Context(), &blob{ReaderAt: strings.NewReader("[1,2]"), size: 5}, Limits{MaxElements: 1}.withDefaults())
	wantFault(t, err, TooLarge, "over 1 numbers")
}

// TestTextReads checks reads that end early, fail, or are cancelled.
func TestTextReads(t *testing.T) {
	for name, open := range map[string]opener{"text": openText, "json": openJSON} {
		t.Run(name, func(t *testing.T) {
			text := "1,2\n3,4\n"
			if name == "json" {
				text = "[1,2,"
			}
			_, err := open(t.Context(), &blob{ReaderAt: strings.NewReader(text), size: 100}, defaults)
			wantFault(t, err, Truncated, "")
			broken := errors.New("disk on fire")
			_, err = open(t.Context(), &blob{ReaderAt: brokenReader{broken}, size: 100}, defaults)
			wantFault(t, err, Unreadable, "")
			if !errors.Is(err, broken) {
				t.Errorf("error %v, want its cause", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err = open(ctx, &blob{ReaderAt: strings.NewReader(text), size: int64(len(text))}, defaults)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want a cancelled context's", err)
			}
		})
	}
}

// brokenReader fails every read.
type brokenReader struct{ err error }

func (b brokenReader) ReadAt([]byte, int64) (int, error) { return 0, b.err }

// TestTextLongLines has lines and tables longer than any buffer.
func TestTextLongLines(t *testing.T) {
	const rows, cols = 3, 50_000
	var b strings.Builder
	var want [][]float64
	b.WriteString("position")
	for j := range cols {
		fmt.Fprintf(&b, ",%d", j)
	}
	for i := range rows {
		row := make([]float64, cols)
		fmt.Fprintf(&b, "\r\n%d", i)
		for j := range row {
			row[j] = float64(i) + float64(j)/7
			fmt.Fprintf(&b, ",%v", row[j])
		}
		want = append(want, row)
	}
	f, err := openedText(t, b.String(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantMatrix(t, f, want)
}

// TestTextIsCopied gives every caller numbers of its own.
func TestTextIsCopied(t *testing.T) {
	f, err := openedText(t, "1,2\n", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.Tensor(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	first.Data[0] = 99
	wantMatrix(t, f, [][]float64{{1, 2}})
}

func FuzzText(f *testing.F) {
	seedFixtures(f, "text", 1<<14)
	for _, s := range []string{"position\t0\n0\t1\n", ",0,1\n0,1,2\n", "\"1\",\"\"\"\n", "1;2\r3;4", "\xff\xfe1\x00", "offset x\n-1 2\n0 NA"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzOpen(t, "table.csv", data)
		openedText(t, string(data), Limits{MaxElements: 1 << 16, MaxText: 1 << 20})
	})
}

func BenchmarkText(b *testing.B) {
	var s strings.Builder
	for i := range 512 * 768 {
		fmt.Fprintf(&s, "%v%c", math.Sin(float64(i)), "\t\n"[(i%768)/767])
	}
	text := s.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openedText(b, text, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
