package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What several tables share is told once, and whose it is.
func TestNoteBook(t *testing.T) {
	type noted struct {
		source, tensor string
		notes          string // words with bars between them
	}
	layers := func(source, notes string, names ...string) []noted {
		var all []noted
		for _, name := range names {
			all = append(all, noted{source, name, notes})
		}
		return all
	}
	for name, c := range map[string]struct {
		tables []noted
		want   string
	}{
		"one":                {[]noted{{"a", "x", "n|m"}}, "a: n\na: m\n"},
		"none":               {[]noted{{"a", "x", ""}, {"b", "x", ""}}, ""},
		"three sources":      {[]noted{{"a", "x", "n"}, {"b", "y", "n|m"}, {"c", "z", "n"}}, "a, b, c: n\nb: m\n"},
		"all of four":        {[]noted{{"a", "", "n"}, {"b", "", "n"}, {"c", "", "n"}, {"d", "", "n"}}, "all 4 sources: n\n"},
		"four of five":       {[]noted{{"a", "", "n"}, {"b", "", "n"}, {"c", "", "n"}, {"d", "", "n"}, {"e", "", ""}}, "a, b and 2 more: n\n"},
		"the same twice":     {[]noted{{"a", "x", "n"}, {"b", "x", "n"}, {"a", "x", "n"}}, "a, b: n\n"},
		"layers":             {layers("a", "n", "l.0.w", "l.1.w", "l.2.w"), "a: n (all 3 tables)\n"},
		"two layers":         {layers("a", "n", "l.0.w", "l.1.w"), "a: n (both tables)\n"},
		"one of them":        {append(layers("a", "", "l.0.w", "l.1.w"), noted{"a", "l.2.w", "n"}), "a: n (l.2.w)\n"},
		"alike at the end":   {append(layers("a", "n", "l.0.attn.w", "l.1.attn.w"), layers("a", "", "l.0.mlp.w")...), "a: n (2 of 3 tables, *.attn.w)\n"},
		"alike at the start": {append(layers("a", "n", "enc.0.w", "enc.1.w"), layers("a", "", "dec.0.w")...), "a: n (2 of 3 tables, enc.*)\n"},
		"not alike":          {append(layers("a", "n", "l.0.w", "l.2.w"), layers("a", "", "l.1.w")...), "a: n (2 of 3 tables, the first is l.0.w)\n"},
		"a star in a name":   {append(layers("a", "n", "*.0.v", "*.1.v"), layers("a", "", "l.1.w")...), "a: n (2 of 3 tables, the first is *.0.v)\n"},
		"layers of two":      {append(layers("a", "n", "0", "1"), layers("b", "n", "0", "1")...), "a, b: n (all 4 tables)\n"},
		"some layers of two": {append(append(layers("a", "n", "0", "1"), layers("b", "n", "0")...), noted{"b", "1", ""}), "a, b: n (3 of 4 tables)\n"},
	} {
		var out strings.Builder
		a := &app{env: Env{Err: &out}}
		tell := a.gather()
		a.gather()() // one inside of another tells nothing by itself
		for _, n := range c.tables {
			var notes []string
			if n.notes != "" {
				notes = strings.Split(n.notes, "|")
			}
			a.book.add(tableName{n.source, n.tensor}, notes)
		}
		if out.Len() > 0 {
			t.Errorf("%s: told too early: %s", name, out.String())
		}
		tell()
		if d := cmp.Diff(c.want, strings.ReplaceAll(out.String(), "poslens: ", "")); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if a.book != nil {
			t.Errorf("%s: the book is still open", name)
		}
	}
}

// Which tables are used is told before the notes, of sources that are read alike once;
// under --verbose at once, a line a source.
func TestUsesShared(t *testing.T) {
	for verbose, want := range map[bool]string{
		false: "all 4 sources: using wpe: 8 positions\nb.pt: a note\n",
		true:  "a.pt: using wpe: 8 positions\nb.pt: using wpe: 8 positions\nc.pt: using wpe: 8 positions\nd.pt: using wpe: 8 positions\nb.pt: a note\n",
	} {
		var out strings.Builder
		a := &app{env: Env{Err: &out}, verbose: verbose}
		tell := a.gather()
		a.book.add(tableName{"b.pt", "wpe"}, []string{"a note"})
		for _, place := range []string{"a.pt", "b.pt", "c.pt", "d.pt"} {
			a.use(operand{raw: place}, &readingFlags{several: true}, "wpe: 8 positions")
		}
		tell()
		if d := cmp.Diff(want, strings.ReplaceAll(out.String(), "poslens: ", "")); d != "" {
			t.Errorf("verbose %v:\n%s", verbose, d)
		}
	}
}

// Many tables that differ in nothing but their names are told in a line.
func TestUsedTables(t *testing.T) {
	var u usedTables
	for _, name := range []string{"l.0.a", "l.0.b", "l.1.a", "l.1.b", "top"} {
		about := "3 offsets"
		if name == "top" {
			about = "9 positions"
		}
		if strings.HasSuffix(name, "b") {
			about = "5 offsets"
		}
		u.add(name+": "+about, name)
	}
	for _, verbose := range []bool{false, true} {
		var out strings.Builder
		u.tell(&app{env: Env{Err: &out}, verbose: verbose}, operand{raw: "m"}, &readingFlags{several: true})
		want := "m: using 2 tables, *.a: 3 offsets\nm: using 2 tables, *.b: 5 offsets\nm: using top: 9 positions\n"
		if verbose {
			want = "m: using l.0.a: 3 offsets\nm: using l.0.b: 5 offsets\nm: using l.1.a: 3 offsets\nm: using l.1.b: 5 offsets\nm: using top: 9 positions\n"
		}
		if d := cmp.Diff(want, strings.ReplaceAll(out.String(), "poslens: ", "")); d != "" {
			t.Errorf("verbose %v:\n%s", verbose, d)
		}
	}
}
