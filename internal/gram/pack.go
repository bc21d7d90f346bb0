package gram

import "context"

// Packed are vectors in the order and the precision that they are multiplied in:
// panels of a few rows side by side, the last ones filled up with zero rows.
// Component k of the r-th row of a panel is its number k*panel + r.
type Packed[F Float] struct {
	kernel[F]
	n, d int
	data []F
}

// newPanels makes room for n vectors.
func newPanels[F Float](k kernel[F], n, d int) *Packed[F] {
	return &Packed[F]{k, n, d, Make[F](roundUp(n, k.group) * d)}
}

// Pack packs all vectors.
func Pack[F Float](ctx context.Context, v Vectors) (*Packed[F], error) {
	return pack(ctx, best[F](), v)
}

func pack[F Float](ctx context.Context, k kernel[F], v Vectors) (*Packed[F], error) {
	v.check()
	p := newPanels(k, v.N, v.D)
	return p, Parallel(ctx, blocksOf(v.N), func() func(int) {
		return func(task int) {
			for first := task * Side; first < min((task+1)*Side, roundUp(v.N, k.group)); first += k.panel {
				p.fillPanel(v, 0, first)
			}
		}
	})
}

// roundUp is the least multiple of m that is not below n.
func roundUp(n, m int) int { return (n + m - 1) / m * m }

// rows are the panels that begin at a row, which is a panel's first.
func (p *Packed[F]) rows(from int) []F { return p.data[from*p.d:] }

// packSteps is how many components of a panel are written before those of its
// next row, so that they stay in the processor's first cache.
const packSteps = 128

// fill packs n rows of v from the row from on, and zero rows for what the last
// panels lack.
func (p *Packed[F]) fill(v Vectors, from, n int) {
	p.n = n
	for first := 0; first < roundUp(n, p.group); first += p.panel {
		p.fillPanel(v, from, first)
	}
}

// fillPanel packs the panel that begins at row first, which is row from+first
// of v.
func (p *Packed[F]) fillPanel(v Vectors, from, first int) {
	dst := p.rows(first)[:p.panel*p.d]
	for k0 := 0; k0 < p.d; k0 += packSteps {
		k1 := min(k0+packSteps, p.d)
		for r := range p.panel {
			at := dst[k0*p.panel+r:]
			var norm float64
			if first+r < p.n {
				norm = v.norm(from + first + r)
			}
			if norm == 0 {
				for k := range k1 - k0 {
					at[k*p.panel] = 0
				}
				continue
			}
			for k, x := range v.row(from + first + r)[k0:k1] {
				at[k*p.panel] = F(x / norm)
			}
		}
	}
}
