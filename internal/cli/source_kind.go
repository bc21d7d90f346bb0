package cli

import (
	"errors"
	"slices"
	"strings"

	"poslens/internal/posemb"
)

// suits tells whether a command can use a table of a kind.
func suits(op operand, r *readingFlags, m posemb.Match, have posemb.Kind, want kinds) error {
	if !slices.Contains(want, have) {
		return r.wrongKind(op, m, have)
	}
	if r.matrix && have != posemb.KindAbsolute {
		return &usageError{"--matrix takes a square matrix of scores, and this is a relative table", "leave --matrix out"}
	}
	return nil
}

// wrongKind says that a table is of a kind that the command does not take.
func (r *readingFlags) wrongKind(op operand, m posemb.Match, have posemb.Kind) error {
	kind := "relative"
	if have == posemb.KindAbsolute {
		kind = "absolute"
	}
	err := &posemb.Error{Kind: posemb.WrongKind, Msg: "the table is " + kind}
	source := op.raw
	if r.tensor != "" {
		source = op.naming(m)
	}
	return &hinted{err, commandOf(err) + " " + quoted(source)}
}

// commandFor points to the command that takes tables of the other kind, with an
// operand that is one table there: the first, where several fit.
func (r *readingFlags) commandFor(file posemb.Source, op operand, opt posemb.ReadOptions, err error) error {
	var e *posemb.Error
	if !errors.As(err, &e) || e.Kind != posemb.WrongKind {
		return err
	}
	there, cerr := posemb.Choose(file, r.choice(op, nil, true), opt)
	source := op.raw
	if cerr == nil && (len(there) > 1 || r.tensor != "" || len(r.layers) > 0) {
		source = op.naming(there[0])
	}
	return &hinted{err, commandOf(e) + " " + quoted(source)}
}

// naming is the operand that means one table of its place.
func (o operand) naming(m posemb.Match) string {
	if m.Name() == "" {
		return o.raw
	}
	source := o.place + "#" + m.Name()
	if o.label != "" {
		source = o.label + "=" + source
	}
	return source
}

// commandOf is the command that takes what another one refused.
func commandOf(e *posemb.Error) string {
	if strings.Contains(e.Msg, string(posemb.KindAbsolute)) {
		return "poslens decay"
	}
	return "poslens profile"
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) && r != '#' }) && word[0] != '#' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
