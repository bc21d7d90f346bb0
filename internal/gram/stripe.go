package gram

import "context"

// Stripe holds the products of some vectors with all vectors.
type Stripe[F Float] struct {
	Index   int // 0, 1, ...
	I, Rows int // the first of the vectors, and how many: at most Side
	n       int
	dots    []F // n numbers a row
}

// Row is the i-th row: the products of vector I+i with the vectors 0, 1, ...
func (s *Stripe[F]) Row(i int) []F { return s.dots[i*s.n : (i+1)*s.n : (i+1)*s.n] }

// mostStripe bounds the numbers of a stripe (16 MiB) where it has more than leastRows
// rows, as many as kernels of either precision take at a time.
const (
	mostStripe = 1 << 21
	leastRows  = 24
)

// StripeRows is how many of n vectors a stripe has, but for the last one.
func StripeRows(n int) int {
	return max(leastRows, min(Side, mostStripe/max(n, 1)/leastRows*leastRows))
}

// StripeCount is how many stripes n vectors make.
func StripeCount(n int) int { return (n + StripeRows(n) - 1) / StripeRows(n) }

// Stripes visits all stripes, some at a time: once a batch of them is visited, in any
// order, after is called with the stripes from <= s < to that it was. Every product is
// taken twice, once for each of its two rows, which is what figures of whole rows need.
// Each visit has a stripe of StripeRows(n)*n numbers, which is its own until it returns,
// and workers keep what they made.
func (p *Packed[F]) Stripes(ctx context.Context, batch int, worker func() (visit func(*Stripe[F])), after func(from, to int)) error {
	free := make(chan func(int), maxWorkers)
	take := func() func(int) {
		select {
		case do := <-free:
			return do
		default:
		}
		t, visit := newTile[F](), worker()
		s := &Stripe[F]{n: p.n, dots: Make[F](StripeRows(p.n) * p.n)}
		return func(stripe int) {
			p.stripe(s, t, stripe)
			visit(s)
		}
	}
	for from := 0; from < StripeCount(p.n); from += batch {
		to := min(from+batch, StripeCount(p.n))
		err := Parallel(ctx, to-from, func() func(int) {
			return func(task int) {
				do := take()
				do(from + task)
				free <- do
			}
		})
		if err != nil {
			return err
		}
		after(from, to)
	}
	return nil
}

// stripe fills s with the products of stripe number i.
func (p *Packed[F]) stripe(s *Stripe[F], t *Tile[F], i int) {
	s.Index, s.I = i, i*StripeRows(p.n)
	s.Rows = min(StripeRows(p.n), p.n-s.I)
	t.I = s.I
	for t.J = 0; t.J < p.n; t.J += Side {
		p.tile(t, p.rows(t.I), p.rows(t.J), whole(s.Rows, min(Side, p.n-t.J)))
		for k := range t.Rows {
			copy(s.dots[k*p.n+t.J:], t.Row(k))
		}
	}
}
