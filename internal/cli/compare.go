package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

// compareFlags choose what of a comparison is told.
type compareFlags struct {
	along     string
	against   string
	only      []string
	table     string
	tolerance float64
	seed      uint64
	given     func(flag string) bool
}

// The values of flags.
var (
	alongWhat   = []string{"step"}
	againstWhat = []string{analysis.AgainstFirst, analysis.AgainstPrevious, analysis.AgainstLast}
	tableWhat   = []string{"figures", "rows", "heads", "metrics", "drift"}
)

func (a *app) compareCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  compareFlags
	)
	cmd := &cobra.Command{
		Use:   "compare SOURCE SOURCE...",
		Short: "Tables against each other; checkpoints of one run along training",
		Long: `Two tables of positions: linear CKA and what it would be by chance, the share
that the best rotation explains (Procrustes), the correlation of the cosine
matrices with a permutation test, which rows moved, and the decays over each
other. More than two: the CKA of every two. Two relative tables: the scores of
each head with those of the other table's. One source of scores: every head with
every other. With --along step the sources are checkpoints of one run, whose
step is in their names (epoch=3-step=1000.ckpt, checkpoint-500/), their LABELs
or their metadata: every metric along the steps, and how far each row has
turned.`,
		Example: `  poslens compare before.pt after.pt -o compared.png
  poslens compare gpt2.safetensors bert.pt wave=gen:sinusoid,d=768 -o cka.svg
  poslens compare run/checkpoint-* --along step -o training.png`,
		Args: someSources,
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.StringVar(&how.along, "along", "", "the sources are checkpoints of one run, in the order of `WHAT`: step")
		f.StringVar(&how.against, "against", "", "with --along, the checkpoint that rows are held against: `WHICH` is first (default), previous or last")
		f.StringSliceVar(&how.only, "only", nil, "with --along, only these metrics; `NAME,...` as in: poslens help metrics")
		f.StringVar(&how.table, "table", "", "`WHICH` of the results tables and figures show: figures, rows or heads (default: figures; of one source of scores heads); with --along metrics (default) or drift")
		f.Float64Var(&how.tolerance, "tolerance", 0, "a row has moved when its distance is over `X` of its length (default 1e-6; 1e-3 where a table is in F16, 8e-3 in BF16)")
		f.Uint64Var(&how.seed, "seed", 42, "`SEED` of the permutations")
	})
	mustComplete(cmd, "along", alongWhat)
	mustComplete(cmd, "against", againstWhat)
	mustComplete(cmd, "table", tableWhat)
	mustCompleteList(cmd, "only", metricNames(analysis.Metrics))
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		how.given = cmd.Flags().Changed
		if err := how.check(); err != nil {
			return err
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		want := anyKind()
		if how.along != "" {
			want = kinds{posemb.KindAbsolute}
		}
		tables, some := a.load(cmd.Context(), args, &read, want)
		if len(tables) == 0 || some != nil && len(tables) < 2 {
			return some
		}
		p, err := a.compared(cmd.Context(), tables, len(args), &read, &how, &out)
		if err != nil {
			return cmp.Or(err, some)
		}
		return cmp.Or(a.emit(cmd.Context(), &out, p), some)
	})
	return cmd
}

// check refuses values that no flag has, and flags that have no meaning together.
func (c *compareFlags) check() error {
	for _, f := range []struct {
		name, value string
		words       []string
	}{{"along", c.along, alongWhat}, {"against", c.against, againstWhat}, {"table", c.table, tableWhat}} {
		if err := oneOf(f.name, f.value, f.words); err != nil {
			return err
		}
	}
	for _, name := range c.only {
		if err := oneOf("only", name, metricNames(analysis.Metrics)); err != nil {
			return err
		}
	}
	for _, flag := range []string{"against", "only"} {
		if c.along == "" && c.given(flag) {
			return &usageError{fmt.Sprintf("--%s is for checkpoints", flag), "--along step follows them"}
		}
	}
	for _, flag := range []string{"tolerance", "seed"} {
		if c.along != "" && c.given(flag) {
			return usagef("--%s has no meaning with --along", flag)
		}
	}
	if c.given("tolerance") && !(c.tolerance > 0 && c.tolerance < 1) {
		return usagef("--tolerance: %v is not between 0 and 1", c.tolerance)
	}
	return nil
}

// shown is which result is shown: the first of some by default.
func (c *compareFlags) shown(of string, some ...string) (string, error) {
	if c.table == "" {
		return some[0], nil
	}
	if !slices.Contains(some, c.table) {
		return "", &usageError{fmt.Sprintf("--table: there is no %q of %s", c.table, of), "one of " + strings.Join(some, ", ")}
	}
	return c.table, nil
}

// compared makes the comparison that the tables and flags ask for.
func (a *app) compared(ctx context.Context, tables []loaded, sources int, read *readingFlags, how *compareFlags, o *outputFlags) (*product, error) {
	if how.along != "" {
		return a.compareAlong(ctx, tables, read, how, o)
	}
	kind := tables[0].table.Kind()
	for _, l := range tables {
		if l.table.Kind() != kind {
			return nil, &usageError{fmt.Sprintf("%s is a table of %s and %s one of %s: they have no rows in common", inline(tables[0].table.From().Label), tables[0].table.Kind(), inline(l.table.From().Label), l.table.Kind()), "compare tables of one kind"}
		}
	}
	switch {
	case kind == posemb.KindBias && sources == 1 && how.table != "figures":
		return a.compareHeads(ctx, tables, how, o)
	case len(tables) == 1:
		return nil, &usageError{fmt.Sprintf("%s is one table, and it needs another to be compared with", inline(tables[0].table.From().Label)), fmt.Sprintf("for example: poslens compare %s reference=gen:smooth", tables[0].op.raw)}
	case len(tables) == 2 && kind == posemb.KindBias:
		return a.compareBias(ctx, tables, how, o)
	case len(tables) == 2:
		return a.comparePair(ctx, tables, how, o)
	}
	return a.compareMany(ctx, tables, how, o)
}

// tellComparison tells what a comparison of several tables chose or found.
func (a *app) tellComparison(warnings, notes []string) {
	for _, w := range warnings {
		a.tell("warning: %s", w)
	}
	for _, n := range notes {
		a.tell("%s", n)
	}
}

// toleranceOf is how far apart two rows may be and be the same: what the flag says,
// or what the coarser of the two tables' numbers round.
func (a *app) toleranceOf(how *compareFlags, tables []loaded) float64 {
	if how.tolerance > 0 {
		return how.tolerance
	}
	tolerance := analysis.DefaultTolerance
	for _, l := range tables {
		switch l.info.DType {
		case tensor.F16:
			tolerance = max(tolerance, 1e-3)
		case tensor.BF16:
			tolerance = max(tolerance, 8e-3)
		}
	}
	if tolerance > analysis.DefaultTolerance {
		a.tell("a row has moved when its distance is over %g of its length, which is what the stored numbers round (another: --tolerance)", tolerance)
	}
	return tolerance
}
