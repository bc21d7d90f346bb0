package figure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image/color"
	"image/png"
	"math"
	"strconv"
)

// svgSheet writes an SVG with real text, each word anchored where it is
// aligned, so that another font than ours does no harm. (vgsvg of gonum/plot
// anchors all words at their start, and lets viewers smooth images.)
type svgSheet struct{ bytes.Buffer }

func newSVG(w, h float64) *svgSheet {
	s := &svgSheet{}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" `+
		`width="%spt" height="%spt" viewBox="0 0 %s %s" font-family="'Liberation Sans',Arial,Helvetica,sans-serif">`+"\n",
		num(w), num(h), num(w), num(h))
	return s
}

// num writes a coordinate to a hundredth of a point.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64)
}

func (s *svgSheet) fold(str string) string { return clean(str) }

func (s *svgSheet) warnings() []string { return nil }

// paint is the attributes for a colour; what is fill or stroke.
func paint(what string, c color.NRGBA) string {
	a := fmt.Sprintf(` %s="#%02x%02x%02x"`, what, c.R, c.G, c.B)
	if c.A != 0xff {
		a += fmt.Sprintf(` %s-opacity="%s"`, what, num(float64(c.A)/0xff))
	}
	return a
}

func pathData(pts []point) string {
	var d []byte
	for i, q := range pts {
		d = append(d, "ML"[min(i, 1)])
		d = append(d, num(q.x)...)
		d = append(d, ' ')
		d = append(d, num(q.y)...)
	}
	return string(d)
}

func (s *svgSheet) polygon(pts []point, c color.NRGBA) {
	fmt.Fprintf(s, `<path d="%sZ"%s/>`+"\n", pathData(pts), paint("fill", c))
}

func (s *svgSheet) line(pts []point, width float64, dashed bool, c color.NRGBA) {
	dashes := ""
	if dashed {
		dashes = fmt.Sprintf(` stroke-dasharray="%s %s"`, num(dash*width), num(dashGap*width))
	}
	fmt.Fprintf(s, `<path d="%s" fill="none" stroke-width="%s" stroke-linejoin="round"%s%s/>`+"\n",
		pathData(pts), num(width), dashes, paint("stroke", c))
}

func (s *svgSheet) text(t *word) {
	anchor := "start"
	switch t.align {
	case 0.5:
		anchor = "middle"
	case 1:
		anchor = "end"
	}
	x, y := num(t.at.x), num(t.at.y)
	turn := ""
	if t.up {
		turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, x, y)
	}
	fmt.Fprintf(s, `<text x="%s" y="%s" font-size="%s" text-anchor="%s"%s%s>%s</text>`+"\n",
		x, y, num(t.size), anchor, turn, paint("fill", t.color), html.EscapeString(t.s))
}

func (s *svgSheet) cells(r rect, g *grid) {
	fmt.Fprintf(s, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" xlink:href="data:image/png;base64,`,
		num(r.x0), num(r.y0), num(r.w()), num(r.h()))
	e := base64.NewEncoder(base64.StdEncoding, s)
	if err := png.Encode(e, g.picture(r, nil)); err != nil {
		panic(err) // a buffer takes all
	}
	e.Close()
	s.WriteString("\"/>\n")
}

func (s *svgSheet) encode() ([]byte, error) {
	s.WriteString("</svg>\n")
	return s.Bytes(), nil
}
