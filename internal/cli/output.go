package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/checkpoint"
	"poslens/internal/figure"
	"poslens/internal/report"
	"poslens/internal/tensor"
)

// product is a command's result in every form it can be shown in. A nil field
// is a form that it does not have.
type product struct {
	command string
	text    func(io.Writer, screen) error // for people: rounded, with a small drawing
	table   func() *report.Table          // long form: TSV and CSV
	matrix  func() *report.Matrix         // TSV and CSV of a matrix, in the place of table
	results func() []any                  // JSON
	array   func() *tensor.Tensor         // npy
	named   func() ([]*tensor.Tensor, map[string]string)
	chart   func() figure.Chart
	binary  string // the format written into a pipe when none is asked for; empty: tsv
}

// screen is what the text form may know of where it goes.
type screen struct {
	width int
	color string // none, 256 or true
}

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
	group(cmd, "Figure", func(f *pflag.FlagSet) {
		f.Float64Var(&o.width, "width", 0, "width in `INCHES` (6)")
		f.Float64Var(&o.height, "height", 0, "height in `INCHES` (heat map 5, lines 4)")
		f.IntVar(&o.dpi, "dpi", 0, "dots per inch of a PNG (150)")
		f.StringVar(&o.title, "title", "", "title above the figure")
		f.StringVar(&o.theme, "theme", "", "theme: "+strings.Join(figure.Themes(), ", "))
		f.StringVar(&o.palette, "palette", "", "colour map: "+strings.Join(figure.Palettes(), ", "))
		f.StringVar(&o.valueRange, "range", "", "values that the colours or the y axis span: `MIN:MAX` or auto")
	})
	mustComplete(cmd, "theme", figure.Themes())
	mustComplete(cmd, "palette", figure.Palettes())
}

