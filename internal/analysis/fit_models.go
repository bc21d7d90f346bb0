package analysis

import (
	"fmt"
	"math"
	"strings"
)

// FitModel is a curve that can be fitted: a sum of functions, each times a
// parameter that enters linearly,
//
//	f(k) = sum over j of alpha_j phi_j(k; theta)
type FitModel struct {
	Name    string
	Title   string // in words
	Formula string
	Doc     string // a sentence

	theta []fitParam // those within the functions
	alpha []fitParam // those before them

	// basis fills phi (one for each alpha) at k and, unless slope is nil,
	// slope[m][j] = d phi_j / d theta_m.
	basis func(k float64, theta, phi []float64, slope [][]float64)
	box   func(r fitReach) [][2]float64 // where each theta may be
	grid  func(r fitReach) [][]float64  // where the search starts
}

// fitParam describes a parameter.
type fitParam struct {
	name, symbol, unit string // unitValue in unit stands for the curve's
	log                bool   // theta is its logarithm: it is above 0
}

const unitValue = "value"

// fitReach is what the points tell of a model's scale.
type fitReach struct {
	lo, hi float64 // of k
	gap    float64 // the least distance between two |k| that differ
	span   float64 // the largest |k|, or gap
}

// FitModels are the models there are.
//
// The kernels are those of posemb.Smooth. Their offset is where the curve comes to
// stand, amplitude + offset its height at 0 without a nugget. TISA is the profile of
// translation-invariant self-attention: Wennberg and Henter 2021, The Case for
// Translation-Invariant Self-Attention in Transformer-Based Language Models.
var FitModels = []FitModel{
	kernelModel("exponential", "exponential", "c + a exp(-|k| / l)",
		"a kernel with a kink at 0, that of a first-order autoregression",
		func(x float64) (g, fall float64) { e := math.Exp(-x); return e, x * e }),
	kernelModel("squared-exponential", "squared exponential", "c + a exp(-k^2 / (2 l^2))",
		"the smoothest kernel, a bell of standard deviation l",
		func(x float64) (g, fall float64) { e := math.Exp(-x * x / 2); return e, x * x * e }),
	kernelModel("matern32", "Matérn 3/2", "c + a (1 + s) exp(-s), s = sqrt(3) |k| / l",
		"a kernel between the two",
		func(x float64) (g, fall float64) {
			s := math.Sqrt(3) * x
			e := math.Exp(-s)
			return (1 + s) * e, s * s * e
		}),
	{
		Name: "power-law", Title: "power law", Formula: "c + a |k|^-p",
		Doc:   "no scale of its own; it has no value at 0. Of (1 + k/l)^-p the exponential is a limit, so the two could not be told apart",
		theta: []fitParam{{"power", "p", "", true}},
		alpha: amplitudeAndOffset,
		basis: func(k float64, theta, phi []float64, slope [][]float64) {
			p, log := math.Exp(theta[0]), math.Log(math.Abs(k))
			phi[0], phi[1] = math.Exp(-p*log), 1
			if slope != nil {
				slope[0][0], slope[0][1] = -p*log*phi[0], 0
			}
		},
		box:  func(fitReach) [][2]float64 { return [][2]float64{{math.Log(1e-3), math.Log(30)}} },
		grid: func(fitReach) [][]float64 { return grid1(logSteps(0.02, 12, 30)) },
	},
	{
		Name: "line", Title: "line", Formula: "c + m |k|", Doc: "the slope of ALiBi is -m of it",
		alpha: []fitParam{{"slope", "m", unitValue + "/position", false}, {"offset", "c", unitValue, false}},
		basis: func(k float64, _, phi []float64, _ [][]float64) { phi[0], phi[1] = math.Abs(k), 1 },
	},
	{
		Name: "two-lines", Title: "two lines", Formula: "c + m_b |k| for k < 0, c + m_a |k| for k > 0",
		Doc: "a slope behind the query and one ahead of it",
		alpha: []fitParam{{"slope_back", "m_b", unitValue + "/position", false}, {"slope_ahead", "m_a", unitValue + "/position", false},
			{"offset", "c", unitValue, false}},
		basis: func(k float64, _, phi []float64, _ [][]float64) { phi[0], phi[1], phi[2] = max(-k, 0), max(k, 0), 1 },
	},
	tisaModel(1),
	tisaModel(2),
}

