package cli

import (
	"testing"

	"poslens/internal/analysis"
)

func TestColourSpan(t *testing.T) {
	of := func(least, most float64) analysis.Extent {
		return analysis.Extent{Least: least, Most: most, Some: true}
	}
	for name, c := range map[string]struct {
		o             outputFlags
		values        analysis.Extent
		lo, hi        float64
		alone, beside string // sentences of captions
	}{
		"wide":     {values: of(-0.2, 1), lo: -1, hi: 1, beside: "Its colours span -1 to 1; each map has a scale of its own."},
		"alike":    {values: of(1, 1), lo: -1, hi: 1, beside: "Its colours span -1 to 1; each map has a scale of its own."},
		"no value": {lo: -1, hi: 1, beside: "Its colours span -1 to 1; each map has a scale of its own."},
		"narrow": {values: of(0.6432, 1), lo: 0.6, hi: 1,
			alone:  "Its colours span 0.6 to 1 and not -1 to 1, since the cosines fill 0.64 to 1.",
			beside: "Its colours span 0.6 to 1 and not -1 to 1, since the cosines fill 0.64 to 1; each map has a scale of its own."},
		"very narrow": {values: of(0.99962, 1), lo: 0.9996, hi: 1,
			alone:  "Its colours span 0.9996 to 1 and not -1 to 1, since the cosines fill 0.99962 to 1.",
			beside: "Its colours span 0.9996 to 1 and not -1 to 1, since the cosines fill 0.99962 to 1; each map has a scale of its own."},
		"asked for":       {o: outputFlags{valueRange: "-0.5:1"}, values: of(0.6432, 1), lo: -0.5, hi: 1},
		"the data's":      {o: outputFlags{valueRange: "auto"}, values: of(0.6432, 1)},
		"the whole asked": {o: outputFlags{valueRange: "-1:1"}, values: of(0.6432, 1), lo: -1, hi: 1},
	} {
		s := c.o.spanOf("cosines", cosines, c.values)
		if s.lo != c.lo || s.hi != c.hi || s.narrowed != (c.alone != "") {
			t.Errorf("%s: %v to %v, narrowed %v", name, s.lo, s.hi, s.narrowed)
		}
		if got := s.sentence(false); got != c.alone {
			t.Errorf("%s: alone %q", name, got)
		}
		if got := s.sentence(true); got != c.beside {
			t.Errorf("%s: beside others %q", name, got)
		}
	}
}

// Correlations of both signs stay about 0, so that a sign has its colours; where all
// have one sign, they have the whole palette. Numbers in cells are as fine as colours.
func TestHeadsSpan(t *testing.T) {
	for name, c := range map[string]struct {
		least, most float64
		lo, hi      float64
		diverging   bool
		decimals    int
	}{
		"whole":         {-0.4, 1, -1, 1, true, 2},
		"small":         {-0.2, 0.31, -0.4, 0.4, true, 2},
		"positive":      {0.56, 1, 0.5, 1, false, 2},
		"nearly alike":  {0.9935, 1, 0.993, 1, false, 3},
		"negative":      {-0.9, -0.62, -0.9, -0.6, false, 2},
		"alike":         {1, 1, -1, 1, true, 2},
		"zero and more": {0, 0.7, 0, 0.7, false, 2},
	} {
		a := &analysis.HeadAlignment{
			Rows: []analysis.HeadName{{Head: "0"}}, Cols: []analysis.HeadName{{Head: "0"}, {Head: "1"}},
			Correlation: []analysis.Values{{c.least, c.most}},
		}
		h := headsChart(a, headsSpan(a, &outputFlags{}))
		if h.Min != c.lo || h.Max != c.hi || h.Diverging != c.diverging || h.Decimals != c.decimals {
			t.Errorf("%s: %v to %v, diverging %v, %d decimals", name, h.Min, h.Max, h.Diverging, h.Decimals)
		}
	}
}
