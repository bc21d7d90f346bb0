package figure

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeBytes is what Write writes, without a warning.
func writeBytes(t testing.TB, format string, c Chart, s Style) []byte {
	t.Helper()
	var b bytes.Buffer
	warnings, err := Write(&b, format, c, s)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%s: %v, %v", format, warnings, err)
	}
	return b.Bytes()
}

// mapPixels draws h as a PNG and gives the part that its cells fill.
func mapPixels(t *testing.T, h *Heatmap, s Style) (img image.Image, r image.Rectangle) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(writeBytes(t, "png", h, s)))
	if err != nil {
		t.Fatal(err)
	}
	p, w := watch(t, "png", h, s)
	at := func(v float64) int { return int(math.Round(v / p.px)) }
	m := w.cellR[0]
	return img, image.Rect(at(m.x0), at(m.y0), at(m.x1), at(m.y1))
}

func same(a color.Color, b color.RGBA) bool { return color.RGBAModel.Convert(a) == b }

// Every pixel of a map has exactly its cell's colour: the palette's entry
// int(256 t), as matplotlib has it, t being the value's share of the scale.
func TestPixelsAreCells(t *testing.T) {
	for _, n := range []int{1, 4, 37, 512} {
		h := &Heatmap{Rows: n, Cols: n, Min: 0, Max: 1, At: func(r, c int) float64 {
			return math.Mod(float64(r*7919+c*104729)/65536, 1)
		}}
		img, r := mapPixels(t, h, Style{})
		if r.Dx()%n != 0 || r.Dx() != r.Dy() {
			t.Fatalf("%d cells on %v: not whole square blocks", n, r)
		}
		block := r.Dx() / n
		wrong := 0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				v := h.At((y-r.Min.Y)/block, (x-r.Min.X)/block)
				want := palettes()["viridis"][int(256*v)]
				if got := img.At(x, y); !same(got, want) {
					wrong++
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%d x %d: %d of %d pixels have another colour", n, n, wrong, r.Dx()*r.Dy())
		}
		for _, q := range []image.Point{{r.Min.X - 1, r.Min.Y + 1}, {r.Max.X, r.Min.Y + 1}, {r.Min.X + 1, r.Min.Y - 1}} {
			if got := img.At(q.X, q.Y); !same(got, color.RGBA{255, 255, 255, 255}) {
				t.Errorf("%d x %d: the pixel beside the map at %v is %v", n, n, q, got)
			}
		}
	}
}

// Position 0 is at the top left; undefined cells are grey; infinite values and
// those beyond the scale have the colours of its ends.
func TestOddCells(t *testing.T) {
	inf := math.Inf(1)
	values := [3][3]float64{{-inf, -7, 0}, {0.5, math.NaN(), 1}, {math.NaN(), 7, inf}}
	h := &Heatmap{Rows: 3, Cols: 3, Max: 1, At: func(r, c int) float64 { return values[r][c] }}
	pal := palettes()["viridis"]
	want := [3][3]color.RGBA{{pal[0], pal[0], pal[0]}, {pal[128], undefined, pal[255]}, {undefined, pal[255], pal[255]}}
	for _, s := range []Style{{}, {Theme: "dark"}, {Width: 3, Height: 2.5, DPI: 97}} {
		img, r := mapPixels(t, h, s)
		for y := range 3 {
			for x := range 3 {
				got := img.At(r.Min.X+(2*x+1)*r.Dx()/6, r.Min.Y+(2*y+1)*r.Dy()/6)
				if !same(got, want[y][x]) {
					t.Errorf("%+v: cell %d, %d is %v, want %v", s, y, x, got, want[y][x])
				}
			}
		}
	}
}

