package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/gram"
	"poslens/internal/posemb"
)

// GridTiles are tiles of a grid: tile (r, c) holds the cosine of cell (r, c) with every
// cell, laid out as the cells are, so that its largest value, 1, stands at (r, c). All
// of them are figure 7 of Dosovitskiy et al. 2021 (An Image is Worth 16x16 Words), its
// middle panel.
type GridTiles struct {
	Rows   []int  `json:"rows"`   // which rows of tiles, rising
	Cols   []int  `json:"cols"`   // which columns of tiles, rising
	Cosine Values `json:"cosine"` // tile after tile, in each row after row; NaN of an undefined cell

	grid posemb.Grid
}

// TilesOf takes the tiles of some rows and columns of the grid, each rising. It takes
// O(t n d) time for t tiles and holds t n numbers; more than 8 GiB of them is an error.
func (c *GridDecay) TilesOf(ctx context.Context, rows, cols []int) (*GridTiles, error) {
	r := c.rows
	if !rising(rows, c.Grid.Rows) || !rising(cols, c.Grid.Cols) {
		return nil, fmt.Errorf("tiles of rows %v and columns %v: they must rise within %d x %d", rows, cols, c.Grid.Rows, c.Grid.Cols)
	}
	tiles := len(rows) * len(cols)
	if tiles > maxScores/8/max(r.N, 1) {
		return nil, fmt.Errorf("%d tiles of %d cells need %d GiB of memory, more than the %d allowed: take fewer", tiles, r.N, tiles*r.N/(1<<27), maxScores>>30)
	}
	t := &GridTiles{Rows: rows, Cols: cols, Cosine: gram.Make[float64](tiles * r.N), grid: c.Grid}
	queries := gram.Vectors{N: tiles, D: r.D, Stride: r.D, Data: gram.Make[float64](tiles * r.D), Norm: make([]float64, tiles)}
	for k := range tiles {
		i := t.cell(k)
		queries.Norm[k] = r.Norm[i]
		copy(queries.Data[k*r.D:], r.row(i))
	}
	if err := gram.Product(ctx, t.Cosine, queries, r.Vectors); err != nil {
		return nil, err
	}
	for k := range tiles {
		tile, i := t.tile(k), t.cell(k)
		for j, s := range tile {
			if tile[j] = clamp(s); !r.defined(i) || !r.defined(j) {
				tile[j] = math.NaN()
			}
		}
		if r.defined(i) {
			tile[i] = 1
		}
	}
	return t, nil
}

// rising tells whether indices rise from 0 on and stay below n.
func rising(at []int, n int) bool {
	before := -1
	for _, i := range at {
		if i <= before || i >= n {
			return false
		}
		before = i
	}
	return len(at) > 0
}

// cell is which cell tile k is of.
func (t *GridTiles) cell(k int) int {
	return t.Rows[k/len(t.Cols)]*t.grid.Cols + t.Cols[k%len(t.Cols)]
}

// tile is the cosines of tile k.
func (t *GridTiles) tile(k int) []float64 {
	n := t.grid.Rows * t.grid.Cols
	return t.Cosine[k*n : (k+1)*n]
}

// At is the cosine of the cell of the i-th row and j-th column of tiles with the cell
// (r, c).
func (t *GridTiles) At(i, j, r, c int) float64 {
	return t.tile(i*len(t.Cols) + j)[r*t.grid.Cols+c]
}
