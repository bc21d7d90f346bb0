package cli

import (
	"cmp"
	"fmt"
	"io"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
	"poslens/internal/report"
)

// profileProduct is a set of profiles in every form.
func profileProduct(profiles []*analysis.Profile, o *outputFlags) *product {
	return &product{
		command: "profile",
		text:    func(w io.Writer, s screen) error { return writeProfile(w, profiles, o, s) },
		table:   func() *report.Table { return profileTable(profiles) },
		results: func() []any { return each(profiles) },
		chart:   func() figure.Chart { return profileChart(profiles, o) },
	}
}

// readable is how many rows of values people are shown; the forms for programs
// have all.
const readable = 50

// writeProfile shows profiles to people: the values when they are few, the
// picture, and last what each head comes to.
func writeProfile(w io.Writer, profiles []*analysis.Profile, o *outputFlags, s screen) error {
	if t := profileTable(profiles); len(t.Rows) <= readable {
		if err := report.WriteText(w, t, s.width); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := figure.WriteTerminal(w, profileChart(profiles, o), figure.Terminal{Width: s.width, Color: s.color}); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return report.WriteText(w, profileSummary(profiles), s.width)
}

// profileTable is the long form: a row a source, head and offset.
func profileTable(profiles []*analysis.Profile) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "head"}}}
	for _, x := range profiles[0].Axes {
		t.Cols = append(t.Cols, report.Column{Name: x.Name, Numeric: true})
	}
	t.Cols = append(t.Cols, report.Column{Name: profiles[0].Quantity, Numeric: true})
	band := profiles[0].Heads[0].Lo != nil
	if band {
		t.Cols = append(t.Cols, report.Column{Name: "lo", Numeric: true}, report.Column{Name: "hi", Numeric: true})
	}
	for _, p := range profiles {
		for _, h := range p.Heads {
			for i, score := range h.Score {
				row := []any{p.Label, h.Head}
				for _, k := range p.Offsets[i] {
					row = append(row, k)
				}
				row = append(row, score)
				if band {
					row = append(row, h.Lo[i], h.Hi[i])
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// profileSummary is one row of figures a head.
func profileSummary(profiles []*analysis.Profile) *report.Table {
	t := &report.Table{Cols: []report.Column{
		{Name: "source"}, {Name: "head"}, {Name: "peak"}, {Name: "peak_score", Numeric: true},
		{Name: "back", Numeric: true, Digits: 3}, {Name: "here", Numeric: true, Digits: 3}, {Name: "ahead", Numeric: true, Digits: 3},
		{Name: "asymmetry", Numeric: true, Digits: 3}, {Name: "reach_90", Numeric: true},
	}}
	_, names := legend(origins(profiles))
	for i, p := range profiles {
		for _, h := range p.Heads {
			t.Rows = append(t.Rows, []any{cmp.Or(names[i], p.Label), h.Head, h.PeakText(), float64(h.PeakScore), float64(h.MassBack), float64(h.MassHere), float64(h.MassAhead), float64(h.Asymmetry), float64(h.Reach90)})
		}
	}
	t.Notes = []string{"back, here, ahead: shares of the softmax over the window; reach_90: smallest K with 90 % of it in |offset| <= K. More: poslens help metrics"}
	return t
}

// profileChart draws one-axis profiles as lines, and two-axis ones as a map a
// head.
func profileChart(profiles []*analysis.Profile, o *outputFlags) figure.Chart {
	if len(profiles[0].Axes) == 2 {
		return profileMaps(profiles, o)
	}
	title, names := legend(origins(profiles))
	l := &figure.Lines{Title: title, XLabel: "offset (key - query, positions)", YLabel: profiles[0].Quantity, MarkZero: true}
	for i, p := range profiles {
		for _, h := range p.Heads {
			s := figure.Series{Name: headName(names[i], h, len(p.Heads)), Y: h.Score, Lo: h.Lo, Hi: h.Hi, Steps: p.Steps}
			for _, k := range p.Offsets {
				s.X = append(s.X, float64(k[0]))
			}
			l.Series = append(l.Series, s)
		}
	}
	o.setSpan(&l.YMin, &l.YMax)
	return l
}

// headName names a head by what tells it from the others.
func headName(table string, h analysis.HeadProfile, heads int) string {
	switch {
	case heads == 1:
		return table
	case table == "":
		return "head " + h.Head
	}
	return table + ", head " + h.Head
}

// origins are where profiles came from.
func origins(profiles []*analysis.Profile) []posemb.Origin {
	var of []posemb.Origin
	for _, p := range profiles {
		of = append(of, p.Origin)
	}
	return of
}

// profileMaps is one map of (dy, dx) a head, all on one scale. Several tables
// make a grid of tables by heads, the longer side across.
func profileMaps(profiles []*analysis.Profile, o *outputFlags) figure.Chart {
	title, names := legend(origins(profiles))
	p := &figure.Panels{Title: title, ColorLabel: profiles[0].Quantity}
	if len(profiles) == 1 {
		for _, h := range profiles[0].Heads {
			p.Charts = append(p.Charts, headMap(profiles[0], h, "head "+h.Head, o))
		}
		p.Cols = panelColumns(len(p.Charts))
		p.Rows = (len(p.Charts) + p.Cols - 1) / p.Cols
		return p
	}
	heads := 0
	for _, prof := range profiles {
		heads = max(heads, len(prof.Heads))
	}
	p.Rows, p.Cols = len(profiles), heads
	across := len(profiles) > heads
	if across {
		p.Rows, p.Cols = heads, len(profiles)
	}
	p.Charts = make([]figure.Chart, p.Rows*p.Cols)
	for t, prof := range profiles {
		for i, h := range prof.Heads {
			at := t*p.Cols + i
			if across {
				at = i*p.Cols + t
			}
			title := "head " + h.Head
			if i == 0 {
				title = names[t] + " h" + h.Head // short: panels are narrow
			}
			p.Charts[at] = headMap(prof, h, title, o)
		}
	}
	return p
}

// headMap is the map of one head, dy down and dx to the right.
func headMap(p *analysis.Profile, h analysis.HeadProfile, title string, o *outputFlags) *figure.Heatmap {
	dy, dx := p.Axes[0], p.Axes[1]
	m := &figure.Heatmap{
		Title:  title,
		XLabel: "dx (key - query)", YLabel: "dy (key - query)", ColorLabel: p.Quantity,
		Rows: dy.Len(), Cols: dx.Len(), X0: dx.Min, Y0: dy.Min,
		At:        func(r, c int) float64 { return h.Score[r*dx.Len()+c] },
		Diverging: p.Quantity == "score",
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
