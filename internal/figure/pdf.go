package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// pdfSheet draws a PDF with its font embedded and its text in Windows-1252.
type pdfSheet struct {
	canvas
	doc     *vgpdf.Canvas
	widths  map[int]bool  // of the images so far, all different: the library sorts by them
	missing map[rune]bool // characters replaced
}

// steadyPDF takes the time and the order of maps out of every PDF. The library
// has no other place to say so than its globals.
var steadyPDF = sync.OnceFunc(func() {
	day := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(day)
	fpdf.SetDefaultModificationDate(day)
	fpdf.SetDefaultCatalogSort(true)
})

func newPDF(w, h float64) *pdfSheet {
	steadyPDF()
	doc := vgpdf.New(vg.Length(w), vg.Length(h))
	return &pdfSheet{canvas{separate{doc}, vg.Length(h)}, doc, map[int]bool{}, map[rune]bool{}}
}

// separate hands over channels that are not multiplied by alpha, which is what
// vgpdf takes them for.
type separate struct{ *vgpdf.Canvas }

func (s separate) SetColor(c color.Color) { s.Canvas.SetColor(separateColor{c}) }

type separateColor struct{ color.Color }

func (s separateColor) RGBA() (r, g, b, a uint32) {
	c := color.NRGBAModel.Convert(s.Color).(color.NRGBA)
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}

// spelled is how characters that Windows-1252 lacks are written in it.
var spelled = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("−", "–", "≤", "<=", "≥", ">=", "≈", "~", "→", "->", "←", "<-",
		"α", "alpha", "β", "beta", "γ", "gamma", "δ", "delta", "Δ", "Delta", "θ", "theta", "λ", "lambda",
		"π", "pi", "ρ", "rho", "σ", "sigma", "Σ", "Sum", "τ", "tau", "φ", "phi", "ω", "omega", "√", "sqrt", "∞", "inf")
})

func (s *pdfSheet) fold(str string) string {
	str = clean(str)
	for _, r := range str {
		if _, ok := charmap.Windows1252.EncodeRune(r); !ok && r != '−' {
			s.missing[r] = true
		}
	}
	return strings.Map(func(r rune) rune {
		if _, ok := charmap.Windows1252.EncodeRune(r); ok {
			return r
		}
		return '?'
	}, spelled().Replace(str))
}

func (s *pdfSheet) warnings() []string {
	if len(s.missing) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("pdf: text is Windows-1252, which has no %s; spelled out or written as ? (svg keeps it)", listRunes(s.missing))}
}

// text scales one size of the font to every size, since vgpdf prepares each
// size anew, at 20 ms a piece.
func (s *pdfSheet) text(t *word) {
	const prepared = 10
	encoded, err := charmap.Windows1252.NewEncoder().String(t.s)
	if err != nil {
		panic(err) // fold left nothing else
	}
	s.SetColor(t.color)
	s.Push()
	s.Translate(s.at(t.start()))
	if t.up {
		s.Rotate(math.Pi / 2)
	}
	s.Scale(t.size/prepared, t.size/prepared)
	s.FillString(font.Face{Font: font.Font{Typeface: "LiberationSans", Size: prepared}, Face: sans()}, vg.Point{}, encoded)
	s.Pop()
}

// cells turns the picture over, as vgpdf has its images upside down.
func (s *pdfSheet) cells(r rect, g *grid) {
	s.Push()
	s.Translate(s.at(point{r.x0, r.y0}))
	s.Scale(1, -1)
	s.DrawImage(vg.Rectangle{Max: vg.Point{X: vg.Length(r.w()), Y: vg.Length(r.h())}}, g.picture(r, s.widths))
	s.Pop()
}

func (s *pdfSheet) encode() ([]byte, error) {
	var b bytes.Buffer
	_, err := s.doc.WriteTo(&b)
	return b.Bytes(), err
}

// listRunes names a few characters of a set, in order.
func listRunes(set map[rune]bool) string {
	const few = 5
	var all []rune
	for r := range set {
		all = append(all, r)
	}
	slices.Sort(all)
	list := string(all[:min(few, len(all))])
	if len(all) > few {
		return fmt.Sprintf("%q and %d more characters", list, len(all)-few)
	}
	return fmt.Sprintf("%q", list)
}
