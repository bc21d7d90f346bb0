package posemb

import (
	"cmp"
	"errors"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

// matrixOf gives a table's matrix.
func matrixOf(t *testing.T, table Table) *mat.Dense {
	t.Helper()
	switch v := table.(type) {
	case *Absolute:
		return v.Table
	case *Vectors:
		return v.Table
	case *Bias:
		return v.Scores
	}
	t.Fatalf("a table of type %T", table)
	return nil
}

// The registry's defaults are words in a help text: they must be what the options'
// zero values do, as must every word that a parameter lists.
func TestGeneratorsDefaults(t *testing.T) {
	for _, g := range Generators {
		spelled := map[string]string{}
		for _, p := range g.Params {
			spelled[p.Name] = p.Default
			if p.Doc == "" || g.Doc == "" {
				t.Errorf("%s %s: no doc", g.Name, p.Name)
			}
			for _, word := range p.Values {
				if _, err := Generate(g.Name, map[string]string{p.Name: word}); err != nil {
					t.Errorf("%s %s=%s: %v", g.Name, p.Name, word, err)
				}
			}
		}
		bare, err := Generate(g.Name, nil)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		full, err := Generate(g.Name, spelled)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		if !mat.Equal(matrixOf(t, bare), matrixOf(t, full)) {
			t.Errorf("%s: spelling the defaults out changes the table", g.Name)
		}
		if diff := gocmp.Diff(Origin{Label: g.Name}, *bare.From()); diff != "" {
			t.Errorf("%s: origin (-want +got)\n%s", g.Name, diff)
		}
		if diff := gocmp.Diff(full.Remarks(), bare.Remarks()); diff != "" || len(bare.Remarks()) != 1 {
			t.Errorf("%s: notes %q", g.Name, bare.Remarks())
		}
		if a, ok := bare.(*Absolute); ok && (a.Stride != 1 || a.First != 0) {
			t.Errorf("%s: first %d, stride %d", g.Name, a.First, a.Stride)
		}
	}
}

// Every parameter reaches the table: another value makes another one.
func TestGenerateParams(t *testing.T) {
	other := map[string]string{"n": "37", "d": "18", "kernel": "matern32", "length": "2.5", "noise": "0.5", "seed": "43",
		"reach": "7", "amplitude": "-2", "peak": "1", "back": "3", "ahead": "0.25",
		"base": "500", "layout": "concatenated", "frequencies": "timescales", "std": "0.001",
		"rows": "9", "cols": "13", "heads": "5", "sides": "both", "buckets": "20", "max": "77", "rule": "t5-causal",
		"sinusoid-2d d": "20", "sinusoid-2d frequencies": "simple-vit"} // of one kind only, where the word alone would be another's
	for _, g := range Generators {
		bare, err := Generate(g.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range g.Params {
			value := cmp.Or(other[g.Name+" "+p.Name], other[p.Name])
			changed, err := Generate(g.Name, map[string]string{p.Name: value})
			if err != nil {
				t.Errorf("%s %s=%s: %v", g.Name, p.Name, value, err)
				continue
			}
			if mat.Equal(matrixOf(t, bare), matrixOf(t, changed)) {
				t.Errorf("%s: %s changes nothing", g.Name, p.Name)
			}
			if note := changed.Remarks()[0]; !strings.Contains(note, value) || note == bare.Remarks()[0] {
				t.Errorf("%s: note %q does not tell %s", g.Name, note, p.Name)
			}
		}
	}
}

func TestGenerateErrors(t *testing.T) {
	for _, c := range []struct {
		kind, name, value string
		msg, hint         string // parts of them
	}{
		{"smoth", "", "", `unknown kind of table "smoth"`, `did you mean "smooth"? the kinds are smooth, locality, sinusoid, sinusoid-2d, alibi, rotary, t5, random`},
		{"sin", "", "", `unknown kind of table "sin"`, `did you mean "sinusoid"?`},
		{"", "", "", `unknown kind of table ""`, "the kinds are smooth, "},
		{"helix", "", "", `unknown kind of table "helix"`, "the kinds are smooth, "},
		{"smooth", "lenght", "3", `smooth has no parameter "lenght"`, `did you mean "length"? smooth takes n, d, kernel, length, noise, seed`},
		{"random", "zzz", "3", `random has no parameter "zzz"`, "random takes n, d, std, seed"},
		{"smooth", "n", "0", `n is "0", expected a whole number of at least 1`, ""},
		{"smooth", "n", "-3", `n is "-3", expected a whole number of at least 1`, ""},
		{"smooth", "n", "12.5", `n is "12.5", expected a whole number of at least 1`, ""},
		{"smooth", "n", "99999999999999999999", "expected a whole number", ""},
		{"smooth", "n", "33554432", "expected at most 16777216", ""},
		{"smooth", "d", "100000000", "over the 268435456 numbers", ""},
		{"random", "n", "9223372036854775807", "over the 268435456 numbers", ""},
		{"smooth", "kernel", "matern", `kernel is "matern", expected one of squared-exponential, exponential, matern32`, `did you mean "matern32"?`},
		{"smooth", "kernel", "", `kernel is "", expected a word`, ""},
		{"smooth", "length", "0", `length is "0", expected a finite number above 0`, ""},
		{"smooth", "length", "NaN", `length is "NaN", expected a finite number above 0`, ""},
		{"smooth", "length", "inf", `length is "inf"`, ""},
		{"smooth", "length", "1e-200", "expected a number from 1e-100 to 1e+100", ""},
		{"smooth", "noise", "1.5", "noise is 1.5, expected a number from 0 to 1", ""},
		{"smooth", "noise", "-0.1", "noise is -0.1, expected a number from 0 to 1", ""},
		{"smooth", "noise", "nan", `noise is "nan", expected a finite number`, ""},
		{"smooth", "noise", "8.7%", `noise is "8.7%", expected a finite number`, ""},
		{"smooth", "seed", "-1", "expected a whole number from 0 to 4294967295", ""},
		{"smooth", "seed", "4294967296", "expected a whole number from 0 to 4294967295", ""},
		{"locality", "reach", "200000000", "expected 1 to 134217728", ""},
		{"locality", "noise", "-1", "noise is -1", ""},
		{"locality", "amplitude", "Inf", `amplitude is "Inf"`, ""},
		{"locality", "peak", "1e200", "peak is 1e+200", ""},
		{"locality", "back", "0", `back is "0", expected a finite number above 0`, ""},
		{"locality", "ahead", "-1", `ahead is "-1", expected a finite number above 0`, ""},
		{"sinusoid", "d", "7", "d is 7, expected an even number", ""},
		{"sinusoid", "base", "0.5", "base is 0.5", ""},
		{"sinusoid", "layout", "concat", `layout is "concat"`, `did you mean "concatenated"?`},
		{"sinusoid", "frequencies", "whisper", `frequencies is "whisper", expected one of vaswani, timescales`, ""},
		{"random", "std", "-0.02", "std is -0.02", ""},
		{"sinusoid2d", "", "", `unknown kind of table "sinusoid2d"`, `did you mean "sinusoid-2d"?`},
		{"sinusoid-2d", "d", "6", "d is 6, expected a multiple of 4", ""},
		{"sinusoid-2d", "rows", "9223372036854775807", "over the 268435456 numbers", ""},
		{"sinusoid-2d", "cols", "100000", "1400000 rows x d 768 is over the 268435456 numbers", ""},
		{"sinusoid-2d", "base", "0.1", "base is 0.1", ""},
		{"sinusoid-2d", "frequencies", "simple", `frequencies is "simple", expected one of mae, simple-vit`, `did you mean "simple-vit"?`},
		{"alibi", "heads", "0", `heads is "0", expected a whole number of at least 1`, ""},
		{"alibi", "heads", "9223372036854775807", "over the 268435456 numbers", ""},
		{"alibi", "reach", "1000001", "reach is 1000001, expected 1 to 1000000", ""},
		{"alibi", "sides", "ahead", `sides is "ahead", expected one of back, both`, ""},
		{"rotary", "d", "7", "d is 7, expected an even number", ""},
		{"rotary", "d", "1000000000", "500000000 cosines for each of 129 distances are over the 268435456", ""},
		{"rotary", "reach", "0", `reach is "0"`, ""},
		{"rotary", "base", "1e200", "base is 1e+200", ""},
		{"t5", "buckets", "3", "3 buckets are too few for the rule t5", ""},
		{"t5", "buckets", "1000000000", "over the 268435456 numbers", ""},
		{"t5", "max", "8", "a largest distance of 8 is not above the 8 distances with a bucket each", ""},
		{"t5", "max", "1000001", "a largest distance of 1000001; 1000000 is the most", ""},
		{"t5", "heads", "1000001", "offsets up to 128 of 1000001 heads are over the 134217728 numbers", ""},
		{"t5", "rule", "t5-casual", `rule is "t5-casual", expected one of t5, t5-causal`, `did you mean "t5-causal"?`},
	} {
		var values map[string]string
		if c.name != "" {
			values = map[string]string{c.name: c.value}
		}
		table, err := Generate(c.kind, values)
		var fault *OptionError
		if table != nil || !errors.As(err, &fault) {
			t.Errorf("%s %s=%s: %v, %v, want an OptionError", c.kind, c.name, c.value, table, err)
			continue
		}
		if !strings.Contains(fault.Msg, c.msg) || !strings.Contains(fault.Hint, c.hint) {
			t.Errorf("%s %s=%s: %q, hint %q", c.kind, c.name, c.value, fault.Msg, fault.Hint)
		}
	}

	_, err := Generate("sinusoid", map[string]string{"d": "2", "frequencies": "timescales"})
	if err == nil || !strings.Contains(err.Error(), "d is 2, expected at least 4") {
		t.Errorf("two timescale components: %v", err)
	}
	_, err = Generate("sinusoid-2d", map[string]string{"d": "4", "frequencies": "simple-vit"})
	if err == nil || !strings.Contains(err.Error(), "d is 4, expected at least 8") {
		t.Errorf("one frequency of SimpleViT: %v", err)
	}
	if _, err := Generate("sinusoid", map[string]string{"d": "2"}); err != nil {
		t.Errorf("two components: %v", err)
	}
}

// Options of the wrong size or NaN are refused without the registry, too.
func TestOptionsErrors(t *testing.T) {
	nan := math.NaN()
	for i, err := range []error{
		errorOf(Smooth(SmoothOptions{N: -1})), errorOf(Smooth(SmoothOptions{Length: nan})), errorOf(Smooth(SmoothOptions{Noise: &nan})),
		errorOf(Smooth(SmoothOptions{Length: math.Inf(1)})), errorOf(Locality(LocalityOptions{Peak: nan})),
		errorOf(Locality(LocalityOptions{Reach: -1})), errorOf(Locality(LocalityOptions{Width: -1})),
		errorOf(Sinusoid(SinusoidOptions{Base: nan})), errorOf(Sinusoid(SinusoidOptions{D: -2})),
		errorOf(Random(RandomOptions{Std: &nan})), errorOf(Random(RandomOptions{D: -1})),
		errorOf(SinusoidGrid(SinusoidGridOptions{Rows: -1})), errorOf(SinusoidGrid(SinusoidGridOptions{Cols: -1})), errorOf(SinusoidGrid(SinusoidGridOptions{D: -4})),
		errorOf(SinusoidGrid(SinusoidGridOptions{Base: nan})), errorOf(Alibi(AlibiOptions{Heads: -1})), errorOf(Alibi(AlibiOptions{Reach: -1})),
		errorOf(Rotary(RotaryOptions{D: -2})), errorOf(Rotary(RotaryOptions{Reach: -1})), errorOf(Rotary(RotaryOptions{Base: nan})),
		errorOf(BucketBias(BucketBiasOptions{Heads: -1})), errorOf(BucketBias(BucketBiasOptions{Buckets: -1})), errorOf(BucketBias(BucketBiasOptions{Max: -1})),
	} {
		var fault *OptionError
		if !errors.As(err, &fault) {
			t.Errorf("case %d: %v, want an OptionError", i, err)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }
