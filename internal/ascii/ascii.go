// Package ascii writes text for places that show no more than ASCII: a dumb terminal,
// a locale of another encoding than UTF-8.
package ascii

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Fold writes s in ASCII. Signs are spelled as they are typed (x, +-, ^2, ..., >=),
// Greek letters by their names, and accents are left out. What else there is becomes
// a ? a column that it takes on a terminal. ASCII stays as it is, control characters too.
func Fold(s string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
	if first < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:first])
	raised := false // the character before was a superscript
	for _, r := range s[first:] {
		high := strings.ContainsRune(superscripts, r)
		switch spelling, ok := spelled[r]; {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case high:
			if !raised {
				b.WriteByte('^')
			}
			b.WriteByte(raisedTo[utf8.RuneCountInString(superscripts[:strings.IndexRune(superscripts, r)])])
		case ok:
			b.WriteString(spelling)
		default:
			b.WriteString(compatible(r))
		}
		raised = high
	}
	return b.String()
}

// Superscripts, and what they raise to.
const superscripts, raisedTo = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-"

// compatible is what Unicode says a character is made of (é is e and an accent, ½ is
// 1/2), as far as that is ASCII.
func compatible(r rune) string {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return ""
	}
	var b strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		spelling, ok := spelled[part]
		switch {
		case part < utf8.RuneSelf:
			b.WriteRune(part)
		case ok:
			b.WriteString(spelling)
		case unicode.In(part, unicode.Mn, unicode.Me, unicode.Cf):
		default:
			return unknown(r)
		}
	}
	return b.String()
}

// unknown stands for a character, as wide as it.
func unknown(r rune) string {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return "??"
	}
	return "?"
}

// spelled are signs and letters as they are typed where there is only ASCII.
var spelled = map[rune]string{
	'−': "-", '–': "-", '—': "-", '‐': "-", '×': "x", '÷': "/", '·': ".", '•': "*", '±': "+-", '⁄': "/",
	'≤': "<=", '≥': ">=", '≠': "!=", '≈': "~", '∼': "~", '→': "->", '←': "<-", '√': "sqrt", '∞': "inf", '°': "deg", '‖': "||",
	'‘': "'", '’': "'", '“': `"`, '”': `"`, '«': "<<", '»': ">>",
	'ß': "ss", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE", 'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'ı': "i",
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta", 'η': "eta", 'θ': "theta",
	'ι': "iota", 'κ': "kappa", 'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'π': "pi", 'ρ': "rho", 'σ': "sigma", 'ς': "sigma",
	'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
	'Γ': "Gamma", 'Δ': "Delta", 'Θ': "Theta", 'Λ': "Lambda", 'Ξ': "Xi", 'Π': "Pi", 'Σ': "Sigma", 'Φ': "Phi", 'Ψ': "Psi", 'Ω': "Omega",
}
