package figure

import (
	"errors"
	"fmt"
)

// Panels is small charts in a grid, on scales that they share, so that they
// can be compared.
type Panels struct {
	Title      string
	Rows, Cols int
	Charts     []Chart // row by row; nil leaves a panel empty. Heat maps share their scale and one colour bar, lines their axes and one legend
	ColorLabel string  // of the colour bar; "" means that of the first heat map
}

// The sides of one panel, and the largest size of all by default, in inches.
const (
	mapPanel, linesPanel = 2.1, 2.6
	largest              = 12
)

func (g *Panels) check() error {
	if g.Rows < 1 || g.Cols < 1 || len(g.Charts) > g.Rows*g.Cols {
		return fmt.Errorf("panels: %d charts in %d x %d places", len(g.Charts), g.Rows, g.Cols)
	}
	if g.Rows > 100 || g.Cols > 100 {
		return fmt.Errorf("panels: %d x %d panels, more than 100 a side", g.Rows, g.Cols)
	}
	some := false
	for i, c := range g.Charts {
		if c == nil {
			continue
		}
		if _, ok := c.(*Panels); ok {
			return fmt.Errorf("panels: panel %d is panels itself", i)
		}
		if err := checkChart(c); err != nil {
			return fmt.Errorf("panels: panel %d: %w", i, err)
		}
		some = true
	}
	if !some {
		return errors.New("panels: nothing to draw")
	}
	return nil
}

// sorted gives the charts by their kind.
func (g *Panels) sorted() (maps []*Heatmap, lines []*Lines) {
	for _, c := range g.Charts {
		switch c := c.(type) {
		case *Heatmap:
			maps = append(maps, c)
		case *Lines:
			lines = append(lines, c)
		}
	}
	return maps, lines
}

func (g *Panels) defaultSize() (width, height float64) {
	maps, lines := g.sorted()
	w, h, side := mapPanel, mapPanel, 1.6
	if len(lines) > 0 {
		w, h = linesPanel, 0.75*linesPanel
		if len(maps) == 0 {
			side = 0.8
		}
	}
	const head = 1.0
	shrink := min(1, (largest-side)/(w*float64(g.Cols)), (largest-head)/(h*float64(g.Rows)))
	return max(4, shrink*w*float64(g.Cols)+side), max(3, shrink*h*float64(g.Rows)+head)
}

// same gives the one value that all have, or "".
func same[T any](list []T, of func(T) string) string {
	if len(list) == 0 {
		return ""
	}
	first := of(list[0])
	for _, v := range list[1:] {
		if of(v) != first {
			return ""
		}
	}
	return first
}

// tiling is a grid of panels about to be drawn.
type tiling struct {
	*Panels
	p        *page
	size     float64 // type size within a panel
	k        *colours
	key      *legend
	frame    frame
	shared   bool // the panels' axes are alike: numbers stand at the outer ones only
	x, y     string
	ownX     bool // the labels of the axes differ: each panel has its own
	ownY     bool
	w, h     float64 // a panel's plot, at most
	l, t     float64 // a panel's margins
	r, b     float64
	headings float64 // room for a panel's title
}

func (g *Panels) draw(p *page) {
	p.size = min(p.size, 10*p.kind) // more of a page is more panels, not larger ones
	maps, lines := g.sorted()
	s := &tiling{Panels: g, p: p, key: newLegend(p, lines)}
	if len(maps) > 0 {
		s.k = scaleOf(p.style.Palette, maps...)
	}
	if len(lines) > 0 {
		s.frame = frameOf(lines...)
	}
	s.alike(maps, lines)

	pad := p.pad()
	title := p.titleOf(g.Title)
	left, top, right, bottom := pad, pad, pad, pad
	if title != "" {
		top += p.titleRoom()
	}
	if s.x != "" {
		bottom += labelRoom * p.size
	}
	if s.y != "" {
		left += labelRoom * p.size
	}
	var bar *colorBar
	if s.k != nil {
		label := g.ColorLabel
		if label == "" {
			label = maps[0].ColorLabel
		}
		bar = newColorBar(p, s.k, label, 0.6*p.h)
		right += bar.width(p)
		bottom = max(bottom, pad+bar.noteRoom()-p.size)
	}
	s.key.fit(p, p.w-left-right, p.h-top-bottom)
	head, side := s.key.room()
	top, right = top+head, right+side

	all := s.arrange(rect{left, top, p.w - right, p.h - bottom}, maps)
	s.drawAll(all)
	if s.x != "" {
		p.level(s.x, all, all.y1+s.b+(labelRoom-capHeight)*p.size-descent*s.size, p.size)
	}
	if s.y != "" {
		p.upright(s.y, all, all.x0-s.l-(labelRoom-capHeight/2)*p.size, p.size)
	}
	if bar != nil {
		bar.draw(p, all.x1+side, all.y0, max(all.y1, all.y0+min(12*p.size, p.h-bottom-all.y0)))
	}
	above := all.y0 - s.t - s.headings - head
	s.key.draw(p, all, above)
	if title != "" {
		p.title(title, all.x0, above)
	}
}

// alike finds out what the panels can share.
func (s *tiling) alike(maps []*Heatmap, lines []*Lines) {
	p := s.p
	s.shared = len(maps) == 0 || len(lines) == 0 && same(maps, func(h *Heatmap) string {
		return fmt.Sprint(h.Rows, h.Cols, h.X0, h.Y0, h.XStep, h.YStep)
	}) != ""
	if p.compact() {
		return
	}
	s.x, s.ownX = s.label(func(h *Heatmap) string { return h.XLabel }, func(l *Lines) string { return l.XLabel })
	s.y, s.ownY = s.label(func(h *Heatmap) string { return h.YLabel }, func(l *Lines) string { return l.YLabel })
	s.x, s.y = p.fold(s.x), p.fold(s.y)
}

