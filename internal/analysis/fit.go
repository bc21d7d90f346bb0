package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Estimate is a number with its standard error.
type Estimate struct {
	Value  Value `json:"value"`
	StdErr Value `json:"std_err"`
}

// Param is one parameter of a fitted model.
type Param struct {
	Name   string `json:"name"`   // "length"
	Symbol string `json:"symbol"` // as in the model's formula: "l"
	Estimate
	Unit string `json:"unit,omitempty"` // empty for a pure number
}

// Fit is one model fitted to a curve by weighted least squares. What is undefined is
// NaN, and Reasons tells why.
type Fit struct {
	Model      string            `json:"model"`
	Formula    string            `json:"formula"`
	Params     []Param           `json:"params"`
	AtZero     Estimate          `json:"at_zero"`               // the model at k = 0, from which a nugget at 0 is left out
	NoiseFloor *Estimate         `json:"noise_floor,omitempty"` // 1 - AtZero; cosines alone have it
	R2         Value             `json:"r2"`                    // 1 - RSS / TSS, weighted, TSS about the weighted mean
	AIC        Value             `json:"aic"`
	AICc       Value             `json:"aicc"` // for few points; the best fit has the least
	RSS        Value             `json:"rss"`  // sum of w e^2, the weights having mean 1
	N          int               `json:"n"`    // points
	Converged  bool              `json:"converged"`
	Reasons    map[string]string `json:"reasons,omitempty"`

	model *FitModel
	theta []float64 // as the solver has it
	alpha []float64
}

// CurveFits are the models fitted to the same points of one curve.
type CurveFits struct {
	Best     string   `json:"best"`      // the model with the least AICc; empty when none converged, or none is better than a constant
	From     float64  `json:"from"`      // the range of |k| that is fitted
	To       float64  `json:"to"`        //
	N        int      `json:"n"`         // points within it
	Models   []Fit    `json:"models"`    // in the order asked for
	ErrorsBy string   `json:"errors_by"` // ErrorsFormal or ErrorsJackknife
	Curve    Values   `json:"curve"`     // the best model at every k of the curve within the range, and at 0; NaN beyond
	Notes    []string `json:"notes,omitempty"`
}

// FitOptions choose models and range. The zero value is the curve's default.
type FitOptions struct {
	Models []string // names of FitModels; nil are those that suit the curve
	From   *float64 // least |k|; nil is the curve's own
	To     *float64 // largest |k|; nil is the curve's own
	Unit   string   // of the curve's values, for the parameters; may be empty
}

// BestFit is the fit that Best names, or nil.
func (c *CurveFits) BestFit() *Fit {
	for i := range c.Models {
		if c.Models[i].Model == c.Best {
			return &c.Models[i]
		}
	}
	return nil
}

// At is the fitted model at k, or NaN.
func (f *Fit) At(k float64) float64 {
	if f.alpha == nil { // lines have no theta
		return math.NaN()
	}
	return f.model.at(k, f.theta, f.alpha)
}

// Param is the parameter of a name; its numbers are NaN where there is none.
func (f *Fit) Param(name string) Estimate {
	for _, p := range f.Params {
		if p.Name == name {
			return p.Estimate
		}
	}
	return undefinedEstimate()
}

func undefinedEstimate() Estimate { return Estimate{Value(math.NaN()), Value(math.NaN())} }

// ErrFitPoints is wrapped by the error of a fit to more points than a search takes.
var ErrFitPoints = errors.New("too many points for a fit")

// ErrFitAxes is the error of a fit to a profile of offsets on two axes.
var ErrFitAxes = errors.New("a fit is of one axis of offsets, and the profile has two")

// mostFitted is how many points a curve may have, which takes seconds; the time grows
// as their number.
const mostFitted = 1 << 15

