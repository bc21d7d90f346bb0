package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// marginalHelp says what --marginal draws.
const marginalHelp = "draw the mean of each diagonal below the map: the decay over all distances"

// figures are the forms that show a drawing.
var figures = append(slices.Clone(chartForms), "text")

// addMarginal puts the means of the diagonals below the map of a product.
func addMarginal(ctx context.Context, p *product, m *analysis.Matrix, t *posemb.Absolute, opt analysis.SimilarityOptions, span colourSpan, o *outputFlags) error {
	c, err := analysis.Decay(ctx, t, analysis.DecayOptions{SimilarityOptions: opt, All: true, MeanOnly: true, NoSummary: true})
	if err != nil {
		return err
	}
	chart := func() *figure.Marginal {
		return &figure.Marginal{Map: similarityChart(ctx, m, span, o), Curve: marginalCurve(c)}
	}
	p.chart = func() figure.Chart { return chart() }
	p.text = func(w io.Writer, s screen) error {
		if err := s.table(w, similarityTable(m)); err != nil {
			return err
		}
		fmt.Fprintln(w)
		return s.draw(w, chart())
	}
	return nil
}

// marginalCurve draws means over the distance.
func marginalCurve(c *analysis.DecayCurve) *figure.Lines {
	label := "mean cosine"
	if c.Measure == analysis.MeasureDot {
		label = "mean product"
	}
	return &figure.Lines{
		XLabel: "distance from the diagonal (positions)",
		YLabel: label,
		Series: []figure.Series{{X: floats(c.At), Y: c.Mean}},
	}
}

// checkMarginal refuses --marginal where nothing is drawn.
func checkMarginal(forms []string) error {
	if shows(forms, figures...) {
		return nil
	}
	return usagef("--marginal: %s has no drawing; -o FILE.png has one, and poslens decay the numbers", forms[0])
}
