package analysis

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The fast means of blocks are the means of the scores in them.
func TestMapIsTheMatrix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table, opt := drawTable(rt), drawOptions(rt)
		n, d := table.Dims()
		if opt.Center && n < 3 {
			return // one row centred is zero, two are opposite up to rounding
		}
		for range rapid.IntRange(0, 3).Draw(rt, "broken") {
			table.Set(rapid.IntRange(0, n-1).Draw(rt, "row"), rapid.IntRange(0, d-1).Draw(rt, "column"), math.NaN())
		}
		m, err := SimilarityMap(context.Background(), absolute(table), opt)
		s, serr := Similarity(context.Background(), absolute(table), opt)
		if err != nil || serr != nil {
			if errors.Is(err, ErrNothing) && errors.Is(serr, ErrNothing) {
				return
			}
			rt.Fatalf("%v, %v", err, serr)
		}
		edges := func(name string) []int {
			e := rapid.SliceOfN(rapid.IntRange(0, n), 0, 6).Draw(rt, name)
			e = append(e, 0, n)
			slices.Sort(e)
			return e
		}
		rows, columns := edges("rows"), edges("columns")
		got, err := m.Means(context.Background(), rows, columns)
		if err != nil {
			rt.Fatal(err)
		}
		scale := max(1, math.Abs(float64(s.Max)), math.Abs(float64(s.Min)))
		near(rt, "mean off the diagonal", float64(m.MeanOffdiagonal), float64(s.MeanOffdiagonal), 1e-11*scale)
		for a := range len(rows) - 1 {
			for b := range len(columns) - 1 {
				sum, count := 0.0, 0.0
				for i := rows[a]; i < rows[a+1]; i++ {
					for j := columns[b]; j < columns[b+1]; j++ {
						if x := s.Scores.At(i, j); !math.IsNaN(x) {
							sum += x
							count++
						}
					}
				}
				near(rt, "mean of a block", got[a*(len(columns)-1)+b], sum/count, 1e-10*scale)
			}
		}
	})
}

// Single precision gives the figures of double to 1e-5, on every path.
func TestSinglePrecision(t *testing.T) {
	table := gaussian(700, 200, 3)
	table.Set(350, 2, math.NaN())
	double, single := similarity(t, table, SimilarityOptions{}), similarity(t, table, SimilarityOptions{Single: true})
	if single.Scores.Double != nil || double.Scores.Single != nil {
		t.Error("the scores have the other precision")
	}
	for i := range 700 {
		for j := range 700 {
			near(t, "score", single.Scores.At(i, j), double.Scores.At(i, j), 1e-5)
		}
	}
	if single.Scores.At(7, 7) != 1 {
		t.Errorf("the diagonal holds %v", single.Scores.At(7, 7))
	}
	figures, err := SimilarityFigures(context.Background(), absolute(table), SimilarityOptions{})
	if err != nil || figures.Scores != nil || figures.Min != double.Min || figures.Max != double.Max || figures.MeanOffdiagonal != double.MeanOffdiagonal {
		t.Errorf("without scores: %+v, %v", figures, err)
	}
	for _, far := range []int{40, 500} {
		want := decay(t, table, DecayOptions{MaxDistance: new(far)})
		got := decay(t, table, DecayOptions{MaxDistance: new(far), SimilarityOptions: SimilarityOptions{Single: true}})
		for k := range want.At {
			near(t, "mean", got.Mean[k], want.Mean[k], 1e-5)
			near(t, "std", got.Std[k], want.Std[k], 1e-5)
			near(t, "median", got.Median[k], want.Median[k], 1e-5)
		}
	}
	for i := range 700 {
		table.Set(i, 0, 1e25)
	}
	dot := similarity(t, table, SimilarityOptions{Dot: true, Single: true})
	says(t, dot.Warnings, "of 244650 pairs overflow float32: left out")
}
