package cli

import (
	"math"
	"strings"
	"testing"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// headsOf is a profile of n heads on two axes.
func headsOf(n int) *analysis.Profile {
	p := &analysis.Profile{Axes: make([]posemb.Axis, 2)}
	p.Label = "swin"
	p.Heads = make([]analysis.HeadProfile, n)
	return p
}

// More maps than a figure holds are told with what to do, before anything is drawn.
func TestTooManyMaps(t *testing.T) {
	for _, c := range []struct {
		heads []int
		many  bool
	}{
		{[]int{1}, false}, {[]int{10_000}, false}, {[]int{10_001}, true},
		{[]int{100, 100}, false}, {[]int{101, 1}, true}, {[]int{1, 1, 1}, false},
	} {
		var all []*analysis.Profile
		for _, n := range c.heads {
			all = append(all, headsOf(n))
		}
		if got := tooManyMaps(all); got != c.many {
			t.Errorf("%v heads: %t", c.heads, got)
		}
		p := profileMaps(all, &outputFlags{})
		if rows, cols, _ := mapSides(all); p == nil || rows*cols < len(c.heads) {
			t.Errorf("%v heads: %d x %d maps", c.heads, rows, cols)
		}
	}
	err := mapsFault([]*analysis.Profile{headsOf(300), headsOf(2)})
	if got := err.Error(); got != "swin and 1 more: 2 x 300 maps, and a figure holds 100 a side" {
		t.Errorf("%q", got)
	}
}

// The sentence of a fit tells a constant from what can't be fitted, and steers no
// terminal.
func TestFitSentence(t *testing.T) {
	k := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, c := range []struct {
		y    []float64
		want string
	}{
		{[]float64{1, -1, 1, -1, 1, -1, 1, -1, 1}, `a\x1b[31mb: no model fits better than a constant.`},
		{[]float64{math.NaN(), math.NaN(), 1, 1, 1, math.NaN(), math.NaN(), math.NaN(), math.NaN()}, `a\x1b[31mb: none of the models can be fitted.`},
	} {
		fits, err := analysis.FitCurve(k, c.y, nil, analysis.FitOptions{Models: []string{"line"}})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := writeFits(&b, []fitted{{source: "a\x1b[31mb", fits: fits}}, screen{width: 100}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), "\x1b") {
			t.Errorf("got %q, want %q", b.String(), c.want)
		}
	}
}
