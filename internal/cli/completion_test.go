package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"poslens/internal/posemb"
)

// Every flag whose value is a word of a list offers that list to the shell: one that
// offers nothing must be known to take anything.
func TestFlagsComplete(t *testing.T) {
	free := []string{
		// names and places
		"tensor", "title", "output", // files, which the shell offers by itself
		// numbers, and ranges and lists of them
		"jobs", "positions", "stride", "reserved", "suffix", "grid", "offsets", "max-elements", "max-inflate",
		"eps", "fit-range", "head", "cell", "samples", "seed", "offset", "position",
		"width", "height", "dpi", "null-draws", "probe-repeats", "tolerance", "components",
	}
	seen := map[string]bool{}
	for _, c := range everyCommand(treeForPages()) {
		generates := strings.HasPrefix(c.CommandPath(), "poslens generate ") // its parameters are the generators' own
		look := func(f *pflag.Flag) {
			seen[f.Name] = true
			complete, ok := c.GetFlagCompletionFunc(f.Name)
			if !ok {
				if f.Value.Type() != "bool" && !generates && !slices.Contains(free, f.Name) {
					t.Errorf("%s --%s offers nothing to the shell", c.CommandPath(), f.Name)
				}
				return
			}
			words, _ := complete(c, nil, "")
			if len(words) == 0 && f.Name != "output" {
				t.Errorf("%s --%s offers no word to the shell", c.CommandPath(), f.Name)
			}
			for _, w := range words {
				if w == "" || strings.ContainsAny(w, "\t\n") {
					t.Errorf("%s --%s offers %q", c.CommandPath(), f.Name, w)
				}
			}
		}
		c.LocalFlags().VisitAll(look)
		c.InheritedFlags().VisitAll(look)
	}
	for _, name := range free {
		if !seen[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

// What is offered for --arch is what it takes, and means the same.
func TestArchCompletes(t *testing.T) {
	names := archNames()
	for i, word := range oneWord(names) {
		p, err := posemb.Lookup(word)
		if err != nil || !posemb.KnownArch(word) || p.Arch != names[i] || strings.Contains(word, " ") {
			t.Errorf("%q is offered for %q, and means %v, %v", word, names[i], p, err)
		}
	}
}
