package posemb

import (
	"fmt"
	"math"
)

// The names of bucket rules.
const (
	T5Both   = "t5"        // both directions, half of the buckets each
	T5Causal = "t5-causal" // looking back only
)

// maxDistance is the farthest offset that a rule or a caller may name, so that a
// number for every distance can be held.
const maxDistance = 1_000_000

// boundary moves a quotient of logarithms off the edge that it may fall short of
// by a rounding; the nearest other offset is farther than this.
const boundary = 1e-9

// Check says why a rule can't be followed, by a BadOption error: an unknown name, or
// numbers that leave a direction no logarithmic bucket.
func (r BucketRule) Check() error {
	if r.Name != T5Both && r.Name != T5Causal {
		return fault(BadOption, "", "", "bucket rule %q: known are %s and %s", r.Name, T5Both, T5Causal)
	}
	exact := r.side() / 2
	if exact < 1 {
		return fault(BadOption, "", "", "%s too few for the rule %s", are(r.Buckets, "bucket"), r.Name)
	}
	if r.MaxDistance > maxDistance {
		return fault(BadOption, "", "", "a largest distance of %d; %d is the most", r.MaxDistance, maxDistance)
	}
	if r.MaxDistance <= exact {
		return fault(BadOption, "", "", "a largest distance of %d is not above the %s with a bucket each", r.MaxDistance, count(exact, "distance"))
	}
	return nil
}

// side is the number of buckets of one direction.
func (r BucketRule) side() int {
	if r.Name == T5Both {
		return r.Buckets / 2
	}
	return r.Buckets
}

// Bucket is the bucket, 0 to Buckets-1, of an offset k = key - query, by a rule that
// passes Check. With b buckets a direction and e = b/2, a distance n has the bucket
//
//	n                                                  n < e
//	min(b-1, e + floor(ln(n/e) / ln(max/e) * (b-e)))   otherwise
//
// and offsets ahead of the query come b later; the causal rule puts all of them
// into bucket 0. From mesh_tensorflow/transformer/transformer_layers.py,
// _relative_position_bucket.
func (r BucketRule) Bucket(k int) int {
	b, base, n := r.side(), 0, -k
	if r.Name == T5Both && k > 0 {
		base, n = b, k
	}
	n = max(n, 0)
	exact := b / 2
	if n < exact {
		return base + n
	}
	far := math.Log(float64(n)/float64(exact)) / math.Log(float64(r.MaxDistance)/float64(exact))
	return base + min(b-1, exact+int(math.Floor(far*float64(b-exact)+boundary)))
}

// Unused lists the buckets that no offset falls into, which stay as they were
// initialised: the first of the buckets ahead, since offset 0 has bucket 0, and the
// last of an odd number in both directions. The rule must pass Check.
func (r BucketRule) Unused() []int {
	seen := make([]bool, r.Buckets)
	for k := -r.MaxDistance; k <= r.MaxDistance; k++ {
		seen[r.Bucket(k)] = true
	}
	var unused []int
	for b, s := range seen {
		if !s {
			unused = append(unused, b)
		}
	}
	return unused
}

// last is the distance from which the last bucket serves.
func (r BucketRule) last() int {
	for n := r.MaxDistance; n > 0; n-- {
		if r.Bucket(1-n) != r.Bucket(-r.MaxDistance) {
			return n
		}
	}
	return 0
}

// String tells the rule in words, for a note.
func (r BucketRule) String() string {
	dir := "both directions"
	if r.Name == T5Causal {
		dir = "looking back only"
	}
	return fmt.Sprintf("%d buckets by the T5 rule, %s, the last from distance %d on", r.Buckets, dir, r.last())
}

// logBucket is DeBERTa-v2's signed bucket of rel = query - key:
//
//	rel                                                                   |rel| <= mid
//	sign(rel) * (mid + ceil(ln(|rel|/mid) / ln((max-1)/mid) * (mid-1)))   otherwise
//
// with mid = size/2. From transformers, modeling_deberta_v2.py,
// make_log_bucket_position.
func logBucket(rel, size, maxPosition int) int {
	mid, n := size/2, max(rel, -rel)
	if n <= mid {
		return rel
	}
	far := math.Log(float64(n)/float64(mid)) / math.Log(float64(maxPosition-1)/float64(mid))
	b := mid + int(math.Ceil(far*float64(mid-1)-boundary))
	if rel < 0 {
		return -b
	}
	return b
}
