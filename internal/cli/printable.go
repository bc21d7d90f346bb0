package cli

import (
	"strconv"
	"strings"
	"unicode"
)

// printable replaces control characters, which a hostile file's names may hold,
// by their escapes.
func printable(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isControl tells terminal control characters, C1 included. A newline inside a
// message is ours.
func isControl(r rune) bool {
	return r < 0x20 && r != '\n' || 0x7f <= r && r < 0xa0 || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// inline is a name from the command line or a file as it may stand inside a line.
func inline(s string) string { return strings.ReplaceAll(printable(s), "\n", `\n`) }

func inlines(names []string) []string {
	var out []string
	for _, s := range names {
		out = append(out, inline(s))
	}
	return out
}

// seen is a name with something in it to see; one of spaces or of marks without
// width is put in quotes, as Go writes it.
func seen(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }) {
		return name
	}
	return strconv.QuoteToASCII(name)
}
