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
		{1, `tensor    rows
tran…ght   512
短い…す   1024

tensor    source
tran…ght  bert
短い…す   a-ra…bel

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

// Numbers that find no room in a line go below, behind the words again.
func TestWriteTextStacked(t *testing.T) {
	table := &Table{
		Cols: []Column{{Name: "source"}, {Name: "kind"}, {Name: "positions", Numeric: true}, {Name: "width", Numeric: true}, {Name: "mean_of_all", Numeric: true}, {Name: "ok"}},
		Rows: [][]any{{"gpt2", "a", 1024, 768, 0.5, true}, {"bert", "b", 512, 64, 0.25, false}},
	}
	for width, want := range map[int]string{
		50: `source  kind  positions  width  mean_of_all  ok
gpt2    a          1024    768         0.5   true
bert    b           512     64         0.25  false
`,
		49: `source  kind  positions  width  mean_of_all
gpt2    a          1024    768         0.5
bert    b           512     64         0.25

source  kind  ok
gpt2    a     true
bert    b     false
`,
		26: `source  kind  positions
gpt2    a          1024
bert    b           512

source  kind  width
gpt2    a       768
bert    b        64

source  kind  mean_of_all
gpt2    a            0.5
bert    b            0.25

source  kind  ok
gpt2    a     true
bert    b     false
`,
	} {
		var b strings.Builder
		if err := WriteText(&b, table, width); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Errorf("width %d: %s", width, d)
		}
	}
}

// Where words do not tell the rows apart, each part has the column that does.
func TestWriteTextStackedKey(t *testing.T) {
	table := &Table{
		Cols: []Column{{Name: "source"}, {Name: "distance", Numeric: true}, {Name: "mean", Numeric: true}, {Name: "std", Numeric: true}},
		Rows: [][]any{{"gpt2", 0, 1.0, 0.5}, {"gpt2", 1, 0.5, 0.5}},
	}
	for width, want := range map[int]string{
		23: `source  distance  mean
gpt2           0   1
gpt2           1   0.5

source  distance  std
gpt2           0  0.5
gpt2           1  0.5
`,
		21: `source  distance
gpt2           0
gpt2           1

source  mean  std
gpt2     1    0.5
gpt2     0.5  0.5
`, // no room for it
	} {
		var b strings.Builder
		if err := WriteText(&b, table, width); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Errorf("width %d: %s", width, d)
		}
	}
}

func TestWriteASCII(t *testing.T) {
	table := &Table{
		Title: "Größe ± 1 σ",
		Cols:  []Column{{Name: "naïve"}, {Name: "x²", Numeric: true}},
		Rows:  [][]any{{"位置 — encoding", 1}, {"a × b · c", 20.5}},
		Notes: []string{"≤ 1 …"},
	}
	for width, want := range map[int]string{
		0: `Grosse +- 1 sigma

naive             x^2
???? - encoding   1
a x b . c        20.5

* <= 1 ...
`,
		17: `Grosse +- 1 sigma

naive         x^2
????...ding   1
a x b . c    20.5

* <= 1 ...
`,
	} {
		var b strings.Builder
		if err := WriteASCII(&b, table, width); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Errorf("width %d: %s", width, d)
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
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abcdef", 5, "ab…ef"},
		{"abcdef", 4, "ab…f"},
		{"abcdef", 1, "…"},
		{"abcdef", 0, ""},
		{"位置位置", 5, "位…置"},
		{"e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301…e\u0301"},
	} {
		got := shorten(c.s, c.most, "…")
		if got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.s, c.most, got, c.want)
		}
		if columns(got) > c.most {
			t.Errorf("shorten(%q, %d) takes %d columns", c.s, c.most, columns(got))
		}
	}
	for most, want := range []string{"", "", "", "...", "a...", "a...f", "abcdef"} {
		if got := shorten("abcdef", most, "..."); got != want {
			t.Errorf("shorten to %d = %q, want %q", most, got, want)
		}
	}
}

// Words that shortening would make alike are kept whole where they leave room for
// numbers, a column that belongs to the one before stays with it, and words that may be
// broken into lines lose nothing.
func TestWriteTextKeepsMeaning(t *testing.T) {
	names := &Table{
		Cols: []Column{{Name: "metric"}, {Name: "shuffled_z", Numeric: true}, {Name: "p", Numeric: true, Joined: true}, {Name: "gaussian_z", Numeric: true}, {Name: "p", Numeric: true, Joined: true}},
		Rows: [][]any{{"toeplitz_cosine_diagonal", 1.5, 0.01, 2.5, 0.25}, {"toeplitz_centred_diagonal", 12.0, 0.5, 3.5, 0.5}},
	}
	words := &Table{
		Cols: []Column{{Name: "figure"}, {Name: "value", Numeric: true}, {Name: "what it is", Wrap: true}, {Name: "last", Numeric: true}},
		Rows: [][]any{{"cka", 0.5, "1 but for rotation and scale", 1}, {"chance", 0.25, "short", 2}},
	}
	for _, c := range []struct {
		table *Table
		width int
		want  string
	}{
		{names, 56, `metric                     shuffled_z     p
toeplitz_cosine_diagonal          1.5  0.01
toeplitz_centred_diagonal        12    0.5

metric                     gaussian_z     p
toeplitz_cosine_diagonal          2.5  0.25
toeplitz_centred_diagonal         3.5  0.5
`},
		{words, 36, `figure  value  what it is    last
cka      0.5   1 but for        1
               rotation and
               scale
chance   0.25  short            2
`},
		{words, 80, `figure  value  what it is                    last
cka      0.5   1 but for rotation and scale     1
chance   0.25  short                            2
`},
	} {
		var b strings.Builder
		if err := WriteText(&b, c.table, c.width); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, b.String()); d != "" {
			t.Errorf("width %d:\n%s", c.width, d)
		}
	}
}
