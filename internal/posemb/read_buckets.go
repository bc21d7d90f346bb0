package posemb

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// largest is the most numbers that buckets are laid out to.
const largest = 1 << 27

// unasked is the most numbers that a table is laid out to by what the file claims, of
// heads or of a largest distance; the caller may ask for more.
const unasked = 1 << 24

// What config.json and GGUF call a rule's two numbers and the number of heads. No
// model has two names for one of them, but LayoutLM has a second rule for boxes.
var (
	bucketKeys = ruleKeys{
		count: []string{"relative_attention_num_buckets", "num_buckets", "rel_pos_bins", "position_bias_num_buckets", "attention.relative_buckets_count"},
		far:   []string{"relative_attention_max_distance", "max_bucket_distance", "max_rel_pos", "position_bias_max_distance"},
	}
	pageKeys = ruleKeys{count: []string{"rel_2d_pos_bins"}, far: []string{"max_rel_2d_pos"}}
	headKeys = []string{"num_heads", "num_attention_heads", "attention.head_count"}
)

// ruleKeys are where a configuration may say the numbers of a rule.
type ruleKeys struct{ count, far []string }

// readBuckets reads a bias whose rows are buckets of offsets of tokens (T5 and kin),
// and lays it out over the offsets themselves.
func readBuckets(r *reading) (Table, error) { return r.buckets(bucketKeys, nil) }

// readPageBuckets reads a bias of offsets of places on a page, along dx or dy.
func readPageBuckets(r *reading) (Table, error) {
	b, err := r.buckets(pageKeys, nil)
	if err != nil {
		return nil, err
	}
	b.(*Bias).Axes[0].Name = "dx"
	if n := len(r.segs); slices.Contains(r.segs, "rel_pos_y_bias") || n > 2 && r.segs[n-3] == "2" {
		b.(*Bias).Axes[0].Name = "dy"
	}
	return b, nil
}

// readClassBuckets reads TUPE's bias: the row behind the buckets and the one bucket
// that the rule leaves unused are for the class token in front.
func readClassBuckets(r *reading) (Table, error) {
	return r.buckets(bucketKeys, func(rule BucketRule, rows int) {
		if rows == rule.Buckets+1 && rule.Name == T5Both {
			r.call(rule.Buckets/2, "from [CLS] to a token, and to itself")
			r.call(rule.Buckets, "from a token to [CLS]")
			r.note("bucket %d is from [CLS] to any token, row %d from any token to [CLS]", rule.Buckets/2, rule.Buckets)
		}
	})
}

// readSegmentBuckets reads the bias of CPM-Ant and CPM-Bee: the rows behind the
// buckets serve keys in another segment than the query's.
func readSegmentBuckets(r *reading) (Table, error) {
	return r.buckets(bucketKeys, func(rule BucketRule, rows int) {
		extra := rows - rule.Buckets
		if extra < 1 {
			return
		}
		segments := squareRoot(extra)
		if r.preset.Arch != "CPM-Ant" {
			segments = 0
		}
		for i := range extra {
			switch {
			case segments == 0:
				r.call(rule.Buckets+i, fmt.Sprintf("relation %d of two segments", i+1))
			case i/segments == i%segments:
				r.call(rule.Buckets+i, fmt.Sprintf("segment %d with itself: the buckets serve instead", i/segments))
			default:
				r.call(rule.Buckets+i, fmt.Sprintf("from segment %d to segment %d", i/segments, i%segments))
			}
		}
		r.note("%s behind the buckets, for keys in another segment, %s left out", count(extra, "row"), plural(extra, "is", "are"))
	})
}

