package figure

func (t *Tiles) draw(p *page) {
	k := t.scale(p.style.Palette, p.shown())
	l := t.layOut(p, k)
	x := t.pixels(p, l.room)
	w, h := float64(x.whole(len(t.TileCols), x.w))*x.unit, float64(x.whole(len(t.TileRows), x.h))*x.unit
	sw, sh := 0.0, 0.0
	if t.Beside != nil {
		if l.below { // what the tiles leave is the map's
			l.beside.y0 -= max(0, l.room.h()-h)
		}
		sw, sh = t.Beside.fit(p, l.beside.w(), l.beside.h())
		if !l.below {
			sw, sh = t.Beside.level(p, sw, sh, h, l.beside)
		}
	}
	if !l.below { // what is left over stands above and below alike
		spare := max(0, l.room.h()-h)
		if t.Beside != nil {
			spare = min(spare, max(0, l.beside.h()-sh))
		}
		l.room.y0, l.beside.y0 = l.room.y0+spare/2, l.beside.y0+spare/2
	}
	r, second := l.placed(p, l.room, w, h, l.caption), l.placed(p, l.beside, sw, sh, l.heading)

	t.paint(p, r, x, k)
	a := t.axes(p, l.size, w, h, x)
	a.from, a.to = l.tiles.from, l.tiles.to
	if len(l.tiles.x.ticks) == 0 {
		a.bare()
	}
	p.strip(a)
	a.draw(p, r)
	p.headings(l.caption, r, l.size)
	top, bottom, right := r.y0, r.y1, r.x1
	if t.Beside != nil {
		p.plotted(second)
		p.cells(second, t.Beside.grid(k))
		l.second.draw(p, second)
		p.headings(l.heading, second, l.size)
		top, bottom, right = min(top, second.y0), max(bottom, second.y1), max(right, second.x1)
	}
	if tall := 12 * l.size; bottom-top < tall {
		bottom = min(top+tall, max(l.room.y1, l.beside.y1))
	}
	if reach := l.wordsReach(p, right); l.below || bottom > max(r.y1, second.y1) || l.bar.noted() { // the bar stands beside words too
		right = max(right, reach)
	}
	l.bar.draw(p, right, top, bottom)
	if l.title != "" {
		above := top - 0.4*l.size
		if !p.compact() {
			above = top - (lineRoom*float64(len(l.caption))+0.4)*l.size
		}
		p.title(l.title, r.x0, above)
	}
}

// level is the size of a map beside a plot of a height: as high, so that they end at one
// line, where that is near its own height of whole pixels a cell, it has the room, and
// cells that differ by a pixel look alike all the same.
func (h *Heatmap) level(p *page, width, height, beside float64, room rect) (w, ht float64) {
	const near, alike = 1.25, 6 // pixels a cell
	scale := beside / height
	w = p.snap(width * scale)
	if scale > near || scale < 1/near || w > room.w() || beside > room.h() || beside < alike*p.px*float64(h.Rows) {
		return width, height
	}
	return w, beside
}

// wordsReach is how far right the heading and the labels below plots that end at right
// may reach: to the end of their room where they are longer than the plots are wide.
func (l *tilesLayout) wordsReach(p *page, right float64) float64 {
	reach := right
	for _, a := range []*axes{l.tiles, l.second} {
		if a != nil && p.width(a.xLabel, l.size) > right-max(l.room.x0, l.beside.x0) {
			reach = max(reach, a.to)
		}
	}
	if l.second != nil && p.widest(l.heading, l.size) > right-l.beside.x0 {
		reach = max(reach, l.beside.x1)
	}
	return reach
}

// placed is a plot of a size at the top of a room, in its middle across unless another
// stands below it, or the lines above it, which begin where it does, need the room.
func (l *tilesLayout) placed(p *page, room rect, w, h float64, lines []string) rect {
	widest := w
	if !p.compact() {
		widest = max(w, p.widest(lines, l.size))
	}
	spare := max(0, min(room.w()-w, 2*(room.w()-widest))) / 2
	if l.below {
		spare = 0
	}
	r := rect{p.snap(room.x0 + spare), p.snap(room.y0), 0, 0}
	r.x1, r.y1 = r.x0+w, r.y0+h
	return r
}

// headings writes lines above a plot, the last one next to it.
func (p *page) headings(lines []string, r rect, size float64) {
	if p.compact() {
		return
	}
	for i, s := range lines {
		y := r.y0 - 0.55*size - lineRoom*size*float64(len(lines)-1-i)
		p.text(s, point{r.x0, y}, 0, 1, size, false, p.soft)
	}
}

// paint paints all tiles as one image, and the gaps between them over it.
func (t *Tiles) paint(p *page, r rect, x tilePixels, k *colours) {
	across, down := len(t.TileCols), len(t.TileRows)
	r = rect{r.x0, r.y0, max(r.x1, r.x0+p.px), max(r.y1, r.y0+p.px)}
	p.cells(r, &grid{x.whole(down, x.h), x.whole(across, x.w), t.units(x), k})
	if x.gap == 0 {
		return
	}
	for i := 1; i < down; i++ {
		y := r.y0 + float64(i*(x.h+x.gap)-x.gap)*x.unit
		p.fill(rect{r.x0, p.snap(y), r.x1, p.snap(y + float64(x.gap)*x.unit)}, p.ground)
	}
	for j := 1; j < across; j++ {
		at := r.x0 + float64(j*(x.w+x.gap)-x.gap)*x.unit
		p.fill(rect{p.snap(at), r.y0, p.snap(at + float64(x.gap)*x.unit), r.y1}, p.ground)
	}
}

// units gives the values of the image that the tiles are painted as, a number a unit:
// that of the cell there, or the mean of its cells where a unit has several. A gap has
// the value of the tile before it.
func (t *Tiles) units(x tilePixels) func(rows, cols []int) []float64 {
	rowEdges, ys := edges(t.Rows, x.h)
	colEdges, xs := edges(t.Cols, x.w)
	tiles := make([][]float64, len(t.TileRows)*len(t.TileCols))
	for n := range tiles {
		i, j := n/len(t.TileCols), n%len(t.TileCols)
		tiles[n] = means(func(r, c int) float64 { return t.At(i, j, r, c) })(rowEdges, colEdges)
	}
	wide := len(colEdges) - 1
	return means(func(row, col int) float64 {
		i, y := row/(x.h+x.gap), min(row%(x.h+x.gap), x.h-1)
		j, at := col/(x.w+x.gap), min(col%(x.w+x.gap), x.w-1)
		return tiles[i*len(t.TileCols)+j][ys[y]*wide+xs[at]]
	})
}
