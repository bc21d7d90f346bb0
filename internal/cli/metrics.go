package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// metricFlags choose the figures and what they are held against.
type metricFlags struct {
	only   []string
	draws  int
	seed   uint64
	query  string
	probes bool
	wide   bool
	repeat int // of the probes
	limits *limitFlags
	asked  bool // draws was given
}

func (a *app) metricsCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  metricFlags
	)
	cmd := &cobra.Command{
		Use:   "metrics SOURCE...",
		Short: "One row of figures a table, beside its null models",
		Long: `The published figures of a position table: decay, translation invariance,
monotonicity, symmetry, isotropy, dimension, spectrum, norms and order; of a
relative table direction, asymmetry, locality, reach and entropy, per head.
Beside each stand null models: the rows in random orders, Gaussian rows of the
same lengths, and the sinusoid of the same shape. z tells how many standard
deviations of the null a figure lies from its mean, p how rarely the null lies
as far. What each figure is: poslens help metrics.

Tables up to about 2048 x 768 get 99 draws, larger ones up to about 4096 x 1024
get 19, and the largest none: all of them take a minute or so on two processors
at most, for 512 x 768 some 6 s. --null-draws N asks for more or fewer.`,
		Example: `  poslens metrics gpt2.safetensors
  poslens metrics a.pt b.pt --null-draws 0 -f tsv
  poslens metrics model.pt --only entropy_rank,kendall_tau --null-draws 999`,
		Args:        someSources,
		Annotations: map[string]string{manualKey: metricsManual()},
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.StringSliceVar(&how.only, "only", nil, "only these figures or groups: `NAME`,...")
		f.BoolVar(&how.wide, "wide", false, "tsv and csv with a row a table or head and a column a figure, without null models")
		f.IntVar(&how.draws, "null-draws", usualDraws, "draws (`N`) of each random null model; 0: none")
		f.Uint64Var(&how.seed, "seed", 42, "`SEED` of the draws and the probes")
		f.BoolVar(&how.probes, "probes", false, "what linear models read from the rows, and the order that similarities give back: some seconds a table")
		f.IntVar(&how.repeat, "probe-repeats", 10, "random orders and pairs (`N`) of the probes")
		f.StringVar(&how.query, "query", "uniform", "for vectors, `NAME` is uniform (ones/sqrt(width)), ones, or a file with one row")
	})
	mustCompleteList(cmd, "only", metricNames(analysis.Metrics, analysis.RelativeMetrics, analysis.ProbeMetrics))
	completeQuery(cmd, oneQuery)
	addDataOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		how.asked, how.limits = cmd.Flags().Changed("null-draws"), &read.limits
		if err := how.check(); err != nil {
			return err
		}
		if err := a.check(&out, append(inputs(args), how.query)); err != nil {
			return err
		}
		tables, some := a.load(cmd.Context(), args, &read, anyKind())
		if len(tables) == 0 {
			return some
		}
		sets, err := a.metricsAll(cmd.Context(), tables, &how)
		if len(sets) == 0 {
			return err
		}
		return cmp.Or(a.emit(cmd.Context(), &out, metricsProduct(sets, how.wide)), some, err)
	})
	return cmd
}

// check refuses flags that no table can follow.
func (m *metricFlags) check() error {
	if m.draws < 0 || m.draws > mostDraws {
		return usagef("--null-draws: %d is not from 0 to %d", m.draws, mostDraws)
	}
	if m.draws == 1 {
		return usagef("--null-draws: 1 draw has no spread; 19 is the least that can tell p = 0.05")
	}
	if m.repeat < 1 || m.repeat > 10_000 {
		return usagef("--probe-repeats: %d is not from 1 to 10000", m.repeat)
	}
	m.only = withoutGroups(m.only)
	for _, probe := range metricNames(analysis.ProbeMetrics) {
		m.probes = m.probes || slices.Contains(m.only, probe)
	}
	for _, name := range m.only {
		if !analysis.KnownMetric(name) {
			if err := oneOf("only", name, metricNames(analysis.Metrics, analysis.RelativeMetrics, analysis.ProbeMetrics)); err != nil {
				return err
			}
		}
	}
	return checkQuery(m.query, oneQuery)
}