// The bar has a point at each end of the scale beyond which there are cells, in
// the colour that they have, and only there.
func TestClampedIsShown(t *testing.T) {
	for _, c := range []struct {
		values    [3]float64
		low, high bool
		terminal  string
	}{
		{[3]float64{0, 0.5, 1}, false, false, "0 [ .:-=+*#%@] 1"},
		{[3]float64{0, 0.5, 1 + 1e-15}, false, false, "0 [ .:-=+*#%@] 1"}, // rounding is not beyond
		{[3]float64{-0.2, 0.5, math.NaN()}, true, false, "≤0 [ .:-=+*#%@] 1"},
		{[3]float64{0, 0.5, 1.2}, false, true, "0 [ .:-=+*#%@] ≥1"},
		{[3]float64{math.Inf(-1), 0.5, math.Inf(1)}, true, true, "≤0 [ .:-=+*#%@] ≥1"},
	} {
		h := &Heatmap{Rows: 1, Cols: 3, Max: 1, At: func(_, x int) float64 { return c.values[x] }}
		img, _ := mapPixels(t, h, Style{})
		p, w := watch(t, "png", h, Style{})
		at := func(v float64) int { return int(math.Round(v / p.px)) }
		strip, pal := w.cellR[1], palettes()["viridis"]
		mid, tip := at((strip.x0+strip.x1)/2), at(0.8*1.1*p.size)
		white := color.RGBA{255, 255, 255, 255}
		want := map[int]color.RGBA{at(strip.y0) - tip/2: white, at(strip.y1) + tip/2: white}
		if c.low {
			want[at(strip.y1)+tip/2] = pal[0]
		}
		if c.high {
			want[at(strip.y0)-tip/2] = pal[255]
		}
		for y, color := range want {
			if got := img.At(mid, y); !same(got, color) {
				t.Errorf("%v: pixel %d of the bar from %d to %d is %v, want %v", c.values, y, at(strip.y0), at(strip.y1), got, color)
			}
		}
		for _, x := range []int{at(strip.x0), at(strip.x1) - 1} { // a point, and no block
			for y := range want {
				if got := img.At(x, y); !same(got, white) {
					t.Errorf("%v: pixel %d, %d beside the point is %v", c.values, x, y, got)
				}
			}
		}
		if got := drawn(t, h, Terminal{}); !strings.Contains(got, c.terminal) {
			t.Errorf("%v: no %s in\n%s", c.values, c.terminal, got)
		}
	}
}

// The pictures within SVG and PDF have whole blocks of pixels a cell, and are
// never larger than a viewer can hold.
func TestPictureSize(t *testing.T) {
	k := scaleOf("", size{512, 512}, sampleMap(1, 1))
	for _, c := range []struct {
		cells        int
		inches, want float64
	}{
		{14, 4, 1204}, {512, 4, 1536}, {3000, 4, 1600}, {14, 50, 8190}, {5000, 50, 5000}, {9000, 50, 8192}, {3, 0.001, 1},
	} {
		g := &grid{1, c.cells, means(func(_, _ int) float64 { return 0 }), k}
		if got := g.picture(rect{0, 0, 72 * c.inches, 0.1}, nil).Bounds().Dx(); float64(got) != c.want {
			t.Errorf("%d cells on %g inches: %d pixels, want %g", c.cells, c.inches, got, c.want)
		}
	}
}

func TestDivergingCentre(t *testing.T) {
	h := &Heatmap{Rows: 1, Cols: 3, Diverging: true, At: func(_, c int) float64 { return []float64{-0.25, 0, 4}[c] }}
	img, r := mapPixels(t, h, Style{})
	zero := color.RGBAModel.Convert(img.At((r.Min.X+r.Max.X)/2, r.Min.Y+1)).(color.RGBA)
	if pal := palettes()["diverging"]; zero != pal[len(pal)/2] || zero.R != zero.G || zero.G != zero.B {
		t.Errorf("0 is %v, want the grey in the middle of the palette, %v", zero, pal[len(pal)/2])
	}
	k := scaleOf("", size{512, 512}, h)
	if k.lo != -4 || k.hi != 4 {
		t.Errorf("scale %g to %g, want -4 to 4", k.lo, k.hi)
	}
}

// A pixel of several cells has the colour of their mean, of defined ones only.
func TestBlockMeans(t *testing.T) {
	const n = 2000
	h := &Heatmap{Rows: n, Cols: n, Max: 1, At: func(r, c int) float64 {
		if r%2 == 0 {
			return math.NaN()
		}
		return float64(c) / n
	}}
	img, r := mapPixels(t, h, Style{})
	cols, _ := edges(n, r.Dx())
	for _, x := range []int{0, 1, r.Dx() / 2, r.Dx() - 1} {
		mean := float64(cols[x]+cols[x+1]-1) / 2 / n
		if got, want := img.At(r.Min.X+x, r.Min.Y+r.Dy()/2), palettes()["viridis"][int(256*mean)]; !same(got, want) {
			t.Errorf("pixel %d is %v, want %v, the colour of %g", x, got, want, mean)
		}
	}
}

