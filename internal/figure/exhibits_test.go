package figure

import (
	"fmt"
	"math"
)

// exhibit is a small sample of one kind of chart. Its numbers are made up.
type exhibit struct {
	name  string
	chart Chart
}

// exhibits are every kind of chart, in the order of the sheet.
func exhibits() []exhibit {
	title := func(name string, c Chart) exhibit {
		entitle(c, name)
		return exhibit{name, c}
	}

	gaps := ragged(42, 60)
	gaps.XLabel, gaps.YLabel, gaps.Diverging, gaps.Min, gaps.Max = "offset of columns", "offset of rows", true, -1, 1
	gaps.X0, gaps.Y0 = -30, -21
	values := namedMap(5, 5, "step ")
	values.YLabel, values.Decimals = "", 2
	heads := sampleLines(12, 64)
	heads.XScale = Symlog
	for i := range heads.Series {
		heads.Series[i].Lo, heads.Series[i].Hi, heads.Series[i].Steps = nil, nil, i%2 == 0
	}
	norms := markedLines(Span{0, 0, "norm-outliers", false}, Span{31, 31, "zero-rows", true}, Span{70, 100, "untrained-rows", true}, Span{70, 100, "change-point", false}, Span{44, 46, "duplicate-rows", true})
	for x := range norms.Series[0].Y {
		switch y := &norms.Series[0].Y[x]; {
		case x == 0:
			*y = 4
		case x == 31:
			*y = 0
		case x >= 70:
			*y = 0.4
		default:
			*y += 0.6 * math.Sin(float64(x)/11)
		}
	}
	maps := samplePanels(2, 3, func(i int) Chart { m := sampleMap(20, 20); m.Title = fmt.Sprint("head ", i); return m })
	lines := samplePanels(2, 2, func(i int) Chart { l := sampleLines(2, 30); l.Title = fmt.Sprint("layer ", i); return l })
	ring, near := circle(60), sampleMap(24, 24)
	ring.YLabel, near.Title = "component 1", "cosine similarity"
	board := &Board{Cols: 2, Charts: []Chart{powerLaw(), sampleLines(3, 30), ring, near}}

	apart := sampleLines(3, 40)
	for i := range apart.Series {
		for k := range apart.Series[i].Y {
			apart.Series[i].Y[k] -= 0.3 * float64(i)
		}
		apart.Series[i].Lo, apart.Series[i].Hi = nil, nil
	}

	return []exhibit{
		title("heat map", sampleMap(128, 128)),
		title("heat map, diverging", gaps),
		title("heat map, values", values),
		title("heat map, marginal", diagonals()),
		title("lines", sampleLines(4, 40)),
		title("lines, apart", apart),
		title("lines, fitted", fitted()),
		title("lines, symlog", heads),
		title("lines, log", powerLaw()),
		title("scatter", circle(96)),
		title("scatter, raster", bent(10, 10)),
		title("tiles", nearTiles(6)),
		title("panels of maps", maps),
		title("panels, named", manyHeads()),
		title("panels of lines", lines),
		title("board", board),
		title("lines, marked", norms),
	}
}

// entitle gives a chart a title, or takes it away.
func entitle(c Chart, title string) {
	switch c := c.(type) {
	case *Heatmap:
		c.Title = title
	case *Marginal:
		c.Map.Title = title
	case *Lines:
		c.Title = title
	case *Scatter:
		c.Title = title
	case *Panels:
		c.Title = title
	case *Tiles:
		c.Title = title
	case *Board:
		c.Title = title
	}
}

// diagonals is a heat map with the mean of each of its diagonals below it.
func diagonals() *Marginal {
	const n = 48
	m := sampleMap(n, n)
	mean := Series{}
	for k := range n {
		sum := 0.0
		for i := range n - k {
			sum += m.At(i, i+k)
		}
		mean.X, mean.Y = append(mean.X, float64(k)), append(mean.Y, sum/float64(n-k))
	}
	m.XLabel, m.YLabel = "position", "position"
	return &Marginal{Map: m, Curve: &Lines{XLabel: "distance from the diagonal (positions)", YLabel: "mean cosine", Series: []Series{mean}}}
}

// fitted is curves over a distance, of which two have a fit.
func fitted() *Lines {
	l := &Lines{XLabel: "distance (positions)", YLabel: "mean cosine similarity"}
	for i, name := range []string{"first run", "second run", "random"} {
		s := Series{Name: name}
		fit := Series{Name: name + ": exponential, l = 12", Dashed: true, Of: name}
		for x := range 50 {
			y := math.Exp(-float64(x) * float64(i+1) / 24)
			s.X, s.Y = append(s.X, float64(x)), append(s.Y, y+0.03*math.Sin(float64(x)/2))
			fit.X, fit.Y = append(fit.X, float64(x)), append(fit.Y, y)
		}
		l.Series = append(l.Series, s)
		if i < 2 {
			l.Series = append(l.Series, fit)
		}
	}
	return l
}

// manyHeads is the maps of 12 layers of 12 heads, with the names of both.
func manyHeads() *Panels {
	g := samplePanels(12, 12, func(i int) Chart {
		m := sampleMap(15, 15)
		m.X0, m.Y0, m.XLabel, m.YLabel = -7, -7, "dx", "dy"
		m.At = func(r, c int) float64 { return math.Exp(-float64((r-7)*(r-7)+(c-7)*(c-7)) / float64(2+i)) }
		return m
	})
	for i := range 12 {
		g.RowNames = append(g.RowNames, fmt.Sprint("layer ", i))
		g.ColNames = append(g.ColNames, fmt.Sprint("head ", i))
	}
	return g
}

// bent is the points of a raster on a bent sheet.
func bent(rows, cols int) *Scatter {
	s := raster(rows, cols)
	for i := range s.X {
		r, c := float64(i/cols), float64(i%cols)
		s.X[i], s.Y[i] = c+0.2*r, r-0.08*(c-4)*(c-4)
	}
	return s
}

// nearTiles falls with the distance of two cells of an n x n grid, with a map of
// that beside the tiles.
func nearTiles(n int) *Tiles {
	near := func(dy, dx int) float64 { return math.Exp(-float64(dy*dy+2*dx*dx) / 9) }
	t := sampleTiles(n, n, 1, 1)
	t.Min, t.Max = 0, 1
	t.At = func(i, j, r, c int) float64 { return near(t.TileRows[i]-r, t.TileCols[j]-c) }
	t.Beside = &Heatmap{
		Title: "by offset", XLabel: "columns apart", YLabel: "rows apart", Rows: 2*n - 1, Cols: 2*n - 1, X0: 1 - n, Y0: 1 - n,
		At: func(r, c int) float64 { return near(r-n+1, c-n+1) }, Max: 1,
	}
	return t
}
