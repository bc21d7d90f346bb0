package analysis

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/posemb"
)

// window is one head's raw scores over all offsets of a table.
//
// A score of -Inf masks its offset: it has no mass. NaN and +Inf are broken and
// have no mass either. None of the three counts in a sum.
type window struct {
	axes     []posemb.Axis
	offsets  []Offset
	score    []float64
	mass     []float64 // NaN where the score is broken
	finite   int       // finite scores
	largest  float64   // finite score; NaN without one, as the next
	smallest float64
}

func newWindow(axes []posemb.Axis, offsets []Offset, score []float64) *window {
	w := &window{axes: axes, offsets: offsets, score: score, mass: undefined(len(score)), largest: math.NaN(), smallest: math.NaN()}
	for _, s := range score {
		if finite(s) {
			if w.finite == 0 {
				w.largest, w.smallest = s, s
			}
			w.largest, w.smallest = max(w.largest, s), min(w.smallest, s)
			w.finite++
		}
	}
	if w.finite == 0 {
		return w
	}
	var sum float64
	for i, s := range score {
		if finite(s) || math.IsInf(s, -1) {
			w.mass[i] = math.Exp(s - w.largest)
			sum += w.mass[i]
		}
	}
	for i := range w.mass {
		w.mass[i] /= sum
	}
	return w
}

// faults tell which offsets hold no finite score; those of -Inf only if masked.
func (w *window) faults(masked bool) []string {
	var broken, without []Offset
	for i, s := range w.score {
		switch {
		case math.IsInf(s, -1):
			without = append(without, w.offsets[i])
		case !finite(s):
			broken = append(broken, w.offsets[i])
		}
	}
	var list []string
	if len(broken) > 0 {
		list = append(list, nameOffsets(broken)+plural(len(broken), " holds", " hold")+" NaN or +Inf: left out")
	}
	if masked && len(without) > 0 {
		list = append(list, nameOffsets(without)+plural(len(without), " holds", " hold")+" -Inf: no mass, and left out of the sums")
	}
	return list
}

// figures fills a head. Its raw scores are the window's.
func (w *window) figures(h *HeadProfile, masses bool) {
	h.Reasons = map[string]string{}
	defer func() {
		if len(h.Reasons) == 0 {
			h.Reasons = nil
		}
	}()
	nan := Value(math.NaN())
	undefine := func(figure, reason string) Value {
		h.Reasons[figure] = reason
		return nan
	}
	h.Score = slices.Clone(w.score)
	if masses {
		h.Score = slices.Clone(w.mass)
	}
	if w.finite == 0 {
		for _, figure := range figuresOf("profile") {
			undefine(figure, "no score is finite")
		}
		h.PeakScore, h.SumBack, h.SumAhead, h.MassBack, h.MassHere, h.MassAhead = nan, nan, nan, nan, nan, nan
		h.DirectionBalance, h.Asymmetry, h.Reach90, h.Entropy, h.Locality = nan, nan, nan, nan, nan
		return
	}

	var sum, mass [3]float64 // back, here, ahead
	var count [3]int
	var entropy, locality float64
	var ring []float64 // mass by distance
	for i, k := range w.offsets {
		if s := w.score[i]; finite(s) {
			sum[k.sign()+1] += s
			count[k.sign()+1]++
			if s == w.largest {
				h.Peak = append(h.Peak, k)
				h.PeakScore = Value(h.Score[i])
			}
		}
		if p := w.mass[i]; p > 0 {
			mass[k.sign()+1] += p
			entropy -= p * math.Log(p)
			d := k.Distance()
			locality += math.Ldexp(p, -d)
			for len(ring) <= d {
				ring = append(ring, 0)
			}
			ring[d] += p
		}
	}
	if w.smallest == w.largest && w.finite > 1 {
		h.Peak = nil
		undefine("peak", "all scores are equal")
	}
	h.Entropy, h.Locality = Value(entropy), Value(locality)
	h.Reach90 = Value(reach(ring, 0.9))

	// A part of the window that holds no score has no sum and no mass.
	part := func(figure string, side int, values [3]float64, where string) Value {
		switch {
		case count[side] == 0:
			return undefine(figure, "the window holds no score "+where)
		case !finite(values[side]):
			return undefine(figure, overflow)
		}
		return Value(values[side])
	}
	const back, here, ahead = 0, 1, 2
	h.SumBack = part("sum_back", back, sum, "behind the query")
	h.SumAhead = part("sum_ahead", ahead, sum, "ahead of the query")
	h.MassBack = part("mass_back", back, mass, "behind the query")
	h.MassHere = part("mass_here", here, mass, "at offset 0")
	h.MassAhead = part("mass_ahead", ahead, mass, "ahead of the query")
	switch {
	case count[back] == 0 || count[ahead] == 0:
		h.DirectionBalance = undefine("direction_balance", "the window lies on one side of the query")
	case mass[back]+mass[ahead] == 0:
		h.DirectionBalance = undefine("direction_balance", "all mass is at offset 0")
	default:
		h.DirectionBalance = Value(mass[back] / (mass[back] + mass[ahead]))
	}
	odd, reason := w.asymmetry()
	h.Asymmetry = Value(odd)
	if reason != "" {
		undefine("asymmetry", reason)
	}
}

// reach is the smallest distance within which a share of the mass lies.
func reach(ring []float64, share float64) int {
	const rounding = 1e-12
	within := 0.0
	for d, p := range ring {
		if within += p; within >= share-rounding {
			return d
		}
	}
	return len(ring) - 1
}

// asymmetry is the odd part's share of a profile's variance,
//
//	sum b_o(k)^2 / sum (b(k) - mean b)^2,  b_o(k) = (b(k) - b(-k)) / 2
//
// over the offsets whose opposite is in the window too. Undefined, with the reason,
// without a pair of them and for a constant.
func (w *window) asymmetry() (share float64, reason string) {
	var scores, odd []float64
	pairs := 0
	for i, k := range w.offsets {
		j, ok := offsetIndex(w.axes, k.opposite())
		if !ok || !finite(w.score[i]) || !finite(w.score[j]) {
			continue
		}
		if i != j {
			pairs++
		}
		scores = append(scores, w.score[i])
		odd = append(odd, w.score[i]/2-w.score[j]/2)
	}
	if pairs == 0 {
		return math.NaN(), "no offset of the window has its opposite there"
	}
	if floats.Max(scores) == floats.Min(scores) {
		return math.NaN(), "the profile is constant"
	}
	// In units of a power of two no square overflows, nor do all of them vanish.
	_, exponent := math.Frexp(magnitude(scores))
	shiftExponent(scores, -exponent)
	shiftExponent(odd, -exponent)
	floats.AddConst(-meanOf(slices.Clone(scores)), scores)
	share = floats.Dot(odd, odd) / floats.Dot(scores, scores)
	return min(1, share), ""
}
