package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// DecaySummary draws a curve of cosines together. It looks at every distance of
// the table, however far the curve itself goes. Lengths are in positions.
type DecaySummary struct {
	MeanCosineOffdiagonal Value `json:"mean_cosine_offdiagonal"` // over all pairs of two positions
	HalfLifeToMean        Value `json:"half_life_to_mean"`       // where the mean has come half-way down from 1 to MeanCosineOffdiagonal
	HalfLifeToZero        Value `json:"half_life_to_zero"`       // where the mean has come down to 1/2
	FirstLE1OverE         *int  `json:"first_k_le_1_over_e"`     // first distance with a mean of at most 1/e, up to rounding
	FirstLE0              *int  `json:"first_k_le_0"`            // first distance with a mean of at most 0, up to rounding
	FirstLocalMinimum     *int  `json:"first_local_minimum"`     // first distance whose mean is below both its neighbours'
}

// noSummary is a summary in which all is undefined.
func noSummary() DecaySummary {
	nan := Value(math.NaN())
	return DecaySummary{MeanCosineOffdiagonal: nan, HalfLifeToMean: nan, HalfLifeToZero: nan}
}

// withoutSummary gives one reason for all of the summary.
func (c *DecayCurve) withoutSummary(reason string) {
	for _, figure := range figuresOf("decay") {
		c.Reasons[figure] = reason
	}
}

// flat is how far from 1 the mean cosine of a table must be, its dips deep, and a
// mean above a level that it has not come down to, to be told from rounding, which at
// the last distances of a long table is that of autocorrelate.
const flat = 1e-9

// flatSingle is the same where products are taken in float32.
const flatSingle = 1e-5

// summarise fills the summary from the mean cosine at every distance.
func (c *DecayCurve) summarise(r *rows, mean []float64, stride int) {
	if r.count < 2 {
		c.withoutSummary("a single defined position makes no pair")
		return
	}
	s := &c.Summary
	flat := flat
	if r.single {
		flat = flatSingle
	}
	offdiagonal := r.offdiagonal()
	s.MeanCosineOffdiagonal = Value(offdiagonal)

	lowest := 0
	for k, m := range mean {
		if m < mean[lowest] {
			lowest = k
		}
	}
	never := func(level string) string {
		return fmt.Sprintf("never falls to %s: the lowest mean is %.4g, at distance %d", level, mean[lowest], lowest*stride)
	}
	halfLife := func(figure string, bottom float64, level string) Value {
		half := (1 + bottom) / 2
		switch k, ok := crossing(mean, half); {
		case 1-bottom < flat || mean[0] <= half:
			c.Reasons[figure] = fmt.Sprintf("nothing falls: the mean is %.4g at distance 0 and %.4g over all pairs", mean[0], offdiagonal)
		case !ok:
			c.Reasons[figure] = never(level)
		default:
			return Value(k * float64(stride))
		}
		return Value(math.NaN())
	}
	s.HalfLifeToMean = halfLife("half_life_to_mean", offdiagonal,
		fmt.Sprintf("%.4g, half-way from 1 to the mean off the diagonal", (1+offdiagonal)/2))
	s.HalfLifeToZero = halfLife("half_life_to_zero", 0, "1/2")

	first := func(figure string, ok func(k int) bool, reason string) *int {
		for k := range mean {
			if ok(k) {
				k *= stride
				return &k
			}
		}
		c.Reasons[figure] = reason
		return nil
	}
	s.FirstLE1OverE = first("first_k_le_1_over_e", func(k int) bool { return mean[k] <= 1/math.E+flat }, never("1/e"))
	s.FirstLE0 = first("first_k_le_0", func(k int) bool { return mean[k] <= flat }, never("0"))
	s.FirstLocalMinimum = first("first_local_minimum", func(k int) bool {
		return k > 0 && k+1 < len(mean) && mean[k] < mean[k-1]-flat && mean[k] < mean[k+1]-flat
	}, "no mean is below both its neighbours")
}

// offdiagonal is the mean product of all pairs of two defined rows u, from the
// sums of the rows before each:
//
//	2 / (m (m - 1)) sum over j of (sum over i < j of u_i) . u_j
//
// The square of the sum of all less their squares would lose the digits of the
// products beside those of a large row.
func (r *rows) offdiagonal() float64 {
	if r.off != nil {
		return *r.off
	}
	before, products := make([]float64, r.D), 0.0
	for j := range r.N {
		if r.defined(j) {
			products += floats.Dot(before, r.row(j)) / r.Norm[j]
			floats.AddScaled(before, 1/r.Norm[j], r.row(j))
		}
	}
	m := float64(r.count)
	mean := products / (m * (m - 1) / 2)
	if r.dot {
		return mean
	}
	return clamp(mean)
}

// crossing is where a curve first comes down to a level, drawn straight from
// point to point; undefined points are passed over.
func crossing(curve []float64, level float64) (at float64, ok bool) {
	before := 0
	for k := 1; k < len(curve); k++ {
		switch {
		case math.IsNaN(curve[k]):
			continue
		case curve[k] <= level && curve[before] > level:
			fall := (curve[before] - level) / (curve[before] - curve[k])
			return float64(before) + fall*float64(k-before), true
		}
		before = k
	}
	return 0, false
}
