package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"poslens/internal/ascii"
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
	npy     func(io.Writer) error
	named   func() ([]*tensor.Tensor, map[string]string)
	chart   func() figure.Chart
	binary  string // the format written into a pipe when none is asked for; empty: tsv
}

// emit writes a result to every file asked for and, unless only files were, to
// stdout.
func (a *app) emit(ctx context.Context, o *outputFlags, p *product) error {
	_, tty := a.env.Terminal(a.env.Out)
	plan := o.steps(p.pipeFormat(), tty)
	for _, step := range plan { // all of them before the first is written
		if step.path != "" && formatOf(step.path) == "" {
			a.tell("%s: written as %s, since its name has no suffix", step.path, step.format)
		}
		if err := p.can(step.format, o.forms); err != nil {
			return err
		}
	}
	write := func(step step) func(io.Writer) error {
		s := screen{width: plainColumns, palette: o.palette, color: a.colorMode(false, step.format)}
		if step.path == "" {
			// Files are UTF-8 in all their forms: who reads them has another terminal and
			// locale, or an editor. What shall be ASCII there is redirected.
			s.ascii = a.env.ascii()
			if tty {
				s.width, s.color, s.tty = a.textWidth(), a.colorMode(true, step.format), true
			}
		}
		return func(w io.Writer) error { return a.render(w, step.format, o, p, s) }
	}
	// Regular files are drafted first and come to be last, when all else is done:
	// a failure then leaves none of them.
	var files []*draft
	defer func() {
		for _, f := range files {
			a.drafts.discard(f.tmp) // one that came to be is not there any more
		}
	}()
	var straight []step
	for _, step := range plan {
		regular := false
		if step.path != "" {
			var err error
			if regular, err = isRegular(step.path); err != nil {
				return err
			}
		}
		if !regular {
			straight = append(straight, step)
			continue
		}
		f, err := a.drafts.write(ctx, step.path, write(step))
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	for _, step := range straight {
		var err error
		if step.path == "" {
			err = fill(ctx, a.out, write(step))
		} else {
			err = writeStraight(ctx, step.path, write(step))
		}
		if err != nil && !isClosedPipe(err) { // a reader that had enough takes nothing from the others
			return err
		}
	}
	for _, f := range files {
		if err := f.commit(); err != nil {
			return err
		}
	}
	return nil
}

// asked are the forms that a result will be shown in.
func (a *app) asked(o *outputFlags) []string {
	_, tty := a.env.Terminal(a.env.Out)
	var forms []string
	for _, step := range o.steps("tsv", tty) {
		forms = append(forms, step.format)
		if step.format == "kitty" || step.format == altForm { // both show the figure
			forms = append(forms, "png")
		}
	}
	return forms
}

// shows tells whether one of some forms is among those asked for.
func shows(forms []string, some ...string) bool {
	return slices.ContainsFunc(forms, func(f string) bool { return slices.Contains(some, f) })
}

// step is one output: a file, or stdout when path is empty.
type step struct{ path, format string }

// steps decides what is written where. A name without a suffix (a device, a
// pipe) takes the form of -f, which then is not for stdout, or that of a pipe.
func (o *outputFlags) steps(pipe string, tty bool) []step {
	var steps []step
	free := o.format // the form that stdout shall have
	if o.alt {
		free = altForm // --alt and -f are not both given
	}
	for _, path := range o.files {
		format := formatOf(path)
		if format == "" {
			if !o.alt {
				free = ""
			}
			format = cmp.Or(o.format, pipe)
		}
		steps = append(steps, step{path, format})
	}
	switch {
	case free != "":
		steps = append(steps, step{"", free})
	case len(o.files) == 0 && tty:
		steps = append(steps, step{"", "text"})
	case len(o.files) == 0:
		steps = append(steps, step{"", pipe})
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

// has tells whether the result has a form.
func (p *product) has(format string) bool {
	switch format {
	case "text":
		return p.text != nil
	case "tsv", "csv":
		return p.table != nil || p.matrix != nil
	case "json":
		return p.results != nil
	case "npy":
		return p.npy != nil
	case "npz", "safetensors":
		return p.named != nil
	}
	return p.chart != nil
}

// can says whether the result has a form, and if not, which ones it has.
func (p *product) can(format string, forms []string) error {
	if p.has(format) {
		return nil
	}
	var own []string
	for _, f := range forms {
		if p.has(f) {
			own = append(own, f)
		}
	}
	return &usageError{fmt.Sprintf("this result of %s has no form %q", p.command, format), "its forms: " + strings.Join(own, ", ")}
}

// render writes a result in one form.
func (a *app) render(w io.Writer, format string, o *outputFlags, p *product, s screen) error {
	if s.ascii && (format == "text" || format == "ansi") {
		w = ascii.NewWriter(w) // sentences that are in no table
	}
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
		return report.WriteJSON(w, p.command, p.results(), a.failed...)
	case "npy":
		return p.npy(w)
	case "npz":
		ts, _ := p.named()
		return checkpoint.WriteNPZ(w, ts)
	case "safetensors":
		ts, meta := p.named()
		return checkpoint.WriteSafetensors(w, ts, meta)
	case "ansi":
		return s.draw(w, p.chart())
	}
	var warnings []string
	var err error
	switch format {
	case altForm:
		err = figure.WriteAlt(w, p.chart(), o.style())
	case "kitty":
		warnings, err = figure.WriteKitty(w, p.chart(), o.style(), s.picture())
	default:
		warnings, err = figure.Write(w, format, p.chart(), o.style())
	}
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