// withoutGroups puts the figures of a group in the place of its name.
func withoutGroups(only []string) []string {
	var names []string
	for _, name := range only {
		var group []string
		for _, list := range [][]analysis.Metric{analysis.Metrics, analysis.RelativeMetrics, analysis.ProbeMetrics} {
			for _, m := range list {
				if m.Group == name && !analysis.KnownMetric(name) { // entropy is both
					group = append(group, m.Name)
				}
			}
		}
		if group == nil {
			group = []string{name}
		}
		names = append(names, group...)
	}
	return names
}

// metricNames are the names of some metrics, each once.
func metricNames(lists ...[]analysis.Metric) []string {
	var names []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, m := range list {
			if !seen[m.Name] {
				seen[m.Name] = true
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// metricsAll takes the metrics of every table, as ofTables does.
func (a *app) metricsAll(ctx context.Context, tables []loaded, how *metricFlags) ([]*analysis.MetricSet, error) {
	return ofTables(a, tables, func(l loaded) (*analysis.MetricSet, error) {
		set, err := a.metricsOf(ctx, l.table, how)
		if err != nil {
			return nil, err
		}
		if len(set.Metrics) == 0 {
			return nil, fmt.Errorf("a %s table has none of the figures asked for", l.table.Kind())
		}
		a.warn(set.Label, set.Warnings)
		return set, nil
	})
}

// metricsOf takes the metrics of one table, by its kind.
func (a *app) metricsOf(ctx context.Context, t posemb.Table, how *metricFlags) (*analysis.MetricSet, error) {
	opt := analysis.MetricOptions{Only: how.only, Draws: how.draws, Seed: how.seed}
	switch t := t.(type) {
	case *posemb.Absolute:
		opt.Draws = a.drawsFor(t, how)
		set, err := analysis.MetricsOf(ctx, t, opt)
		if err == nil && how.probes {
			err = a.probe(ctx, t, how, set)
		}
		return set, err
	case *posemb.Bias:
		return analysis.MetricsOfBias(ctx, t, opt)
	case *posemb.Vectors:
		b, note, err := a.scored(ctx, t, how.query, false, how.limits)
		if err != nil {
			return nil, err
		}
		if note != "" {
			a.note(t.Label, []string{note})
		}
		return analysis.MetricsOfBias(ctx, b, opt)
	}
	return nil, fmt.Errorf("no metrics of a %s table", t.Kind())
}

// probe adds the probes that are wanted to a table's metrics.
func (a *app) probe(ctx context.Context, t *posemb.Absolute, how *metricFlags, set *analysis.MetricSet) error {
	r, err := analysis.Probes(ctx, t, analysis.ProbeOptions{Repeats: how.repeat, Seed: how.seed})
	if err != nil {
		return err
	}
	a.note(t.Label, r.Notes)
	for _, m := range r.Figures() {
		if len(how.only) == 0 || slices.Contains(how.only, m.Name) {
			set.Metrics = append(set.Metrics, m)
		}
	}
	return nil
}

// The draws of a null model: the usual number, the fewer of a large table, and the
// most that are taken.
const (
	usualDraws = 99
	fewDraws   = 19
	mostDraws  = 100_000
)

// drawsFor is how many draws a table gets. Unless the user says a number, large ones
// get fewer or none.
func (a *app) drawsFor(t *posemb.Absolute, how *metricFlags) int {
	if how.asked || how.draws == 0 {
		return how.draws
	}
	n, d := t.Table.Dims()
	const few, none = 1.2, 7 // seconds a draw, so that all take a minute or so on two processors
	switch seconds := analysis.DrawSeconds(n, d); {
	case seconds > none:
		a.tell("%s: no null models, which take long for %d x %d; --null-draws N asks for them", t.Label, n, d)
		return 0
	case seconds > few:
		a.tell("%s: %d draws of each null model, since they take long for %d x %d; --null-draws N asks for more", t.Label, fewDraws, n, d)
		return fewDraws
	}
	return how.draws
}
