package analysis

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
)

// offsetSums are what the cosines of all pairs come to, a lag of a raster each.
type offsetSums struct {
	mean   []float64 // NaN without a pair
	within []float64 // sum of the squares of cosines less their mean; nil where pairs were not looked at
	pairs  []int     // of two defined cells
}

// componentsAtOnce is how many components are padded at a time, so that the padded
// copy is a small part of a wide table.
const componentsAtOnce = 64

// overOffsets takes the mean cosine at every offset of a raster by Fourier transform,
// in O(n d log n).
func (r *rows) overOffsets(ctx context.Context, g raster) (*offsetSums, error) {
	s := &offsetSums{mean: make([]float64, g.lags()), pairs: make([]int, g.lags())}
	buffer := make([]float64, g.lags()*min(r.D, componentsAtOnce))
	for from := 0; from < r.D; from += componentsAtOnce {
		d := min(componentsAtOnce, r.D-from)
		part := buffer[:g.lags()*d]
		clear(part)
		for i := range r.N {
			if r.defined(i) {
				floats.AddScaled(part[g.padded(i)*d:][:d], 1/r.Norm[i], r.row(i)[from:from+d])
			}
		}
		sums, err := gram.Lags(ctx, gram.Vectors{N: g.lags(), D: d, Stride: d, Data: part})
		if err != nil {
			return nil, err
		}
		floats.Add(s.mean, sums)
	}
	if err := r.countPairs(ctx, g, s.pairs); err != nil {
		return nil, err
	}
	for k, pairs := range s.pairs {
		if pairs == 0 {
			s.mean[k] = math.NaN()
		} else {
			s.mean[k] = clamp(s.mean[k] / float64(pairs))
		}
	}
	s.mean[0] = 1 // of the defined cells with themselves
	return s, nil
}

// countPairs counts the pairs of defined cells at every offset.
func (r *rows) countPairs(ctx context.Context, g raster, pairs []int) error {
	if r.count == r.N {
		for k := range pairs {
			pairs[k] = g.pairs(k)
		}
		return nil
	}
	defined := gram.Vectors{N: g.lags(), D: 1, Stride: 1, Data: make([]float64, g.lags())}
	for i := range r.N {
		if r.defined(i) {
			defined.Data[g.padded(i)] = 1
		}
	}
	sums, err := gram.Lags(ctx, defined)
	if err != nil {
		return err
	}
	for k, sum := range sums {
		pairs[k] = int(math.Round(sum))
	}
	return nil
}

// spreadOverOffsets looks at the cosine of every pair once more, which gives the
// deviations and takes the rounding of the transform out of the means. It takes
// O(n^2 d) time, and beside a packed copy of the table the memory of some of its rows.
func (r *rows) spreadOverOffsets(ctx context.Context, g raster, s *offsetSums) error {
	middle := make([]float64, g.lags())
	for k, pairs := range s.pairs {
		if pairs > 0 {
			middle[k] = s.mean[k]
		}
	}
	packed, err := gram.Pack[float64](ctx, r.Vectors)
	if err != nil {
		return err
	}
	batch := min(stripesAtOnce, gram.StripeCount(r.N))
	size := g.lags()
	parts := make([]float64, 2*size*batch) // added up in the order of the stripes, whoever made them
	sum, squares := make([]float64, size), make([]float64, size)
	err = packed.Stripes(ctx, batch, func() func(*gram.Stripe[float64]) {
		return func(stripe *gram.Stripe[float64]) {
			part := parts[2*size*(stripe.Index%batch):][:2*size]
			for i := range stripe.Rows {
				if r.defined(stripe.I + i) {
					r.addAhead(g, part[:size], part[size:], middle, stripe.Row(i), stripe.I+i)
				}
			}
		}
	}, func(from, to int) {
		for k := range to - from {
			floats.Add(sum, parts[2*size*k:][:size])
			floats.Add(squares, parts[2*size*k+size:][:size])
		}
		clear(parts)
	})
	if err != nil {
		return err
	}
	s.within = make([]float64, size)
	for k, pairs := range s.pairs {
		if pairs == 0 {
			continue
		}
		p := float64(pairs)
		s.mean[k] = clamp(middle[k] + sum[k]/p)
		s.within[k] = max(0, squares[k]-sum[k]*sum[k]/p)
	}
	return nil
}

// addAhead adds the cosines of cell i with those that stand behind it in the raster.
func (r *rows) addAhead(g raster, sum, squares, middle, row []float64, i int) {
	for j := i + 1; j < r.N; {
		end := j/g.w*g.w + g.w
		lag := g.padded(j) - g.padded(i)
		for ; j < end; j, lag = j+1, lag+1 {
			if !r.defined(j) {
				continue
			}
			x := clamp(row[j]) - middle[lag]
			sum[lag] += x
			squares[lag] += float64(x * x)
		}
	}
}
