package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupKey is the annotation that sorts a flag into a part of the help.
const groupKey = "poslens_group"

// manualKey is the annotation of a command that holds its page of the manual, which
// poslens help COMMAND prints below the command's own help.
const manualKey = "poslens_manual"

// The parts of a command's flag list, in the order of the help.
var flagGroups = []string{"Reading", "Parameters", "Query (of vectors)", "Analysis", "Output", "Figure"}

// group marks the flags that define adds as one part of the help.
func group(cmd *cobra.Command, title string, define func(*pflag.FlagSet)) {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	define(set)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[groupKey] = []string{title}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
}

// setHelp gives every command a help that opens with its examples.
func setHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
}

// writeHelp prints what a command is for, its examples, flags and exit status.
func writeHelp(w io.Writer, cmd *cobra.Command) {
	if cmd.Example != "" {
		fmt.Fprintf(w, "Examples:\n%s\n\n", cmd.Example)
	}
	fmt.Fprintf(w, "%s\n", about(cmd))
	if cmd.IsAdditionalHelpTopicCommand() {
		return
	}
	fmt.Fprintf(w, "\nUsage:\n  %s\n", cmd.UseLine())
	writeCommands(w, cmd)
	for _, set := range flagsOf(cmd) {
		fmt.Fprintf(w, "\n%s:\n%s", set.Name(), withOptionalValues(set))
	}
	fmt.Fprintf(w, "\nExit status: %s.\n", exitStatus)
	if cmd.HasSubCommands() {
		fmt.Fprintf(w, "\nMore about a command: %s COMMAND --help\n", cmd.CommandPath())
	}
}

// exitStatus says what each exit status means.
const exitStatus = `0 done; 1 could not (unreadable, corrupt, not found, ambiguous,
nothing to analyse); 2 wrong usage; 3 check found an error; 130 interrupted`

// about is what a command is for.
func about(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return strings.Join(wrap(cmd.Short, manualWidth), "\n")
	}
	return strings.TrimSpace(cmd.Long)
}

// writeCommands lists the commands under one and the topics of the manual.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	for _, topics := range []bool{false, true} {
		title := "Commands"
		if topics {
			title = "Topics (poslens help TOPIC)"
		}
		for _, c := range cmd.Commands() {
			manual := topics && c.Annotations[manualKey] != ""
			if !manual && (c.IsAdditionalHelpTopicCommand() != topics || !topics && !c.IsAvailableCommand()) {
				continue
			}
			if title != "" {
				fmt.Fprintf(w, "\n%s:\n", title)
				title = ""
			}
			short := c.Short
			if manual {
				short = "The command's help, and what each name in its results means"
			}
			fmt.Fprintf(w, "  %-14s %s\n", c.Name(), strings.Join(wrap(short, 62), "\n"+strings.Repeat(" ", 17)))
		}
	}
}

// flagsOf are the flags that a command takes, sorted into the groups that it has; a
// set's name is the group's title.
func flagsOf(cmd *cobra.Command) []*pflag.FlagSet {
	var groups []*pflag.FlagSet
	pick := func(title string, belongs func(*pflag.Flag) bool) {
		set := pflag.NewFlagSet(title, pflag.ContinueOnError)
		set.SortFlags = false
		add := func(f *pflag.Flag) {
			if belongs(f) && !f.Hidden {
				set.AddFlag(f)
			}
		}
		cmd.LocalFlags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if set.HasFlags() {
			groups = append(groups, set)
		}
	}
	for _, title := range flagGroups {
		pick(title, func(f *pflag.Flag) bool { return inGroup(f, title) })
	}
	pick("Other", func(f *pflag.Flag) bool { return f.Annotations[groupKey] == nil })
	return groups
}

// withOptionalValues is the list of some flags. One whose value may be left out is
// shown as it has to be typed: --fit[=MODEL], since a word behind a space is an operand.
func withOptionalValues(set *pflag.FlagSet) string {
	list := set.FlagUsagesWrapped(80)
	set.VisitAll(func(f *pflag.Flag) {
		value, _ := pflag.UnquoteUsage(f)
		if f.NoOptDefVal == "" || value == "" {
			return
		}
		was := fmt.Sprintf("--%s %s[=%q]", f.Name, value, f.NoOptDefVal)
		typed := fmt.Sprintf("--%s[=%s]", f.Name, value)
		list = strings.Replace(list, was, fmt.Sprintf("%-*s", len(was), typed), 1)
	})
	return list
}

func inGroup(f *pflag.Flag, title string) bool {
	g := f.Annotations[groupKey]
	return len(g) == 1 && g[0] == title
}
