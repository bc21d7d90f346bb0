package figure

import (
	"flag"
	"image"
	"image/draw"
	"os"
	"testing"
)

var sheetFile = flag.String("sheet", "", "write the sheet of all kinds of figure to this file")

// sheetOf is every exhibit in the theme of a paper, three in a row, and below them
// one row in the other themes.
func sheetOf(t *testing.T) image.Image {
	t.Helper()
	const across, gap, dpi = 3, 6, 120
	type place struct {
		chart Chart
		theme string
	}
	var places []place
	named := map[string]Chart{}
	for _, e := range exhibits() {
		named[e.name] = e.chart
		places = append(places, place{e.chart, "paper"})
	}
	places = places[:len(places)/across*across] // the last ones where they would leave a gap
	places = append(places, place{named["lines"], "slides"}, place{named["heat map"], "dark"}, place{named["scatter, raster"], "dark"})

	var all *image.RGBA
	for i, p := range places {
		style := Style{Width: 4, Height: 3.2, DPI: dpi, Theme: p.theme}
		img := drawPNG(t, p.chart, style)
		w, h := img.Bounds().Dx()+gap, img.Bounds().Dy()+gap
		if all == nil {
			rows := (len(places) + across - 1) / across
			all = image.NewRGBA(image.Rect(0, 0, across*w-gap, rows*h-gap))
			draw.Draw(all, all.Rect, image.White, image.Point{}, draw.Src)
		}
		at := image.Pt(i%across*w, i/across*h)
		draw.Draw(all, img.Bounds().Add(at), img, image.Point{}, draw.Src)
	}
	return all
}

// The sheet in the manual is what the charts look like now; make sheet rewrites it.
func TestSheet(t *testing.T) {
	const most = 440_000
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
