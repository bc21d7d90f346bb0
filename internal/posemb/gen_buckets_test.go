package posemb

import (
	"math"
	"slices"
	"testing"
)

// The first distance of each bucket from the published intervals of the rule with
// 32 buckets up to 128.
func TestBucketBias(t *testing.T) {
	for rule, starts := range map[string][]int{
		T5Both:   {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91},
		T5Causal: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113},
	} {
		b, err := BucketBias(BucketBiasOptions{Rule: rule, Heads: 8})
		if err != nil {
			t.Fatal(err)
		}
		axis, unused := Axis{"offset", -128, 128, BeyondClipped}, []int{16}
		if rule == T5Causal {
			axis.Max, unused = 0, nil
		}
		if !slices.Equal(b.Axes, []Axis{axis}) || !slices.Equal(b.Unused, unused) || !b.Steps || b.Stored != nil || len(b.Heads) != 8 {
			t.Errorf("%s: axes %v, unused %v, steps %v, %d heads", rule, b.Axes, b.Unused, b.Steps, len(b.Heads))
		}
		for i := range axis.Len() {
			k := axis.Min + i
			first := 0
			for _, start := range starts {
				if start <= max(k, -k) {
					first = start
				}
			}
			for h := range 8 {
				want := -math.Log(1+float64(first)) / float64(int(2)<<h) // slopes 1/2, 1/4, ...
				if got := b.Scores.At(i, h); !nearTo(got, want, 1e-14) || math.Signbit(got) && k == 0 {
					t.Errorf("%s: offset %d of head %d: %v, want %v", rule, k, h, got, want)
				}
			}
		}
	}
	odd, err := BucketBias(BucketBiasOptions{Buckets: 33})
	if err != nil || !slices.Equal(odd.Unused, []int{16, 32}) {
		t.Errorf("33 buckets: unused %v, %v", odd.Unused, err)
	}
}
