package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage is a page of the manual in the language of man(7).
type manPage struct {
	name    string // "poslens-decay"
	section int    // 1: commands, 7: topics
	text    string
}

func (p *manPage) file() string { return fmt.Sprintf("%s.%d", p.name, p.section) }

// manPages are the pages of a command, and of all commands and topics under it.
func manPages(cmd *cobra.Command) []manPage {
	pages := []manPage{pageOf(cmd)}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() || c.Name() == "help" {
			pages = append(pages, manPages(c)...)
		}
	}
	return pages
}

// pageOf is the page of a command or of a topic, from what its help is made of.
func pageOf(cmd *cobra.Command) manPage {
	cmd.InitDefaultHelpFlag() // as they are before the help is shown
	cmd.InitDefaultVersionFlag()
	p := manPage{name: pageName(cmd), section: sectionOf(cmd)}
	var r roff
	r.title(p.name, p.section)
	r.heading("NAME")
	r.line(escaped(p.name) + ` \- ` + escaped(cmd.Short))
	if p.section == 1 {
		r.heading("SYNOPSIS")
		r.line(bold(cmd.CommandPath()) + escaped(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())))
	}
	r.heading("DESCRIPTION")
	if p.section == 7 {
		r.verbatim(cmd.Long)
	} else {
		r.prose(about(cmd))
		r.command(cmd)
	}
	r.heading("SEE ALSO")
	r.line(strings.Join(related(cmd), ", "))
	p.text = r.String()
	return p
}

// command writes the parts that only a command has.
func (r *roff) command(cmd *cobra.Command) {
	if cmd.HasAvailableSubCommands() {
		r.heading("COMMANDS")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				r.item(bold(c.CommandPath()), c.Short)
			}
		}
	}
	r.heading("OPTIONS")
	for _, set := range flagsOf(cmd) {
		r.part(set.Name())
		set.VisitAll(func(f *pflag.Flag) {
			typed, usage := flagText(f)
			r.item(inFonts(typed), usage)
		})
	}
	if text := cmd.Annotations[manualKey]; text != "" {
		r.heading("DETAILS")
		r.verbatim(text)
	}
	r.heading("EXIT STATUS")
	for _, status := range strings.Split(exitStatus, "; ") {
		code, meaning, _ := strings.Cut(status, " ")
		r.item(bold(code), meaning)
	}
	if cmd.Example != "" {
		r.heading("EXAMPLES")
		r.verbatim(cmd.Example)
	}
}

// flagText is a flag as it is typed, "-o, --output FILE", and what it does: its line
// of the help.
func flagText(f *pflag.Flag) (typed, usage string) {
	one := pflag.NewFlagSet("", pflag.ContinueOnError)
	one.AddFlag(f)
	typed, usage, _ = strings.Cut(strings.TrimSpace(withOptionalValues(one)), "   ")
	return typed, strings.Join(strings.Fields(usage), " ")
}

// related are the pages beside a page: of the program those of all topics and
// commands, of the others that of the program, of the command above and the topics.
func related(cmd *cobra.Command) []string {
	var pages []string
	add := func(c *cobra.Command) {
		if c != cmd {
			pages = append(pages, fmt.Sprintf("%s(%d)", bold(pageName(c)), sectionOf(c)))
		}
	}
	add(cmd.Root())
	if cmd.HasParent() && cmd.Parent() != cmd.Root() {
		add(cmd.Parent())
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			add(c)
		}
	}
	for _, c := range cmd.Root().Commands() {
		if c.IsAdditionalHelpTopicCommand() {
			add(c)
		}
	}
	return pages
}

// pageName is "poslens-decay" of "poslens decay".
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// sectionOf is the section of the manual that a command or a topic belongs to.
func sectionOf(cmd *cobra.Command) int {
	if cmd.IsAdditionalHelpTopicCommand() {
		return 7
	}
	return 1
}
