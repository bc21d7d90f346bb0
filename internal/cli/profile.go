package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// profileFlags choose the query and what is made of the scores.
type profileFlags struct {
	query   string
	samples int
	seed    uint64
	scale   bool
	softmax bool
	heads   []int
	mean    bool
	along   string
	cell    string
	at      *analysis.Cell // what cell says; nil: no cell
	xscale  string
	fit     fitFlags
	given   func(flag string) bool // nil: none was
	limits  *limitFlags            // for a query in a file
}

// imageAxes are the words that --along takes.
var imageAxes = []string{"dy", "dx"}

func (a *app) profileCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  profileFlags
	)
	cmd := &cobra.Command{
		Use:   "profile SOURCE...",
		Short: "Score against relative offset, per head: lines, maps",
		Long: `The score of every offset = key - query; a negative offset looks back. Biases
(T5, Swin) have a score an offset and head. Vectors (Shaw) give one with a
query: score = query . row. A bare matrix of 2K+1 rows is taken as vectors of
the offsets -K..K. Offsets on two axes are drawn as maps, or with --along as
lines beside those of one axis; --cell draws what one query of a window sees.`,
		Example: `  poslens generate locality | poslens profile - -o profile.png
  poslens profile 'swin.pth#*layers.0.blocks.0*' -f csv
  poslens profile --along dx --mean swin.pth t5.msgpack --layer all -o all.svg`,
		Args: someSources,
	}
	addReading(cmd, &read, false, true)
	group(cmd, "Query (of vectors)", func(f *pflag.FlagSet) {
		f.StringVar(&how.query, "query", "uniform", "`NAME` is uniform (ones/sqrt(width)), ones, gaussian (mean of many, with a band), or a file with one row")
		f.IntVar(&how.samples, "samples", 1000, "how many (`N`) gaussian queries")
		f.Uint64Var(&how.seed, "seed", 42, "`SEED` of the gaussian queries")
		f.BoolVar(&how.scale, "scale", false, "multiply the scores of vectors by 1/sqrt(width)")
	})
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.IntSliceVar(&how.heads, "head", nil, "only head `H`; repeatable, or H,H,...")
		f.BoolVar(&how.mean, "mean", false, "one line a table: the mean over its heads, with a band of one standard deviation")
		f.StringVar(&how.along, "along", "", "of offsets on two axes, only those along one: `AXIS` is dy or dx (the other 0)")
		f.StringVar(&how.cell, "cell", "", "of a window, the scores of every key for the query in row `R,C` (from 0)")
		f.BoolVar(&how.softmax, "softmax", false, "softmax over the window: shares of attention")
		addFit(cmd, f, &how.fit)
	})
	mustComplete(cmd, "along", imageAxes)
	completeQuery(cmd, manyQueries)
	completeFit(cmd)
	addOutput(cmd, &out)
	group(cmd, "Figure", func(f *pflag.FlagSet) {
		f.StringVar(&how.xscale, "xscale", "", "`SCALE` of the offsets: linear, or symlog (logarithmic beyond -1..1)")
	})
	mustComplete(cmd, "xscale", figure.Scales())
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		how.given, how.limits = cmd.Flags().Changed, &read.limits
		if err := how.fit.check(args); err != nil {
			return err
		}
		if err := how.check(); err != nil {
			return err
		}
		if err := a.check(&out, append(inputs(args), how.query)); err != nil {
			return err
		}
		read.relative = true
		tables, some := a.load(cmd.Context(), args, &read, kinds{posemb.KindVectors, posemb.KindBias})
		if len(tables) == 0 {
			return some
		}
		profiles, err := a.profileAll(cmd.Context(), tables, &how)
		if len(profiles) == 0 {
			return err
		}
		if err := oneShape(profiles); err != nil {
			return err
		}
		view, verr := how.view(profiles)
		if verr != nil {
			return verr
		}
		if tooManyMaps(profiles) && shows(a.asked(&out), chartForms...) {
			return mapsFault(profiles)
		}
		return cmp.Or(a.emit(cmd.Context(), &out, view.product(profiles, &out)), some, err)
	})
	return cmd
}

// check refuses values and pairs of flags that mean nothing.
func (p *profileFlags) check() error {
	if p.samples < 1 {
		return usagef("--samples: %d is below 1", p.samples)
	}
	if err := checkQuery(p.query, manyQueries); err != nil {
		return err
	}
	for _, flag := range []string{"samples", "seed"} {
		if p.query != gaussian && p.given(flag) {
			return usagef("--%s is for --query gaussian alone", flag)
		}
	}
	if err := cmp.Or(oneOf("along", p.along, imageAxes), oneOf("xscale", p.xscale, figure.Scales())); err != nil {
		return err
	}
	if p.along != "" && p.cell != "" {
		return usagef("--along and --cell contradict each other: one gives lines, the other maps")
	}
	var err error
	p.at, err = parseCell(p.cell)
	return err
}

// parseCell reads R,C.
func parseCell(s string) (*analysis.Cell, error) {
	if s == "" {
		return nil, nil
	}
	row, col, ok := strings.Cut(s, ",")
	r, err1 := strconv.Atoi(strings.TrimSpace(row))
	c, err2 := strconv.Atoi(strings.TrimSpace(col))
	if !ok || err1 != nil || err2 != nil || r < 0 || c < 0 {
		return nil, &usageError{fmt.Sprintf("--cell: %q is not R,C", s), "for example --cell 0,0: the upper left corner of the window"}
	}
	return &analysis.Cell{Row: r, Col: c}, nil
}

// oneShape refuses profiles along one axis beside maps of two.
func oneShape(profiles []*analysis.Profile) error {
	first := profiles[0]
	for _, p := range profiles {
		if len(p.Axes) != len(first.Axes) {
			return &usageError{fmt.Sprintf("%s has offsets on %s and %s on %s: they can't share a table or a figure", inline(first.Label), axesWord(first), inline(p.Label), axesWord(p)), "--along dy or --along dx takes those of two axes along one"}
		}
	}
	return nil
}

// axesWord is how many axes a profile has.
func axesWord(p *analysis.Profile) string {
	if len(p.Axes) == 1 {
		return "one axis"
	}
	return "two axes"
}