var amplitudeAndOffset = []fitParam{{"amplitude", "a", unitValue, false}, {"offset", "c", unitValue, false}}

// What suits a curve: of cosines, of scores by distance, of scores by signed offset.
var (
	cosineModels = []string{"exponential", "squared-exponential", "matern32", "power-law"}
	scoreModels  = []string{"line", "exponential", "squared-exponential", "matern32", "power-law"}
	signedModels = []string{"line", "two-lines", "exponential", "squared-exponential", "tisa1", "tisa2"}
)

// kernelModel is c + a g(|k| / l). fall is -x g'(x), the slope along ln l.
func kernelModel(name, title, formula, doc string, g func(x float64) (g, fall float64)) FitModel {
	return FitModel{
		Name: name, Title: title, Formula: formula, Doc: doc,
		theta: []fitParam{{"length", "l", "positions", true}},
		alpha: amplitudeAndOffset,
		basis: func(k float64, theta, phi []float64, slope [][]float64) {
			at, fall := g(math.Abs(k) / math.Exp(theta[0]))
			phi[0], phi[1] = at, 1
			if slope != nil {
				slope[0][0], slope[0][1] = fall, 0
			}
		},
		box: func(r fitReach) [][2]float64 {
			return [][2]float64{{math.Log(0.1 * r.gap), math.Log(1000 * r.span)}}
		},
		grid: func(r fitReach) [][]float64 { return grid1(logSteps(0.15*r.gap, 30*r.span, 60)) },
	}
}

// logSteps are the logarithms of n numbers from lo to hi in equal ratios.
func logSteps(lo, hi float64, n int) []float64 {
	steps := make([]float64, n)
	for i := range steps {
		t := float64(i) / float64(n-1)
		steps[i] = (1-t)*math.Log(lo) + t*math.Log(hi)
	}
	return steps
}

// grid1 is a grid of one parameter.
func grid1(values []float64) [][]float64 {
	var g [][]float64
	for _, v := range values {
		g = append(g, []float64{v})
	}
	return g
}

// at is the model at k.
func (m *FitModel) at(k float64, theta, alpha []float64) float64 {
	phi := make([]float64, len(alpha))
	m.basis(k, theta, phi, nil)
	f := 0.0
	for j, a := range alpha {
		f += a * phi[j]
	}
	if !finite(f) {
		return math.NaN()
	}
	return f
}

// params is how many parameters the model has.
func (m *FitModel) params() int { return len(m.theta) + len(m.alpha) }

// describe lists the parameters with nothing known of them.
func (m *FitModel) describe(unit string) []Param {
	var list []Param
	for _, of := range [][]fitParam{m.theta, m.alpha} {
		for _, p := range of {
			u := p.unit
			if rest, ok := strings.CutPrefix(u, unitValue); ok {
				switch u = unit + rest; {
				case unit == "" && rest != "":
					u = "1" + rest
				case unit == "":
					u = ""
				}
			}
			list = append(list, Param{Name: p.name, Symbol: p.symbol, Unit: u, Estimate: undefinedEstimate()})
		}
	}
	return list
}

// FitModelNames are the names of FitModels.
func FitModelNames() []string {
	var names []string
	for _, m := range FitModels {
		names = append(names, m.Name)
	}
	return names
}

// fitModels finds models by their names, each once.
func fitModels(names []string) ([]*FitModel, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no model to fit, expected some of %s", strings.Join(FitModelNames(), ", "))
	}
	var models []*FitModel
	seen := map[string]bool{}
	for _, name := range names {
		i := 0
		for i < len(FitModels) && FitModels[i].Name != name {
			i++
		}
		if i == len(FitModels) {
			return nil, fmt.Errorf("no model %q to fit, expected some of %s", name, strings.Join(FitModelNames(), ", "))
		}
		if !seen[name] {
			models = append(models, &FitModels[i])
		}
		seen[name] = true
	}
	return models, nil
}
