package cli

import (
	"bytes"
	"strings"
	"sync"

	"poslens/internal/figure"
	"poslens/internal/report"
)

// sheet is a product with its figure drawn.
type sheet struct {
	*product
	figure      bytes.Buffer
	warnings    []string
	light, dark string // on the page; empty: there is none
	plots       []report.Plot
	note        string // what of the plots is left out
	kind        string // of the chart, in a word or two
}

// draw draws a product's figure: the file and, where there will be a page, the
// drawings on it, side by side.
func (b *book) draw(p *product) (*sheet, error) {
	o := &b.how.figures
	s := &sheet{product: p}
	style := o.style()
	var err error
	if b.how.only == "figures" {
		s.warnings, err = figure.Write(&s.figure, o.format, p.chart(), style)
		return s, err
	}
	var wait sync.WaitGroup
	wait.Go(func() { s.warnings, err = figure.Write(&s.figure, o.format, p.chart(), style) })
	var lightErr, darkErr error
	wait.Go(func() {
		var w bytes.Buffer
		var at []figure.Plot
		c := p.chart()
		at, _, lightErr = figure.WritePlots(&w, "svg", c, style)
		s.light, s.kind = w.String(), chartKind(c)
		if lightErr == nil {
			s.plots, s.note = plotsOf(c, at)
		}
	})
	if style.Theme == "" { // the reader's system decides
		wait.Go(func() {
			var w bytes.Buffer
			dark := style
			dark.Theme = "dark"
			_, darkErr = figure.Write(&w, "svg", p.chart(), dark)
			s.dark = w.String()
		})
	}
	wait.Wait()
	for _, e := range []error{err, lightErr, darkErr} {
		if e != nil {
			return nil, e
		}
	}
	return s, nil
}

// chartKind is what a chart is, for those who do not see it.
func chartKind(c figure.Chart) string {
	switch c := c.(type) {
	case *figure.Heatmap:
		return "Heat map"
	case *figure.Panels:
		for _, of := range c.Charts {
			if of != nil {
				return chartKind(of) + "s side by side"
			}
		}
	}
	return "Line chart"
}

// onPage is a drawn figure as the page shows it.
func (s *sheet) onPage(pg page) report.PageFigure {
	f := report.PageFigure{
		Title: printable(pg.Title),
		Alt:   s.kind + ". " + printable(pg.Title) + ".",
		Light: s.light,
		Dark:  s.dark,
		Plots: s.plots,
		Files: []string{pg.Figure},
	}
	for _, line := range pg.Caption {
		f.Caption = append(f.Caption, printable(line))
	}
	if len(f.Caption) > 0 {
		f.Alt += " " + f.Caption[0]
	}
	if s.note != "" {
		f.Caption = append(f.Caption, s.note)
	}
	if pg.Data != "" {
		f.Files = append(f.Files, pg.Data)
	}
	f.Alt = strings.TrimSpace(f.Alt)
	return f
}
