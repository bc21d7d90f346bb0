package gram

import "context"

// Band takes the products of every two vectors with from <= j-i < to, tile by
// tile, as Upper does; from is at least 0. What a tile holds outside the band is
// meaningless. It takes O(n (to-from) d) time and no memory to speak of, but packs
// the vectors anew for each time that a tile needs them: for bands much wider than
// a tile, see Diagonal.
func Band[F Float](ctx context.Context, v Vectors, from, to int, worker func() (visit func(*Tile[F]))) error {
	return band(ctx, best[F](), v, from, to, worker)
}

func band[F Float](ctx context.Context, k kernel[F], v Vectors, from, to int, worker func() func(*Tile[F])) error {
	v.check()
	if from < 0 {
		panic("gram: a band below the diagonal")
	}
	to = min(to, v.N)
	return Parallel(ctx, blocksOf(v.N-from), func() func(int) {
		t, visit := newTile[F](), worker()
		a, b := newPanels(k, Side, v.D), newPanels(k, Side, v.D)
		return func(task int) {
			t.I = task * Side
			rows := min(Side, v.N-from-t.I)
			a.fill(v, t.I, min(Side, v.N-t.I))
			for t.J = t.I + from; t.J < min(t.I+rows-1+to, v.N); t.J += Side {
				cols := min(Side, v.N-t.J, t.I+rows-1+to-t.J)
				columns := a
				if t.J != t.I {
					columns = b
					b.fill(v, t.J, cols)
				}
				a.tile(t, a.data, columns.data, span{rows, cols, from - (t.J - t.I), to - (t.J - t.I)})
				visit(t)
			}
		}
	})
}

// Diagonals is how many diagonals of tiles there are.
func (p *Packed[F]) Diagonals() int { return blocksOf(p.n) }

// Diagonal visits the tiles with J = I + k*Side, as Upper does. Those of the
// diagonals 0..k hold all products of vectors up to k*Side apart, so a walk along
// k computes each tile once, and 2*Side distances are under way at a time.
func (p *Packed[F]) Diagonal(ctx context.Context, k int, worker func() (visit func(*Tile[F]))) error {
	return Parallel(ctx, p.Diagonals()-k, func() func(int) {
		t, visit := newTile[F](), worker()
		return func(task int) {
			t.I, t.J = task*Side, (task+k)*Side
			p.at(t)
			visit(t)
		}
	})
}
