package figure

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// named puts names in the place of numbers, where there are any.
func named(ticks []tick, names []string) []tick {
	if names == nil {
		return ticks
	}
	for i, t := range ticks {
		ticks[i].label = clean(names[int(t.at)])
	}
	return ticks
}

// nameTicks puts the names of rows and columns at their cells, as many as a map of
// about a size has room for: those of columns level where they fit, else upright.
func (h *Heatmap) nameTicks(p *page, a *axes, size, width, height float64) {
	cw, ch := width/float64(h.Cols), height/float64(h.Rows)
	if h.Rows == h.Cols {
		cw, ch = min(cw, ch), min(cw, ch)
	}
	most := func(cell, n, room float64) int { return max(1, int(cell*n/room)) }
	cutTo := func(ticks []tick, length float64) {
		for i := range ticks {
			ticks[i].label = p.cut(ticks[i].label, size, length)
		}
	}
	if h.YNames != nil {
		a.y.ticks = named(positions(h.Rows, 0, 1, most(ch, float64(h.Rows), 1.3*size)), h.YNames)
		cutTo(a.y.ticks, 0.36*max(width, 0.6*height))
	}
	if h.XNames == nil {
		return
	}
	all := named(positions(h.Cols, 0, 1, h.Cols), h.XNames)
	if wide := p.widest(labels(all), size) + 0.8*size; wide <= cw || wide <= 4*size { // numbers are thinned out as numbers are
		a.x.ticks = named(positions(h.Cols, 0, 1, most(cw, float64(h.Cols), wide)), h.XNames)
		return
	}
	a.upright = true
	a.x.ticks = named(positions(h.Cols, 0, 1, most(cw, float64(h.Cols), 1.3*size)), h.XNames)
	cutTo(a.x.ticks, 0.36*max(height, 0.6*width))
}

// write writes the values into the cells, where they fit: in black or in white,
// whichever is seen.
func (h *Heatmap) write(p *page, r rect, k *colours, size float64) {
	if h.Decimals < 1 || h.At == nil {
		return
	}
	cw, ch := r.w()/float64(h.Cols), r.h()/float64(h.Rows)
	size *= 0.9
	room := p.width("−0."+"00000000"[:min(h.Decimals, 8)], size)
	size *= min(1, 0.85*cw/room)
	if size < 4 || size > 0.9*ch {
		return
	}
	for i := range h.Rows {
		for j := range h.Cols {
			v := h.At(i, j)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			at := point{r.x0 + (float64(j)+0.5)*cw, r.y0 + (float64(i)+0.5)*ch}
			text := strconv.FormatFloat(v, 'f', h.Decimals, 64)
			if strings.Trim(text, "-0.") == "" {
				text = strings.TrimPrefix(text, "-")
			}
			text = minus(text)
			if p.width(text, size) > cw { // a number too long for its cell would run over others
				continue
			}
			p.text(text, at, 0.5, 0.5, size, false, legible(k.of(v)))
		}
	}
}

// legible is black or white, whichever stands out more from a ground.
func legible(ground color.RGBA) color.NRGBA {
	black, white := gray(0), gray(0xff)
	if contrastOf(color.RGBA(black), ground) > contrastOf(color.RGBA(white), ground) {
		return black
	}
	return white
}

// xLabelOf is the label of a chart's x axis.
func xLabelOf(c Chart) string {
	switch c := c.(type) {
	case *Heatmap:
		return c.XLabel
	case *Lines:
		return c.XLabel
	}
	return ""
}
