package figure

import (
	"math"
	"strings"
)

// tilesLayout is where the parts of Tiles stand on a page.
type tilesLayout struct {
	size          float64 // of type
	title         string  //
	bar           *colorBar
	caption       []string // lines above the tiles
	heading       []string // above the map beside
	room          rect     // of the tiles' plot, at most
	beside        rect     // of the plot beside, at most
	tiles, second *axes    // for about these sizes
	below         bool     // the map stands below the tiles
}

// layOut shares the page among title, tiles, map and colour bar.
func (t *Tiles) layOut(p *page, k *colours) *tilesLayout {
	l := &tilesLayout{size: p.size, title: p.titleOf(t.Title)}
	if t.Beside != nil {
		if most := 10 * p.kind; p.size > most { // a larger page is two panels, not larger ones
			p.weight *= most / p.size
			p.size, l.size = most, most
		}
		l.below = p.h > p.w
	}
	pad := p.pad()
	l.bar = newColorBar(p, k, t.ColorLabel, 0.6*p.h)
	all := rect{pad, pad, p.w - pad - l.bar.width(p), p.h - pad}
	if l.title != "" {
		all.y0 += p.titleRoom()
	}
	first, second := all, all
	if t.Beside != nil {
		if gap := 1.6 * l.size; l.below {
			first.y1 = all.y0 + 0.55*(all.h()-gap)
			second.y0 = first.y1 + gap
		} else {
			first.x1 = all.x0 + 0.52*(all.w()-gap)
			second.x0 = first.x1 + gap
		}
		l.second = t.Beside.axes(p, l.size, 0.8*second.w(), 0.8*second.h())
		l.heading = fewLines(p, t.Beside.Title, l.size, l.inner(p, l.second, second, 1).w())
		l.beside = l.inner(p, l.second, second, len(l.heading))
	}
	l.tiles = t.axes(p, l.size, 0.8*first.w(), 0.8*first.h(), tilePixels{})
	l.caption = fewLines(p, t.Caption, l.size, l.inner(p, l.tiles, first, 1).w())
	l.room = l.inner(p, l.tiles, first, len(l.caption))
	if t.Beside != nil && l.below { // plots begin at one edge
		left := max(l.room.x0, l.beside.x0)
		l.room.x0, l.beside.x0 = left, left
	} else if t.Beside != nil {
		top := max(l.room.y0, l.beside.y0)
		l.room.y0, l.beside.y0 = top, top
	}
	return l
}

// lineRoom is the height of a line above a plot, in ems.
const lineRoom = 1.35

// inner is what axes and lines above leave of a room; where that is too little, the
// axes are left out.
func (l *tilesLayout) inner(p *page, a *axes, room rect, lines int) rect {
	a.from, a.to = room.x0, room.x1
	for bared := false; ; bared = true {
		p.strip(a)
		left, top, right, bottom := a.margins(p)
		bottom = max(bottom, l.bar.noteRoom())
		r := rect{room.x0 + left, room.y0 + top, room.x1 - right, room.y1 - bottom}
		if !p.compact() {
			r.y0 = room.y0 + max(top, (lineRoom*float64(lines)+0.4)*l.size)
		}
		if bared || min(r.w(), r.h()) >= least*l.size {
			r.x1, r.y1 = max(r.x1, r.x0+1), max(r.y1, r.y0+1)
			return r
		}
		a.bare()
	}
}

// fewLines sets a sentence in one line of a width, else in two that are about as long as
// each other, else in three; what is longer is shortened to two.
func fewLines(p *page, s string, size, width float64) []string {
	s = p.fold(s)
	if s == "" || p.compact() || p.width(s, size) <= width {
		return []string{s}
	}
	words := strings.Fields(s)
	var best []string
	least := math.Inf(1)
	for n := range words {
		lines := []string{strings.Join(words[:n+1], " "), strings.Join(words[n+1:], " ")}
		if longest := p.widest(lines, size); longest < least {
			best, least = lines, longest
		}
	}
	if least > width {
		if lines := filled(p, words, size, width); len(lines) == 3 && p.widest(lines, size) <= width {
			return lines
		}
	}
	return []string{p.cut(best[0], size, width), p.cut(best[1], size, width)}
}

