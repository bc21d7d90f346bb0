package cli

import (
	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/report"
)

// axisProfiles are the profiles along each axis of two-axis tables.
func axisProfiles(profiles []*analysis.Profile) ([][]*analysis.Profile, error) {
	var all [][]*analysis.Profile
	for _, p := range profiles {
		var axes []*analysis.Profile
		for axis := range p.Axes {
			along, err := analysis.AxisProfile(p, axis)
			if err != nil {
				return nil, err
			}
			axes = append(axes, along)
		}
		all = append(all, axes)
	}
	return all, nil
}

// axisPanels draws a panel a table and axis, a line a head. More than two tables
// stand side by side.
func axisPanels(all [][]*analysis.Profile, o *outputFlags) *figure.Panels {
	axes := len(all[0])
	g := &figure.Panels{Rows: len(all), Cols: axes}
	across := len(all) > axes
	if across {
		g.Rows, g.Cols = axes, len(all)
	}
	var first []*analysis.Profile
	for _, of := range all {
		first = append(first, of[0])
	}
	title, names := legend(origins(first))
	g.Title = title
	if across {
		g.ColNames = names
	}
	g.Charts = make([]figure.Chart, len(all)*axes)
	for t, of := range all {
		for i, p := range of {
			l := axisLines(p, o)
			if i == 0 {
				l.Title = names[t]
			}
			if across {
				g.Charts[i*g.Cols+t] = l
			} else {
				g.Charts[t*g.Cols+i] = l
			}
		}
	}
	return g
}

// axisLines draws the heads of a profile along one axis.
func axisLines(p *analysis.Profile, o *outputFlags) *figure.Lines {
	l := &figure.Lines{XLabel: offsetLabel([]*analysis.Profile{p}), YLabel: p.Quantity, MarkZero: true}
	l.Sides = sidesOf(p.Axes[0].Name)
	for _, h := range p.Heads {
		s := figure.Series{Name: headTitle(h), Y: h.Score}
		for _, k := range p.Offsets {
			s.X = append(s.X, float64(k[0]))
		}
		l.Series = append(l.Series, s)
	}
	o.setSpan(&l.YMin, &l.YMax)
	return l
}

// sidesOf words the two sides of an axis of a picture; others look back and ahead.
func sidesOf(axis string) [2]string {
	switch axis {
	case "dy":
		return [2]string{"above", "below"}
	case "dx":
		return [2]string{"left", "right"}
	}
	return [2]string{}
}

// axisTable is the long form: a row a source, head, axis and offset.
func axisTable(all [][]*analysis.Profile) *report.Table {
	t := &report.Table{Cols: []report.Column{{Name: "source"}, {Name: "head"}, {Name: "axis"}, {Name: "offset", Numeric: true}, {Name: all[0][0].Quantity, Numeric: true}}}
	for _, axes := range all {
		for _, p := range axes {
			for _, h := range p.Heads {
				for i, k := range p.Offsets {
					t.Rows = append(t.Rows, []any{p.Label, h.Head, p.Axes[0].Name, k[0], h.Score[i]})
				}
			}
		}
	}
	return t
}
