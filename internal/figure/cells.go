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
	unknown bool // some cell is undefined
	under   bool // some value lies below, or above, the span
	over    bool
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

// paint fills r with the cells, row 0 at the top: each pixel has the colour of
// the cell at its centre, or of the mean of its cells where they are smaller
// than pixels.
func (g *grid) paint(img *image.RGBA, r image.Rectangle) {
	ys, xs := shares(g.rows, r.Dy()), shares(g.cols, r.Dx())
	width := 4 * r.Dx()
	var above []uint8
	for y, rows := range ys {
		at := img.PixOffset(r.Min.X, r.Min.Y+y)
		line := img.Pix[at : at+width]
		if y > 0 && rows == ys[y-1] {
			copy(line, above)
			continue
		}
		for x, cols := range xs {
			if x > 0 && cols == xs[x-1] {
				copy(line[4*x:4*x+4], line[4*x-4:4*x])
				continue
			}
			c := g.of(g.mean(rows, cols))
			line[4*x], line[4*x+1], line[4*x+2], line[4*x+3] = c.R, c.G, c.B, c.A
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
// cell, large enough that a viewer which smooths all the same blurs little; or
// means, where there are more cells than anyone can see.
func (g *grid) picture(r rect) image.Image {
	const smooth, dense = 600, 400 // pixels a side; cells an inch
	side := func(n int, points float64) int {
		if most := max(smooth, int(points/72*dense)); n > most {
			return most
		}
		return n * max(1, (smooth+n-1)/n)
	}
	w, h := side(g.cols, r.w()), side(g.rows, r.h())
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	g.paint(img, img.Rect)
	return img
}
