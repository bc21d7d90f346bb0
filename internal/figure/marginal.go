package figure

import (
	"errors"
	"fmt"
)

// Marginal is a heat map, and below it what its diagonals come to: curves over the
// distance from the diagonal, at the scale of the map's columns, so that a length in
// the one is the same length in the other. A page too small for both has the map alone.
type Marginal struct {
	Map   *Heatmap // its title is that of the figure
	Curve *Lines   // x are distances in positions, 0 at the middle of column 0; its title, legend and line at 0 are not drawn
}

// The share of a page that the curve has, and at most where its type needs more, which
// it has in ems; and the height it has of its own size, in inches.
const (
	marginalShare, mostMarginal = 0.23, 0.4
	marginalLeast               = 8.5
	marginalHeight              = 1.5
)

func (m *Marginal) check() error {
	switch {
	case m.Map == nil || m.Curve == nil:
		return errors.New("heat map with its diagonals: one of the two is missing")
	case m.Curve.XLog || m.Curve.XScale != Linear:
		return errors.New("heat map with its diagonals: a curve on a scale that is not the columns'")
	}
	if err := m.Map.check(); err != nil {
		return err
	}
	if err := m.Curve.check(); err != nil {
		return fmt.Errorf("diagonals of the heat map: %w", err)
	}
	return nil
}

func (m *Marginal) defaultSize() (width, height float64) {
	width, height = m.Map.defaultSize()
	return width, height + marginalHeight
}

func (m *Marginal) draw(p *page) {
	strip := p.snap(max(marginalShare*p.h, marginalLeast*p.size))
	if p.compact() || strip > mostMarginal*p.h {
		m.Map.draw(p)
		return
	}
	l := *m.Curve.logged()
	l.MarkZero = false
	c := curves{Lines: &l, frame: frameOf(&l), among: len(l.Series)}
	step := float64(max(1, m.Map.XStep))
	c.frame.x = span{-0.5 * step, (float64(m.Map.Cols) - 0.5) * step, true}
	c.colors = p.colors(len(l.Series), palette(p.style.Palette, false))
	pad := p.pad()
	a := c.axes(p, p.size, 0.5*p.w, strip-4*p.size)
	a.xLabel, a.yLabel = p.fold(l.XLabel), p.fold(l.YLabel)
	a.over, a.under = 0.9*p.size, 1.4*p.size // up to the label of the map, down to that of the curve
	left, top, _, bottom := a.margins(p)

	upper := *p
	upper.h = p.h - strip
	on := m.Map.place(&upper, left)
	p.plots = upper.plots
	r := rect{on.x0, p.snap(p.h - strip + top), on.x1, p.snap(p.h - pad - bottom)}
	r.y1 = max(r.y1, r.y0+1)
	a.x.ticks = nil
	for n := min(11, int(r.w()/(3*p.size))); n > 0 && a.x.ticks == nil; n-- {
		if ticks := c.frame.xTicks(n); n <= 2 || c.frame.roomFor(p, ticks, r.w(), p.size) {
			a.x.ticks = ticks
		}
	}
	if r.w() < 4*p.size { // a map as narrow as a thread
		a.x.ticks = nil
	}
	c.draw(p, r, a)
}

// block is the map, and the curve below it.
func (m *Marginal) block(t Terminal) block {
	l := *m.Curve
	l.Title = ""
	lower := t
	lower.Height = max(minLines, t.Height/2)
	b := append(m.Map.block(t), nil)
	return append(b, l.block(lower)...)
}
