package figure

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
	zero     float64 // room for what is said of the line at 0
	lanes    int     // rows for the names of spans
	headings float64 // room for a panel's title
	titles   map[Chart]string
	names    panelNames
	over     float64 // how far titles reach beyond the right edge of maps
	corner   bool    // numbers stand at the lowest panel of the first column only
	alone    bool    // or else each outer panel would have a single number
	gapX     float64 // between the plots of neighbours
	gapY     float64
	detail   int
}

func (g *Panels) draw(p *page) {
	if r := g.reflowed(p.w, p.kind); p.h/float64(r.Rows) > leastFree/2*leastType*p.kind { // on a low page they stay in a row
		g = r
	}
	g = g.logged()
	if most := 10 * p.kind; p.size > most { // a larger page is more panels, not larger ones
		p.size, p.weight = most, p.weight*most/p.size
	}
	maps, lines := g.sorted()
	s := &tiling{Panels: g, p: p, key: newLegend(p, lines)}
	if len(maps) > 0 {
		s.k = scaleOf(p.style.Palette, p.shown(), maps...)
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

	room := rect{left, top, p.w - right, p.h - bottom}
	s.size = s.typeSize(room)
	s.names = s.namesFor(room)
	room.x0, room.y0 = room.x0+s.names.left, room.y0+s.names.top
	all := s.arrange(room)
	p.weight *= max(0.5, min(1, s.size/p.size))
	s.drawAll(all)
	s.names.draw(s, all)
	barTop := all.y0
	lane := rect{x0: pad, x1: p.w - pad, y1: min(room.y1, all.y1+s.b)} // of the labels of the axes
	if bar != nil {
		barTop, lane.x1 = s.drawBar(bar, all, room, side)
	}
	above := min(all.y0-s.t-s.names.top-head, barTop-0.4*p.size)
	lane.y0 = max(room.y0, above)
	if s.x != "" {
		p.level(s.x, all, lane, all.y1+s.b+(labelRoom-capHeight)*p.size-descent*s.size, p.size)
	}
	if s.y != "" {
		p.upright(s.y, all, lane, all.x0-s.l-s.names.left-(labelRoom-capHeight/2)*p.size, p.size)
	}
	from := all
	from.x0 = max(pad, min(all.x0, p.w-pad-s.key.across()))
	s.key.draw(p, from, above)
	if title != "" {
		p.title(title, all.x0, above)
	}
}

// drawBar draws the colour bar right of all plots and the legend beside them. It gives
// its top, and where the label of x ends.
func (s *tiling) drawBar(bar *colorBar, all, room rect, side float64) (top, end float64) {
	p := s.p
	half := max(all.h(), min(12*p.size, room.h())) / 2
	mid := max(room.y0+half, min(room.y1-half, (all.y0+all.y1)/2))
	at := all.x1 + side
	if s.Free { // beside the last number
		at += s.r
	} else {
		at += max(0, s.over-barGap*p.size/2)
	}
	top, foot := mid-half, mid+half
	if bar.noted() {
		foot = min(foot, p.h-p.pad()/2-bar.noteRoom())
	}
	bar.draw(p, at, top, foot)
	if bar.noted() || foot > all.y1+s.b { // before what reaches down to it
		return top, at + barGap*p.size/2
	}
	return top, p.w - p.pad()
}

// alike finds out what the panels can share.
func (s *tiling) alike(maps []*Heatmap, lines []*Lines) {
	p := s.p
	s.shared = (len(maps) == 0 || len(lines) == 0) && !(s.Free && len(lines) > 0)
	for _, h := range maps {
		m := maps[0]
		s.shared = s.shared && h.Rows == m.Rows && h.Cols == m.Cols &&
			h.X0 == m.X0 && h.Y0 == m.Y0 && h.XStep == m.XStep && h.YStep == m.YStep
	}
	if p.compact() {
		return
	}
	s.x, s.ownX = s.label(func(h *Heatmap) string { return h.XLabel }, func(l *Lines) string { return l.XLabel })
	s.y, s.ownY = s.label(func(h *Heatmap) string { return h.YLabel }, func(l *Lines) string { return l.YLabel })
	s.x, s.y = p.fold(s.x), p.fold(s.y)
}

// arrange sets the size of the panels so that they fill the room, and gives
// the rectangle around all their plots. What would leave the plots too small is
// left out: labels of their own first, then numbers, then titles.
func (s *tiling) arrange(room rect) rect {
	p, rows, cols := s.p, float64(s.Rows), float64(s.Cols)
	for s.detail = labelled; ; s.detail-- {
		s.measure(room)
		w := max(0, room.w()-s.l-s.r-s.gapX*(cols-1)) / cols
		h := max(0, room.h()-s.t-s.b-s.gapY*(rows-1)) / rows
		if s.detail > bare && min(w, h) < s.needed()*s.size {
			continue
		}
		s.w, s.h = max(p.px, p.snap(w-p.px/2)), max(p.px, p.snap(h-p.px/2))
		if m := s.only(); m != nil { // no wider than the maps
			s.w, s.h = m.fit(p, w, h)
			if !s.corner && s.lonely() {
				s.alone, s.detail = true, labelled+1
				continue
			}
			s.widen(room)
		}
		break
	}
	w, h := cols*s.w+(cols-1)*s.gapX, rows*s.h+(rows-1)*s.gapY
	x := p.snap(room.x0 + s.l + max(0, room.w()-s.l-s.r-w)/2)
	y := p.snap(room.y0 + s.t + max(0, room.h()-s.t-s.b-h)/2)
	return rect{x, y, x + w, y + h}
}

// widen gives the titles of maps what room the maps leave between them, and beyond the
// last one.
func (s *tiling) widen(room rect) {
	if s.headings == 0 || !s.outer() { // numbers stand there
		return
	}
	cols := float64(s.Cols)
	left := func() float64 { return max(0, room.w()-s.l-s.r-s.w*cols-s.gapX*(cols-1)) }
	widest := s.widestTitle()
	s.gapX = s.p.snap(s.gapX + max(0, min(left()/cols, widest+0.5*s.size-s.w-s.gapX)))
	s.over = max(0, min(s.gapX-0.5*s.size, widest-s.w, left()))
	s.r = max(s.r, s.over)
}

// typeSize is the type size within panels that fill a room.
func (s *tiling) typeSize(room rect) float64 {
	p, small := s.p, float64(leastType)
	if s.shared {
		small *= s.p.kind
	}
	return max(min(small, p.size), min(0.85*p.size, min(room.w()/float64(s.Cols), 1.3*room.h()/float64(s.Rows))/11))
}

// needed is the shortest side of a plot, in ems, that what stands around it may leave:
// less where numbers stand once for all.
func (s *tiling) needed() float64 {
	const small = 2.2
	if s.detail == titled || s.outer() {
		return small
	}
	return least
}

// crowded tells that panels of a room are too small for numbers at each of the outer
// ones to stand apart.
func (s *tiling) crowded(room rect) bool {
	return room.w()/float64(s.Cols) < 7.5*s.size || room.h()/float64(s.Rows) < 5*s.size
}

// only is a heat map whose shape all panels have, if they do.
func (s *tiling) only() *Heatmap {
	if maps, lines := s.sorted(); s.shared && len(lines) == 0 {
		return maps[0]
	}
	return nil
}

// measure sets the margins of a panel and the gaps for the detail of s.
func (s *tiling) measure(room rect) {
	p, rows, cols := s.p, float64(s.Rows), float64(s.Cols)
	s.l, s.t, s.r, s.b, s.zero, s.headings, s.lanes, s.over = 0, 0, 0, 0, 0, 0, 0, 0
	if s.detail == bare {
		s.gapX, s.gapY = p.snap(0.1*room.w()/cols), p.snap(0.1*room.h()/rows)
		return
	}
	s.corner = s.outer() && (s.alone || s.crowded(room))
	for _, c := range s.Charts {
		a := s.axes(c, room.w()/cols, room.h()/rows)
		if a == nil {
			continue
		}
		l, t, r, b := a.margins(p)
		s.l, s.t, s.r, s.b = max(s.l, l), max(s.t, t), max(s.r, r), max(s.b, b)
	}
	if s.titles = s.titlesFor(room.w() / cols); len(s.titles) > 0 {
		s.headings = 1.5 * s.size
	}
	for _, c := range s.Charts {
		if c, ok := c.(*Lines); ok {
			cs := curves{Lines: c, frame: s.frameFor(c)}
			width := room.w()/cols - s.l - s.r
			s.zero = max(s.zero, cs.zeroRoom(s.size, width))
			s.lanes = max(s.lanes, cs.lanesFor(p, s.size, width))
		}
	}
	s.t = max(s.t, s.zero+lanesRoom(s.lanes, s.size)+s.headings)
	switch {
	case s.corner: // small, with all the room for the plots
		s.gapX, s.gapY = p.snap(0.7*s.size), p.snap(0.5*s.size+s.zero+lanesRoom(s.lanes, s.size)+s.headings)
	case s.outer(): // numbers take room once
		s.gapX, s.gapY = p.snap(max(s.size, 0.6*s.r)), p.snap(0.8*s.size+s.t)
	default:
		s.gapX, s.gapY = p.snap(s.l+s.r+s.size), p.snap(s.t+s.b+0.6*s.size)
	}
}

// outer tells that only the outer panels have numbers.
func (s *tiling) outer() bool { return s.shared && !s.ownX && !s.ownY }
