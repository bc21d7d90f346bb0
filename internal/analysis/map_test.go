package analysis

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
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
				mean := got[a*(len(columns)-1)+b]
				near(rt, "mean of a block", mean, sum/count, 1e-10*scale)
				if !opt.Dot && math.Abs(mean) > 1 {
					rt.Errorf("the mean of cosines is %v", mean)
				}
				itself := rows[a] == columns[b] && rows[a+1] == rows[a]+1 && columns[b+1] == columns[b]+1
				if itself && opt.Eps == 0 && !opt.Dot && count == 1 && mean != 1 {
					rt.Errorf("a row's cosine with itself is %v", mean)
				}
			}
		}
	})
}

// One row that is far larger than the others takes no digit from the mean product
// of the rest.
func TestMapOutlier(t *testing.T) {
	table := gaussian(9, 3, 2)
	for _, power := range []int{60, 400, 600} {
		far := mat.DenseCopyOf(table)
		shiftExponent(far.RawRowView(4), power)
		opt := SimilarityOptions{Dot: true}
		m, err := SimilarityMap(context.Background(), absolute(far), opt)
		if err != nil {
			t.Fatal(err)
		}
		want := float64(similarity(t, far, opt).MeanOffdiagonal)
		near(t, "mean off the diagonal", float64(m.MeanOffdiagonal)/want, 1, 1e-12)
	}
}

// With eps a zero row is like nothing, however small eps is beside the table.
func TestZeroRowSmallEps(t *testing.T) {
	for _, opt := range []SimilarityOptions{{Eps: 5e-324}, {Eps: 1e-310}, {Eps: 1e-100, Center: true}} {
		table := mat.NewDense(4, 2, []float64{0, 0, 1e300, 0, 0, 1e300, -1e300, -1e300})
		s := similarity(t, table, opt)
		m, err := SimilarityMap(context.Background(), absolute(table), opt)
		if err != nil {
			t.Fatal(err)
		}
		means, err := m.Means(context.Background(), []int{0, 1, 4}, []int{0, 1, 4})
		if err != nil {
			t.Fatal(err)
		}
		if m.Undefined() || s.Scores.At(0, 0) != 0 || s.Scores.At(0, 2) != 0 || means[0] != 0 || means[1] != 0 || means[2] != 0 {
			t.Errorf("%+v: scores %v, means %v, warnings %q", opt, s.Scores.Row(0), means, s.Warnings)
		}
		near(t, "mean off the diagonal", float64(m.MeanOffdiagonal), float64(s.MeanOffdiagonal), 1e-15)
	}
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
	for i := range 700 {
		table.Set(i, 1, 0)
	}
	table.Set(0, 0, 1e39) // beyond float32, and so its product with an undefined row's zeros
	dot := similarity(t, table, SimilarityOptions{Dot: true, Single: true})
	says(t, dot.Warnings, "of 244650 pairs overflow float32: left out")
	says(t, decay(t, table, DecayOptions{All: true, SimilarityOptions: SimilarityOptions{Dot: true, Single: true}}).Warnings, "of 244650 pairs overflow float32: left out")
}

// A mean that overflows is undefined in the map too.
func TestMapOverflow(t *testing.T) {
	m, err := SimilarityMap(context.Background(), absolute(constant(3, 2, 1e200)), SimilarityOptions{Dot: true})
	if err != nil {
		t.Fatal(err)
	}
	means, err := m.Means(context.Background(), []int{0, 3}, []int{0, 3})
	if err != nil || !math.IsNaN(means[0]) || m.MeanOffdiagonal.Defined() || m.Reasons["mean_offdiagonal"] != overflow {
		t.Errorf("%v, %v, %v, %v", means, err, m.MeanOffdiagonal, m.Reasons)
	}
}
