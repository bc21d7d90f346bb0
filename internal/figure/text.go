package figure

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/width"
)

// sans is the one typeface of all figures, parsed when first used. Its widths
// are those of Arial and Helvetica.
var sans = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		panic(err) // the font is compiled in
	}
	return f
})

// Heights of the typeface, in ems.
const (
	capHeight = 0.69
	descent   = 0.22
)

// face measures text, and gives its outlines, in units of the font.
type face struct {
	font *opentype.Font
	buf  sfnt.Buffer
	em   fixed.Int26_6
}

func newFace() *face {
	f := sans()
	return &face{font: f, em: fixed.Int26_6(f.UnitsPerEm())}
}

// glyph is a character's place in a line of text.
type glyph struct {
	r     rune
	index sfnt.GlyphIndex // 0 where the font lacks it
	x     float64         // ems from the start
}

// set sets a line of text and gives its width in ems.
func (f *face) set(s string) (glyphs []glyph, width float64) {
	em := float64(f.em)
	var last sfnt.GlyphIndex
	for _, r := range s {
		i, err := f.font.GlyphIndex(&f.buf, r)
		if err != nil {
			i = 0
		}
		if i != 0 && last != 0 {
			if k, err := f.font.Kern(&f.buf, last, i, f.em, font.HintingNone); err == nil {
				width += float64(k) / em
			}
		}
		glyphs = append(glyphs, glyph{r, i, width})
		a, err := f.font.GlyphAdvance(&f.buf, i, f.em, font.HintingNone)
		switch {
		case i == 0 && columns(r) != 1: // as wide as another font will make it
			width += float64(columns(r)) / 2
		case err == nil:
			width += float64(a) / em
		}
		last = i
	}
	return glyphs, width
}

// clean makes any string one line of plain text: no control characters (which
// would be commands to a terminal and faults in XML), no broken UTF-8.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		case r == utf8.RuneError, r&0xfffe == 0xfffe:
			return utf8.RuneError
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// shorten cuts the middle out of s until fits says that the rest fits. What
// fits by a few characters only becomes "".
func shorten(s string, fits func(string) bool) string {
	if s == "" || fits(s) {
		return s
	}
	r := []rune(s)
	cut := func(n int) string { // n characters of s and an ellipsis
		head := (n + 1) / 2
		return strings.TrimRight(string(r[:head]), " ") + "…" + strings.TrimLeft(string(r[len(r)-(n-head):]), " ")
	}
	lo, hi := 0, len(r)-1 // cut(hi) does not fit, or is not known to
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if fits(cut(mid)) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo < 3 { // tells nothing
		return ""
	}
	return cut(lo)
}

// unbracketed is s without what stands in brackets at its end.
func unbracketed(s string) string {
	if at := strings.LastIndex(s, " ("); at > 0 && strings.HasSuffix(s, ")") {
		return s[:at]
	}
	return s
}

// apart cuts off what all names begin with and end with, whole words of it, so
// that what is left tells them apart.
func apart(names []string) []string {
	if len(names) < 2 {
		return names
	}
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	first := []rune(names[0])
	head, tail := len(first), len(first)
	for _, s := range names[1:] {
		r := []rune(s)
		i := 0
		for i < min(head, len(r)) && r[i] == first[i] {
			i++
		}
		j := 0
		for j < min(tail, len(r)) && r[len(r)-1-j] == first[len(first)-1-j] {
			j++
		}
		head, tail = i, j
	}
	for head > 0 && isWord(first[head-1]) {
		head--
	}
	for tail > 0 && isWord(first[len(first)-tail]) {
		tail--
	}
	cut := make([]string, len(names))
	for i, s := range names {
		r := []rune(s)
		if head+tail >= len(r) {
			return names
		}
		cut[i] = string(r[head : len(r)-tail])
		if head > 0 {
			cut[i] = "…" + cut[i]
		}
		if tail > 0 {
			cut[i] += "…"
		}
	}
	return cut
}

// columns is how many columns of a terminal a character takes.
func columns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
