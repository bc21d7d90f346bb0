package gram

import "context"

// Stripe holds the products of some vectors with all vectors.
type Stripe[F Float] struct {
	I, Rows int // the first of the vectors, and how many: at most Side
	n       int
	dots    []F // n numbers a row
}

// Row is the i-th row: the products of vector I+i with the vectors 0, 1, ...
func (s *Stripe[F]) Row(i int) []F { return s.dots[i*s.n : (i+1)*s.n : (i+1)*s.n] }

// StripeCount is how many stripes n vectors make.
func StripeCount(n int) int { return blocksOf(n) }

// Stripes visits the stripes from <= s < to, whose first vectors are s*Side. Every
// product is taken twice, once for each of its two rows, which is what figures of
// whole rows need. Each worker makes its own visit and holds one stripe of Side*n
// numbers, which is its own until visit returns.
func (p *Packed[F]) Stripes(ctx context.Context, from, to int, worker func() (visit func(*Stripe[F]))) error {
	return Parallel(ctx, to-from, func() func(int) {
		t, visit := newTile[F](), worker()
		s := &Stripe[F]{n: p.n, dots: Make[F](Side * p.n)}
		return func(task int) {
			s.I = (from + task) * Side
			s.Rows = min(Side, p.n-s.I)
			t.I = s.I
			for t.J = 0; t.J < p.n; t.J += Side {
				p.tile(t, p.rows(t.I), p.rows(t.J), whole(s.Rows, min(Side, p.n-t.J)))
				for i := range t.Rows {
					copy(s.dots[i*p.n+t.J:], t.Row(i))
				}
			}
			visit(s)
		}
	})
}
