package cli

import (
	"testing"

	"poslens/internal/analysis"
	"poslens/internal/figure"
)

// The pair that is drawn has the largest circle; less than two turns stand behind.
func TestTurningPair(t *testing.T) {
	short := analysis.HelixPair{A: 0, B: 1, Turns: 1.2, Radius: 9}
	small := analysis.HelixPair{A: 2, B: 3, Turns: 4, Radius: 1}
	large := analysis.HelixPair{A: 4, B: 6, Turns: 7, Radius: 2}
	for _, c := range []struct {
		pairs  []analysis.HelixPair
		listed []int
		first  int // the pair's A; -1: none
	}{
		{nil, nil, -1},
		{[]analysis.HelixPair{short}, nil, 0},
		{[]analysis.HelixPair{short, small}, nil, 2},
		{[]analysis.HelixPair{small, short}, nil, 2},
		{[]analysis.HelixPair{short, small, large}, nil, 4},
		{[]analysis.HelixPair{large, small}, nil, 4},
		{[]analysis.HelixPair{large}, []int{0, 1}, -1},
	} {
		got := -1
		if p := turningPair(&analysis.SpectrumResult{Pairs: c.pairs}, &spectrumFlags{listed: c.listed}); p != nil {
			got = p.A
		}
		if got != c.first {
			t.Errorf("%+v, listed %v: the pair of %d, want %d", c.pairs, c.listed, got, c.first)
		}
	}
}

// On a figure as wide as a column components are named by their numbers alone, which
// find room; a part by itself keeps its words.
func TestSmallBoard(t *testing.T) {
	r := &analysis.SpectrumResult{Positions: []int{0, 1}, Components: []analysis.Component{{Index: 0, Share: 0.75, Scores: analysis.Values{1, -1}}, {Index: 1, Share: 0.25, Scores: analysis.Values{1, 2}}}}
	for _, c := range []struct {
		plot        string
		width       float64
		name, score string
	}{
		{"all", 0, "0 (75 %)", "score (units of the table)"},
		{"all", 7, "0 (75 %)", "score (units of the table)"},
		{"all", 3.5, "0", "score"},
		{"scores", 3.5, "component 0 (75 %)", "score (units of the table)"},
	} {
		seen := false
		for _, chart := range spectrumCharts([]*analysis.SpectrumResult{r}, &spectrumFlags{plot: c.plot}, &outputFlags{width: c.width}) {
			l, ok := chart.(*figure.Lines)
			if !ok || l.XLabel != "position" {
				continue
			}
			if seen = true; l.Series[0].Name != c.name || l.YLabel != c.score {
				t.Errorf("%+v: named %q, %q", c, l.Series[0].Name, l.YLabel)
			}
		}
		if !seen {
			t.Errorf("%+v: no components", c)
		}
	}
}
