package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// isControl tells characters that steer a terminal, break a line or turn the
// order of a text around instead of standing in it.
func isControl(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// goEscape writes one character as a Go string literal does.
func goEscape(s string) string {
	q := strconv.QuoteToASCII(s)
	return q[1 : len(q)-1]
}

// safe puts a string that holds control characters or broken UTF-8 in quotes,
// with those escaped.
func safe(s string) string {
	if !strings.ContainsFunc(s, isControl) && utf8.ValidString(s) {
		return s
	}
	return strconv.Quote(s)
}

// sentence is a text of several words, in which a newline is a space.
func sentence(s string) string { return safe(strings.ReplaceAll(s, "\n", " ")) }

// columns is the number of a terminal's columns that a string takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// shorten takes the middle out of a string that is wider than most columns, and puts
// an ellipsis there; below the ellipsis's width nothing is left.
func shorten(s string, most int, ellipsis string) string {
	if columns(s) <= most {
		return s
	}
	dots := columns(ellipsis)
	if most < dots {
		return ""
	}
	left := (most - dots + 1) / 2
	right := most - dots - left
	runes := []rune(s)
	i, used := 0, 0
	for used+runeColumns(runes[i]) <= left {
		used += runeColumns(runes[i])
		i++
	}
	j := len(runes)
	used = 0
	for k := j - 1; k >= i; k-- {
		used += runeColumns(runes[k])
		if used > right {
			break
		}
		if runeColumns(runes[k]) > 0 { // never between a letter and its accent
			j = k
		}
	}
	return string(runes[:i]) + ellipsis + string(runes[j:])
}

// wrap cuts a text into lines of at most most columns where it has spaces; 0 is
// one line.
func wrap(s string, most int) []string {
	if most <= 0 || columns(s) <= most {
		return []string{s}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && columns(line)+1+columns(word) > most {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
