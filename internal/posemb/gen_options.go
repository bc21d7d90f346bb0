package posemb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// OptionError is a generator's parameter that is unknown or has no such value.
type OptionError struct {
	Msg  string // lower case, what was given and what was expected
	Hint string // what to try; may be empty
}

// Error gives the message without the kind of table, which the caller adds.
func (e *OptionError) Error() string { return e.Msg }

// made calls a constructor unless a parameter could not be read.
func made[O any, T Table](g *given, build func(O) (T, error), opt O) (Table, error) {
	if g.err != nil {
		return nil, g.err
	}
	t, err := build(opt)
	if err != nil {
		return nil, err // not t, whose nil pointer would make a Table that is not nil
	}
	return t, nil
}

// given reads parameters as text and keeps the first fault. What is not given is
// zero or nil, which options take as their default.
type given struct {
	values map[string]string
	err    error
}

// readParam parses a parameter; an explicit value that parse refuses is a fault.
func readParam[T any](g *given, name, want string, parse func(string) (T, bool)) *T {
	s, ok := g.values[name]
	if !ok {
		return nil
	}
	v, ok := parse(s)
	if !ok {
		g.err = cmp.Or(g.err, error(&OptionError{Msg: fmt.Sprintf("%s is %q, expected %s", name, s, want)}))
		return nil
	}
	return &v
}

func (g *given) count(name string) int {
	return valueOr(readParam(g, name, "a whole number of at least 1", func(s string) (int, bool) {
		v, err := strconv.Atoi(s)
		return v, err == nil && v >= 1
	}), 0)
}

func (g *given) seed(name string) *uint32 {
	return readParam(g, name, "a whole number from 0 to 4294967295", func(s string) (uint32, bool) {
		v, err := strconv.ParseUint(s, 10, 32)
		return uint32(v), err == nil
	})
}

func (g *given) number(name string) *float64 {
	return readParam(g, name, "a finite number", parseReal)
}

func (g *given) positive(name string) float64 {
	return valueOr(readParam(g, name, "a finite number above 0", func(s string) (float64, bool) {
		v, ok := parseReal(s)
		return v, ok && v > 0
	}), 0)
}

func (g *given) word(name string) string {
	return valueOr(readParam(g, name, "a word", func(s string) (string, bool) { return s, s != "" }), "")
}

func parseReal(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && math.Abs(v) <= math.MaxFloat64
}

// valueOr is the value pointed to, or the default for nil.
func valueOr[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

// Bounds of what a generator takes: a table of 2 GiB, and real parameters whose
// squares, ratios and products stay finite.
const (
	maxNumbers = 1 << 28
	tinyReal   = 1e-100
	hugeReal   = 1e100
)

// checkSize refuses an empty table and one over maxNumbers.
func checkSize(rowName string, rows int, widthName string, width int) error {
	switch {
	case rows < 1:
		return &OptionError{Msg: fmt.Sprintf("%s is %d, expected at least 1", rowName, rows)}
	case width < 1:
		return &OptionError{Msg: fmt.Sprintf("%s is %d, expected at least 1", widthName, width)}
	case rows > maxNumbers/width:
		return &OptionError{Msg: fmt.Sprintf("%d rows x %s %d is over the %d numbers that a made table may hold",
			rows, widthName, width, maxNumbers)}
	}
	return nil
}

// checkReal refuses a number outside lo..hi, and NaN.
func checkReal(name string, v, lo, hi float64) error {
	if v >= lo && v <= hi {
		return nil
	}
	return &OptionError{Msg: fmt.Sprintf("%s is %v, expected a number from %v to %v", name, v, lo, hi)}
}

// checkWord refuses a word that is not in the list.
func checkWord(name, word string, words []string) error {
	if slices.Contains(words, word) {
		return nil
	}
	return &OptionError{Msg: fmt.Sprintf("%s is %q, expected one of %s", name, word, strings.Join(words, ", ")),
		Hint: didYouMean(word, words, "")}
}

// didYouMean asks "did you mean ...?" when a word is near: the first that begins so, or
// the one of fewest edits, at most a third. What else there is to say follows.
func didYouMean(word string, words []string, rest string) string {
	if word == "" || len(word) > 64 {
		return rest
	}
	lower, best, least := strings.ToLower(word), "", len(word)/3+1
	for _, w := range words {
		edits := levenshtein.ComputeDistance(lower, w)
		if len(word) > 1 && strings.HasPrefix(w, lower) {
			edits = 0
		}
		if edits < least {
			best, least = w, edits
		}
	}
	if best == "" {
		return rest
	}
	return strings.TrimSpace(fmt.Sprintf("did you mean %q? %s", best, rest))
}
