package analysis

import (
	"fmt"
	"math"
	"strings"
)

// tisaModel is a sum of terms radial basis functions,
//
//	f(k) = sum over s of a_s exp(-b_s (k - c_s)^2),  b_s > 0
//
// whose terms stand in the order of their centres. theta holds ln b_s and c_s in turn.
func tisaModel(terms int) FitModel {
	m := FitModel{
		Name:  fmt.Sprintf("tisa%d", terms),
		Title: fmt.Sprintf("TISA, %d %s", terms, plural(terms, "term", "terms")),
		Doc:   "radial basis functions of the signed offset, without an offset of their own",
	}
	var formula []string
	for s := 1; s <= terms; s++ {
		formula = append(formula, fmt.Sprintf("a%d exp(-b%d (k - c%d)^2)", s, s, s))
		name := func(of string) string { return fmt.Sprintf("%s_%d", of, s) }
		symbol := func(of string) string { return fmt.Sprint(of, s) }
		m.theta = append(m.theta, fitParam{name("sharpness"), symbol("b"), "1/positions^2", true},
			fitParam{name("centre"), symbol("c"), "positions", false})
		m.alpha = append(m.alpha, fitParam{name("amplitude"), symbol("a"), unitValue, false})
	}
	m.Formula = strings.Join(formula, " + ")
	m.basis = func(k float64, theta, phi []float64, slope [][]float64) {
		for s := range terms {
			b, u := math.Exp(theta[2*s]), k-theta[2*s+1]
			phi[s] = math.Exp(-b * u * u)
			if slope != nil {
				clear(slope[2*s])
				clear(slope[2*s+1])
				slope[2*s][s] = -b * u * u * phi[s]
				slope[2*s+1][s] = 2 * b * u * phi[s]
			}
		}
	}
	m.box = func(r fitReach) [][2]float64 {
		var box [][2]float64
		for range terms {
			box = append(box, [2]float64{logSharpness(100 * r.span), logSharpness(0.2 * r.gap)},
				[2]float64{r.lo - r.span, r.hi + r.span})
		}
		return box
	}
	m.grid = func(r fitReach) [][]float64 {
		var one [][]float64
		for _, width := range logSteps(0.6*r.gap, 2*r.span, 7) {
			const places = 9
			for i := range places {
				one = append(one, []float64{logSharpness(math.Exp(width)), r.lo + (r.hi-r.lo)*float64(i)/(places-1)})
			}
		}
		one = append(one, []float64{logSharpness(r.gap), 0}, []float64{logSharpness(3 * r.gap), 0})
		if terms == 1 {
			return one
		}
		var two [][]float64
		for i, a := range one {
			for _, b := range one[:i] {
				two = append(two, []float64{a[0], a[1], b[0], b[1]})
			}
		}
		return two
	}
	return m
}

// logSharpness is ln b of a term whose standard deviation is width.
func logSharpness(width float64) float64 { return -math.Log(2 * width * width) }

// orderTerms puts the terms of a TISA model in the order of their centres.
func orderTerms(m *FitModel, theta, alpha []float64) {
	if len(theta) == 4 && strings.HasPrefix(m.Name, "tisa") && theta[1] > theta[3] {
		theta[0], theta[1], theta[2], theta[3] = theta[2], theta[3], theta[0], theta[1]
		alpha[0], alpha[1] = alpha[1], alpha[0]
	}
}
