package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample has a cell of every sort.
func sample() *Table {
	return &Table{
		Title: "decay of two tables",
		Cols:  []Column{{Name: "source"}, {Name: "pairs", Numeric: true}, {Name: "mean", Numeric: true}, {Name: "rough", Numeric: true, Digits: 3}, {Name: "ok"}},
		Rows: [][]any{
			{"gpt2", 1023, 0.98765432109, 123.456, true},
			{"a,\"b\"\tc", 7, math.NaN(), -0.001, false},
			{"x", nil, 12.5, 1e-9, nil},
			{"", 0, math.Inf(-1), 2.0, true},
		},
		Notes: []string{"half-life: NA where the curve never falls to one half"},
	}
}

func TestWriteText(t *testing.T) {
	want := `decay of two tables

source        pairs         mean    rough  ok
gpt2           1023     0.987654  123      true
"a,\"b\"\tc"      7    NA          -0.001  false
x                NA    12.5         1e-09  NA
                  0  -Inf           2      true

* half-life: NA where the curve never falls to one half
`
	var b strings.Builder
	if err := WriteText(&b, sample(), 0); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteTextWidth(t *testing.T) {
	table := &Table{
		Cols: []Column{{Name: "tensor"}, {Name: "rows", Numeric: true}, {Name: "source"}},
		Rows: [][]any{
			{"transformer.encoder.embeddings.position_embeddings.weight", 512, "bert"},
			{"短い名前の位置埋め込みテーブルです", 1024, "a-rather-long-label"},
		},
		Notes: []string{"the first note is long enough to be broken", "second"},
	}
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, `tensor                                                     rows  source
transformer.encoder.embeddings.position_embeddings.weight   512  bert
短い名前の位置埋め込みテーブルです                         1024  a-rather-long-label

* the first note is long enough to be broken
* second
`},
		{40, `tensor            rows  source
transfor….weight   512  bert
短い名前…ルです   1024  a-rather…g-label

* the first note is long enough to be
  broken
* second
`},
		{1, `tensor    rows  source
tran…ght   512  bert
短い…す   1024  a-ra…bel

* the first note is long enough to be broken
* second
`},
	} {
		var b strings.Builder
		if err := WriteText(&b, table, c.width); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, b.String()); d != "" {
			t.Errorf("width %d: %s", c.width, d)
		}
	}
}

func TestWriteTextControls(t *testing.T) {
	table := &Table{
		Title: "red \x1b[31m",
		Cols:  []Column{{Name: "na\x07me"}},
		Rows:  [][]any{{"a\tb"}, {"bad \xff"}, {"\u202etxt"}, {"wörter 位置"}, {[]int{1}}},
		Notes: []string{"one\ntwo", "c1 \u009b"},
	}
	want := `"red \x1b[31m"

"na\ame"
"a\tb"
"bad \xff"
"\u202etxt"
wörter 位置
[1]

* one two
* "c1 \u009b"
`
	var b strings.Builder
	if err := WriteText(&b, table, 80); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		most int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcdef", 5, "ab…ef"},
		{"abcdef", 4, "ab…f"},
		{"abcdef", 1, "…"},
		{"abcdef", 0, ""},
		{"位置位置", 5, "位…置"},
		{"e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301…e\u0301"},
	} {
		got := shorten(c.s, c.most)
		if got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.s, c.most, got, c.want)
		}
		if columns(got) > c.most {
			t.Errorf("shorten(%q, %d) takes %d columns", c.s, c.most, columns(got))
		}
	}
}
