package posemb

import (
	"fmt"
	"slices"
	"testing"
)

// Transformer-XL's learned tables: query q reads row K-1-(q-k), a layer each. The
// second layer attends to the token before the query.
func TestLearnedXLAttendsToPreviousToken(t *testing.T) {
	const layers, n, heads, width = 3, 6, 2, 4
	emb, bias := make([]float64, layers*n*heads*width), make([]float64, layers*n*heads)
	for q := 1; q < n; q++ {
		row := n - 1 - 1 // key is q-1
		emb[((1*n+row)*heads+0)*width+0] = 1
		bias[(1*n+row)*heads+0] = 1
	}
	m := (&memory{}).holding("r_emb", emb, layers, n, heads, width).holding("r_bias", bias, layers, n, heads).with("r_w_bias", layers, heads, width)
	found := Detect(m)
	if got, want := fmt.Sprint(matchNames(found)), "[r_bias[0] r_bias[1] r_bias[2] r_emb[0] r_emb[1] r_emb[2]]"; got != want {
		t.Fatalf("detected %s, want %s", got, want)
	}
	for _, match := range found {
		table, err := Load(t.Context(), m, match, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if match.Layer != match.Item || table.Kind() != match.Kind {
			t.Errorf("%s: layer %d, kind %s, detected as %s", match.Name(), match.Layer, table.Kind(), match.Kind)
		}
		stored := table.Storage()
		if len(stored) != 1 || stored[0].Count != n || stored[0].Tensor != match.Name() || !slices.Equal(stored[0].At, []int{0, 1, 2, 3, 4, 5}) {
			t.Errorf("%s: stored %+v", match.Name(), stored)
		}
		if match.Layer != 1 {
			continue
		}
		if v, ok := table.(*Vectors); ok { // a query on component 0
			if table, err = v.Score([]float64{1, 0, 0, 0}, ScoreOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if at := peak(t, table); at[0] != -1 {
			t.Errorf("%s peaks at %v", match.Name(), at)
		}
	}
}

// Each number stands at its offset and head.
func TestLearnedXLValues(t *testing.T) {
	m := (&memory{}).with("net.r_emb", 2, 3, 2, 2).with("net.r_bias", 2, 3, 2)
	match := func(name string) Match {
		found, err := Choose(m, Choice{Name: name, Layers: []int{1}}, ReadOptions{})
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		return found[0]
	}
	table, err := Load(t.Context(), m, match("net.r_emb"), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v := table.(*Vectors)
	if got := fmt.Sprint(v.Axes, v.Heads, v.Width()); got != "[{offset -2 0 clipped}] [0 1] 2" {
		t.Error(got)
	}
	for i := range 3 {
		for h := range 2 {
			for k := range 2 {
				if got, want := v.Table.At(i, h*2+k), float64(((1*3+i)*2+h)*2+k+1); got != want {
					t.Errorf("row %d, head %d, component %d: %v, want %v", i, h, k, got, want)
				}
			}
		}
	}
	table, err = Load(t.Context(), m, match("net.r_bias"), ReadOptions{Sign: QueryKey})
	if err != nil {
		t.Fatal(err)
	}
	b := table.(*Bias)
	if got := fmt.Sprint(b.Axes, b.Heads); got != "[{offset 0 2 clipped}] [0 1]" {
		t.Error(got)
	}
	if got := b.Scores.RawRowView(0); !slices.Equal(got, []float64{11, 12}) { // the last stored row
		t.Errorf("offset 0: %v", got)
	}
	if s := b.Stored[0]; !s.Turned || !slices.Equal(s.At, []int{2, 1, 0}) {
		t.Errorf("stored %+v", s)
	}
}

// One without the other, and shapes of something else, are no such tables.
func TestLearnedXLShapes(t *testing.T) {
	for name, m := range map[string]*memory{
		"absolute (attn_type 3)": (&memory{}).with("r_emb", 2, 3, 2, 2),
		"other dimensions":       (&memory{}).with("r_emb", 3, 2, 2).with("r_bias", 3, 2),
	} {
		if found := Detect(m); len(found) > 0 {
			t.Errorf("%s: detected %q", name, names(found))
		}
	}
	for _, shape := range [][]int{{2, 3}, {2, 0, 2, 2}, {2, 3, 2, 2, 2}, {2, 3, 0, 2}} {
		m := (&memory{}).with("x", shape...)
		match := Match{Arch: "Transformer-XL vectors", Kind: KindVectors, Parts: []string{"x"}, Info: m.tensors[0].Info}
		_, err := Load(t.Context(), m, match, ReadOptions{})
		wantFault(t, err, NotATable, "expected offsets x heads")
	}
}

// matchNames are the names of matches.
func matchNames(found []Match) []string {
	var all []string
	for _, m := range found {
		all = append(all, m.Name())
	}
	return all
}