// matplotlib's maps, from the file they were taken from.
func TestPalettesAreMatplotlibs(t *testing.T) {
	for name, ends := range map[string][2]color.RGBA{ // matplotlib 3.6.3, cm.get_cmap(name)(0) and (255)
		"viridis": {{0x44, 0x01, 0x54, 0xff}, {0xfd, 0xe7, 0x25, 0xff}},
		"magma":   {{0x00, 0x00, 0x04, 0xff}, {0xfc, 0xfd, 0xbf, 0xff}},
		"inferno": {{0x00, 0x00, 0x04, 0xff}, {0xfc, 0xff, 0xa4, 0xff}},
		"plasma":  {{0x0d, 0x08, 0x87, 0xff}, {0xf0, 0xf9, 0x21, 0xff}},
	} {
		if p := palettes()[name]; len(p) != 256 || p[0] != ends[0] || p[255] != ends[1] {
			t.Errorf("%s: %d colours, %v to %v", name, len(p), p[0], p[len(p)-1])
		}
	}
	folder := os.Getenv("POSLENS_DATA")
	if folder == "" {
		t.Skip("POSLENS_DATA is not set")
	}
	b, err := os.ReadFile(filepath.Join(folder, "reference", "colormaps.json"))
	if err != nil {
		t.Fatal(err)
	}
	var maps map[string]string
	if err := json.Unmarshal(b, &maps); err != nil {
		t.Fatal(err)
	}
	for _, name := range Palettes()[:4] {
		var got []byte
		for _, c := range palettes()[name] {
			got = append(got, c.R, c.G, c.B)
		}
		if hex.EncodeToString(got) != maps[name] {
			t.Errorf("%s differs from the reference", name)
		}
	}
}

// oklab is the way back: lightness and chroma of a colour.
//
//	https://bottosson.github.io/posts/oklab/
func oklab(c color.RGBA) (lightness, chroma float64) {
	linear := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		} else {
			return x / 12.92
		}
	}
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	a := 1.9779984951*l - 2.4285922050*m + 0.4505937099*s
	bb := 0.0259040371*l + 0.7827717662*m - 0.8086757660*s
	return 0.2104542553*l + 0.7936177850*m - 0.0040720468*s, math.Hypot(a, bb)
}

// The two sides of the diverging map are equally light, and lighter towards
// the middle. Tolerance: a colour of 8 bits, and blues at the edge of sRGB.
func TestDivergingIsEven(t *testing.T) {
	if got := oklch(0.627955, 0.257683, 29.2339); got != (color.RGBA{255, 0, 0, 255}) { // red of sRGB in OKLCH
		t.Errorf("red is %v", got)
	}
	p := palettes()["diverging"]
	mid := len(p) / 2
	for i := 1; i <= mid; i++ {
		low, _ := oklab(p[mid-i])
		high, _ := oklab(p[mid+i])
		if math.Abs(low-high) > 0.015 {
			t.Errorf("step %d: lightness %.3f and %.3f", i, low, high)
		}
		if inner, _ := oklab(p[mid+i-1]); inner < high {
			t.Errorf("step %d: %.3f, lighter than the step before, %.3f", i, high, inner)
		}
	}
}

func TestPixelsPerMetre(t *testing.T) {
	for dpi, want := range map[int]uint32{0: 5906, 72: 2835, 300: 11811} { // round(dpi / 0.0254)
		b := writeBytes(t, "png", sampleMap(3, 3), Style{DPI: dpi, Width: 3, Height: 3})
		i := bytes.Index(b, []byte("pHYs"))
		if i < 0 || i > bytes.Index(b, []byte("IDAT")) {
			t.Fatalf("%d dpi: no pHYs before IDAT", dpi)
		}
		x, y, unit := binary.BigEndian.Uint32(b[i+4:]), binary.BigEndian.Uint32(b[i+8:]), b[i+12]
		if x != want || y != want || unit != 1 {
			t.Errorf("%d dpi: %d, %d per unit %d, want %d per metre", dpi, x, y, unit, want)
		}
		cfg, err := png.DecodeConfig(bytes.NewReader(b))
		if side := 3 * max(dpi, 72); err != nil || dpi != 0 && cfg.Width != side {
			t.Errorf("%d dpi: %d pixels, %v; want %d", dpi, cfg.Width, err, side)
		}
	}
}
