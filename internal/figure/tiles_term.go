package figure

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
)

// block draws as many tiles as a terminal has room for, and below them the map.
func (t *Tiles) block(term Terminal) block {
	k := t.scale(term.Palette, term.shown())
	var b block
	if t.Title != "" {
		b.add(term, t.Title)
	}
	some, x := t.fitTerminal(term)
	if t.Caption != "" {
		b.add(term, t.Caption)
	}
	if n, all := len(some.TileRows)*len(some.TileCols), t.Rows*t.Cols; n < all {
		b.add(term, fmt.Sprintf("%d of %d tiles", n, all))
	}
	b = append(b, some.terminal(term, x, k)...)
	b.axes(term, t.XLabel, t.YLabel)
	if t.Beside != nil {
		b = append(b, nil)
		b.add(term, t.Beside.Title)
		plot, _, _ := t.Beside.plot(term, k, max(minLines, term.Height/2))
		b = append(b, plot...)
		b.axes(term, t.Beside.XLabel, t.Beside.YLabel)
	}
	return append(b, k.key(t.ColorLabel, term)...)
}

// axes says what runs across and what runs down, a line each.
func (b *block) axes(t Terminal, across, down string) {
	for _, label := range []struct{ of, text string }{{"across: ", across}, {"down: ", down}} {
		if label.text != "" {
			b.add(t, label.of+label.text)
		}
	}
}

// fitTerminal takes so few of the tiles that they fit, with the pixels of each: half a
// line high and a column wide, or where a letter shows one a line and two columns.
func (t *Tiles) fitTerminal(term Terminal) (*Tiles, tilePixels) {
	wide, high := term.Width-t.numbersWidth(), 2*(term.Height-4)
	if !term.halves() {
		wide, high = wide/2, high/2
	}
	some := *t
	pick := func(at []int, n, pixels int) []int {
		step := 1
		for m := len(at); m > 1 && m*(n+1)-1 > pixels; m = (len(at)-1)/step + 1 {
			step++
		}
		return EveryTile(len(at), step)
	}
	rows, cols := pick(t.TileRows, t.Rows, high), pick(t.TileCols, t.Cols, wide)
	some.TileRows, some.TileCols = those(t.TileRows, rows), those(t.TileCols, cols)
	some.At = func(i, j, r, c int) float64 { return t.At(rows[i], cols[j], r, c) }
	scale := math.Min(float64(wide-len(cols)+1)/float64(len(cols)*t.Cols), float64(high-len(rows)+1)/float64(len(rows)*t.Rows))
	if scale >= 1 {
		scale = math.Min(math.Floor(scale), 3) // larger ones say no more
	}
	return &some, tilePixels{w: max(1, int(scale*float64(t.Cols))), h: max(1, int(scale*float64(t.Rows))), gap: 1}
}

// those are some items of a list.
func those(list, which []int) []int {
	some := make([]int, len(which))
	for i, k := range which {
		some[i] = list[k]
	}
	return some
}

// numbersWidth is what the numbers of the rows take.
func (t *Tiles) numbersWidth() int { return len(strconv.Itoa(t.TileRows[len(t.TileRows)-1])) + 1 }

// terminal draws tiles of a size with the numbers of their rows and columns.
func (t *Tiles) terminal(term Terminal, x tilePixels, k *colours) block {
	left := t.numbersWidth()
	across, down := x.whole(len(t.TileCols), x.w), x.whole(len(t.TileRows), x.h)
	values := t.units(x)(EveryTile(down+1, 1), EveryTile(across+1, 1))
	pixel := func(y, c int) (v float64, gap bool) {
		if y >= down || y%(x.h+1) == x.h || c%(x.w+1) == x.w {
			return 0, true
		}
		return values[y*across+c], false
	}
	perLine, perPixel := 2, 1
	if !term.halves() {
		perLine, perPixel = 1, 2
	}
	var b block
	for y := 0; y < down; y += perLine {
		b = append(b, nil)
		line := len(b) - 1
		b.put(line, 0, fmt.Sprintf("%*s", left, ""), color.RGBA{})
		if i := (y + perLine - 1) / (x.h + 1); i*(x.h+1) >= y && i < len(t.TileRows) { // its first line
			number := strconv.Itoa(t.TileRows[i])
			b.put(line, left-1-len(number), number, color.RGBA{})
		}
		for c := range across {
			b[line] = append(b[line], term.tileCells(k, y, c, pixel)...)
		}
	}
	b = append(b, nil)
	end := 0
	for j, col := range t.TileCols {
		number := strconv.Itoa(col)
		at := left + perPixel*(j*(x.w+1)+x.w/2) - (len(number)-1)/2
		if at >= end && at+len(number) <= term.Width {
			b.put(len(b)-1, at, number, color.RGBA{})
			end = at + len(number) + 1
		}
	}
	return b
}

// tileCells are the columns of a line that show a pixel, or in one column also the one
// below it.
func (t Terminal) tileCells(k *colours, y, c int, pixel func(y, c int) (float64, bool)) []cell {
	v, gap := pixel(y, c)
	if !t.halves() {
		one := cell{r: ' '}
		if !gap {
			one = k.cell(t, v)
		}
		return []cell{one, one}
	}
	below, gapBelow := pixel(y+1, c)
	switch {
	case gap && gapBelow:
		return []cell{{r: ' '}}
	case gap:
		return []cell{{r: '▄', fg: k.of(below)}}
	case gapBelow:
		return []cell{{r: '▀', fg: k.of(v)}}
	}
	return []cell{{r: '▀', fg: k.of(v), bg: k.of(below)}}
}
