package analysis

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
	"poslens/internal/progress"
)

// pairNames are the metrics of the cosines of all pairs.
func pairNames() []string {
	names := []string{
		"half_life_to_mean", "half_life_to_zero", "first_k_le_1_over_e", "first_k_le_0", "first_local_minimum", "mean_cosine_offdiagonal",
		"toeplitz_r2_cosine_all", "toeplitz_r2_cosine_offdiagonal", "toeplitz_norm_share", "translation_error", "translation_error_normalised",
		"local_monotonicity_forward_M10", "local_monotonicity_backward_M10", "kendall_tau",
		"symmetry", "symmetry_nonnegative", "symmetry_softmax", "locality_nonnegative", "locality_softmax", "nearest_neighbour_is_adjacent",
	}
	for _, k := range decayAt {
		names = append(names, fmt.Sprintf("decay_%d", k), fmt.Sprintf("decay_std_%d", k))
	}
	return names
}

// centredNames are those of the pairs of a table whose mean row is subtracted.
func centredNames() []string {
	names := []string{"toeplitz_r2_centered_offdiagonal"}
	for _, k := range decayAt {
		names = append(names, fmt.Sprintf("decay_centered_%d", k))
	}
	return names
}

// onePosition is the reason of figures of pairs where there is none.
const onePosition = "a single defined position makes no pair"

// diagonals hold sums over the pairs at every distance k, of cosines less their
// mean, so that the digits of their differences are kept.
type diagonals struct {
	middle  []float64 // the mean cosine, but for rounding; 0 without a pair
	sum     []float64 // over i of S[i,i+k] - middle[k]
	squares []float64
	pairs   []int
}

// stripesAtOnce bounds what is held of sums until they are added up in order.
const stripesAtOnce = 16

// walk takes the cosines of all pairs once, row after row, and gives the sums over
// their diagonals; of rows the figures too when they are wanted.
func (r *rows) walk(ctx context.Context, rowsToo bool) (*diagonals, []rowFigures, error) {
	n := r.N
	all, err := r.autocorrelate(ctx)
	if err != nil {
		return nil, nil, err
	}
	g := &diagonals{middle: all.mean, sum: make([]float64, n), squares: make([]float64, n), pairs: all.pairs}
	for k, pairs := range g.pairs {
		if pairs == 0 {
			g.middle[k] = 0
		}
	}
	var each []rowFigures
	if rowsToo {
		each = make([]rowFigures, n)
	}
	packed, err := gram.Pack[float64](ctx, r.Vectors)
	if err != nil {
		return nil, nil, err
	}
	batch := min(stripesAtOnce, gram.StripeCount(n))
	parts := make([]float64, 2*n*batch)
	done := progress.Start(ctx, "rows", int64(n))
	err = packed.Stripes(ctx, batch, func() func(*gram.Stripe[float64]) {
		w := &rowWalk{r: r}
		return func(s *gram.Stripe[float64]) {
			part := parts[2*n*(s.Index%batch):][:2*n]
			for i := range s.Rows {
				if !r.defined(s.I + i) {
					continue
				}
				row := s.Row(i)
				for j, x := range row {
					row[j] = clamp(x)
				}
				row[s.I+i] = 1
				w.addTo(part[:n], part[n:], row, s.I+i, g.middle)
				if rowsToo {
					each[s.I+i] = w.figures(row, s.I+i)
				}
			}
		}
	}, func(from, to int) {
		for k := range to - from {
			floats.Add(g.sum, parts[2*n*k:][:n])
			floats.Add(g.squares, parts[2*n*k+n:][:n])
		}
		clear(parts)
		done(int64(min(to*gram.StripeRows(n), n) - from*gram.StripeRows(n)))
	})
	if err != nil {
		return nil, nil, err
	}
	return g, each, nil
}

// pairFigures gives the figures of pairNames.
func pairFigures(ctx context.Context, s *subject, f *figures) error {
	r := s.rows
	f.set("symmetry", 1)
	if r.count < 2 {
		for _, name := range pairNames() {
			if name != "symmetry" {
				f.undefine(onePosition, name)
			}
		}
		return nil
	}
	g, each, err := s.walk(ctx)
	if err != nil {
		return err
	}
	g.decay(s, f)
	g.toeplitz(r.count, f)
	rowMeans(each, r.count, f)
	return nil
}

// centredFigures gives the figures of centredNames.
func centredFigures(ctx context.Context, s *subject, f *figures) error {
	g, err := s.walkCentred(ctx)
	if err != nil {
		return err
	}
	if g == nil {
		f.undefine("fewer than two rows differ from the mean row", centredNames()...)
		return nil
	}
	for _, k := range decayAt {
		name := fmt.Sprintf("decay_centered_%d", k)
		if mean, _, reason := g.at(k, s.stride); reason != "" {
			f.undefine(reason, name)
		} else {
			f.set(name, mean)
		}
	}
	if r2, reason := g.rSquared(0); reason != "" {
		f.undefine(reason, "toeplitz_r2_centered_offdiagonal")
	} else {
		f.set("toeplitz_r2_centered_offdiagonal", r2)
	}
	return nil
}

// centred are the rows less their mean; nil when fewer than two are left.
func (s *subject) centred(ctx context.Context) (*rows, error) {
	t := s.table
	c := rows{Vectors: gram.Vectors{N: t.Rows, D: t.Cols, Stride: t.Stride, Data: t.Data, Norm: make([]float64, t.Rows)}, exact: true}
	c.center()
	if _, err := c.measure(ctx, 0); err != nil {
		return nil, err
	}
	for i := range c.N {
		if c.defined(i) {
			c.count++
		}
	}
	if c.count < 2 {
		return nil, nil
	}
	return &c, nil
}
