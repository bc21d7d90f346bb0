package analysis

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// fitPoints evaluates f at from..to.
func fitPoints(from, to int, f func(k float64) float64) (k, y []float64) {
	for i := from; i <= to; i++ {
		k, y = append(k, float64(i)), append(y, f(float64(i)))
	}
	return k, y
}

func fitCurve(t testing.TB, k, y, w []float64, models ...string) *CurveFits {
	t.Helper()
	c, err := FitCurve(k, y, w, FitOptions{Models: models})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Exact curves give their parameters back, R^2 = 1, and are told from all others.
func TestFitOfExactCurves(t *testing.T) {
	sq := func(x float64) float64 { return x * x }
	for _, c := range []struct {
		model    string
		from, to int
		f        func(k float64) float64
		want     map[string]float64
		zero     float64
	}{
		{"exponential", 1, 40, func(k float64) float64 { return 0.1 + 0.8*math.Exp(-k/7) },
			map[string]float64{"length": 7, "amplitude": 0.8, "offset": 0.1}, 0.9},
		{"exponential", -20, 30, func(k float64) float64 { return 3 - 5*math.Exp(-math.Abs(k)/2.5) },
			map[string]float64{"length": 2.5, "amplitude": -5, "offset": 3}, -2},
		{"squared-exponential", 1, 30, func(k float64) float64 { return -0.05 + 0.9*math.Exp(-sq(k/6)/2) },
			map[string]float64{"length": 6, "amplitude": 0.9, "offset": -0.05}, 0.85},
		{"squared-exponential", 1, 12, func(k float64) float64 { return 1e200 * math.Exp(-sq(k)/2) },
			map[string]float64{"length": 1, "amplitude": 1e200, "offset": 0}, 1e200},
		{"matern32", 1, 40, func(k float64) float64 { s := math.Sqrt(3) * k / 5; return 0.2 + 0.7*(1+s)*math.Exp(-s) },
			map[string]float64{"length": 5, "amplitude": 0.7, "offset": 0.2}, 0.9},
		{"power-law", 1, 60, func(k float64) float64 { return 0.1 + 0.6*math.Pow(k, -0.7) },
			map[string]float64{"power": 0.7, "amplitude": 0.6, "offset": 0.1}, math.NaN()},
		{"line", -16, 16, func(k float64) float64 { return 1e-7 * (2 - 0.25*math.Abs(k)) },
			map[string]float64{"slope": -0.25e-7, "offset": 2e-7}, 2e-7},
		{"two-lines", -16, 16, func(k float64) float64 { return 1 - 0.5*max(-k, 0) - 0.125*max(k, 0) },
			map[string]float64{"slope_back": -0.5, "slope_ahead": -0.125, "offset": 1}, 1},
		{"tisa1", -20, 20, func(k float64) float64 { return -2 * math.Exp(-0.03*sq(k+4)) },
			map[string]float64{"sharpness_1": 0.03, "centre_1": -4, "amplitude_1": -2}, -2 * math.Exp(-0.48)},
		{"tisa2", -30, 30, func(k float64) float64 { return 4*math.Exp(-0.5*sq(k-1)) - 1.5*math.Exp(-0.01*sq(k+6)) },
			map[string]float64{"sharpness_1": 0.01, "centre_1": -6, "amplitude_1": -1.5, "sharpness_2": 0.5, "centre_2": 1, "amplitude_2": 4},
			4*math.Exp(-0.5) - 1.5*math.Exp(-0.36)},
		{"tisa2", -300, 300, func(k float64) float64 { return math.Exp(-1e-4*sq(k+80)) + math.Exp(-1e-4*sq(k-80)) },
			map[string]float64{"sharpness_1": 1e-4, "centre_1": -80, "amplitude_1": 1, "sharpness_2": 1e-4, "centre_2": 80, "amplitude_2": 1},
			2 * math.Exp(-0.64)},
	} {
		k, y := fitPoints(c.from, c.to, c.f)
		w := make([]float64, len(k))
		for i := range w {
			w[i] = float64(1 + i%5)
		}
		all := fitCurve(t, k, y, w, FitModelNames()...)
		if all.Best != c.model {
			t.Errorf("%s: best is %q, %+v", c.model, all.Best, all.Models)
			continue
		}
		f := all.BestFit()
		scale := 0.0
		for name, want := range c.want {
			scale = max(scale, math.Abs(want))
			size := math.Abs(want)
			if name == "offset" {
				size = max(size, math.Abs(float64(f.Param("amplitude").Value)))
			}
			near(t, c.model+" "+name, float64(f.Param(name).Value)/size, want/size, 1e-8)
			if e := f.Param(name).StdErr; !e.Defined() || float64(e) > 1e-8*size {
				t.Errorf("%s: standard error of %s is %v", c.model, name, e)
			}
		}
		if len(f.Params) != len(c.want) {
			t.Errorf("%s: parameters %+v", c.model, f.Params)
		}
		near(t, c.model+" at 0", float64(f.AtZero.Value)/scale, c.zero/scale, 1e-8)
		near(t, c.model+" R2", float64(f.R2), 1, 1e-12)
		if !f.Converged || f.N != len(k) {
			t.Errorf("%s: %+v", c.model, f)
		}
		for i := range k {
			if !(math.Abs(all.Curve[i]-y[i]) <= 1e-8*scale) { // nor NaN
				t.Errorf("%s: curve %v at %v, want %v", c.model, all.Curve[i], k[i], y[i])
			}
		}
	}
}

// A line by hand: k = 1..5, y = 2 4 5 4 5. Slope 0.6, offset 2.2, RSS 2.4,
// TSS 6, sigma^2 = 0.8, and the textbook's standard errors.
func TestFitOfALineByHand(t *testing.T) {
	k, y := []float64{1, 2, 3, 4, 5}, []float64{2, 4, 5, 4, 5}
	f := fitCurve(t, k, y, nil, "line").Models[0]
	for name, want := range map[string]Estimate{
		"slope":  {0.6, Value(math.Sqrt(0.8 / 10))},
		"offset": {2.2, Value(math.Sqrt(0.8 * (1.0/5 + 9.0/10)))},
	} {
		near(t, name, float64(f.Param(name).Value), float64(want.Value), 1e-12)
		near(t, "error of "+name, float64(f.Param(name).StdErr), float64(want.StdErr), 1e-12)
	}
	near(t, "RSS", float64(f.RSS), 2.4, 1e-12)
	near(t, "R2", float64(f.R2), 0.6, 1e-12)
	near(t, "AIC", float64(f.AIC), 5*math.Log(2.4/5)+6, 1e-12)
	near(t, "AICc", float64(f.AICc), 5*math.Log(2.4/5)+6+24, 1e-12)
	near(t, "value at 0", float64(f.AtZero.StdErr), float64(f.Param("offset").StdErr), 1e-12)

	// A weight of 2 is a point that stands there twice, but for the count of points.
	twice := fitCurve(t, append(k, 3), append(y, 5), nil, "line").Models[0]
	heavy := fitCurve(t, k, y, []float64{10, 10, 20, 10, 10}, "line").Models[0]
	for _, name := range []string{"slope", "offset"} {
		near(t, "weighted "+name, float64(heavy.Param(name).Value), float64(twice.Param(name).Value), 1e-12)
		near(t, "weighted error", float64(heavy.Param(name).StdErr), float64(twice.Param(name).StdErr)*math.Sqrt(4.0/3), 1e-12)
	}
	near(t, "weighted R2", float64(heavy.R2), float64(twice.R2), 1e-12)
	near(t, "weighted RSS", float64(heavy.RSS), float64(twice.RSS)*5/6, 1e-12)
}

// Standard errors of a curved model against the scatter of its fits over many draws.
func TestFitErrorsAreTheScatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const draws = 400
	values, errs := map[string][]float64{}, map[string][]float64{}
	for range draws {
		k, y := fitPoints(1, 40, func(k float64) float64 { return 0.1 + 0.8*math.Exp(-k/7) + 0.01*r.NormFloat64() })
		f := fitCurve(t, k, y, nil, "exponential").Models[0]
		add := func(name string, e Estimate) {
			values[name], errs[name] = append(values[name], float64(e.Value)), append(errs[name], float64(e.StdErr))
		}
		for _, p := range f.Params {
			add(p.Name, p.Estimate)
		}
		add("at_zero", f.AtZero)
	}
	for name := range values {
		told := floats.Sum(errs[name]) / draws
		if got := spreadOf(values[name]).std; math.Abs(got/told-1) > 0.12 { // 3.4 standard errors of a deviation
			t.Errorf("%s scatters by %v, told %v", name, got, told)
		}
	}
}

