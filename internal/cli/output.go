package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/figure"
)

// outputFlags are the flags of where a result goes and in which form.
type outputFlags struct {
	forms         []string // what the command can give
	files         []string
	format        string
	width, height float64
	shape         float64 // width by height that the word of --width brings along; 0 for that of the chart
	dpi           int
	title         string
	theme         string
	palette       string
	valueRange    string
	alt           bool                   // stdout has the figure in words
	changed       func(flag string) bool // whether the command line has a flag
}

// formats are all the forms, with the suffixes that choose them.
var formats = []struct {
	name     string
	suffixes []string
	binary   bool
}{
	{"text", []string{".txt"}, false},
	{"tsv", []string{".tsv"}, false},
	{"csv", []string{".csv"}, false},
	{"json", []string{".json"}, false},
	{"npy", []string{".npy"}, true},
	{"npz", []string{".npz"}, true},
	{"safetensors", []string{".safetensors"}, true},
	{"png", []string{".png"}, true},
	{"svg", []string{".svg"}, false},
	{"pdf", []string{".pdf"}, true},
	{"ansi", []string{".ansi"}, false},
	{"kitty", []string{".kitty"}, false},
}

// The forms of the commands, as -f and the suffixes of -o choose them.
var (
	dataForms   = []string{"text", "tsv", "csv", "json"}
	figureForms = []string{"png", "svg", "pdf"}
	chartForms  = append(slices.Clone(figureForms), "ansi", "kitty")
	altForm     = "alt" // of --alt; no -f names it
)

// addOutput defines the output flags of a command that also draws. It gives the
// forms of data, of figures, and those of more.
func addOutput(cmd *cobra.Command, o *outputFlags, more ...string) {
	addDataOutput(cmd, o, append(slices.Clone(chartForms), more...)...)
	addStyle(cmd, o)
	group(cmd, "Figure", func(f *pflag.FlagSet) {
		f.BoolVar(&o.alt, "alt", false, "instead of the result, say in a sentence a chart what the figure shows")
	})
}

// addStyle defines the flags of how a figure looks.
func addStyle(cmd *cobra.Command, o *outputFlags) {
	o.changed = cmd.Flags().Changed
	group(cmd, "Figure", func(f *pflag.FlagSet) {
		f.Var((*widthFlag)(o), "width", "`WIDTH` in inches (or as 89mm, 8.9cm), or of a "+strings.Join(widthWords(), ", ")+": "+widthsInWords()+" (default 6)")
		f.Float64Var(&o.height, "height", 0, "height in `INCHES` (default: heat map 5, lines 4)")
		f.IntVar(&o.dpi, "dpi", 0, "`DOTS` per inch of a PNG (default 150)")
		f.StringVar(&o.title, "title", "", "`TEXT` above the figure; '' for none")
		f.StringVar(&o.theme, "theme", "", "`NAME` of the theme: "+strings.Join(figure.Themes(), ", "))
		f.StringVar(&o.palette, "palette", "", "`NAME` of the colour map: "+strings.Join(figure.Palettes(), ", "))
		f.StringVar(&o.valueRange, "range", "", "values that the colours or the y axis span: `MIN:MAX` or auto")
	})
	mustComplete(cmd, "width", widthWords())
	mustComplete(cmd, "theme", figure.Themes())
	mustComplete(cmd, "palette", figure.Palettes())
	mustComplete(cmd, "range", []string{"auto"})
}

// addDataOutput defines the output flags of a command.
func addDataOutput(cmd *cobra.Command, o *outputFlags, more ...string) {
	o.forms = append(slices.Clone(dataForms), more...)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringArrayVarP(&o.files, "output", "o", nil, "write to `FILE` instead of stdout; its suffix chooses the form ("+strings.Join(o.suffixes(), " ")+"); repeatable")
		f.StringVarP(&o.format, "format", "f", "", "`FORM` of what goes to stdout: "+strings.Join(o.forms, ", "))
	})
	mustComplete(cmd, "format", o.forms)
}

// suffixes are those that choose a form of the command.
func (o *outputFlags) suffixes() []string {
	var all []string
	for _, f := range formats {
		if slices.Contains(o.forms, f.name) {
			all = append(all, f.suffixes...)
		}
	}
	return all
}

// formatOf gives the form that a file's suffix chooses, or "" for none.
func formatOf(path string) string {
	suffix := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		if slices.Contains(f.suffixes, suffix) {
			return f.name
		}
	}
	return ""
}

func isBinary(format string) bool {
	for _, f := range formats {
		if f.name == format {
			return f.binary
		}
	}
	return false
}

// oneOf checks a flag whose value is a word of a list; empty is the default.
func oneOf(flag, value string, words []string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	hint := "one of " + strings.Join(words, ", ")
	if n := nearest(value, words); n != "" {
		hint = fmt.Sprintf("did you mean %q?", n)
	}
	return &usageError{fmt.Sprintf("--%s: there is no %q", flag, value), hint}
}

// span reads --range: 0, 0 means that the data decide.
func (o *outputFlags) span() (lo, hi float64, err error) {
	if o.valueRange == "" || o.valueRange == "auto" {
		return 0, 0, nil
	}
	from, to, ok := strings.Cut(o.valueRange, ":")
	lo, err1 := strconv.ParseFloat(from, 64)
	hi, err2 := strconv.ParseFloat(to, 64)
	if !ok || err1 != nil || err2 != nil || !(lo < hi) {
		return 0, 0, &usageError{fmt.Sprintf("--range: %q is not MIN:MAX with MIN below MAX", o.valueRange), "for example --range -1:1, or --range auto"}
	}
	// What a figure can't show would be shown otherwise, without a word.
	if largest := max(math.Abs(lo), math.Abs(hi)); !(largest <= 1e300 && largest >= 1e-290 && hi-lo > 1e-9*largest) {
		return 0, 0, &usageError{fmt.Sprintf("--range: %q can't be drawn: MIN and MAX lie within 1e300 of 0, not both within 1e-290, and a billionth apart", o.valueRange), "for example --range -1:1, or --range auto"}
	}
	return lo, hi, nil
}

func (o *outputFlags) style() figure.Style {
	height := o.height
	if height == 0 && o.shape > 0 {
		height = o.width / o.shape
	}
	return figure.Style{Width: o.width, Height: height, DPI: o.dpi, Theme: o.theme, Palette: o.palette, Title: o.title, Untitled: o.untitled()}
}

// untitled tells that --title was given nothing.
func (o *outputFlags) untitled() bool {
	return o.title == "" && o.changed != nil && o.changed("title")
}

// setSpan lets --range replace a chart's own span of values.
func (o *outputFlags) setSpan(lo, hi *float64) {
	if o.valueRange != "" {
		*lo, *hi, _ = o.span() // checked before the work began
	}
}
