package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// untold are the flags that change no byte of a report's page.
var untold = []string{"output", "quiet", "verbose", "color", "jobs", "only"}

// commandLine is the command as it was given: its operands as they were typed and
// its flags by their names, but for those that change nothing in the page, such as
// the folder that it is written into.
func commandLine(cmd *cobra.Command, operands []string) string {
	words := []string{"poslens", cmd.Name()}
	for _, raw := range operands {
		words = append(words, quoted(inline(raw)))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(untold, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if f.NoOptDefVal != "" && v == f.NoOptDefVal { // --flag alone
				words = append(words, "--"+f.Name)
				continue
			}
			words = append(words, "--"+f.Name+"="+quoted(inline(v)))
		}
	})
	return strings.Join(words, " ")
}
