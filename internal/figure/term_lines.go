package figure

import (
	"fmt"
	"image/color"
	"math"
)

// fewSeries is how many series have colours, or letters, of their own.
const fewSeries = 8

// termSeries gives every series its colour: near to those of Okabe and Ito
// (2008) for a few, moved so that they show on light and on dark ground; steps
// of a sequential palette for many.
func termSeries(n int, paletteName string) []color.RGBA {
	if n <= fewSeries {
		few := [fewSeries]color.RGBA{
			{0x3c, 0x9c, 0xd8, 0xff}, {0xe0, 0x6a, 0x1b, 0xff}, {0x10, 0xa8, 0x7c, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
			{0xd8, 0x95, 0x00, 0xff}, {0x7a, 0x6c, 0xe0, 0xff}, {0x8c, 0x8c, 0x8c, 0xff}, {0xa8, 0x82, 0x3f, 0xff},
		}
		return few[:n]
	}
	pal := palette(paletteName, false)
	colors := make([]color.RGBA, n)
	for i := range colors {
		at := 0.25 + 0.6*float64(i)/float64(n-1)
		colors[i] = pal[int(at*float64(len(pal)-1)+0.5)]
	}
	return colors
}

func (l *Lines) block(t Terminal) block {
	l = l.logged()
	var b block
	if l.Title != "" {
		b.add(t, l.Title)
	}
	if l.YLabel != "" {
		b.add(t, l.YLabel)
	}
	plot, left := l.plot(t, frameOf(l), min(16, t.Height-6))
	b = append(b, plot...)
	if l.XLabel != "" {
		b.centred(t, l.XLabel, left, t.Width)
	}
	return append(b, l.key(t)...)
}

// mark is the letter of series i where colour does not tell it: at its end, or in
// ASCII all along it; 0 for none.
func (l *Lines) mark(i int, t Terminal) rune {
	if t.Color != "none" && !t.ASCII || len(l.Series) < 2 || len(l.Series) > fewSeries {
		return 0
	}
	return rune('a' + i)
}

// plot is the lines within their axes: from which column on.
func (l *Lines) plot(t Terminal, f frame, lines int) (b block, left int) {
	lines = max(lines, 3)
	down := f.y.ticksOn(f.yLog, max(2, lines/3), false)
	for _, tk := range down {
		left = max(left, textWidth(tk.label))
	}
	left += 2
	right := 0
	if l.mark(0, t) != 0 && !t.ASCII {
		right = 2
	}
	cols := max(4, t.Width-left-right)
	b = make(block, lines)
	pen := t.pen()
	for i := range b {
		b.put(i, left-1, pen.down, color.RGBA{})
	}
	axis := scale{lo: f.y.lo, hi: f.y.hi}
	for _, tk := range down {
		s := hyphened(tk.label)
		line := max(0, min(lines-1, int(axis.pos(tk.at, float64(lines), 0))))
		b.put(line, left-2-len(s), s+" "+pen.downTick, color.RGBA{})
	}
	across := scale{lo: f.x.lo, hi: f.x.hi}
	zero := -1
	if l.MarkZero && f.x.lo < 0 && f.x.hi > 0 {
		zero = left + min(cols-1, int(across.pos(0, 0, float64(cols))))
		for i := range b {
			b.put(i, zero, pen.down, color.RGBA{})
		}
	}
	l.dots(b, f, left, cols, t)

	b = append(b, nil, nil)
	b.put(lines, left-1, pen.corner, color.RGBA{})
	for i := range cols {
		b.put(lines, left+i, pen.across, color.RGBA{})
	}
	end := 0
	for _, tk := range l.numbers(f, cols) {
		s := hyphened(tk.label)
		at := left + min(cols-1, int(across.pos(tk.at, 0, float64(cols))))
		from := min(at-(len(s)-1)/2, t.Width-len(s))
		if from < end {
			continue
		}
		b.put(lines, at, pen.acrossTick, color.RGBA{})
		b.put(lines+1, from, s, color.RGBA{})
		end = from + len(s) + 1
	}
	back, ahead := l.sides()
	back, ahead = t.text(back), t.text(ahead)
	if zero > 0 && zero-1-textWidth(back) >= 0 && zero+2+textWidth(ahead) <= t.Width {
		b = append(b, nil)
		b.put(lines+2, zero-1-textWidth(back), back, color.RGBA{})
		b.put(lines+2, zero+2, ahead, color.RGBA{})
	}
	return append(l.marked(t, f, left, cols), b...), left
}

// numbers are the ticks of the x axis that cols columns have room for.
func (l *Lines) numbers(f frame, cols int) []tick {
	for n := 9; ; n-- {
		ticks := f.xTicks(n)
		longest := 0
		for _, tk := range ticks {
			longest = max(longest, len(hyphened(tk.label)))
		}
		if n <= 2 || len(ticks)*(longest+2) <= cols {
			return ticks
		}
	}
}

// dots draws the series in dots, or in ASCII several of them in letters.
func (l *Lines) dots(b block, f frame, left, cols int, t Terminal) {
	lines := len(b)
	marks := make([]rune, len(l.Series))
	for i := range marks {
		marks[i] = l.mark(i, t)
	}
	across, down := t.dots()
	lettered := t.ASCII && l.mark(0, t) != 0
	if lettered {
		across, down = 1, 1
	}
	of := lettering{}
	area := rect{0, 0, float64(across * cols), float64(down * lines)}
	x, y := scale{lo: f.x.lo, hi: f.x.hi}, scale{lo: f.y.lo, hi: f.y.hi}
	place := func(px, py float64) point {
		px = max(x.lo, min(x.hi, f.scale.place(px)))
		return point{x.pos(px, area.x0, area.x1), y.pos(y.near(py), area.y1, area.y0)}
	}
	colors := termSeries(len(l.Series), t.Palette)
	for i := range l.Series {
		dot := func(q point) {
			dx, dy := min(across*cols-1, int(q.x)), min(down*lines-1, int(q.y))
			col, line := left+dx/across, dy/down
			if lettered {
				of[[2]int{line, col}] |= 1 << i
				return
			}
			t.dot(b.at(line, col), dx%across, dy%down, colors[i])
		}
		s := &l.Series[i]
		last := point{-1, -1}
		for _, run := range s.runs(s.defined) {
			pts := s.trace(run, s.Y, place)
			if len(pts) == 1 && inside(pts[0], area) {
				dot(pts[0])
				last = pts[0]
			}
			for _, part := range clip(pts, area) {
				for j := 1; j < len(part); j++ {
					walk(part[j-1], part[j], dot)
				}
				last = part[len(part)-1]
			}
		}
		if marks[i] != 0 && !lettered && last.x >= 0 {
			l.label(b, left+cols+1, min(lines-1, int(last.y)/down), marks[i])
		}
	}
	of.put(b, marks, colors)
}

// label puts a letter at the end of a line, or as near as there is room.
func (l *Lines) label(b block, col, line int, r rune) {
	for d := range 2 * len(b) {
		at := line + (d+1)/2*(1-2*(d%2))
		if at >= 0 && at < len(b) && len(b[at]) <= col {
			b.put(at, col, string(r), color.RGBA{})
			return
		}
	}
}

// walk visits the dots between two points.
func walk(a, b point, dot func(point)) {
	n := int(math.Ceil(max(math.Abs(b.x-a.x), math.Abs(b.y-a.y))))
	for i := 0; i <= n; i++ {
		s := float64(i) / float64(max(n, 1))
		dot(point{a.x + s*(b.x-a.x), a.y + s*(b.y-a.y)})
	}
}

// key names the series: in their colours, by letters, or by the first and the
// last of many.
func (l *Lines) key(t Terminal) block {
	colors := termSeries(len(l.Series), t.Palette)
	var b block
	if n := len(l.Series); n > fewSeries {
		first, last := t.text(l.Series[0].Name), t.text(l.Series[n-1].Name)
		if first == "" || last == "" {
			return nil
		}
		const strip = 20
		if t.Color == "none" {
			b.add(t, fmt.Sprintf("%d lines, %s … %s", n, first, last))
			return b
		}
		b = words(t.narrow(first, (t.Width-strip)/2) + " ")
		for i := range strip {
			b[0] = append(b[0], cell{r: ' ', bg: colors[i*n/strip]})
		}
		b.put(0, len(b[0])+1, t.narrow(last, (t.Width-strip)/2-2), color.RGBA{})
		return b
	}
	for i, s := range l.Series {
		if s.Name == "" {
			continue
		}
		name, sign := t.narrow(s.Name, t.Width-3), "━━"
		switch r := l.mark(i, t); {
		case r != 0:
			sign = string(r)
		case t.ASCII:
			sign = "--"
		case t.Color == "none":
			sign = "─"
		}
		at := 0
		if n := len(b); n > 0 {
			at = len(b[n-1]) + 3
		}
		if len(b) == 0 || at+textWidth(sign)+1+textWidth(name) > t.Width {
			b, at = append(b, nil), 0
		}
		b.put(len(b)-1, at, sign, colors[i])
		b.put(len(b)-1, at+textWidth(sign)+1, name, color.RGBA{})
	}
	return b
}
