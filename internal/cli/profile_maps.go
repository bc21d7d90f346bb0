package cli

import (
	"cmp"
	"fmt"
	"strings"

	"poslens/internal/analysis"
	"poslens/internal/figure"
)

// profileMaps is one map of (dy, dx), or of the cells of a window, a head, all on one
// scale. Several tables make a grid of tables by heads, the longer side across; of one
// map each, they are laid out like the heads of one.
func profileMaps(profiles []*analysis.Profile, o *outputFlags) figure.Chart {
	title, names := legend(origins(profiles))
	if c := profiles[0].Cell; c != nil {
		title = strings.TrimPrefix(fmt.Sprintf("%s, query in row %d, column %d", title, c.Row, c.Col), ", ")
	}
	p := &figure.Panels{Title: title, ColorLabel: quantityLabel(profiles)}
	var oneRow bool
	p.Rows, p.Cols, oneRow = mapSides(profiles)
	if oneRow {
		for t, prof := range profiles {
			for _, h := range prof.Heads {
				p.Charts = append(p.Charts, headMap(prof, h, cmp.Or(names[t], headTitle(h)), o))
			}
		}
		return p
	}
	across := p.Cols == len(profiles) && p.Rows != len(profiles)
	if heads := commonHeads(profiles); heads != nil {
		p.RowNames, p.ColNames = names, heads
		if across {
			p.RowNames, p.ColNames = heads, names
		}
	}
	p.Charts = make([]figure.Chart, p.Rows*p.Cols)
	for t, prof := range profiles {
		for i, h := range prof.Heads {
			at := t*p.Cols + i
			if across {
				at = i*p.Cols + t
			}
			title := headTitle(h)
			if i == 0 {
				title = names[t] + " h" + h.Head // short: panels are narrow
			}
			p.Charts[at] = headMap(prof, h, title, o)
		}
	}
	return p
}

// commonHeads are the titles of the heads at each place of the tables; nil where the
// tables have different ones there.
func commonHeads(profiles []*analysis.Profile) []string {
	var titles []string
	for _, p := range profiles {
		for i, h := range p.Heads {
			if i == len(titles) {
				titles = append(titles, headTitle(h))
			} else if titles[i] != headTitle(h) {
				return nil
			}
		}
	}
	return titles
}

// mapSides is how the maps of profiles are laid out: oneRow, one behind the other like
// the heads of one table, or tables by heads with the longer side across.
func mapSides(profiles []*analysis.Profile) (rows, cols int, oneRow bool) {
	heads, all := 0, 0
	for _, p := range profiles {
		heads, all = max(heads, len(p.Heads)), all+len(p.Heads)
	}
	if len(profiles) == 1 || heads == 1 {
		cols = panelColumns(all)
		return (all + cols - 1) / cols, cols, true
	}
	return min(len(profiles), heads), max(len(profiles), heads), false
}

// mostMaps is how many maps a figure holds along a side.
const mostMaps = 100

// tooManyMaps tells whether profiles have more maps than a figure holds.
func tooManyMaps(profiles []*analysis.Profile) bool {
	rows, cols, _ := mapSides(profiles)
	return len(profiles[0].Axes) == 2 && max(rows, cols) > mostMaps
}

const tooManyMapsHint = "--head H,H,... takes some heads, --mean draws their mean, --along dy or --along dx lines"

// mapsFault is the error of a figure of too many maps.
func mapsFault(profiles []*analysis.Profile) error {
	names := profiles[0].Label
	if n := len(profiles); n > 1 {
		names += fmt.Sprintf(" and %d more", n-1)
	}
	rows, cols, _ := mapSides(profiles)
	return &hinted{fmt.Errorf("%s: %d x %d maps, and a figure holds %d a side", names, rows, cols, mostMaps), tooManyMapsHint}
}

// headTitle names a head by itself; a mean is no head.
func headTitle(h analysis.HeadProfile) string {
	if h.Head == "mean" {
		return "mean"
	}
	return "head " + h.Head
}

// headMap is the map of one head, dy or rows down and dx or columns to the right.
func headMap(p *analysis.Profile, h analysis.HeadProfile, title string, o *outputFlags) *figure.Heatmap {
	dy, dx := p.Axes[0], p.Axes[1]
	first := p.Place(analysis.Offset{dy.Min, dx.Min})
	m := &figure.Heatmap{
		Title:  title,
		XLabel: dx.Name + " (key − query, cells)", YLabel: dy.Name + " (key − query, cells)", ColorLabel: p.Quantity,
		Rows: dy.Len(), Cols: dx.Len(), X0: first[1], Y0: first[0],
		At:        func(r, c int) float64 { return h.Score[r*dx.Len()+c] },
		Diverging: p.Quantity == analysis.QuantityScore,
	}
	if p.Cell != nil {
		m.XLabel, m.YLabel = "column of the key", "row of the key"
	}
	o.setSpan(&m.Min, &m.Max)
	return m
}

// panelColumns arranges n panels in a shape a little wider than high.
func panelColumns(n int) int {
	cols := 1
	for cols*cols < n {
		cols++
	}
	return cols
}
