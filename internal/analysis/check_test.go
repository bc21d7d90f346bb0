package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// learned is a simulated table of a seed, n x 64.
func learned(t testing.TB, n int, seed uint32) *mat.Dense {
	t.Helper()
	a, err := posemb.Smooth(posemb.SmoothOptions{N: n, Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	return a.Table
}

// randomRows overwrites rows by normal numbers.
func randomRows(m *mat.Dense, sigma float64, rows ...int) {
	r := rand.New(rand.NewPCG(7, uint64(len(rows))))
	for _, i := range rows {
		for j := range m.RawRowView(i) {
			m.Set(i, j, sigma*r.NormFloat64())
		}
	}
}

// copyRows makes rows from to on copies of rows from of on.
func copyRows(m *mat.Dense, of, to, count int) {
	for k := range count {
		m.SetRow(to+k, slices.Clone(m.RawRowView(of+k)))
	}
}

// check runs Check.
func check(t testing.TB, table posemb.Table, opt CheckOptions) *CheckResult {
	t.Helper()
	r, err := Check(t.Context(), table, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// summary is the findings' codes and rows in a line: "zero-rows 3 7..9".
func (r *CheckResult) summary() string {
	var all []string
	for _, f := range r.Findings {
		s := f.Code
		if f.Unit != "" && f.Unit != "row" {
			s += " " + f.Unit
		}
		for _, span := range f.Rows {
			s += " " + span.String()
		}
		if f.Head != "" {
			s += " head " + f.Head
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

// Faults that are planted in a table of 512 positions are found, in the very rows.
func TestCheckPlanted(t *testing.T) {
	const n = 512
	type planted struct {
		name  string
		plant func(m *mat.Dense)
		want  string
		says  []string
	}
	cases := []planted{
		{"none", func(*mat.Dense) {}, "", nil},
		{"nan", func(m *mat.Dense) { m.Set(5, 3, math.NaN()); m.Set(9, 0, math.Inf(-1)); m.Set(10, 0, math.Inf(1)) },
			"non-finite 5 9..10", []string{"rows 5, 9, 10 hold", "3 of 192 values"}},
		{"zero rows in the middle", func(m *mat.Dense) { m.SetRow(100, make([]float64, 64)); m.SetRow(102, make([]float64, 64)) },
			"zero-rows 100 102", []string{"rows 100, 102 are exactly zero"}},
		{"zero row 0", func(m *mat.Dense) { m.SetRow(0, make([]float64, 64)) }, "zero-rows 0", []string{"--reserved"}},
		{"negative zero row", func(m *mat.Dense) {
			for j := range 64 {
				m.Set(0, j, math.Copysign(0, -1))
			}
		}, "zero-rows 0", nil},
		{"zero end", func(m *mat.Dense) {
			for i := 500; i < n; i++ {
				m.SetRow(i, make([]float64, 64))
			}
		}, "zero-rows 500..511", []string{"the end of the table was never written"}},
		{"denormal", func(m *mat.Dense) {
			for i := 400; i < 404; i++ {
				for j := range 64 {
					m.Set(i, j, 1e-40*m.At(i, j))
				}
			}
			m.SetRow(7, slices.Repeat([]float64{1e-12}, 64))
		}, "vanishing-rows 7 400..403", []string{"weight decay"}},
		{"below float64's normals", func(m *mat.Dense) { m.SetRow(7, slices.Repeat([]float64{5e-324}, 64)) }, "vanishing-rows 7", nil},
		{"one duplicate", func(m *mat.Dense) { copyRows(m, 20, 300, 1) }, "duplicate-rows 300", []string{"row 300 equals row 20 to the bit"}},
		{"a block of duplicates", func(m *mat.Dense) { copyRows(m, 20, 300, 10); copyRows(m, 5, 400, 1) },
			"duplicate-rows 300..309 400", []string{"rows 300 to 309 equal rows 20 to 29, row 400 equals row 5"}},
		{"one repeat of the last row", func(m *mat.Dense) { copyRows(m, n-2, n-1, 1) }, "duplicate-rows 511", nil},
		{"first and last equal", func(m *mat.Dense) { copyRows(m, 0, n-1, 1) }, "duplicate-rows 511", nil},
		{"repeats and a duplicate", func(m *mat.Dense) {
			copyRows(m, 3, 200, 1)
			for i := 400; i < n; i++ {
				copyRows(m, 399, i, 1)
			}
		}, "repeated-last-row 400..511; duplicate-rows 200", nil},
		{"scattered initial rows", func(m *mat.Dense) { randomRows(m, 0.5, 11, 90, 200, 350, 351) }, "untrained-rows 11 90 200 350..351; norm-outliers 11 90 200 350..351",
			[]string{"rows 11, 90, 200, 350, 351 are as they were initialised", "sqrt(64)"}},
		{"three initial rows are too few", func(m *mat.Dense) { randomRows(m, 1, 11, 90, 200) }, "noise-floor 11 90 200", []string{"are like no other"}},
		{"one long row", func(m *mat.Dense) { scaleRow(m, 224, 2) }, "norm-outliers 224", []string{"row 224 stands out", "times the median"}},
		{"a short row", func(m *mat.Dense) { scaleRow(m, 0, 0.3); scaleRow(m, 40, 4) }, "norm-outliers 0 40", []string{"most of all row 40"}},
		{"constant", func(m *mat.Dense) {
			for i := range n {
				copyRows(m, 0, i, 1)
			}
		}, "constant-table", []string{"all 512 rows are equal"}},
		{"all zero", func(m *mat.Dense) { m.Zero() }, "zero-table", []string{"every value is zero"}},
		{"random", func(m *mat.Dense) { randomRows(m, 0.02, upTo(0, n)...) }, "initial-table", []string{"standard deviation 0.0199 "}},
		{"a trained front of a table that is padded in front", func(m *mat.Dense) { randomRows(m, 1, upTo(0, 100)...) },
			"untrained-rows 0..99; change-point 0..99", []string{"padded in front"}},
	}
	for _, r := range []int{64, 128, 300, 500} {
		cases = append(cases, planted{fmt.Sprintf("tiled after %d", r), func(m *mat.Dense) {
			for i := r; i < n; i++ {
				copyRows(m, i-r, i, 1)
			}
		}, fmt.Sprintf("tiled-table %d..511", r), []string{fmt.Sprintf("seam at row %d", r), fmt.Sprintf("repeat rows 0 to %d", r-1)}})
		for _, sigma := range []float64{0.02, 1} {
			if r < 500 {
				cases = append(cases, planted{fmt.Sprintf("initial from %d, sigma %v", r, sigma), func(m *mat.Dense) { randomRows(m, sigma, upTo(r, n)...) },
					fmt.Sprintf("untrained-rows %d..511; change-point %d..511", r, r), []string{fmt.Sprintf("likely trained at length %d", r), "falls from 0.9"}})
			}
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := learned(t, n, 42)
			c.plant(m)
			before := mat.DenseCopyOf(m)
			r := check(t, absolute(m), CheckOptions{})
			got := r.summary()
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			var texts []string
			for _, f := range r.Findings {
				texts = append(texts, f.Text)
				if f.Text == "" || f.Figure == "" || f.Level != ruleOf(f.Code).Level {
					t.Errorf("%+v", f)
				}
			}
			for _, part := range c.says {
				says(t, texts, part)
			}
			for i := range n { // the table is not changed
				if !sameBits(before.RawRowView(i), m.RawRowView(i)) {
					t.Fatalf("row %d was changed", i)
				}
			}
		})
	}
}

// scaleRow makes a row longer.
func scaleRow(m *mat.Dense, i int, by float64) {
	for j, x := range m.RawRowView(i) {
		m.Set(i, j, by*x)
	}
}

// Clean tables of a hundred seeds have neither an error nor a change point, and a
// hundred random ones are told to be that, but for the 3 of 1000 that the thresholds
// let pass.
func TestCheckClean(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	passed := 0
	for seed := range uint32(100) {
		for _, n := range []int{128, 512} {
			r := check(t, absolute(learned(t, n, seed)), CheckOptions{Ignore: []string{CodeNorms}})
			if len(r.Findings) > 0 {
				t.Errorf("seed %d, %d positions: %s", seed, n, r.summary())
			}
		}
		r := check(t, absolute(gaussian(128, 64, uint64(seed))), CheckOptions{})
		if r.Errors != 1 || r.Findings[0].Code != CodeInitialTable {
			passed++
		}
	}
	if passed > 3 {
		t.Errorf("%d of 100 random tables are not told to be so", passed)
	}
}

// The sinusoid is no trained table, but nothing is wrong with it either.
func TestCheckSinusoid(t *testing.T) {
	if r := check(t, absolute(sinusoid(t, 512, 64)), CheckOptions{}); r.summary() != "" {
		t.Error(r.summary())
	}
}

// Where reserved rows have moved the positions, findings count positions, and say so.
func TestCheckPositions(t *testing.T) {
	m := learned(t, 200, 1)
	copyRows(m, 3, 50, 1)
	aside := gaussian(2, 64, 9)
	aside.SetRow(1, make([]float64, 64))
	a := &posemb.Absolute{Origin: posemb.Origin{Arch: "RoBERTa"}, Table: m, Reserved: 2, Aside: aside}
	r := check(t, a, CheckOptions{})
	if r.summary() != "duplicate-rows position 50" || !strings.Contains(r.Findings[0].Text, "position 50 equals position 3") {
		t.Errorf("%s: %+v", r.summary(), r.Findings)
	}
	aside.Set(1, 0, 0.5)
	r = check(t, a, CheckOptions{Ignore: []string{CodeDuplicates}})
	if r.summary() != "padding-not-zero 1" || r.Findings[0].Value != 0.5 || r.Errors != 0 {
		t.Errorf("%s: %+v", r.summary(), r.Findings)
	}
	a.Arch = "BART" // whose code has no padding_idx
	if r = check(t, a, CheckOptions{Ignore: []string{CodeDuplicates}}); r.summary() != "" {
		t.Error(r.summary())
	}
	aside.Set(0, 0, math.NaN())
	if r = check(t, a, CheckOptions{Ignore: []string{CodeDuplicates}}); r.summary() != "non-finite 0" {
		t.Error(r.summary())
	}
	strided := &posemb.Absolute{Table: m, First: 10, Stride: 2}
	if r = check(t, strided, CheckOptions{}); r.summary() != "duplicate-rows position 110" {
		t.Error(r.summary())
	}
}

// Tables of any shape give a result, whatever they hold, and never a panic.
func TestCheckDegenerate(t *testing.T) {
	fill := map[string]func(i, j int) float64{
		"zero":      func(i, j int) float64 { return 0 },
		"one":       func(i, j int) float64 { return 1 },
		"nan":       func(i, j int) float64 { return math.NaN() },
		"inf":       func(i, j int) float64 { return math.Inf(1) },
		"-inf":      func(i, j int) float64 { return math.Inf(-1) },
		"huge":      func(i, j int) float64 { return math.MaxFloat64 / float64(1+(i*7+j*3)%5) },
		"tiny":      func(i, j int) float64 { return 5e-324 * float64(1+(i*7+j*3)%5) },
		"nan or 0":  func(i, j int) float64 { return []float64{0, math.NaN()}[i%2] },
		"increases": func(i, j int) float64 { return float64(i + j) },
		"mixed":     func(i, j int) float64 { return []float64{0, math.NaN(), 1e308, -1e-320, math.Inf(-1), 3}[(i*5+j)%6] },
	}
	for name, at := range fill {
		for _, shape := range [][2]int{{1, 1}, {1, 40}, {2, 1}, {2, 40}, {3, 3}, {9, 64}, {40, 1}, {40, 2}, {40, 64}, {121, 3}, {64, 1}, {64, 64}, {600, 2}} {
			n, d := shape[0], shape[1]
			m := mat.NewDense(n, d, nil)
			for i := range n {
				for j := range d {
					m.Set(i, j, at(i, j))
				}
			}
			tables := []posemb.Table{
				absolute(m),
				&posemb.Absolute{Table: m, Grid: posemb.Grid{Rows: 1, Cols: n}},
				&posemb.Absolute{Table: m, Grid: posemb.Grid{Rows: n, Cols: 1}, Reserved: 1, Aside: mat.NewDense(1, 1, nil)},
				&posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Max: n - 1}}, Table: m},
				&posemb.Bias{Axes: []posemb.Axis{{Name: "offset", Max: n - 1}}, Scores: m, Unused: []int{3}},
				&posemb.Bias{Axes: []posemb.Axis{{Name: "dy", Max: n - 1}, {Name: "dx"}}, Scores: m, Stored: []posemb.Stored{{Axis: posemb.WholeTable, At: []int{1}}}},
			}
			for _, table := range tables {
				r, err := Check(t.Context(), table, CheckOptions{})
				if err != nil {
					t.Errorf("%s, %d x %d: %v", name, n, d, err)
					continue
				}
				if _, err := json.Marshal(r); err != nil {
					t.Errorf("%s, %d x %d: %v", name, n, d, err)
				}
				codes := r.summary()
				switch {
				case name == "zero" && codes != CodeZeroTable:
					t.Errorf("%s, %d x %d, %s: %q", name, n, d, r.Kind, codes)
				case (name == "nan" || name == "inf") && !strings.HasPrefix(codes, CodeNonFinite):
					t.Errorf("%s, %d x %d, %s: %q", name, n, d, r.Kind, codes)
				case name == "one" && n > 1 && codes != CodeConstantTable:
					t.Errorf("%s, %d x %d, %s: %q", name, n, d, r.Kind, codes)
				}
			}
		}
	}
}

// What can't be asked has a reason, what is no table an error.
func TestCheckReasons(t *testing.T) {
	r := check(t, absolute(gaussian(100, 4, 1)), CheckOptions{})
	if r.Reasons[CodeNoiseFloor] == "" || r.Reasons[CodeInitialTable] == "" || r.Reasons[CodeChangePoint] != "" {
		t.Errorf("%q", r.Reasons)
	}
	for _, table := range []posemb.Table{&posemb.Absolute{}, &posemb.Vectors{}, &posemb.Bias{}, &posemb.Absolute{Table: &mat.Dense{}}} {
		if _, err := Check(t.Context(), table, CheckOptions{}); !errors.Is(err, ErrNothing) {
			t.Errorf("%T: %v", table, err)
		}
	}
	if _, err := Check(t.Context(), absolute(gaussian(4, 4, 1)), CheckOptions{Ignore: []string{"nosuch"}}); err == nil {
		t.Error("an unknown code is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, absolute(gaussian(400, 64, 1)), CheckOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Rows become ranges, in JSON and in words.
func TestSpans(t *testing.T) {
	s := spans([]int{7, 3, 4, 9, 5, 9, -1})
	if got := fmt.Sprint(s); got != "[-1 3..5 7 9]" {
		t.Error(got)
	}
	b, err := json.Marshal(s)
	if err != nil || string(b) != "[[-1,-1],[3,5],[7,7],[9,9]]" {
		t.Error(string(b), err)
	}
}

// Every code is in the registry once, with a doc.
func TestChecks(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks {
		if seen[c.Code] || c.Doc == "" || !strings.HasSuffix(c.Doc, ".") || c.Level != LevelError && c.Level != LevelNote {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
		if !slices.Contains([]string{"all", "absolute", "vectors", "bias"}, c.Tables) {
			t.Errorf("%s is of %q tables", c.Code, c.Tables)
		}
	}
}
