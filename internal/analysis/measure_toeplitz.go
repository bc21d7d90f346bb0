package analysis

import (
	"fmt"
	"math"
)

// at is the mean cosine and its deviation at a distance in positions, or why there
// is none.
func (g *diagonals) at(distance, stride int) (mean, std float64, reason string) {
	k := distance / stride
	if distance%stride != 0 || k >= len(g.sum) || g.pairs[k] == 0 {
		return math.NaN(), math.NaN(), fmt.Sprintf("no two defined positions are %d apart", distance)
	}
	count := float64(g.pairs[k])
	return g.mean(k), math.Sqrt(g.within(k) / count), ""
}

// mean is the mean cosine at distance k, which has pairs.
func (g *diagonals) mean(k int) float64 {
	return clamp(g.middle[k] + g.sum[k]/float64(g.pairs[k]))
}

// within is the sum of the squares of the cosines at distance k less their mean.
func (g *diagonals) within(k int) float64 {
	return max(0, g.squares[k]-g.sum[k]/float64(g.pairs[k])*g.sum[k])
}

// decay gives the figures of the curve.
func (g *diagonals) decay(s *subject, f *figures) {
	for _, k := range decayAt {
		mean, std, reason := g.at(k, s.stride)
		if reason != "" {
			f.undefine(reason, fmt.Sprintf("decay_%d", k), fmt.Sprintf("decay_std_%d", k))
			continue
		}
		f.set(fmt.Sprintf("decay_%d", k), mean)
		f.set(fmt.Sprintf("decay_std_%d", k), std)
	}
	mean := make([]float64, len(g.sum))
	for k := range mean {
		mean[k] = math.NaN()
		if g.pairs[k] > 0 {
			mean[k] = g.mean(k)
		}
	}
	mean[0] = 1
	c := &DecayCurve{Summary: noSummary(), Reasons: map[string]string{}}
	c.summarise(s.rows, mean, s.stride)
	value := func(name string, v Value) {
		if v.Defined() {
			f.set(name, float64(v))
		} else {
			f.undefine(c.Reasons[name], name)
		}
	}
	value("mean_cosine_offdiagonal", c.Summary.MeanCosineOffdiagonal)
	value("half_life_to_mean", c.Summary.HalfLifeToMean)
	value("half_life_to_zero", c.Summary.HalfLifeToZero)
	for name, k := range map[string]*int{"first_k_le_1_over_e": c.Summary.FirstLE1OverE, "first_k_le_0": c.Summary.FirstLE0, "first_local_minimum": c.Summary.FirstLocalMinimum} {
		if k == nil {
			f.undefine(c.Reasons[name], name)
		} else {
			f.set(name, float64(*k))
		}
	}
	if tau, ok := kendall(mean); ok {
		f.set("kendall_tau", tau)
	} else {
		f.undefine("c(k) is the same at all distances", "kendall_tau")
	}
}

// toeplitz gives the figures of how well the diagonals' means tell the matrix of
// n defined rows.
func (g *diagonals) toeplitz(n int, f *figures) {
	for name, diagonal := range map[string]int{"toeplitz_r2_cosine_all": n, "toeplitz_r2_cosine_offdiagonal": 0} {
		if r2, reason := g.rSquared(diagonal); reason != "" {
			f.undefine(reason, name)
		} else {
			f.set(name, r2)
		}
	}
	var within, means, errors, distances float64
	offdiagonal := g.meanOf(0)
	between := g.between(0, offdiagonal)
	for k := 1; k < len(g.sum); k++ {
		if g.pairs[k] == 0 {
			continue
		}
		p := float64(g.pairs[k])
		within += g.within(k)
		means += p * g.mean(k) * g.mean(k)
		errors += math.Sqrt(g.within(k) / p)
		distances++
	}
	// Of all entries: the diagonal's squares are 1, and sum S^2 = sum T^2 + sum (S-T)^2.
	f.set("toeplitz_norm_share", math.Sqrt((float64(n)+2*means)/(float64(n)+2*means+2*within)))
	f.set("translation_error", errors/distances)
	deviation := math.Sqrt(between / (float64(n) * float64(n-1)))
	if deviation <= flat {
		f.undefine("the mean cosine is the same at all distances", "translation_error_normalised")
	} else {
		f.set("translation_error_normalised", errors/distances/deviation)
	}
}

// meanOf is the mean over all pairs of different rows, both ways, and as many
// entries of 1 as the diagonal has.
func (g *diagonals) meanOf(diagonal int) float64 {
	count, sum := float64(diagonal), float64(diagonal)
	for k := 1; k < len(g.sum); k++ {
		if g.pairs[k] > 0 {
			count += 2 * float64(g.pairs[k])
			sum += 2 * float64(g.pairs[k]) * g.mean(k)
		}
	}
	return sum / count
}

// between is the sum of the squares of the diagonals' means less a mean, of the same
// entries.
func (g *diagonals) between(diagonal int, mean float64) float64 {
	sum := float64(diagonal) * (1 - mean) * (1 - mean)
	for k := 1; k < len(g.sum); k++ {
		if g.pairs[k] > 0 {
			sum += 2 * float64(g.pairs[k]) * (g.mean(k) - mean) * (g.mean(k) - mean)
		}
	}
	return sum
}

// rSquared is the share of the variance that the diagonals' means explain, of the
// entries of meanOf.
func (g *diagonals) rSquared(diagonal int) (r2 float64, reason string) {
	between, within, count := g.between(diagonal, g.meanOf(diagonal)), 0.0, float64(diagonal)
	for k := 1; k < len(g.sum); k++ {
		if g.pairs[k] > 0 {
			within += 2 * g.within(k)
			count += 2 * float64(g.pairs[k])
		}
	}
	if between+within <= flat*flat*count {
		return math.NaN(), "all cosines are equal"
	}
	return between / (between + within), ""
}
