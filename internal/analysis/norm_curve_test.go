package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// lengths is a table whose row i is (3, 4) / 5 times a length.
func lengths(norms ...float64) *mat.Dense {
	m := mat.NewDense(len(norms), 2, nil)
	for i, v := range norms {
		m.SetRow(i, []float64{3 * (v / 5), 4 * (v / 5)})
	}
	return m
}

// norms runs Norms.
func norms(t *testing.T, table posemb.Table, r *CheckResult) *NormCurve {
	t.Helper()
	c, err := Norms(table, r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rounded is equality but for rounding; NaN equals NaN.
var rounded = cmp.Comparer(func(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-14*math.Abs(b) || math.IsNaN(a) && math.IsNaN(b)
})

// The lengths of planted rows, of every size that a float64 has, and what they come to.
func TestNormsClosedForm(t *testing.T) {
	nan := math.NaN()
	m := lengths(5, 10, 0, 1e-300, 1e300, 2.5, 10, 1, 1, math.MaxFloat64)
	m.SetRow(7, []float64{nan, 1})
	m.SetRow(8, []float64{1, math.Inf(1)})
	m.SetRow(9, []float64{math.MaxFloat64, math.MaxFloat64})
	c := norms(t, &posemb.Absolute{Table: m}, nil)
	if diff := cmp.Diff([]float64{5, 10, 0, 1e-300, 1e300, 2.5, 10, nan, nan, nan}, []float64(c.Norm), rounded); diff != "" {
		t.Errorf("norms (-want +got):\n%s", diff)
	}
	if *c.Min != (Extreme{0, 2}) || c.Max.At != 4 || math.Abs(float64(c.Max.Value)/1e300-1) > 1e-14 || c.Median != 5 { // of 7
		t.Errorf("least %v, most %v, median %v", *c.Min, *c.Max, c.Median)
	}
	if want := "NaN or an infinity at 7, 8, no float64 holds the norm at 9"; c.Reasons["norm"] != want {
		t.Errorf("reasons are %q", c.Reasons)
	}
	nothing := norms(t, &posemb.Absolute{Table: mat.NewDense(1, 1, []float64{nan})}, nil)
	if nothing.Min != nil || nothing.Max != nil || nothing.Median.Defined() {
		t.Errorf("without a norm: %v, %v, %v", nothing.Min, nothing.Max, nothing.Median)
	}
}

// What was found stands at the rows' own numbers: positions, also where reserved rows
// or a stride have moved them, or all offsets that a stored row serves.
func TestNormsMarks(t *testing.T) {
	mark := func(code string, level Level, rows ...Span) NormMark { return NormMark{code, level, rows, false} }
	five := lengths(1, 2, 0, 0, 3)
	strided := &posemb.Absolute{Table: five, First: 10, Stride: 4}
	aside := &posemb.Absolute{Origin: posemb.Origin{Arch: "RoBERTa"}, Table: five, Reserved: 2, Aside: lengths(0, 2)}
	line := []posemb.Axis{{Name: "offset", Min: -2, Max: 2}}
	vectors := &posemb.Vectors{Axes: line, Table: five}
	turned := &posemb.Vectors{Axes: line, Table: five, Stored: []posemb.Stored{{Axis: posemb.WholeTable, Unit: "row", At: []int{4, 3, 2, 1, 0}}}}
	shared := &posemb.Vectors{Axes: line, Table: lengths(0, 0, 1, 2, 0), Stored: []posemb.Stored{{Axis: posemb.WholeTable, Unit: "bucket", At: []int{5, 5, 1, 2, 5}}}}
	grid := &posemb.Vectors{Axes: []posemb.Axis{{Name: "dy", Min: -1, Max: 0}, {Name: "dx", Min: -1, Max: 1}}, Table: lengths(1, 2, 3, 4, 0, 5)}
	whole := &posemb.Absolute{Table: lengths(0, 0, 0)}
	for name, test := range map[string]struct {
		table posemb.Table
		axis  string
		at    []int
		marks []NormMark
		notes int
	}{
		"positions": {&posemb.Absolute{Table: five}, NormPosition, []int{0, 1, 2, 3, 4}, []NormMark{mark(CodeZeroRows, LevelError, Span{2, 3})}, 0},
		"stride":    {strided, NormPosition, []int{10, 14, 18, 22, 26}, []NormMark{mark(CodeZeroRows, LevelError, Span{18, 22})}, 0},
		"reserved":  {aside, NormPosition, []int{0, 1, 2, 3, 4}, []NormMark{mark(CodeZeroRows, LevelError, Span{2, 3})}, 1},
		"offsets":   {vectors, NormOffset, []int{-2, -1, 0, 1, 2}, []NormMark{mark(CodeZeroRows, LevelError, Span{0, 1})}, 0},
		"turned":    {turned, NormOffset, []int{-2, -1, 0, 1, 2}, []NormMark{mark(CodeZeroRows, LevelError, Span{0, 1})}, 0},
		"shared":    {shared, NormOffset, []int{-2, -1, 0, 1, 2}, []NormMark{mark(CodeZeroRows, LevelError, Span{-2, -1}, Span{2, 2})}, 0},
		"grid":      {grid, NormRow, []int{0, 1, 2, 3, 4, 5}, []NormMark{mark(CodeZeroRows, LevelError, Span{4, 4})}, 0},
		"whole":     {whole, NormPosition, []int{0, 1, 2}, []NormMark{{CodeZeroTable, LevelError, []Span{{0, 2}}, true}}, 0},
	} {
		c := norms(t, test.table, check(t, test.table, CheckOptions{}))
		if c.Axis != test.axis || !slices.Equal(c.At, test.at) {
			t.Errorf("%s: %s at %v", name, c.Axis, c.At)
		}
		if diff := cmp.Diff(test.marks, c.Marks); diff != "" || len(c.Notes) != test.notes {
			t.Errorf("%s: notes %q, marks (-want +got):\n%s", name, c.Notes, diff)
		}
		for i, at := range c.At {
			if zero := c.Norm[i] == 0; zero != (len(c.Found(at)) == 1) {
				t.Errorf("%s: at %d of norm %g was found %q", name, at, c.Norm[i], c.Found(at))
			}
		}
	}
	c := norms(t, aside, check(t, aside, CheckOptions{}))
	if want := "padding-not-zero in reserved row 1, which has no position, is not marked"; !slices.Equal(c.Notes, []string{want}) {
		t.Errorf("notes are %q", c.Notes)
	}
	if c := norms(t, grid, nil); !cmp.Equal(c.Offsets, [][]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 0}, {0, 1}}) {
		t.Errorf("offsets of a grid are %v", c.Offsets)
	}
}

// Scores of offsets have no norms, nor has an empty table.
func TestNormsRefused(t *testing.T) {
	b := &posemb.Bias{Axes: []posemb.Axis{{Name: "offset", Max: 1}}, Scores: lengths(1, 2), Heads: []string{"0", "1"}}
	if _, err := Norms(b, nil); err == nil || !strings.Contains(err.Error(), "softmax") {
		t.Errorf("of scores: %v", err)
	}
	for _, table := range []posemb.Table{&posemb.Absolute{}, &posemb.Vectors{}, &posemb.Absolute{Table: &mat.Dense{}}} {
		if _, err := Norms(table, nil); err == nil {
			t.Errorf("an empty %s table has norms", table.Kind())
		}
	}
}
