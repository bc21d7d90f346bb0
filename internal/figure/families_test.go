package figure

import (
	"image/color"
	"slices"
	"testing"
)

// A fit has a shade of the colour of its data, takes none of the others' away, and its
// name in the legend leaves that of the data out; the two stand in one row.
func TestFamilies(t *testing.T) {
	l := fitted()
	p, w := watch(t, "svg", l, Style{})
	k := newLegend(p, []*Lines{l})
	want := []color.NRGBA{p.theme.series[0], mixed(p.theme.series[0], p.ink), p.theme.series[1], mixed(p.theme.series[1], p.ink), p.theme.series[2]}
	if got := k.of(l); !slices.Equal(got, want) {
		t.Errorf("colours %v, want %v", got, want)
	}
	if k.colours != 3 {
		t.Errorf("%d colours, want 3", k.colours)
	}
	y := map[string][]float64{}
	for _, word := range w.words {
		y[word.s] = append(y[word.s], word.at.y)
	}
	fits := y["exponential, l = 12"]
	if len(fits) != 2 || len(y["first run"]) != 1 || len(y["second run"]) != 1 || len(y["random"]) != 1 {
		t.Fatalf("the words are %v", y)
	}
	if fits[0] != y["first run"][0] || fits[1] != y["second run"][0] || fits[0] == fits[1] {
		t.Errorf("fits at %v, data at %v and %v", fits, y["first run"], y["second run"])
	}
}

// A series that names another which is not there, itself, or one that belongs to a
// third has a colour of its own.
func TestFamiliesOdd(t *testing.T) {
	x := []float64{0, 1}
	of := func(name, of string) Series { return Series{Name: name, Of: of, X: x, Y: x} }
	l := &Lines{Series: []Series{of("a", "a"), of("b", "none"), of("c", "d"), of("d", "c"), of("e", "c"), of("", "a")}}
	p, _ := watch(t, "svg", l, Style{})
	k := newLegend(p, []*Lines{l})
	var got []int
	for _, e := range k.entries {
		got = append(got, e.of)
	}
	if want := []int{0, 1, 3, 3, 4, 0}; !slices.Equal(got, want) {
		t.Errorf("colours of %v, want %v", got, want)
	}
}

// Widths that sum to too much are cut from the widest down.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		widths []float64
		all    float64
		want   []float64
	}{
		{[]float64{3, 4}, 10, []float64{3, 4}},
		{[]float64{3, 9}, 10, []float64{3, 7}},
		{[]float64{8, 9}, 10, []float64{5, 5}},
		{[]float64{1, 20, 4}, 11, []float64{1, 6, 4}},
		{[]float64{5}, 0, []float64{0}},
	} {
		if got := shares(c.widths, c.all); !slices.Equal(got, c.want) {
			t.Errorf("%v in %g: %v, want %v", c.widths, c.all, got, c.want)
		}
	}
}
