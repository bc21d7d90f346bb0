package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// decayFlags choose how far a decay goes and what is told of each distance.
type decayFlags struct {
	similarityFlags
	maxDistance string
	stats       string
	matrix      bool
}

func (d *decayFlags) options() (analysis.DecayOptions, error) {
	sim, err := d.similarityFlags.options()
	opt := analysis.DecayOptions{SimilarityOptions: sim, MeanOnly: d.stats == "mean"}
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
		Long: `The mean similarity of positions k apart, with its spread over all such pairs.
A relative table gives the mean score at |offset|, over heads and both signs.
With --matrix the source is any square matrix, such as an attention map, and
both signs of the offset are kept (offset = key - query = column - row).`,
		Example: `  poslens decay gpt2.safetensors -o decay.png
  poslens decay trained=model.pt reference=gen:sinusoid,n=512,d=768 -o both.pdf
  poslens decay attention.csv --matrix --max-distance all -f tsv`,
		Args: someSources,
	}
	addReading(cmd, &read, true, false)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		addSimilarity(f, &how.similarityFlags)
		f.StringVar(&how.maxDistance, "max-distance", "", "largest distance `K`, or all (default 40, or the last there is)")
		f.StringVar(&how.stats, "stats", "full", "`KIND`: full, or mean, which leaves out spread and quartiles")
		f.BoolVar(&how.matrix, "matrix", false, "the source is a square matrix of scores")
	})
	mustComplete(cmd, "stats", []string{"full", "mean"})
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		opt, err := how.options()
		if err != nil {
			return err
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		read.matrix = how.matrix
		tables, some := a.load(cmd.Context(), args, &read, kinds{posemb.KindAbsolute, posemb.KindVectors, posemb.KindBias})
		if len(tables) == 0 {
			return some
		}
		curves, err := a.decayAll(cmd.Context(), tables, how.matrix, opt)
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

// decayAll computes the curve of every table. When only some have one, the error
// is a *partial, beside the others' curves.
func (a *app) decayAll(ctx context.Context, tables []loaded, matrix bool, opt analysis.DecayOptions) ([]*analysis.DecayCurve, error) {
	var curves []*analysis.DecayCurve
	err := a.forTables(tables, func(l loaded) error {
		c, err := decayOf(ctx, l.table, matrix, opt)
		if err != nil {
			return err
		}
		a.warn(c.Label, c.Warnings)
		a.note(c.Label, c.Notes)
		curves = append(curves, c)
		return nil
	})
	if err != nil && !someFailed(err) {
		return nil, err
	}
	return curves, err
}

// oneMeasure refuses curves of similarities beside curves of scores: their
// columns and axes would mean different things.
func oneMeasure(curves []*analysis.DecayCurve) error {
	for _, c := range curves {
		if c.Measure != curves[0].Measure {
			return &usageError{fmt.Sprintf("%s is a curve of %s and %s one of %s: they can't share a table or a figure", curves[0].Label, decayMeasure(curves[0]), c.Label, decayMeasure(c)), "run decay for each by itself"}
		}
	}
	return nil
}

// decayOf computes the curve of one table, by its kind.
func decayOf(ctx context.Context, t posemb.Table, matrix bool, opt analysis.DecayOptions) (*analysis.DecayCurve, error) {
	switch t := t.(type) {
	case *posemb.Absolute:
		if matrix {
			return analysis.DecayMatrix(ctx, t.Origin, t.Table, opt)
		}
		return analysis.Decay(ctx, t, opt)
	case *posemb.Bias:
		if matrix {
			return nil, &usageError{"--matrix takes a square matrix of scores, and this is a relative table", "leave --matrix out"}
		}
		return analysis.DecayBias(ctx, t, opt)
	case *posemb.Vectors:
		_, width := t.Table.Dims()
		b, err := t.Score(posemb.UniformQuery(width), posemb.ScoreOptions{})
		if err != nil {
			return nil, err
		}
		return analysis.DecayBias(ctx, b, opt)
	}
	return nil, fmt.Errorf("no decay of a %s table", t.Kind())
}

// decayProduct is a set of curves in every form.
func decayProduct(curves []*analysis.DecayCurve, o *outputFlags) *product {
	return &product{
		command: "decay",
		text:    func(w io.Writer, s screen) error { return writeDecay(w, curves, o, s) },
		table:   func() *report.Table { return decayTable(curves) },
		results: func() []any {
			return each(curves)
		},
		chart: func() figure.Chart { return decayChart(curves, o) },
	}
}

// writeDecay shows curves to people: the values of a single one, the picture, and
// last what a curve comes to, where it is still seen.
func writeDecay(w io.Writer, curves []*analysis.DecayCurve, o *outputFlags, s screen) error {
	if len(curves) == 1 {
		if err := report.WriteText(w, narrowDecay(decayTable(curves), s.width), s.width); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := figure.WriteTerminal(w, decayChart(curves, o), figure.Terminal{Width: s.width, Color: s.color}); err != nil {
		return err
	}
	if curves[0].Measure != analysis.MeasureCosine {
		return nil
	}
	fmt.Fprintln(w)
	return report.WriteText(w, decaySummary(curves), s.width)
}

// narrowDecay leaves the quartiles out where a terminal has no room for them.
func narrowDecay(t *report.Table, width int) *report.Table {
	if width >= 100 {
		return t
	}
	slim := &report.Table{Rows: make([][]any, len(t.Rows)), Notes: []string{"quartiles: on a wider terminal, or -f tsv"}}
	for j, c := range t.Cols {
		if slices.Contains([]string{"q1", "median", "q3"}, c.Name) {
			continue
		}
		slim.Cols = append(slim.Cols, c)
		for i, row := range t.Rows {
			slim.Rows[i] = append(slim.Rows[i], row[j])
		}
	}
	return slim
}

// curveOrigins are where curves came from.
func curveOrigins(curves []*analysis.DecayCurve) []posemb.Origin {
	var of []posemb.Origin
	for _, c := range curves {
		of = append(of, c.Origin)
	}
	return of
}

// decaySummary is one row of figures a curve.
func decaySummary(curves []*analysis.DecayCurve) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "mean_all", Numeric: true, Digits: 4}, {Name: "half_to_mean", Numeric: true, Digits: 4}, {Name: "half_to_zero", Numeric: true, Digits: 4}, {Name: "first_le_1/e", Numeric: true}, {Name: "first_le_0", Numeric: true}}}
	_, names := legend(curveOrigins(curves))
	for i, c := range curves {
		s := c.Summary
		t.Rows = append(t.Rows, []any{cmp.Or(names[i], c.Label), float64(s.MeanCosineOffdiagonal), float64(s.HalfLifeToMean), float64(s.HalfLifeToZero), number(s.FirstLE1OverE), number(s.FirstLE0)})
	}
	t.Notes = []string{"mean_all: over all pairs; half: the distance at which the mean is half way down to mean_all, or to 0; first: at or below 1/e, or 0; NA: never. More: poslens help metrics"}
	return t
}

