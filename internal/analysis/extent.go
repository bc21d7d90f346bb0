package analysis

import (
	"context"
	"math"

	"poslens/internal/gram"

	"gonum.org/v1/gonum/floats"
)

// Extent is what some numbers lie in. The zero value is that of none.
type Extent struct {
	Least, Most float64
	Some        bool // a number is defined; else Least and Most mean nothing
	Undefined   bool // a number is not
}

// ExtentOf is the extent of all values.
func ExtentOf(all ...Values) Extent {
	var e Extent
	for _, values := range all {
		for _, v := range values {
			e.add(v)
		}
	}
	return e
}

// add takes in v, which is undefined unless it is finite.
func (e *Extent) add(v float64) {
	switch {
	case !finite(v):
		e.Undefined = true
	case !e.Some:
		e.Least, e.Most, e.Some = v, v, true
	case v < e.Least:
		e.Least = v
	case v > e.Most:
		e.Most = v
	}
}

// And is the extent of the numbers of both.
func (e Extent) And(other Extent) Extent {
	both := e
	if other.Some {
		both.add(other.Least)
		both.add(other.Most)
	}
	both.Undefined = e.Undefined || other.Undefined
	return both
}

// Extent is that of what a picture of the matrix shows, the diagonal included. Up to
// so many positions as it has pixels a side these are the scores, and their extremes
// are known. Of more they are means of blocks of scores, which are looked at for a
// sample, the same for every picture: those of 64 x 64 blocks, each as many positions
// wide as a pixel. That reads one position in twelve, where Means of all blocks would
// take the time of the picture itself.
func (m *Matrix) Extent(ctx context.Context, pixels int) (Extent, error) {
	if m.Scores == nil || m.rows.N > pixels {
		return m.sampledExtent(ctx, pixels)
	}
	e := Extent{Undefined: m.Undefined()}
	if m.Min.Defined() {
		e.add(float64(m.Min))
		e.add(float64(m.Max))
	}
	for i := range m.rows.N {
		e.add(m.Scores.At(i, i))
	}
	return e, nil
}

// sampledExtent is the extent of the means of sampled blocks.
func (m *Matrix) sampledExtent(ctx context.Context, pixels int) (Extent, error) {
	starts, width := sampledBlocks(m.rows.N, pixels)
	r, n, d := m.rows, len(starts), m.rows.D
	blocks := gram.Vectors{N: n, D: d, Stride: d, Data: gram.Make[float64](n * d), Norm: make([]float64, n)}
	err := gram.Parallel(ctx, n, func() func(int) {
		return func(b int) { // as gram.Means does for blocks that leave no gap
			for i := starts[b]; i < starts[b]+width; i++ {
				if r.defined(i) {
					floats.AddScaled(blocks.Data[b*d:(b+1)*d], 1/r.Norm[i], r.row(i))
					blocks.Norm[b]++
				}
			}
		}
	})
	if err != nil {
		return Extent{}, err
	}
	means := gram.Make[float64](n * n)
	if err := gram.Matrix(ctx, means, blocks); err != nil {
		return Extent{}, err
	}
	m.finishMeans(means, blocks, blocks, func(a, b int) bool { return width == 1 && a == b })
	return ExtentOf(means), nil
}

// sampledBlocks chooses blocks of n positions, each as wide as one of so many pixels:
// one in each of 64 equal stretches, or all where there are no more. Where in its
// stretch a block begins follows the golden ratio, so that no period of a table, such
// as the width of a grid, is always met at the same place. The first block is the first
// positions, the last the last.
func sampledBlocks(n, pixels int) (starts []int, width int) {
	blocks := min(n, pixels, 64)
	width = n / min(n, pixels)
	for b := range blocks {
		from, to := b*n/blocks, (b+1)*n/blocks
		_, part := math.Modf(float64(b) * (math.Sqrt(5) - 1) / 2)
		start := from + int(part*float64(to-from-width+1))
		if b > 0 && b == blocks-1 {
			start = n - width
		}
		starts = append(starts, start)
	}
	return starts, width
}

// Extent is that of the tiles' cosines.
func (t *GridTiles) Extent() Extent { return ExtentOf(t.Cosine) }

// Extent is that of the means of all offsets.
func (c *GridDecay) Extent() Extent { return ExtentOf(c.Mean...) }
