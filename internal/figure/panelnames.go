package figure

// panelNames is the names of the rows and columns of panels, which stand once: those of
// the rows left of the first panels, those of the columns above the topmost.
type panelNames struct {
	rows, cols     []string
	left, top      float64 // the room they take
	upRows, upCols bool    // they read from bottom to top
	wide, high     float64 // what a column's name takes across, and a row's down
}

// The shares of the room for all panels that names may take, at most.
const (
	rowNamesShare = 0.12 // of the width, before they are turned
	columnShare   = 0.85 // of a column's width, before they are turned
	mostRowShare  = 0.2  // of the width, where they are cut
	mostColShare  = 0.32 // of the height, where they are cut
	wideColShare  = 0.45 // of the height, where they would else be cut to the same
)

// named tells that the panels' rows and columns have names, which then stand in the
// place of titles of their own.
func (g *Panels) named() bool { return len(g.RowNames)+len(g.ColNames) > 0 }

// NameOf tells panel i from all others: the names of its row and its column, else its
// title, or that of the panels above it.
func (g *Panels) NameOf(i int) string {
	switch r, c := i/g.Cols, i%g.Cols; {
	case len(g.RowNames) > 0 && len(g.ColNames) > 0:
		return g.RowNames[r] + ", " + g.ColNames[c]
	case len(g.RowNames) > 0:
		return g.RowNames[r]
	case len(g.ColNames) > 0:
		return g.ColNames[c]
	}
	for ; i >= 0; i -= g.Cols {
		if c := g.Charts[i]; c != nil && titleOf(c) != "" {
			return titleOf(c)
		}
	}
	return ""
}

// namesFor arranges the names for panels that fill a room.
func (s *tiling) namesFor(room rect) panelNames {
	p, size := s.p, s.size
	n := panelNames{}
	if p.compact() {
		return n
	}
	wide, high := room.w()/float64(s.Cols), room.h()/float64(s.Rows)
	if names, widest := s.fitted(s.RowNames, mostRowShare*room.w()); names != nil {
		n.rows = names
		n.left, n.high = widest+0.7*size, 1.25*size
		if n.upRows = widest > rowNamesShare*room.w() && widest <= high; n.upRows {
			n.left, n.high = 1.5*size, widest+0.5*size
		}
	}
	names, widest := s.fitted(s.ColNames, max(wide, mostColShare*room.h()))
	if distinct(names) < distinct(s.ColNames) {
		names, widest = s.fitted(s.ColNames, max(wide, wideColShare*room.h()))
	}
	if names != nil {
		n.cols = names
		n.wide, n.top = widest+0.5*size, 1.5*size
		if n.upCols = n.wide > columnShare*wide; n.upCols {
			n.wide, n.top = 1.25*size, widest+0.7*size
		}
	}
	return n
}

// distinct is how many different names there are.
func distinct(names []string) int {
	seen := map[string]bool{}
	for _, s := range names {
		seen[s] = true
	}
	return len(seen)
}

// fitted is names cut to a width, by what they have in common first, and how wide they
// are; nil for no names.
func (s *tiling) fitted(names []string, width float64) (cut []string, widest float64) {
	p := s.p
	if p.widest(names, s.size) > width {
		names = apart(names)
	}
	for _, name := range names {
		cut = append(cut, p.cut(name, s.size, width))
	}
	return cut, p.widest(cut, s.size)
}

// draw writes the names around all the plots.
func (n *panelNames) draw(s *tiling, all rect) {
	p := s.p
	every := 1
	for float64(every)*(s.h+s.gapY) < n.high && every < len(n.rows) {
		every++
	}
	for i, name := range n.rows {
		if i%every != 0 {
			continue
		}
		mid := all.y0 + float64(i)*(s.h+s.gapY) + s.h/2
		right := all.x0 - s.l - 0.7*s.size
		if n.upRows {
			p.text(name, point{right - capHeight/2*s.size, mid}, 0.5, 0.5, s.size, true, p.ink)
		} else {
			p.text(name, point{right, mid}, 1, 0.5, s.size, false, p.ink)
		}
	}
	every = 1
	for float64(every)*(s.w+s.gapX) < n.wide && every < len(n.cols) {
		every++
	}
	for i, name := range n.cols {
		mid := all.x0 + float64(i)*(s.w+s.gapX) + s.w/2
		foot := all.y0 - s.t - 0.5*s.size
		switch {
		case i%every != 0:
		case n.upCols:
			p.text(name, point{mid, foot}, 0, 0.5, s.size, true, p.ink)
		default:
			p.text(name, point{mid, foot}, 0.5, 1, s.size, false, p.ink)
		}
	}
}