// decayTable is the long form: a row a source and distance.
func decayTable(curves []*analysis.DecayCurve) *report.Table {
	axis := curves[0].Axis
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: axis, Numeric: true}, {Name: "mean", Numeric: true, Digits: 4}}}
	full := slices.ContainsFunc(curves, func(c *analysis.DecayCurve) bool { return c.Std != nil })
	if full {
		for _, name := range []string{"std", "min", "q1", "median", "q3", "max"} {
			t.Cols = append(t.Cols, report.Column{Name: name, Numeric: true, Digits: 4})
		}
	}
	t.Cols = append(t.Cols, report.Column{Name: "pairs", Numeric: true})
	for _, c := range curves {
		for i, k := range c.At {
			row := []any{c.Label, k, c.Mean[i]}
			if full {
				row = append(row, c.Std[i], c.Min[i], c.Q1[i], c.Median[i], c.Q3[i], c.Max[i])
			}
			t.Rows = append(t.Rows, append(row, c.Pairs[i]))
		}
	}
	return t
}

// decayChart draws the means, with a band between the quartiles.
func decayChart(curves []*analysis.DecayCurve, o *outputFlags) *figure.Lines {
	first := curves[0]
	title, names := legend(curveOrigins(curves))
	l := &figure.Lines{
		Title:    title,
		XLabel:   "distance (positions)",
		YLabel:   decayMeasure(first),
		MarkZero: first.Axis == "offset",
	}
	if first.Axis == "offset" {
		l.XLabel = "offset (key - query, positions)"
	}
	for i, c := range curves {
		s := figure.Series{Name: names[i], X: floats(c.At), Y: c.Mean}
		if c.Q1 != nil {
			s.Lo, s.Hi = c.Q1, c.Q3
		}
		l.Series = append(l.Series, s)
	}
	o.setSpan(&l.YMin, &l.YMax)
	return l
}

// decayMeasure words what a curve is the mean of.
func decayMeasure(c *analysis.DecayCurve) string {
	if c.Measure == "score" {
		return "mean score"
	}
	return "mean " + measureLabel(c.Measure, c.Centered)
}

// each gives results as a list for JSON.
func each[T any](results []T) []any {
	var all []any
	for _, r := range results {
		all = append(all, r)
	}
	return all
}

func floats(ints []int) []float64 {
	f := make([]float64, len(ints))
	for i, v := range ints {
		f[i] = float64(v)
	}
	return f
}
