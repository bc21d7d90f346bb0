// Package cli is the command line: one file a command. Commands join the other
// rooms and hold no arithmetic.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// app is one run of the program.
type app struct {
	env       Env
	out       *stdout
	drafts    drafts
	quiet     bool
	verbose   bool
	color     string
	jobs      int
	running   bool // a command's own code was reached; an error before is wrong usage
	stdinUsed bool
}

// Main runs the program and gives its exit status.
func Main(ctx context.Context, args []string, env Env) int {
	a := &app{env: env, out: &stdout{w: env.Out}}
	root := a.root()
	root.SetArgs(args)
	cmd, err, left := a.execute(ctx, root, args)
	if left {
		fmt.Fprintln(env.Err, "poslens: interrupted")
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
		fmt.Fprintln(env.Err, "poslens: interrupted")
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
		cmd, err := root.ExecuteContextC(ctx)
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
		fmt.Fprintf(a.env.Err, "poslens: hint: %s\n", printable(hint))
	}
}

// tell prints a choice made for the user, unless --quiet.
func (a *app) tell(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.env.Err, "poslens: %s\n", printable(fmt.Sprintf(format, args...)))
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

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "poslens",
		Short: "See what a transformer's position embeddings have learned",
		Long: `poslens shows what a transformer's position embeddings have learned: it finds
the table in a model file, and gives cosine similarities, their decay with
distance and relative-position score profiles, as figures and as numbers.`,
		Example: `  poslens report model.safetensors -o out      figures, data and a summary
  poslens decay gpt2.safetensors -o decay.png  similarity against distance
  poslens generate locality | poslens profile - -f tsv`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		Version:       version,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			a.running = true
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.begin() },
	}
	root.SetIn(a.env.In)
	root.SetOut(a.out)
	root.SetErr(a.env.Err)
	f := root.PersistentFlags()
	f.BoolVarP(&a.quiet, "quiet", "q", false, "tell nothing but errors on stderr")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "tell more on stderr: containers, metadata, warnings")
	f.StringVar(&a.color, "color", "auto", "colours in terminal pictures; `WHEN` is auto, always or never")
	f.IntVar(&a.jobs, "jobs", 0, "how many (`N`) processors to use (default: all)")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		a.lsCommand(), a.similarityCommand(), a.decayCommand(), a.profileCommand(),
		a.generateCommand(), a.exportCommand(), a.reportCommand(), a.versionCommand(),
		a.formatsTopic(), a.architecturesTopic(), a.metricsTopic(),
	)
	root.SetVersionTemplate(versionLine())
	a.tameLibrary(root)
	setHelp(root)
	return root
}

// tameLibrary gives the library's own commands the statuses of the others: a word
// that they do not know is wrong usage, not a help page and success.
func (a *app) tameLibrary(root *cobra.Command) {
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = a.run(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		})
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command or a topic",
		RunE: a.run(func(cmd *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 && found != root {
				return unknownCommand(found, rest[0])
			}
			if len(rest) > 0 {
				return unknownCommand(root, rest[0])
			}
			return found.Help()
		}),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if len(args) == 0 {
				for _, c := range root.Commands() {
					if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
						names = append(names, c.Name())
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	})
}

// begin checks the flags that every command has.
func (a *app) begin() error {
	if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
		return &usageError{fmt.Sprintf("--color: %q is not one of auto, always, never", a.color), ""}
	}
	if a.jobs < 0 {
		return usagef("--jobs: %d is negative", a.jobs)
	}
	if a.jobs > 0 {
		runtime.GOMAXPROCS(min(a.jobs, runtime.NumCPU())) // more would only cost memory
	}
	return nil
}

// flagError words cobra's complaint about a flag and adds the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	e := &usageError{msg: firstLine(err.Error()), hint: "see: " + cmd.CommandPath() + " --help"}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) { // the rest of its text is the number parser's
		e.msg = fmt.Sprintf("--%s: %q is not what it takes (%s)", invalid.GetFlag().Name, invalid.GetValue(), kindOf(invalid.GetFlag()))
	}
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if n := nearest(missing.GetSpecifiedName(), names); n != "" {
			e.hint = fmt.Sprintf("did you mean --%s?", n)
		}
	}
	return e
}

// kindOf words the type of a flag's value.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "uint64":
		return "a whole number"
	case "intSlice":
		return "whole numbers, with commas between them"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	}
	return f.Value.Type()
}

// oneSource and someSources check the number of operands.
func oneSource(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return &usageError{fmt.Sprintf("%s takes one SOURCE, and %d were given", cmd.Name(), len(args)), "several on one figure: poslens decay A B"}
	}
	return someSources(cmd, args)
}

func someSources(cmd *cobra.Command, args []string) error {
	for i, arg := range args {
		if arg == "" {
			return usagef("SOURCE %d is empty", i+1)
		}
	}
	if len(args) == 0 {
		return &usageError{"no SOURCE was given", fmt.Sprintf("for example: poslens %s model.safetensors; or gen:smooth, a table made here", cmd.Name())}
	}
	return nil
}

// unknownCommand names the nearest command.
func unknownCommand(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	hint := "there are: " + strings.Join(names, ", ")
	if n := nearest(word, names); n != "" {
		hint = fmt.Sprintf("did you mean %q?", n)
	} else if isPlace(word) {
		hint = fmt.Sprintf("to look into a file: poslens ls %s", word)
	}
	return &usageError{fmt.Sprintf("unknown command %q", word), hint}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// printable replaces control characters, which a hostile file's names may hold,
// by their escapes.
func printable(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isControl tells terminal control characters, C1 included. A newline inside a
// message is ours.
func isControl(r rune) bool {
	return r < 0x20 && r != '\n' || 0x7f <= r && r < 0xa0 || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// inline is a name from the command line or a file as it may stand inside a line.
func inline(s string) string { return strings.ReplaceAll(printable(s), "\n", `\n`) }

// run notes that a command's own code was reached: an error before it is wrong
// usage, found by the command-line library.
func (a *app) run(do func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.running = true
		return do(cmd, args)
	}
}
