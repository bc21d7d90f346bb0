// Package figure draws a small vocabulary of charts as PNG, SVG and PDF, over
// the canvases of gonum/plot, and as text for the terminal. It knows nothing
// of what the numbers mean.
package figure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Style is how a figure looks, whatever it shows. The zero Style is a figure
// for a paper at the chart's own size.
type Style struct {
	Width, Height float64 // inches, 1 to 50; 0 means the chart's default (6 x 5 for a heat map, 6 x 4 for lines), or its shape where the other side is given
	DPI           int     // pixels per inch of a PNG, 30 to 1200, and 100 million pixels in all; 0 means 150
	Theme         string  // one of Themes; "" means paper
	Palette       string  // one of Palettes; "" means viridis, or diverging where the chart is
	Title         string  // replaces the chart's title unless empty
	Untitled      bool    // the figure has no title at all; those of charts on a board stay
}

// Chart is the content of a figure: a *Heatmap, *Marginal, *Lines, *Scatter, *Tiles,
// *Panels or *Board.
type Chart interface {
	check() error
	defaultSize() (width, height float64) // inches
	draw(p *page)
	block(t Terminal) block
}

// shaped is a chart whose shape depends on how wide it is for its type.
type shaped interface {
	// shapeAt is its default size on a page of a width in inches, whose type is kind times
	// as large as on paper; what counts is the shape.
	shapeAt(width, kind float64) (w, h float64)
}

// The bounds of a figure: inches, pixels per inch, and pixels in all.
const (
	minInches, maxInches = 1, 50
	minDPI, maxDPI       = 30, 1200
	maxPixels            = 100e6
)

// Formats lists what Write can write.
func Formats() []string { return []string{"png", "svg", "pdf"} }

// Write draws c and writes it to w in one of Formats. The same chart and style
// give the same bytes. Warnings tell what the format could not show, such as
// characters that its font lacks. A chart or a style that can't be drawn is an error
// before anything is written.
func Write(w io.Writer, format string, c Chart, s Style) (warnings []string, err error) {
	_, warnings, err = WritePlots(w, format, c, s)
	return warnings, err
}

// write draws c, writes it, and gives the page that it stands on.
func write(w io.Writer, format string, c Chart, s Style) (p *page, err error) {
	defer func() {
		// The plot and PDF libraries panic on what they can't draw.
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("figure: %s can't be drawn: %v", format, r)
		}
	}()
	if !slices.Contains(Formats(), format) {
		return nil, fmt.Errorf("figure: unknown format %q; one of %s", format, strings.Join(Formats(), ", "))
	}
	if err := checkChart(c); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	p, err = newPage(format, c, s)
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	c.draw(p)
	b, err := p.encode()
	if err != nil {
		return nil, fmt.Errorf("figure: %s: %w", format, err)
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	return p, nil
}

// checkChart is c.check for a chart that may be nil, or a nil pointer.
func checkChart(c Chart) error {
	if c == nil || reflect.ValueOf(c).IsNil() {
		return errors.New("no chart")
	}
	return c.check()
}

// resolve fills in the defaults of s for a chart, and checks the bounds.
func (s Style) resolve(format string, c Chart) (Style, error) {
	if err := s.Check(); err != nil {
		return s, err
	}
	// One side alone keeps the chart's own shape.
	w, h := c.defaultSize()
	switch {
	case s.Width == 0 && s.Height == 0:
		s.Width, s.Height = w, h
	case s.Width == 0:
		s.Width = min(max(s.Height*w/h, minInches), maxInches)
	case s.Height == 0:
		if c, ok := c.(shaped); ok {
			w, h = c.shapeAt(s.Width, themeOf(s.Theme).kind)
		}
		s.Height = min(max(s.Width*h/w, minInches), maxInches)
	}
	if s.DPI == 0 {
		s.DPI = 150
	}
	wide, high := math.Round(s.Width*float64(s.DPI)), math.Round(s.Height*float64(s.DPI))
	if format == "png" && wide*high > maxPixels {
		return s, fmt.Errorf("%g x %g inches at %d dpi are %.0f million pixels, more than %.0f; fewer dpi, or svg or pdf",
			s.Width, s.Height, s.DPI, wide*high/1e6, maxPixels/1e6)
	}
	if s.Theme == "" {
		s.Theme = "paper"
	}
	return s, nil
}

// Check finds what no figure can have: sides, dots per inch, a palette or a theme
// out of their bounds. Zero values are defaults and pass.
func (s Style) Check() error {
	for _, side := range []struct {
		name   string
		inches float64
	}{{"width", s.Width}, {"height", s.Height}} {
		if side.inches != 0 && !(side.inches >= minInches && side.inches <= maxInches) {
			return fmt.Errorf("%s %g: a figure is %d to %d inches", side.name, side.inches, minInches, maxInches)
		}
	}
	if s.DPI != 0 && (s.DPI < minDPI || s.DPI > maxDPI) {
		return fmt.Errorf("%d dpi: a figure has %d to %d", s.DPI, minDPI, maxDPI)
	}
	if s.Palette != "" && !slices.Contains(Palettes(), s.Palette) {
		return fmt.Errorf("unknown palette %q; one of %s", s.Palette, strings.Join(Palettes(), ", "))
	}
	if s.Theme != "" && !slices.Contains(Themes(), s.Theme) {
		return fmt.Errorf("unknown theme %q; one of %s", s.Theme, strings.Join(Themes(), ", "))
	}
	return nil
}
