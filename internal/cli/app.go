// Package cli is the command line: one file a command. Commands join the other
// rooms and hold no arithmetic.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"poslens/internal/progress"
	"poslens/internal/report"
)

// app is one run of the program.
type app struct {
	env        Env
	out        *stdout
	meter      *meter // nil: no progress is shown
	drafts     drafts
	quiet      bool
	verbose    bool
	noProgress bool
	color      string
	jobs       int
	running    bool // a command's own code was reached; an error before is wrong usage
	stdinUsed  bool
	failed     []report.Failure     // what was named on stderr while others were done
	book       *noteBook            // nil: notes are told at once
	labels     map[string]tableName // what the labels of the tables at work stand for
}

// Main runs the program and gives its exit status.
func Main(ctx context.Context, args []string, env Env) int {
	return newApp(env).main(ctx, args)
}

// newApp is a run of the program in a world, whose streams its meter minds.
func newApp(env Env) *app {
	m := newMeter(env.Err)
	a := &app{env: env, out: &stdout{w: m.results(env.Out)}, meter: m}
	a.env.Err = m.messages()
	return a
}

// main runs the program and gives its exit status.
func (a *app) main(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	cmd, err, left := a.execute(ctx, root, args)
	a.meter.stop()
	if left {
		fmt.Fprintln(a.env.Err, "poslens: interrupted")
		return statusInterrupted
	}
	var usage *usageError
	if err != nil && !a.running && !errors.As(err, &usage) {
		err = &usageError{msg: firstLine(err.Error()), hint: "see: " + cmd.CommandPath() + " --help"}
	}
	if a.out.err != nil && status(err) != statusInterrupted {
		err = fmt.Errorf("stdout: %w", errorOf(a.out.err))
	}
	code := status(err)
	switch {
	case code == statusDone:
	case code == statusInterrupted:
		fmt.Fprintln(a.env.Err, "poslens: interrupted")
	default:
		a.complain(err)
	}
	return code
}

// patience is how long an interrupted command may take to end by itself.
const patience = 500 * time.Millisecond

// execute runs the command. What is blocked in the system (a pipe nobody reads,
// a pipe nobody writes) or deep in a computation can't hear an interrupt; then
// its drafts are removed and it is left behind.
func (a *app) execute(ctx context.Context, root *cobra.Command, args []string) (cmd *cobra.Command, err error, left bool) {
	if found, rest, err := root.Find(args); err == nil && found.IsAdditionalHelpTopicCommand() && len(rest) > 0 && !slices.Contains(rest, "--help") && !slices.Contains(rest, "-h") {
		return found, &usageError{fmt.Sprintf("%q is a topic of the manual, not a command", found.Name()), "poslens help " + found.Name()}, false
	}
	type result struct {
		cmd *cobra.Command
		err error
	}
	done := make(chan result, 1)
	go func() {
		cmd, err := root.ExecuteContextC(progress.With(ctx, a.meter.start))
		done <- result{cmd, err}
	}()
	select {
	case r := <-done:
		return r.cmd, r.err, false
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.cmd, r.err, false
	case <-time.After(patience):
		a.drafts.discardAll()
		return root, ctx.Err(), true
	}
}

// stdout remembers that a write to it failed, whoever wrote.
type stdout struct {
	w   io.Writer
	err error
}

func (s *stdout) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

// complain prints an error and what to try.
func (a *app) complain(err error) {
	fmt.Fprintf(a.env.Err, "poslens: %s\n", printable(err.Error()))
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(a.env.Err, "poslens: hint: %s\n", inline(hint))
	}
}

// tell prints a choice made for the user, unless --quiet, in one line.
func (a *app) tell(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.env.Err, "poslens: %s\n", inline(fmt.Sprintf(format, args...)))
	}
}

// detail prints how something was done, under --verbose.
func (a *app) detail(format string, args ...any) {
	if a.verbose {
		a.tell(format, args...)
	}
}

// warn tells a result's warnings.
func (a *app) warn(label string, warnings []string) {
	var marked []string
	for _, w := range warnings {
		marked = append(marked, "warning: "+w)
	}
	a.note(label, marked)
}

// note tells how a result's figures are meant: at once, or with what is noted of the
// other tables.
func (a *app) note(label string, notes []string) {
	if a.book != nil {
		t, known := a.labels[label]
		if !known {
			t.source = label
		}
		a.book.add(t, notes)
		return
	}
	for _, n := range notes {
		a.tell("%s: %s", label, n)
	}
}

// run notes that a command's own code was reached: an error before it is wrong
// usage, found by the command-line library.
func (a *app) run(do func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.running = true
		return do(cmd, args)
	}
}