// FitCurve fits models to the points (k, y), each to the same ones:
//
//	minimise sum over i of w_i (y_i - f(k_i))^2
//
// w may be nil, for weights of 1. Points with a number that is not finite or a
// weight that is not above 0 are left out, and a note counts them. The weights are
// taken as relative: those of all points together have mean 1.
//
// The best fit has the least AICc (Hurvich and Tsai 1989), with N points, p parameters
// and P = p + 1, for the variance is one too:
//
//	AIC = N ln(RSS / N) + 2 P,  AICc = AIC + 2 P (P + 1) / (N - P - 1)
//
// AICc tends to AIC as N grows. Of both the differences between models tell something,
// not the values. A model that reproduces the points to rounding has the RSS of
// rounding there, so that of two exact ones that with fewer parameters is named.
//
// Standard errors are sqrt of the diagonal of RSS / (N - p) (J^T W J)^-1, J being the
// Jacobian at the optimum. They hold for independent errors; means of one table at
// neighbouring distances err alike, and theirs are too small: on tables of posemb.Smooth
// with its defaults the length scatters by 6 to 11 times as much. DecayCurve.Fit has
// better ones.
//
// An error says that slices are not of one length, names a model that there is not, or
// wraps ErrFitPoints.
func FitCurve(k, y, w []float64, opt FitOptions) (*CurveFits, error) {
	if len(y) != len(k) || w != nil && len(w) != len(k) {
		return nil, fmt.Errorf("a fit of %d values at %d places with %d weights: must be as many", len(y), len(k), len(w))
	}
	names := opt.Models
	if names == nil {
		names = cosineModels
	}
	models, err := fitModels(names)
	if err != nil {
		return nil, err
	}
	from, to := 0.0, math.Inf(1)
	if opt.From != nil {
		from = *opt.From
	}
	if opt.To != nil {
		to = *opt.To
	}
	if !(from <= to) {
		return nil, fmt.Errorf("a fit from %v to %v: the range is empty", from, to)
	}
	p, left := newPoints(k, y, w, from, to)
	if len(p.k) > mostFitted {
		return nil, fmt.Errorf("%w: %d, and at most %d are fitted", ErrFitPoints, len(p.k), mostFitted)
	}
	c := &CurveFits{N: len(p.k), From: p.from, To: p.to, ErrorsBy: ErrorsFormal}
	if left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("fit: %d %s left out: not finite, or without weight", left, plural(left, "point is", "points are")))
	}
	for _, m := range models {
		c.Models = append(c.Models, p.fit(m, opt.Unit))
	}
	_, constant := p.information(p.tss, 1)
	c.choose(constant)
	c.Curve = undefined(len(k))
	if best := c.BestFit(); best != nil {
		for i, k := range k {
			if d := math.Abs(k); d == 0 || d >= c.From && d <= c.To {
				c.Curve[i] = best.At(k)
			}
		}
	}
	return c, nil
}

// asGood is a difference in AICc that does not tell models apart (Burnham and
// Anderson, Model Selection and Multimodel Inference, 2002, 2.6).
const asGood = 2

// choose names the best fit, and notes those that are as good. None is best where
// the AICc of a constant is no more.
func (c *CurveFits) choose(constant float64) {
	var best *Fit
	for i := range c.Models {
		if f := &c.Models[i]; f.Converged && f.AICc.Defined() && (best == nil || f.AICc < best.AICc) {
			best = f
		}
	}
	if best == nil {
		c.Notes = append(c.Notes, "fit: none of the models can be fitted: "+c.why())
		return
	}
	if constant <= float64(best.AICc) {
		c.Notes = append(c.Notes, "fit: no model is better than a constant: the points show no fall")
		return
	}
	c.Best = best.Model
	var near []string
	for _, f := range c.Models {
		if f.Model != best.Model && f.Converged && f.AICc-best.AICc < asGood {
			near = append(near, f.Model)
		}
	}
	if len(near) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("fit: %s %s as well as %s: AICc differs by less than %d",
			strings.Join(near, ", "), plural(len(near), "fits", "fit"), best.Model, asGood))
	}
}

// why gathers the reasons for which no model converged.
func (c *CurveFits) why() string {
	var list []string
	for _, f := range c.Models {
		text := f.Reasons["converged"]
		if text == "" {
			text = f.Reasons["aicc"]
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, "; ")
}
