package figure

import (
	"image/color"
	"strings"
)

// pen is the letters that axes are drawn in.
type pen struct{ down, downTick, across, acrossTick, corner string }

func (t Terminal) pen() pen {
	if t.ASCII {
		return pen{"|", "+", "-", "+", "+"}
	}
	return pen{"│", "┤", "─", "┬", "└"}
}

// dots is how many dots a letter has across and down: those of braille, or in ASCII
// its upper and its lower half. A letter is twice as high as wide, so that both are
// as far apart across as down.
func (t Terminal) dots() (across, down int) {
	if t.ASCII {
		return 1, 2
	}
	return 2, 4
}

// dot adds a dot to a letter.
func (t Terminal) dot(c *cell, dx, dy int, col color.RGBA) {
	if t.ASCII {
		const halves = " '.:" // none, the upper, the lower, both
		c.r = rune(halves[max(0, strings.IndexRune(halves, c.r))|1<<dy])
	} else {
		bit := [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
		if c.r < 0x2800 || c.r > 0x28ff {
			c.r = 0x2800
		}
		c.r |= bit[dy][dx]
	}
	c.fg = col
}

// lettering is lines that are told apart by letters, in ASCII: which of them pass a
// place. Those that share one take turns along it, so that none hides another.
type lettering map[[2]int]uint8 // by line and column, a bit a series

func (m lettering) put(b block, marks []rune, colors []color.RGBA) {
	for at, who := range m {
		var here []int
		for i := range marks {
			if who&(1<<i) != 0 {
				here = append(here, i)
			}
		}
		line, col := at[0], at[1]
		i := here[col%len(here)]
		b.put(line, col, string(marks[i]), colors[i])
	}
}
