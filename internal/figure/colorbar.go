package figure

import "image/color"

// colorBar is the key of a heat map: a strip of the palette with numbers, and
// a label beside it. A pointed end says that cells lie beyond it.
type colorBar struct {
	k     *colours
	label string
	ticks []tick
	size  float64
}

const unknownNote = "undefined"

// barTicks is how many numbers a bar has at most.
const barTicks = 9

// barGap is between plot and bar, in ems.
const barGap = 1.1

// newColorBar makes the bar of about a height.
func newColorBar(p *page, k *colours, label string, height float64) *colorBar {
	b := &colorBar{k: k, label: p.fold(label), size: p.size}
	if p.compact() {
		b.label = ""
	}
	if !p.tiny() {
		b.ticks = k.ticks(min(barTicks, int(height/(2.6*p.size))), false)
	}
	return b
}

// thick is the width of the strip.
func (b *colorBar) thick() float64 { return 1.1 * b.size }

// width is the room that the bar takes right of the plot, with its gap.
func (b *colorBar) width(p *page) float64 {
	w := barGap*b.size + b.thick()
	if len(b.ticks) > 0 {
		w += (tickLength+tickGap)*b.size + p.widestNumber(b.ticks, b.size)
	}
	if b.label != "" {
		w += labelRoom * b.size
	}
	if b.noted() {
		w = max(w, barGap*b.size+b.noteWidth(p))
	}
	return w
}

// noted tells whether the bar explains the grey of undefined cells.
func (b *colorBar) noted() bool { return b.k.unknown && len(b.ticks) > 0 }

// noteSize is the type size of the note.
func (b *colorBar) noteSize() float64 { return lesser(0.9, b.size) }

func (b *colorBar) noteWidth(p *page) float64 {
	return b.thick() + tickGap*b.size + p.width(unknownNote, b.noteSize())
}

// noteRoom is what the note needs below the bar.
func (b *colorBar) noteRoom() float64 {
	if !b.noted() {
		return 0
	}
	return (0.9 + capHeight + 0.3) * b.size
}

// tips draws a point at each end of the bar beyond which there are cells, in the
// colour that they have, and gives what is left for the scale.
func (b *colorBar) tips(p *page, r rect) rect {
	tip := p.snap(0.8 * b.thick())
	if r.h() < 4*tip {
		return r
	}
	low, high := b.k.clamped()
	mid, last := (r.x0+r.x1)/2, len(b.k.pal)-1
	triangle := func(base, top float64, of int) {
		p.polygon([]point{{r.x0, base}, {mid, top}, {r.x1, base}}, color.NRGBA(b.k.pal[of]))
	}
	if high {
		triangle(r.y0+tip, r.y0, last)
		r.y0 += tip
	}
	if low {
		triangle(r.y1-tip, r.y1, 0)
		r.y1 -= tip
	}
	return r
}

// draw draws the bar between y0 and y1, x being where its room begins.
func (b *colorBar) draw(p *page, x, y0, y1 float64) {
	all := rect{p.snap(x + barGap*b.size), p.snap(y0), 0, p.snap(y1)}
	all.x1 = p.snap(all.x0 + b.thick())
	r := b.tips(p, all)
	n := len(b.k.pal)
	p.cells(r, &grid{n, 1, means(func(row, _ int) float64 {
		t := (float64(n-1-row) + 0.5) / float64(n)
		return b.k.lo*(1-t) + b.k.hi*t
	}), b.k})
	s := scale{lo: b.k.lo, hi: b.k.hi}
	for _, t := range b.ticks {
		y := s.pos(t.at, r.y1, r.y0)
		p.rule(r.x1, y, r.x1+tickLength*b.size, y, 0.6, p.mark)
		p.number(t.label, point{r.x1 + (tickLength+tickGap)*b.size, y}, 0, 0.5, b.size)
	}
	if b.label != "" {
		x := r.x1 + (tickLength+tickGap)*b.size + p.widestNumber(b.ticks, b.size)
		p.upright(b.label, all, all, x+(labelRoom-capHeight/2)*b.size, b.size)
	}
	if b.noted() {
		y := p.snap(all.y1 + 0.9*b.size)
		box := rect{r.x0, y, r.x1, p.snap(y + capHeight*b.size)}
		p.fill(box, rgb(uint32(undefined.R)<<16|uint32(undefined.G)<<8|uint32(undefined.B)))
		p.text(unknownNote, point{r.x1 + tickGap*b.size, (box.y0 + box.y1) / 2}, 0, 0.5, b.noteSize(), false, p.soft)
	}
}
