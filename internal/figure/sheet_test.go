package figure

import (
	"flag"
	"image"
	"os"
	"testing"
)

var sheetFile = flag.String("sheet", "", "write the sheet of all kinds of figure to this file")

// card is one chart of the sheet.
type card struct {
	name, theme string
	chart       Chart
}

// cards are every exhibit in the theme of a paper, and after them some in the others.
func cards() []card {
	var all []card
	named := map[string]Chart{}
	for _, e := range exhibits() {
		entitle(e.chart, "") // the card has it
		named[e.name] = e.chart
		all = append(all, card{e.name, "paper", e.chart})
	}
	for _, c := range []card{{"lines", "slides", nil}, {"heat map", "dark", nil}, {"scatter, raster", "dark", nil}, {"lines, marked", "dark", nil}} {
		all = append(all, card{c.name + ", in the theme " + c.theme, c.theme, named[c.name]})
	}
	return all
}

// sheetOf is the cards in rows of three, all of one size, on a grey ground. As on a
// board, the plots of a column begin at one edge where they can.
func sheetOf(t *testing.T) image.Image {
	t.Helper()
	const across, wide, high, head, gap = 3, 4.0, 3.25, 0.36, 0.1 // the last four in inches
	all := cards()
	if len(all)%across != 0 {
		t.Fatalf("%d cards leave a gap in rows of %d", len(all), across)
	}
	style := Style{DPI: 120, Width: across*(wide+gap) + gap, Height: float64(len(all)/across)*(high+gap) + gap}
	p, err := newPage("png", &Board{Cols: 1, Charts: []Chart{all[0].chart}}, style)
	if err != nil {
		t.Fatal(err)
	}
	p.fill(rect{0, 0, p.w, p.h}, gray(0xe8))
	parts := make([]*page, len(all))
	aside := make([]float64, across)
	for i, c := range all {
		of := *p
		of.theme, of.style.Theme = themeOf(c.theme), c.theme
		x, y := p.snap(72*(gap+float64(i%across)*(wide+gap))), p.snap(72*(gap+float64(i/across)*(high+gap)))
		card := rect{x, y, p.snap(x + 72*wide), p.snap(y + 72*high)}
		p.fill(card, of.ground)
		const size = 10
		p.text(c.name, point{x + 0.8*size, y + 0.9*size}, 0, 0, size, false, of.ink)
		parts[i] = of.part(rect{card.x0, p.snap(y + 72*head), card.x1, card.y1})
		if c.theme != "slides" { // whose larger type would push all others aside
			aside[i%across] = max(aside[i%across], parts[i].leftOf(c.chart))
		}
	}
	for i, c := range all {
		parts[i].drawAside(c.chart, aside[i%across])
	}
	return p.sheet.(*pngSheet).img
}

// The sheet in the manual is what the charts look like now; make sheet rewrites it.
func TestSheet(t *testing.T) {
	const most = 500_000
	path, write := "../../doc/sheet.png", *sheetFile != ""
	if write {
		path = *sheetFile
	}
	golden(t, path, sheetOf(t), write)
	if info, err := os.Stat(path); err != nil {
		t.Error(err)
	} else if info.Size() > most {
		t.Errorf("%s: %d bytes, more than %d", path, info.Size(), most)
	}
}
