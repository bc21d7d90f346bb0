package cli

import (
	"fmt"
	"strings"
)

// roff is a page in the language of man(7), which groff and mandoc read. It is plain
// ASCII and has no date, so that the same text gives the same bytes.
type roff struct{ strings.Builder }

// title begins the page. No word of it is hyphenated, so that each is found and copied
// as it is.
func (r *roff) title(name string, section int) {
	fmt.Fprintf(r, ".TH %s %d \"\" \"poslens %s\" \"poslens manual\"\n.nh\n.ad l\n", escaped(strings.ToUpper(name)), section, escaped(version))
}

// heading begins a section, part a part of one.
func (r *roff) heading(text string) { fmt.Fprintf(r, ".SH %s\n", escaped(text)) }
func (r *roff) part(text string)    { fmt.Fprintf(r, ".SS %s\n", escaped(text)) }

// line writes text that is escaped already as one line of a paragraph.
func (r *roff) line(text string) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") { // would be a request
		text = `\&` + text
	}
	fmt.Fprintf(r, "%s\n", text)
}

// item writes a term, escaped already, with what it means.
func (r *roff) item(term, text string) {
	r.WriteString(".TP\n")
	r.line(term)
	for _, line := range strings.Split(text, "\n") {
		r.line(escaped(strings.TrimSpace(line)))
	}
}

// prose writes paragraphs with empty lines between them. One with an indented line is
// kept as it is; the lines of the others are filled.
func (r *roff) prose(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		lines := strings.Split(strings.Trim(paragraph, "\n"), "\n")
		asIs := false
		for _, line := range lines {
			asIs = asIs || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		}
		if asIs {
			r.verbatim(paragraph)
			continue
		}
		if i > 0 {
			r.WriteString(".PP\n")
		}
		for _, line := range lines {
			r.line(escaped(line))
		}
	}
}

// verbatim writes lines as they are, from the left edge on: they are as wide as a
// terminal already.
func (r *roff) verbatim(text string) {
	r.WriteString(".PP\n.nf\n.in 0\n")
	for _, line := range strings.Split(text, "\n") {
		line = strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")
		if line == "" {
			r.WriteString(".sp\n") // an empty line is bad style in man(7)
			continue
		}
		r.line(escaped(line))
	}
	r.WriteString(".fi\n.in\n")
}

// bold sets a text in bold.
func bold(text string) string { return `\fB` + escaped(text) + `\fR` }

// inFonts sets flags in bold and their values in italics: "-o, --output FILE",
// "--fit[=MODEL,...]".
func inFonts(typed string) string {
	words := strings.Split(typed, " ")
	for i, word := range words {
		if !strings.HasPrefix(word, "-") {
			words[i] = `\fI` + escaped(word) + `\fR`
			continue
		}
		flag, value, optional := strings.Cut(word, "[=")
		flag, comma := strings.CutSuffix(flag, ",")
		words[i] = bold(flag)
		if comma {
			words[i] += ","
		}
		if optional {
			words[i] += `[=\fI` + escaped(strings.TrimSuffix(value, "]")) + `\fR]`
		}
	}
	return strings.Join(words, " ")
}

// escapes are the characters that roff reads or prints otherwise: of these marks and
// the hyphen it makes typographic ones, which can't be searched, copied and typed.
var escapes = strings.NewReplacer(
	`\`, `\e`,
	"-", `\-`,
	"'", `\(aq`,
	"`", `\(ga`,
	"^", `\(ha`,
	"~", `\(ti`,
	`"`, `\(dq`,
)

// escaped is a text as roff has to be given it, within a line. What is not ASCII is
// named by its code point, whatever encoding a reader takes the file for.
func escaped(text string) string {
	var s strings.Builder
	for _, c := range escapes.Replace(text) {
		if c < 0x80 {
			s.WriteRune(c)
		} else {
			fmt.Fprintf(&s, `\[u%04X]`, c)
		}
	}
	return s.String()
}
