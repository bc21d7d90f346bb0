package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"poslens/internal/checkpoint"
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
ansi is a drawing of text in colours, and kitty the PNG through the kitty
graphics protocol, for terminals that show pictures. --alt says the figure in
words.

On stdout, text and ansi are in ASCII where TERM is dumb, or where the locale
(the first of LC_ALL, LC_CTYPE, LANG that is set) is C or of another encoding
than UTF-8. Files of -o, and all other forms, are UTF-8 everywhere.
`)
	s.WriteString(`
A SOURCE is [LABEL=]PLACE[#TENSOR]: PLACE is a file, a folder, - for standard
input, or gen:KIND,key=value,... for a table made on the spot. #TENSOR names a
tensor, exactly or by a glob (* and ?). LABEL names the source in tables and
figures.`)
	return topic("formats", "What is read and written, and how a SOURCE is spelled", s.String())
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
