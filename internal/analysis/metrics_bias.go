package analysis

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// RelativeMetrics are the figures that MetricsOfBias gives of every head. Notation:
// b(k) is the score of offset k, p(k) the softmax of b over the window.
var RelativeMetrics = []Metric{
	{Name: "mass_back", Group: "direction", Doc: docOf("mass_back")},
	{Name: "mass_here", Group: "direction", Doc: docOf("mass_here")},
	{Name: "mass_ahead", Group: "direction", Doc: docOf("mass_ahead")},
	{Name: "direction_balance", Group: "direction", Doc: docOf("direction_balance")},
	{Name: "sum_back", Group: "direction", Doc: docOf("sum_back")},
	{Name: "sum_ahead", Group: "direction", Doc: docOf("sum_ahead")},
	{Name: "asymmetry", Group: "asymmetry", Doc: docOf("asymmetry")},
	{Name: "peak_offset", Group: "asymmetry", Doc: "the offset k of the largest b(k); where several share it, the nearest to 0, and of two as near the one behind"},
	{Name: "peak_score", Group: "asymmetry", ShuffleKeeps: keptByOffsets, Doc: docOf("peak_score")},
	{Name: "locality", Group: "locality", Doc: docOf("locality")},
	{Name: "reach_90", Group: "reach", Doc: docOf("reach_90")},
	{Name: "entropy", Group: "entropy", ShuffleKeeps: keptByOffsets, Doc: docOf("entropy")},
}

const keptByOffsets = "invariant under the order of the offsets"

// MetricsOfBias takes the metrics of every head of a relative table, each beside its
// null models: the head's finite scores shuffled over their offsets, and Gaussian
// scores of the same mean and deviation. Offsets that share a stored entry, such as a
// bucket, share the score of every draw too: the entries are what was learnt, and each
// offset as a draw of its own would make any table look far from random. There is no
// sinusoid to hold them against. Errors are those of MetricsOf.
func MetricsOfBias(ctx context.Context, b *posemb.Bias, opt MetricOptions) (*MetricSet, error) {
	wanted, err := wantedMetrics(RelativeMetrics, opt.Only)
	if err != nil {
		return nil, err
	}
	p, err := ProfileOf(ctx, b, ProfileOptions{})
	if err != nil {
		return nil, err
	}
	n, heads := b.Scores.Dims()
	set := &MetricSet{Origin: b.Origin, Offsets: n, Heads: heads, Draws: opt.Draws, Seed: opt.Seed, Warnings: p.Warnings}
	done := progress.Start(ctx, whatDraws, int64(len(p.Heads))*int64(2*opt.Draws))
	shared := sharedScores(b)
	for h := range p.Heads {
		head := &p.Heads[h]
		own := headFigures(head)
		first := len(set.Metrics)
		for _, m := range wanted {
			v, ok := own.value[m.Name]
			if !ok {
				v = math.NaN()
			}
			set.Metrics = append(set.Metrics, MeasuredMetric{Name: m.Name, Group: m.Group, Head: head.Head, Value: Value(v), Reason: own.reason[m.Name]})
		}
		if opt.Draws == 0 || len(wanted) == 0 {
			continue
		}
		for at, kind := range nullKinds {
			draws, err := draw(ctx, opt.Draws, true, done, func(ctx context.Context, i int) (*figures, error) {
				random := rand.New(rand.NewPCG(opt.Seed, uint64(2*(i*heads+h)+at)))
				null := HeadProfile{Head: head.Head, raw: kind.scores(head.raw, shared, random)}
				newWindow(p.Axes, p.Offsets, null.raw).figures(&null, false)
				return headFigures(&null), ctx.Err()
			})
			if err != nil {
				return nil, err
			}
			for k, m := range wanted {
				got := &set.Metrics[first+k]
				keeps := kind.keeps(m)
				if len(shared) < n { // an entry's weight is how many offsets have it
					keeps = ""
				}
				switch {
				case keeps != "":
					*kind.into(got) = noNull(keeps)
				case !got.Value.Defined():
					*kind.into(got) = noNull(undefinedItself)
				default:
					*kind.into(got) = against(float64(got.Value), m, draws, lotOf(opt.Seed, at, m.Name, h))
				}
				got.Sinusoid = &Reference{Value(math.NaN()), "scores of offsets have no sinusoid"}
			}
		}
	}
	return set, nil
}

// sharedScores are the rows of each stored entry of a relative table; in tables of
// steps that do not say which these are, neighbours of equal scores are one entry.
func sharedScores(b *posemb.Bias) [][]int {
	e := entriesOf(b.Scores, b.Axes, b.Stored)
	steps := b.Steps && len(b.Axes) == 1 && len(e.rows) == len(e.of)
	index := map[int]int{}
	var shared [][]int
	for i, entry := range e.of {
		k, seen := index[entry]
		switch {
		case seen:
		case steps && i > 0 && sameBits(b.Scores.RawRowView(i-1), b.Scores.RawRowView(i)):
			k = len(shared) - 1
		default:
			k = len(shared)
			shared = append(shared, nil)
		}
		index[entry] = k
		shared[k] = append(shared[k], i)
	}
	return shared
}

// finiteEntries are the entries whose score is finite, and these scores. A mask and
// what is broken stay where they are.
func finiteEntries(scores []float64, shared [][]int) (entries [][]int, x []float64) {
	for _, rows := range shared {
		if s := scores[rows[0]]; finite(s) {
			entries, x = append(entries, rows), append(x, s)
		}
	}
	return entries, x
}

// shuffledScores are a head's finite scores in a random order of the entries.
func shuffledScores(scores []float64, shared [][]int, random *rand.Rand) []float64 {
	drawn := slices.Clone(scores)
	entries, x := finiteEntries(scores, shared)
	for to, from := range random.Perm(len(x)) {
		for _, i := range entries[to] {
			drawn[i] = x[from]
		}
	}
	return drawn
}

// gaussianScores are normal numbers of the mean and the deviation of the entries'
// finite scores, in their place.
func gaussianScores(scores []float64, shared [][]int, random *rand.Rand) []float64 {
	drawn := slices.Clone(scores)
	entries, x := finiteEntries(scores, shared)
	sp := spreadOf(x)
	for _, rows := range entries {
		v := sp.mean + sp.std*random.NormFloat64()
		for _, i := range rows {
			drawn[i] = v
		}
	}
	return drawn
}

// headFigures are a head's figures as metrics.
func headFigures(h *HeadProfile) *figures {
	f := newFigures()
	for name, v := range map[string]Value{
		"mass_back": h.MassBack, "mass_here": h.MassHere, "mass_ahead": h.MassAhead, "direction_balance": h.DirectionBalance,
		"sum_back": h.SumBack, "sum_ahead": h.SumAhead, "asymmetry": h.Asymmetry, "peak_score": h.PeakScore,
		"locality": h.Locality, "reach_90": h.Reach90, "entropy": h.Entropy,
	} {
		if v.Defined() {
			f.value[name] = float64(v)
		} else {
			f.reason[name] = h.Reasons[name]
		}
	}
	switch {
	case len(h.Peak) == 0:
		f.undefine(h.Reasons["peak"], "peak_offset")
	case len(h.Peak[0]) > 1:
		f.undefine("an offset on two axes is no number", "peak_offset")
	default:
		nearest := h.Peak[0]
		for _, k := range h.Peak {
			if k.Distance() < nearest.Distance() {
				nearest = k
			}
		}
		f.value["peak_offset"] = float64(nearest[0])
	}
	return f
}
