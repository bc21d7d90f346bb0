package posemb

import (
	"fmt"
	"testing"
)

// A tensor of an unknown name, read as its dimensions are said to be. The values are
// 1, 2, 3, ... in the stored order.
func TestAxesOfUnknownName(t *testing.T) {
	words := func(w ...string) []string { return w }
	for _, c := range []struct {
		shape []int
		opt   ReadOptions
		want  string  // kind, axes, heads
		first float64 // of the first offset, head 1 and, of vectors, component 0
		note  string
	}{
		{[]int{5, 7, 2}, ReadOptions{Axes: words("dy", "dx", "heads")}, "bias [{dy -2 2 none} {dx -3 3 none}] [0 1]", 2, "taken as dy x dx x heads"},
		{[]int{2, 5, 7}, ReadOptions{Axes: words("heads", "dy", "dx")}, "bias [{dy -2 2 none} {dx -3 3 none}] [0 1]", 36, ""},
		{[]int{2, 7, 5}, ReadOptions{Axes: words("heads", "dx", "dy")}, "bias [{dy -2 2 none} {dx -3 3 none}] [0 1]", 36, ""},
		{[]int{2, 5, 7}, ReadOptions{Axes: words("heads", "dy", "dx"), Sign: QueryKey}, "bias [{dy -2 2 none} {dx -3 3 none}] [0 1]", 70, "query - key, as asked"},
		{[]int{5, 7, 4}, ReadOptions{Axes: words("dy", "dx", "width")}, "vectors [{dy -2 2 none} {dx -3 3 none}] []", 1, ""},
		{[]int{1, 9, 2}, ReadOptions{Axes: words("offsets", "heads")}, "bias [{offset -4 4 none}] [0 1]", 2, "9 rows are taken as the offsets -4..4"},
		{[]int{2, 9}, ReadOptions{Axes: words("heads", "offsets")}, "bias [{offset -4 4 none}] [0 1]", 10, ""},
		{[]int{2, 6}, ReadOptions{Axes: words("heads", "offsets"), Offsets: &Range{-5, 1}}, "bias [{offset -5 0 none}] [0 1]", 7, ""},
		{[]int{9, 4}, ReadOptions{Axes: words("offsets", "width")}, "vectors [{offset -4 4 none}] []", 1, ""},
		{[]int{4, 9}, ReadOptions{Axes: words("width", "offsets"), Sign: QueryKey}, "vectors [{offset -4 4 none}] []", 9, ""},
		{[]int{2, 9, 4}, ReadOptions{Axes: words("heads", "offsets", "width")}, "vectors [{offset -4 4 none}] [0 1]", 37, ""},
		{[]int{5, 4}, ReadOptions{Axes: words("dx", "width")}, "vectors [{dx -2 2 none}] []", 1, ""},
		{[]int{3, 5}, ReadOptions{Axes: words("dy", "dx")}, "bias [{dy -1 1 none} {dx -2 2 none}] [0]", 1, ""},
		{[]int{2, 32}, ReadOptions{Axes: words("heads", "buckets")}, "bias [{offset -128 128 clipped}] [0 1]", 48, "no rule is named"},
		{[]int{2, 16}, ReadOptions{Axes: words("heads", "buckets"), Buckets: &BucketRule{T5Causal, 16, 64}}, "bias [{offset -64 0 clipped}] [0 1]", 32, "16 buckets"},
		{[]int{9, 4}, ReadOptions{Axes: words("positions", "width")}, "absolute 9", 1, ""},
		{[]int{4, 9}, ReadOptions{Axes: words("width", "positions")}, "absolute 9", 1, ""},
	} {
		m := (&memory{}).with("mystery", c.shape...)
		var got string
		var first float64
		table := mustLoad(t, m, c.opt)
		switch table := table.(type) {
		case *Absolute:
			n, _ := table.Table.Dims()
			got, first = fmt.Sprint("absolute ", n), table.Table.At(0, 0)
		case *Vectors:
			got, first = fmt.Sprint("vectors ", table.Axes, " ", table.Heads), table.Table.At(0, max(len(table.Heads)-1, 0)*table.Width())
		case *Bias:
			got, first = fmt.Sprint("bias ", table.Axes, " ", table.Heads), table.Scores.At(0, len(table.Heads)-1)
		}
		if got != c.want || first != c.first {
			t.Errorf("%v %+v: %s, first %v; want %s, %v", c.shape, c.opt, got, first, c.want, c.first)
		}
		if match, err := one(m, "", c.opt); err != nil || match.Kind != table.Kind() {
			t.Errorf("%v %+v: chosen as %s, read as %s (%v)", c.shape, c.opt, match.Kind, table.Kind(), err)
		}
		if c.note != "" && !told(table.Remarks(), c.note) {
			t.Errorf("%v: notes %q, want %q", c.shape, table.Remarks(), c.note)
		}
	}
}

