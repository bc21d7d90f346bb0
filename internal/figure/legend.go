package figure

import (
	"fmt"
	"image/color"
)

// legend tells series apart. A few stand in columns above the plot; many form
// a strip of colours beside it, in their order.
type legend struct {
	entries []entry
	shown   []entry // those with a name, as it is shown
	byName  map[string]int
	ofMany  bool // a strip
	size    float64
	columns int
	cell    float64 // width of a column
	cutTo   float64 // width of a name
}

type entry struct {
	name           string
	color          color.NRGBA
	dashed, banded bool
}

// newLegend gives every series of the charts its colour: those of one name
// in several charts share it.
func newLegend(p *page, charts []*Lines) *legend {
	k := &legend{byName: map[string]int{}, size: p.size}
	for _, l := range charts {
		for i, key := range seriesKeys(l) {
			if _, ok := k.byName[key]; !ok {
				s := l.Series[i]
				k.byName[key] = len(k.entries)
				k.entries = append(k.entries, entry{name: p.fold(s.Name), dashed: s.Dashed, banded: s.Lo != nil})
			}
		}
	}
	k.ofMany = len(k.entries) > len(p.theme.series)
	for i, c := range p.colors(len(k.entries), palette(p.style.Palette, false)) {
		k.entries[i].color = c
	}
	return k
}

// seriesKeys tells series of one name apart by their order.
func seriesKeys(l *Lines) []string {
	keys := make([]string, len(l.Series))
	seen := map[string]int{}
	for i, s := range l.Series {
		keys[i] = fmt.Sprintf("%d %s", seen[s.Name], s.Name)
		seen[s.Name]++
	}
	return keys
}

// of gives the colours of a chart's series.
func (k *legend) of(l *Lines) []color.NRGBA {
	colors := make([]color.NRGBA, len(l.Series))
	for i, key := range seriesKeys(l) {
		colors[i] = k.entries[k.byName[key]].color
	}
	return colors
}

// series is how many there are, named or not.
func (k *legend) series() int { return len(k.entries) }

const sample = 1.8 // ems of line before a name

// fit arranges the legend for a plot of about a size.
func (k *legend) fit(p *page, width, height float64) {
	k.shown, k.columns = nil, 0
	for _, e := range k.entries {
		if e.name != "" {
			k.shown = append(k.shown, e)
		}
	}
	if len(k.shown) == 0 || p.compact() {
		return
	}
	if k.columnsFor(p, width, height); k.cutTo < k.widest(p) {
		for i, name := range apart(k.names()) {
			k.shown[i].name = name
		}
		k.columnsFor(p, width, height)
	}
}

// columnsFor sets the columns and how wide names may be.
func (k *legend) columnsFor(p *page, width, height float64) {
	n, widest := len(k.shown), k.widest(p)
	if k.ofMany {
		k.columns = 1
		k.cutTo = min(widest, 0.25*width)
		return
	}
	extra := (sample + 0.5 + 1.2) * k.size
	rows := max(1, int(0.3*height/k.line())) // at most
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
	case k.ofMany:
		return 0, (1+0.9+0.4)*k.size + k.cutTo
	default:
		return float64(k.rows())*k.line() + 0.2*k.size, 0
	}
}

// draw draws the legend of the plot r, y being where its room above begins.
func (k *legend) draw(p *page, r rect, y float64) {
	switch {
	case k.columns == 0:
	case k.ofMany:
		k.drawStrip(p, r)
	default:
		rows := k.rows()
		for i, e := range k.shown {
			x := r.x0 + float64(i/rows)*k.cell
			mid := y + (float64(i%rows)+0.5)*k.line()
			end := x + sample*k.size
			if e.banded {
				p.fill(rect{x, mid - 0.35*k.size, end, mid + 0.35*k.size}, bandColor(e.color, len(k.entries)))
			}
			p.stroke([]point{{x, mid}, {end, mid}}, 1.5, e.dashed, e.color)
			p.text(p.cut(e.name, k.size, k.cutTo), point{end + 0.5*k.size, mid}, 0, 0.5, k.size, false, p.ink)
		}
	}
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

// bandColor is the colour of a band among a number of series.
func bandColor(c color.NRGBA, series int) color.NRGBA {
	if c.A = 0x38; series > 8 {
		c.A = 0x14
	}
	return c
}
