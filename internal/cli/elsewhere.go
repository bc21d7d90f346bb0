package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// flagsElsewhere are flags of other tools, and what one types here.
var flagsElsewhere = map[string]string{
	"cmap": "--palette NAME", "colormap": "--palette NAME", "colours": "--palette NAME",
	"vmin": "--range MIN:MAX", "vmax": "--range MIN:MAX", "clim": "--range MIN:MAX", "ylim": "--range MIN:MAX",
	"figsize": "--width and --height", "size": "--width and --height",
	"no-title": "--title ''", "style": "--theme NAME",
	"out": "-o FILE", "outfile": "-o FILE", "save": "-o FILE",
	"silent": "-q", "no-color": "--color never", "threads": "--jobs N",
	"max-lag": "--max-distance K",
}

// elsewhere is what is typed here for a flag of other tools, of those that the command
// has; "" where none is known. A form by itself, as --json, is one of -f.
func elsewhere(cmd *cobra.Command, flag string) string {
	here := flagsElsewhere[flag]
	if f := cmd.Flags().Lookup("format"); f != nil {
		_, forms, _ := strings.Cut(f.Usage, ": ")
		if slices.Contains(strings.Split(forms, ", "), flag) {
			here = "-f " + flag
		}
	}
	name := strings.TrimLeft(strings.Fields(here + " ?")[0], "-")
	if cmd.Flags().Lookup(name) == nil && (len(name) != 1 || cmd.Flags().ShorthandLookup(name) == nil) {
		return ""
	}
	return here
}

// commandsElsewhere are words for what a command does, and the command.
var commandsElsewhere = map[string]string{
	"plot": "report", "all": "report",
	"heatmap": "similarity", "cosine": "similarity", "sim": "similarity",
	"diff": "compare", "cka": "compare",
	"show": "ls", "list": "ls", "inspect": "ls", "info": "ls",
	"lint": "check", "validate": "check", "stats": "metrics",
	"pca": "spectrum", "fft": "spectrum", "bias": "profile", "dump": "export", "make": "generate",
}
