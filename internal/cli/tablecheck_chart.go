package cli

import (
	"fmt"
	"math"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// normsChart draws norms with what was found marked: one table, or a panel each.
func normsChart(curves []*analysis.NormCurve, o *outputFlags) figure.Chart {
	var of []posemb.Origin
	for _, c := range curves {
		of = append(of, c.Origin)
	}
	title, names := legend(of)
	if len(curves) == 1 {
		l := normLines(curves[0], o)
		l.Title = title
		return l
	}
	cols := min(4, int(math.Ceil(math.Sqrt(float64(len(curves))))))
	g := &figure.Panels{Title: title, Rows: (len(curves) + cols - 1) / cols, Cols: cols, Free: true}
	for i, c := range curves {
		l := normLines(c, o)
		l.Title = names[i]
		g.Charts = append(g.Charts, l)
	}
	return g
}

// leastNorms is the least that a y axis of norms spans, as a share of the median: what
// differs by less is not to look like peaks.
const leastNorms = 0.2

// normLines is the norms of one table against position or offset.
func normLines(c *analysis.NormCurve, o *outputFlags) *figure.Lines {
	l := &figure.Lines{
		XLabel:   normAxis(c),
		YLabel:   "norm of the row (units of the table)",
		Series:   []figure.Series{{X: floats(c.At), Y: c.Norm}},
		MarkZero: c.Axis == analysis.NormOffset,
		XFrom:    float64(c.At[0]), // also where rows there have no norm
		XTo:      float64(c.At[len(c.At)-1]),
	}
	if len(c.Axes) == 1 {
		l.Sides = sidesOf(c.Axes[0].Name)
	}
	for _, m := range c.Marks {
		strong := m.Level == analysis.LevelError
		for _, r := range m.Rows {
			l.Spans = append(l.Spans, figure.Span{From: float64(r.From), To: float64(r.To), Name: m.Code, Strong: strong})
		}
	}
	least, most := float64(c.Min.Value), float64(c.Max.Value)
	if room := leastNorms * float64(c.Median); most-least < room {
		mid := least/2 + most/2
		l.YMin, l.YMax = mid-room/2, mid+room/2
	}
	o.setSpan(&l.YMin, &l.YMax)
	return l
}

// normAxis words what norms stand against, which counts as the findings do.
func normAxis(c *analysis.NormCurve) string {
	switch {
	case c.Axis == analysis.NormRow:
		label := "row"
		for i, x := range c.Axes {
			label += []string{" (offsets ", ", "}[min(i, 1)] + x.Name
		}
		return label + " in raster order)"
	case c.Axis == analysis.NormOffset:
		return offsetLabel([]*analysis.Profile{{Axes: c.Axes}})
	case c.Raster.Rows > 0:
		return fmt.Sprintf("position (of a %d x %d grid in raster order)", c.Raster.Rows, c.Raster.Cols)
	case c.Aside:
		return "position (reserved rows left out)"
	}
	return "position"
}

// pictureLines is about how many lines a picture takes in the text of a check.
const pictureLines = 14

// onScreen is a picture of the norms for a terminal, where something was found in rows.
func onScreen(t checkedTable) *figure.Lines {
	if t.norms == nil {
		return nil
	}
	for _, m := range t.norms.Marks {
		if !m.Whole {
			l := normLines(t.norms, &outputFlags{})
			l.YLabel = "norm of the row"
			return l
		}
	}
	return nil
}
