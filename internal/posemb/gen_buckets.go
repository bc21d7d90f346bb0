package posemb

import (
	"cmp"
	"fmt"
	"math"
)

// ruleNames are the bucket rules that BucketBias follows.
var ruleNames = []string{T5Both, T5Causal}

// BucketBiasOptions say what BucketBias makes; zero is the default.
type BucketBiasOptions struct {
	Heads   int    // 0 is 8
	Buckets int    // of both directions together; 0 is 32
	Max     int    // the rule's largest distance, at most a million; 0 is 128
	Rule    string // T5Both (the default) or T5Causal
}

// BucketBias makes a synthetic bias in the steps of T5's: no model's numbers, but
// the rule by which a model's buckets serve the offsets. With d(b) the smallest
// distance in bucket b,
//
//	score(h, k) = -m(h) * ln(1 + d(bucket(k)))
//
// where m(h) are the slopes of Alibi, which halve from head to head for 8 heads.
// The rule is that of mesh_tensorflow/transformer/transformer_layers.py,
// _relative_position_bucket; see BucketRule.
func BucketBias(opt BucketBiasOptions) (*Bias, error) {
	heads := cmp.Or(opt.Heads, 8)
	rule := BucketRule{Name: cmp.Or(opt.Rule, T5Both), Buckets: cmp.Or(opt.Buckets, 32), MaxDistance: cmp.Or(opt.Max, 128)}
	err := cmp.Or(checkWord("rule", rule.Name, ruleNames), checkSize("buckets", rule.Buckets, "heads", heads))
	if err == nil {
		err = asOption(rule.Check())
	}
	if err != nil {
		return nil, err
	}
	if heads > largest/(2*rule.MaxDistance+1) {
		return nil, &OptionError{Msg: fmt.Sprintf("offsets up to %d of %s are over the %d numbers that buckets are laid out to", rule.MaxDistance, count(heads, "head"), largest)}
	}

	slopes := alibiSlopes(heads)
	stored := make([]float64, rule.Buckets*heads)
	filled := make([]bool, rule.Buckets)
	for d := range rule.MaxDistance + 1 {
		for _, b := range []int{rule.Bucket(-d), rule.Bucket(d)} {
			if filled[b] {
				continue
			}
			filled[b] = true
			for h, m := range slopes {
				stored[b*heads+h] = 0 - m*math.Log1p(float64(d)) // 0 - 0 is 0, where -m*0 would be -0
			}
		}
	}

	axis, scores, _ := rule.layOut(heads, stored, false)
	unused := rule.Unused()
	note := fmt.Sprintf("made here: a synthetic bias of %s in T5's steps (rule %s): offsets %d..%d in %s; each scores -slope * ln(1 + d), d the smallest distance of its bucket",
		count(heads, "head"), rule.Name, axis.Min, axis.Max, rule)
	for _, b := range unused {
		note += fmt.Sprintf("; no offset uses bucket %d", b)
	}
	return &Bias{Origin: Origin{Label: "t5"}, Axes: []Axis{axis}, Heads: headNames(heads), Scores: scores, Unused: unused, Steps: true, Notes: []string{note}}, nil
}

// asOption makes an error of reading one of making.
func asOption(err error) error {
	if err == nil {
		return nil
	}
	return &OptionError{Msg: err.Error()}
}