func TestAxesErrors(t *testing.T) {
	for _, c := range []struct {
		shape []int
		axes  []string
		kind  string
		text  string
	}{
		{[]int{4, 5, 2}, []string{"dy", "dx", "heads"}, NotATable, "4 offsets along dy"},
		{[]int{5, 5, 2}, []string{"dy", "offsets", "heads"}, BadOption, "axes dy,offsets,heads are no table"},
		{[]int{5, 5, 2}, []string{"dx", "buckets", "heads"}, BadOption, "are no table"},
		{[]int{32, 4}, []string{"buckets", "width"}, BadOption, "are no table"},
		{[]int{2, 5, 5}, []string{"frames", "dy", "dx"}, BadOption, "are no table"},
		{[]int{8, 2}, []string{"offsets", "heads"}, BadOption, "8 rows are no offsets -K..K"},
		{[]int{5, 5}, []string{"dy", "dx", "heads"}, BadOption, "are 3, but the tensor is 5 x 5"},
		{[]int{5, 0, 2}, []string{"dy", "dx", "heads"}, NotATable, "no numbers"},
		{[]int{0, 5}, []string{"offsets", "heads"}, NotATable, "no numbers"},
		{[]int{32, 0}, []string{"buckets", "heads"}, NotATable, "no numbers"},
	} {
		_, err := loadOnly(t, (&memory{}).with("mystery", c.shape...), ReadOptions{Axes: c.axes})
		wantFault(t, err, c.kind, c.text)
	}
}

// Whatever the shape, the words and the sign, every relative preset gives a table
// that agrees with itself and its storage, or an error.
func TestRelativePresetsTakeAnyAxes(t *testing.T) {
	shapes := [][]int{{}, {1}, {0, 4}, {1, 1}, {1, 4}, {5, 2}, {2, 5}, {4, 4}, {9, 2}, {12, 2}, {23, 2}, {32, 3}, {3, 32}, {33, 2}, {73, 2}, {516, 1}, {512, 2},
		{1, 5, 2}, {3, 1, 2}, {2, 3, 5}, {2, 5, 5}, {5, 5, 2}, {0, 3, 3}, {3, 0, 3}, {1, 3, 3, 2}, {2, 2, 2, 2}}
	axes := [][]string{nil, {"heads", "buckets"}, {"width", "offsets"}, {"offsets", "width"}, {"heads", "offsets", "width"}, {"heads", "dy", "dx"}, {"dx", "width", "dy"}, {"width", "heads"}, {"positions"}}
	made := 0
	for _, p := range append([]Preset{{}}, append(vectorPresets, biasPresets...)...) {
		for _, shape := range shapes {
			m := (&memory{}).with("t0", shape...).with("t1", shape...).with("t2", shape...)
			match := Match{Arch: p.Arch, Kind: p.Kind, Info: m.tensors[0].Info, Item: -1}
			for i := range max(len(p.Parts), 1) {
				match.Parts = append(match.Parts, fmt.Sprint("t", i))
			}
			for _, words := range axes {
				for _, sign := range []string{KeyQuery, QueryKey} {
					for _, g := range []*Grid{nil, {3, 3}, {0, 2}} {
						if g != nil && words != nil {
							continue
						}
						table, err := Load(t.Context(), m, match, ReadOptions{Axes: words, Sign: sign, Grid: g})
						if err != nil {
							if _, ok := err.(*Error); !ok {
								t.Fatalf("%s %v %v %s: %v", p.Arch, shape, words, sign, err)
							}
							continue
						}
						made++
						if why := inconsistent(table); why != "" {
							t.Fatalf("%s %v %v %s: %s", p.Arch, shape, words, sign, why)
						}
						if why := misstored(table); why != "" {
							t.Fatalf("%s %v %v %s: %s", p.Arch, shape, words, sign, why)
						}
					}
				}
			}
		}
	}
	if made < 1000 {
		t.Errorf("only %d tables were made", made)
	}
}

// misstored says how a table's storage contradicts it; empty when it doesn't.
func misstored(table Table) string {
	var axes []Axis
	switch table := table.(type) {
	case *Vectors:
		axes = table.Axes
	case *Bias:
		axes = table.Axes
	default:
		return ""
	}
	rows := 1
	for _, x := range axes {
		rows *= x.Len()
	}
	for _, s := range table.Storage() {
		want := rows
		if s.Axis != WholeTable {
			want = axes[s.Axis].Len()
		}
		if len(s.At) != want {
			return fmt.Sprintf("%d entries stored for %d rows", len(s.At), want)
		}
		for _, at := range s.At {
			if at < 0 || at >= s.Count {
				return fmt.Sprintf("entry %d of %d", at, s.Count)
			}
			if s.Other[at] != "" && s.Other[at][:2] != "fr" { // TUPE's bucket 16 aside
				return fmt.Sprintf("entry %d has an offset and is %q", at, s.Other[at])
			}
		}
	}
	return ""
}
