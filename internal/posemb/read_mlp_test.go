package posemb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	swinV2   = "layers.2.blocks.5.attn."
	swinV2HF = "swinv2.encoder.layers.2.blocks.5.attention.self."
)

// network adds a block's network to a source.
func (m *memory) network(prefix string, w1, b1, w2 []float64) *memory {
	at := prefix + "cpb_mlp."
	if strings.HasSuffix(prefix, "self.") {
		at = prefix + "continuous_position_bias_mlp."
	}
	hidden := len(b1)
	return m.holding(at+"0.weight", w1, hidden, 2).holding(at+"0.bias", b1, hidden).holding(at+"2.weight", w2, len(w2)/hidden, hidden)
}

// coordinate is what Swin v2 gives its network for a distance in a window of n cells.
func coordinate(queryMinusKey, n int) float64 {
	x := float64(queryMinusKey) / float64(n-1) * 8
	sign := 1.0
	if x < 0 {
		sign = -1
	}
	return sign * math.Log2(math.Abs(x)+1) / math.Log2(8)
}

// A network whose output is -|c(y) - c(dy)| - |c(x) - c(dx)| by hand: head 0 attends
// to the patch on the left (query - key is 0, +1), head 1 to the one above.
func TestNetworkAttendsToOnePatch(t *testing.T) {
	const h, w = 4, 6
	left, above := coordinate(1, w), coordinate(1, h)
	// relu(y), relu(-y), relu(x - left), relu(left - x), and the same with the axes changed
	w1 := []float64{1, 0, -1, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1}
	b1 := []float64{0, 0, -left, left, -above, above, 0, 0}
	w2 := []float64{-1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1}
	for _, prefix := range []string{swinV2, swinV2HF} {
		m := (&memory{}).network(prefix, w1, b1, w2)
		found := Detect(m)
		if len(found) != 1 || found[0].Arch != "Swin v2" || found[0].Layer != 5 {
			t.Fatalf("detected %+v", found)
		}
		b := mustLoad(t, m, ReadOptions{Grid: &Grid{h, w}}).(*Bias)
		if got := fmt.Sprint(b.Axes, b.Heads, b.Stored); got != "[{dy -3 3 none} {dx -5 5 none}] [0 1] []" {
			t.Fatal(got)
		}
		if at := peak(t, b); at[0] != 0 || at[1] != -1 {
			t.Errorf("head 0 peaks at %v", at)
		}
		second, err := b.Pick([]int{1})
		if err != nil {
			t.Fatal(err)
		}
		if at := peak(t, second); at[0] != -1 || at[1] != 0 {
			t.Errorf("head 1 peaks at %v", at)
		}
		if got := b.Scores.At(3*11+4, 0); got != 8 { // 16 sigmoid(0)
			t.Errorf("%v at the peak, want 8", got)
		}
		turned := mustLoad(t, m, ReadOptions{Grid: &Grid{h, w}, Sign: KeyQuery}).(*Bias)
		if at := peak(t, turned); at[0] != 0 || at[1] != 1 {
			t.Errorf("by key - query head 0 peaks at %v", at)
		}
	}
}

// Every pair of cells gets what the model's own steps give it.
func TestNetworkOfEveryPair(t *testing.T) {
	const h, w, hidden, heads = 3, 4, 7, 2
	rnd := rand.New(rand.NewPCG(5, 6))
	normal := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rnd.NormFloat64()
		}
		return x
	}
	w1, b1, w2 := normal(2*hidden), normal(hidden), normal(heads*hidden)
	b := mustLoad(t, (&memory{}).network(swinV2, w1, b1, w2), ReadOptions{Grid: &Grid{h, w}}).(*Bias)
	for query := range h * w {
		for key := range h * w {
			y, x := query/w-key/w, query%w-key%w
			for head := range heads {
				sum := 0.0
				for k := range hidden {
					unit := w1[2*k]*coordinate(y, h) + w1[2*k+1]*coordinate(x, w) + b1[k]
					sum += w2[head*hidden+k] * math.Max(unit, 0)
				}
				want := 16 / (1 + math.Exp(-sum))
				if got := b.Scores.At((-y+h-1)*(2*w-1)-x+w-1, head); math.Abs(got-want) > 1e-13 {
					t.Fatalf("query %d, key %d, head %d: %v, want %v", query, key, head, got, want)
				}
			}
		}
	}
}

