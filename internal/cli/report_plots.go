package cli

import (
	"math"
	"strings"

	"poslens/internal/figure"
	"poslens/internal/report"
)

// What a page holds of a figure for its reader to point at: blocks of a map's cells
// along a side, and the values of all curves of a figure.
const (
	mostBlocks = 256
	mostValues = 60_000
)

// plotsOf are the data of a chart that stands on a drawing at some places. note says
// what of them is left out.
func plotsOf(c figure.Chart, at []figure.Plot) (plots []report.Plot, note string) {
	charts, names := []figure.Chart{c}, []string{""}
	switch g := c.(type) {
	case *figure.Panels:
		charts, names = nil, nil
		for i, c := range g.Charts {
			if c != nil {
				charts, names = append(charts, c), append(names, inline(g.NameOf(i)))
			}
		}
	case *figure.Tiles:
		charts = []figure.Chart{g.Beside}
	}
	if len(charts) != len(at) {
		return nil, ""
	}
	values := 0
	for i, c := range charts {
		box := [4]float64{at[i].X0, at[i].Y0, at[i].X1, at[i].Y1}
		for k, v := range box {
			box[k] = math.Round(100*v) / 100
		}
		var p report.Plot
		switch c := c.(type) {
		case *figure.Heatmap:
			p = mapPlot(c)
			values += len(p.Cells.Values)
			if p.Cells.Rows < c.Rows || p.Cells.Cols < c.Cols {
				note = "Point at the map for the means of blocks of its cells; the data file, where there is one, has every cell."
			}
		case *figure.Lines:
			p = linesPlot(c, at[i])
			for _, s := range p.Series {
				values += len(s.Y)
			}
		default:
			return nil, ""
		}
		p.Box = box
		if p.Title = names[i]; len(charts) == 1 {
			p.Title = ""
		}
		plots = append(plots, p)
	}
	if values > max(mostValues, mostBlocks*mostBlocks) {
		return nil, "Its values are too many to be read on this page; the data file has them."
	}
	return plots, note
}

// mapPlot is a heat map's cells, or means of blocks of them.
func mapPlot(h *figure.Heatmap) report.Plot {
	down, across := edges(h.Rows), edges(h.Cols)
	return report.Plot{
		X:     report.PlotAxis{Name: unitless(h.XLabel), First: h.X0, Step: max(1, h.XStep), Count: h.Cols, Names: inlines(h.XNames)},
		Y:     report.PlotAxis{Name: unitless(h.YLabel), First: h.Y0, Step: max(1, h.YStep), Count: h.Rows, Names: inlines(h.YNames)},
		Value: strings.TrimPrefix(h.ColorLabel, "mean "), // the page says of which it is a mean
		Cells: report.NewCells(len(down)-1, len(across)-1, blockMeans(h, down, across)),
	}
}

// edges shares n cells among blocks, as report.Cells has them.
func edges(n int) []int {
	blocks := min(n, mostBlocks)
	e := make([]int, blocks+1)
	for i := range e {
		e[i] = i * n / blocks
	}
	return e
}

// blockMeans are the means of the defined cells in each block, NaN without any.
func blockMeans(h *figure.Heatmap, down, across []int) []float64 {
	if h.Blocks != nil {
		return h.Blocks(down, across)
	}
	var means []float64
	for i := range len(down) - 1 {
		for j := range len(across) - 1 {
			sum, n := 0.0, 0
			for r := down[i]; r < down[i+1]; r++ {
				for c := across[j]; c < across[j+1]; c++ {
					if v := h.At(r, c); v == v {
						sum += v
						n++
					}
				}
			}
			means = append(means, sum/float64(n))
		}
	}
	return means
}

// linesPlot is the curves of a chart.
func linesPlot(l *figure.Lines, at figure.Plot) report.Plot {
	p := report.Plot{
		X: report.PlotAxis{Name: unitless(l.XLabel), Min: at.XMin, Max: at.XMax},
		Y: report.PlotAxis{Name: strings.TrimSuffix(l.YLabel, quartileBand), Min: at.YMin, Max: at.YMax},
	}
	for _, s := range l.Series {
		p.Series = append(p.Series, report.Curve{Name: inline(s.Name), X: s.X, Y: s.Y, Lo: s.Lo, Hi: s.Hi})
	}
	return p
}

// unitless is an axis' name without what stands in brackets behind it.
func unitless(label string) string {
	name, _, _ := strings.Cut(label, " (")
	return name
}