// No sum of squares is below that of the least squares, found on a fine grid.
func TestFitIsTheLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		k, y := fitPoints(1, 25, func(k float64) float64 { return math.Exp(-k/4) + 0.2*r.NormFloat64() })
		for _, name := range []string{"exponential", "squared-exponential", "matern32", "power-law"} {
			f := fitCurve(t, k, y, nil, name).Models[0]
			m, _ := fitModels([]string{name})
			s := &solver{m: m[0], k: k, y: y, root: slices.Repeat([]float64{1}, len(k))}
			box := m[0].box(fitReach{1, 25, 1, 25})[0]
			for i := range 1000 {
				x, ok := s.project([]float64{box[0] + (box[1]-box[0])*float64(i)/999})
				if ok && x.rss < float64(f.RSS)*(1-1e-9) && f.Converged {
					t.Fatalf("%s: %v at %v, the fit has %v", name, x.rss, x.theta, f.RSS)
				}
			}
		}
	}
}

// What can't be fitted says why, and JSON stays JSON.
func TestFitOfDegenerateCurves(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ramp := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, c := range []struct {
		name    string
		k, y, w []float64
		best    string
		says    string // of the exponential
	}{
		{"nothing", nil, nil, nil, "", "0 points"},
		{"one point", []float64{1}, []float64{2}, nil, "", "1 point"},
		{"three points", ramp[:3], []float64{1, 3, 2}, nil, "", "3 points"},
		{"constant", ramp, slices.Repeat([]float64{0.3}, 10), nil, "", "all equal"},
		{"zeros", ramp, make([]float64, 10), nil, "", "all equal"},
		{"all undefined", ramp, slices.Repeat([]float64{nan}, 10), nil, "", "0 points"},
		{"infinite", ramp, slices.Repeat([]float64{inf}, 10), nil, "", "0 points"},
		{"no weight", ramp, ramp, make([]float64, 10), "", "0 points"},
		{"one place", slices.Repeat([]float64{4}, 10), ramp, nil, "", "apart"},
		{"two places", []float64{1, 1, 1, 1, 2, 2, 2, 2}, ramp[:8], nil, "line", ""},
		{"huge", ramp, []float64{1e308, -1e308, 1e308, 1e308, 1e307, 0, 0, 0, 1, 2}, nil, "?", ""},
		{"tiny", ramp, []float64{5e-324, 0, 0, 5e-324, 0, 0, 0, 0, 0, 0}, nil, "?", ""},
		{"far", []float64{1e99, 2e99, 3e99, 4e99, 5e99, 6e99}, []float64{1, 0.5, 0.25, 0.12, 0.06, 0.03}, nil, "?", ""},
		{"farther", []float64{1e300, 2e300, 3e300}, ramp[:3], nil, "", "0 points"},
		{"step", ramp, []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, nil, "?", ""},
		{"huge weights", ramp, []float64{1, 3, 2, 4, 4, 3, 6, 5, 7, 8}, slices.Repeat([]float64{1e308}, 10), "?", ""},
	} {
		f, err := FitCurve(c.k, c.y, c.w, FitOptions{Models: FitModelNames(), Unit: "score"})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.best != "?" && f.Best != c.best {
			t.Errorf("%s: best is %q, want %q", c.name, f.Best, c.best)
		}
		if got := f.Models[0].Reasons["converged"]; c.best != "?" && !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
		for _, m := range f.Models {
			if !m.Converged && m.Reasons["converged"] == "" {
				t.Errorf("%s: %s did not converge without a reason", c.name, m.Model)
			}
			for figure, v := range map[string]Value{"r2": m.R2, "aic": m.AIC, "aicc": m.AICc, "rss": m.RSS, "at_zero": m.AtZero.Value} {
				if !v.Defined() && m.Reasons[figure] == "" {
					t.Errorf("%s: %s has no %s without a reason: %q", c.name, m.Model, figure, m.Reasons)
				}
			}
			for _, p := range m.Params {
				if !p.StdErr.Defined() && m.Reasons["std_err"] == "" && m.Reasons["params"] == "" {
					t.Errorf("%s: %s: %s has no error without a reason", c.name, m.Model, p.Name)
				}
			}
		}
		if f.Best == "" {
			says(t, f.Notes, "fit: no")
		}
		if b, err := json.Marshal(f); err != nil || strings.Contains(string(b), "NaN") {
			t.Errorf("%s: %v %s", c.name, err, b)
		}
	}
}

