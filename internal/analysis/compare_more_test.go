package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"poslens/internal/posemb"
)

// named are tables with labels a, b, ...
func named(tables ...*mat.Dense) []*posemb.Absolute {
	var all []*posemb.Absolute
	for i, m := range tables {
		a := absolute(m)
		a.Label = string(rune('a' + i))
		all = append(all, a)
	}
	return all
}

func TestAlign(t *testing.T) {
	tables := []*mat.Dense{gaussian(20, 5, 1), gaussian(20, 30, 2), gaussian(20, 5, 3), gaussian(20, 40, 4)}
	a, err := Align(t.Context(), named(append(tables, constant(20, 4, 1))...))
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range tables {
		for j, y := range tables {
			near(t, fmt.Sprint("CKA of ", i, j), a.CKA[i][j], naiveCKA(x, y), 1e-12)
		}
		if !math.IsNaN(a.CKA[i][4]) || !math.IsNaN(a.CKA[4][i]) {
			t.Errorf("CKA with a constant: %v", a.CKA[4])
		}
	}
	if a.Reasons["e"] == "" || len(a.Reasons) != 1 {
		t.Errorf("reasons: %v", a.Reasons)
	}
	// the rows of every pair are those that are finite in all
	holed := mat.DenseCopyOf(tables[0])
	holed.Set(3, 0, math.NaN())
	a, err = Align(t.Context(), named(holed, tables[1], tables[2]))
	if err != nil {
		t.Fatal(err)
	}
	without := func(m *mat.Dense) *mat.Dense {
		_, d := m.Dims()
		var w mat.Dense
		w.Stack(m.Slice(0, 3, 0, d), m.Slice(4, 20, 0, d))
		return &w
	}
	near(t, "CKA without a row", a.CKA[1][2], naiveCKA(without(tables[1]), without(tables[2])), 1e-12)
	if a.Rows != 20 || a.Used != 19 {
		t.Errorf("%d of %d rows", a.Used, a.Rows)
	}
	says(t, a.Warnings, "row 3 of a", "NaN")
}

// Relative tables are aligned over offsets, heads being the components.
func TestAlignRelative(t *testing.T) {
	x, y := gaussian(11, 3, 1), gaussian(7, 4, 2)
	axis := func(reach int) []posemb.Axis { return []posemb.Axis{{Name: "offset", Min: -reach, Max: reach}} }
	a, err := AlignRelative(t.Context(), []posemb.Table{
		&posemb.Bias{Axes: axis(5), Scores: x},
		&posemb.Vectors{Axes: axis(3), Table: y},
	})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "CKA", a.CKA[0][1], naiveCKA(x.Slice(2, 9, 0, 3), y), 1e-12)
	says(t, a.Notes, "7 offsets that all have, -3 to 3")
	square := func(reach int, m *mat.Dense) *posemb.Bias {
		return &posemb.Bias{Axes: []posemb.Axis{{Name: "dy", Min: -reach, Max: reach}, {Name: "dx", Min: -reach, Max: reach}}, Scores: m}
	}
	if _, err := AlignRelative(t.Context(), []posemb.Table{square(1, gaussian(9, 2, 1)), square(2, gaussian(25, 2, 1))}); err == nil {
		t.Error("windows of different size are aligned")
	}
	if _, err := AlignRelative(t.Context(), []posemb.Table{square(1, gaussian(9, 2, 1)), &posemb.Bias{Axes: axis(4), Scores: gaussian(9, 2, 1)}}); err == nil {
		t.Error("one axis is aligned with two")
	}
	if _, err := AlignRelative(t.Context(), []posemb.Table{&posemb.Bias{Axes: axis(1 << 40), Scores: gaussian(9, 2, 1)}}); err == nil {
		t.Error("an axis that does not fit")
	}
}

