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

// axisPanels draws a row of panels a table, a panel an axis, a line a head.
func axisPanels(all [][]*analysis.Profile, o *outputFlags) *figure.Panels {
	g := &figure.Panels{Rows: len(all), Cols: len(all[0])}
	for _, axes := range all {
		for i, p := range axes {
			l := &figure.Lines{
				XLabel: p.Axes[0].Name + " (key - query)", YLabel: p.Quantity, MarkZero: true,
			}
			if i == 0 && len(all) > 1 {
				l.Title = p.Label
			}
			for _, h := range p.Heads {
				s := figure.Series{Name: "head " + h.Head, Y: h.Score}
				for _, k := range p.Offsets {
					s.X = append(s.X, float64(k[0]))
				}
				l.Series = append(l.Series, s)
			}
			o.setSpan(&l.YMin, &l.YMax)
			g.Charts = append(g.Charts, l)
		}
	}
	return g
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