// filled sets words in lines of a width; a word that is longer has its own.
func filled(p *page, words []string, size, width float64) []string {
	var lines []string
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && p.width(lines[last]+" "+word, size) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// tilePixels is the size of the tiles in units, which are pixels where the page has
// them.
type tilePixels struct {
	unit float64 // points
	w, h int     // of a tile
	gap  int     // between two
}

// whole is the extent of n tiles of a side with the gaps between them.
func (x tilePixels) whole(n, side int) int { return n*side + (n-1)*x.gap }

// vectorUnit is a unit where the page has no pixels, a little below a 300th of an
// inch, which is what a picture has at least.
const vectorUnit = 0.2399

// pixels is the size of the tiles within a room: square cells unless that would make
// a thread of them, and whole units a cell unless that would waste the room.
func (t *Tiles) pixels(p *page, room rect) tilePixels {
	const thread, waste = 4, 0.75
	x := tilePixels{unit: p.px, gap: 1}
	if p.px == 0 {
		x.unit = vectorUnit
	}
	wide, high := int(room.w()/x.unit+1e-9), int(room.h()/x.unit+1e-9)
	across, down := len(t.TileCols), len(t.TileRows)
	cell := func() (cw, ch float64) {
		cw = float64(wide-(across-1)*x.gap) / float64(across*t.Cols)
		ch = float64(high-(down-1)*x.gap) / float64(down*t.Rows)
		if across*t.Cols <= thread*down*t.Rows && down*t.Rows <= thread*across*t.Cols {
			cw = min(cw, ch)
			ch = cw
		}
		return cw, ch
	}
	cw, ch := cell()
	if points := min(cw*float64(t.Cols), ch*float64(t.Rows)) * x.unit; points > 18 { // large tiles stand farther apart
		x.gap = max(1, int(math.Round(1.2*p.weight/x.unit)))
		if w, h := cell(); min(w, h) >= 1 || min(cw, ch) < 1 {
			cw, ch = w, h
		} else { // at the cost of cells that have a pixel each
			x.gap = 1
		}
	}
	side := func(cell float64, n int) int {
		if q := math.Floor(cell + 1e-9); q >= 1 && q >= waste*cell {
			return int(q) * n
		}
		return max(1, int(cell*float64(n)+1e-9))
	}
	x.w, x.h = side(cw, t.Cols), side(ch, t.Rows)
	if x.whole(across, x.w) > wide || x.whole(down, x.h) > high { // not a unit for each tile and gap
		x.gap = 0
		x.w, x.h = max(1, min(x.w, wide/across)), max(1, min(x.h, high/down))
		x.unit *= min(1, float64(wide)/float64(across*x.w), float64(high)/float64(down*x.h))
	}
	return x
}

// axes are the tiles' axes for about a size in points; x may be zero.
func (t *Tiles) axes(p *page, size, width, height float64, x tilePixels) *axes {
	if x == (tilePixels{}) {
		x.w, x.h = 1, 1
	}
	a := &axes{xLabel: p.fold(t.XLabel), yLabel: p.fold(t.YLabel), size: size}
	a.x = tileScale(t.TileCols, x.w, x.gap)
	widest := p.widest(labels(a.x.ticks), size)
	across, down := min(few(len(t.TileCols)), int(width/(widest+1.2*size))), min(few(len(t.TileRows)), int(height/(2*size)))
	if len(t.TileRows) == len(t.TileCols) {
		across, down = min(across, down), min(across, down)
	}
	a.x.ticks = numberedTiles(t.TileCols, max(1, across))
	a.y = tileScale(t.TileRows, x.h, x.gap)
	a.y.lo, a.y.hi = a.y.hi, a.y.lo
	a.y.ticks = numberedTiles(t.TileRows, max(1, down))
	return a
}

// tileScale places tile i at i, all of them numbered.
func tileScale(at []int, side, gap int) scale {
	pitch := float64(side + gap)
	lo := -float64(side) / 2 / pitch
	return scale{lo: lo, hi: lo + float64(len(at)*side+(len(at)-1)*gap)/pitch, ticks: numberedTiles(at, len(at))}
}

// numbered gives at most most of some tiles as ticks.
func numberedTiles(at []int, most int) []tick {
	step := 1
	if len(at) > 1 {
		step = at[1] - at[0]
	}
	return positions(len(at), at[0], step, most)
}
