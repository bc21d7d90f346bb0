package posemb

import (
	"math"
	"slices"
	"testing"
)

// The slopes as the paper and the released code have them: exact powers of two
// where the heads are one, and for 12 heads the published list.
func TestAlibiSlopes(t *testing.T) {
	root := math.Sqrt(0.5)
	for n, want := range map[int][]float64{
		1:  {1. / 256},
		2:  {1. / 16, 1. / 256},
		3:  {1. / 16, 1. / 256, 1. / 4},
		8:  {1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256},
		12: {1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256, root, root / 2, root / 4, root / 8},
		16: {root, 1. / 2, root / 2, 1. / 4, root / 4, 1. / 8, root / 8, 1. / 16, root / 16, 1. / 32, root / 32, 1. / 64, root / 64, 1. / 128, root / 128, 1. / 256},
	} {
		b, err := Alibi(AlibiOptions{Heads: n, Reach: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Heads) != n || len(want) != n {
			t.Fatalf("%d heads: %d names, %d slopes wanted", n, len(b.Heads), len(want))
		}
		for h, m := range want {
			for i, distance := range []float64{3, 2, 1, 0} {
				if got := b.Scores.At(i, h); !nearTo(got, -m*distance, 1e-14) || math.Signbit(got) && distance == 0 {
					t.Errorf("%d heads, head %d, distance %v: %v, want %v", n, h, distance, got, -m*distance)
				}
			}
		}
	}
	// By the recursion of the released code, with its own powers.
	var released func(n int) []float64
	released = func(n int) []float64 {
		a := math.Log2(float64(n))
		if a == math.Trunc(a) {
			start := math.Pow(2, -math.Pow(2, -(a-3)))
			var s []float64
			for i := range n {
				s = append(s, start*math.Pow(start, float64(i)))
			}
			return s
		}
		below := 1 << int(math.Floor(a))
		s := released(below)
		for i, m := range released(2 * below) {
			if i%2 == 0 && len(s) < n {
				s = append(s, m)
			}
		}
		return s
	}
	for n := 1; n <= 130; n++ {
		got := alibiSlopes(n)
		for h, want := range released(n) {
			if !nearTo(got[h], want, 1e-12) {
				t.Errorf("%d heads: slope %d is %v, want %v", n, h, got[h], want)
			}
		}
	}
}

func TestAlibiSides(t *testing.T) {
	back, err := Alibi(AlibiOptions{Heads: 71, Reach: 9})
	if err != nil {
		t.Fatal(err)
	}
	both, err := Alibi(AlibiOptions{Heads: 71, Reach: 9, Sides: "both"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Axes, []Axis{{"offset", -9, 0, BeyondEndless}}) || !slices.Equal(both.Axes, []Axis{{"offset", -9, 9, BeyondEndless}}) {
		t.Errorf("axes %v and %v", back.Axes, both.Axes)
	}
	for k := range 10 {
		for h := range 71 {
			here := back.Scores.At(9-k, h)
			if here != both.Scores.At(9-k, h) || here != both.Scores.At(9+k, h) || math.IsNaN(here) || math.IsInf(here, 0) || k > 0 && here >= 0 {
				t.Errorf("head %d, distance %d: %v, %v and %v", h, k, here, both.Scores.At(9-k, h), both.Scores.At(9+k, h))
			}
		}
	}
}
