package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// legend tells series apart. A few stand in columns above the plot; many form
// a strip of colours beside it, in their order.
type legend struct {
	entries []entry
	shown   []entry // those with a name, as it is shown
	byName  map[string]int
	colours int  // how many there are: of all series, named or not, but those that belong to others
	ofMany  bool // a strip
	size    float64
	columns int
	cell    float64 // width of a column
	cutTo   float64 // width of a name
	table   *families
}

type entry struct {
	name           string
	of             int // whose colour it has, itself unless it belongs to another
	color          color.NRGBA
	dashed, banded bool
	dots           bool // points without a line
}

// newLegend gives every series of the charts its colour: those of one name
// in several charts share it.
func newLegend(p *page, charts []*Lines) *legend {
	k := &legend{byName: map[string]int{}, size: p.size}
	for _, l := range charts {
		for i, key := range seriesKeys(l) {
			if _, ok := k.byName[key]; !ok {
				s := l.Series[i]
				n := len(k.entries)
				k.byName[key] = n
				k.entries = append(k.entries, entry{name: p.fold(s.Name), of: n, dashed: s.Dashed, banded: s.Lo != nil, dots: s.dots()})
			}
		}
	}
	for _, l := range charts {
		k.relate(p, l)
	}
	for i, e := range k.entries {
		if e.of == i {
			k.colours++
		}
	}
	k.ofMany = k.colours > len(p.theme.series)
	colors := p.colors(k.colours, palette(p.style.Palette, false))
	for i := range k.entries {
		if k.entries[i].of == i {
			k.entries[i].color, colors = colors[0], colors[1:]
		}
	}
	for i, e := range k.entries {
		if e.of != i {
			k.entries[i].color = mixed(k.entries[e.of].color, p.ink)
		}
	}
	return k
}

// relate finds the series that a chart's series belong to, and shortens their names
// by what the colour says.
func (k *legend) relate(p *page, l *Lines) {
	for i, key := range seriesKeys(l) {
		of := l.Series[i].Of
		owner, ok := k.byName[seriesKey(0, of)]
		own := k.byName[key]
		if of == "" || !ok || owner == own || k.entries[owner].of != owner || k.entries[own].of != own || k.owns(own) {
			continue
		}
		k.entries[own].of = owner
		if rest, ok := strings.CutPrefix(l.Series[i].Name, of+": "); ok && p.fold(rest) != "" {
			k.entries[own].name = p.fold(rest)
		}
	}
}

// owns tells whether others belong to an entry.
func (k *legend) owns(i int) bool {
	for j, e := range k.entries {
		if j != i && e.of == i {
			return true
		}
	}
	return false
}

// seriesKeys tells series of one name apart by their order.
func seriesKeys(l *Lines) []string {
	keys := make([]string, len(l.Series))
	seen := map[string]int{}
	for i, s := range l.Series {
		keys[i] = seriesKey(seen[s.Name], s.Name)
		seen[s.Name]++
	}
	return keys
}

func seriesKey(n int, name string) string { return fmt.Sprintf("%d %s", n, name) }

// of gives the colours of a chart's series.
func (k *legend) of(l *Lines) []color.NRGBA {
	colors := make([]color.NRGBA, len(l.Series))
	for i, key := range seriesKeys(l) {
		colors[i] = k.entries[k.byName[key]].color
	}
	return colors
}

// The distances of a legend, in ems.
const (
	sample    = 1.8 // the piece of line before a name
	sampleGap = 0.5 // from there to the name
	entryGap  = 1.2 // to the next entry
)

// besides is what an entry takes besides its name.
func (k *legend) besides() float64 { return (sample + sampleGap + entryGap) * k.size }

// fit arranges the legend for a plot of about a size.
func (k *legend) fit(p *page, width, height float64) {
	k.shown, k.columns, k.table = nil, 0, nil
	for i, e := range k.entries {
		if e.name != "" && !(k.ofMany && e.of != i) {
			k.shown = append(k.shown, e)
		}
	}
	if len(k.shown) == 0 || p.compact() {
		return
	}
	if k.table = k.familiesFor(p, width); k.table != nil {
		k.columns = 1
		return
	}
	const few, more = 0.3, 0.42 // of the height: as a rule, and where that saves names from being cut
	if k.columnsFor(p, width, few*height); k.cut(p) {
		whole := k.names()
		for i, name := range apart(whole) {
			k.shown[i].name = name
		}
		if k.columnsFor(p, width, few*height); k.cut(p) {
			if k.columnsFor(p, width, more*height); k.cut(p) {
				k.dropBrackets(whole)
				k.columnsFor(p, width, few*height)
			}
		}
	}
}

// dropBrackets shows names without what stands in brackets at their ends, where there is
// any and no two are the same without it.
func (k *legend) dropBrackets(whole []string) {
	names := make([]string, len(whole))
	for i, s := range whole {
		names[i] = unbracketed(s)
	}
	if slices.Equal(names, whole) || distinct(names) < distinct(whole) {
		return
	}
	for i := range k.shown {
		k.shown[i].name = names[i]
	}
}

