package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// withValues is a random symmetric matrix of some eigenvalues.
func withValues(l []float64, seed uint64) *mat.SymDense {
	n := len(l)
	random := rand.New(rand.NewPCG(seed, 1))
	q := make([]float64, n*n)
	for i := range q {
		q[i] = random.NormFloat64()
	}
	orthonormal(q, n, random)
	s := mat.NewSymDense(n, make([]float64, n*n))
	raw := s.RawSymmetric().Data
	for c, x := range l {
		v := q[c*n : (c+1)*n]
		for i := range n {
			for j := range n {
				raw[i*n+j] += x * v[i] * v[j]
			}
		}
	}
	return s
}

// The first eigenvectors are those that gonum finds among all, to 1e-8, whatever the
// eigenvalues fall like.
func TestLeadingAgreesWithEigenSym(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	const n, k = 300, 8
	for name, value := range map[string]func(i int) float64{
		"flat":        func(i int) float64 { return 2 - float64(i)/n },
		"steep":       func(i int) float64 { return math.Exp(-float64(i)) },
		"steeper":     func(i int) float64 { return math.Pow(10, -1.2*float64(i)) },
		"power law":   func(i int) float64 { return 1 / float64((i+1)*(i+1)) },
		"few":         func(i int) float64 { return max(0, 10-float64(i)) },
		"large first": func(i int) float64 { return 1 + max(0, 1e7*(1-float64(i))) + 0.1*float64(n-i)/n },
	} {
		t.Run(name, func(t *testing.T) {
			l := make([]float64, n)
			for i := range l {
				l[i] = value(i)
			}
			s := withValues(l, 3)
			all, err := eigenvalues(s)
			if err != nil {
				t.Fatal(err)
			}
			wanted := min(k, rankOf(all))
			got, residual, steps, settled, err := leading(t.Context(), s, all, wanted)
			if err != nil || !settled {
				t.Fatalf("residual %g after %d products, %v", residual, steps, err)
			}
			var e mat.EigenSym
			if !e.Factorize(s, true) {
				t.Fatal("no eigenvectors")
			}
			want := vectorsOf(&e, wanted)
			for c := range wanted {
				if l[c] < 1e-4*l[0] { // rounding of the largest is no longer small beside the gaps
					continue
				}
				dot := 0.0
				for j := range n {
					dot += got.Data[c*n+j] * want.Data[c*n+j]
				}
				apart := 0.0
				for j := range n {
					apart = max(apart, math.Abs(got.Data[c*n+j]-math.Copysign(want.Data[c*n+j], dot*want.Data[c*n+j])))
				}
				if !(apart <= 1e-8) {
					t.Errorf("vector %d is %.1e off, after %d products", c, apart, steps)
				}
			}
			t.Logf("%d products, residual %.1e", steps, residual)
		})
	}
}

// Eigenvalues that are all the same have no first vectors; any will do.
func TestLeadingOfOneValue(t *testing.T) {
	const n = 280
	l := make([]float64, n)
	s := mat.NewSymDense(n, make([]float64, n*n))
	for i := range l {
		l[i] = 3
		s.SetSym(i, i, 3)
	}
	got, residual, _, settled, err := leading(t.Context(), s, l, 5)
	if err != nil || !settled || got.N != 5 || !(residual <= 1e-12) {
		t.Fatalf("%d vectors, residual %g, settled %v, %v", got.N, residual, settled, err)
	}
}

// The scores of a wide table by subspace iteration are those by all eigenvectors.
func TestScoresByEitherWay(t *testing.T) {
	for _, c := range []struct{ n, d int }{{300, 400}, {500, 270}} {
		t.Run(fmt.Sprint(c.n, "x", c.d), func(t *testing.T) {
			random := rand.New(rand.NewPCG(9, 9))
			table := mat.NewDense(c.n, c.d, nil)
			for i := range c.n {
				for j := range c.d {
					table.Set(i, j, random.NormFloat64()*math.Pow(0.8, float64(j))+1e-3*random.NormFloat64())
				}
			}
			s, err := newSubject(t.Context(), &posemb.Absolute{Table: table, Stride: 1})
			if err != nil {
				t.Fatal(err)
			}
			v := s.finite(true)
			scatter, err := v.scatter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			l, err := eigenvalues(scatter)
			if err != nil {
				t.Fatal(err)
			}
			r := &SpectrumResult{}
			few, err := r.scores(t.Context(), v, scatter, l, 6)
			if err != nil {
				t.Fatal(err)
			}
			path := r.Path
			all, err := r.scores(t.Context(), v, scatter, l, len(l)/4+1)
			if err != nil {
				t.Fatal(err)
			}
			if path == r.Path {
				t.Fatalf("both by %s", path)
			}
			for k := range 6 {
				for i := range c.n {
					if a, b := few.Data[k*few.Stride+i], all.Data[k*all.Stride+i]; !(math.Abs(a-b) <= 1e-8) {
						t.Fatalf("score %d of row %d is %v and %v", k, i, a, b)
					}
				}
			}
		})
	}
}
