package posemb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Parts of any shapes, which need not go together, give a table that agrees with
// itself or an error.
func TestComputedPresetsTakeAnyShapes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	options := []ReadOptions{
		{}, {Offsets: &Range{-3, 4}}, {Offsets: &Range{math.MinInt, 5}}, {Offsets: &Range{0, End}}, {Sign: QueryKey}, {Sign: KeyQuery}, {Grid: &Grid{2, 3}}, {Grid: &Grid{1, 1}}, {Grid: &Grid{-1, 0}},
		{Axes: []string{"offsets", "heads"}}, {Reserved: ptr(1)}, {Buckets: &BucketRule{}},
	}
	for _, p := range computedPresets {
		made := 0
		for range 4000 {
			m := &memory{}
			match := Match{Arch: p.Arch, Kind: p.Kind, Item: rnd.IntN(3) - 1}
			likely := rnd.IntN(10) == 0 // shapes of a small network, which go together
			for i := range p.Parts {
				shape := make([]int, rnd.IntN(5))
				for k := range shape {
					shape[k] = []int{0, 1, 1, 2, 2, 2, 3, 4}[rnd.IntN(8)]
				}
				if likely {
					shape = [][]int{{2, 2}, {2}, {3, 2}, {1, 3, 3, 2}, {4, 4}}[min(i, 4)]
				}
				part := fmt.Sprintf("layer_%d.%d", rnd.IntN(3), i)
				m.with(part, shape...)
				if i > 2 && rnd.IntN(2) > 0 {
					part = ""
				}
				match.Parts = append(match.Parts, part)
			}
			match.Info = m.tensors[0].Info
			opt := options[rnd.IntN(len(options))]
			table, err := Load(t.Context(), m, match, opt)
			if err != nil {
				if _, ok := err.(*Error); !ok {
					t.Fatalf("%s %v %+v: %v", p.Arch, m.Tensors(), opt, err)
				}
				continue
			}
			made++
			if why := inconsistent(table); why != "" {
				t.Fatalf("%s %v %+v: %s", p.Arch, m.Tensors(), opt, why)
			}
			_ = Describe(table, match.Info)
		}
		if made == 0 {
			t.Errorf("%s: no table was made", p.Arch)
		}
	}
}
