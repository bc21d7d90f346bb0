package analysis

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// eigenvalues are gonum's of a scatter, the largest first, none below 0.
func eigenvalues(s *mat.SymDense) ([]float64, error) {
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return nil, errEigen
	}
	values := e.Values(nil)
	slices.Reverse(values)
	for i, l := range values {
		values[i] = max(l, 0)
	}
	return values, nil
}

// One reduction gives the eigenvalues that gonum gives of both scatters, of tables with
// more rows than components and with fewer, and with a mean row that is long, short or
// none at all.
func TestSpectraAreThoseOfBothScatters(t *testing.T) {
	for _, c := range []struct{ n, d int }{{1, 3}, {2, 5}, {3, 1}, {7, 7}, {33, 100}, {60, 90}, {100, 33}, {150, 149}, {149, 150}, {300, 200}} {
		for name, shift := range map[string]float64{"little mean": 0, "mean": 1, "long mean": 1e3} {
			table := gaussian(c.n, c.d, 9)
			table.Apply(func(_, j int, v float64) float64 { return v + shift*math.Sin(float64(j)) }, table)
			s, err := newSubject(t.Context(), absolute(table))
			if err != nil {
				t.Fatal(err)
			}
			plain, centred := s.finite(false), s.finite(true)
			scatter, err := centred.scatter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, largest, err := centred.spectra(t.Context(), full(scatter))
			if err != nil {
				t.Fatal(err)
			}
			want, err := eigenvalues(scatter)
			if err != nil {
				t.Fatal(err)
			}
			if !floats.EqualApprox(got, want, 1e-13*max(want[0], 1e-300)) {
				t.Errorf("%d x %d, %s: eigenvalues\n%v\nwant\n%v", c.n, c.d, name, got, want)
			}
			scatter, err = plain.scatter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if want, err = eigenvalues(scatter); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(largest-want[0]) <= 1e-13*want[0]) {
				t.Errorf("%d x %d, %s: the largest eigenvalue of the rows is %v, want %v", c.n, c.d, name, largest, want[0])
			}
		}
	}
}

// Equal rows and rows whose mean is 0 have the eigenvalues that can be written down.
func TestSpectraOfSimpleTables(t *testing.T) {
	for name, c := range map[string]struct {
		table   *mat.Dense
		centred []float64
		largest float64
	}{
		"equal rows":   {mat.NewDense(3, 2, []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}), []float64{0, 0}, 1.5},
		"no mean":      {mat.NewDense(4, 2, []float64{0.5, 0, -0.5, 0, 0, 0.25, 0, -0.25}), []float64{0.5, 0.125}, 0.5},
		"across":       {mat.NewDense(2, 3, []float64{0.5, 0, 0, 0, 0.5, 0}), []float64{0.25, 0}, 0.25},
		"one row":      {mat.NewDense(1, 2, []float64{0.5, 0.25}), []float64{0}, 0.3125},
		"one position": {mat.NewDense(3, 1, []float64{0.5, 0.25, 0.75}), []float64{0.125}, 0.875},
	} {
		s, err := newSubject(t.Context(), absolute(c.table))
		if err != nil {
			t.Fatal(err)
		}
		v := s.finite(true)
		scatter, err := v.scatter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, largest, err := v.spectra(t.Context(), full(scatter))
		unit := math.Ldexp(1, 2*v.exponent)
		floats.Scale(unit, got)
		if err != nil || !floats.EqualApprox(got, c.centred, 1e-15) || !(math.Abs(largest*unit-c.largest) <= 1e-15) {
			t.Errorf("%s: %v and %v, want %v and %v (%v)", name, got, largest*unit, c.centred, c.largest, err)
		}
	}
}

func BenchmarkSpectra(b *testing.B) {
	s, err := newSubject(b.Context(), absolute(gaussian(512, 768, 1)))
	if err != nil {
		b.Fatal(err)
	}
	v := s.finite(true)
	scatter, err := v.scatter(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := v.spectra(b.Context(), full(scatter)); err != nil {
			b.Fatal(err)
		}
	}
}
