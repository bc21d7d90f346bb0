package analysis

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestExtentOf(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		values []Values
		want   Extent
	}{
		{nil, Extent{}},
		{[]Values{{3}}, Extent{Least: 3, Most: 3, Some: true}},
		{[]Values{{1, -2}, {}, {0.5, 4}}, Extent{Least: -2, Most: 4, Some: true}},
		{[]Values{{nan, 1}, {inf}}, Extent{Least: 1, Most: 1, Some: true, Undefined: true}},
		{[]Values{{nan}}, Extent{Undefined: true}},
	} {
		if got := ExtentOf(c.values...); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
		for cut := range c.values {
			if got := ExtentOf(c.values[:cut]...).And(ExtentOf(c.values[cut:]...)); got != c.want {
				t.Errorf("%v in two parts: %+v, want %+v", c.values, got, c.want)
			}
		}
	}
}

// The extent of the scores of few positions is exact, with the diagonal and what is not
// defined, in either precision.
func TestExtentIsExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table, opt := drawTable(rt), drawOptions(rt)
		n, _ := table.Dims()
		if opt.Center && n < 3 {
			return // one row centred is zero, two are opposite up to rounding
		}
		opt.Single = rapid.Bool().Draw(rt, "single")
		if rapid.Bool().Draw(rt, "broken") && n > 1 {
			table.Set(rapid.IntRange(0, n-1).Draw(rt, "row"), 0, math.NaN())
		}
		m, err := Similarity(context.Background(), absolute(table), opt)
		if err != nil {
			return
		}
		var all []Values
		for i := range n {
			all = append(all, m.Scores.Row(i))
		}
		got, err := m.Extent(context.Background(), n)
		if want := ExtentOf(all...); err != nil || got != want {
			rt.Errorf("%+v, %v; want %+v", got, err, want)
		}
	})
}

// Of many positions it is that of blocks as wide as a pixel, and the same whether the
// scores are at hand or not.
func TestExtentOfBlocks(t *testing.T) {
	ctx := context.Background()
	const n, d = 700, 16
	table := gaussian(n, d, 3)
	for i := range n {
		table.Set(i, 0, table.At(i, 0)+5) // a common mean
	}
	table.Set(40, 1, math.NaN())
	for _, pixels := range []int{60, 100, 300, 699} {
		m, err := SimilarityMap(ctx, absolute(table), SimilarityOptions{})
		if err != nil {
			t.Fatal(err)
		}
		full := similarity(t, table, SimilarityOptions{})
		got, err := m.Extent(ctx, pixels)
		if err != nil {
			t.Fatal(err)
		}
		again, err := full.Extent(ctx, pixels)
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("%d pixels: with the scores another extent, %v:\n%s", pixels, err, diff)
		}
		starts, width := sampledBlocks(n, pixels)
		var means Values
		for _, a := range starts {
			for _, b := range starts {
				sum, count := 0.0, 0
				for i := a; i < a+width; i++ {
					for j := b; j < b+width; j++ {
						if s := full.Scores.At(i, j); !math.IsNaN(s) {
							sum += s
							count++
						}
					}
				}
				if count > 0 {
					means = append(means, sum/float64(count))
				}
			}
		}
		want := ExtentOf(means)
		near(t, "least", got.Least, want.Least, 1e-12)
		near(t, "most", got.Most, want.Most, 1e-12)
		if width == 1 && got.Most != 1 {
			t.Errorf("the diagonal ends at %v", got.Most)
		}
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	m, err := SimilarityMap(ctx, absolute(table), SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Extent(done, 100); err == nil {
		t.Error("what was stopped gives an extent")
	}
}

// Sampled blocks lie apart, within the positions, from the first to the last of them,
// and meet every phase of a period that divides their mean distance.
func TestSampledBlocks(t *testing.T) {
	for _, c := range [][2]int{{1, 768}, {2, 768}, {63, 768}, {64, 768}, {65, 768}, {769, 768}, {1024, 768}, {5000, 768}, {100_000, 768}, {10, 3}} {
		starts, width := sampledBlocks(c[0], c[1])
		end := 0
		for _, s := range starts {
			if s < end || width < 1 {
				t.Fatalf("%v: blocks of %d at %v", c, width, starts)
			}
			end = s + width
		}
		if starts[0] != 0 || end != c[0] || len(starts) > 64 {
			t.Errorf("%v: %d blocks of %d from %d to %d", c, len(starts), width, starts[0], end)
		}
	}
	for _, period := range []int{8, 16} {
		starts, _ := sampledBlocks(1024, 768)
		seen := map[int]bool{}
		for _, s := range starts {
			seen[s%period] = true
		}
		if len(seen) != period {
			t.Errorf("period %d: phases %v", period, seen)
		}
	}
}

// The extents of tiles and offsets are those of their numbers, by a closed form: two
// vectors in turn whose cosine is 0.6.
func TestGridExtents(t *testing.T) {
	a := absolute(mat.NewDense(4, 2, []float64{1, 0, 0.6, 0.8, 1, 0, 0.6, 0.8}))
	a.Grid.Rows, a.Grid.Cols = 2, 2
	c, err := Grid(context.Background(), a, GridOptions{})
	if err != nil {
		t.Fatal(err)
	}
	some, err := c.TilesOf(context.Background(), []int{0}, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]Extent{"tiles": some.Extent(), "offsets": c.Extent()} {
		near(t, name, e.Least, 0.6, 1e-12)
		near(t, name, e.Most, 1, 1e-12)
		if !e.Some || e.Undefined {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
