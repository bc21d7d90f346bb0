package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// decayFlags choose how far a decay goes and what is told of each distance.
type decayFlags struct {
	similarityFlags
	maxDistance string
	stats       string
	matrix      bool
	query       string
	heads       []int
	limits      *limitFlags // for a query in a file
	fit         fitFlags
}

// ofRelative are the flags that only a relative table has a use for.
var ofRelative = []string{"query", "head", "offsets", "buckets", "sign", "axes"}

func (d *decayFlags) options() (analysis.DecayOptions, error) {
	sim, err := d.similarityFlags.options()
	opt := analysis.DecayOptions{SimilarityOptions: sim, MeanOnly: d.stats == "mean" && !d.fit.asked(), NoFit: !d.fit.asked()}
	if err != nil {
		return opt, err
	}
	if err := oneOf("stats", d.stats, []string{"full", "mean"}); err != nil {
		return opt, err
	}
	switch d.maxDistance {
	case "":
	case "all":
		opt.All = true
	default:
		k, err := strconv.Atoi(d.maxDistance)
		if err != nil || k < 0 {
			return opt, usagef("--max-distance: %q is neither a distance nor \"all\"", d.maxDistance)
		}
		opt.MaxDistance = &k
	}
	return opt, nil
}

func (a *app) decayCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  decayFlags
	)
	cmd := &cobra.Command{
		Use:   "decay SOURCE...",
		Short: "Similarity against distance: curve with its spread",
		Long: `The mean similarity of positions k apart, with its spread over all such pairs;
a figure's band lies between the quartiles. A relative table gives the mean
score at |offset|, over heads and both signs; vectors that of a query (score =
query . row). With --matrix the source is any square matrix, such as an
attention map, and both signs of the offset are kept (offset = key - query =
column - row). The errors of --fit are a jackknife's over the positions of a
table; those of scores take distances for independent.`,
		Example: `  poslens decay gpt2.safetensors -o decay.png
  poslens decay trained=model.pt reference=gen:sinusoid,n=512,d=768 -o both.pdf
  poslens decay attention.csv --matrix --max-distance all -f tsv`,
		Args: someSources,
	}
	addReading(cmd, &read, true, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		addSimilarity(f, &how.similarityFlags)
		f.StringVar(&how.maxDistance, "max-distance", "", "largest distance `K`, or all (default 40, or the last there is)")
		f.StringVar(&how.stats, "stats", "full", "`KIND`: full, or mean, which leaves out spread and quartiles")
		addFit(cmd, f, &how.fit)
		f.BoolVar(&how.matrix, "matrix", false, "the source is a square matrix of scores")
		f.StringVar(&how.query, "query", "uniform", "for vectors of offsets, `NAME` is uniform (ones/sqrt(width)), ones, or a file with one row")
		f.IntSliceVar(&how.heads, "head", nil, "of a relative table, only head `H`; repeatable, or H,H,...")
	})
	completeQuery(cmd, oneQuery)
	completeFit(cmd)
	mustComplete(cmd, "stats", []string{"full", "mean"})
	mustComplete(cmd, "max-distance", []string{"all"})
	mustComplete(cmd, "precision", precisions)
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		opt, err := how.options()
		if err != nil {
			return err
		}
		if err := checkQuery(how.query, oneQuery); err != nil {
			return err
		}
		if err := how.fit.check(args); err != nil {
			return err
		}
		how.limits = &read.limits
		if err := a.check(&out, append(inputs(args), how.query)); err != nil {
			return err
		}
		opt.NoSummary = !shows(a.asked(&out), "text", "json")
		if read.matrix = how.matrix; how.matrix {
			for _, flag := range []string{"positions", "stride", "reserved", "suffix", "grid", "arch"} {
				if cmd.Flags().Changed(flag) {
					return usagef("--%s cuts rows alone, and --matrix needs rows and columns alike", flag)
				}
			}
			for _, flag := range ofRelative {
				if cmd.Flags().Changed(flag) {
					return usagef("--%s is for tables of offsets, and --matrix takes scores of every two positions", flag)
				}
			}
		}
		tables, some := a.load(cmd.Context(), args, &read, anyKind())
		if len(tables) == 0 {
			return some
		}
		curves, err := a.decayAll(cmd.Context(), tables, &how, opt)
		if len(curves) == 0 {
			return err
		}
		if err := oneMeasure(curves); err != nil {
			return err
		}
		return cmp.Or(a.emit(cmd.Context(), &out, decayProduct(curves, &out)), some, err)
	})
	return cmd
}

// decayAll computes the curve of every table, as ofTables does.
func (a *app) decayAll(ctx context.Context, tables []loaded, how *decayFlags, opt analysis.DecayOptions) ([]*analysis.DecayCurve, error) {
	return ofTables(a, tables, func(l loaded) (*analysis.DecayCurve, error) {
		c, err := a.decayOf(ctx, l.table, how, opt)
		if err != nil {
			return nil, err
		}
		if c.Path != "" {
			a.detail("%s: %s", c.Label, c.Path)
		}
		a.warn(c.Label, c.Warnings)
		a.note(c.Label, c.Notes)
		err = a.fitDecay(c, &how.fit)
		if how.stats == "mean" {
			c.LeaveOutSpread()
		}
		return c, err
	})
}

// oneMeasure refuses curves of similarities beside curves of scores: their
// columns and axes would mean different things.
func oneMeasure(curves []*analysis.DecayCurve) error {
	for _, c := range curves {
		if c.Measure != curves[0].Measure {
			return &usageError{fmt.Sprintf("%s is a curve of %s and %s one of %s: they can't share a table or a figure", inline(curves[0].Label), decayMeasure(curves[0]), inline(c.Label), decayMeasure(c)), "run decay for each by itself"}
		}
	}
	return nil
}

// decayOf computes the curve of one table, by its kind.
func (a *app) decayOf(ctx context.Context, t posemb.Table, how *decayFlags, opt analysis.DecayOptions) (*analysis.DecayCurve, error) {
	note := ""
	if v, ok := t.(*posemb.Vectors); ok {
		var err error
		if t, note, err = a.scored(ctx, v, how.query, false, how.limits); err != nil {
			return nil, err
		}
	}
	switch t := t.(type) {
	case *posemb.Absolute:
		switch {
		case how.matrix:
			opt.RowStride = t.Stride
			return analysis.DecayMatrix(ctx, t.Origin, t.Table, opt)
		case len(how.heads) > 0:
			return nil, usagef("--head: an absolute table has no heads")
		}
		return analysis.Decay(ctx, t, opt)
	case *posemb.Bias:
		b, err := t.Pick(how.heads)
		if err != nil {
			return nil, err
		}
		c, err := analysis.DecayBias(ctx, b, opt)
		if err == nil && note != "" {
			c.Notes = append(c.Notes, note)
		}
		return c, err
	}
	return nil, fmt.Errorf("no decay of a %s table", t.Kind())
}
