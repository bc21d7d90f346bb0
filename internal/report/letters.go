package report

import "poslens/internal/ascii"

// letters are what a table in text is written in. The zero value is Unicode.
type letters struct{ ascii bool }

// The levels of a Spark, low to high. A blank is no level: it is a gap.
const bars, asciiBars = "▁▂▃▄▅▆▇█", ".:-=+*#%@"

// fold is a text as it can be shown.
func (l letters) fold(s string) string {
	if l.ascii {
		return ascii.Fold(s)
	}
	return s
}

// cell is a cell as it is printed.
func (l letters) cell(cell any, digits int) string { return l.fold(rounded(cell, digits)) }

// spark is a cell of a column of curves, of so many bars at most.
func (l letters) spark(cell any, most int) string {
	s, ok := cell.(Spark)
	switch {
	case !ok:
		return undefined
	case l.ascii:
		return s.draw([]rune(asciiBars), most)
	}
	return s.draw([]rune(bars), most)
}

// shorten takes the middle out of a string that is wider than most columns.
func (l letters) shorten(s string, most int) string {
	if l.ascii {
		return shorten(s, most, "...")
	}
	return shorten(s, most, "…")
}
