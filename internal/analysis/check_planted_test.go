package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// plantedFault is a fault of a size and at rows that are drawn.
type plantedFault struct {
	name  string
	code  string
	plant func(m *mat.Dense, r *rand.Rand) (rows []Span, other []string) // and the codes that may be told beside it
}

// noisy adds normal noise to rows from <= i < to.
func noisy(m *mat.Dense, from, to int, sigma float64, r *rand.Rand) {
	for i := from; i < to; i++ {
		for j, x := range m.RawRowView(i) {
			m.Set(i, j, x+sigma*r.NormFloat64())
		}
	}
}

// plantedFaults are all that TestCheckPlantedAnywhere plants.
var plantedFaults = []plantedFault{
	{"an untrained tail", CodeUntrained, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		from := 64 + r.IntN(n-128)
		randomRows(m, 0.02+r.Float64(), upTo(from, n)...)
		return []Span{{from, n - 1}}, []string{CodeChangePoint}
	}},
	{"an untrained block", CodeUntrained, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		from := 64 + r.IntN(n-192)
		to := from + 16 + r.IntN(48)
		randomRows(m, 1, upTo(from, to)...)
		return []Span{{from, to - 1}}, []string{CodeChangePoint}
	}},
	{"a change point of a block", CodeChangePoint, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		from := 64 + r.IntN(n-192)
		to := from + 24 + r.IntN(48)
		randomRows(m, 1, upTo(from, to)...)
		return []Span{{from, to - 1}}, []string{CodeUntrained}
	}},
	{"two blocks", CodeUntrained, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		a, b := 20+r.IntN(n/2-80), n/2+r.IntN(n/2-80)
		randomRows(m, 1, upTo(a, a+40)...)
		randomRows(m, 1.01, upTo(b, b+50)...)
		return []Span{{a, a + 39}, {b, b + 49}}, []string{CodeChangePoint}
	}},
	{"near copies", CodeNearCopies, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		period := 64 + r.IntN(n/2-64)
		for i := period; i < n; i++ {
			copyRows(m, i-period, i, 1)
		}
		noisy(m, 0, n, 0.01+0.4*r.Float64(), r)
		return []Span{{period, n - 1}}, nil
	}},
	{"duplicates", CodeDuplicates, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		of, to, count := r.IntN(60), 100+r.IntN(n-140), 1+r.IntN(9)
		copyRows(m, of, to, count)
		return []Span{{to, to + count - 1}}, nil
	}},
	{"the last row again", CodeRepeatedLast, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		from := n - 2 - r.IntN(6)
		for i := from; i < n; i++ {
			copyRows(m, from-1, i, 1)
		}
		return []Span{{from, n - 1}}, nil
	}},
	{"zero rows", CodeZeroRows, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, d := m.Dims()
		from, count := r.IntN(n-20), 1+r.IntN(20)
		for i := range count {
			m.SetRow(from+i, make([]float64, d))
		}
		return []Span{{from, from + count - 1}}, nil
	}},
	{"tiled", CodeTiled, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		period := 20 + r.IntN(n-40)
		for i := period; i < n; i++ {
			copyRows(m, i-period, i, 1)
		}
		return []Span{{period, n - 1}}, nil
	}},
	{"vanishing rows", CodeVanishing, func(m *mat.Dense, r *rand.Rand) ([]Span, []string) {
		n, _ := m.Dims()
		from, count := r.IntN(n-20), 1+r.IntN(20)
		for i := range count {
			scaleRow(m, from+i, 1e-8)
		}
		return []Span{{from, from + count - 1}}, nil
	}},
}

// Faults at rows that are drawn are told in these very rows, and nothing is told that
// does not follow from them. A block whose end is like its neighbours by chance may be
// off by a row.
func TestCheckPlantedAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	const times = 16
	for _, f := range plantedFaults {
		t.Run(f.name, func(t *testing.T) {
			for seed := range uint32(times) {
				r := rand.New(rand.NewPCG(uint64(seed), 77))
				n := []int{256, 400, 512, 1024}[r.IntN(4)]
				a, err := posemb.Smooth(posemb.SmoothOptions{N: n, D: []int{64, 128}[r.IntN(2)], Seed: &seed})
				if err != nil {
					t.Fatal(err)
				}
				want, other := f.plant(a.Table, r)
				var told []Span
				for _, found := range check(t, a, CheckOptions{Ignore: []string{CodeNorms}}).Findings {
					switch {
					case found.Code == f.code:
						told = append(told, found.Rows...)
					case !slices.Contains(other, found.Code):
						t.Errorf("seed %d: also %s: %s", seed, found.Code, found.Text)
					}
				}
				slices.SortFunc(told, func(a, b Span) int { return a.From - b.From })
				if fmt.Sprint(told) != fmt.Sprint(want) {
					t.Errorf("seed %d, %d rows: %v, want %v", seed, n, told, want)
				}
			}
		})
	}
}
