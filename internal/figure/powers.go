package figure

import "strings"

// A number with a power of ten, such as 1e−7, is set as 10 with a raised exponent, in
// these shares of the type size.
const (
	raisedSize = 0.72
	raisedBy   = 0.36
)

// power parts a number's text as a scale writes it: "2.5e−7" is "2.5×10" and "−7",
// and "1e5" is "10" and "5". ok is false for all other text, which is set as it is.
func power(label string) (base, exponent string, ok bool) {
	m, e, found := strings.Cut(label, "e")
	digits := strings.TrimPrefix(e, "−")
	if !found || digits == "" || m == "" || strings.Trim(digits, "0123456789") != "" || strings.Trim(m, "−.0123456789") != "" {
		return label, "", false
	}
	switch m {
	case "1":
		return "10", e, true
	case "−1":
		return "−10", e, true
	}
	return m + "×10", e, true
}

// numberWidth is the width of a number in points.
func (p *page) numberWidth(label string, size float64) float64 {
	base, exponent, ok := power(label)
	if !ok {
		return p.width(label, size)
	}
	return p.width(base, size) + p.width(exponent, raisedSize*size)
}

// widestNumber is the width of the widest of the numbers at some ticks.
func (p *page) widestNumber(ticks []tick, size float64) (w float64) {
	for _, t := range ticks {
		w = max(w, p.numberWidth(t.label, size))
	}
	return w
}

// number writes a number so that the point at lies at the share ax of its length and
// the share ay of its digits' height, as text does. It is two words, since the formats
// have no font with all the small digits.
func (p *page) number(label string, at point, ax, ay, size float64) {
	base, exponent, ok := power(label)
	if !ok {
		p.text(label, at, ax, ay, size, false, p.soft)
		return
	}
	at.x += p.width(base, size) - ax*p.numberWidth(label, size) // where they meet
	p.text(base, at, 1, ay, size, false, p.soft)
	at.y += (1 - ay) * capHeight * size // the baseline
	p.text(exponent, point{at.x, at.y - raisedBy*size}, 0, 1, raisedSize*size, false, p.soft)
}
