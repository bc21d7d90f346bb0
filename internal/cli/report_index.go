package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// index is a short page in Markdown that shows everything in order.
func (b *book) index(w io.Writer, tables []found) error {
	var s strings.Builder
	s.WriteString("# Position tables\n\n| source | tensor | kind | read as |\n|---|---|---|---|\n")
	for _, t := range tables {
		source, _, _ := strings.Cut(t.Source, "#")
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", markdown(source), markdown(t.Tensor), t.Kind, markdown(strings.Join(append([]string{t.words("; ")}, t.Notes...), "; ")))
	}
	for _, p := range b.pages {
		fmt.Fprintf(&s, "\n## %s\n\n![%s](%s)\n\n", markdown(p.Title), markdown(p.Title), p.Figure)
		for _, line := range p.Caption {
			fmt.Fprintf(&s, "%s\n", markdown(line))
		}
		if p.Data != "" {
			fmt.Fprintf(&s, "\nData: [%s](%s)\n", p.Data, p.Data)
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// words says in a few words how a table was read.
func (f found) words(sep string) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.Positions != nil {
		add("%d positions x %d", *f.Positions, *f.Width)
	} else if f.Width != nil {
		add("width %d", *f.Width)
	}
	if f.Heads != nil {
		add("%d heads", *f.Heads)
	}
	if f.Offsets != "" {
		add("offsets %s", f.Offsets)
	}
	if f.Reserved != nil && *f.Reserved > 0 {
		add("%d reserved", *f.Reserved)
	}
	if f.Suffix != nil && *f.Suffix > 0 {
		add("%d suffix rows", *f.Suffix)
	}
	if f.Grid != nil {
		add("grid %d x %d", f.Grid.Rows, f.Grid.Cols)
	}
	return strings.Join(parts, sep)
}

// markdown keeps a text from a file from being read as markup.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range printable(s) {
		if slices.Contains([]rune("\\`*_[]<>|#"), r) {
			b.WriteByte('\\')
		}
		if r == '\n' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
