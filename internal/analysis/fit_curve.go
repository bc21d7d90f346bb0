package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"poslens/internal/gram"
)

// fitAtLeast is how many distances a fit of cosines goes, however soon they vanish.
const fitAtLeast = 8

// Fit fits models to the means of the curve. Those of cosines are weighted by the
// inverse square of their standard error, pairs / std^2, for cosines near 1 scatter
// less; scores, whose std is that of unlike heads, and means without a std by their
// pairs alone.
//
// By distance it starts at 1: c(0) is 1 whatever the table, and what a smooth curve
// lacks to 1 at 0 is the noise floor, the share of each vector that no neighbour has.
// Cosines are fitted as far as they stand out of noise: to the first distance at which
// c(k) is at most its standard error std / sqrt(pairs), or 0 where there is no std. The
// tail beyond holds no shape but the chance correlation of the table's few independent
// stretches, which is alike at neighbouring distances and would decide between models.
// On tables of posemb.Smooth that names the right kernel and finds its length to a few
// per cent. The cosine's mean is not the correlation r but posemb.ExpectedCosine, less
// by up to 1 % at a width of 64, which is not corrected for.
//
// The standard errors of a table's curve with a spread are a jackknife's over ten
// stretches of positions: on tables of posemb.Smooth 0.75 to 1.4 times the length's
// scatter, at lengths up to a tenth of the table. Those of any other curve are formal,
// as in FitCurve.
func (c *DecayCurve) Fit(opt FitOptions) (*CurveFits, error) {
	k, w := floatsOf(c.At), c.weights()
	opt.Unit = c.Measure
	suits := scoreModels
	switch {
	case c.Axis == AxisOffset:
		suits = signedModels
	case c.Measure != MeasureScore:
		suits = cosineModels
	}
	if opt.Models == nil {
		opt.Models = suits
	}
	ranged := opt.From != nil || opt.To != nil // asked for, and then taken as it is
	if opt.From == nil && c.Axis == AxisDistance {
		first := 1.0
		opt.From = &first
		if opt.To != nil && *opt.To < 1 {
			return nil, fmt.Errorf("a fit to distance %v: it starts at 1", *opt.To)
		}
	}
	note := ""
	if !ranged && c.Measure == MeasureCosine && c.Axis == AxisDistance {
		if last, ok := c.outOfNoise(); ok && last >= *opt.From {
			opt.To = &last
			note = fmt.Sprintf("fit: distances up to %v, where the mean has come down to its noise", last)
		}
	}
	fits, err := FitCurve(k, c.Mean, w, opt)
	if err != nil {
		return nil, err
	}
	if note != "" {
		fits.Notes = append([]string{note}, fits.Notes...)
	}
	if c.stretches != nil {
		c.jackknife(fits, k, w)
	}
	if c.Measure == MeasureCosine {
		for i := range fits.Models {
			f := &fits.Models[i]
			f.NoiseFloor = &Estimate{1 - f.AtZero.Value, f.AtZero.StdErr}
		}
	}
	return fits, nil
}

// weights are those of the means in a fit. No deviation counts as less than a part of
// the largest one: where all pairs are alike it is rounding.
func (c *DecayCurve) weights() []float64 {
	w := floatsOf(c.Pairs)
	if c.Measure == MeasureScore || c.Std == nil {
		return w
	}
	const part, alike = 0.02, 1e-6
	largest, size := 0.0, 0.0
	for i, std := range c.Std {
		if finite(std) {
			largest, size = max(largest, std), max(size, math.Abs(c.Mean[i]))
		}
	}
	if largest <= alike*size {
		return w
	}
	for i, std := range c.Std {
		std = max(std/largest, part) // NaN only where there are no pairs
		w[i] /= std * std
	}
	return w
}

func floatsOf(n []int) []float64 {
	f := make([]float64, len(n))
	for i, v := range n {
		f[i] = float64(v)
	}
	return f
}

// outOfNoise is the first distance at which the mean does not stand out of its
// standard error, but not one of the first few.
func (c *DecayCurve) outOfNoise() (distance float64, ok bool) {
	for i, k := range c.At {
		if k == 0 || c.Pairs[i] == 0 {
			continue
		}
		noise := 0.0
		if c.Std != nil {
			noise = c.Std[i] / math.Sqrt(float64(c.Pairs[i]))
		}
		if c.Mean[i] <= noise {
			return float64(c.At[min(max(i, fitAtLeast), len(c.At)-1)]), true
		}
	}
	return 0, false
}

// Fit fits models to a head's Score against the signed offset, all points alike. A
// profile along two axes is an error: AxisProfile gives one along one.
func (p *Profile) Fit(head int, opt FitOptions) (*CurveFits, error) {
	if head < 0 || head >= len(p.Heads) {
		return nil, fmt.Errorf("head %d: the profile has %d", head, len(p.Heads))
	}
	if len(p.Axes) != 1 {
		return nil, ErrFitAxes
	}
	k := make([]float64, len(p.Offsets))
	for i, offset := range p.Offsets {
		k[i] = float64(offset[0])
	}
	opt.Unit = p.Quantity
	if opt.Models == nil {
		opt.Models = signedModels
	}
	fits, err := FitCurve(k, p.Heads[head].Score, nil, opt)
	if err == nil && p.Steps {
		fits.Notes = append(fits.Notes, "fit: offsets that share a stored value count as points of their own")
	}
	return fits, err
}

// FitHeads fits every head of a profile, as Fit does, on all processors, and keeps the
// fits in Heads.
func (p *Profile) FitHeads(ctx context.Context, opt FitOptions) error {
	errs := make([]error, len(p.Heads))
	err := gram.Parallel(ctx, len(p.Heads), func() func(int) {
		return func(i int) { p.Heads[i].Fits, errs[i] = p.Fit(i, opt) }
	})
	if err != nil {
		return err
	}
	return cmp.Or(errs...)
}
