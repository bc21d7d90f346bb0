package analysis

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"poslens/internal/posemb"
)

// smoothTable is a simulated table of 64 components, of which only some are
// independent: they are turned into all by a random rotation.
func smoothTable(t *testing.T, kernel string, n int, length, noise float64, independent int, seed uint32) *posemb.Absolute {
	t.Helper()
	a, err := posemb.Smooth(posemb.SmoothOptions{N: n, D: independent, Kernel: kernel, Length: length, Noise: &noise, Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	if independent < 64 {
		a = rotated(a, 64, uint64(seed))
	}
	return a
}

// rotated is a table turned by a random rotation of d components, of which it fills the
// first.
func rotated(a *posemb.Absolute, d int, seed uint64) *posemb.Absolute {
	var qr mat.QR
	qr.Factorize(gaussian(d, d, seed))
	var q, turned mat.Dense
	qr.QTo(&q)
	_, cols := a.Table.Dims()
	turned.Mul(a.Table, q.Slice(0, cols, 0, d))
	return absolute(&turned)
}

// errorRatio is the mean of the lengths' errors over the scatter of the lengths, from
// seed to seed, and the same of the noise floors.
func errorRatio(t *testing.T, seeds int, kernel string, table func(seed uint32) *posemb.Absolute) (length, floor float64) {
	t.Helper()
	var lengths, floors, lengthErrors, floorErrors []float64
	for seed := range uint32(seeds) {
		c, err := Decay(context.Background(), table(seed), DecayOptions{NoSummary: true})
		if err != nil {
			t.Fatal(err)
		}
		fits, err := c.Fit(FitOptions{Models: []string{kernel}})
		if err != nil {
			t.Fatal(err)
		}
		f := &fits.Models[0]
		l := f.Param("length")
		if !l.StdErr.Defined() || fits.ErrorsBy != ErrorsJackknife {
			t.Fatalf("seed %d: errors by %s, %+v", seed, fits.ErrorsBy, f)
		}
		lengths, lengthErrors = append(lengths, float64(l.Value)), append(lengthErrors, float64(l.StdErr))
		floors, floorErrors = append(floors, float64(f.NoiseFloor.Value)), append(floorErrors, float64(f.NoiseFloor.StdErr))
	}
	return stat.Mean(lengthErrors, nil) / stat.StdDev(lengths, nil), stat.Mean(floorErrors, nil) / stat.StdDev(floors, nil)
}

func checkErrorRatio(t *testing.T, seeds int, kernel string, n int, length, noise float64, independent int) {
	t.Run(fmt.Sprintf("%s,n=%d,l=%v,noise=%v,of=%d", kernel, n, length, noise, independent), func(t *testing.T) {
		t.Parallel()
		l, floor := errorRatio(t, seeds, kernel, func(seed uint32) *posemb.Absolute {
			return smoothTable(t, kernel, n, length, noise, independent, seed)
		})
		t.Logf("error / scatter: length %.2f, noise floor %.2f", l, floor)
		if !(l > 0.6 && l < 1.7) {
			t.Errorf("the errors of the length are %.2f of its scatter", l)
		}
		if !(floor > 0.6 && floor < 1.7) {
			t.Errorf("the errors of the noise floor are %.2f of its scatter", floor)
		}
	})
}

// The errors are as large as the scatter of the fits over tables of the same kind, where
// formal ones are a tenth: of independent components and of mixed ones.
func TestFitErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	for _, kernel := range []string{"squared-exponential", "exponential", "matern32"} {
		checkErrorRatio(t, 30, kernel, 128, 6, 0.087, 64)
	}
	checkErrorRatio(t, 30, "squared-exponential", 128, 6, 0.087, 8)
}

// So they are for short and long lengths, without noise and with much.
func TestFitErrorsCalibrated(t *testing.T) {
	if os.Getenv("POSLENS_SLOW") == "" {
		t.Skip("POSLENS_SLOW is not set: make test-slow takes a minute for it")
	}
	for _, n := range []int{128, 512} {
		for _, kernel := range []string{"squared-exponential", "exponential", "matern32"} {
			for _, length := range []float64{3, 6, 12} {
				for _, noise := range []float64{0, 0.087, 0.3} {
					checkErrorRatio(t, 40, kernel, n, length, noise, 64)
				}
				if length <= float64(n)/20 { // few processes over few lengths: fits now and then run off
					checkErrorRatio(t, 40, kernel, n, length, 0.087, 8)
				}
			}
		}
	}
}

// The errors are those of fits from scratch to curves that are computed without the
// library's products, each without the pairs of one stretch.
func TestFitErrorsAreOfStretchesLeftOut(t *testing.T) {
	a := smoothTable(t, "matern32", 90, 4, 0.1, 64, 7)
	a.Table.Set(40, 3, math.NaN())
	c, err := Decay(context.Background(), a, DecayOptions{NoSummary: true})
	if err != nil {
		t.Fatal(err)
	}
	opt := FitOptions{Models: []string{"exponential", "matern32", "line"}}
	fits, err := c.Fit(opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.From, opt.To = &fits.From, &fits.To
	const g = 10
	values := map[string][]float64{} // by model and parameter
	for b := range g {
		var k, y []float64
		for at := range c.At {
			var cosines []float64
			for i := range 90 - at {
				u, v := a.Table.RowView(i), a.Table.RowView(i+at)
				if cos := mat.Dot(u, v) / mat.Norm(u, 2) / mat.Norm(v, 2); finite(cos) {
					cosines = append(cosines, cos)
				}
			}
			from, to := b*len(cosines)/g, (b+1)*len(cosines)/g
			left := append(append([]float64(nil), cosines[:from]...), cosines[to:]...)
			k, y = append(k, float64(at)), append(y, floats.Sum(left)/float64(len(left)))
		}
		refits, err := FitCurve(k, y, c.weights(), opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range refits.Models {
			for _, p := range f.Params {
				values[f.Model+p.Name] = append(values[f.Model+p.Name], float64(p.Value))
			}
			values[f.Model] = append(values[f.Model], float64(f.AtZero.Value))
		}
	}
	for _, f := range fits.Models {
		error := func(name string) float64 { return math.Sqrt((g-1.0)*(g-1)/g) * stat.StdDev(values[f.Model+name], nil) }
		for _, p := range f.Params {
			near(t, f.Model+" "+p.Name, float64(p.StdErr)/error(p.Name), 1, 1e-4)
		}
		near(t, f.Model+" at 0", float64(f.AtZero.StdErr)/error(""), 1, 1e-4)
		near(t, f.Model+" noise floor", float64(f.NoiseFloor.StdErr), float64(f.AtZero.StdErr), 0)
	}
}

// Every fit has its errors or the reason why it has not, of hostile tables too, and the
// errors scale as the table does.
func TestFitErrorsOfAnyTable(t *testing.T) {
	tables := map[string]*mat.Dense{
		"one row": gaussian(1, 3, 1), "two rows": gaussian(2, 3, 1), "equal rows": constant(30, 4, 1), "one component": gaussian(40, 1, 2),
		"noise": gaussian(60, 16, 5), "a hole": gaussian(40, 8, 3), "smooth": smoothTable(t, "matern32", 100, 5, 0.1, 64, 1).Table,
	}
	for i := range 25 {
		tables["a hole"].Set(i+5, 0, math.NaN())
	}
	for name, m := range tables {
		var unit *CurveFits
		for _, exponent := range []int{0, -500, 500} {
			scaled := mat.DenseCopyOf(m)
			scaled.Apply(func(_, _ int, x float64) float64 { return math.Ldexp(x, exponent) }, scaled)
			fits, err := decay(t, scaled, DecayOptions{SimilarityOptions: SimilarityOptions{Dot: true}, All: true}).Fit(FitOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if unit == nil {
				unit = fits
			}
			for i, f := range fits.Models {
				for j, p := range f.Params {
					if p.Value.Defined() && !p.StdErr.Defined() && f.Reasons["std_err"] == "" {
						t.Errorf("%s x 2^%d: %s: no error of %s and no reason: %v", name, exponent, f.Model, p.Name, f.Reasons)
					}
					e := float64(p.StdErr)
					if p.Unit == MeasureDot {
						e = math.Ldexp(e, -2*exponent)
					}
					if want := float64(unit.Models[i].Params[j].StdErr); finite(want) && !(math.Abs(e-want) <= 1e-4*want) {
						t.Errorf("%s x 2^%d: %s: the error of %s is %v of %v", name, exponent, f.Model, p.Name, e, want)
					}
				}
			}
		}
	}
}

// A rotation changes no cosine and no error.
func TestFitErrorsOfARotatedTable(t *testing.T) {
	a := smoothTable(t, "exponential", 128, 5, 0.1, 64, 3)
	var errors [2]float64
	for i, a := range []*posemb.Absolute{a, rotated(a, 64, 9)} {
		fits, err := decay(t, a.Table, DecayOptions{}).Fit(FitOptions{Models: []string{"exponential"}})
		if err != nil {
			t.Fatal(err)
		}
		errors[i] = float64(fits.Models[0].Param("length").StdErr)
	}
	near(t, "error of the rotated table", errors[1]/errors[0], 1, 1e-6)
}

// Where a table can't tell the errors they are undefined and the reason is told; where
// there is no table, or no spread, they are formal.
func TestFitErrorsUndefined(t *testing.T) {
	wave, err := posemb.Sinusoid(posemb.SinusoidOptions{N: 128, D: 64})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(c *DecayCurve, model string) *CurveFits {
		fits, err := c.Fit(FitOptions{Models: []string{model}})
		if err != nil {
			t.Fatal(err)
		}
		return fits
	}
	for _, test := range []struct {
		name, model, reason string
		table               *mat.Dense
	}{
		{"few pairs", "line", "8 pairs at a distance, too few for 10 stretches", gaussian(9, 4, 1)},
		{"a long length", "squared-exponential", "the table's 100 positions are fewer than 6 lengths", smoothTable(t, "squared-exponential", 100, 25, 0.1, 64, 1).Table},
		{"no scatter", "power-law", "the pairs at each distance are all alike", wave.Table},
		{"not converged", "power-law", "the fit did not converge", smoothTable(t, "squared-exponential", 128, 6, 0.1, 64, 1).Table},
	} {
		for _, single := range []bool{false, true} {
			fits := fit(decay(t, test.table, DecayOptions{SimilarityOptions: SimilarityOptions{Single: single}}), test.model)
			f := &fits.Models[0]
			if !strings.HasPrefix(f.Reasons["std_err"], test.reason) {
				t.Errorf("%s, single %v: reason %q, want %q", test.name, single, f.Reasons["std_err"], test.reason)
			}
			for _, p := range append(f.Params, Param{Estimate: f.AtZero}, Param{Estimate: *f.NoiseFloor}) {
				if p.StdErr.Defined() {
					t.Errorf("%s: the error of %s is %v", test.name, p.Name, p.StdErr)
				}
			}
		}
	}
	m, err := DecayMatrix(context.Background(), posemb.Origin{}, gaussian(40, 40, 1), DecayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, fits := range []*CurveFits{fit(m, "line"), fit(decay(t, gaussian(40, 8, 1), DecayOptions{MeanOnly: true}), "line")} {
		if fits.ErrorsBy != ErrorsFormal || !fits.Models[0].Param("slope").StdErr.Defined() {
			t.Errorf("%+v", fits)
		}
	}
}