// addDataOutput defines the output flags of a command.
func addDataOutput(cmd *cobra.Command, o *outputFlags, more ...string) {
	o.forms = append(slices.Clone(dataForms), more...)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringArrayVarP(&o.files, "output", "o", nil, "write to `FILE` instead of stdout; its suffix chooses the\nform ("+strings.Join(o.suffixes(), " ")+"); repeatable")
		f.StringVarP(&o.format, "format", "f", "", "`FORM` on stdout: "+strings.Join(o.forms, ", "))
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

// checkStyle refuses looks that a figure can't have.
func (o *outputFlags) checkStyle() error {
	if err := oneOf("theme", o.theme, figure.Themes()); err != nil {
		return err
	}
	if err := oneOf("palette", o.palette, figure.Palettes()); err != nil {
		return err
	}
	_, _, err := o.span()
	return err
}

// refuseSameFile stops an output from landing on an input or on another output.
func refuseSameFile(path string, inputs, others []string) error {
	if path == "-" {
		return &usageError{"-o -: stdout needs no -o", "choose the form with -f"}
	}
	out, err := os.Stat(path)
	for _, other := range others {
		o, oerr := os.Stat(other)
		if filepath.Clean(path) == filepath.Clean(other) || err == nil && oerr == nil && os.SameFile(out, o) && out.Mode().IsRegular() {
			return usagef("%s: named twice as an output", path)
		}
	}
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, in := range inputs {
		if i, err := os.Stat(in); err == nil && os.SameFile(out, i) {
			return &usageError{fmt.Sprintf("%s: is an input; writing the output there would destroy it", path), "choose another name"}
		}
	}
	return nil
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

// emit writes a result to every file asked for and, unless only files were, to
// stdout.
func (a *app) emit(ctx context.Context, o *outputFlags, p *product) error {
	width, tty := a.env.Terminal(a.env.Out)
	plan := a.plan(o, p, tty)
	for _, step := range plan { // all of them before the first is written
		if err := p.can(step.format, o.forms); err != nil {
			return err
		}
	}
	if !tty {
		width = 100
	}
	for _, step := range plan {
		if step.path != "" {
			err := writeFile(ctx, step.path, func(w io.Writer) error {
				return a.render(w, step.format, o, p, screen{width: 100, color: a.colorMode(false, step.format)})
			})
			if err != nil {
				return err
			}
			continue
		}
		err := fill(ctx, a.env.Out, func(w io.Writer) error {
			return a.render(w, step.format, o, p, screen{width: width, color: a.colorMode(tty, step.format)})
		})
		if err != nil && !isClosedPipe(err) && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("stdout: %w", errorOf(err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step is one output: a file, or stdout when path is empty.
type step struct{ path, format string }

// plan decides what is written where. A name without a suffix (a device, a
// pipe) takes the form of -f, which then is not for stdout.
func (a *app) plan(o *outputFlags, p *product, tty bool) []step {
	var steps []step
	free := o.format // the form that stdout shall have
	for _, path := range o.files {
		format := formatOf(path)
		if format == "" {
			free = ""
			if format = o.format; format == "" {
				format = p.pipeFormat()
			}
			a.tell("%s: written as %s, since its name has no suffix", path, format)
		}
		steps = append(steps, step{path, format})
	}
	switch {
	case free != "":
		steps = append(steps, step{"", free})
	case len(o.files) == 0 && tty:
		steps = append(steps, step{"", "text"})
	case len(o.files) == 0:
		steps = append(steps, step{"", p.pipeFormat()})
	}
	return steps
}

// pipeFormat is the form for a pipe when none is asked for.
func (p *product) pipeFormat() string {
	if p.binary != "" {
		return p.binary
	}
	return "tsv"
}

// can says whether the result has a form, and if not, which ones it has.
func (p *product) can(format string, forms []string) error {
	has := func(format string) bool {
		switch format {
		case "text":
			return p.text != nil
		case "tsv", "csv":
			return p.table != nil || p.matrix != nil
		case "json":
			return p.results != nil
		case "npy":
			return p.array != nil
		case "npz", "safetensors":
			return p.named != nil
		}
		return p.chart != nil
	}
	if has(format) {
		return nil
	}
	var own []string
	for _, f := range forms {
		if has(f) {
			own = append(own, f)
		}
	}
	return &usageError{fmt.Sprintf("%s has no form %q", p.command, format), "its forms: " + strings.Join(own, ", ")}
}

// render writes a result in one form.
func (a *app) render(w io.Writer, format string, o *outputFlags, p *product, s screen) error {
	switch format {
	case "text":
		return p.text(w, s)
	case "tsv", "csv":
		write, writeMatrix := report.WriteTSV, report.WriteMatrixTSV
		if format == "csv" {
			write, writeMatrix = report.WriteCSV, report.WriteMatrixCSV
		}
		if p.matrix != nil {
			return writeMatrix(w, p.matrix())
		}
		return write(w, p.table())
	case "json":
		return report.WriteJSON(w, p.command, p.results())
	case "npy":
		t := p.array()
		return checkpoint.WriteNPY(w, t.Shape, t.Data)
	case "npz":
		ts, _ := p.named()
		return checkpoint.WriteNPZ(w, ts)
	case "safetensors":
		ts, meta := p.named()
		return checkpoint.WriteSafetensors(w, ts, meta)
	case "ansi":
		return figure.WriteTerminal(w, p.chart(), figure.Terminal{Width: s.width, Color: s.color})
	}
	warnings, err := figure.Write(w, format, p.chart(), o.style())
	for _, msg := range warnings {
		a.tell("warning: %s", msg)
	}
	return err
}

// colorMode tells how many colours a terminal picture may use: none, 256 or
// true. An explicit choice wins over NO_COLOR, and that over CLICOLOR_FORCE.
func (a *app) colorMode(tty bool, format string) string {
	full := "256"
	if c := a.env.Getenv("COLORTERM"); c == "truecolor" || c == "24bit" {
		full = "true"
	}
	force := a.env.Getenv("CLICOLOR_FORCE")
	switch {
	case a.color == "never":
		return "none"
	case a.color == "always":
		return full
	case a.env.Getenv("NO_COLOR") != "", a.env.Getenv("TERM") == "dumb":
		return "none"
	case force != "" && force != "0", tty, format == "ansi": // ansi was asked for by name
		return full
	}
	return "none"
}

// setSpan lets --range replace a chart's own span of values.
func (o *outputFlags) setSpan(lo, hi *float64) {
	if o.valueRange != "" {
		*lo, *hi, _ = o.span() // checked before the work began
	}
}

// warn tells a result's warnings.
func (a *app) warn(label string, warnings []string) {
	for _, w := range warnings {
		a.tell("%s: warning: %s", label, w)
	}
}

// note tells how a result's figures are meant.
func (a *app) note(label string, notes []string) {
	for _, n := range notes {
		a.tell("%s: %s", label, n)
	}
}
