package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// spectrumFlags choose what is shown of a spectrum.
type spectrumFlags struct {
	components string
	table      string
	plot       string

	listed []int // the components asked for; nil: the usual ones
}

// The values of --table and --plot.
var (
	spectrumTables = []string{"variance", "scores", "power", "periods", "pairs"}
	spectrumPlots  = []string{"all", "variance", "scores", "scatter", "power"}
)

// mostListed is the largest component that can be asked for.
const mostListed = 1 << 16

// read checks the flags and gives the options of the analysis.
func (s *spectrumFlags) read(o *outputFlags) (analysis.SpectrumOptions, error) {
	var opt analysis.SpectrumOptions
	if err := cmp.Or(oneOf("table", s.table, spectrumTables), oneOf("plot", s.plot, spectrumPlots)); err != nil {
		return opt, err
	}
	if s.plot == "" {
		s.plot = "all"
	}
	if lo, hi, err := o.span(); err != nil {
		return opt, err
	} else if lo != hi {
		switch {
		case s.plot == "all", s.plot == "scatter":
			return opt, &usageError{"--range is of one y axis, and this figure has several or one scale for both", "choose --plot variance, scores or power"}
		case s.plot == "power" && lo <= 0:
			return opt, usagef("--range: the axis of the power is logarithmic, so MIN is above 0")
		}
	}
	if s.components == "" {
		return opt, nil
	}
	for part := range strings.SplitSeq(s.components, ",") {
		from, to, isRange := strings.Cut(part, ":")
		a, err := strconv.Atoi(strings.TrimSpace(from))
		b := a + 1
		if isRange && err == nil {
			b, err = strconv.Atoi(strings.TrimSpace(to))
		}
		if err != nil || a < 0 || b <= a || b > mostListed {
			return opt, &usageError{fmt.Sprintf("--components: %q is no list of components", s.components), "for example 0,1 or 0:16; 0 is that of the largest variance"}
		}
		for k := a; k < b; k++ {
			if !slices.Contains(s.listed, k) {
				s.listed = append(s.listed, k)
			}
			opt.Components = max(opt.Components, k+1)
		}
		if len(s.listed) > 4096 {
			return opt, usagef("--components: %d components are more than 4096", len(s.listed))
		}
	}
	return opt, nil
}

func (a *app) spectrumCommand() *cobra.Command {
	var (
		read readingFlags
		out  outputFlags
		how  spectrumFlags
	)
	cmd := &cobra.Command{
		Use:   "spectrum SOURCE...",
		Short: "Principal components, periods, effective dimension",
		Long: `What a table's variance is spread over: its principal components, and its
frequencies. The figure has four parts: the cumulative share of the variance,
the components along the positions, two components against each other in the
colour of the position (of a grid: hue by row, lightness by column), those that
turn together or else the first two, and the mean power spectrum against the
period. Of several tables, variance and power are laid over each other.

Dominant periods stand out of the power spectrum. Two components that turn
together, a quarter of a turn apart, are a rotational pair: the table is a helix
around their plane. Less than two turns within the table may be chance.

TSV and CSV give one of the tables:
  variance  of every component, with its share (the default)
  scores    of the first components at every position
  power     at every frequency
  periods   the dominant ones
  pairs     components that turn together
JSON gives all of them.`,
		Example: `  poslens spectrum gpt2.safetensors -o spectrum.png
  poslens spectrum model.pt gen:sinusoid,n=512,d=768 --plot power -o power.pdf
  poslens spectrum model.pt --table scores --components 0:16 -f csv`,
		Args: someSources,
	}
	addReading(cmd, &read, true, false)
	group(cmd, "Analysis", func(f *pflag.FlagSet) {
		f.StringVar(&how.components, "components", "", "`LIST` of components, such as 0,1 or 0:16: those of the scores, the first two of them against each other (default: the first 4 of the figure, the first 8 of the data)")
		f.StringVar(&how.table, "table", "", "`NAME` of the table in TSV and CSV: "+strings.Join(spectrumTables, ", "))
		f.StringVar(&how.plot, "plot", "", "`PART` of the figure: "+strings.Join(spectrumPlots, ", "))
	})
	mustComplete(cmd, "table", spectrumTables)
	mustComplete(cmd, "plot", spectrumPlots)
	addOutput(cmd, &out)
	cmd.RunE = a.run(func(cmd *cobra.Command, args []string) error {
		opt, err := how.read(&out)
		if err != nil {
			return err
		}
		if err := a.check(&out, inputs(args)); err != nil {
			return err
		}
		tables, some := a.load(cmd.Context(), args, &read, kinds{posemb.KindAbsolute})
		if len(tables) == 0 {
			return some
		}
		results, err := a.spectrumAll(cmd.Context(), tables, opt)
		if len(results) == 0 {
			return err
		}
		if shows(a.asked(&out), append(figure.Formats(), "ansi")...) && len(spectrumCharts(results, &how, &out)) == 0 {
			return &hinted{fmt.Errorf("%s: there is nothing to draw", inline(results[0].Label)), "-f json has the reasons"}
		}
		if len(results) > mostSpectra && how.plot == "all" && shows(a.asked(&out), append(figure.Formats(), "ansi")...) {
			a.tell("the figure of more than %d tables has their variance and power alone (the components: --plot scores or scatter)", mostSpectra)
		}
		return cmp.Or(a.emit(cmd.Context(), &out, spectrumProduct(results, &how, &out)), some, err)
	})
	return cmd
}

// spectrumAll computes the spectrum of every table, as ofTables does.
func (a *app) spectrumAll(ctx context.Context, tables []loaded, opt analysis.SpectrumOptions) ([]*analysis.SpectrumResult, error) {
	return ofTables(a, tables, func(l loaded) (*analysis.SpectrumResult, error) {
		r, err := analysis.Spectrum(ctx, l.table.(*posemb.Absolute), opt)
		if err != nil {
			return nil, err
		}
		if r.Path != "" {
			a.detail("%s: %s", r.Label, r.Path)
		}
		a.warn(r.Label, r.Warnings)
		a.note(r.Label, r.Notes)
		return r, nil
	})
}
