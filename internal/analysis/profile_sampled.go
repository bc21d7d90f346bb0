package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// sampledAtOnce is how many queries are scored in one product.
const sampledAtOnce = 256

// ProfileSampled gives the profile of a table of vectors as queries see it whose
// components are drawn independently from N(0, 1): at each offset the mean over
// the queries of q . v, divided by the root of the width if scale is set. Lo and
// Hi are one population standard deviation to each side. The figures are those of
// the mean. The same seed draws the same queries. Fewer than one sample is an error.
func ProfileSampled(ctx context.Context, v *posemb.Vectors, samples int, seed uint64, scale bool) (*Profile, error) {
	if samples < 1 {
		return nil, fmt.Errorf("%d samples: must be at least 1", samples)
	}
	p, err := newProfile(v.Origin, v.Axes, v.Table)
	if err != nil {
		return nil, err
	}
	n, width := v.Table.Dims()
	factor := 1.0
	if scale {
		factor = 1 / math.Sqrt(float64(width))
	}
	random := rand.New(rand.NewPCG(seed, 0))
	mean, squares := make([]float64, n), make([]float64, n) // running mean, and sum of squares about it
	scores := mat.NewDense(n, min(samples, sampledAtOnce), nil)
	for done := 0; done < samples; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		queries := mat.NewDense(min(samples-done, sampledAtOnce), width, nil)
		for i := range queries.RawMatrix().Data {
			queries.RawMatrix().Data[i] = random.NormFloat64() * factor
		}
		scores.Reset()
		scores.Mul(v.Table, queries.T())
		for k := range n {
			seen := done
			for _, s := range scores.RawRowView(k) {
				seen++
				step := s - mean[k]
				mean[k] += step / float64(seen)
				squares[k] += step * (s - mean[k])
			}
		}
		_, drawn := scores.Dims()
		done += drawn
	}
	h := HeadProfile{Head: "mean", Lo: make(Values, n), Hi: make(Values, n), raw: mean}
	for k, m := range mean {
		std := math.Sqrt(squares[k] / float64(samples))
		h.Lo[k], h.Hi[k] = m-std, m+std
	}
	p.Heads = []HeadProfile{h}
	p.Band = fmt.Sprintf("one standard deviation over %d queries", samples)
	p.Notes = append(p.Notes, fmt.Sprintf("mean over %d queries drawn from N(0, 1), seed %d", samples, seed))
	return p.finish()
}
