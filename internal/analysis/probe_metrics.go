package analysis

import "math"

// oneRepeat is the reason of a standard deviation that there is none of.
const oneRepeat = "a single repeat has no standard deviation"

// ProbeMetrics are the figures that a ProbeResult gives, in order.
var ProbeMetrics = []Metric{
	{Name: "absolute_probe_mae", Group: "probes", From: "Wang and Chen 2020, the released code (MiuLab/PE-Study, absolute.py)",
		Doc: "mean |round(prediction) - position| of the least-squares fit of least norm from row to position, over five random folds: the mean over the repeats"},
	{Name: "absolute_probe_mae_sd", Group: "probes", Doc: "standard deviation of absolute_probe_mae over the repeats"},
	{Name: "absolute_probe_repaired", Group: "probes",
		Doc: "mean |prediction - position|, not rounded, of a ridge fit whose penalty generalised cross-validation chooses from the fitted rows; at most 512 rows, evenly from the whole table"},
	{Name: "absolute_probe_repaired_sd", Group: "probes", Doc: "standard deviation of absolute_probe_repaired over the repeats"},
	{Name: "absolute_probe_normalised", Group: "probes",
		Doc: "absolute_probe_repaired over the error of always guessing the middle, n/4 for n positions in a row: 1 where the rows tell nothing"},
	{Name: "relative_probe_error", Group: "probes", From: "Wang and Chen 2020, the released code (MiuLab/PE-Study, relative.py)",
		Doc: "share of random pairs (a, b) for which a logistic regression on [p_a ; p_b] (C = 1, five folds) tells b > a wrongly: the mean over the repeats"},
	{Name: "relative_probe_error_sd", Group: "probes", Doc: "standard deviation of relative_probe_error over the repeats"},
	{Name: "relative_probe_repaired", Group: "probes",
		Doc: "share of the pairs of two rows told in the wrong order by a logistic regression on p_b - p_a that has seen neither: 0.5 where the rows tell nothing"},
	{Name: "relative_probe_repaired_sd", Group: "probes", Doc: "standard deviation of relative_probe_repaired over the repeats"},
	{Name: "order_fiedler_spearman", Group: "probes", From: "Atkins, Boman and Hendrickson 1998, the seriation",
		Doc: "|Spearman's rho| of the position and the Fiedler vector of the positive part of S: 1 where the cosines alone give the order back"},
	{Name: "order_fiedler_sharp_spearman", Group: "probes",
		Doc: "the same of the eighth power of the positive part of S, to which the many random cosines of far rows add next to nothing"},
}

// Figures are the result as metrics, in the order of ProbeMetrics, each a number or
// the reason why it is none.
func (r *ProbeResult) Figures() []MeasuredMetric {
	f := newFigures()
	set := func(name string, v Value, reason string) {
		if v.Defined() {
			f.set(name, float64(v))
		} else {
			f.undefine(reason, name)
		}
	}
	for name, p := range map[string]*Probe{
		"absolute_probe_mae":      &r.Absolute,
		"absolute_probe_repaired": &r.AbsoluteRepaired,
		"relative_probe_error":    &r.Relative,
		"relative_probe_repaired": &r.RelativeRepaired,
	} {
		set(name, p.Mean, p.Reason)
		reason := p.Reason
		if reason == "" {
			reason = oneRepeat
		}
		set(name+"_sd", p.SD, reason)
	}
	// Ten different positions or more are never all the middle one.
	set("absolute_probe_normalised", r.AbsoluteRepaired.Mean/r.AbsoluteRepaired.Guess, r.AbsoluteRepaired.Reason)
	set("order_fiedler_spearman", r.Order.Spearman, r.Order.Reason)
	set("order_fiedler_sharp_spearman", r.OrderSharp.Spearman, r.OrderSharp.Reason)
	var list []MeasuredMetric
	for _, m := range ProbeMetrics {
		v, ok := f.value[m.Name]
		if !ok {
			v = math.NaN()
		}
		list = append(list, MeasuredMetric{Name: m.Name, Group: m.Group, Value: Value(v), Reason: f.reason[m.Name]})
	}
	return list
}
