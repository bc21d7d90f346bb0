package figure

import (
	"fmt"
	"image/color"
	"math"
)

// point is a place on a page, rect a part of it: points (1/72 inch) from the
// top left corner, y downwards.
type point struct{ x, y float64 }

type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) w() float64 { return r.x1 - r.x0 }
func (r rect) h() float64 { return r.y1 - r.y0 }

// sheet is one output format.
type sheet interface {
	fold(s string) string // what the format can show of s
	polygon(pts []point, c color.NRGBA)
	line(pts []point, width float64, dashed bool, c color.NRGBA)
	text(t *word)
	cells(r rect, g *grid)
	encode() ([]byte, error)
	warnings() []string
}

// word is a line of text to be drawn.
type word struct {
	s      string
	glyphs []glyph
	at     point   // on the baseline
	align  float64 // the share of the text that lies before at
	width  float64 // points
	size   float64 // points
	up     bool    // reads from bottom to top
	color  color.NRGBA
}

// start is where the baseline begins.
func (t *word) start() point {
	if t.up {
		return point{t.at.x, t.at.y + t.align*t.width}
	}
	return point{t.at.x - t.align*t.width, t.at.y}
}

// page is what charts are drawn on: a sheet with a theme and a type size.
type page struct {
	sheet
	face
	theme
	w, h    float64 // points
	px      float64 // points per pixel; 0 where the format has none
	slack   float64 // how much wider than measured text may turn out
	size    float64 // type size in points
	style   Style
	ems     map[string]float64 // the widths of what was measured, of type of size 1
	plots   []Plot             // what was drawn, in order
	aside   float64            // the least room left of a plot for its axes, of charts below each other
	onBoard bool               // one of several, which begin at one height and, below each other, at one edge
}

// leastType is the least type size in points that a figure on paper has: that of the
// smallest print of a journal.
const leastType = 6

// lesser is a share of a type size, but no less than a figure's least, nor more than it.
func lesser(share, size float64) float64 { return max(share*size, min(size, leastType)) }

func newPage(format string, c Chart, s Style) (*page, error) {
	s, err := s.resolve(format, c)
	if err != nil {
		return nil, err
	}
	p := &page{face: *newFace(), theme: themeOf(s.Theme), slack: 1, w: 72 * s.Width, h: 72 * s.Height, style: s, ems: map[string]float64{}}
	p.size, p.weight = typeFor(p.w, p.h, p.kind), p.weight*weightFor(p.w, p.h)
	switch format {
	case "png":
		sheet := newPNG(s, p.ground)
		p.px, p.sheet = 72/float64(s.DPI), sheet
		p.w, p.h = float64(sheet.img.Rect.Dx())*p.px, float64(sheet.img.Rect.Dy())*p.px
	case "svg":
		p.sheet = newSVG(p.w, p.h)
		p.slack = viewerSlack // the viewer may have wider letters only
	case "pdf":
		p.sheet = newPDF(p.w, p.h)
	default:
		return nil, fmt.Errorf("unknown format %q", format)
	}
	if format != "png" {
		p.fill(rect{0, 0, p.w, p.h}, p.ground)
	}
	return p, nil
}

// grown is how much larger sides in points are than those of lines on paper by default,
// 6 x 4 inches.
func grown(w, h float64) float64 { return math.Sqrt(min(w/432, h/288)) }

// typeFor is the type size on a page, or a part of one, whose sides are points and whose
// type is kind times as large as on paper.
func typeFor(w, h, kind float64) float64 { return kind * max(leastType, 9.5*grown(w, h)) }

// weightFor is how much thicker its lines are than by default.
func weightFor(w, h float64) float64 { return max(0.6, min(2, grown(w, h))) }

// snap moves a coordinate to the nearest edge between pixels.
func (p *page) snap(v float64) float64 {
	if p.px == 0 {
		return v
	}
	return math.Round(v/p.px) * p.px
}

func (p *page) fill(r rect, c color.NRGBA) {
	p.polygon([]point{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}, c)
}

// rule draws a level or upright line, sharp on the pixels, centred on its
// place. Its width is in points at the size of paper.
func (p *page) rule(x0, y0, x1, y1, width float64, c color.NRGBA) {
	width *= p.weight
	if p.px > 0 {
		width = max(1, math.Round(width/p.px)) * p.px
	}
	half := width / 2
	r := rect{x0, p.snap(y0 - half), x1, 0}
	r.y1 = r.y0 + width
	if x0 == x1 {
		r = rect{p.snap(x0 - half), y0, 0, y1}
		r.x1 = r.x0 + width
	}
	p.fill(r, c)
}

// stroke draws a line through points, of a width in points at the size of
// paper.
func (p *page) stroke(pts []point, width float64, dashed bool, c color.NRGBA) {
	p.line(pts, width*p.weight, dashed, c)
}

// dot draws a disc as wide as d points at the size of paper.
func (p *page) dot(at point, d float64, c color.NRGBA) {
	const corners = 24
	pts := make([]point, corners)
	for i := range pts {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		pts[i] = point{at.x + cos*d*p.weight/2, at.y + sin*d*p.weight/2}
	}
	p.polygon(pts, c)
}

// width is the width of s in points.
func (p *page) width(s string, size float64) float64 {
	w, known := p.ems[s]
	if !known { // the panels of a figure ask for the same names again and again
		_, w = p.set(p.fold(s))
		p.ems[s] = w
	}
	return w * size * p.slack
}

// widest is the width of the widest string.
func (p *page) widest(labels []string, size float64) (w float64) {
	for _, s := range labels {
		w = max(w, p.width(s, size))
	}
	return w
}

// cut shortens s to a width.
func (p *page) cut(s string, size, width float64) string {
	return shorten(p.fold(s), func(s string) bool { return p.width(s, size) <= width+1e-6 })
}

// cutLabel shortens the label of an axis or a title to a width: what stands in brackets
// at its end goes before the middle does.
func (p *page) cutLabel(s string, size, width float64) string {
	if s = p.fold(s); p.width(s, size) > width+1e-6 {
		s = unbracketed(s)
	}
	return p.cut(s, size, width)
}

// text writes s so that the point at lies at the share ax of its length (0 the
// start, 1 the end) and at the share ay of its capitals' height (0 the top, 1
// the baseline). With up it reads from bottom to top.
func (p *page) text(s string, at point, ax, ay, size float64, up bool, c color.NRGBA) {
	s = p.fold(s)
	if s == "" {
		return
	}
	glyphs, w := p.set(s)
	if down := (1 - ay) * capHeight * size; up {
		at.x = p.snap(at.x + down)
	} else {
		at.y = p.snap(at.y + down)
	}
	p.sheet.text(&word{s, glyphs, at, ax, w * size, size, up, c})
}
