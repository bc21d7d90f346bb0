package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/posemb"
)

func (a *app) generateCommand() *cobra.Command {
	var kinds []string
	for _, g := range posemb.Generators {
		kinds = append(kinds, g.Name)
	}
	cmd := &cobra.Command{
		Use:   "generate KIND",
		Short: "Make a table: " + strings.Join(kinds, ", "),
		Long: `A table made here, to learn on or to lay over a real one: what models are given
instead of a learned table (sinusoid, sinusoid-2d, alibi, rotary), what learned
tables look like (smooth, locality, t5), and what they begin from (random). The
same flags give the same bytes. Everywhere a SOURCE is expected,
gen:KIND,key=value,... makes one on the spot.`,
		Example: `  poslens generate smooth --n 512 --d 64 -o table.npy
  poslens generate locality | poslens profile -
  poslens generate alibi --heads 12 -f csv
  poslens decay gen:sinusoid,n=512,d=768`,
		Args: cobra.ArbitraryArgs,
		RunE: a.run(func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"generate needs a KIND", "one of " + strings.Join(kinds, ", ")}
			}
			return unknownKind(args[0], kinds)
		}),
	}
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if words := c.Flags().Args(); c == cmd && len(words) > 0 { // the flag is one of a kind that there is not
			return unknownKind(words[0], kinds)
		}
		return flagError(c, err)
	})
	for _, g := range posemb.Generators {
		cmd.AddCommand(a.generatorCommand(g))
	}
	return cmd
}

// unknownKind names the nearest kind, or all.
func unknownKind(word string, kinds []string) error {
	hint := "one of " + strings.Join(kinds, ", ")
	if n := nearest(word, kinds); n != "" {
		hint = fmt.Sprintf("did you mean %q?", n)
	}
	return &usageError{fmt.Sprintf("there is no kind %q", word), hint}
}

// noOperands refuses operands. What is written as in gen:KIND,key=value has the flag in
// the hint.
func noOperands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see: " + cmd.CommandPath() + " --help"
	if name, value, ok := strings.Cut(args[0], "="); ok && cmd.Flags().Lookup(name) != nil {
		hint = fmt.Sprintf("did you mean --%s %s?", name, value)
	}
	return &usageError{fmt.Sprintf("%s takes no operand, and %q was given", cmd.CommandPath(), args[0]), hint}
}

// generatorCommand is the command of one kind; its flags are the kind's
// parameters.
func (a *app) generatorCommand(g posemb.Generator) *cobra.Command {
	var out outputFlags
	values := map[string]*parameter{}
	cmd := &cobra.Command{
		Use:     g.Name,
		Short:   g.Doc,
		Example: fmt.Sprintf("  poslens generate %[1]s -o %[1]s.npy\n  poslens generate %[1]s -f csv\n  poslens generate %[1]s -o %[1]s.png", g.Name),
		Args:    noOperands,
	}
	group(cmd, "Parameters", func(f *pflag.FlagSet) {
		for _, p := range g.Params {
			v := parameter(p.Default)
			values[p.Name] = &v
			f.Var(&v, p.Name, p.Doc)
		}
	})
	for _, p := range g.Params {
		if len(p.Values) > 0 {
			mustComplete(cmd, p.Name, p.Values)
		}
	}
	addOutput(cmd, &out, "npy", "npz", "safetensors")
	cmd.RunE = a.run(func(cmd *cobra.Command, _ []string) error {
		if err := a.check(&out, nil); err != nil {
			return err
		}
		given := map[string]string{}
		for name, v := range values {
			if cmd.Flags().Changed(name) {
				given[name] = string(*v)
			}
		}
		t, err := posemb.Generate(g.Name, given)
		if err != nil {
			return err
		}
		for _, note := range t.Remarks() {
			a.tell("%s", note)
		}
		a.tellLoss(t, &out)
		return a.emit(cmd.Context(), &out, tableProduct("generate", madeHere(operand{}, t), &out))
	})
	return cmd
}

// parameter is a flag whose text the generator itself reads, as it does in the
// operand gen:KIND,name=value.
type parameter string

func (p *parameter) String() string     { return string(*p) }
func (p *parameter) Set(s string) error { *p = parameter(s); return nil }
func (p *parameter) Type() string       { return "VALUE" }
