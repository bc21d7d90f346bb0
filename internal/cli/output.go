package cli

import (
	"fmt"
	"os"
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
	dpi           int
	title         string
	theme         string
	palette       string
	valueRange    string
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
}

// The forms of the commands, as -f and the suffixes of -o choose them.
var (
	dataForms   = []string{"text", "tsv", "csv", "json"}
	figureForms = []string{"png", "svg", "pdf"}
	chartForms  = append(slices.Clone(figureForms), "ansi")
)

// addOutput defines the output flags of a command that also draws. It gives the
// forms of data, of figures, and those of more.
func addOutput(cmd *cobra.Command, o *outputFlags, more ...string) {
	addDataOutput(cmd, o, append(slices.Clone(chartForms), more...)...)
	addStyle(cmd, o)
}

// addStyle defines the flags of how a figure looks.
func addStyle(cmd *cobra.Command, o *outputFlags) {
	o.changed = cmd.Flags().Changed
	group(cmd, "Figure", func(f *pflag.FlagSet) {
		f.Float64Var(&o.width, "width", 0, "width in `INCHES` (default 6)")
		f.Float64Var(&o.height, "height", 0, "height in `INCHES` (default: heat map 5, lines 4)")
		f.IntVar(&o.dpi, "dpi", 0, "`DOTS` per inch of a PNG (default 150)")
		f.StringVar(&o.title, "title", "", "`TEXT` above the figure")
		f.StringVar(&o.theme, "theme", "", "`NAME` of the theme: "+strings.Join(figure.Themes(), ", "))
		f.StringVar(&o.palette, "palette", "", "`NAME` of the colour map: "+strings.Join(figure.Palettes(), ", "))
		f.StringVar(&o.valueRange, "range", "", "values that the colours or the y axis span: `MIN:MAX` or auto")
	})
	mustComplete(cmd, "theme", figure.Themes())
	mustComplete(cmd, "palette", figure.Palettes())
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

// check refuses what can be refused before any work is done: forms that the
// command does not have, outputs onto inputs, binary onto a terminal.
func (a *app) check(o *outputFlags, inputs []string) error {
	if err := oneOf("format", o.format, o.forms); err != nil {
		return err
	}
	if err := o.checkStyle(); err != nil {
		return err
	}
	for i, path := range o.files {
		if form := formatOf(path); filepath.Ext(path) != "" && !slices.Contains(o.forms, form) {
			return &usageError{fmt.Sprintf("%s: the suffix %q chooses no form of this command", path, filepath.Ext(path)), "its suffixes: " + strings.Join(o.suffixes(), " ")}
		}
		if err := refuseSameFile(path, inputs, o.files[:i]); err != nil {
			return err
		}
		if err := a.refuseStdin(path); err != nil {
			return err
		}
		if err := canWriteTo(path); err != nil {
			return err
		}
	}
	stdin := 0
	for _, in := range inputs {
		if in == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return usagef("standard input (-) can be read only once")
	}
	if len(o.files) == 0 || o.format != "" {
		if _, tty := a.env.Terminal(a.env.Out); tty && isBinary(o.format) {
			return &usageError{o.format + " is binary and is not written to a terminal", "write it to a file: -o FILE." + o.format}
		}
	}
	return nil
}

// refuseStdin stops an output from landing on the file that standard input is.
func (a *app) refuseStdin(path string) error {
	in, ok := a.env.In.(*os.File)
	if !ok {
		return nil
	}
	i, err := in.Stat()
	out, oerr := os.Stat(path)
	if err == nil && oerr == nil && out.Mode().IsRegular() && os.SameFile(i, out) {
		return &usageError{fmt.Sprintf("%s: is standard input; writing the output there would destroy it", path), "choose another name"}
	}
	return nil
}

// canWriteTo finds a folder that is not there before any work is done.
func canWriteTo(path string) error {
	if _, err := isRegular(path); err != nil {
		return err
	}
	target, err := followLinks(path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(target)); err != nil {
		return noFolder(path, err)
	}
	return nil
}

// checkStyle refuses looks that a figure can't have.
func (o *outputFlags) checkStyle() error {
	if err := oneOf("theme", o.theme, figure.Themes()); err != nil {
		return err
	}
	if err := oneOf("palette", o.palette, figure.Palettes()); err != nil {
		return err
	}
	for _, size := range []struct {
		flag  string
		value float64
	}{{"width", o.width}, {"height", o.height}, {"dpi", float64(o.dpi)}} {
		if size.value == 0 && o.changed != nil && o.changed(size.flag) {
			return usagef("--%s: a figure can't have 0", size.flag)
		}
	}
	if err := o.style().Check(); err != nil {
		return &usageError{err.Error(), ""}
	}
	_, _, err := o.span()
	return err
}

// refuseSameFile stops an output from landing on an input or on another output.
func refuseSameFile(path string, inputs, others []string) error {
	if path == "" {
		return usagef("-o: the file's name is empty")
	}
	if path == "-" {
		return &usageError{"-o -: stdout needs no -o", "choose the form with -f"}
	}
	out, err := os.Stat(path)
	for _, other := range others {
		o, oerr := os.Stat(other)
		if whereTo(path) == whereTo(other) || err == nil && oerr == nil && os.SameFile(out, o) && out.Mode().IsRegular() {
			return usagef("%s: named twice as an output", path)
		}
	}
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, in := range inputs {
		if i, err := os.Stat(in); err == nil && (os.SameFile(out, i) || i.IsDir() && filepath.Dir(whereTo(path)) == whereTo(in)) {
			return &usageError{fmt.Sprintf("%s: is an input; writing the output there would destroy it", path), "choose another name"}
		}
	}
	return nil
}

// whereTo is the place of a path that may not exist yet, the same for every
// spelling of it.
func whereTo(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if to, err := followLinks(abs); err == nil {
		abs = filepath.Clean(to)
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(dir, filepath.Base(abs))
	}
	return abs
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
	if !ok || err1 != nil || err2 != nil || !(lo < hi) || hi-lo > 1e300 {
		return 0, 0, &usageError{fmt.Sprintf("--range: %q is not MIN:MAX with MIN below MAX", o.valueRange), "for example --range -1:1, or --range auto"}
	}
	return lo, hi, nil
}

func (o *outputFlags) style() figure.Style {
	return figure.Style{Width: o.width, Height: o.height, DPI: o.dpi, Theme: o.theme, Palette: o.palette, Title: o.title}
}

// setSpan lets --range replace a chart's own span of values.
func (o *outputFlags) setSpan(lo, hi *float64) {
	if o.valueRange != "" {
		*lo, *hi, _ = o.span() // checked before the work began
	}
}
