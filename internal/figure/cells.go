package figure

import (
	"image"
	"image/color"
	"math"
)

// colours turns numbers into colours.
type colours struct {
	span
	pal     []color.RGBA
	unknown bool    // some cell is undefined
	least   float64 // of the defined cells, which may lie beyond the ends of the scale
	most    float64
}

// clamped tells whether some cells lie beyond the low or the high end of the
// scale, by more than rounding, and so have a colour that is not their value's.
func (k *colours) clamped() (low, high bool) {
	rounding := 1e-9 * (k.hi - k.lo)
	return k.least < k.lo-rounding, k.most > k.hi+rounding
}

// index is the place of v in the palette, -1 if undefined.
func (k *colours) index(v float64) int {
	if math.IsNaN(v) {
		return -1
	}
	v = max(k.lo, min(k.hi, v))
	n := len(k.pal)
	return min(n-1, int((v/2-k.lo/2)/(k.hi/2-k.lo/2)*float64(n)))
}

func (k *colours) of(v float64) color.RGBA {
	if i := k.index(v); i >= 0 {
		return k.pal[i]
	}
	return undefined
}

// grid is a matrix to paint.
type grid struct {
	rows, cols int
	at         func(r, c int) float64
	*colours
}

// paint fills r with the cells.
func (g *grid) paint(img *image.RGBA, r image.Rectangle) {
	g.spread(img.Pix[img.PixOffset(r.Min.X, r.Min.Y):], img.Stride, 4, r.Dx(), r.Dy(), func(pixel []uint8, i int) {
		c := undefined
		if i >= 0 {
			c = g.pal[i]
		}
		pixel[0], pixel[1], pixel[2], pixel[3] = c.R, c.G, c.B, c.A
	})
}

// spread sets pixels of a size in bytes by the places of their cells in the
// palette, row 0 at the top: each shows the cell at its centre, or the mean of
// its cells where they are smaller than pixels.
func (g *grid) spread(pix []uint8, stride, size, width, height int, set func(pixel []uint8, index int)) {
	ys, xs := shares(g.rows, height), shares(g.cols, width)
	var above []uint8
	for y, rows := range ys {
		line := pix[y*stride : y*stride+width*size]
		if y > 0 && rows == ys[y-1] {
			copy(line, above)
			continue
		}
		for x, cols := range xs {
			pixel := line[x*size : (x+1)*size]
			if x > 0 && cols == xs[x-1] {
				copy(pixel, line[(x-1)*size:])
				continue
			}
			set(pixel, g.index(g.mean(rows, cols)))
		}
		above = line
	}
}

// share is the half-open range of cells that a pixel shows.
type share struct{ from, to int }

// shares shares n cells among pixels.
func shares(n, pixels int) []share {
	s := make([]share, pixels)
	for i := range s {
		if n > pixels {
			s[i] = share{i * n / pixels, (i + 1) * n / pixels}
		} else {
			at := (2*i + 1) * n / (2 * pixels)
			s[i] = share{at, at + 1}
		}
	}
	return s
}

// mean is the mean of a block's values, each brought into the span first; NaN
// when none is defined.
func (g *grid) mean(rows, cols share) float64 {
	if rows.to-rows.from == 1 && cols.to-cols.from == 1 {
		return g.at(rows.from, cols.from)
	}
	sum, n := 0.0, 0
	for r := rows.from; r < rows.to; r++ {
		for c := cols.from; c < cols.to; c++ {
			if v := g.at(r, c); !math.IsNaN(v) {
				sum += max(g.lo, min(g.hi, v))
				n++
			}
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// picture is the grid as an image to be scaled to r: whole blocks of pixels a
// cell, so many that a viewer which smooths all the same blurs little; or
// means, where there are more cells than anyone can see, or than a viewer should
// have to hold. Its width is not among those taken, to which it is added.
func (g *grid) picture(r rect, taken map[int]bool) image.Image {
	const sharp, dense, most = 300, 400, 8192 // pixels an inch for blocks; cells an inch before means; pixels a side
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
	r0 := image.Rect(0, 0, w, h)
	if g.unknown { // one colour more than a palette of 256 takes
		img := image.NewRGBA(r0)
		g.paint(img, r0)
		return img
	}
	pal := make(color.Palette, len(g.pal))
	for i, c := range g.pal {
		pal[i] = c
	}
	img := image.NewPaletted(r0, pal)
	g.spread(img.Pix, img.Stride, 1, w, h, func(pixel []uint8, i int) { pixel[0] = uint8(i) })
	return img
}