// The window and the coordinates come from the buffers beside the network, where
// there are some.
func TestNetworkWindow(t *testing.T) {
	identity := func(m *memory) *memory { // 16 sigmoid(relu(y) + 10 relu(x))
		return m.network(swinV2, []float64{1, 0, 0, 1}, []float64{0, 0}, []float64{1, 10})
	}
	const table, index = swinV2 + "relative_coords_table", swinV2 + "relative_position_index"
	b := mustLoad(t, identity((&memory{}).with(table, 1, 3, 5, 2).with(index, 6, 6)), ReadOptions{}).(*Bias)
	if got := fmt.Sprint(b.Axes); got != "[{dy -1 1 none} {dx -2 2 none}]" {
		t.Error(got)
	}
	// Row i of the table is (2i+1, 2i+2), by query - key; turned, it is the offset 14-i.
	for i := range 15 {
		want := 16 / (1 + math.Exp(-float64(2*i+1)-10*float64(2*i+2)))
		if got := b.Scores.At(14-i, 0); math.Abs(got-want) > 1e-14 {
			t.Errorf("offset %d: %v, want %v", 14-i, got, want)
		}
	}
	if !told(b.Notes, "coordinates are those of "+table) || told(b.Notes, "trained at this window") {
		t.Errorf("notes %q", b.Notes)
	}
	for name, shape := range map[string][]int{"square": {16, 16}, "flat": {256}} {
		b := mustLoad(t, identity((&memory{}).with(index, shape...)), ReadOptions{}).(*Bias)
		if got := fmt.Sprint(b.Axes); got != "[{dy -3 3 none} {dx -3 3 none}]" {
			t.Errorf("%s: %s", name, got)
		}
		if !told(b.Notes, "16 cells: a window of 4 x 4") || !told(b.Notes, "trained at this window") {
			t.Errorf("%s: notes %q", name, b.Notes)
		}
	}
	b = mustLoad(t, identity((&memory{}).with(index, 16, 16)), ReadOptions{Grid: &Grid{2, 8}}).(*Bias)
	if got := fmt.Sprint(b.Axes); got != "[{dy -1 1 none} {dx -7 7 none}]" {
		t.Error(got)
	}
	b = mustLoad(t, identity(&memory{}), ReadOptions{Grid: &Grid{1, 1}}).(*Bias)
	if r, c := b.Scores.Dims(); r != 1 || c != 1 || b.Scores.At(0, 0) != 8 {
		t.Errorf("a window of one cell: %v", b.Scores.RawMatrix().Data)
	}
	for name, test := range map[string]struct {
		m    *memory
		g    *Grid
		kind string
		says []string
	}{
		"nothing":            {&memory{}, nil, Ambiguous, []string{"does not store its own", "--grid HxW"}},
		"config":             {(&memory{}).saying("config.window_size", "8"), nil, Ambiguous, []string{"config.json says 8", "--grid HxW"}},
		"no square":          {(&memory{}).with(index, 12, 12), nil, Ambiguous, []string{"12 cells of a window that is no square", "--grid HxW"}},
		"index":              {(&memory{}).with(index, 12, 16), nil, NotATable, []string{"12 x 16"}},
		"empty index":        {(&memory{}).with(index, 0, 0), nil, NotATable, []string{"expected cells x cells"}},
		"flat, no square":    {(&memory{}).with(index, 12), nil, NotATable, []string{"expected cells x cells"}},
		"grid against index": {(&memory{}).with(index, 16, 16), &Grid{3, 5}, BadOption, []string{"16 cells"}},
		"grid against table": {(&memory{}).with(table, 1, 3, 3, 2), &Grid{3, 3}, BadOption, []string{"is of 2 x 2"}},
		"even table":         {(&memory{}).with(table, 1, 4, 4, 2), nil, NotATable, []string{"expected 1 x"}},
		"empty table":        {(&memory{}).with(table, 1, 0, 3, 2), nil, NotATable, []string{"expected 1 x"}},
		"table of scores":    {(&memory{}).with(table, 3, 3), nil, NotATable, []string{"expected 1 x"}},
		"no grid":            {&memory{}, &Grid{}, BadOption, []string{"0 x 0"}},
		"negative grid":      {&memory{}, &Grid{-2, -2}, BadOption, []string{"-2 x -2"}},
		"huge grid":          {&memory{}, &Grid{math.MaxInt, math.MaxInt}, BadOption, nil},
		"large grid":         {&memory{}, &Grid{100_000, 100_000}, BadOption, nil},
		"many offsets":       {&memory{}, &Grid{6000, 6000}, BadOption, nil},
	} {
		_, err := loadOnly(t, identity(test.m), ReadOptions{Grid: test.g})
		t.Run(name, func(t *testing.T) { wantFault(t, err, test.kind, test.says...) })
	}
}

