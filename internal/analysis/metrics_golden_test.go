package analysis_test

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// nullTables are tables whose null models take every path: more rows than components
// and fewer, rows that are not defined, a mean row far longer than what varies, copies.
func nullTables(t *testing.T) map[string]*mat.Dense {
	t.Helper()
	smooth := func(n, d int) *mat.Dense {
		a, err := posemb.Smooth(posemb.SmoothOptions{N: n, D: d})
		if err != nil {
			t.Fatal(err)
		}
		return a.Table
	}
	odd := smooth(60, 24)
	odd.SetRow(5, make([]float64, 24))
	odd.Set(17, 3, math.NaN())
	far := smooth(64, 80)
	far.Apply(func(_, j int, v float64) float64 { return v + 30*math.Sin(float64(j)) }, far)
	copies := smooth(50, 20)
	for i := 0; i < 50; i += 2 {
		copies.SetRow(i+1, copies.RawRowView(i))
	}
	return map[string]*mat.Dense{"wide": smooth(40, 100), "tall": smooth(150, 20), "odd": odd, "far": far, "copies": copies}
}

// The null models are those of testdata/nulls.tsv, which the plain way gave: every draw
// a copy of the table with products of its own, the eigenvalues of both its scatters by
// gonum, its spectrum column after column.
func TestNullsAreThePlainOnes(t *testing.T) {
	f, err := os.Open("testdata/nulls.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := map[string]map[string]analysis.MeasuredMetric{}
	for name, table := range nullTables(t) {
		got[name] = metricsOf(t, &posemb.Absolute{Table: table, Stride: 1}, analysis.MetricOptions{Draws: 19, Seed: 3})
	}
	lines := bufio.NewScanner(f)
	lines.Scan() // the header
	compared := 0
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		have := nullNumbers(got[fields[0]][fields[1]])
		for i, field := range fields[2:] {
			want, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			if g := have[i]; !(math.Abs(g-want) <= 1e-10*math.Abs(want)+1e-14) && !(math.IsNaN(g) && math.IsNaN(want)) {
				t.Errorf("%s, %s, number %d: %v, want %v", fields[0], fields[1], i, g, want)
			}
			compared++
		}
	}
	if err := lines.Err(); err != nil || compared < 5*9*len(analysis.Metrics) {
		t.Errorf("only %d numbers were compared: %v", compared, err)
	}
}

// nullNumbers are a figure and its null models' mean, deviation, p and draws.
func nullNumbers(m analysis.MeasuredMetric) []float64 {
	numbers := []float64{float64(m.Value)}
	for _, n := range []*analysis.NullModel{m.Shuffled, m.Gaussian} {
		numbers = append(numbers, float64(n.Mean), float64(n.Std), float64(n.P), float64(n.Draws))
	}
	return numbers
}
