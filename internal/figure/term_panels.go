package figure

// block draws the panels in rows of as many as fit, on their shared scales.
func (g *Panels) block(t Terminal) block {
	const gap, narrowest = 3, 22
	g = g.logged()
	maps, lines := g.sorted()
	var k *colours
	if len(maps) > 0 {
		k = scaleOf(t.Palette, t.shown(), maps...)
	}
	var f frame
	if len(lines) > 0 {
		f = frameOf(lines...)
	}
	var b block
	if g.Title != "" {
		b.add(t, g.Title)
	}
	perRow := max(1, min(g.Cols, (t.Width+gap)/(narrowest+gap)))
	small := t
	small.Width = min(t.Width, (t.Width+gap)/perRow-gap)
	height := max(minLines, t.Height/2) - 3
	for row := range g.Rows {
		from, to := row*g.Cols, min((row+1)*g.Cols, len(g.Charts))
		for ; from < to; from += perRow {
			var blocks []block
			for _, c := range g.Charts[from:min(to, from+perRow)] {
				var one, plot block
				switch c := c.(type) {
				case *Heatmap:
					one.add(small, c.Title)
					plot, _, _ = c.plot(small, k, height)
				case *Lines:
					one.add(small, c.Title)
					own := f
					if g.Free {
						own = frameOf(c)
					}
					plot, _ = c.plot(small, own, height)
				}
				if _, own := g.label(func(h *Heatmap) string { return h.XLabel }, func(l *Lines) string { return l.XLabel }); own && g.Free {
					plot.centred(small, xLabelOf(c), 0, small.Width)
				}
				blocks = append(blocks, append(one, plot...))
			}
			b = append(b, beside(levelled(blocks, g), small.Width, gap)...)
		}
	}
	x, y := g.sharedLabels()
	for _, s := range []string{x, y} {
		if s != "" {
			b.add(t, s)
		}
	}
	if k != nil {
		label := g.ColorLabel
		if label == "" {
			label = maps[0].ColorLabel
		}
		b = append(b, k.key(label, t)...)
	}
	if len(lines) > 0 {
		b = append(b, lines[0].key(t)...)
	}
	return b
}

// sharedLabels say what the axes of all panels are.
func (g *Panels) sharedLabels() (x, y string) {
	x, _ = g.label(func(h *Heatmap) string { return h.XLabel }, func(l *Lines) string { return l.XLabel })
	y, _ = g.label(func(h *Heatmap) string { return h.YLabel }, func(l *Lines) string { return l.YLabel })
	if x != "" {
		x = "across: " + x
	}
	if y != "" {
		y = "down: " + y
	}
	return x, y
}

// label is the one label that all panels have, if they do; else whether some
// panel has one of its own.
func (g *Panels) label(ofMap func(*Heatmap) string, ofLines func(*Lines) string) (label string, own bool) {
	var all []string
	maps, lines := g.sorted()
	for _, h := range maps {
		all = append(all, clean(ofMap(h)))
	}
	for _, l := range lines {
		all = append(all, clean(ofLines(l)))
	}
	for _, s := range all {
		if s != all[0] {
			return "", true
		}
	}
	return all[0], false
}
