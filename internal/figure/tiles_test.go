package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// sampleTiles has 1 in each tile's own cell and values below 0.5 elsewhere.
func sampleTiles(rows, cols, stepDown, stepAcross int) *Tiles {
	t := &Tiles{
		Title: "vit", Caption: "tile (r, c) is the similarity of cell (r, c) with every cell",
		XLabel: "column of the cell", YLabel: "row of the cell", ColorLabel: "cosine similarity",
		Rows: rows, Cols: cols, TileRows: EveryTile(rows, stepDown), TileCols: EveryTile(cols, stepAcross),
		Min: -1, Max: 1,
	}
	t.At = func(i, j, r, c int) float64 {
		if t.TileRows[i] == r && t.TileCols[j] == c {
			return 1
		}
		return 0.5 * math.Cos(float64(3*r+5*c))
	}
	return t
}

// whereTiles lays tiles out as draw does, and gives the pixel where the plot begins.
func whereTiles(t *testing.T, c *Tiles, s Style) (x0, y0 int, x tilePixels) {
	t.Helper()
	p, w := watch(t, "png", c, s)
	x = c.pixels(p, c.layOut(p, c.scale("", p.shown())).room)
	return int(math.Round(w.cellR[0].x0 / p.px)), int(math.Round(w.cellR[0].y0 / p.px)), x
}

func drawPNG(t *testing.T, c Chart, s Style) image.Image {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(&b, "png", c, s); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// The own cell of each tile has the last colour of the scale, no other has, every cell
// its pixels and every gap the ground's colour.
func TestTilesPixels(t *testing.T) {
	last := palette("", false)[255]
	for _, c := range []struct {
		name   string
		tiles  *Tiles
		style  Style
		beside bool
	}{
		{"7 x 7", sampleTiles(7, 7, 1, 1), Style{}, false},
		{"7 x 7, fine", sampleTiles(7, 7, 1, 1), Style{DPI: 233}, true},
		{"14 x 14", sampleTiles(14, 14, 1, 1), Style{}, true},
		{"3 x 5", sampleTiles(3, 5, 1, 1), Style{Width: 4, Height: 4}, false},
		{"24 x 24, some", sampleTiles(24, 24, 4, 4), Style{}, false},
		{"12 x 101, some", sampleTiles(12, 101, 1, 25), Style{}, true},
		{"1 x 6", sampleTiles(1, 6, 1, 1), Style{}, false},
		{"1 x 1", sampleTiles(1, 1, 1, 1), Style{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.beside {
				c.tiles.Beside = sampleMap(2*c.tiles.Rows-1, 2*c.tiles.Cols-1)
				c.tiles.Beside.Min, c.tiles.Beside.Max = -1, 1
			}
			x0, y0, x := whereTiles(t, c.tiles, c.style)
			if x.w < c.tiles.Cols || x.h < c.tiles.Rows {
				t.Fatalf("tiles of %d x %d pixels for %d x %d cells", x.h, x.w, c.tiles.Rows, c.tiles.Cols)
			}
			img := drawPNG(t, c.tiles, c.style)
			_, ys := edges(c.tiles.Rows, x.h)
			_, xs := edges(c.tiles.Cols, x.w)
			pitchX, pitchY := x.w+x.gap, x.h+x.gap
			for y := range len(c.tiles.TileRows)*pitchY - x.gap {
				for at := range len(c.tiles.TileCols)*pitchX - x.gap {
					got := color.RGBAModel.Convert(img.At(x0+at, y0+y)).(color.RGBA)
					if y%pitchY >= x.h || at%pitchX >= x.w {
						if got != (color.RGBA{255, 255, 255, 255}) {
							t.Fatalf("the gap at %d, %d is %v", y, at, got)
						}
						continue
					}
					own := ys[y%pitchY] == c.tiles.TileRows[y/pitchY] && xs[at%pitchX] == c.tiles.TileCols[at/pitchX]
					if (got == last) != own {
						t.Fatalf("pixel %d, %d of tile %d, %d is %v", y%pitchY, at%pitchX, y/pitchY, at/pitchX, got)
					}
				}
			}
		})
	}
}

// With the steps that are told each cell of the figure has a pixel, and with steps one
// smaller it has not, unless all tiles are drawn.
func TestTilesSteps(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		style      Style
		all        bool
	}{
		{7, 7, Style{}, true}, {14, 14, Style{}, true}, {24, 24, Style{}, true}, {27, 27, Style{}, false}, {64, 64, Style{}, false},
		{40, 40, Style{DPI: 600}, true}, {12, 101, Style{}, false}, {101, 12, Style{Theme: "slides"}, false}, {7, 7, Style{Width: 1, Height: 1}, false},
		{1, 5000, Style{}, false},
	} {
		for _, beside := range []bool{false, true} {
			name := fmt.Sprintf("%d x %d beside %v", c.rows, c.cols, beside)
			x := sampleTiles(c.rows, c.cols, 1, 1)
			if beside {
				x.Beside = sampleMap(2*c.rows-1, 2*c.cols-1)
				x.Beside.Range, x.Beside.At = &Range{Least: -1, Most: 1}, func(int, int) float64 { return 0 }
			}
			down, across, err := x.Steps(c.style)
			if err != nil {
				t.Fatal(err)
			}
			if c.all != (down == 1 && across == 1) && !beside {
				t.Errorf("%s: steps of %d and %d", name, down, across)
			}
			pixelsOf := func(down, across int) (int, int) {
				x.TileRows, x.TileCols = EveryTile(c.rows, down), EveryTile(c.cols, across)
				_, _, px := whereTiles(t, x, c.style)
				return px.h, px.w
			}
			fits := len(EveryTile(c.rows, down)) > 1 || len(EveryTile(c.cols, across)) > 1
			if h, w := pixelsOf(down, across); fits && (h < c.rows || w < c.cols) && !(c.rows == 1 || c.style.Width == 1) {
				t.Errorf("%s: steps of %d and %d give tiles of %d x %d pixels", name, down, across, h, w)
			}
			if down > 2 && across > 2 && len(EveryTile(c.rows, down)) > 1 {
				if h, w := pixelsOf(down-1, across-1); len(EveryTile(c.cols, across-1)) > len(EveryTile(c.cols, across)) && h >= c.rows && w >= c.cols {
					t.Errorf("%s: steps of %d and %d would do, %d and %d are told", name, down-1, across-1, down, across)
				}
			}
		}
	}
}

