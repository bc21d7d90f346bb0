package cli

import (
	"testing"

	"poslens/internal/analysis"
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
