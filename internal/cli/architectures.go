package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"poslens/internal/posemb"
)

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
	paragraph(&s, `poslens help architectures WORD shows those that have WORD in one of their names, in
a tensor's name or as their kind. On a terminal, without a WORD, there are the names
alone, and all shows what is below.`)
	for _, kind := range posemb.Kinds() {
		of := presetsOf(kind, posemb.Presets)
		s.WriteString(kindHeading(kind, len(of)))
		for i := range of {
			preset(&s, &of[i])
		}
		s.WriteByte('\n')
	}
	s.WriteString(tablelessHeading)
	for _, f := range posemb.Tableless() {
		tableless(&s, f)
	}
	return topic("architectures", "Which position tables are recognised", strings.TrimRight(s.String(), "\n"))
}

// tablelessHeading stands over the models that store no table.
const tablelessHeading = "NO TABLE IN THE FILE: said so, by the model type\n\n"

// kindHeading stands over so many presets of a kind.
func kindHeading(kind posemb.Kind, n int) string {
	return fmt.Sprintf("%s: %s (%s)\n\n", strings.ToUpper(string(kind)), kind.Holds(), counted(n, "architecture"))
}

// presetsOf are those of a kind.
func presetsOf(kind posemb.Kind, presets []posemb.Preset) []posemb.Preset {
	var of []posemb.Preset
	for _, p := range presets {
		if p.Kind == kind {
			of = append(of, p)
		}
	}
	return of
}

// architecturesHelp prints the manual's table of architectures: the names on a
// terminal, all in a pipe, and of words only what has them.
func (a *app) architecturesHelp(topic *cobra.Command, words []string) error {
	_, tty := a.env.Terminal(a.env.Out)
	switch {
	case len(words) == 0 && tty:
		var s strings.Builder
		index(&s, posemb.Presets)
		s.WriteString("What is known of one: poslens help architectures NAME; of those with a word in a\nname: WORD; of all: all\n")
		_, err := io.WriteString(a.out, s.String())
		return err
	case len(words) == 0, len(words) == 1 && words[0] == "all":
		return topic.Help()
	}
	return a.architecturesWith(strings.Join(words, " "))
}

// mostPresets is how many presets are told in full where more than one has a word.
const mostPresets = 6

// architecturesWith prints the manual's entries of what a word fits: the names of all,
// where they are many.
func (a *app) architecturesWith(word string) error {
	named, others := posemb.Find(word)
	none := tablelessWith(word)
	if len(named) == 0 && len(others) == 0 && len(none) == 0 {
		_, err := posemb.Lookup(word)
		if err == nil || hintOf(err) != "" {
			return err
		}
		return &hinted{err, "poslens help architectures lists all"}
	}
	var s strings.Builder
	if len(named)+len(others) <= mostPresets {
		named, others = append(named, others...), nil
	}
	for i := range named {
		preset(&s, &named[i])
	}
	if len(others) > 0 {
		if len(named) > 0 {
			fmt.Fprintf(&s, "\nOthers with %q:\n\n", word)
		}
		index(&s, others)
		s.WriteString("What is known of one: poslens help architectures NAME\n")
	}
	if len(none) > 0 {
		if s.Len() > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(tablelessHeading)
		for _, f := range none {
			tableless(&s, f)
		}
	}
	_, err := io.WriteString(a.out, s.String())
	return err
}

// tablelessWith are the models without a table that have a word in their names, or in
// why they have none.
func tablelessWith(word string) []posemb.Fact {
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(word)) }
	var found []posemb.Fact
	for _, f := range posemb.Tableless() {
		if !has(f.About) {
			models := strings.Split(f.Says, ", ")
			f.Says = strings.Join(slices.DeleteFunc(models, func(s string) bool { return !has(s) }), ", ")
			if f.Says == "" {
				continue
			}
		}
		found = append(found, f)
	}
	return found
}

// tableless writes why models have no table, and which they are.
func tableless(s *strings.Builder, f posemb.Fact) {
	models := f.Says
	if models == "" {
		models = "by its tensors"
	}
	entry(s, f.About, models)
}

// index writes the names of presets, a kind after the other, an architecture that goes
// by several as "Swin (NGswin)".
func index(s *strings.Builder, presets []posemb.Preset) {
	for _, kind := range posemb.Kinds() {
		of := presetsOf(kind, presets)
		if len(of) == 0 {
			continue
		}
		s.WriteString(kindHeading(kind, len(of)))
		var names []string
		for _, p := range of {
			name := p.Arch
			if others := p.Names()[1:]; len(others) > 0 {
				name += " (" + strings.Join(others, ", ") + ")"
			}
			names = append(names, name)
		}
		for _, line := range wrap(strings.Join(names, ", "), manualWidth-2) {
			fmt.Fprintf(s, "  %s\n", line)
		}
		s.WriteByte('\n')
	}
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
