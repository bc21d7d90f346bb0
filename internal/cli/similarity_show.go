package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"poslens/internal/analysis"
	"poslens/internal/checkpoint"
	"poslens/internal/figure"
	"poslens/internal/report"
)

// similarityProduct is a similarity matrix in every form that it was computed for.
func similarityProduct(ctx context.Context, m *analysis.Matrix, span colourSpan, o *outputFlags) *product {
	positions := make([]string, len(m.Positions))
	for i, p := range m.Positions {
		positions[i] = strconv.Itoa(p)
	}
	p := &product{
		command: "similarity",
		text: func(w io.Writer, s screen) error {
			if err := s.table(w, similarityTable(m)); err != nil {
				return err
			}
			fmt.Fprintln(w)
			return s.draw(w, similarityChart(ctx, m, span, o))
		},
		chart: func() figure.Chart { return similarityChart(ctx, m, span, o) },
	}
	if m.Scores == nil {
		return p
	}
	p.matrix = func() *report.Matrix {
		return &report.Matrix{Corner: "position", Cols: positions, Rows: positions, At: m.Scores.At}
	}
	p.results = func() []any { return []any{m} }
	p.npy = func(w io.Writer) error {
		shape := []int{len(positions), len(positions)}
		if m.Scores.Single != nil {
			return checkpoint.WriteNPY(w, shape, m.Scores.Single)
		}
		return checkpoint.WriteNPY(w, shape, m.Scores.Double)
	}
	return p
}

// similarityTable is what the text form says of a matrix too large to print.
func similarityTable(m *analysis.Matrix) *report.Table {
	n := len(m.Positions)
	return &report.Table{
		Cols: []report.Column{{Name: "source"}, {Name: "measure"}, {Name: "positions", Numeric: true}, {Name: "mean_offdiagonal", Numeric: true}, {Name: "min", Numeric: true}, {Name: "max", Numeric: true}},
		Rows: [][]any{{m.Label, m.Measure, n, float64(m.MeanOffdiagonal), float64(m.Min), float64(m.Max)}},
		Notes: []string{
			"mean, min and max are over pairs of different positions; the whole matrix: -f tsv",
		},
	}
}

// similarityChart is the heat map, position 0 at the top left.
func similarityChart(ctx context.Context, m *analysis.Matrix, span colourSpan, o *outputFlags) *figure.Heatmap {
	n := len(m.Positions)
	h := &figure.Heatmap{
		Title:  m.Label,
		XLabel: "position", YLabel: "position",
		ColorLabel: measureLabel(m.Measure, m.Centered),
		Rows:       n, Cols: n,
		X0: m.Positions[0], Y0: m.Positions[0],
		Diverging: m.Measure == analysis.MeasureDot,
	}
	if n > mapped {
		h.ColorLabel = "mean " + h.ColorLabel // of the pairs that share a pixel
	}
	if n <= mapped {
		h.At = m.Scores.At
	} else {
		h.Blocks = func(rows, cols []int) []float64 {
			means, err := m.Means(ctx, rows, cols)
			if err != nil { // ctx is done, and what writes the figure will say so
				means = make([]float64, (len(rows)-1)*(len(cols)-1))
			}
			return means
		}
	}
	if n > 1 {
		h.XStep = m.Positions[1] - m.Positions[0]
		h.YStep = h.XStep
	}
	if m.Measure != analysis.MeasureCosine {
		o.setSpan(&h.Min, &h.Max)
		return h
	}
	h.Min, h.Max = span.lo, span.hi
	switch {
	case span.narrowed: // what lies beyond the ends has a colour that its bar explains
		h.Range = &figure.Range{Least: span.values.Least, Most: span.values.Most, Undefined: m.Undefined(), Sampled: span.sampled}
	case !span.asked:
		h.Range = &figure.Range{Least: -1, Most: 1, Undefined: m.Undefined()}
	}
	return h
}

// similaritySpan is what the colours of a matrix' heat map span, which every form of it
// has alike. Where the mean vector was subtracted, cosines of both signs are left, and
// the whole is spanned.
func similaritySpan(ctx context.Context, m *analysis.Matrix, o *outputFlags) (colourSpan, error) {
	if m.Measure != analysis.MeasureCosine || m.Centered || o.valueRange != "" {
		return o.wholeSpan("cosines", cosines), nil
	}
	values, err := m.Extent(ctx, mapped)
	span := o.spanOf("cosines", cosines, values)
	span.sampled = len(m.Positions) > mapped
	return span, err
}

// measureLabel words a measure for an axis.
func measureLabel(measure string, centered bool) string {
	label := "cosine similarity"
	if measure == analysis.MeasureDot {
		label = "dot product"
	}
	if centered {
		label += ", centred"
	}
	return label
}
