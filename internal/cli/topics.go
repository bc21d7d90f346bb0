package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"poslens/internal/analysis"
	"poslens/internal/checkpoint"
	"poslens/internal/posemb"
)

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
A SOURCE is [LABEL=]PLACE[#TENSOR]: PLACE is a file, a folder, - for standard
input, or gen:KIND,key=value,... for a table made on the spot. #TENSOR names a
tensor, exactly or by a glob (* and ?). LABEL names the source in tables and
figures.`)
	return topic("formats", "What is read and written, and how a SOURCE is spelled", s.String())
}

// architecturesTopic is the table of the presets, from their registry.
func (a *app) architecturesTopic() *cobra.Command {
	var s strings.Builder
	s.WriteString("The architectures whose tables are recognised, and the names that --arch takes:\n\n")
	for _, p := range posemb.Presets {
		entry(&s, fmt.Sprintf("%s (%s)", p.Arch, p.Kind), p.Doc)
	}
	return topic("architectures", "Which position tables are recognised", strings.TrimRight(s.String(), "\n"))
}

// metricsTopic defines the figures that the analyses give.
func (a *app) metricsTopic() *cobra.Command {
	var s strings.Builder
	s.WriteString("The figures of decay, profile and their fits, by their names in JSON:\n\n")
	for _, f := range analysis.Figures {
		entry(&s, f.Name, f.Doc)
	}
	s.WriteString("\nThe models that --fit takes, k being the distance or the signed offset:\n\n")
	for _, m := range analysis.FitModels {
		entry(&s, m.Name, m.Formula+": "+m.Doc)
	}
	s.WriteString("\nA figure that is undefined is null in JSON, with the reason beside it, and NA\nin TSV and CSV.")
	return topic("metrics", "What the figures mean, with their formulas", s.String())
}

// entry writes a name with its explanation below, in lines that fit a terminal.
func entry(s *strings.Builder, name, doc string) {
	fmt.Fprintf(s, "  %s\n", name)
	for _, line := range wrap(doc, 72) {
		fmt.Fprintf(s, "      %s\n", line)
	}
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
