package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"poslens/internal/posemb"
)

// completeSources offers the tables that are made on the spot to the shell where a
// SOURCE begins with gen:, and files where it does not.
func completeSources(root *cobra.Command) {
	for _, c := range root.Commands() {
		if strings.Contains(c.Use, "SOURCE") && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				if !strings.HasPrefix(typed, "gen:") {
					return nil, cobra.ShellCompDirectiveDefault
				}
				var sources []string
				for _, g := range posemb.Generators {
					sources = append(sources, "gen:"+g.Name)
				}
				return sources, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace // for ,key=value
			}
		}
	}
}

// oneWord is names with hyphens in the place of their blanks, which a shell would have
// to quote; --arch takes both.
func oneWord(names []string) []string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = strings.ReplaceAll(name, " ", "-")
	}
	return words
}

// folders offers the shell folders alone.
func folders() ([]string, cobra.ShellCompDirective) { return nil, cobra.ShellCompDirectiveFilterDirs }

// completeFolder offers folders for a flag.
func completeFolder(cmd *cobra.Command, flag string) {
	f := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return folders() }
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a bug: the command has no flag of that name
	}
}
