package analysis

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// On simulated learned tables the right kernel is named in at least 18 of 20, and the
// median of its length is within 5 %.
func TestFitOfSmoothTables(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	const seeds = 20
	for _, kernel := range []string{"squared-exponential", "exponential", "matern32"} {
		for _, length := range []float64{3, 6, 12} {
			for _, noise := range []float64{0, 0.087, 0.3} {
				t.Run(fmt.Sprintf("%s,l=%v,noise=%v", kernel, length, noise), func(t *testing.T) {
					t.Parallel()
					right := 0
					var lengths, floors []float64
					for seed := range uint32(seeds) {
						a, err := posemb.Smooth(posemb.SmoothOptions{Kernel: kernel, Length: length, Noise: &noise, Seed: &seed})
						if err != nil {
							t.Fatal(err)
						}
						c, err := Decay(context.Background(), a, DecayOptions{NoSummary: true})
						if err != nil {
							t.Fatal(err)
						}
						fits, err := c.Fit(FitOptions{})
						if err != nil {
							t.Fatal(err)
						}
						if fits.Best == kernel {
							right++
						}
						for _, f := range fits.Models {
							if f.Model == kernel && f.Converged {
								lengths = append(lengths, float64(f.Param("length").Value))
								floors = append(floors, float64(f.NoiseFloor.Value))
							}
						}
					}
					if len(lengths) != seeds {
						t.Fatalf("%d of %d converged", len(lengths), seeds)
					}
					slices.Sort(lengths)
					slices.Sort(floors)
					median := lengths[seeds/2-1]/2 + lengths[seeds/2]/2
					floor := floors[seeds/2-1]/2 + floors[seeds/2]/2
					t.Logf("%d right, length %.3f (%.2f to %.2f), noise floor %.3f", right, median, lengths[0], lengths[seeds-1], floor)
					if right < 18 {
						t.Errorf("the right kernel is named in %d of %d", right, seeds)
					}
					if math.Abs(median/length-1) > 0.05 {
						t.Errorf("median length %v", median)
					}
					if math.Abs(floor-noise) > 0.02 {
						t.Errorf("median noise floor %v", floor)
					}
				})
			}
		}
	}
}

// The slopes of ALiBi (Press et al. 2022) come out as they went in, and nothing with
// more parameters is preferred.
func TestFitOfALiBi(t *testing.T) {
	heads := make([][]float64, 8)
	for h := range heads {
		for k := -64; k <= 64; k++ {
			heads[h] = append(heads[h], -math.Exp2(-float64(h+1))*math.Abs(float64(k)))
		}
	}
	b := bias(64, heads...)
	p, err := ProfileOf(context.Background(), b, ProfileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for h := range heads {
		fits, err := p.Fit(h, FitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f := fits.BestFit()
		if fits.Best != "line" || fits.N != 129 {
			t.Fatalf("head %d: %+v", h, fits)
		}
		m := math.Exp2(-float64(h + 1))
		near(t, "slope", float64(f.Param("slope").Value)/m, -1, 1e-13)
		near(t, "offset", float64(f.Param("offset").Value)/m, 0, 1e-12)
		near(t, "fitted curve", fits.Curve[0], -64*m, 1e-12)
		if f.Params[0].Unit != "score/position" || f.NoiseFloor != nil {
			t.Errorf("head %d: %+v", h, f)
		}
	}
	c, err := DecayBias(context.Background(), bias(64, heads[2]), DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fits, err := c.Fit(FitOptions{})
	if err != nil || fits.Best != "line" || fits.From != 1 || fits.To != 40 {
		t.Fatalf("decay: %v %+v", err, fits)
	}
	near(t, "slope of the decay", float64(fits.BestFit().Param("slope").Value), -0.125, 1e-13)
}

// A causal window has no slope ahead, which is told and not made up.
func TestFitOfOneSide(t *testing.T) {
	b := &posemb.Bias{Axes: []posemb.Axis{{Name: "offset", Min: -20, Max: 0}}, Scores: mat.NewDense(21, 1, nil)}
	for i := range 21 {
		b.Scores.Set(i, 0, 0.5*float64(i-20))
	}
	p, err := ProfileOf(context.Background(), b, ProfileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fits, err := p.Fit(0, FitOptions{Models: []string{"two-lines", "line"}})
	if err != nil || fits.Best != "line" || fits.Models[0].Converged {
		t.Fatalf("%v %+v", err, fits)
	}
	near(t, "slope", float64(fits.BestFit().Param("slope").Value), -0.5, 1e-13)
}

func TestFitOfWhatCannot(t *testing.T) {
	b := &posemb.Bias{Axes: []posemb.Axis{{Name: "dy", Min: -1, Max: 1}, {Name: "dx", Min: -1, Max: 1}}, Scores: gaussian(9, 1, 1)}
	p, err := ProfileOf(context.Background(), b, ProfileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Fit(0, FitOptions{}); err == nil {
		t.Error("a profile of two axes was fitted")
	}
	if _, err := p.Fit(1, FitOptions{}); err == nil {
		t.Error("head 1 of 1 was fitted")
	}
	for _, m := range []*mat.Dense{gaussian(1, 3, 1), gaussian(2, 3, 1), constant(30, 4, 1), gaussian(60, 16, 5), gaussian(40, 1, 2)} {
		c := decay(t, m, DecayOptions{})
		fits, err := c.Fit(FitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := m.Dims()
		if n < 3 && fits.Best != "" || len(fits.Notes) == 0 {
			t.Errorf("%d rows: best %q, %q", n, fits.Best, fits.Notes)
		}
	}
	zero := 0.0
	if _, err := decay(t, gaussian(9, 3, 1), DecayOptions{}).Fit(FitOptions{To: &zero}); err == nil {
		t.Error("a fit to distance 0")
	}
}

// Both signs of a matrix's offsets are kept, so that a head that looks at the previous
// token has its centre there.
func TestFitOfAMatrix(t *testing.T) {
	m := mat.NewDense(40, 40, nil)
	m.Apply(func(i, j int, _ float64) float64 { return 3 * math.Exp(-0.2*math.Pow(float64(j-i+1), 2)) }, m)
	c, err := DecayMatrix(context.Background(), posemb.Origin{}, m, DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fits, err := c.Fit(FitOptions{})
	if err != nil || fits.Best != "tisa1" {
		t.Fatalf("%v %+v", err, fits)
	}
	near(t, "centre", float64(fits.BestFit().Param("centre_1").Value), -1, 1e-8)
}

func BenchmarkFit(b *testing.B) {
	k, y := fitPoints(-128, 128, func(k float64) float64 {
		return math.Exp(-0.1*(k-1)*(k-1)) - math.Exp(-0.01*(k+6)*(k+6)) + 0.01*math.Sin(k*k)
	})
	for _, m := range FitModelNames() {
		b.Run(m, func(b *testing.B) {
			for b.Loop() {
				fitCurve(b, k, y, nil, m)
			}
		})
	}
}
