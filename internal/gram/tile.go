package gram

import "context"

// Side is the rows and the columns of a tile: two tiles' packed rows, cut at
// depth, and the tile itself stay in a processor's second cache.
const Side = 96

// Tile holds the products of some vectors with some others.
type Tile[F Float] struct {
	I, J       int // of the first row's vector and the first column's
	Rows, Cols int // at most Side
	dots       []F // Side numbers a row
	turned     []F // its transpose, once Store has needed one
}

func newTile[F Float]() *Tile[F] { return &Tile[F]{dots: make([]F, Side*Side)} }

// Row is the i-th row: the products of vector I+i with the vectors J, J+1, ...
func (t *Tile[F]) Row(i int) []F { return t.dots[i*Side : i*Side+t.Cols : i*Side+t.Cols] }

// tile fills t from packed vectors, a's rows as its rows and b's as its columns.
func (p *Packed[F]) tile(t *Tile[F], a, b []F, s span) {
	t.Rows, t.Cols = s.m, s.n
	if p.d == 0 {
		clear(t.dots)
		return
	}
	p.multiply(t.dots, a, b, p.d, s)
}

// at fills t with the products of the vectors from t.I and t.J on, on the diagonal
// only those i <= j.
func (p *Packed[F]) at(t *Tile[F]) {
	s := whole(min(Side, p.n-t.I), min(Side, p.n-t.J))
	if t.I == t.J {
		s.low = 0
	}
	p.tile(t, p.rows(t.I), p.rows(t.J), s)
}

// blocksOf is how many tiles' sides n vectors fill.
func blocksOf(n int) int { return (n + Side - 1) / Side }

// Upper takes the products of every two vectors i <= j, tile by tile: those on
// and above the diagonal, each once, in no particular order. What a tile on the
// diagonal holds below it is meaningless. Each worker makes its own visit, and the
// tile is its own until visit returns. It takes O(n^2 d) time and holds a packed copy
// of the vectors.
func Upper[F Float](ctx context.Context, v Vectors, worker func() (visit func(*Tile[F]))) error {
	return upper(ctx, best[F](), v, worker)
}

// stripe is how many columns of tiles are done together, row after row, so that
// their packed vectors are still in the processor's last cache when the next row
// needs them.
const stripe = 4

func upper[F Float](ctx context.Context, k kernel[F], v Vectors, worker func() func(*Tile[F])) error {
	p, err := pack(ctx, k, v)
	if err != nil {
		return err
	}
	var tasks []struct{ i, j int } // the corner of the first tile of each row of each stripe
	for j := 0; j < v.N; j += stripe * Side {
		for i := 0; i < min(j+stripe*Side, v.N); i += Side {
			tasks = append(tasks, struct{ i, j int }{i, max(i, j)})
		}
	}
	return Parallel(ctx, len(tasks), func() func(int) {
		t, visit := newTile[F](), worker()
		return func(task int) {
			t.I = tasks[task].i
			end := (tasks[task].j/(stripe*Side) + 1) * stripe * Side
			for t.J = tasks[task].j; t.J < min(end, v.N); t.J += Side {
				p.at(t)
				visit(t)
			}
		}
	})
}

// UpperTiles is how many tiles Upper visits for n vectors.
func UpperTiles(n int) int { return blocksOf(n) * (blocksOf(n) + 1) / 2 }

// Index numbers the tiles of Upper from 0, column after column.
func (t *Tile[F]) Index() int {
	i, j := t.I/Side, t.J/Side
	return j*(j+1)/2 + i
}
