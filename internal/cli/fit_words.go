package cli

import (
	"fmt"
	"math"
	"strings"

	"poslens/internal/analysis"
)

// mainParam tells a parameter that names a curve's shape from those of its height.
func mainParam(p analysis.Param) bool {
	for _, of := range []string{"length", "power", "slope", "centre"} {
		if strings.HasPrefix(p.Name, of) {
			return true
		}
	}
	return false
}

// fitName names a fit in a legend: "squared exponential, l = 6.1". A figure has no
// room to say what the standard errors leave out, so it does without them.
func fitName(f *analysis.Fit) string {
	s := fitTitle(f.Model)
	for _, p := range f.Params {
		if mainParam(p) {
			if !p.Value.Defined() {
				continue
			}
			value := fmt.Sprintf("%.3g", round(float64(p.Value), float64(p.StdErr)))
			s += fmt.Sprintf(", %s = %s", p.Symbol, strings.ReplaceAll(value, "-", "−"))
		}
	}
	return s
}

// fitTitle is a model's name in words.
func fitTitle(model string) string {
	for _, m := range analysis.FitModels {
		if m.Name == model {
			return m.Title
		}
	}
	return model
}

// measured writes a value to the digits that its error leaves: 6.1 ± 0.1, with one
// more where the error begins with a 1.
func measured(e analysis.Estimate) string {
	v, d := float64(e.Value), float64(e.StdErr)
	switch {
	case !e.Value.Defined():
		return "NA"
	case !e.StdErr.Defined():
		return fmt.Sprintf("%.4g", round(v, d))
	case d <= 1e-9*math.Abs(v) || d < 1e-300 || d < 1e-12 && math.Abs(v) < 1e-12:
		return fmt.Sprintf("%.6g", round(v, d))
	}
	exp := int(math.Floor(math.Log10(d)))
	if d/math.Pow10(exp) < 1.95 {
		exp--
	}
	if size := max(math.Abs(v), d); exp > 3 || exp < -6 || size >= 1e7 {
		return fmt.Sprintf("%.4g ± %.2g", v, d)
	}
	decimals := max(0, -exp)
	return fmt.Sprintf("%.*f ± %.*f", decimals, v, decimals, d)
}

// round takes what is nothing but rounding for 0.
func round(v, d float64) float64 {
	if math.Abs(v) < 1e-12 && !(math.Abs(v) > 100*d) { // without an error too
		return 0
	}
	return v
}
