package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"poslens/internal/posemb"
)

// absolute wraps a matrix as a table.
func absolute(m *mat.Dense) *posemb.Absolute { return &posemb.Absolute{Table: m} }

// gaussian is an n x d table of N(0, 1).
func gaussian(n, d int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	m := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			m.Set(i, j, r.NormFloat64())
		}
	}
	return m
}

// constant is a table whose rows are all the same.
func constant(n, d int, x float64) *mat.Dense {
	m := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			m.Set(i, j, x)
		}
	}
	return m
}

// bias makes a relative table on one axis from -reach.
func bias(reach int, heads ...[]float64) *posemb.Bias {
	b := &posemb.Bias{
		Axes:   []posemb.Axis{{Name: "offset", Min: -reach, Max: len(heads[0]) - 1 - reach}},
		Scores: mat.NewDense(len(heads[0]), len(heads), nil),
	}
	for h, scores := range heads {
		b.Heads = append(b.Heads, string(rune('0'+h)))
		b.Scores.SetCol(h, scores)
	}
	return b
}

// drawTable draws a small table of tame numbers, without zero rows.
func drawTable(t *rapid.T) *mat.Dense {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	d := rapid.IntRange(1, 12).Draw(t, "d")
	m := gaussian(n, d, rapid.Uint64().Draw(t, "seed"))
	for i := range n {
		if floats.Norm(m.RawRowView(i), 2) < 1e-3 {
			m.Set(i, 0, 1)
		}
	}
	return m
}

// near fails unless got is within tol of want, or both are NaN.
func near(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tol {
		t.Errorf("%s is %v, want %v (off by %.2g)", what, got, want, got-want)
	}
}

// says fails unless one of the texts holds all the parts.
func says(t *testing.T, texts []string, parts ...string) {
	t.Helper()
	for _, text := range texts {
		held := true
		for _, p := range parts {
			held = held && strings.Contains(text, p)
		}
		if held {
			return
		}
	}
	t.Errorf("nothing says %q: %q", parts, texts)
}

// sinusoid is Vaswani's table.
func sinusoid(t testing.TB, n, d int) *mat.Dense {
	t.Helper()
	a, err := posemb.Sinusoid(posemb.SinusoidOptions{N: n, D: d})
	if err != nil {
		t.Fatal(err)
	}
	return a.Table
}

// frequency is the angle by which a sinusoid's pair c turns from one position to
// the next.
func frequency(c, d int) float64 { return math.Pow(10000, -2*float64(c)/float64(d)) }
