package analysis

import (
	"fmt"
	"math"
	"slices"
)

// What Profile.MeanOver can hold.
const (
	OverHeads   = "heads"
	OverQueries = "queries"
	OverBoth    = "queries and heads"
)

// meanHead is what the line of a mean is called.
const meanHead = "mean"

// meanOfHeads makes one line of a profile's heads: at each offset the mean over the
// heads of their scores, or of their masses,
//
//	m(k) = 1/H sum over h of b_h(k)
//
// with Lo and Hi one population standard deviation to each side. The figures are those
// of the mean. An offset at which some head is broken (NaN or +Inf) is left out of all,
// so that every head's masses are over the same window; a head without any finite score
// is left out as a whole.
func (p *Profile) meanOfHeads() (*Profile, error) {
	var dead []string
	all := p.Heads
	p.Heads = nil
	for _, h := range all {
		if slices.ContainsFunc(h.raw, finite) {
			p.Heads = append(p.Heads, h)
		} else {
			dead = append(dead, h.Head)
		}
	}
	if len(p.Heads) == 0 {
		return nil, nothing("no score of the table is finite")
	}
	p.breakAlike()
	if _, err := p.finish(); err != nil {
		return nil, err
	}
	warnings := p.Warnings
	if len(dead) > 0 {
		warnings = append(warnings, plural(len(dead), "head ", "heads ")+more(dead[:min(len(dead), listed)], max(0, len(dead)-listed))+": no score is finite, left out of the mean")
	}

	n := len(p.Offsets)
	h := HeadProfile{Head: meanHead, Lo: make(Values, n), Hi: make(Values, n), raw: make([]float64, n)}
	at := make([]float64, len(p.Heads))
	for k := range n {
		for i, from := range p.Heads {
			at[i] = from.Score[k]
		}
		mean, std := meanAndDeviation(at)
		h.raw[k], h.Lo[k], h.Hi[k] = mean, mean-std, mean+std
	}
	count := fmt.Sprintf("%d %s", len(p.Heads), plural(len(p.Heads), "head", "heads"))
	p.Band, p.MeanOver = "one standard deviation over "+count, OverHeads
	p.Notes = append(p.Notes, "mean over "+count)
	p.Heads, p.Reasons, p.Warnings = []HeadProfile{h}, nil, nil
	if _, err := p.finishMeans(); err != nil {
		return nil, err
	}
	p.Warnings = warnings // the heads' own say more than the mean's
	return p, nil
}

// breakAlike breaks each offset for all heads at which it is for one.
func (p *Profile) breakAlike() {
	for k := range p.Offsets {
		whole := true
		for _, h := range p.Heads {
			whole = whole && (finite(h.raw[k]) || math.IsInf(h.raw[k], -1))
		}
		if !whole {
			for _, h := range p.Heads {
				h.raw[k] = math.NaN()
			}
		}
	}
}

// meanAndDeviation is the mean of x with its population standard deviation; -Inf without
// one where a score is -Inf. x is overwritten.
func meanAndDeviation(x []float64) (mean, std float64) {
	for _, v := range x {
		if math.IsInf(v, -1) {
			return v, math.NaN()
		}
		if !finite(v) {
			return math.NaN(), math.NaN()
		}
	}
	s := spreadOf(x)
	return s.mean, s.std
}

// ofMeanMasses tells that the heads' raw scores are logarithms of mean masses.
func (p *Profile) ofMeanMasses() bool { return p.MeanOver != "" && p.Quantity == QuantityMass }

// finishMeans is finish for heads that are means, of scores or of masses. Masses have
// no raw scores: the figures are those of the mean mass, whose softmax of logarithms is
// that mass again, and the sums are undefined.
func (p *Profile) finishMeans() (*Profile, error) {
	if !p.ofMeanMasses() {
		return p.finish()
	}
	for _, h := range p.Heads {
		for k, m := range h.raw {
			h.raw[k] = math.Log(m)
		}
	}
	if _, err := p.finish(); err != nil {
		return nil, err
	}
	for i := range p.Heads {
		h := &p.Heads[i]
		if h.Reasons == nil {
			h.Reasons = map[string]string{}
		}
		h.SumBack, h.SumAhead = Value(math.NaN()), Value(math.NaN())
		for _, name := range []string{"sum_back", "sum_ahead"} {
			h.Reasons[name] = "the mean is over masses, which have no raw scores"
		}
	}
	p.reasons()
	return p, nil
}
