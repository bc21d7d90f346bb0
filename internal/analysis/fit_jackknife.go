package analysis

import (
	"fmt"
	"math"
)

// How standard errors are found, as CurveFits names it.
const (
	ErrorsFormal    = "formal"    // from the scatter of the points about the model
	ErrorsJackknife = "jackknife" // from what a tenth of the pairs changes
)

// fewestLengths is how many lengths of its kernel a table must span for an error. On
// tables of posemb.Smooth the jackknife's of the length is about right from 10 on, down to
// 0.7 of the scatter at 8, 0.5 at 5 and 0.4 at 4.
const fewestLengths = 6

// jackknife puts the errors that the pairs tell in place of the formal ones. With
// theta_b a parameter fitted, from the whole fit's as the start and with its weights,
// to the means without stretch b of g,
//
//	std_err^2 = (g - 1) / g sum over b of (theta_b - mean of theta)^2
//
// (Efron 1982, The Jackknife, the Bootstrap and Other Resampling Plans; for blocks of a
// series Kunsch 1989, Annals of Statistics 17, 1217). Stretches of positions, and not
// groups of components, are left out, for components of a trained table share what
// they know: of 8 processes that are mixed to 64 components those groups told 0.3 of
// the scatter. Cosines don't change as a table is rotated, nor do these errors.
func (c *DecayCurve) jackknife(fits *CurveFits, k, w []float64) {
	fits.ErrorsBy = ErrorsJackknife
	curves := make([]*points, stretchCount)
	for b := range curves {
		curves[b], _ = newPoints(k, c.stretches.without[b], w, fits.From, fits.To)
	}
	for i := range fits.Models {
		f := &fits.Models[i]
		if f.alpha == nil {
			continue // nothing is defined, and told why
		}
		f.forgetErrors()
		if reason := c.noErrors(f, fits); reason != "" {
			f.undefine(reason, "std_err")
		} else if reason := f.jackknife(curves); reason != "" {
			f.forgetErrors()
			f.undefine(reason, "std_err")
		}
	}
}

// forgetErrors makes all errors undefined.
func (f *Fit) forgetErrors() {
	nan := Value(math.NaN())
	for i := range f.Params {
		f.Params[i].StdErr = nan
	}
	f.AtZero.StdErr = nan
}

// noErrors says why the errors of a fit can't be told; "" when they can.
func (c *DecayCurve) noErrors(f *Fit, fits *CurveFits) string {
	if !f.Converged {
		return "the fit did not converge"
	}
	most := 0
	for i, at := range c.At {
		if d := float64(at); d >= fits.From && d <= fits.To {
			most = max(most, c.Pairs[i])
		}
	}
	switch length := float64(f.Param("length").Value); {
	case most < stretchCount:
		return fmt.Sprintf("%d %s at a distance, too few for %d stretches", most, plural(most, "pair", "pairs"), stretchCount)
	case !c.scatters(fits):
		return "the pairs at each distance are all alike: the table has no scatter that could tell"
	case fewestLengths*length > float64(c.stretches.positions):
		return fmt.Sprintf("the table's %d positions are fewer than %d lengths", c.stretches.positions, fewestLengths)
	}
	return ""
}

// scatters tells whether leaving a stretch out changes a mean by more than rounding,
// which products in single precision have the most of.
func (c *DecayCurve) scatters(fits *CurveFits) bool {
	const rounding = 1e-7
	size := 0.0
	for i, at := range c.At {
		if d := float64(at); d >= fits.From && d <= fits.To && c.Pairs[i] > 0 {
			size = max(size, math.Abs(c.Mean[i]))
		}
	}
	for i, at := range c.At {
		if d := float64(at); d < fits.From || d > fits.To {
			continue
		}
		for _, without := range c.stretches.without {
			if math.Abs(without[i]-c.Mean[i]) > rounding*size {
				return true
			}
		}
	}
	return false
}

// jackknife fills the errors from the means without each stretch. It gives the reason
// why it can't, or "".
func (f *Fit) jackknife(curves []*points) string {
	values := make([][]float64, len(f.Params)) // by parameter, then by curve
	var zeros []float64
	for _, p := range curves {
		s := &solver{m: f.model, k: p.k, y: p.y, root: p.root, none: p.none}
		if f.model.box != nil {
			s.box = f.model.box(p.reach)
		}
		x, ok := s.refine(f.theta)
		if !ok || !x.converged || s.bound(x.theta) >= 0 {
			return "without one of the stretches the fit does not converge"
		}
		orderTerms(f.model, x.theta, x.alpha)
		params, zero := p.natural(f.model, x)
		for i, v := range params {
			values[i] = append(values[i], v)
		}
		zeros = append(zeros, zero)
	}
	for i := range f.Params {
		f.Params[i].StdErr = Value(jackknifeError(values[i]))
		if !f.Params[i].StdErr.Defined() {
			return overflow
		}
	}
	if f.AtZero.Value.Defined() {
		f.AtZero.StdErr = Value(jackknifeError(zeros))
	}
	return ""
}

// jackknifeError is sqrt((g - 1) / g sum (x - mean)^2) of g values.
func jackknifeError(x []float64) float64 {
	g := float64(len(x))
	return math.Sqrt(g-1) * spreadOf(x).std
}
