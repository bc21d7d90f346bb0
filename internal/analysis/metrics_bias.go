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
// null models: the head's scores shuffled over the offsets, and Gaussian scores of
// the same mean and deviation. There is no sinusoid to hold them against. Errors are
// those of MetricsOf.
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
	for h := range p.Heads {
		head := &p.Heads[h]
		own := headFigures(head)
		var draws [2][]*figures
		if opt.Draws > 0 {
			for kind := range draws {
				draws[kind], err = draw(ctx, opt.Draws, done, func(_ context.Context, i int) (*figures, error) {
					random := rand.New(rand.NewPCG(opt.Seed, uint64(2*(i*heads+h)+kind)))
					scores := slices.Clone(head.raw)
					if kind == 0 {
						random.Shuffle(n, func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
					} else {
						gaussianScores(scores, random)
					}
					null := HeadProfile{Head: head.Head, raw: scores}
					newWindow(p.Axes, p.Offsets, scores).figures(&null, false)
					return headFigures(&null), nil
				})
				if err != nil {
					return nil, err
				}
			}
		}
		for _, m := range wanted {
			v, ok := own.value[m.Name]
			if !ok {
				v = math.NaN()
			}
			got := MeasuredMetric{Name: m.Name, Group: m.Group, Head: head.Head, Value: Value(v), Reason: own.reason[m.Name]}
			if opt.Draws > 0 {
				for kind, into := range []**NullModel{&got.Shuffled, &got.Gaussian} {
					keeps := []string{m.ShuffleKeeps, m.GaussianKeeps}[kind]
					switch {
					case keeps != "":
						*into = noNull(keeps)
					case !ok:
						*into = noNull(undefinedItself)
					default:
						lot := rand.New(rand.NewPCG(opt.Seed, ^uint64(2*len(set.Metrics)+kind)))
						*into = against(v, m.Name, draws[kind], lot)
					}
				}
				got.Sinusoid = &Reference{Value(math.NaN()), "scores of offsets have no sinusoid"}
			}
			set.Metrics = append(set.Metrics, got)
		}
	}
	return set, nil
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

// gaussianScores puts normal numbers of the mean and the deviation of the finite
// scores in their place.
func gaussianScores(scores []float64, random *rand.Rand) {
	var x []float64
	for _, s := range scores {
		if finite(s) {
			x = append(x, s)
		}
	}
	sp := spreadOf(x)
	for i, s := range scores {
		if finite(s) {
			scores[i] = sp.mean + sp.std*random.NormFloat64()
		}
	}
}
