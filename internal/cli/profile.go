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
)

// profileFlags choose the query and what is made of the scores.
type profileFlags struct {
	query   string
	samples int
	seed    uint64
	scale   bool
	softmax bool
	heads   []int
	given   func(flag string) bool // nil: none was
	limits  *limitFlags            // for a query in a file
}

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
the offsets -K..K.`,
		Example: `  poslens generate locality | poslens profile - -o profile.png
  poslens profile 'swin.pth#*layers.0.blocks.0*' -f csv
  poslens profile bert.pt --layer 0 --query gaussian --softmax -o layer0.svg`,
		Args: someSources,
	}
	addReading(cmd, &read, false, true)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.StringVar(&how.query, "query", "uniform", "for vectors, `NAME` is uniform (ones/sqrt(width)), ones, gaussian (mean of many, with a band), or a file with one row")
		f.IntVar(&how.samples, "samples", 1000, "how many (`N`) gaussian queries")
		f.Uint64Var(&how.seed, "seed", 42, "`SEED` of the gaussian queries")
		f.BoolVar(&how.scale, "scale", false, "multiply the scores of vectors by 1/sqrt(width)")
		f.BoolVar(&how.softmax, "softmax", false, "softmax over the window: shares of attention")
		f.IntSliceVar(&how.heads, "head", nil, "only head `H`; repeatable, or H,H,...")
	})
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		if how.samples < 1 {
			return usagef("--samples: %d is below 1", how.samples)
		}
		if !slices.Contains(queries, how.query) && !isPlace(how.query) {
			hint := "one of " + strings.Join(queries, ", ") + ", or a file with one row"
			if n := nearest(how.query, queries); n != "" {
				hint = fmt.Sprintf("did you mean %q?", n)
			}
			return &usageError{fmt.Sprintf("--query: no query and no file %q", how.query), hint}
		}
		for _, flag := range []string{"samples", "seed"} {
			if how.query != "gaussian" && cmd.Flags().Changed(flag) {
				return usagef("--%s is for --query gaussian alone", flag)
			}
		}
		if how.query == "gaussian" && len(how.heads) > 0 {
			return usagef("--head: the mean over gaussian queries has no heads")
		}
		if err := a.check(&out, append(inputs(args), how.query)); err != nil {
			return err
		}
		read.relative = true
		how.given, how.limits = cmd.Flags().Changed, &read.limits
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
		return cmp.Or(a.emit(cmd.Context(), &out, profileProduct(profiles, &out)), some, err)
	})
	return cmd
}

// profileAll computes the profile of every table. When only some have one, the
// error is a *partial, beside the others' profiles.
func (a *app) profileAll(ctx context.Context, tables []loaded, how *profileFlags) ([]*analysis.Profile, error) {
	var profiles []*analysis.Profile
	err := a.forTables(tables, func(l loaded) error {
		p, err := a.profileOf(ctx, l.table, how)
		if err != nil {
			return err
		}
		a.warn(p.Label, p.Warnings)
		a.note(p.Label, p.Notes)
		profiles = append(profiles, p)
		return nil
	})
	if err != nil && !someFailed(err) {
		return nil, err
	}
	return profiles, err
}

// oneShape refuses profiles along one axis beside maps of two.
func oneShape(profiles []*analysis.Profile) error {
	first := profiles[0]
	for _, p := range profiles {
		if len(p.Axes) != len(first.Axes) {
			return &usageError{fmt.Sprintf("%s has %d axes of offsets and %s has %d: they can't share a table or a figure", first.Label, len(first.Axes), p.Label, len(p.Axes)), "run profile for each by itself"}
		}
	}
	return nil
}

// queries are the words that --query takes beside a file.
var queries = []string{"uniform", "ones", "gaussian"}

// profileOf computes the profile of one table, by its kind.
func (a *app) profileOf(ctx context.Context, t posemb.Table, how *profileFlags) (*analysis.Profile, error) {
	b, ok := t.(*posemb.Bias)
	switch v, ofVectors := t.(*posemb.Vectors); {
	case ok && how.given != nil && (how.given("query") || how.given("scale")):
		a.tell("%s: a bias needs no query: --query and --scale are not used", b.Label)
	case ok:
	case !ofVectors:
		return nil, fmt.Errorf("no profile of a %s table", t.Kind())
	case how.query == "gaussian":
		return analysis.ProfileSampled(ctx, v, analysis.SampleOptions{Samples: how.samples, Seed: how.seed, Scale: how.scale, Softmax: how.softmax})
	default:
		_, width := v.Table.Dims()
		query, err := a.queryVector(ctx, how.query, width, how.limits)
		if err != nil {
			return nil, err
		}
		if b, err = v.Score(query, posemb.ScoreOptions{Scale: how.scale}); err != nil {
			return nil, err
		}
	}
	b, err := b.Pick(how.heads)
	if err != nil {
		return nil, err
	}
	return analysis.ProfileOf(ctx, b, analysis.ProfileOptions{Softmax: how.softmax})
}

// queryVector makes the query that --query names.
func (a *app) queryVector(ctx context.Context, name string, width int, limits *limitFlags) ([]float64, error) {
	switch name {
	case "uniform":
		return posemb.UniformQuery(width), nil
	case "ones":
		return posemb.OnesQuery(width), nil
	}
	f, err := a.openPlace(ctx, name, limits)
	if err != nil {
		return nil, fmt.Errorf("--query %s: %w", name, err)
	}
	defer f.Close()
	infos := f.Tensors()
	if len(infos) != 1 {
		return nil, fmt.Errorf("--query %s: one vector was expected, and the file has %d tensors", name, len(infos))
	}
	t, err := f.Tensor(ctx, infos[0].Name)
	if err != nil {
		return nil, fmt.Errorf("--query %s: %w", name, err)
	}
	if len(t.Data) != width {
		return nil, fmt.Errorf("--query %s: %d values, but the table's width is %d", name, len(t.Data), width)
	}
	return t.Data, nil
}
