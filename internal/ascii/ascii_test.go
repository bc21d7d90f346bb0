package ascii

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func ExampleFold() {
	fmt.Println(Fold("1 − cosine ± σ², 3 × 10⁻³ … naïve"))
	// Output: 1 - cosine +- sigma^2, 3 x 10^-3 ... naive
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"plain\t\x1b[0m\n":     "plain\t\x1b[0m\n",
		"a – b — c‑d":          "a - b - c-d",
		"8 × 8 · 2":            "8 x 8 . 2",
		"‘a’ “b”":              `'a' "b"`,
		"≤ ≥ ≈ → ∞ √2":         "<= >= ~ -> inf sqrt2",
		"x² + y¹⁰":             "x^2 + y^10",
		"½ ﬁ Å\u00a0ｗ":         "1/2 fi A w",
		"e\u0301":              "e", // an accent by itself
		"\u00b5 µ ὰ":           "mu mu alpha",
		"Straße, Łódź":         "Strasse, Lodz",
		"位置 0":                 "???? 0", // two columns each
		"מיקום":                "?????",
		"позиция":              "???????",
		"🙂":                    "??",
		"\u202eabc\u200b":      "abc", // turns and joins nothing
		"broken \xff":          "broken ?",
		"▁█ ⠿ │":               "?? ? ?",
		"Matérn 3/2, 50\u00b0": "Matern 3/2, 50deg",
	} {
		if got := Fold(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// Whatever is written, and in whatever pieces, comes out as ASCII, and the same.
func TestWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		if !utf8.ValidString(s) {
			t.Fatal("rapid gives UTF-8")
		}
		var b bytes.Buffer
		w := NewWriter(&b)
		for rest := []byte(s); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "bytes")
			if got, err := w.Write(rest[:n]); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		for _, c := range b.Bytes() {
			if c >= utf8.RuneSelf {
				t.Fatalf("%q", b.String())
			}
		}
		if utf8.RuneCountInString(s) == len(s) && b.String() != s {
			t.Fatalf("%q became %q", s, b.String())
		}
	})
	for _, pieces := range [][]string{{"a \xe2", "\x89", "\xa4 b"}, {"a ≤ b"}, {"", "a \xe2\x89", "\xa4 b"}} {
		var b bytes.Buffer
		w := NewWriter(&b)
		for _, p := range pieces {
			if _, err := w.Write([]byte(p)); err != nil {
				t.Fatal(err)
			}
		}
		if b.String() != "a <= b" {
			t.Errorf("%q became %q", pieces, b.String())
		}
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, p := range []string{"\xe2", "x"} {
		if _, err := w.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != "?x" {
		t.Errorf("a broken character: %q", b.String())
	}
	if _, err := NewWriter(full{}).Write([]byte("é")); err == nil {
		t.Error("a full disk is not told")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }
