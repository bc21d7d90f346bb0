package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// tiledAndTrained repeats a table to n rows and adds noise to each, of a share of its
// length.
func tiledAndTrained(base *mat.Dense, n int, noise func(i int) float64, r *rand.Rand) *mat.Dense {
	rows, d := base.Dims()
	m := mat.NewDense(n, d, nil)
	for i := range n {
		row := base.RawRowView(i % rows)
		sigma := noise(i) * mat.Norm(base.RowView(i%rows), 2) / math.Sqrt(float64(d))
		for j, x := range row {
			m.Set(i, j, x+sigma*r.NormFloat64())
		}
	}
	return m
}

// always is the same noise in all rows.
func always(noise float64) func(int) float64 { return func(int) float64 { return noise } }

// nearOnly asks for near copies alone.
var nearOnly = CheckOptions{Ignore: []string{CodeNorms, CodeNoiseFloor, CodeUntrained, CodeInitialTable, CodeChangePoint, CodeFading}}

// Copies are found in their very rows up to noise of 50 % of their lengths, and but for
// a few up to 90 %, be the table smooth or not, with the cosine 1 / (1 + noise^2) that
// it leaves; and none is named with noise of 120 %.
func TestCheckNearCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	r := rand.New(rand.NewPCG(8, 8))
	for _, noise := range []float64{0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 1.2} {
		missed := 0
		for _, period := range []int{64, 100, 128, 512} {
			for _, d := range []int{16, 64, 256} {
				for _, copies := range []float64{2, 2.75, 4.5, 8} {
					seed := r.Uint32()
					base := gaussian(period, d, uint64(seed))
					if seed%2 == 0 {
						a, err := posemb.Smooth(posemb.SmoothOptions{N: period, D: d, Seed: &seed})
						if err != nil {
							t.Fatal(err)
						}
						base = a.Table
					}
					n := int(copies * float64(period))
					got := check(t, absolute(tiledAndTrained(base, n, always(noise), r)), nearOnly)
					want := fmt.Sprintf("near-copies %d..%d", period, n-1)
					if noise > 1 {
						want = ""
					}
					if got.summary() == "" && noise == 0.9 {
						missed++
						continue
					}
					if got.summary() != want {
						t.Errorf("noise %v, %d of %d rows, %d components: %q, want %q", noise, period, n, d, got.summary(), want)
						continue
					}
					if want == "" {
						continue
					}
					f := got.Findings[0]
					near(t, "mean cosine", float64(f.Value), 1/(1+noise*noise), 0.03)
					if pair := (Pair{Span{period, n - 1}, Span{0, n - 1 - period}}); len(f.Pairs) != 1 || f.Pairs[0] != pair {
						t.Errorf("pairs %v, want %v", f.Pairs, pair)
					}
				}
			}
		}
		if missed > 4 {
			t.Errorf("%d of 48 tables with noise %v are missed", missed, noise)
		}
	}
}

// Copies of which some have moved more, or were never trained, are found too; rows that
// are none are left out.
func TestCheckNearCopiesUneven(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	base := learned(t, 128, 3)
	for _, c := range []struct {
		name  string
		noise func(i int) float64
		want  string
	}{
		{"the first has moved", func(i int) float64 { return map[bool]float64{true: 0.6, false: 0.05}[i < 128] }, "128..1023"},
		{"the last has moved", func(i int) float64 { return map[bool]float64{true: 0.6, false: 0.05}[i >= 896] }, "128..1023"},
		{"less and less", func(i int) float64 { return 0.6 * (1 - float64(i)/1024) }, "128..1023"},
		{"the last is random", func(i int) float64 { return map[bool]float64{true: 50, false: 0.1}[i >= 896] }, "128..895"},
	} {
		got := check(t, absolute(tiledAndTrained(base, 1024, c.noise, r)), nearOnly)
		if got.summary() != "near-copies "+c.want {
			t.Errorf("%s: %q, want %s", c.name, got.summary(), c.want)
		}
	}
	// Positions are told where rows are reserved, and a zero row is no copy.
	m := tiledAndTrained(base, 512, always(0.2), r)
	m.SetRow(300, make([]float64, 64))
	got := check(t, &posemb.Absolute{Table: m, Reserved: 2, Aside: gaussian(2, 64, 9)}, nearOnly)
	if got.summary() != "zero-rows position 300; near-copies position 128..299 301..427 429..511" {
		t.Error(got.summary())
	}
	if f := got.Findings[1]; !strings.Contains(f.Text, "near copies of the rows 128 before them") || !strings.Contains(f.Text, "its first 128 rows") {
		t.Error(f.Text)
	}
}

// Rows that recur as waves do are no copies, nor are the rows of a grid, random ones,
// or those of a table without recurrences.
func TestCheckNoCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	r := rand.New(rand.NewPCG(1, 9))
	tried := 0
	none := func(name string, m *mat.Dense) {
		t.Helper()
		tried++
		if got := check(t, absolute(m), nearOnly).summary(); strings.Contains(got, CodeNearCopies) {
			t.Errorf("%s: %s", name, got)
		}
	}
	waves := func(n int, noise float64, frequencies []float64) *mat.Dense {
		m := mat.NewDense(n, 2*len(frequencies), nil)
		for i := range n {
			for k, w := range frequencies {
				sin, cos := math.Sincos(w * float64(i))
				m.Set(i, 2*k, sin+noise*r.NormFloat64())
				m.Set(i, 2*k+1, cos+noise*r.NormFloat64())
			}
		}
		return m
	}
	for _, n := range []int{64, 128, 512, 2048} {
		for _, pairs := range []int{1, 2, 4, 8, 32} {
			for _, noise := range []float64{0, 0.05, 0.3} {
				for _, base := range []float64{1.0001, 2, 100, 1e4} {
					w := make([]float64, pairs)
					for k := range w {
						w[k] = math.Pow(base, -float64(k)/float64(pairs))
					}
					none(fmt.Sprint("a sinusoid of base ", base), waves(n, noise, w))
				}
				for _, period := range []int{7, 24, 64} {
					w := make([]float64, pairs)
					for k := range w {
						w[k] = 2 * math.Pi * float64(1+r.IntN(6)) / float64(period)
					}
					none(fmt.Sprint("waves of the period ", period), waves(n, noise, w))
				}
				w := make([]float64, pairs)
				for k := range w {
					w[k] = math.Pi * r.Float64()
				}
				none("waves of any frequency", waves(n, noise, w))
			}
		}
		for _, d := range []int{1, 2, 8, 64} {
			none("random", gaussian(n, d, uint64(n)))
		}
	}
	for seed := range uint32(5) {
		for _, side := range [][2]int{{7, 7}, {14, 14}, {37, 37}, {12, 101}} { // in raster order, and nobody knows
			down := learned(t, side[0], seed)
			across := learned(t, side[1], seed+50)
			m := mat.NewDense(side[0]*side[1], 64, nil)
			for i := range side[0] * side[1] {
				for j := range 64 {
					m.Set(i, j, down.At(i/side[1], j)+across.At(i%side[1], j))
				}
			}
			none(fmt.Sprint("a grid of ", side), m)
		}
		for _, n := range []int{128, 512} {
			none("smooth", learned(t, n, seed))
		}
	}
	if tried < 400 {
		t.Errorf("%d tables", tried)
	}
	grid := &posemb.Absolute{Table: tiledAndTrained(learned(t, 64, 1), 256, always(0.1), r), Grid: posemb.Grid{Rows: 4, Cols: 64}}
	if got := check(t, grid, nearOnly); got.summary() != "" {
		t.Errorf("a known grid: %s", got.summary())
	}
	if got := check(t, absolute(learned(t, 47, 1)), nearOnly); got.Reasons[CodeNearCopies] == "" {
		t.Errorf("47 rows: %q", got.Reasons)
	}
}
