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

// SampleOptions say which queries are drawn and what is made of their scores.
type SampleOptions struct {
	Samples int    // at least 1
	Seed    uint64 // the same seed draws the same queries
	Scale   bool   // divide scores by the root of the width
	Softmax bool   // softmax each query's scores over the window before the mean is taken
}

// ProfileSampled gives the profile of a table of vectors as queries see it whose
// components are drawn independently from N(0, 1): at each offset the mean over
// the queries of the score q . v, or of its softmax mass. Lo and Hi are one
// population standard deviation to each side. The figures are those of the mean.
// Fewer than one sample is an error.
func ProfileSampled(ctx context.Context, v *posemb.Vectors, opt SampleOptions) (*Profile, error) {
	samples := opt.Samples
	if samples < 1 {
		return nil, fmt.Errorf("%d samples: must be at least 1", samples)
	}
	p, err := newProfile(v.Origin, v.Axes, v.Table)
	if err != nil {
		return nil, err
	}
	n, width := v.Table.Dims()
	factor := 1.0
	if opt.Scale {
		factor = 1 / math.Sqrt(float64(width))
	}
	random := rand.New(rand.NewPCG(opt.Seed, 0))
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
		if opt.Softmax {
			softmaxColumns(scores)
		}
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
	p.Notes = append(p.Notes, fmt.Sprintf("mean over %d queries drawn from N(0, 1), seed %d", samples, opt.Seed))
	if !opt.Softmax {
		return p.finish()
	}
	// The softmax of these logarithms is the mean mass again, so that the figures
	// are those of the mean mass.
	for k, m := range mean {
		mean[k] = math.Log(m)
	}
	p.Quantity = QuantityMass
	if p, err = p.finish(); err != nil {
		return nil, err
	}
	head := &p.Heads[0]
	head.SumBack, head.SumAhead = Value(math.NaN()), Value(math.NaN())
	if head.Reasons == nil {
		head.Reasons = map[string]string{}
	}
	for _, name := range []string{"sum_back", "sum_ahead"} {
		head.Reasons[name] = "the mean is over masses, which have no raw scores"
	}
	p.reasons()
	return p, nil
}

// softmaxColumns turns each column, the scores of one query, into masses. NaN stays
// and has no part in the others.
func softmaxColumns(scores *mat.Dense) {
	_, queries := scores.Dims()
	for j := range queries {
		column := mat.Col(nil, j, scores)
		largest, sum := math.Inf(-1), 0.0
		for _, s := range column {
			if s > largest {
				largest = s // NaN never is
			}
		}
		for i, s := range column {
			if column[i] = math.Exp(s - largest); !math.IsNaN(column[i]) {
				sum += column[i]
			}
		}
		for i := range column {
			column[i] /= sum
		}
		scores.SetCol(j, column)
	}
}
