package figure

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

// at is the chart of a place; nil if it is empty.
func (s *tiling) at(row, col int) Chart {
	if i := row*s.Cols + col; row < s.Rows && i < len(s.Charts) {
		return s.Charts[i]
	}
	return nil
}

func (s *tiling) drawAll(all rect) {
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
		cs := curves{c, s.frameFor(c), s.key.of(c), s.key.series(), s.zero, s.lanes, false}
		cs.draw(p, r, a)
		top -= s.zero + lanesRoom(s.lanes, s.size)
	}
	if s.headings > 0 {
		title := p.cut(titleOf(c), s.size, right-r.x0+min(0.5*s.size, s.gapX/2))
		p.text(title, point{r.x0, top - 0.45*s.size}, 0, 1, s.size, false, p.ink)
	}
}
