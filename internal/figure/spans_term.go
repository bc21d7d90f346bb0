package figure

import (
	"image/color"
	"slices"
)

// termLanes is how many rows of names stand above a drawing of text at most.
const termLanes = 3

// marked are the rows above a plot of some columns from left on: bars over what is
// marked, thick ones for what is strong, with the names in or beside them.
func (l *Lines) marked(t Terminal, f frame, left, cols int) block {
	x := scale{lo: f.x.lo, hi: f.x.hi}
	column := func(at float64) int { return max(0, min(cols-1, int(x.pos(at, 0, float64(cols))))) }
	rows, used := make(lanes, termLanes), 0
	b := make(block, termLanes)
	for _, m := range l.markings(f, 0) {
		bars := make([][2]int, len(m.parts)) // first and last column
		for i, part := range m.parts {
			bars[i] = [2]int{column(part.lo), column(part.hi)}
		}
		lane, at, name := rows.name(t, m.name, bars, cols)
		if lane < 0 {
			continue
		}
		used = max(used, lane+1)
		for _, bar := range bars {
			for i := bar[0]; i <= bar[1]; i++ {
				b.put(lane, left+i, m.sign(t, bar[0] == bar[1]), m.termInk())
			}
		}
		if len(bars) == 1 && at > bars[0][0] && at < bars[0][1] {
			name, at = " "+name+" ", at-1
		}
		b.put(lane, left+at, name, color.RGBA{})
	}
	rise := make(block, 0, used) // lane 0 is next to the plot
	for i := used - 1; i >= 0; i-- {
		rise = append(rise, b[i])
	}
	return rise
}

// name finds a lane for bars of a name in some columns, and where the name begins: in
// its only bar, or beside one, shortened where there is no room for all of it. lane is
// -1 where nothing has room.
func (l lanes) name(t Terminal, name string, bars [][2]int, cols int) (lane, at int, short string) {
	const least, gap = 6, 1.5
	name = t.narrow(name, cols)
	wide := textWidth(name)
	if wide == 0 {
		return -1, 0, ""
	}
	from, to := bars[0][0], bars[len(bars)-1][1]
	if len(bars) == 1 && to-from+1 >= wide+6 {
		return l.take(span{float64(from), float64(to), true}, gap), (from + to + 1 - wide) / 2, name
	}
	type room struct{ at, wide int }
	rooms := []room{{to + 2, cols - to - 2}, {-1, from - 1}}
	for i := range bars[1:] {
		rooms = append(rooms, room{bars[i][1] + 2, bars[i+1][0] - bars[i][1] - 3})
	}
	for _, fit := range []int{wide, min(wide, least)} {
		for _, r := range rooms {
			if r.wide < fit {
				continue
			}
			short := t.narrow(name, r.wide)
			at := r.at
			if at < 0 {
				at = from - 1 - textWidth(short)
			}
			whole := span{float64(min(from, at)), float64(max(to, at+textWidth(short)-1)), true}
			if lane := l.take(whole, gap); lane >= 0 {
				return lane, at, short
			}
		}
	}
	return -1, 0, ""
}

// sign is a column of a bar, or all of it where it has one only.
func (m *marking) sign(t Terminal, alone bool) string {
	one, many := "▽", "─"
	switch {
	case t.ASCII && m.strong:
		one, many = "V", "="
	case t.ASCII:
		one, many = "v", "-"
	case m.strong:
		one, many = "▼", "▄"
	}
	if alone {
		return one
	}
	return many
}

// termInk is the colour of a marking in a terminal; none for what is not strong.
func (m *marking) termInk() color.RGBA {
	if m.strong {
		return color.RGBA{0xe0, 0x6a, 0x1b, 0xff}
	}
	return color.RGBA{}
}

// levelled lets panels of a row end on one line where some have names above the plot
// and others none: the room is between title and plot.
func levelled(blocks []block, g *Panels) []block {
	_, lines := g.sorted()
	if !slices.ContainsFunc(lines, func(l *Lines) bool { return len(l.Spans) > 0 }) {
		return blocks
	}
	most := 0
	for _, b := range blocks {
		most = max(most, len(b))
	}
	for i, b := range blocks {
		if len(b) > 0 {
			blocks[i] = slices.Insert(b, 1, make(block, most-len(b))...)
		}
	}
	return blocks
}
