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
		Name: "sinusoid-2d",
		Doc:  "sines and cosines of the columns and rows of a grid, as in MAE and SimpleViT",
		Params: []Param{
			{Name: "rows", Default: "14", Doc: "rows of the grid"},
			{Name: "cols", Default: "14", Doc: "columns of the grid"},
			{Name: "d", Default: "768", Doc: "width, a multiple of 4"},
			{Name: "base", Default: "10000", Doc: "longest wavelength over 2 pi, at least 1"},
			{Name: "frequencies", Default: "mae", Values: gridFrequencyNames,
				Doc: "mae: base^(-i/(d/4)); simple-vit: base^(-i/(d/4-1)), as in big_vision"},
		},
		make: func(g *given) (Table, error) {
			return made(g, SinusoidGrid, SinusoidGridOptions{Rows: g.count("rows"), Cols: g.count("cols"), D: g.count("d"),
				Base: g.positive("base"), Frequencies: g.word("frequencies")})
		},
	},
	{
		Name: "alibi",
		Doc:  "ALiBi's bias: a score that falls with distance, steeper or flatter by head",
		Params: []Param{
			{Name: "heads", Default: "8", Doc: "heads, any number"},
			{Name: "reach", Default: "128", Doc: "farthest offset, 1 to a million"},
			{Name: "sides", Default: "back", Values: sideNames,
				Doc: "back (offsets -reach..0, as in decoders) or both (-reach..reach, as in encoders)"},
		},
		make: func(g *given) (Table, error) {
			return made(g, Alibi, AlibiOptions{Heads: g.count("heads"), Reach: g.count("reach"), Sides: g.word("sides")})
		},
	},
	{
		Name: "rotary",
		Doc:  "similarity of an equal query and key under rotary embeddings",
		Params: []Param{
			{Name: "d", Default: "64", Doc: "width of a head, even"},
			{Name: "reach", Default: "128", Doc: "farthest offset, 1 to a million"},
			{Name: "base", Default: "10000", Doc: "longest wavelength over 2 pi, at least 1"},
		},
		make: func(g *given) (Table, error) {
			return made(g, Rotary, RotaryOptions{D: g.count("d"), Reach: g.count("reach"), Base: g.positive("base")})
		},
	},
	{
		Name: "t5",
		Doc:  "synthetic bias in T5's steps: offsets share buckets, scores fall with the distance's logarithm",
		Params: []Param{
			{Name: "heads", Default: "8", Doc: "heads, any number"},
			{Name: "buckets", Default: "32", Doc: "buckets, of both directions together"},
			{Name: "max", Default: "128", Doc: "the rule's largest distance, at most a million"},
			{Name: "rule", Default: T5Both, Values: ruleNames,
				Doc: "t5 (both directions, as in encoders) or t5-causal (looking back only, as in decoders)"},
		},
		make: func(g *given) (Table, error) {
			return made(g, BucketBias, BucketBiasOptions{Heads: g.count("heads"), Buckets: g.count("buckets"), Max: g.count("max"), Rule: g.word("rule")})
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
		t, err := g.make(&given{values: values})
		if err != nil {
			return nil, err
		}
		asMade(t)
		return t, nil
	}
	return nil, &OptionError{Msg: fmt.Sprintf("unknown kind of table %q", kind),
		Hint: didYouMean(kind, kinds, "the kinds are "+strings.Join(kinds, ", "))}
}
