package cli

import (
	"io"

	"poslens/internal/figure"
	"poslens/internal/report"
)

// screen is what the text form may know of where it goes.
type screen struct {
	width   int
	color   string // none, 256 or true
	palette string // of pictures; "" is the default
	tty     bool   // it is a terminal
	ascii   bool   // it shows ASCII only
}

// table writes a table for people.
func (s screen) table(w io.Writer, t *report.Table) error {
	if s.ascii {
		return report.WriteASCII(w, t, s.width)
	}
	return report.WriteText(w, t, s.width)
}

// draw writes a picture in letters.
func (s screen) draw(w io.Writer, c figure.Chart) error { return s.drawLines(w, c, 0) }

// drawLines is draw in about as many lines; 0 is the default.
func (s screen) drawLines(w io.Writer, c figure.Chart, lines int) error {
	return figure.WriteTerminal(w, c, figure.Terminal{Width: s.width, Height: lines, Color: s.color, Palette: s.palette, ASCII: s.ascii})
}

// mostColumns is how wide a picture is at most on a terminal, whose height is not
// known: one of the usual shapes is then about forty lines high.
const mostColumns = 100

// plainColumns is how wide text is at most in a file or a pipe.
const plainColumns = 100

// textWidth is how wide text on stdout is at most.
func (a *app) textWidth() int {
	if width, tty := a.env.Terminal(a.env.Out); tty {
		return width
	}
	return plainColumns
}

// picture is how many columns a picture gets: 0, its own size, where it is not known
// what it will be shown on.
func (s screen) picture() int {
	if !s.tty {
		return 0
	}
	return min(s.width, mostColumns)
}
