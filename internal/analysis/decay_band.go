package analysis

import (
	"context"
	"sync/atomic"

	"poslens/internal/gram"
)

// band fills the curve pair by pair.
func (r *rows) band(ctx context.Context, c *DecayCurve) error {
	if r.single {
		return fillBand[float32](ctx, r, c)
	}
	return fillBand[float64](ctx, r, c)
}

// fillBand fills the curve from products of a precision: those of a narrow band in
// one pass, those of a wide one along the diagonals of tiles, where the distances
// under way are two tiles' sides.
func fillBand[F gram.Float](ctx context.Context, r *rows, c *DecayCurve) error {
	b := &bandScores[F]{r: r, distances: len(c.At), held: min(len(c.At), 2*gram.Side)}
	b.scores = make([]F, b.held*r.N)
	if b.held == len(c.At) {
		if err := gram.Band(ctx, r.Vectors, 0, len(c.At), b.worker); err != nil {
			return err
		}
		return b.spread(ctx, c, 0, len(c.At))
	}
	p, err := gram.Pack[F](ctx, r.Vectors)
	if err != nil {
		return err
	}
	done := 0
	for k := 0; k < p.Diagonals() && done < len(c.At); k++ {
		if err := p.Diagonal(ctx, k, b.worker); err != nil {
			return err
		}
		whole := min(k*gram.Side+1, len(c.At)) // distances below it have all their pairs
		if k == p.Diagonals()-1 {
			whole = len(c.At)
		}
		if err := b.spread(ctx, c, done, whole); err != nil {
			return err
		}
		done = whole
	}
	return nil
}

// bandScores are the scores of pairs by distance: those of distance k, by their
// first position, are row k modulo held.
type bandScores[F gram.Float] struct {
	r         *rows
	distances int
	held      int
	scores    []F // held x n
}

// at is where the scores of a distance stand.
func (b *bandScores[F]) at(k int) []F {
	return b.scores[k%b.held*b.r.N:][:b.r.N-k]
}

// worker takes the scores of tiles over.
func (b *bandScores[F]) worker() func(*gram.Tile[F]) {
	return func(t *gram.Tile[F]) {
		finish(b.r, t)
		for i := range t.Rows {
			p := t.I + i
			row := t.Row(i)
			for j := max(0, p-t.J); j < min(len(row), p+b.distances-t.J); j++ {
				b.scores[(t.J+j-p)%b.held*b.r.N+p] = row[j]
			}
		}
	}
}

// spread fills the places from <= k < to of the curve.
func (b *bandScores[F]) spread(ctx context.Context, c *DecayCurve, from, to int) error {
	var left atomic.Int64
	err := gram.Parallel(ctx, to-from, func() func(int) {
		defined := make([]float64, 0, b.r.N-from)
		return func(task int) {
			k := from + task
			defined = defined[:0]
			for i, x := range b.at(k) {
				switch {
				case x == x:
					defined = append(defined, float64(x))
				case b.r.defined(i) && b.r.defined(i+k):
					left.Add(1)
				}
			}
			c.set(k, defined)
		}
	})
	if err != nil {
		return err
	}
	b.r.left += int(left.Load())
	return nil
}
