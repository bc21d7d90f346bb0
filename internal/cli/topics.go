package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

// manualWidth is the longest line of the manual, in characters.
const manualWidth = 80

// topic is a page of the manual: a command that does nothing.
func topic(name, short, body string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: body}
}

// formatsTopic is the table of what is read and written, from the registries.
func (a *app) formatsTopic() *cobra.Command {
	var s strings.Builder
	s.WriteString("Read, recognised by their bytes and not by their names:\n\n")
	for _, f := range checkpoint.Formats() {
		entry(&s, f.Name, f.Doc)
	}
	s.WriteString("\nWritten; the suffix of -o FILE, or -f FORM on stdout:\n\n")
	for _, f := range formats {
		fmt.Fprintf(&s, "  %-12s %s\n", f.name, strings.Join(f.suffixes, " "))
	}
	s.WriteString(`
ansi is a drawing of text in colours, and kitty the PNG through the kitty graphics
protocol, for terminals that show pictures. --alt says the figure in words.

On stdout, text and ansi are in ASCII where TERM is dumb, or where the locale (the
first of LC_ALL, LC_CTYPE, LANG that is set) is C or of another encoding than UTF-8.
Files of -o, and all other forms, are UTF-8 everywhere.
`)
	s.WriteString(`
A SOURCE is [LABEL=]PLACE[#TENSOR]: PLACE is a file, a folder, - for standard
input, or gen:KIND,key=value,... for a table made on the spot. #TENSOR names a
tensor, exactly or by a glob (* and ?). LABEL names the source in tables and
figures.`)
	return topic("formats", "What is read and written, and how a SOURCE is spelled", s.String())
}

// architecturesTopic is the table of the presets, a kind after the other, from
// their registry.
func (a *app) architecturesTopic() *cobra.Command {
	var s strings.Builder
	paragraph(&s, `The architectures whose tables are recognised. A table is known by the end of its
tensor's name, whatever stands in front of it, by shapes and by the model's
configuration; the first entry that fits reads it. Any of the names in a heading goes
with --arch, in any case and with any punctuation, to read a tensor as that one.`)
	paragraph(&s, `Names are written with dots here, and match slashes too. "Rows" says which row is
read for a position, or for a query and a key. "Sign" is how offsets run in the file:
tables by query - key are turned, so that every offset here is key - query.`)
	for _, kind := range posemb.Kinds() {
		fmt.Fprintf(&s, "%s: %s\n\n", strings.ToUpper(string(kind)), kind.Holds())
		for _, p := range posemb.Presets {
			if p.Kind == kind {
				preset(&s, &p)
			}
		}
		s.WriteByte('\n')
	}
	s.WriteString("NO TABLE IN THE FILE: said so, by the model type\n\n")
	for _, f := range posemb.Tableless() {
		models := f.Says
		if models == "" {
			models = "by its tensors"
		}
		entry(&s, f.About, models)
	}
	return topic("architectures", "Which position tables are recognised", strings.TrimRight(s.String(), "\n"))
}

// architectureHelp prints the manual's entry of one architecture.
func (a *app) architectureHelp(name string) error {
	p, err := posemb.Lookup(name)
	if err != nil {
		return err
	}
	var s strings.Builder
	preset(&s, p)
	_, err = io.WriteString(a.env.Out, s.String())
	return err
}

// preset writes what is known of an architecture below its names.
func preset(s *strings.Builder, p *posemb.Preset) {
	for i, line := range wrap(strings.Join(p.Names(), ", "), manualWidth-4) {
		fmt.Fprintf(s, "%s%s\n", strings.Repeat(" ", 2+2*min(i, 1)), line)
	}
	for _, f := range p.Facts() {
		about := f.About
		for _, line := range wrap(f.Says, manualWidth-15) {
			fmt.Fprintf(s, "      %-9s%s\n", about, line)
			about = ""
		}
	}
}

// entry writes a name with its explanation below, in lines that fit a terminal.
func entry(s *strings.Builder, name, doc string) {
	for i, line := range wrap(name, manualWidth-4) {
		fmt.Fprintf(s, "%s%s\n", strings.Repeat(" ", 2+2*min(i, 1)), line)
	}
	for _, line := range wrap(doc, 72) {
		fmt.Fprintf(s, "      %s\n", line)
	}
}

// paragraph writes a text in lines that fit a terminal, and an empty one.
func paragraph(s *strings.Builder, text string) {
	fmt.Fprintf(s, "%s\n\n", strings.Join(wrap(text, manualWidth), "\n"))
}

// wrap breaks a text into lines of at most width characters.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
