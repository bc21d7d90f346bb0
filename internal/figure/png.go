package figure

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngSheet draws into pixels.
type pngSheet struct {
	canvas
	face
	img     *image.RGBA
	dpi     int
	missing map[rune]bool // characters drawn as boxes
}

func newPNG(s Style, ground color.Color) *pngSheet {
	side := func(inches float64) int { return int(math.Round(inches * float64(s.DPI))) }
	img := image.NewRGBA(image.Rect(0, 0, side(s.Width), side(s.Height)))
	// With an image alone the canvas would draw on a copy of it.
	ctx := gg.NewContextForRGBA(img)
	ctx.SetLineCapButt()
	ctx.InvertY()
	c := vgimg.NewWith(vgimg.UseDPI(s.DPI), vgimg.UseImageWithContext(img, ctx))
	draw.Draw(img, img.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	h := vg.Length(img.Rect.Dy()) * 72 / vg.Length(s.DPI)
	return &pngSheet{canvas{c, h}, *newFace(), img, s.DPI, map[rune]bool{}}
}

func (s *pngSheet) fold(str string) string { return clean(str) }

// text fills the outlines of the glyphs. The library's own text is a picture
// that it blurs when it turns it.
func (s *pngSheet) text(t *word) {
	var path vg.Path
	unit := t.size / float64(s.em)
	start := s.at(t.start())
	for _, g := range t.glyphs {
		if g.index == 0 {
			s.missing[g.r] = true
		}
		segments, err := s.font.LoadGlyph(&s.buf, g.index, s.em, nil)
		if err != nil {
			continue
		}
		place := func(q fixed.Point26_6) vg.Point {
			x, y := g.x*t.size+float64(q.X)*unit, -float64(q.Y)*unit
			if t.up {
				x, y = -y, x
			}
			return vg.Point{X: start.X + vg.Length(x), Y: start.Y + vg.Length(y)}
		}
		for i, seg := range segments {
			switch seg.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					path.Close()
				}
				path.Move(place(seg.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(place(seg.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(place(seg.Args[0]), place(seg.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(place(seg.Args[0]), place(seg.Args[1]), place(seg.Args[2]))
			}
		}
		if len(segments) > 0 {
			path.Close()
		}
	}
	if len(path) > 0 {
		s.SetColor(t.color)
		s.Fill(path)
	}
}

func (s *pngSheet) cells(r rect, g *grid) {
	px := func(v float64) int { return int(math.Round(v * float64(s.dpi) / 72)) }
	x0, y0 := px(r.x0), px(r.y0)
	table := g.table()
	v := g.view(px(r.x1)-x0, px(r.y1)-y0)
	for y, line := range g.lines(v) {
		row := s.img.Pix[s.img.PixOffset(x0, y0+y):]
		for x, i := range line {
			c := table[i]
			pixel := row[4*x : 4*x+4]
			pixel[0], pixel[1], pixel[2], pixel[3] = c.R, c.G, c.B, c.A
		}
	}
}

func (s *pngSheet) warnings() []string {
	if len(s.missing) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("png: the font has no %s; drawn as a box (svg keeps it)", listRunes(s.missing))}
}

func (s *pngSheet) encode() ([]byte, error) { return pngFile(s.img, s.dpi) }
