package analysis

import (
	"context"
	"math"

	"poslens/internal/gram"
)

// autocorrelation is the mean cosine at every distance there is.
type autocorrelation struct {
	mean  []float64 // NaN without a pair
	pairs []int
}

// autocorrelate takes the mean over i of the cosine of rows i and i+k, for every
// k, from the sums of their products.
func (r *rows) autocorrelate(ctx context.Context) (*autocorrelation, error) {
	sums, err := gram.Lags(ctx, r.Vectors)
	if err != nil {
		return nil, err
	}
	a := &autocorrelation{mean: sums}
	if a.pairs, err = r.pairs(ctx); err != nil {
		return nil, err
	}
	for k, pairs := range a.pairs {
		if pairs == 0 {
			a.mean[k] = math.NaN()
		} else {
			a.mean[k] = clamp(a.mean[k] / float64(pairs))
		}
	}
	if r.exact {
		a.mean[0] = 1
	}
	return a, nil
}

// pairs counts the defined pairs at every distance.
func (r *rows) pairs(ctx context.Context) ([]int, error) {
	pairs := make([]int, r.N)
	if r.count == r.N {
		for k := range pairs {
			pairs[k] = r.N - k
		}
		return pairs, nil
	}
	defined := gram.Vectors{N: r.N, D: 1, Stride: 1, Data: make([]float64, r.N)}
	for i := range defined.Data {
		if r.defined(i) {
			defined.Data[i] = 1
		}
	}
	sums, err := gram.Lags(ctx, defined)
	if err != nil {
		return nil, err
	}
	for k, sum := range sums {
		pairs[k] = int(math.Round(sum))
	}
	return pairs, nil
}
