package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"

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
	c := vgimg.NewWith(
		vgimg.UseWH(vg.Length(72*s.Width), vg.Length(72*s.Height)),
		vgimg.UseDPI(s.DPI), vgimg.UseBackgroundColor(ground),
	)
	img := c.Image().(*image.RGBA)
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
	g.paint(s.img, image.Rect(px(r.x0), px(r.y0), px(r.x1), px(r.y1)))
}

func (s *pngSheet) warnings() []string {
	if len(s.missing) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("png: the font has no %s; drawn as a box (svg keeps it)", listRunes(s.missing))}
}

func (s *pngSheet) encode() ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, s.img); err != nil {
		return nil, err
	}
	return withDPI(b.Bytes(), s.dpi), nil
}

// withDPI adds to a PNG the chunk that tells its pixels per metre, right after
// the header.
//
//	https://www.w3.org/TR/png-3/#11pHYs
func withDPI(file []byte, dpi int) []byte {
	const header = 8 + 4 + 4 + 13 + 4 // signature and IHDR
	perMetre := uint32(math.Round(float64(dpi) / 0.0254))
	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs"...)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))

	out := make([]byte, 0, len(file)+len(chunk))
	out = append(out, file[:header]...)
	out = append(out, chunk...)
	return append(out, file[header:]...)
}