func TestEveryTile(t *testing.T) {
	for _, c := range []struct {
		n, step int
		want    []int
	}{
		{4, 1, []int{0, 1, 2, 3}}, {7, 2, []int{0, 2, 4, 6}}, {8, 3, []int{0, 3, 6}}, {9, 3, []int{1, 4, 7}}, {101, 17, []int{7, 24, 41, 58, 75, 92}},
		{5, 5, []int{2}}, {5, 99, []int{2}}, {5, 0, []int{0, 1, 2, 3, 4}}, {1, 1, []int{0}},
	} {
		got := EveryTile(c.n, c.step)
		if !slices.Equal(got, c.want) {
			t.Errorf("every %d of %d: %v, want %v", c.step, c.n, got, c.want)
		}
	}
}

// Nothing that can be asked for panics, in any form and size; words stay on the page.
func TestTilesOdd(t *testing.T) {
	nan := func(int, int, int, int) float64 { return math.NaN() }
	for _, shape := range [][2]int{{1, 1}, {9, 1}, {2, 170}, {12, 12}} {
		for _, at := range []func(int, int, int, int) float64{nil, nan} {
			for _, beside := range []bool{false, true} {
				c := sampleTiles(shape[0], shape[1], 1, 1)
				c.Title, c.Caption = strings.Repeat("a long title ", 20), strings.Repeat("a caption ", 30)
				if at != nil {
					c.At, c.Min, c.Max = at, 0, 0
				}
				if beside {
					c.Beside = sampleMap(2*shape[0]-1, 2*shape[1]-1)
				}
				for i, s := range []Style{{Width: 1, Height: 1}, {Width: 2, Height: 6, Theme: "dark"}, {Width: 9, Height: 1.5, Theme: "slides"}, {}} {
					formats := Formats()[i%3:][:1]
					for _, format := range formats {
						if _, err := Write(io.Discard, format, c, s); err != nil {
							t.Fatalf("%v %v %s: %v", shape, s, format, err)
						}
					}
					p, w := watch(t, "png", c, s)
					for _, word := range w.words {
						if b := word.box(); b.x0 < -1 || b.y0 < -1 || b.x1 > p.w+1 || b.y1 > p.h+1 {
							t.Errorf("%v %v: %q at %v leaves the page of %g x %g", shape, s, word.s, b, p.w, p.h)
						}
					}
				}
				for _, term := range []Terminal{{}, {Width: 30, Height: 8, Color: "true"}, {Width: 200, Height: 60, Color: "256"}} {
					if err := WriteTerminal(io.Discard, c, term); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// The same tiles give the same bytes.
func TestTilesSteady(t *testing.T) {
	for _, format := range Formats() {
		var a, b bytes.Buffer
		for _, w := range []io.Writer{&a, &b} {
			if _, err := Write(w, format, sampleTiles(5, 6, 1, 1), Style{}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s differs", format)
		}
	}
}

func TestTilesRefused(t *testing.T) {
	for want, change := range map[string]func(*Tiles){
		"0 x 4":         func(c *Tiles) { c.Rows = 0 },
		"no values":     func(c *Tiles) { c.At = nil },
		"scale from":    func(c *Tiles) { c.Min = 2 },
		"no rows":       func(c *Tiles) { c.TileRows = nil },
		"do not rise":   func(c *Tiles) { c.TileCols = []int{1, 1} },
		"within 0 to 3": func(c *Tiles) { c.TileCols = []int{4} },
		"nothing to":    func(c *Tiles) { c.Beside = &Heatmap{} },
	} {
		c := sampleTiles(3, 4, 1, 1)
		change(c)
		if _, err := Write(io.Discard, "png", c, Style{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	var none *Tiles
	if err := WriteTerminal(io.Discard, none, Terminal{}); err == nil {
		t.Error("no chart is drawn")
	}
}

// In a terminal each tile has its mark in its own cell, and its number beside it.
func TestTilesTerminal(t *testing.T) {
	var b bytes.Buffer
	c := sampleTiles(3, 4, 1, 1)
	if err := WriteTerminal(&b, c, Terminal{Width: 60, Height: 30}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	marks := 0
	for y, line := range lines[2:] { // title and caption
		for x := 2; x+1 < len(line); x += 2 {
			if line[x] != '@' || y >= 11 {
				continue
			}
			marks++
			px := (x - 2) / 2
			if y%4 != y/4 || px%5 != px/5 {
				t.Errorf("a mark at line %d, pixel %d:\n%s", y, px, b.String())
			}
		}
	}
	if marks != 12 {
		t.Errorf("%d marks:\n%s", marks, b.String())
	}
	b.Reset()
	if err := WriteTerminal(&b, sampleTiles(14, 14, 1, 1), Terminal{Width: 60}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "of 196 tiles") {
		t.Errorf("some tiles are shown as if they were all:\n%s", b.String())
	}
}

// Title, captions and plots begin at one edge, also where the captions are wider than
// the plots, and no caption is cut where three lines have room for it.
func TestTilesEdges(t *testing.T) {
	for _, width := range []float64{3.5, 5, 7, 11} {
		for _, theme := range Themes() {
			c := nearTiles(6)
			c.Title, c.Caption, c.Beside.Title = "sinusoid", "tile (r, c) is the similarity of cell (r, c) with every cell", "mean similarity by offset (dy, dx)"
			_, w := watch(t, "svg", c, Style{Width: width, Theme: theme})
			tiles, beside := w.cellR[0].x0, w.cellR[1].x0
			seen := ""
			for _, word := range w.words {
				switch {
				case word.s == "sinusoid", strings.HasPrefix(word.s, "tile"), strings.HasPrefix(word.s, "of cell"):
					if math.Abs(word.at.x-tiles) > 1e-9 {
						t.Errorf("%s, %g in: %q begins at %v, the tiles at %v", theme, width, word.s, word.at.x, tiles)
					}
				case strings.HasPrefix(word.s, "mean"), strings.HasPrefix(word.s, "by"):
					if math.Abs(word.at.x-beside) > 1e-9 {
						t.Errorf("%s, %g in: %q begins at %v, the map at %v", theme, width, word.s, word.at.x, beside)
					}
				}
				seen += word.s + " "
			}
			if !strings.Contains(seen, c.Caption) || !strings.Contains(seen, c.Beside.Title) {
				t.Errorf("%s, %g in: a caption is cut in %q", theme, width, seen)
			}
		}
	}
}