func TestCompareVectors(t *testing.T) {
	x := gaussian(9, 4, 1)
	axes := []posemb.Axis{{Name: "offset", Min: -4, Max: 4}}
	y := mat.DenseCopyOf(x)
	y.Set(1, 0, 5)
	c, err := CompareVectors(t.Context(), &posemb.Vectors{Axes: axes, Table: x}, &posemb.Vectors{Axes: axes, Table: y}, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Of != OfOffsets || !slices.Equal(c.Moved, []int{-3}) || c.Decay != nil || c.At[0] != -4 {
		t.Errorf("%+v", c)
	}
	says(t, []string{c.MovedText}, "offset -3 moved, the other 8 did not")
}

func TestCompareBias(t *testing.T) {
	first := []float64{1, 2, 4, 7, 3}
	other := []float64{0, 1, -1, 2, 2}
	twice := make([]float64, 5)
	for i, v := range first {
		twice[i] = 3 - 2*v
	}
	a, b := bias(2, first, other), bias(2, twice, other)
	a.Label, b.Label = "a", "b"
	c, err := CompareBias(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	nearValue(t, "head 0", c.Heads[0].Correlation, -1, 1e-14)
	nearValue(t, "head 1", c.Heads[1].Correlation, 1, 1e-14)
	nearValue(t, "largest difference", c.Heads[0].MaxDifference, 7-(3-14), 0)
	nearValue(t, "difference of equal heads", c.Heads[1].MaxDifference, 0, 0)
	nearValue(t, "all", c.All.Correlation, stat.Correlation(append(slices.Clone(first), other...), append(slices.Clone(twice), other...), nil), 1e-14)
	squares := 0.0
	for i := range first {
		squares += math.Pow(twice[i]-first[i], 2)
	}
	nearValue(t, "root mean square", c.Heads[0].RMSDifference, math.Sqrt(squares/5), 1e-14)
	near(t, "across", c.Across.Correlation[0][1], stat.Correlation(first, other, nil), 1e-14)
	near(t, "across", c.Across.Correlation[1][0], -stat.Correlation(other, first, nil), 1e-14)

	// other reach, other heads, scores that are not finite, constants
	short := bias(1, []float64{2, 4, 7}, []float64{5, 5, 5}, []float64{math.Inf(-1), 1, 3})
	short.Label = "short"
	c, err = CompareBias(t.Context(), a, short)
	if err != nil {
		t.Fatal(err)
	}
	if c.Heads != nil || c.All.Correlation.Defined() || c.Reasons["heads"] == "" || c.Offsets != 3 {
		t.Errorf("%+v", c)
	}
	says(t, c.Notes, "offset -1 to 1")
	says(t, c.Warnings, "1 score of short is not finite", "left out")
	near(t, "cut", c.Across.Correlation[0][0], 1, 1e-14)
	near(t, "constant", c.Across.Correlation[0][1], math.NaN(), 0)
	near(t, "two scores", c.Across.Correlation[0][2], 1, 1e-12)
	far := bias(0, []float64{1, 2})
	far.Axes[0].Min, far.Axes[0].Max = 10, 11
	if _, err := CompareBias(t.Context(), a, far); !errors.Is(err, ErrNothing) {
		t.Errorf("no common offset: %v", err)
	}
}

// The correlation of heads is that of their columns, and its square their CKA.
func TestAlignHeads(t *testing.T) {
	grid := func(seed uint64) *posemb.Bias {
		return &posemb.Bias{
			Axes:   []posemb.Axis{{Name: "dy", Min: -1, Max: 1}, {Name: "dx", Min: -2, Max: 2}},
			Scores: gaussian(15, 2, seed), Heads: []string{"0", "1"},
		}
	}
	x, y := grid(1), grid(2)
	a, err := AlignHeads(t.Context(), []*posemb.Bias{x, y})
	if err != nil {
		t.Fatal(err)
	}
	cols := [][]float64{mat.Col(nil, 0, x.Scores), mat.Col(nil, 1, x.Scores), mat.Col(nil, 0, y.Scores), mat.Col(nil, 1, y.Scores)}
	for i, u := range cols {
		for j, v := range cols {
			want := stat.Correlation(u, v, nil)
			near(t, fmt.Sprint(i, j), a.Correlation[i][j], want, 1e-14)
			near(t, fmt.Sprint("CKA of ", i, j), naiveCKA(mat.NewDense(15, 1, u), mat.NewDense(15, 1, v)), want*want, 1e-12)
		}
	}
	if a.Offsets != 15 || a.Rows[3].Head != "1" || len(a.Constant) != 0 {
		t.Errorf("%+v", a)
	}
}

func TestCourse(t *testing.T) {
	first, q := gaussian(8, 3, 1), rotation(3, 2)
	second, third := turned(first, q, 2, 0), gaussian(8, 3, 3)
	for against, with := range map[string][3]*mat.Dense{
		"":              {first, first, first},
		AgainstPrevious: {nil, first, second},
		AgainstLast:     {third, third, third},
	} {
		c, err := CourseOf(t.Context(), named(first, second, third), []int{0, 10, 100}, CourseOptions{Against: against, Only: []string{"decay_1", "norm_mean"}})
		if err != nil {
			t.Fatal(err)
		}
		for k, now := range []*mat.Dense{first, second, third} {
			p := c.Checkpoints[k]
			if p.Step != []int{0, 10, 100}[k] || len(p.Metrics) != 2 || p.Metrics[0].Name != "decay_1" {
				t.Errorf("%+v", p)
			}
			u, apart := cosinePairs(now)
			sum, count := 0.0, 0.0
			for i, v := range u {
				if apart[i] == 1 {
					sum, count = sum+v, count+1
				}
			}
			nearValue(t, "decay_1", p.Metrics[0].Value, sum/count, 1e-12)
			if with[k] == nil {
				if finite(p.Cosine[0]) || p.Reasons["cosine"] == "" {
					t.Errorf("no previous one: %v", p.Cosine)
				}
				continue
			}
			for i := range 8 {
				a, b := with[k].RowView(i), now.RowView(i)
				near(t, "cosine", p.Cosine[i], mat.Dot(a, b)/mat.Norm(a, 2)/mat.Norm(b, 2), 1e-14)
				near(t, "ratio", p.NormRatio[i], mat.Norm(b, 2)/mat.Norm(a, 2), 1e-14)
			}
		}
	}
	// a table that begins at zero
	c, err := CourseOf(t.Context(), named(mat.NewDense(8, 3, nil), second), []int{0, 1}, CourseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m := c.Checkpoints[0].Metrics; len(m) != len(Metrics) || m[0].Value.Defined() || m[0].Reason == "" || finite(c.Checkpoints[1].Cosine[0]) || c.Checkpoints[1].Reasons["cosine"] == "" {
		t.Errorf("zero: %+v", c.Checkpoints[0])
	}
	if _, err := CourseOf(t.Context(), named(first, gaussian(8, 4, 1)), []int{0, 1}, CourseOptions{}); err == nil {
		t.Error("two widths")
	}
	if _, err := CourseOf(t.Context(), named(first), []int{0}, CourseOptions{Only: []string{"nonsense"}}); err == nil {
		t.Error("an unknown metric")
	}
}
