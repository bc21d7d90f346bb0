package gram

import "context"

// Store puts a tile of Upper into the n x n matrix dst, and its transpose on the
// other side of the diagonal. On the diagonal the products i <= j count for both.
func (t *Tile[F]) Store(dst []F, n int) {
	if t.I == t.J {
		for i := range t.Rows {
			for j, x := range t.Row(i)[i:] {
				dst[(t.I+i)*n+t.I+i+j] = x
				dst[(t.I+i+j)*n+t.I+i] = x
			}
		}
		return
	}
	for i := range t.Rows {
		copy(dst[(t.I+i)*n+t.J:], t.Row(i))
	}
	t.transpose()
	for j := range t.Cols {
		copy(dst[(t.J+j)*n+t.I:], t.turned[j*Side:j*Side+t.Rows])
	}
}

// transpose writes the tile's columns as the rows of turned, four at a time, so that
// the tile is read along its rows. It is not written where it belongs in the matrix,
// since many short pieces of far rows make memory wait: whole rows of a tile take a
// quarter of the time.
func (t *Tile[F]) transpose() {
	if t.turned == nil {
		t.turned = make([]F, Side*Side)
	}
	for j := 0; j < t.Cols; j += 4 { // Side is a multiple of 4
		a, b := t.turned[j*Side:][:t.Rows], t.turned[(j+1)*Side:][:t.Rows]
		c, d := t.turned[(j+2)*Side:][:t.Rows], t.turned[(j+3)*Side:][:t.Rows]
		for i := range a {
			x := t.dots[i*Side+j:][:4]
			a[i], b[i], c[i], d[i] = x[0], x[1], x[2], x[3]
		}
	}
}

// Matrix fills the n x n matrix dst with the products of every two vectors.
func Matrix[F Float](ctx context.Context, dst []F, v Vectors) error {
	return Upper(ctx, v, func() func(*Tile[F]) {
		return func(t *Tile[F]) { t.Store(dst, v.N) }
	})
}

// Product fills dst, a.N x b.N, with the products of the vectors of a with those
// of b, which have as many components.
func Product[F Float](ctx context.Context, dst []F, a, b Vectors) error {
	return product(ctx, best[F](), dst, a, b)
}

func product[F Float](ctx context.Context, k kernel[F], dst []F, a, b Vectors) error {
	a.check()
	if a.D != b.D {
		panic("gram: vectors of different length")
	}
	columns, err := pack(ctx, k, b)
	if err != nil {
		return err
	}
	return Parallel(ctx, blocksOf(a.N), func() func(int) {
		t := newTile[F]()
		rows := newPanels(k, Side, a.D)
		return func(task int) {
			t.I = task * Side
			n := min(Side, a.N-t.I)
			rows.fill(a, t.I, n)
			for t.J = 0; t.J < b.N; t.J += Side {
				columns.tile(t, rows.data, columns.rows(t.J), whole(n, min(Side, b.N-t.J)))
				for i := range t.Rows {
					copy(dst[(t.I+i)*b.N+t.J:], t.Row(i))
				}
			}
		}
	})
}
