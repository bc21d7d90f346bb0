package figure

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"

	"poslens/internal/ascii"
)

// Terminal is what a drawing of text may use.
type Terminal struct {
	Width   int    // columns; 0 means 80
	Height  int    // lines that one chart may take, about; 0 means 24
	Color   string // none (or ""), 256 or true
	Palette string // one of Palettes; "" means viridis, or diverging where the chart is
	ASCII   bool   // only ASCII is shown: no braille, no half blocks, labels folded; colours are the ground of blanks
}

// The smallest drawing.
const minColumns, minLines = 30, 8

// WriteTerminal draws c as text: a heat map in half blocks of colour, or in
// letters from thin to dense without colour; lines in braille dots, or in ASCII
// as letters.
func WriteTerminal(w io.Writer, c Chart, t Terminal) error {
	if err := checkChart(c); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	if t.Width == 0 {
		t.Width = 80
	}
	if t.Height == 0 {
		t.Height = 24
	}
	t.Width, t.Height = max(t.Width, minColumns), max(t.Height, minLines)
	if t.Color == "" {
		t.Color = "none"
	}
	if modes := []string{"none", "256", "true"}; !slices.Contains(modes, t.Color) {
		return fmt.Errorf("figure: unknown colour mode %q; one of %s", t.Color, strings.Join(modes, ", "))
	}
	if t.Palette != "" && !slices.Contains(Palettes(), t.Palette) {
		return fmt.Errorf("figure: unknown palette %q; one of %s", t.Palette, strings.Join(Palettes(), ", "))
	}
	b := bufio.NewWriter(w)
	for _, line := range c.block(t) {
		writeLine(b, line, t.Color)
	}
	return b.Flush()
}

// cell is one column of a line. A wide character is followed by a cell of rune
// 0; a colour of alpha 0 is the terminal's own.
type cell struct {
	r      rune
	fg, bg color.RGBA
}

// block is lines of cells, not all of one length.
type block [][]cell

// put writes s from a column of a line on, in a colour.
func (b block) put(line, col int, s string, fg color.RGBA) {
	for _, r := range s {
		n := columns(r)
		if n == 0 {
			continue
		}
		for len(b[line]) < col+n {
			b[line] = append(b[line], cell{r: ' '})
		}
		b[line][col] = cell{r: r, fg: fg}
		if n == 2 {
			b[line][col+1] = cell{}
		}
		col += n
	}
}

// at is a place of a line, which grows as far.
func (b block) at(line, col int) *cell {
	for len(b[line]) <= col {
		b[line] = append(b[line], cell{r: ' '})
	}
	return &b[line][col]
}

// add appends a line of text, shortened to the terminal's width.
func (b *block) add(t Terminal, s string) {
	*b = append(*b, nil)
	b.put(len(*b)-1, 0, t.narrow(s, t.Width), color.RGBA{})
}

// centred adds a line with s in the middle of the columns from and to.
func (b *block) centred(t Terminal, s string, from, to int) {
	s = t.narrow(s, t.Width)
	*b = append(*b, nil)
	b.put(len(*b)-1, max(0, min(t.Width-textWidth(s), (from+to-textWidth(s))/2)), s, color.RGBA{})
}

// text is a label as the terminal can show it.
func (t Terminal) text(s string) string {
	if s = clean(s); t.ASCII {
		return ascii.Fold(s)
	}
	return s
}

// textWidth is how many columns s takes.
func textWidth(s string) (n int) {
	for _, r := range s {
		n += columns(r)
	}
	return n
}

// narrow is a label shortened to a width.
func (t Terminal) narrow(s string, width int) string {
	fits := func(s string) bool { return textWidth(t.text(s)) <= width }
	return t.text(shorten(t.text(s), fits)) // the ellipsis is a character to fold, too
}

// beside puts blocks next to each other, each in a column of a width.
func beside(blocks []block, width, gap int) block {
	var b block
	for i, o := range blocks {
		for line, cells := range o {
			for len(b) <= line {
				b = append(b, nil)
			}
			for len(b[line]) < i*(width+gap) {
				b[line] = append(b[line], cell{r: ' '})
			}
			b[line] = append(b[line], cells...)
		}
	}
	return b
}

// writeLine writes a line, with as few colour codes as it takes and none for
// the mode none, and without blanks at its end.
func writeLine(w *bufio.Writer, line []cell, mode string) {
	blank := func(c cell) bool { return c.r == ' ' && (mode == "none" || c.bg.A == 0) }
	for len(line) > 0 && blank(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	var fg, bg color.RGBA
	for _, c := range line {
		if c.r == 0 {
			continue
		}
		if mode != "none" && (c.fg != fg || c.bg != bg) {
			if fg.A != 0 && c.fg.A == 0 || bg.A != 0 && c.bg.A == 0 {
				w.WriteString("\x1b[0m")
				fg, bg = color.RGBA{}, color.RGBA{}
			}
			if c.fg != fg {
				w.WriteString(colorCode(38, c.fg, mode))
			}
			if c.bg != bg {
				w.WriteString(colorCode(48, c.bg, mode))
			}
			fg, bg = c.fg, c.bg
		}
		w.WriteRune(c.r)
	}
	if fg.A != 0 || bg.A != 0 {
		w.WriteString("\x1b[0m")
	}
	w.WriteByte('\n')
}

// colorCode sets the colour of letters (38) or of their ground (48).
func colorCode(what int, c color.RGBA, mode string) string {
	if mode == "256" {
		return fmt.Sprintf("\x1b[%d;5;%dm", what, nearest256(c))
	}
	return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", what, c.R, c.G, c.B)
}

// nearest256 is the nearest colour of the 6 x 6 x 6 cube and the 24 greys that
// terminals of 256 colours share.
func nearest256(c color.RGBA) int {
	levels := [6]int{0, 95, 135, 175, 215, 255}
	near := func(v uint8) (best int) {
		for i, l := range levels {
			if max(l-int(v), int(v)-l) < max(levels[best]-int(v), int(v)-levels[best]) {
				best = i
			}
		}
		return best
	}
	distance := func(r, g, b int) int {
		dr, dg, db := r-int(c.R), g-int(c.G), b-int(c.B)
		return dr*dr + dg*dg + db*db
	}
	r, g, b := near(c.R), near(c.G), near(c.B)
	gray := max(0, min(23, ((int(c.R)+int(c.G)+int(c.B))/3-3)/10))
	if v := 8 + 10*gray; distance(v, v, v) < distance(levels[r], levels[g], levels[b]) {
		return 232 + gray
	}
	return 16 + 36*r + 6*g + b
}