// buckets reads a bias by the preset's rule, with the numbers that the
// configuration has of it. What behind says of rows that are no buckets is kept.
func (r *reading) buckets(keys ruleKeys, behind func(rule BucketRule, rows int)) (Table, error) {
	r.noPositions()
	rule := r.preset.Buckets
	if rule.Name == "" {
		rule.Name = T5Both
		if slices.ContainsFunc(r.segs, func(s string) bool { return s == "decoder" || s == "dec" }) {
			rule.Name = T5Causal
		}
	}
	if far, ok := r.numberOf(keys.far); ok {
		rule.MaxDistance = far
	}
	stated, _ := r.numberOf(keys.count)
	n, heads, data, err := r.bucketRows(stated)
	if err != nil {
		return nil, err
	}
	if behind == nil {
		rule.Buckets = n
		return r.expand(rule, n, heads, data)
	}
	if stated > 0 {
		rule.Buckets = stated
	}
	if o := r.opt.Buckets; o != nil && o.Buckets > 0 {
		rule.Buckets = o.Buckets
	}
	if rule.Buckets > n {
		r.note("%s fewer than the %d buckets of %s: all are taken as buckets", are(n, "row"), rule.Buckets, r.preset.Arch)
		rule.Buckets = n
	}
	if o := r.opt.Buckets; o != nil && o.Name != "" {
		rule.Name = o.Name
	}
	behind(rule, n)
	return r.expand(rule, n, heads, data)
}

// expand lays the rule's buckets, the first of n rows, out over the offsets up to its
// largest distance, following what the caller says of the rule. A rule without a
// number of buckets takes all rows.
func (r *reading) expand(rule BucketRule, n, heads int, data []float64) (Table, error) {
	if rule.Buckets == 0 {
		rule.Buckets = n
	}
	if o := r.opt.Buckets; o != nil {
		if o.Name != "" {
			rule.Name = o.Name
		}
		if o.MaxDistance != 0 {
			rule.MaxDistance = o.MaxDistance
		}
		if o.Buckets != 0 && o.Buckets != rule.Buckets {
			return nil, r.fault(BadOption, "", "%d buckets asked for, but the table has %d", o.Buckets, rule.Buckets)
		}
	}
	if err := rule.Check(); err != nil {
		return nil, r.fault(BadOption, "", "%v", err)
	}
	most, hint := unasked, fmt.Sprintf("--buckets %s,%d,MAX says the largest distance", rule.Name, rule.Buckets)
	if o := r.opt.Buckets; o != nil && o.MaxDistance != 0 {
		most, hint = largest, ""
	}
	if heads > most/(2*rule.MaxDistance+1) {
		return nil, r.fault(BadOption, hint, "offsets up to %d of %s are too many", rule.MaxDistance, count(heads, "head"))
	}
	stored := Stored{Tensor: r.match.Name(), Unit: "bucket", Count: n, Axis: WholeTable, Turned: r.reversed(), Other: r.other}
	axis, scores, at := rule.layOut(heads, data, stored.Turned)
	stored.At = at
	r.note("%s; laid out over the offsets %d..%d of key - query", rule, axis.Min, axis.Max)
	if stored.Turned {
		r.note("buckets are of query - key, as asked")
	}
	unused := slices.DeleteFunc(rule.Unused(), func(b int) bool { return r.other[b] != "" })
	var aside *mat.Dense
	if len(unused) > 0 {
		aside = mat.NewDense(len(unused), heads, nil)
	}
	for k, b := range unused {
		aside.SetRow(k, data[b*heads:(b+1)*heads])
		r.note("bucket %d is used by no offset and keeps its initial values", b)
	}
	return &Bias{Origin: r.origin(), Axes: []Axis{axis}, Heads: headNames(heads), Scores: scores, Unused: unused, Aside: aside, Steps: true, Notes: r.notes, Stored: []Stored{stored}}, nil
}

// layOut gives every offset up to the largest distance the scores of its bucket, and
// that bucket. Turned: the buckets are of query - key.
func (r BucketRule) layOut(heads int, data []float64, turned bool) (axis Axis, scores *mat.Dense, at []int) {
	axis = Axis{"offset", -r.MaxDistance, r.MaxDistance, BeyondClipped}
	switch {
	case r.Name == T5Causal && turned:
		axis.Min = 0
	case r.Name == T5Causal:
		axis.Max = 0
	}
	scores = mat.NewDense(axis.Len(), heads, nil)
	at = make([]int, axis.Len())
	for i := range at {
		k := axis.Min + i
		if turned {
			k = -k
		}
		at[i] = r.Bucket(k)
		scores.SetRow(i, data[at[i]*heads:][:heads])
	}
	return axis, scores, at
}
