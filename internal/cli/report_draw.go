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
	file := style
	wait.Go(func() { s.warnings, err = figure.Write(&s.figure, o.format, p.chart(), file) })
	var lightErr, darkErr error
	style = onPageStyle(p.chart(), style)
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

// onPageStyle has charts of one plot drawn small, for type that can be read on the screen
// of a phone, which shows them no larger. A size that was asked for stays.
func onPageStyle(c figure.Chart, s figure.Style) figure.Style {
	const inches = 4
	switch c.(type) {
	case *figure.Heatmap, *figure.Lines:
		if s.Width == 0 && s.Height == 0 {
			s.Width = inches
		}
	}
	return s
}

// chartKind is what a chart is, for those who do not see it.
func chartKind(c figure.Chart) string {
	switch c := c.(type) {
	case *figure.Heatmap:
		return "Heat map"
	case *figure.Tiles:
		return "Tiles, with a heat map beside them"
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
	title, _, _ := strings.Cut(pg.Title, ": ") // whose it is is the section's heading
	f := report.PageFigure{
		Title: printable(title),
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
