package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// compare says in what a picture differs from the one that is wanted; "" if they
// look alike. A pixel differs if one of its channels does by more than 24 levels of
// 255, which the last digits of another processor's arithmetic stay within. They may
// be half a percent of the picture, and of no square of 16 x 16 more than an eighth,
// so that a label that is lost is not small enough to pass. diff has the pixels that
// differ in red on what is wanted, pale; nil where the sizes differ.
func compare(got, want image.Image) (diff *image.RGBA, fault string) {
	const levels, share, side, dense = 24, 0.005, 16, 0.125
	size := want.Bounds().Size()
	if s := got.Bounds().Size(); s != size {
		return nil, fmt.Sprintf("%d x %d pixels, want %d x %d", s.X, s.Y, size.X, size.Y)
	}
	a, b := rgba(got), rgba(want)
	diff = image.NewRGBA(b.Rect)
	blocks := map[image.Point]int{}
	worst := image.Point{}
	wrong := 0
	for y := range size.Y {
		for x := range size.X {
			p, q := a.RGBAAt(x, y), b.RGBAAt(x, y)
			apart := max(levelsApart(p.R, q.R), levelsApart(p.G, q.G), levelsApart(p.B, q.B), levelsApart(p.A, q.A))
			if apart <= levels {
				diff.SetRGBA(x, y, color.RGBA{192 + q.R/4, 192 + q.G/4, 192 + q.B/4, 255})
				continue
			}
			diff.SetRGBA(x, y, color.RGBA{220, 0, 0, 255})
			wrong++
			at := image.Pt(x/side, y/side)
			if blocks[at]++; blocks[at] > blocks[worst] {
				worst = at
			}
		}
	}
	switch {
	case float64(wrong) > share*float64(size.X*size.Y):
		return diff, fmt.Sprintf("%d of %d pixels differ", wrong, size.X*size.Y)
	case float64(blocks[worst]) > dense*side*side:
		return diff, fmt.Sprintf("%d of %d pixels differ at %v", blocks[worst], side*side, worst.Mul(side))
	}
	return diff, ""
}

func levelsApart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func rgba(img image.Image) *image.RGBA {
	size := img.Bounds().Size()
	c := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(c, c.Rect, img, img.Bounds().Min, draw.Src)
	return c
}

func readPicture(path string) (image.Image, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

// writePicture writes a small PNG: of 32 levels a channel, which are within 5 of those
// of the picture, and of few colours as a paletted one.
func writePicture(t *testing.T, path string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, paletted(coarse(img))); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func coarse(img image.Image) *image.RGBA {
	const most = 31
	c := rgba(img)
	for i, v := range c.Pix {
		level := (int(v)*most + 127) / 255
		c.Pix[i] = uint8((level*255 + most/2) / most)
	}
	return c
}

// paletted is an image of at most 256 colours in as many bytes a pixel as it needs;
// the image itself where it has more.
func paletted(img *image.RGBA) image.Image {
	number := map[color.RGBA]uint8{}
	var colors color.Palette
	p := image.NewPaletted(img.Rect, nil)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.RGBAAt(x, y)
			n, ok := number[c]
			if !ok {
				if len(colors) == 256 {
					return img
				}
				n = uint8(len(colors))
				number[c], colors = n, append(colors, c)
			}
			p.SetColorIndex(x, y, n)
		}
	}
	p.Palette = colors
	return p
}

// Small differences of colour pass, and a lost label, a lost series, another palette,
// another theme and another size do not.
func TestCompare(t *testing.T) {
	style := goldenStyle("paper")
	want := rgba(drawPNG(t, sampleLines(3, 20), style))
	faint := rgba(want)
	for i := range faint.Pix {
		if i%4 != 3 {
			faint.Pix[i] = uint8(max(0, int(faint.Pix[i])-24))
		}
	}
	if _, fault := compare(faint, want); fault != "" {
		t.Errorf("24 levels darker: %s", fault)
	}
	if faint.Pix[0]--; faint.Pix[0] != 230 {
		t.Fatal("the first pixel is no ground")
	}
	diff, fault := compare(faint, want)
	if red := (color.RGBA{220, 0, 0, 255}); fault != "" || diff.RGBAAt(0, 0) != red || diff.RGBAAt(1, 0) == red {
		t.Errorf("one pixel of 25 levels: %q, %v", fault, diff.RGBAAt(0, 0))
	}
	for name, change := range map[string]func(l *Lines, s *Style){
		"no label":   func(l *Lines, _ *Style) { l.YLabel = "" },
		"no title":   func(l *Lines, _ *Style) { l.Title = "" },
		"a name":     func(l *Lines, _ *Style) { l.Series[0].Name = "tail 7" },
		"no series":  func(l *Lines, _ *Style) { l.Series = l.Series[:2] },
		"theme":      func(_ *Lines, s *Style) { s.Theme = "dark" },
		"finer":      func(_ *Lines, s *Style) { s.DPI++ },
		"other data": func(l *Lines, _ *Style) { l.Series[1].Y = slices.Clone(l.Series[0].Y) },
	} {
		l, s := sampleLines(3, 20), style
		change(l, &s)
		if _, fault := compare(drawPNG(t, l, s), want); fault == "" {
			t.Errorf("%s: passes", name)
		}
	}
}
