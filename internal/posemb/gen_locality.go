package posemb

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// LocalityOptions say what Locality makes; zero and nil are the defaults.
type LocalityOptions struct {
	Reach     int      // largest offset K; 0 is 5
	Width     int      // 0 is 4
	Noise     *float64 // standard deviation of the noise, at least 0; nil is 0.1
	Amplitude *float64 // height of the bump; nil is 1
	Peak      float64  // offset at which the bump is highest
	Back      float64  // spread of the bump below its peak, in positions; 0 is 1
	Ahead     float64  // spread of the bump above its peak, in positions; 0 is 1
	Seed      *uint32  // nil is 42
}

// Locality makes relative vectors for the offsets k = -K..K that prefer some
// offset: normal noise by np.random.seed(seed); np.random.randn(2K+1, width) * noise,
// and in component 0 a bump of separate spreads behind and ahead of its peak,
//
//	amplitude * exp(-(k - peak)^2 / (2 s^2)),  s = back for k < peak, else ahead
//
// With its defaults it is the worked example of a handbook chapter on relative
// position encoding.
func Locality(opt LocalityOptions) (*Vectors, error) {
	reach, width := cmp.Or(opt.Reach, 5), cmp.Or(opt.Width, 4)
	noise, amplitude := valueOr(opt.Noise, 0.1), valueOr(opt.Amplitude, 1)
	back, ahead := cmp.Or(opt.Back, 1), cmp.Or(opt.Ahead, 1)
	seed := valueOr(opt.Seed, 42)
	if reach < 1 || reach > maxNumbers/2 {
		return nil, &OptionError{Msg: fmt.Sprintf("reach is %d, expected 1 to %d", reach, maxNumbers/2)}
	}
	rows := 2*reach + 1
	err := cmp.Or(
		checkSize("reach", rows, "d", width),
		checkReal("noise", noise, 0, hugeReal),
		checkReal("amplitude", amplitude, -hugeReal, hugeReal),
		checkReal("peak", opt.Peak, -hugeReal, hugeReal),
		checkReal("back", back, tinyReal, hugeReal),
		checkReal("ahead", ahead, tinyReal, hugeReal),
	)
	if err != nil {
		return nil, err
	}

	table := mat.NewDense(rows, width, nil)
	newLegacyRand(seed).fillNormal(table.RawMatrix().Data, noise)
	for i := range rows {
		away := float64(i-reach) - opt.Peak
		s := ahead
		if away < 0 {
			s = back
		}
		table.Set(i, 0, table.At(i, 0)+amplitude*math.Exp(-0.5*(away/s)*(away/s)))
	}
	return &Vectors{
		Origin: Origin{Label: "locality"},
		Axes:   []Axis{{Name: "offset", Min: -reach, Max: reach, Beyond: BeyondClipped}},
		Table:  table,
		Notes: []string{fmt.Sprintf(
			"made here: vectors of width %d for offsets -%d..%d, normal noise of standard deviation %v (seed %d), and in component 0 a bump of height %v at offset %v with spread %v back and %v ahead",
			width, reach, reach, noise, seed, amplitude, opt.Peak, back, ahead)},
	}, nil
}
