package posemb

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// largest is the most numbers that buckets are laid out to.
const largest = 1 << 27

// readBuckets reads a bias whose rows are buckets of offsets (T5 and kin), and
// lays it out over the offsets themselves.
func readBuckets(r *reading) (Table, error) {
	r.noPositions()
	n, heads, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	if r.headsFirst() {
		data = channelsLast(data, n, heads)
		n, heads = heads, n
	}
	rule := r.preset.Buckets
	if rule.Name == "" {
		rule.Name = T5Both
		if slices.ContainsFunc(r.segs, func(s string) bool { return s == "decoder" || s == "dec" }) {
			rule.Name = T5Causal
		}
	}
	if far, ok := r.number("relative_attention_max_distance"); ok && r.preset.Buckets.Name == "" {
		rule.MaxDistance = far
	}
	return r.expand(rule, n, heads, data)
}

// expand lays n buckets out over the offsets up to the rule's largest distance,
// following what the caller says of the rule.
func (r *reading) expand(rule BucketRule, n, heads int, data []float64) (Table, error) {
	if o := r.opt.Buckets; o != nil {
		if o.Name != "" {
			rule.Name = o.Name
		}
		if o.MaxDistance != 0 {
			rule.MaxDistance = o.MaxDistance
		}
		if o.Buckets != 0 && o.Buckets != n {
			return nil, r.fault(BadOption, "", "%d buckets asked for, but the table has %d", o.Buckets, n)
		}
	}
	rule.Buckets = n
	if err := rule.Check(); err != nil {
		return nil, r.fault(BadOption, "", "%v", err)
	}
	if heads > largest/(2*rule.MaxDistance+1) {
		return nil, r.fault(BadOption, "", "offsets up to %d of %d heads are too many", rule.MaxDistance, heads)
	}
	axis := Axis{"offset", -rule.MaxDistance, rule.MaxDistance, BeyondClipped}
	if rule.Name == T5Causal {
		axis.Max = 0
	}
	scores := mat.NewDense(axis.Len(), heads, nil)
	stored := Stored{Tensor: r.match.Name(), Unit: "bucket", Count: n, Axis: WholeTable, Turned: r.reversed(), Other: r.other}
	for i := range axis.Len() {
		b := rule.Bucket(axis.Min + i)
		if stored.Turned {
			b = rule.Bucket(-(axis.Min + i))
		}
		stored.At = append(stored.At, b)
		scores.SetRow(i, data[b*heads:(b+1)*heads])
	}
	r.note("%s; laid out over the offsets %d..%d of key - query", rule, axis.Min, axis.Max)
	unused := rule.Unused()
	for _, b := range unused {
		r.note("bucket %d is used by no offset and keeps its initial values", b)
	}
	return &Bias{Origin: r.origin(), Axes: []Axis{axis}, Heads: headNames(heads), Scores: scores, Unused: unused, Steps: true, Notes: r.notes, Stored: []Stored{stored}}, nil
}