// Weights that do not go together are errors; a network that is larger than any
// model's is not run at every offset.
func TestNetworkShapes(t *testing.T) {
	for _, shapes := range [][3][]int{
		{{3, 3}, {3}, {2, 3}}, {{0, 2}, {0}, {2, 0}}, {{3, 2}, {2}, {2, 3}}, {{3, 2}, {}, {2, 3}}, {{3, 2}, {3}, {3, 2}}, {{3, 2}, {3}, {3}}, {{3, 2}, {3}, {0, 3}}, {{1, 3, 2}, {3}, {2, 3}},
	} {
		m := (&memory{}).with(swinV2+"cpb_mlp.0.weight", shapes[0]...).with(swinV2+"cpb_mlp.0.bias", shapes[1]...).with(swinV2+"cpb_mlp.2.weight", shapes[2]...)
		_, err := loadOnly(t, m, ReadOptions{Grid: &Grid{2, 2}})
		wantFault(t, err, NotATable)
	}
	wide := (&memory{}).network(swinV2, make([]float64, 2000), make([]float64, 1000), make([]float64, 1000*1000))
	_, err := loadOnly(t, wide, ReadOptions{Grid: &Grid{20, 20}})
	wantFault(t, err, BadOption, "too many")
	_, err = loadOnly(t, wide, ReadOptions{Axes: []string{"heads", "width"}, Grid: &Grid{2, 2}})
	wantFault(t, err, BadOption, "no axes to name")
	odd := (&memory{}).network(swinV2, []float64{math.NaN(), 0}, []float64{0}, []float64{1})
	b := mustLoad(t, odd, ReadOptions{Grid: &Grid{2, 2}}).(*Bias)
	if !math.IsNaN(b.Scores.At(0, 0)) || !told(b.Notes, "1 of 2 values are not finite") {
		t.Errorf("%v, notes %q", b.Scores.At(0, 0), b.Notes)
	}
}

// A Swin v2 has a table a block, and nothing else in it is one; without a part of
// the network there is none.
func TestNetworkDetected(t *testing.T) {
	m := (&memory{}).with("patch_embed.proj.weight", 4, 3, 4, 4)
	for block := range 3 {
		at := fmt.Sprintf("layers.1.blocks.%d.attn.", block)
		m.network(at, []float64{1, 0}, []float64{0}, []float64{1, 2}).with(at+"logit_scale", 2, 1, 1).with(at+"q_bias", 4).with(at+"v_bias", 4).
			with(at+"relative_coords_table", 1, 3, 3, 2).with(at+"relative_position_index", 4, 4).with(at+"qkv.weight", 12, 4)
	}
	found := Detect(m)
	if len(found) != 3 {
		t.Fatalf("detected %q", names(found))
	}
	for i, match := range found {
		if want := fmt.Sprintf("layers.1.blocks.%d.attn.cpb_mlp.0.weight", i); match.Info.Name != want || match.Layer != i {
			t.Errorf("%s of layer %d", match.Info.Name, match.Layer)
		}
	}
	part := (&memory{}).with(swinV2+"cpb_mlp.0.weight", 8, 2).with(swinV2+"cpb_mlp.0.bias", 8).with(swinV2+"qkv.weight", 12, 4)
	_, err := one(part, "", ReadOptions{})
	wantFault(t, err, NotFound, "cpb_mlp", "a part of it is not here")
}
