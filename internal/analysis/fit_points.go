package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// points are what a curve is fitted to, the values in units of 2^exponent.
type points struct {
	k, y     []float64
	root     []float64 // square roots of the weights, whose mean is 1
	from, to float64   // of |k|; 0 without points
	exponent int
	reach    fitReach
	tss      float64 // about the weighted mean
	none     float64 // a sum of squares that is rounding alone
}

// rounding is how exact a fitted value can be, relative to the largest one.
const rounding = 1e-13

// newPoints takes the points with |k| in a range, and counts those of them that are
// left out.
func newPoints(k, y, w []float64, from, to float64) (p *points, left int) {
	p = &points{}
	var weights []float64
	for i := range k {
		if d := math.Abs(k[i]); d < from || d > to {
			continue
		}
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		if !finite(k[i]) || !finite(y[i]) || !finite(weight) || weight <= 0 || math.Abs(k[i]) > 1e100 {
			left++
			continue
		}
		p.k, p.y = append(p.k, k[i]), append(p.y, y[i])
		weights = append(weights, weight)
	}
	n := float64(len(p.k))
	if n == 0 {
		return p, left
	}
	_, p.exponent = math.Frexp(magnitude(p.y))
	shiftExponent(p.y, -p.exponent)
	floats.Scale(1/floats.Max(weights), weights) // their sum may overflow
	floats.Scale(n/floats.Sum(weights), weights)
	for _, weight := range weights {
		p.root = append(p.root, math.Sqrt(weight))
	}
	p.none = n * math.Pow(rounding*magnitude(p.y), 2)
	mean := floats.Dot(weights, p.y) / n
	for i, y := range p.y {
		p.tss += weights[i] * (y - mean) * (y - mean)
	}
	p.measure()
	return p, left
}

// measure fills the range and the reach.
func (p *points) measure() {
	var far []float64
	for _, k := range p.k {
		far = append(far, math.Abs(k))
	}
	slices.Sort(far)
	p.from, p.to = far[0], far[len(far)-1]
	r := fitReach{lo: floats.Min(p.k), hi: floats.Max(p.k), gap: math.Inf(1)}
	for i := 1; i < len(far); i++ {
		if d := far[i] - far[i-1]; d > 0 {
			r.gap = min(r.gap, d)
		}
	}
	if math.IsInf(r.gap, 1) {
		r.gap = 1
	}
	r.span = max(p.to, r.gap)
	p.reach = r
}

// fit fits one model.
func (p *points) fit(m *FitModel, unit string) Fit {
	nan := Value(math.NaN())
	f := Fit{Model: m.Name, Formula: m.Formula, Params: m.describe(unit), AtZero: undefinedEstimate(),
		R2: nan, AIC: nan, AICc: nan, RSS: nan, N: len(p.k), Reasons: map[string]string{}, model: m}
	if reason := p.unfit(m); reason != "" {
		f.undefine(reason, "converged", "params", "at_zero", "r2", "aic", "aicc", "rss")
		return f
	}
	s := &solver{m: m, k: p.k, y: p.y, root: p.root, none: p.none}
	x, ok := s.solve(p.reach)
	if !ok {
		f.undefine("the points do not tell the parts of the model apart", "converged", "params", "at_zero", "r2", "aic", "aicc", "rss")
		return f
	}
	orderTerms(m, x.theta, x.alpha)
	f.Converged = x.converged
	if at := s.bound(x.theta); at >= 0 {
		f.Converged = false
		f.undefine(fmt.Sprintf("%s ran to %.4g, the end of the search: the points do not hold it", m.theta[at].name, m.natural(at, x.theta)), "converged")
	} else if !f.Converged {
		f.undefine("the search came to no optimum: the points hardly hold the model", "converged")
	}
	p.score(&f, x)
	p.errors(&f, s, x)
	f.theta, f.alpha = x.theta, x.alpha
	shiftExponent(f.alpha, p.exponent)
	if len(f.Reasons) == 0 {
		f.Reasons = nil
	}
	return f
}

// undefine gives one reason for some figures.
func (f *Fit) undefine(reason string, figures ...string) {
	if f.Reasons == nil {
		f.Reasons = map[string]string{}
	}
	for _, figure := range figures {
		f.Reasons[figure] = reason
	}
}

// unfit says why a model can't be fitted to the points at all; "" when it can.
func (p *points) unfit(m *FitModel) string {
	n, need := len(p.k), m.params()+1
	if n < need {
		return fmt.Sprintf("%d %s, but %d %s at least %d", n, plural(n, "point", "points"), m.params(), plural(m.params(), "parameter needs", "parameters need"), need)
	}
	if len(m.theta) > 0 && p.tss <= p.none {
		return "the values are all equal: nothing rises or falls"
	}
	if m.Name == "power-law" && slices.Contains(p.k, 0) {
		return "a power law has no value at 0"
	}
	return ""
}

// natural is a theta as its parameter.
func (m *FitModel) natural(at int, theta []float64) float64 {
	if m.theta[at].log {
		return math.Exp(theta[at])
	}
	return theta[at]
}

// natural gives the parameters of a solution in the curve's own units, and its value at
// 0.
func (p *points) natural(m *FitModel, x solution) (params []float64, atZero float64) {
	for i := range x.theta {
		params = append(params, m.natural(i, x.theta))
	}
	for _, a := range x.alpha {
		params = append(params, math.Ldexp(a, p.exponent))
	}
	phi := make([]float64, len(x.alpha))
	m.basis(0, x.theta, phi, nil)
	return params, math.Ldexp(floats.Dot(phi, x.alpha), p.exponent)
}

// score fills the figures of how well a model fits.
func (p *points) score(f *Fit, x solution) {
	f.RSS = Value(math.Ldexp(math.Ldexp(x.rss, p.exponent), p.exponent))
	if !f.RSS.Defined() {
		f.undefine(overflow, "rss")
	}
	if p.tss <= p.none {
		f.undefine("the values are all equal: there is no variance to explain", "r2")
	} else {
		f.R2 = Value(1 - x.rss/p.tss)
	}
	if p.none == 0 {
		f.undefine("all values are 0", "aic", "aicc")
		return
	}
	aic, aicc := p.information(x.rss, f.model.params())
	f.AIC, f.AICc = Value(aic), Value(aicc)
	if !f.AICc.Defined() {
		f.undefine(fmt.Sprintf("%d %s too few for the correction with %d %s", f.N, plural(f.N, "point is", "points are"), f.model.params(), plural(f.model.params(), "parameter", "parameters")), "aicc")
	}
}

// information is AIC and AICc of a model with some parameters; NaN where there are
// too few points.
func (p *points) information(rss float64, params int) (aic, aicc float64) {
	n, all := float64(len(p.k)), float64(params+1)
	aic = n*(math.Log(max(rss, p.none)/n)+2*float64(p.exponent)*math.Ln2) + 2*all
	if n-all-1 <= 0 {
		return aic, math.NaN()
	}
	return aic, aic + 2*all*(all+1)/(n-all-1)
}
