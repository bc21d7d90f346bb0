package posemb

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// rowCosine gives the cosine of row i with row i+k.
func rowCosine(m *mat.Dense, i, k int) float64 {
	a, b := m.RowView(i), m.RowView(i+k)
	return mat.Dot(a, b) / math.Sqrt(mat.Dot(a, a)*mat.Dot(b, b))
}

func TestSinusoidClosedForm(t *testing.T) {
	distances := []int{1, 2, 5, 10, 20, 40, 100}
	printed := map[string]map[int][]float64{ // to six digits; 0 is not printed there
		"vaswani": {
			64:  {.966151, .884496, .734499, .657863, .589973, .481171, .558583},
			512: {.973055, .905209, .740612, .678866, .615523, .535262, .437306},
			768: {.973360, .906143, .741047, .680028, .616029, .536552, .436889},
		},
		"timescales": {512: {.973157, 0, 0, .680107, 0, .537061, .439511}},
	}
	for frequencies, widths := range printed {
		for d, values := range widths {
			for _, layout := range layoutNames {
				a, err := Sinusoid(SinusoidOptions{D: d, Layout: layout, Frequencies: frequencies})
				if err != nil {
					t.Fatal(err)
				}
				for j, k := range distances {
					exact := 0.0
					for i := range d / 2 {
						exponent := 2 * float64(i) / float64(d)
						if frequencies == "timescales" {
							exponent = float64(i) / float64(d/2-1)
						}
						exact += math.Cos(float64(k)/math.Pow(10000, exponent)) * 2 / float64(d)
					}
					if values[j] != 0 && math.Abs(exact-values[j]) > 5e-7 {
						t.Errorf("%s, d %d, distance %d: closed form %.6f, printed %.6f", frequencies, d, k, exact, values[j])
					}
					for _, i := range []int{0, 17, 511 - k} {
						if got := rowCosine(a.Table, i, k); math.Abs(got-exact) > 1e-12 {
							t.Errorf("%s, %s, d %d: cosine of %d and %d is %v, want %v", frequencies, layout, d, i, i+k, got, exact)
						}
					}
				}
				for i := range 512 {
					if row := a.Table.RowView(i); !nearTo(mat.Dot(row, row), float64(d)/2, 1e-13) {
						t.Errorf("%s, %s, d %d: squared norm of row %d is %v", frequencies, layout, d, i, mat.Dot(row, row))
					}
				}
			}
		}
	}
}

func TestSinusoidLayout(t *testing.T) {
	for layout, want := range map[string][]float64{
		"interleaved":  {math.Sin(3), math.Cos(3), math.Sin(0.3), math.Cos(0.3)},
		"concatenated": {math.Sin(3), math.Sin(0.3), math.Cos(3), math.Cos(0.3)},
	} {
		a, err := Sinusoid(SinusoidOptions{N: 4, D: 4, Base: 100, Layout: layout})
		if err != nil {
			t.Fatal(err)
		}
		for j, w := range want {
			if got := a.Table.At(3, j); !nearTo(got, w, 1e-14) {
				t.Errorf("%s: component %d is %v, want %v", layout, j, got, w)
			}
		}
	}
}

// The participation ratio of the centred table, from an independent computation.
func TestSinusoidParticipationRatio(t *testing.T) {
	a, err := Sinusoid(SinusoidOptions{N: 512, D: 768})
	if err != nil {
		t.Fatal(err)
	}
	p := a.Table
	for j := range 768 {
		mean := mat.Sum(p.ColView(j)) / 512
		for i := range 512 {
			p.Set(i, j, p.At(i, j)-mean)
		}
	}
	var gram mat.Dense
	gram.Mul(p, p.T())
	if pr := math.Pow(mat.Trace(&gram)/mat.Norm(&gram, 2), 2); math.Abs(pr-24.121) > 5e-4 {
		t.Errorf("participation ratio %v, want 24.121", pr)
	}
}
