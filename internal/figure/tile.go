package figure

import "strings"

// What a panel shows besides its plot, each with all before it.
const (
	bare = iota
	titled
	numbered
	labelled
)

func titleOf(c Chart) string {
	switch c := c.(type) {
	case *Heatmap:
		return c.Title
	case *Lines:
		return c.Title
	}
	return ""
}

// titlesFor are the titles of the panels, of which each has a width: what they have in
// common goes where they are too wide, so that of "head 117" the number is left. There
// are none where rows and columns have names.
func (s *tiling) titlesFor(width float64) map[Chart]string {
	p := s.p
	if p.tiny() || s.named() && !p.compact() {
		return nil
	}
	var charts []Chart
	var titles []string
	for _, c := range s.Charts {
		if title := p.fold(titleOf(c)); title != "" {
			charts, titles = append(charts, c), append(titles, title)
		}
	}
	if p.widest(titles, s.size) > width {
		for i, title := range apart(titles) {
			titles[i] = strings.Trim(title, "…")
		}
	}
	of := map[Chart]string{}
	for i, c := range charts {
		of[c] = titles[i]
	}
	return of
}

// widestTitle is the width of the widest of them.
func (s *tiling) widestTitle() (w float64) {
	for _, title := range s.titles {
		w = max(w, s.p.width(title, s.size))
	}
	return w
}

// frameFor is the frame of a chart: of all of them, or its own.
func (s *tiling) frameFor(l *Lines) frame {
	if s.Free {
		return frameOf(l)
	}
	return s.frame
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
		a = s.frameFor(c).axes(s.p, s.size, 0.85*width, 0.85*height)
		x, y = c.XLabel, c.YLabel
	default:
		return nil
	}
	if h, ok := c.(*Heatmap); s.corner || ok && s.endsApart(h, 0.85*width, 0.85*height) {
		s.ends(c, a, width, height)
	}
	a.xLabel, a.yLabel = "", ""
	if s.ownX && s.detail == labelled {
		a.xLabel, a.room = s.p.fold(x), width
	}
	if s.ownY && s.detail == labelled {
		a.yLabel = s.p.fold(y)
	}
	if s.p.strip(a); s.detail < numbered {
		a.bare()
	}
	return a
}

// endsApart tells whether the numbers of the first and the last cell stand apart from
// those of neighbours, of maps of a size whose gaps are an em at least.
func (s *tiling) endsApart(h *Heatmap, width, height float64) bool {
	first, last := endTicks(h.Cols, h.X0, h.XStep)[0], endTicks(h.Cols, h.X0, h.XStep)[1]
	cell := min(width/float64(h.Cols), height/float64(h.Rows))
	return s.apart([]tick{first, last}, s.size+cell)
}

// lonely tells that the maps as they are arranged have no place for two numbers at each
// of the outer ones.
func (s *tiling) lonely() bool {
	h := s.only()
	if h == nil || !s.outer() || s.detail < numbered {
		return false
	}
	w, ht := 0.85*(s.w+0.5*s.gapX), 0.85*s.h
	a := h.axes(s.p, s.size, w, ht)
	alone := h.XNames == nil && h.Cols > 1 && len(a.x.ticks) < 2 || h.YNames == nil && h.Rows > 1 && len(a.y.ticks) < 2
	return alone && !s.endsApart(h, w, ht)
}

// endTicks number the first and the last of n cells.
func endTicks(n, first, step int) []tick {
	return []tick{positions(1, first, 1, 1)[0], {float64(n - 1), positions(1, first+(n-1)*max(1, step), 1, 1)[0].label}}
}

// ends gives the axes of a panel the numbers at the ends of its map, where it has hardly
// any others: one alone is no scale. Of lines it leaves out what has no room.
func (s *tiling) ends(c Chart, a *axes, width, height float64) {
	h, ok := c.(*Heatmap)
	if !ok {
		if t := a.x.ticks; len(t) > 2 && !s.frame.roomFor(s.p, t, 0.8*width, s.size) {
			a.x.ticks = []tick{t[0], t[len(t)-1]}
		}
		if t := a.x.ticks; len(t) == 2 && !s.apart(t, 0.8*width*(t[1].at-t[0].at)/(a.x.hi-a.x.lo)) {
			a.x.ticks = nil
		}
		return
	}
	if h.XNames == nil && len(a.x.ticks) < 2 && h.Cols > 1 {
		if t := endTicks(h.Cols, h.X0, h.XStep); s.apart(t, 0.6*width) {
			a.x.ticks = t
		}
	}
	if h.YNames == nil && len(a.y.ticks) < 2 && h.Rows > 1 && height > 2.2*s.size {
		a.y.ticks = endTicks(h.Rows, h.Y0, h.YStep)
	}
}

// apart tells whether two numbers stand apart when their middles are a distance apart.
func (s *tiling) apart(t []tick, distance float64) bool {
	return distance > (s.p.numberWidth(t[0].label, s.size)+s.p.numberWidth(t[1].label, s.size))/2+0.4*s.size
}

// foot is the row of the lowest panel of the first column that has any.
func (s *tiling) foot() (row, col int) {
	for col := range s.Cols {
		for row := s.Rows - 1; row >= 0; row-- {
			if s.at(row, col) != nil {
				return row, col
			}
		}
	}
	return 0, 0
}

// at is the chart of a place; nil if it is empty.
func (s *tiling) at(row, col int) Chart {
	if i := row*s.Cols + col; row < s.Rows && i < len(s.Charts) {
		return s.Charts[i]
	}
	return nil
}

func (s *tiling) drawAll(all rect) {
	footRow, footCol := s.foot()
	for row := range s.Rows {
		for col := range s.Cols {
			c := s.at(row, col)
			a := s.axes(c, s.w+0.5*s.gapX, s.h)
			if a == nil {
				continue
			}
			if s.outer() {
				a.noY = col > 0 && s.at(row, col-1) != nil
				a.noX = s.at(row+1, col) != nil
			}
			if s.corner {
				a.noX = row != footRow || col != footCol
				a.noY = a.noX
			}
			x, y := s.p.snap(all.x0+float64(col)*(s.w+s.gapX)), s.p.snap(all.y0+float64(row)*(s.h+s.gapY))
			s.drawPanel(c, a, rect{x, y, x + s.w, y + s.h})
		}
	}
}

// drawPanel draws one chart in its place.
func (s *tiling) drawPanel(c Chart, a *axes, r rect) {
	p := s.p
	top, right := r.y0, r.x1
	switch c := c.(type) {
	case *Heatmap:
		w, h := c.fit(p, s.w, s.h)
		r.x0 = p.snap(r.x0 + (s.w-w)/2)
		r.y0 = p.snap(r.y0 + (s.h-h)/2)
		r.x1, r.y1 = r.x0+w, r.y0+h
		top = r.y0
		p.plotted(r)
		p.cells(r, c.grid(s.k))
		c.write(p, r, s.k, s.size)
		a.draw(p, r)
	case *Lines:
		cs := curves{c, s.frameFor(c), s.key.of(c), s.key.colours, s.zero, s.lanes, false}
		cs.draw(p, r, a)
		top -= s.zero + lanesRoom(s.lanes, s.size)
	}
	if s.headings > 0 {
		beyond := max(s.over, min(0.5*s.size, s.gapX/2))
		title := p.cut(s.titles[c], s.size, min(right+beyond, p.w-p.pad()/2)-r.x0)
		p.text(title, point{r.x0, top - 0.45*s.size}, 0, 1, s.size, false, p.ink)
	}
}
