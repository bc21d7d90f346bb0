package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poslens/internal/analysis"
)

// fitFlags choose the models that curves are fitted with; without them none is.
type fitFlags struct {
	models  string // names, or fitAll
	reaches string // FROM:TO
	given   func() bool
}

// fitAll stands for the models that suit the curve.
const fitAll = "all"

// addFit defines the flags of fits.
func addFit(cmd *cobra.Command, f *pflag.FlagSet, o *fitFlags) {
	f.StringVar(&o.models, "fit", "", "fit models that suit the curve; `MODEL,...` only these: "+strings.Join(analysis.FitModelNames(), ", "))
	f.Lookup("fit").NoOptDefVal = fitAll
	o.given = func() bool { return cmd.Flags().Changed("fit") }
	f.StringVar(&o.reaches, "fit-range", "", "distances `FROM:TO` that are fitted; either may be left out")
}

// completeFit offers the models to the shell, once the command has the flags.
func completeFit(cmd *cobra.Command) { mustCompleteList(cmd, "fit", analysis.FitModelNames()) }

// asked tells whether curves shall be fitted.
func (o *fitFlags) asked() bool { return o.given != nil && o.given() }

// check refuses flags that can't be followed, and a model's name that stands behind
// --fit like a source.
func (o *fitFlags) check(sources []string) error {
	for _, name := range sources {
		if o.asked() && o.models == fitAll && slices.Contains(analysis.FitModelNames(), name) && !isPlace(name) {
			return &usageError{fmt.Sprintf("%q is a model, and there is no file of that name", name), "--fit=" + name}
		}
	}
	_, err := o.options()
	return err
}

// options reads the flags.
func (o *fitFlags) options() (opt analysis.FitOptions, err error) {
	if o.reaches != "" && !o.asked() {
		return opt, usagef("--fit-range is for --fit alone")
	}
	if o.asked() && o.models != fitAll {
		for _, name := range strings.Split(o.models, ",") {
			if err := oneOf("fit", strings.TrimSpace(name), analysis.FitModelNames()); err != nil {
				return opt, err
			}
			if name = strings.TrimSpace(name); name != "" {
				opt.Models = append(opt.Models, name)
			}
		}
		if opt.Models == nil {
			return opt, usagef("--fit: %q names no model", o.models)
		}
	}
	if o.reaches == "" {
		return opt, nil
	}
	wrong := &usageError{fmt.Sprintf("--fit-range: %q is not FROM:TO with FROM at most TO", o.reaches), "for example --fit-range 1:20, or --fit-range 2:"}
	from, to, ok := strings.Cut(o.reaches, ":")
	for _, end := range []struct {
		text string
		at   **float64
	}{{from, &opt.From}, {to, &opt.To}} {
		if end.text == "" {
			continue
		}
		v, err := strconv.ParseFloat(end.text, 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return opt, wrong
		}
		*end.at = &v
	}
	if !ok || opt.From == nil && opt.To == nil || opt.From != nil && opt.To != nil && *opt.From > *opt.To {
		return opt, wrong
	}
	return opt, nil
}

// fitDecay fits a curve, when that is asked for.
func (a *app) fitDecay(c *analysis.DecayCurve, o *fitFlags) error {
	if !o.asked() {
		return nil
	}
	opt, err := o.options()
	if err != nil {
		return err
	}
	if c.Fits, err = c.Fit(opt); err != nil {
		return fitFault(err)
	}
	a.note(c.Label, c.Fits.Notes)
	if c.Raster {
		a.note(c.Label, []string{"a fit over the raster order of a grid mixes steps along a row with steps from row to row"})
	}
	return nil
}

// fitProfile fits every head of a profile, when that is asked for.
func (a *app) fitProfile(ctx context.Context, p *analysis.Profile, o *fitFlags) error {
	if !o.asked() {
		return nil
	}
	opt, err := o.options()
	if err != nil {
		return err
	}
	if err := p.FitHeads(ctx, opt); err != nil {
		return fitFault(err)
	}
	heads := map[string][]string{} // by what is noted of them
	var order []string
	for i := range p.Heads {
		for _, n := range p.Heads[i].Fits.Notes {
			if heads[n] == nil {
				order = append(order, n)
			}
			heads[n] = append(heads[n], p.Heads[i].Head)
		}
	}
	for _, n := range order {
		if of := heads[n]; len(of) < len(p.Heads) {
			n = fmt.Sprintf("head %s: %s", strings.Join(of, ", "), n)
		}
		a.note(p.Label, []string{n})
	}
	return nil
}

// fitFault says what to try against the error of a fit.
func fitFault(err error) error {
	if errors.Is(err, analysis.ErrFitPoints) {
		return &hinted{err, "--fit-range FROM:TO fits some of the distances, for example --fit-range 0:1000"}
	}
	if errors.Is(err, analysis.ErrFitAxes) {
		return &hinted{err, "--along dy or --along dx takes the offsets along one"}
	}
	return err
}
