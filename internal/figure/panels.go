package figure

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Panels is small charts in a grid, on scales that they share, so that they
// can be compared.
type Panels struct {
	Title      string
	Rows, Cols int
	Charts     []Chart  // row by row; nil leaves a panel empty. Heat maps share their scale and one colour bar, lines their axes and one legend
	ColorLabel string   // of the colour bar; "" means that of the first heat map
	RowNames   []string // of the rows, left of them; with ColNames in the place of the charts' titles; nil for none
	ColNames   []string // of the columns, above them
	Free       bool     // lines have axes of their own, a chart each: their numbers are of different things
}

// letters is how many characters the longest of some names has.
func letters(names []string) float64 {
	n := 0
	for _, s := range names {
		n = max(n, utf8.RuneCountInString(s))
	}
	return float64(n)
}

// The sides of one panel, the largest size of all by default, and about the width of a
// letter of a name, in inches.
const (
	mapPanel, linesPanel = 2.1, 2.6
	largest              = 12
	letter               = 0.055
)

func (g *Panels) check() error {
	if g.Rows < 1 || g.Cols < 1 || len(g.Charts) > g.Rows*g.Cols {
		return fmt.Errorf("panels: %d charts in %d x %d places", len(g.Charts), g.Rows, g.Cols)
	}
	if len(g.RowNames)%g.Rows != 0 || len(g.RowNames) > g.Rows || len(g.ColNames)%g.Cols != 0 || len(g.ColNames) > g.Cols {
		return fmt.Errorf("panels: %d names for %d rows, %d for %d columns", len(g.RowNames), g.Rows, len(g.ColNames), g.Cols)
	}
	if g.Rows > 100 || g.Cols > 100 {
		return fmt.Errorf("panels: %d x %d panels, more than 100 a side", g.Rows, g.Cols)
	}
	some := false
	for i, c := range g.Charts {
		if c == nil {
			continue
		}
		switch c.(type) {
		case *Heatmap, *Lines:
		case *Panels:
			return fmt.Errorf("panels: panel %d is panels itself", i)
		default:
			return fmt.Errorf("panels: panel %d is neither a heat map nor lines", i)
		}
		if err := checkChart(c); err != nil {
			return fmt.Errorf("panels: panel %d: %w", i, err)
		}
		some = true
	}
	if !some {
		return errors.New("panels: nothing to draw")
	}
	return g.checkLog()
}

// sorted gives the charts by their kind.
func (g *Panels) sorted() (maps []*Heatmap, lines []*Lines) {
	for _, c := range g.Charts {
		switch c := c.(type) {
		case *Heatmap:
			maps = append(maps, c)
		case *Lines:
			lines = append(lines, c)
		}
	}
	return maps, lines
}

// leastFree is how wide a panel with axes of its own is at least, in ems of the smallest
// type; on a narrower page fewer stand in a row.
const leastFree = 20

// reflowed has as many panels in a row as have room on a page of a width in points,
// where they need not be compared along a row.
func (g *Panels) reflowed(width, kind float64) *Panels {
	cols := g.Cols
	for cols > 1 && width/float64(cols) < leastFree*leastType*kind {
		cols--
	}
	if !g.Free || g.named() || cols == g.Cols {
		return g
	}
	r := *g
	r.Cols, r.Rows = cols, (len(g.Charts)+cols-1)/cols
	return &r
}

// shapeAt gives panels that stand in more rows the height for it.
func (g *Panels) shapeAt(width, kind float64) (w, h float64) {
	return g.reflowed(72*width, kind).defaultSize()
}

func (g *Panels) defaultSize() (width, height float64) {
	maps, lines := g.sorted()
	w, h, side := mapPanel, mapPanel, 1.6
	if len(lines) > 0 {
		w, h = linesPanel, 0.75*linesPanel
		if len(maps) == 0 {
			side = 0.8
		}
	}
	head := 1.0
	if len(g.RowNames) > 0 {
		side += 0.5
	}
	if name := letters(g.ColNames); name*letter > min(w, (largest-side)/float64(g.Cols)) { // they will be turned
		head += min(1.2, name*letter)
	}
	shrink := min(1, (largest-side)/(w*float64(g.Cols)), (largest-head)/(h*float64(g.Rows)))
	return max(4, shrink*w*float64(g.Cols)+side), max(3, shrink*h*float64(g.Rows)+head)
}
