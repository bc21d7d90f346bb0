package figure

import "io"

// Plot is where a chart's data stand on a figure, for a page on which they can be
// read one by one.
type Plot struct {
	X0, Y0, X1, Y1 float64 // the rectangle of the data, in points from the top left corner, which an SVG counts in

	// What the edges of the rectangle stand for, left to right and bottom to top, in
	// places of the chart's XScale. Of a heat map they are all 0: its cells fill the
	// rectangle.
	XMin, XMax, YMin, YMax float64
}

// WritePlots is Write that also tells where the plots stand: one of a *Heatmap, *Lines
// or *Scatter, two of a *Marginal whose page has room for both, of *Tiles that of the map
// beside them, and of *Panels one a chart that is not nil, in their order.
func WritePlots(w io.Writer, format string, c Chart, s Style) (plots []Plot, warnings []string, err error) {
	p, err := write(w, format, c, s)
	if err != nil {
		return nil, nil, err
	}
	return p.plots, p.warnings(), nil
}

// plotted notes the rectangle of a heat map.
func (p *page) plotted(r rect) {
	p.plots = append(p.plots, Plot{X0: r.x0, Y0: r.y0, X1: r.x1, Y1: r.y1})
}

// plottedOn notes the rectangle of lines with their axes.
func (p *page) plottedOn(r rect, a *axes) {
	p.plots = append(p.plots, Plot{r.x0, r.y0, r.x1, r.y1, a.x.lo, a.x.hi, a.y.lo, a.y.hi})
}
