package posemb

import (
	"slices"
	"testing"
)

// interval is the distances of one bucket, from first to last.
type interval struct{ bucket, first, last int }

// The intervals are those of tensorflow/mesh's and transformers' float32 and
// float64 code, which agree on every distance up to twice the largest.
func TestBucketIntervals(t *testing.T) {
	const far = 256
	for _, c := range []struct {
		name   string
		rule   BucketRule
		exact  int
		logs   []interval
		unused []int
	}{
		{"T5 encoder", BucketRule{T5Both, 32, 128}, 8, []interval{
			{8, 8, 11}, {9, 12, 15}, {10, 16, 22}, {11, 23, 31}, {12, 32, 45}, {13, 46, 63}, {14, 64, 90}, {15, 91, far},
		}, []int{16}},
		{"T5 decoder", BucketRule{T5Causal, 32, 128}, 16, []interval{
			{16, 16, 18}, {17, 19, 20}, {18, 21, 23}, {19, 24, 26}, {20, 27, 30}, {21, 31, 34}, {22, 35, 39}, {23, 40, 45}, {24, 46, 51},
			{25, 52, 58}, {26, 59, 66}, {27, 67, 76}, {28, 77, 86}, {29, 87, 98}, {30, 99, 112}, {31, 113, far},
		}, nil},
	} {
		want := make([]int, far+1)
		for n := range c.exact {
			want[n] = n
		}
		for _, i := range c.logs {
			for n := i.first; n <= i.last; n++ {
				want[n] = i.bucket
			}
		}
		for n, b := range want {
			if got := c.rule.Bucket(-n); got != b {
				t.Errorf("%s: distance %d back has bucket %d, want %d", c.name, n, got, b)
			}
			ahead := b + 16
			if c.rule.Name == T5Causal {
				ahead = 0
			}
			if got := c.rule.Bucket(n); n > 0 && got != ahead {
				t.Errorf("%s: distance %d ahead has bucket %d, want %d", c.name, n, got, ahead)
			}
		}
		if got := c.rule.Unused(); !slices.Equal(got, c.unused) {
			t.Errorf("%s: unused buckets %v, want %v", c.name, got, c.unused)
		}
		if got, want := c.rule.last(), c.logs[len(c.logs)-1].first; got != want {
			t.Errorf("%s: the last bucket starts at %d, want %d", c.name, got, want)
		}
	}
}

func TestBucketsOfOtherRules(t *testing.T) {
	for _, c := range []struct {
		name                string
		rule                BucketRule
		exact, last, unused int
	}{
		{"WavLM", BucketRule{T5Both, 320, 800}, 80, 778, 160},
		{"LayoutLM 2-D", BucketRule{T5Both, 64, 256}, 16, 216, 32},
	} {
		half := c.rule.Buckets / 2
		for n := range c.exact {
			if got := c.rule.Bucket(-n); got != n {
				t.Errorf("%s: distance %d has bucket %d", c.name, n, got)
			}
		}
		for n, want := range map[int]bool{c.last - 1: false, c.last: true} {
			if got := c.rule.Bucket(-n) == half-1; got != want {
				t.Errorf("%s: distance %d in the last bucket: %v", c.name, n, got)
			}
			if got := c.rule.Bucket(n) == 2*half-1; got != want {
				t.Errorf("%s: distance %d ahead in the last bucket: %v", c.name, n, got)
			}
		}
		if got := c.rule.Unused(); !slices.Equal(got, []int{c.unused}) {
			t.Errorf("%s: unused %v, want %d", c.name, got, c.unused)
		}
	}
}

func TestBucketRuleCheck(t *testing.T) {
	for _, r := range []BucketRule{
		{"t6", 32, 128}, {T5Both, 2, 128}, {T5Causal, 1, 128}, {T5Both, 32, 8}, {T5Causal, 32, 16}, {T5Both, 32, -1}, {T5Both, 32, 1 << 40},
	} {
		if r.Check() == nil {
			t.Errorf("%+v passes", r)
		}
	}
	if err := (BucketRule{T5Both, 32, 128}).Check(); err != nil {
		t.Error(err)
	}
}

// The values are those of transformers' make_log_bucket_position for 256 buckets
// and 512 positions, row = bucket + 256.
func TestLogBucket(t *testing.T) {
	for rel, want := range map[int]int{0: 0, 1: 1, 127: 127, 128: 128, 129: 129, 130: 130, 200: 169, 256: 192, 300: 207, 400: 233, 510: 255, 511: 255} {
		if got := logBucket(rel, 256, 512); got != want {
			t.Errorf("bucket of %d is %d, want %d", rel, got, want)
		}
		if got := logBucket(-rel, 256, 512); got != -want {
			t.Errorf("bucket of %d is %d, want %d", -rel, got, -want)
		}
	}
	used := make([]bool, 512)
	for rel := -511; rel <= 511; rel++ {
		used[logBucket(rel, 256, 512)+256] = true
	}
	for row, u := range used {
		if u != (row > 0) {
			t.Errorf("row %d used: %v", row, u)
		}
	}
}
