package figure

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// ramp is the letters of a heat map without colour, low to high.
const ramp = " .:-=+*#%@"

// noValue is the letter of an undefined cell.
const noValue = '?'

func (h *Heatmap) block(t Terminal) block {
	k := scaleOf(t.Palette, t.shown(), h)
	var b block
	if h.Title != "" {
		b.add(t, h.Title)
	}
	if h.YLabel != "" {
		b.add(t, h.YLabel)
	}
	plot, left, cols := h.plot(t, k, t.Height-6)
	b = append(b, plot...)
	if h.XLabel != "" {
		b.centred(t, h.XLabel, left, left+cols)
	}
	return append(b, k.key(h.ColorLabel, t)...)
}

// plot is the map with its numbers: from which column on, and how many wide.
func (h *Heatmap) plot(t Terminal, k *colours, lines int) (b block, left, cols int) {
	left = min(h.longest(t, h.YNames, h.Rows, h.Y0, h.YStep), max(4, t.Width/4)) + 1
	wide, high := t.Width-left, 2*lines // pixels
	perLine := 2
	if !t.halves() {
		wide, high, perLine = wide/2, lines, 1
	}
	w, ht := h.pixels(max(wide, 1), max(high, 1))
	v := h.grid(k).view(w, ht)

	for y := 0; y < ht; y += perLine {
		line := make([]cell, left)
		for i := range line {
			line[i].r = ' '
		}
		for x := range w {
			if !t.halves() {
				c := k.cell(t, v.at(x, y))
				line = append(line, c, c)
				continue
			}
			c := cell{r: '▀', fg: k.of(v.at(x, y))}
			if y+1 < ht {
				c.bg = k.of(v.at(x, y+1))
			}
			line = append(line, c)
		}
		b = append(b, line)
	}
	cols = w * (3 - perLine)

	for _, tk := range named(positions(h.Rows, h.Y0, h.YStep, max(1, (len(b)+1)/2)), h.YNames) {
		s := t.narrow(hyphened(tk.label), left-1)
		line := min(len(b)-1, int((tk.at+0.5)/float64(h.Rows)*float64(len(b))))
		b.put(line, left-1-textWidth(s), s, color.RGBA{})
	}
	b = append(b, nil)
	b.across(t, h, left, cols)
	return b, left, cols
}

// across writes the numbers of the columns into the last line.
func (b block) across(t Terminal, h *Heatmap, left, cols int) {
	end := 0
	room := h.longest(t, h.XNames, h.Cols, h.X0, h.XStep) + 2
	for _, tk := range named(positions(h.Cols, h.X0, h.XStep, max(1, cols/room)), h.XNames) {
		s := t.text(hyphened(tk.label))
		wide := textWidth(s)
		at := left + int((tk.at+0.5)/float64(h.Cols)*float64(cols)) - (wide-1)/2
		if at = min(at, t.Width-wide); at >= end {
			b.put(len(b)-1, at, s, color.RGBA{})
			end = at + wide + 1
		}
	}
}

// longest is the length of the longest of n numbers, which is the first or the
// last.
func longest(n, first, step int) int {
	if step == 0 {
		step = 1
	}
	return max(len(strconv.Itoa(first)), len(strconv.Itoa(first+(n-1)*step)))
}

// longest is the length of the longest name, or without names number.
func (h *Heatmap) longest(t Terminal, names []string, n, first, step int) int {
	if names == nil {
		return longest(n, first, step)
	}
	most := 0
	for _, s := range names {
		most = max(most, textWidth(t.text(s)))
	}
	return most
}

// hyphened undoes minus: a terminal's numbers are for copying.
func hyphened(s string) string { return strings.ReplaceAll(s, "−", "-") }

// pixels is the size of the map within a number of pixels: whole ones a cell
// where there are enough, and no larger than is of use.
func (h *Heatmap) pixels(wide, high int) (w, ht int) {
	const thread, enough = 4, 28
	side := func(n int, scale float64) int {
		if scale >= 1 {
			return n * min(int(scale), max(1, enough/n))
		}
		return max(1, int(float64(n)*scale+1e-9))
	}
	sx, sy := float64(wide)/float64(h.Cols), float64(high)/float64(h.Rows)
	if h.Cols <= thread*h.Rows && h.Rows <= thread*h.Cols {
		s := min(sx, sy)
		if s >= 1 {
			s = math.Floor(min(s, max(1, float64(enough/max(h.Rows, h.Cols)))))
		}
		return side(h.Cols, s), side(h.Rows, s)
	}
	return side(h.Cols, sx), side(h.Rows, sy)
}

// halves tells whether a letter shows two cells, one above the other.
func (t Terminal) halves() bool { return t.Color != "none" && !t.ASCII }

// cell is a value in a column of a line: its letter, or a blank in its colour.
func (k *colours) cell(t Terminal, v float64) cell {
	if t.Color == "none" {
		return cell{r: k.letter(v)}
	}
	return cell{r: ' ', bg: k.of(v)}
}

// letter is a value's letter of the ramp.
func (k *colours) letter(v float64) rune {
	i := k.index(v)
	if i < 0 {
		return noValue
	}
	return rune(ramp[i*len(ramp)/len(k.pal)])
}

// key tells what the colours or letters mean, in one line if it fits.
func (k *colours) key(label string, t Terminal) block {
	b := make(block, 1)
	part := func(cells block) { // goes on in the line, or in the next
		last := &b[len(b)-1]
		switch n := len(*last); {
		case n == 0:
			*last = cells[0]
		case n+2+len(cells[0]) > t.Width:
			b = append(b, cells[0])
		default:
			*last = append(append(*last, cell{r: ' '}, cell{r: ' '}), cells[0]...)
		}
	}
	if label = t.narrow(label, t.Width); label != "" {
		part(words(label))
	}
	part(k.strip(t))
	if k.unknown {
		sign := block{{k.cell(t, math.NaN())}}
		part(beside([]block{sign, words(unknownNote)}, 1, 1))
	}
	return b
}

// words is a line of text.
func words(s string) block {
	b := make(block, 1)
	b.put(0, 0, s, color.RGBA{})
	return b
}

// strip is the palette or the ramp between the ends of the scale; a sign tells an
// end beyond which there are cells.
func (k *colours) strip(t Terminal) block {
	digits := k.digits()
	lo, hi := strconv.FormatFloat(k.lo, 'g', digits, 64)+" ", strconv.FormatFloat(k.hi, 'g', digits, 64)
	low, high := k.clamped()
	if low {
		lo = t.text("≤") + lo
	}
	if high {
		hi = t.text("≥") + hi
	}
	if t.Color == "none" {
		return words(lo + "[" + ramp + "] " + hi)
	}
	hi = " " + hi
	steps := min(20, t.Width-textWidth(lo)-textWidth(hi))
	b := words(lo)
	for i := range steps {
		c := k.pal[(2*i+1)*len(k.pal)/(2*steps)]
		b[0] = append(b[0], cell{r: ' ', bg: c})
	}
	b.put(0, len(b[0]), hi, color.RGBA{})
	return b
}

// shown is more blocks than a terminal shows.
func (t Terminal) shown() size { return size{512, 512} }
