package cli

import (
	"fmt"
	"slices"
	"testing"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// Maps of tables by heads have the names of both at their rows and columns; where the
// tables have different heads each map keeps its own.
func TestProfileMapsNames(t *testing.T) {
	table := func(label string, heads ...string) *analysis.Profile {
		p := &analysis.Profile{Axes: []posemb.Axis{{Name: "dy"}, {Name: "dx"}}}
		p.Label = label
		for _, h := range heads {
			p.Heads = append(p.Heads, analysis.HeadProfile{Head: h})
		}
		return p
	}
	heads := []string{"head 0", "head 1", "head 2"}
	for _, c := range []struct {
		tables     []*analysis.Profile
		rows, cols []string
	}{
		{[]*analysis.Profile{table("a", "0", "1", "2"), table("b", "0", "1")}, []string{"a", "b"}, heads},
		{[]*analysis.Profile{table("a", "0", "1"), table("b", "0", "1"), table("c", "0")}, heads[:2], []string{"a", "b", "c"}},
		{[]*analysis.Profile{table("a", "0", "1"), table("b", "0", "5")}, nil, nil},
		{[]*analysis.Profile{table("a", "0", "1")}, nil, nil},
	} {
		p, ok := profileMaps(c.tables, &outputFlags{}).(*figure.Panels)
		if !ok || !slices.Equal(p.RowNames, c.rows) || !slices.Equal(p.ColNames, c.cols) {
			t.Errorf("%s: rows %q, columns %q, want %q and %q", fmt.Sprint(len(c.tables), " tables"), p.RowNames, p.ColNames, c.rows, c.cols)
		}
	}
}

// A fit is drawn in the colour of the line that it fits.
func TestFitOfItsLine(t *testing.T) {
	best := analysis.Fit{Model: "exponential", Converged: true}
	for _, name := range []string{"", "run"} {
		l := &figure.Lines{Series: []figure.Series{{Name: name, X: []float64{1, 2}}}}
		drawFit(l, &analysis.CurveFits{Models: []analysis.Fit{best}, Best: "exponential", Curve: analysis.Values{1, 2}}, "mean", 1)
		if len(l.Series) != 2 || l.Series[1].Of == "" || l.Series[1].Of != l.Series[0].Name {
			t.Errorf("%q: %+v", name, l.Series)
		}
	}
}
