package figure

import (
	"image"
	"image/color"
	"iter"
	"math"
	"slices"
)

// grid is a matrix to paint.
type grid struct {
	rows, cols int
	blocks     func(rows, cols []int) []float64 // means, as of Heatmap.Blocks
	*colours
}

// view is a grid as a number of pixels show it, row 0 at the top: the cell at
// the centre of each, or the mean of its cells where they are smaller.
type view struct {
	values []float64 // of blocks of cells, row after row
	across int       // blocks in a row
	ys, xs []int     // the block that each row, each column of pixels shows
}

func (g *grid) view(width, height int) *view {
	rows, ys := edges(g.rows, height)
	cols, xs := edges(g.cols, width)
	values := g.blocks(rows, cols)
	g.drawn(values)
	return &view{values, len(cols) - 1, ys, xs}
}

func (v *view) at(x, y int) float64 { return v.values[v.ys[y]*v.across+v.xs[x]] }

// table is the palette, and after it the colour of undefined cells.
func (g *grid) table() []color.RGBA { return append(slices.Clone(g.pal), undefined) }

// lines gives the rows of pixels of a view as places in the table. A line is
// good until the next.
func (g *grid) lines(v *view) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		places, line := make([]int, v.across), make([]int, len(v.xs))
		for y, row := range v.ys {
			if y == 0 || row != v.ys[y-1] {
				for i, value := range v.values[row*v.across : (row+1)*v.across] {
					if places[i] = g.index(value); places[i] < 0 {
						places[i] = len(g.pal)
					}
				}
				for x, i := range v.xs {
					line[x] = places[i]
				}
			}
			if !yield(y, line) {
				return
			}
		}
	}
}

// dense is how many cells an inch are drawn where the format has no pixels; more are
// drawn as means.
const dense = 400

// shown is at least as many blocks as a map on the page shows, and no more than
// memory is well spent on.
func (p *page) shown() size {
	const most = 4096
	blocks := func(points float64) int {
		if p.px > 0 {
			return min(most, int(points/p.px)+1)
		}
		return min(most, int(points/72*dense)+1)
	}
	return size{blocks(p.w), blocks(p.h)}
}

// picture is the grid as an image to be scaled to r: whole blocks of pixels a
// cell, so many that a viewer which smooths all the same blurs little; or
// means, where there are more cells than anyone can see, or than a viewer should
// have to hold. Its width is not among those taken, to which it is added.
func (g *grid) picture(r rect, taken map[int]bool) image.Image {
	const sharp, most = 300, 8192 // pixels an inch for blocks; pixels a side
	side := func(n int, points float64) int {
		if seen := max(1, min(most, int(points/72*dense))); n > seen {
			return seen
		}
		return n * max(1, min(most/n, int(math.Ceil(points/72*sharp/float64(n)))))
	}
	w, h := side(g.cols, r.w()), side(g.rows, r.h())
	for taken[w] {
		w++ // moves an edge between cells by less than a 300th of an inch
	}
	if taken != nil {
		taken[w] = true
	}
	v, table := g.view(w, h), g.table()
	r0 := image.Rect(0, 0, w, h)
	if slices.ContainsFunc(v.values, math.IsNaN) { // one colour more than a palette of 256 takes
		img := image.NewRGBA(r0)
		for y, line := range g.lines(v) {
			for x, i := range line {
				img.SetRGBA(x, y, table[i])
			}
		}
		return img
	}
	pal := make(color.Palette, len(g.pal))
	for i, c := range g.pal {
		pal[i] = c
	}
	img := image.NewPaletted(r0, pal)
	for y, line := range g.lines(v) {
		row := img.Pix[y*img.Stride:]
		for x, i := range line {
			row[x] = uint8(i)
		}
	}
	return img
}
