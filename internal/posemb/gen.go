package posemb

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Param is one parameter of a Generator.
type Param struct {
	Name    string   // the key that Generate takes
	Default string   // as a user would write it
	Doc     string   // what it is, with unit and range
	Values  []string // the words it takes; nil for a number
}

// Generator is a kind of table that is made here, without a file.
type Generator struct {
	Name   string  // the kind that Generate takes
	Doc    string  // what the table is, in a line
	Params []Param // in the order to list them

	make func(*given) (Table, error)
}

// Generators are the kinds that Generate makes.
var Generators = []Generator{
	{
		Name: "smooth",
		Doc:  "simulated learned table: components are smooth Gaussian processes with some noise",
		Params: []Param{
			{Name: "n", Default: "128", Doc: "positions"},
			{Name: "d", Default: "64", Doc: "width"},
			{Name: "kernel", Default: "squared-exponential", Values: kernelNames(),
				Doc: "correlation against distance: squared-exponential (or rbf), exponential, matern32"},
			{Name: "length", Default: "6", Doc: "length scale of the kernel in positions, above 0"},
			{Name: "noise", Default: "0.087", Doc: "share of the variance that is white noise, 0 to 1"},
			{Name: "seed", Default: "42", Doc: "random seed"},
		},
		make: func(g *given) (Table, error) {
			return made(g, Smooth, SmoothOptions{N: g.count("n"), D: g.count("d"), Kernel: g.word("kernel"),
				Length: g.positive("length"), Noise: g.number("noise"), Seed: g.seed("seed")})
		},
	},
	{
		Name: "locality",
		Doc:  "relative vectors: noise, and a bump around one offset in the first component",
		Params: []Param{
			{Name: "reach", Default: "5", Doc: "largest offset K; there is a vector for each of -K..K"},
			{Name: "d", Default: "4", Doc: "width"},
			{Name: "noise", Default: "0.1", Doc: "standard deviation of the noise"},
			{Name: "amplitude", Default: "1", Doc: "height of the bump"},
			{Name: "peak", Default: "0", Doc: "offset (key - query) at which the bump is highest"},
			{Name: "back", Default: "1", Doc: "spread of the bump below the peak, in positions, above 0"},
			{Name: "ahead", Default: "1", Doc: "spread of the bump above the peak, in positions, above 0"},
			{Name: "seed", Default: "42", Doc: "random seed, as in np.random.seed"},
		},
		make: func(g *given) (Table, error) {
			peak := g.number("peak")
			return made(g, Locality, LocalityOptions{Reach: g.count("reach"), Width: g.count("d"),
				Noise: g.number("noise"), Amplitude: g.number("amplitude"), Peak: valueOr(peak, 0),
				Back: g.positive("back"), Ahead: g.positive("ahead"), Seed: g.seed("seed")})
		},
	},
	{
		Name: "sinusoid",
		Doc:  "sines and cosines of fixed frequencies, as in the first Transformer",
		Params: []Param{
			{Name: "n", Default: "512", Doc: "positions"},
			{Name: "d", Default: "512", Doc: "width, even"},
			{Name: "base", Default: "10000", Doc: "longest wavelength over 2 pi, at least 1"},
			{Name: "layout", Default: "interleaved", Values: layoutNames,
				Doc: "interleaved (sine, cosine, sine, ...) or concatenated (all sines first)"},
			{Name: "frequencies", Default: "vaswani", Values: frequencyNames,
				Doc: "vaswani: base^(-2i/d); timescales: base^(-i/(d/2-1)), as tensor2tensor and Whisper"},
		},
		make: func(g *given) (Table, error) {
			return made(g, Sinusoid, SinusoidOptions{N: g.count("n"), D: g.count("d"), Base: g.positive("base"),
				Layout: g.word("layout"), Frequencies: g.word("frequencies")})
		},
	},
	{
		Name: "random",
		Doc:  "independent normal numbers: a table before training, numpy's to the digit",
		Params: []Param{
			{Name: "n", Default: "512", Doc: "positions"},
			{Name: "d", Default: "64", Doc: "width"},
			{Name: "std", Default: "0.02", Doc: "standard deviation, at least 0"},
			{Name: "seed", Default: "42", Doc: "random seed, as in np.random.seed"},
		},
		make: func(g *given) (Table, error) {
			return made(g, Random, RandomOptions{N: g.count("n"), D: g.count("d"), Std: g.number("std"), Seed: g.seed("seed")})
		},
	},
}

// Generate makes a table of a kind in Generators from parameters as text; those
// that are not given take their defaults. Its errors are *OptionError.
func Generate(kind string, values map[string]string) (Table, error) {
	var kinds []string
	for _, g := range Generators {
		if g.Name != kind {
			kinds = append(kinds, g.Name)
			continue
		}
		var names []string
		for _, p := range g.Params {
			names = append(names, p.Name)
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if !slices.Contains(names, name) {
				return nil, &OptionError{Msg: fmt.Sprintf("%s has no parameter %q", kind, name),
					Hint: didYouMean(name, names, kind+" takes "+strings.Join(names, ", "))}
			}
		}
		return g.make(&given{values: values})
	}
	return nil, &OptionError{Msg: fmt.Sprintf("unknown kind of table %q", kind),
		Hint: didYouMean(kind, kinds, "the kinds are "+strings.Join(kinds, ", "))}
}
