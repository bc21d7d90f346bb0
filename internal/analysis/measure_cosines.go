package analysis

import (
	"context"
	"sync"

	"poslens/internal/gram"
)

// cosines are those of every two rows, held as a matrix. A table whose rows are
// reordered has the same ones in other places, so no product is taken anew.
type cosines struct {
	rows *rows
	s    []float64 // n x n, in [-1, 1], 1 on the diagonal; 0 where a row is undefined
}

// heldPositions is how many rows have a matrix of cosines that is always small enough
// to be held (8 MiB).
const heldPositions = 1024

// hold lets the pairs of s be taken from matrices, where these are small, or no larger
// than two copies of the table.
func (s *subject) hold(ctx context.Context) {
	if s.large() || s.rows.N > heldPositions && s.rows.N > 2*s.rows.D {
		return
	}
	s.plain = func() (*cosines, error) { return s.rows.heldCosines(ctx) }
	s.apart = func() (*cosines, error) {
		centred, err := s.centred(ctx)
		if err != nil || centred == nil {
			return nil, err
		}
		return centred.heldCosines(ctx)
	}
}

// keep holds as hold does, and keeps the matrices for all that reordered makes of s.
func (s *subject) keep(ctx context.Context) {
	if s.hold(ctx); s.plain != nil {
		s.plain, s.apart = sync.OnceValues(s.plain), sync.OnceValues(s.apart)
	}
}

// reordered is a subject that holds its cosines with its rows in another order.
func (s *subject) reordered(order []int) *subject {
	to := *s
	to.order, to.whole, to.lengths, to.middle = order, nil, nil, nil
	to.rows = s.rows.reorder(order)
	whole := make([]bool, s.rows.N)
	for _, i := range s.whole {
		whole[i] = true
	}
	for i, from := range order {
		to.lengths = append(to.lengths, s.lengths[from])
		if whole[from] {
			to.whole = append(to.whole, i)
		}
	}
	return &to
}

// walk is rows.walk of the rows, with the figures of each.
func (s *subject) walk(ctx context.Context) (*diagonals, []rowFigures, error) {
	if s.plain == nil {
		return s.rows.walk(ctx, true)
	}
	c, err := s.plain()
	if err != nil {
		return nil, nil, err
	}
	return c.walk(ctx, s.order, true)
}

// walkCentred is rows.walk of the rows less their mean; nil when fewer than two are
// left.
func (s *subject) walkCentred(ctx context.Context) (*diagonals, error) {
	if s.apart == nil {
		centred, err := s.centred(ctx)
		if err != nil || centred == nil {
			return nil, err
		}
		g, _, err := centred.walk(ctx, false)
		return g, err
	}
	c, err := s.apart()
	if err != nil || c == nil {
		return nil, err
	}
	g, _, err := c.walk(ctx, s.order, false)
	return g, err
}

// heldCosines takes those of every two rows.
func (r *rows) heldCosines(ctx context.Context) (*cosines, error) {
	bare := *r
	bare.Data = nil // which may be a copy
	c := &cosines{&bare, gram.Make[float64](r.N * r.N)}
	if err := gram.Matrix(ctx, c.s, r.Vectors); err != nil {
		return nil, err
	}
	for i := range r.N {
		row := c.s[i*r.N : (i+1)*r.N]
		for j, x := range row {
			row[j] = clamp(x)
		}
		if r.defined(i) {
			row[i] = 1
		}
	}
	return c, nil
}

// reorder is r with the norms alone, in another order.
func (r *rows) reorder(order []int) *rows {
	to := *r
	to.Data, to.Norm = nil, make([]float64, r.N)
	for i, from := range order {
		to.Norm[i] = r.Norm[from]
	}
	return &to
}

// walk is rows.walk of the rows in an order; nil is their own.
func (c *cosines) walk(ctx context.Context, order []int, rowsToo bool) (*diagonals, []rowFigures, error) {
	n, r := c.rows.N, c.rows
	if order != nil {
		r = c.rows.reorder(order)
	}
	pairs, err := r.pairs(ctx)
	if err != nil {
		return nil, nil, err
	}
	scratch := make([]float64, n)
	row := func(i, from int) []float64 { // of columns before from nothing is known
		if order == nil {
			return c.s[i*n : (i+1)*n]
		}
		of := c.s[order[i]*n:][:n]
		for j, at := range order[from:] {
			scratch[from+j] = of[at]
		}
		return scratch
	}
	g := &diagonals{middle: make([]float64, n), sum: make([]float64, n), squares: make([]float64, n), pairs: pairs}
	for i := range n {
		for k, x := range row(i, i)[i:] {
			g.middle[k] += x
		}
	}
	for k, count := range pairs {
		if count > 0 {
			g.middle[k] /= float64(count)
		}
	}
	var each []rowFigures
	if rowsToo {
		each = make([]rowFigures, n)
	}
	w := &rowWalk{r: r}
	for i := range n {
		if !r.defined(i) {
			continue
		}
		from := i
		if rowsToo {
			from = 0
		}
		x := row(i, from)
		w.addTo(g.sum, g.squares, x, i, g.middle)
		if rowsToo {
			each[i] = w.figures(x, i)
		}
	}
	return g, each, ctx.Err()
}