// cut tells that names are to be shortened.
func (k *legend) cut(p *page) bool { return k.cutTo < k.widest(p) }

// columnsFor sets the columns, of a height at most, and how wide names may be.
func (k *legend) columnsFor(p *page, width, height float64) {
	n, widest := len(k.shown), k.widest(p)
	if k.ofMany {
		k.columns = 1
		k.cutTo = min(widest, 0.25*width)
		return
	}
	extra := k.besides()
	rows := max(1, int(height/k.line())) // at most
	k.columns = max(1, min(n, int(width/(widest+extra))), (n+rows-1)/rows)
	rows = (n + k.columns - 1) / k.columns
	k.columns = (n + rows - 1) / rows
	k.cell = min(widest+extra, width/float64(k.columns))
	k.cutTo = k.cell - extra + 1e-6
}

func (k *legend) names() []string {
	names := make([]string, len(k.shown))
	for i, e := range k.shown {
		names[i] = e.name
	}
	return names
}

func (k *legend) widest(p *page) float64 { return p.widest(k.names(), k.size) }

// line is the height of a row.
func (k *legend) line() float64 { return 1.45 * k.size }

// rows is how many entries stand in a column.
func (k *legend) rows() int { return (len(k.shown) + k.columns - 1) / k.columns }

// room is what the legend takes above the plot and right of it.
func (k *legend) room() (above, right float64) {
	switch {
	case k.columns == 0:
		return 0, 0
	case k.table != nil:
		return float64(k.table.rows)*k.line() + 0.2*k.size, 0
	case k.ofMany:
		return 0, (1+0.9+0.4)*k.size + k.cutTo
	default:
		return float64(k.rows())*k.line() + 0.2*k.size, 0
	}
}

// across is how wide the legend above the plot is.
func (k *legend) across() float64 {
	switch {
	case k.columns == 0 || k.ofMany:
		return 0
	case k.table != nil:
		return k.table.width - entryGap*k.size
	}
	return float64(k.columns)*k.cell - entryGap*k.size
}

// draw draws the legend of the plot r, y being where its room above begins.
func (k *legend) draw(p *page, r rect, y float64) {
	switch {
	case k.columns == 0:
	case k.ofMany:
		k.drawStrip(p, r)
	case k.table != nil:
		for i, e := range k.shown {
			at := k.table.places[i]
			k.drawEntry(p, e, r.x0+at.x, y+(at.row+0.5)*k.line(), at.cutTo)
		}
	default:
		rows := k.rows()
		for i, e := range k.shown {
			k.drawEntry(p, e, r.x0+float64(i/rows)*k.cell, y+(float64(i%rows)+0.5)*k.line(), k.cutTo)
		}
	}
}

// drawEntry draws a sample of a line, or of its dots, from x on, mid its middle, and its name.
func (k *legend) drawEntry(p *page, e entry, x, mid, cutTo float64) {
	end := x + sample*k.size
	if e.banded {
		p.fill(rect{x, mid - 0.35*k.size, end, mid + 0.35*k.size}, bandColor(e.color, k.colours))
	}
	if e.dots {
		p.dot(point{(x + end) / 2, mid}, 3*1.5, e.color)
	} else {
		p.stroke([]point{{x, mid}, {end, mid}}, 1.5, e.dashed, e.color)
	}
	p.text(p.cut(e.name, k.size, cutTo), point{end + sampleGap*k.size, mid}, 0, 0.5, k.size, false, p.ink)
}

// drawStrip draws one block of colour a series, the first on top, and as many
// names as fit beside them.
func (k *legend) drawStrip(p *page, r rect) {
	x := p.snap(r.x1 + k.size)
	wide := p.snap(x + 0.9*k.size)
	block := min((r.y1-r.y0)/float64(len(k.shown)), 1.6*k.size)
	every := 1
	for float64(every)*block < 1.25*k.size {
		every++
	}
	for i, e := range k.shown {
		y0, y1 := p.snap(r.y0+float64(i)*block), p.snap(r.y0+float64(i+1)*block)
		p.fill(rect{x, y0, wide, y1}, e.color)
		if i%every == 0 {
			p.text(p.cut(e.name, k.size, k.cutTo), point{wide + 0.4*k.size, (y0 + y1) / 2}, 0, 0.5, k.size, false, p.ink)
		}
	}
}

// mixed is the shade between a colour and the ink: a fit is seen on the data that it
// meets.
func mixed(c, ink color.NRGBA) color.NRGBA {
	half := func(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }
	return color.NRGBA{half(c.R, ink.R), half(c.G, ink.G), half(c.B, ink.B), c.A}
}

// bandColor is the colour of a band among a number of series.
func bandColor(c color.NRGBA, series int) color.NRGBA {
	if c.A = 0x38; series > 8 {
		c.A = 0x14
	}
	return c
}
