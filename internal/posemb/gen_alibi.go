package posemb

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// sideNames are which offsets a made bias has.
var sideNames = []string{"back", "both"}

// AlibiOptions say what Alibi makes; zero is the default.
type AlibiOptions struct {
	Heads int    // any number from 1; 0 is 8
	Reach int    // farthest offset, 1 to a million; 0 is 128
	Sides string // "back" (the default): offsets -reach..0; "both": -reach..reach
}

// Alibi makes the bias of attention with linear biases, the same for all models
// of as many heads:
//
//	score(h, k) = -m(h) * |k|
//
// For n heads, a power of two, the slopes are m(h) = 2^(-8(h+1)/n), h = 0..n-1.
// For other n they are those of the power of two below, then every second one of
// the power above, as many as are missing. Sources: Press et al. 2022, section 3;
// ofirpress/attention_with_linear_biases, fairseq/models/transformer.py
// (get_slopes). Decoders look back; encoders have the same score on both sides, as
// in mosaicml/examples, examples/benchmarks/bert/src/bert_layers.py
// (rebuild_alibi_tensor).
func Alibi(opt AlibiOptions) (*Bias, error) {
	heads, reach, sides := cmp.Or(opt.Heads, 8), cmp.Or(opt.Reach, 128), cmp.Or(opt.Sides, sideNames[0])
	if err := cmp.Or(checkReach(reach), checkWord("sides", sides, sideNames)); err != nil {
		return nil, err
	}
	axis := Axis{"offset", -reach, 0, BeyondEndless}
	if sides == "both" {
		axis.Max = reach
	}
	if err := checkSize("reach", axis.Len(), "heads", heads); err != nil {
		return nil, err
	}

	slopes := alibiSlopes(heads)
	scores := mat.NewDense(axis.Len(), heads, nil)
	for i := range axis.Len() {
		k := axis.Min + i
		row := scores.RawRowView(i)
		for h, m := range slopes {
			row[h] = 0 - m*float64(max(k, -k)) // 0 - 0 is 0, where -m*0 would be -0
		}
	}
	return &Bias{
		Origin: Origin{Label: "alibi"},
		Axes:   []Axis{axis},
		Heads:  headNames(heads),
		Scores: scores,
		Notes: []string{fmt.Sprintf("made here: ALiBi's scores of %s for the offsets %d..%d (sides: %s), slopes from %.6g down to %.6g",
			count(heads, "head"), axis.Min, axis.Max, sides, slices.Max(slopes), slices.Min(slopes))},
	}, nil
}

// alibiSlopes are ALiBi's slopes of n heads, n at least 1.
func alibiSlopes(n int) []float64 {
	below := 1 << (bits.Len(uint(n)) - 1)
	slopes := make([]float64, n)
	for h := range slopes {
		if h < below {
			slopes[h] = math.Exp2(-8 * float64(h+1) / float64(below))
		} else { // every second one of the 2*below
			slopes[h] = math.Exp2(-8 * float64(2*(h-below)+1) / float64(2*below))
		}
	}
	return slopes
}

// checkReach refuses a farthest offset that no table is read with.
func checkReach(reach int) error {
	if reach >= 1 && reach <= maxDistance {
		return nil
	}
	return &OptionError{Msg: fmt.Sprintf("reach is %d, expected 1 to %d", reach, maxDistance)}
}