// Points that are not finite are left out and counted; those out of range are not.
func TestFitLeavesOut(t *testing.T) {
	k, y := fitPoints(0, 30, func(k float64) float64 { return math.Exp(-k / 5) })
	y[0], y[4], y[9] = 50, math.NaN(), math.Inf(-1)
	from, to := 1.0, 20.0
	f, err := FitCurve(k, y, nil, FitOptions{From: &from, To: &to, Unit: "score"})
	if err != nil {
		t.Fatal(err)
	}
	says(t, f.Notes, "2 points are left out")
	if f.Best != "exponential" || f.N != 18 || f.From != 1 || f.To != 20 {
		t.Errorf("%+v", f)
	}
	near(t, "length", float64(f.BestFit().Param("length").Value), 5, 1e-8)
	near(t, "curve at 0", f.Curve[0], 1, 1e-8)
	if !math.IsNaN(f.Curve[21]) || math.IsNaN(f.Curve[20]) || math.IsNaN(f.Curve[4]) {
		t.Errorf("curve %v", f.Curve)
	}
	if u := f.Models[0].Params; u[0].Unit != "positions" || u[1].Unit != "score" {
		t.Errorf("units %+v", u)
	}
}

func TestFitRefuses(t *testing.T) {
	from, to := 3.0, 2.0
	for _, c := range []struct {
		k, y, w []float64
		opt     FitOptions
		says    string
	}{
		{[]float64{1}, nil, nil, FitOptions{}, "as many"},
		{[]float64{1}, []float64{1}, []float64{1, 2}, FitOptions{}, "as many"},
		{nil, nil, nil, FitOptions{Models: []string{"cubic"}}, "tisa2"},
		{nil, nil, nil, FitOptions{Models: []string{}}, "no model"},
		{nil, nil, nil, FitOptions{From: &from, To: &to}, "empty"},
	} {
		if _, err := FitCurve(c.k, c.y, c.w, c.opt); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.opt, err, c.says)
		}
	}
}

// Models that do as well are told.
func TestFitTellsOfTies(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	k, y := fitPoints(1, 8, func(k float64) float64 { return 1 - 0.1*k + 0.03*r.NormFloat64() })
	says(t, fitCurve(t, k, y, nil, "exponential", "matern32").Notes, "fits as well as")
}

// Noise alone names no model.
func TestFitOfNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	named := 0
	for range 50 {
		k, y := fitPoints(1, 40, func(float64) float64 { return r.NormFloat64() })
		f := fitCurve(t, k, y, nil, "line")
		constant := 0.0 // its AICc by hand, two parameters with the variance
		mean := floats.Sum(y) / 40
		for _, y := range y {
			constant += (y - mean) * (y - mean)
		}
		constant = 40*math.Log(constant/40) + 4 + 12.0/37
		if got, want := f.Best == "line", float64(f.Models[0].AICc) < constant; got != want {
			t.Errorf("best is %q with AICc %v, a constant has %v", f.Best, f.Models[0].AICc, constant)
		}
		if f.Best != "" {
			named++
		}
	}
	if named > 15 { // about 1 in 7 is expected
		t.Errorf("a slope is found in %d of 50", named)
	}
}
