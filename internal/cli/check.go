package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poslens/internal/figure"
)

// check refuses what can be refused before any work is done: forms that the
// command does not have, outputs onto inputs, binary onto a terminal.
func (a *app) check(o *outputFlags, inputs []string) error {
	if err := oneOf("format", o.format, o.forms); err != nil {
		return err
	}
	if o.alt && o.format != "" {
		return &usageError{fmt.Sprintf("--alt and -f %s both say what goes to stdout", o.format), "the figure in a file beside its words: -o FILE.png --alt"}
	}
	if err := o.checkStyle(); err != nil {
		return err
	}
	for i, path := range o.files {
		if err := refuseSameFile(path, inputs, o.files[:i]); err != nil {
			return err
		}
		if form := formatOf(path); filepath.Ext(path) != "" && !slices.Contains(o.forms, form) {
			return &usageError{fmt.Sprintf("%s: the suffix %q chooses no form of this command", path, filepath.Ext(path)), "its suffixes: " + strings.Join(o.suffixes(), " ")}
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
		return noFolder(path, target, err)
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

// refuseSameFile stops an output from landing on a file of an input, on the prefix
// of one, or on another output.
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
	if err := refusePrefix(path, inputs); err != nil {
		return err
	}
	if err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, in := range inputs {
		if isInput(whereTo(path), out, in) {
			return &usageError{fmt.Sprintf("%s: is an input; writing the output there would destroy it", path), "choose another name"}
		}
	}
	return nil
}

// refusePrefix stops a file or folder from taking the name under which an input
// is found, which a file of that very name would hide.
func refusePrefix(path string, inputs []string) error {
	for _, in := range inputs {
		if isPrefix(in) && whereTo(path) == whereTo(in) {
			return &usageError{fmt.Sprintf("%s: is the prefix of an input; writing the output there would hide it", path), "choose another name"}
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