// arrange sets the size of the panels so that they fill the room, and gives
// the rectangle around all their plots.
func (s *tiling) arrange(room rect, maps []*Heatmap) rect {
	p, rows, cols := s.p, float64(s.Rows), float64(s.Cols)
	tile := min(room.w()/cols, room.h()/rows*1.3)
	s.size = max(min(5, p.size), min(0.85*p.size, tile/11))
	for _, c := range s.Charts {
		var title string
		switch c := c.(type) {
		case *Heatmap:
			title = c.Title
		case *Lines:
			title = c.Title
			s.t = max(s.t, c.zeroRoom(p, s.frame, s.size, tile-s.size))
		}
		if p.fold(title) != "" && !p.tiny() {
			s.headings = 1.5 * s.size
		}
	}
	for _, c := range s.Charts {
		if a := s.axes(c, room.w()/cols, room.h()/rows); a != nil {
			l, t, r, b := a.margins(p)
			s.l, s.t, s.r, s.b = max(s.l, l), max(s.t, t), max(s.r, r), max(s.b, b)
		}
	}
	// numbers of shared axes take room once, else in every panel
	gapX, gapY := s.gaps()
	s.w = max(1, (room.w()-s.l-s.r-gapX*(cols-1))/cols)
	s.h = max(1, (room.h()-s.t-s.b-s.headings-gapY*(rows-1))/rows)
	if s.shared && len(maps) > 0 { // no wider than the maps
		s.w, s.h = maps[0].fit(p, s.w, s.h)
	} else {
		s.w, s.h = max(1, p.snap(s.w-p.px/2)), max(1, p.snap(s.h-p.px/2))
	}
	w, h := cols*s.w+(cols-1)*gapX, rows*s.h+(rows-1)*gapY
	x := p.snap(room.x0 + s.l + max(0, room.w()-s.l-s.r-w)/2)
	y := p.snap(room.y0 + s.t + s.headings + max(0, room.h()-s.t-s.b-s.headings-h)/2)
	return rect{x, y, x + w, y + h}
}

// gaps are the distances between the plots of neighbouring panels.
func (s *tiling) gaps() (x, y float64) {
	if s.shared && !s.ownX && !s.ownY {
		return s.p.snap(max(s.size, 0.6*s.r)), s.p.snap(0.8*s.size + s.headings + s.t)
	}
	return s.p.snap(s.l + s.r + s.size), s.p.snap(s.t + s.b + s.headings + 0.6*s.size)
}

// axes are those of a panel for about a size; nil for an empty one.
func (s *tiling) axes(c Chart, width, height float64) *axes {
	var a *axes
	var x, y string
	switch c := c.(type) {
	case *Heatmap:
		a = c.axes(s.p, s.size, 0.85*width, 0.85*height)
		x, y = c.XLabel, c.YLabel
	case *Lines:
		a = s.frame.axes(s.p, s.size, 0.85*width, 0.85*height)
		x, y = c.XLabel, c.YLabel
	default:
		return nil
	}
	a.xLabel, a.yLabel = "", ""
	if s.ownX {
		a.xLabel, a.room = s.p.fold(x), width
	}
	if s.ownY {
		a.yLabel = s.p.fold(y)
	}
	s.p.strip(a)
	return a
}

// at is the chart of a place; nil if it is empty.
func (s *tiling) at(row, col int) Chart {
	if i := row*s.Cols + col; row < s.Rows && i < len(s.Charts) {
		return s.Charts[i]
	}
	return nil
}

func (s *tiling) drawAll(all rect) {
	gapX, gapY := s.gaps()
	for row := range s.Rows {
		for col := range s.Cols {
			c := s.at(row, col)
			a := s.axes(c, s.w+0.5*gapX, s.h)
			if a == nil {
				continue
			}
			if s.shared && !s.ownX && !s.ownY {
				a.noY = col > 0 && s.at(row, col-1) != nil
				a.noX = s.at(row+1, col) != nil
			}
			x, y := s.p.snap(all.x0+float64(col)*(s.w+gapX)), s.p.snap(all.y0+float64(row)*(s.h+gapY))
			s.drawPanel(c, a, rect{x, y, x + s.w, y + s.h})
		}
	}
}

// drawPanel draws one chart in its place.
func (s *tiling) drawPanel(c Chart, a *axes, r rect) {
	p := s.p
	var title string
	top := r.y0
	switch c := c.(type) {
	case *Heatmap:
		w, h := c.fit(p, s.w, s.h)
		r.x0 = p.snap(r.x0 + (s.w-w)/2)
		r.y0 = p.snap(r.y0 + (s.h-h)/2)
		r.x1, r.y1 = r.x0+w, r.y0+h
		top = r.y0
		p.cells(r, c.grid(s.k))
		a.draw(p, r)
		title = c.Title
	case *Lines:
		cs := curves{c, s.frame, s.key.of(c), 0.8 * lineWidth(s.key.series())}
		cs.draw(p, r, a)
		title = c.Title
		top -= c.zeroRoom(p, s.frame, s.size, r.w())
	}
	if s.headings > 0 {
		title = p.cut(title, s.size, r.w()+s.gap())
		p.text(title, point{r.x0, top - 0.45*s.size}, 0, 1, s.size, false, p.ink)
	}
}

// gap is how far a title may reach over the edge of its panel.
func (s *tiling) gap() float64 {
	x, _ := s.gaps()
	return max(0, min(x-0.5*s.size, s.r))
}
