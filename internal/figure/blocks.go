package figure

import (
	"fmt"
	"math"
)

// Blocks of cells are told by their edges: block i of an axis is the cells from
// edges[i] to before edges[i+1].

// edges shares n cells among pixels: the blocks' edges, and the block that each
// pixel shows. Each pixel has a block of its own where there are more cells; else
// each cell is a block, and a pixel shows the one at its centre.
func edges(n, pixels int) (edges, shown []int) {
	blocks := min(n, pixels)
	edges, shown = make([]int, blocks+1), make([]int, pixels)
	for i := range edges {
		edges[i] = i * n / blocks
	}
	for i := range shown {
		shown[i] = (2*i + 1) * blocks / (2 * pixels)
	}
	return edges, shown
}

// means gives the means of blocks from single cells: of the defined ones, NaN
// where there are none.
func means(at func(r, c int) float64) func(rows, cols []int) []float64 {
	return func(rows, cols []int) []float64 {
		across := len(cols) - 1
		all := make([]float64, (len(rows)-1)*across)
		defined := make([]int, across)
		for i := range len(rows) - 1 {
			sums := all[i*across : (i+1)*across]
			clear(defined)
			for r := rows[i]; r < rows[i+1]; r++ {
				for j := range sums {
					sum, n := 0.0, 0
					for c := cols[j]; c < cols[j+1]; c++ {
						if v := at(r, c); !math.IsNaN(v) {
							sum += v
							n++
						}
					}
					sums[j] += sum
					defined[j] += n
				}
			}
			for j, n := range defined {
				sums[j] /= float64(n)
			}
		}
		return all
	}
}

// blocks asks the heat map for the means of blocks, all at once.
func (h *Heatmap) blocks(rows, cols []int) []float64 {
	if h.Blocks == nil {
		return means(h.At)(rows, cols)
	}
	v := h.Blocks(rows, cols)
	if want := (len(rows) - 1) * (len(cols) - 1); len(v) != want {
		panic(fmt.Sprintf("heat map: %d values of %d x %d blocks", len(v), len(rows)-1, len(cols)-1))
	}
	return v
}
