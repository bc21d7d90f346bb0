package posemb

import (
	"fmt"
	"slices"
	"testing"
)

// The vector of (dy, dx) is R_h(dy) + R_w(dx), rows by query - key as in SAM.
func TestDecomposedSums(t *testing.T) {
	const name = "image_encoder.blocks.2.attn.rel_pos_"
	m := (&memory{}).with(name+"h", 5, 3).with(name+"w", 7, 3)
	found := Detect(m)
	if len(found) != 1 || found[0].Info.Name != name+"h" || !slices.Equal(found[0].Parts, []string{name + "h", name + "w"}) || found[0].Layer != 2 {
		t.Fatalf("detected %+v", found)
	}
	v := mustLoad(t, m, ReadOptions{}).(*Vectors)
	if got := fmt.Sprint(v.Axes, len(v.Stored), v.Unused); got != "[{dy -2 2 none} {dx -3 3 none}] 2 []" {
		t.Fatal(got)
	}
	for dy := -2; dy <= 2; dy++ {
		for dx := -3; dx <= 3; dx++ {
			h, w := 2-dy, 3-dx // query - key, plus S-1
			if a, b := v.Stored[0].At[dy+2], v.Stored[1].At[dx+3]; a != h || b != w {
				t.Errorf("(%d, %d): rows %d and %d, want %d and %d", dy, dx, a, b, h, w)
			}
			for k := range 3 {
				want := float64(h*3+k+1) + float64(w*3+k+1)
				if got := v.Table.At((dy+2)*7+dx+3, k); got != want {
					t.Errorf("(%d, %d) component %d: %v, want %v", dy, dx, k, got, want)
				}
			}
		}
	}
	if !told(v.Notes, "offsets dy -2..2, dx -3..3 of key - query; rows run by query - key and are turned") || len(v.Notes) != 2 {
		t.Errorf("notes %q", v.Notes)
	}
	for axis, s := range v.Stored {
		if s.Axis != axis || !s.Turned || s.Unit != "row" || s.Count != []int{5, 7}[axis] || s.Tensor != name+[]string{"h", "w"}[axis] {
			t.Errorf("stored %+v", s)
		}
	}
}

// An axis without the other is a table along itself.
func TestDecomposedAlone(t *testing.T) {
	for name, want := range map[string]string{
		"blocks.0.attn.rel_pos_h":              "[{dy -2 2 none}]",
		"blocks.0.attn.rel_pos_w":              "[{dx -2 2 none}]",
		"0.self_attn.pos_embed.height_rel":     "[{dy -2 2 none}]",
		"0.self_attn.pos_embed.width_rel":      "[{dx -2 2 none}]",
		"stages.1.blocks.0.attn.rel_pos_w":     "[{dx -2 2 none}]",
		"vision_encoder.layers.attn.rel_pos_h": "[{dy -2 2 none}]",
	} {
		m := (&memory{}).with(name, 5, 2)
		v := mustLoad(t, m, ReadOptions{}).(*Vectors)
		if got := fmt.Sprint(v.Axes); got != want || v.Stored[0].Axis != WholeTable || !told(v.Notes, "alone") {
			t.Errorf("%s: %s, want %s; stored %+v", name, got, want, v.Stored)
		}
	}
	// Named exactly, the one of dx is itself even beside the other.
	m := (&memory{}).with("a.rel_pos_h", 5, 2).with("a.rel_pos_w", 7, 2)
	match, err := one(m, "a.rel_pos_w", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Load(t.Context(), m, match, ReadOptions{})
	if err != nil || fmt.Sprint(table.(*Vectors).Axes) != "[{dx -3 3 none}]" {
		t.Errorf("%+v, %v", table, err)
	}
}

// A video's third axis is a table of its own.
func TestDecomposedTime(t *testing.T) {
	m := (&memory{}).with("a.rel_pos_h", 5, 2).with("a.rel_pos_w", 5, 2).with("a.rel_pos_t", 3, 2).with("a.pool_k.weight", 1)
	found := Detect(m)
	if got := names(found); !slices.Equal(got, []string{"a.rel_pos_h", "a.rel_pos_t"}) || found[0].Arch != "MViTv2" || found[1].Arch != "MViTv2 time" {
		t.Fatalf("%+v", found)
	}
	table, err := Load(t.Context(), m, found[1], ReadOptions{})
	if err != nil || fmt.Sprint(table.(*Vectors).Axes) != "[{dt -1 1 none}]" {
		t.Errorf("%+v, %v", table, err)
	}
	if table, err = Load(t.Context(), m, found[0], ReadOptions{}); err != nil || !told(table.Remarks(), "pools its keys by s") {
		t.Errorf("%+v, %v", table, err)
	}
}

func TestDecomposedErrors(t *testing.T) {
	with := func(h, w []int) *memory { return (&memory{}).with("a.rel_pos_h", h...).with("a.rel_pos_w", w...) }
	for _, c := range []struct {
		m     *memory
		opt   ReadOptions
		kind  string
		texts []string
	}{
		{with([]int{5, 2}, []int{5, 3}), ReadOptions{}, NotATable, []string{"vectors of 2 along dy and of 3 along dx"}},
		{with([]int{4, 2}, []int{5, 2}), ReadOptions{}, NotATable, []string{"4 rows are no offsets"}},
		{with([]int{5, 2}, []int{4, 2}), ReadOptions{}, NotATable, []string{"4 rows are no offsets"}},
		{with([]int{5, 2}, []int{2, 3, 4}), ReadOptions{}, NotATable, []string{"3 dimensions"}},
		{with([]int{5, 2}, []int{0, 2}), ReadOptions{}, NotATable, []string{"a.rel_pos_w", "no numbers"}},
		{with([]int{5, 2}, []int{}), ReadOptions{}, NotATable, []string{"a single number"}},
		{with([]int{5, 2}, []int{7, 2}), ReadOptions{Grid: &Grid{3, 3}}, BadOption, []string{"a window of 3 x 3 does not have 7 offsets"}},
		{with([]int{20001, 1}, []int{20001, 1}), ReadOptions{}, BadOption, []string{"20001 x 20001 offsets of 1 components are too many"}},
	} {
		_, err := loadOnly(t, c.m, c.opt)
		wantFault(t, err, c.kind, c.texts...)
	}
	if v := mustLoad(t, with([]int{127, 64}, []int{127, 64}), ReadOptions{Grid: &Grid{64, 64}}).(*Vectors); v.Axes[0].Len() != 127 || v.Axes[1].Len() != 127 {
		t.Errorf("%+v", v.Axes)
	}
}

// The second tensor goes as Axes says, too.
func TestDecomposedTurned(t *testing.T) {
	m := (&memory{}).with("a.rel_pos_h", 2, 5).with("a.rel_pos_w", 2, 7)
	v := mustLoad(t, m, ReadOptions{Axes: []string{"width", "dy"}}).(*Vectors)
	if got := fmt.Sprint(v.Axes); got != "[{dy -2 2 none} {dx -3 3 none}]" {
		t.Fatal(got)
	}
	if got, want := v.Table.At(0, 1), float64(1*5+4+1)+float64(1*7+6+1); got != want {
		t.Errorf("(-2, -3), component 1: %v, want %v", got, want)
	}
}

// skewRow is the row of a halo table that a query i of a block and a key j of its
// window look up, by padding and reshaping as timm's rel_logits_1d does it.
func skewRow(i, j, block, window int) int {
	rows := 2*window - 1
	at := i*rows + window - 1 + j // of what is reshaped to (block+1) x rows, its columns from window-1 on
	if at/(rows+1) != i || at >= block*(rows+1) {
		return -1 // padding
	}
	return at % (rows + 1)
}

// The rows of halo attention are found by timm's own skewing. The first 2 halo are
// never looked up.
func TestHalo(t *testing.T) {
	for _, c := range []struct {
		block, halo int
		opt         ReadOptions
	}{
		{8, 2, ReadOptions{}}, {8, 3, ReadOptions{}}, {7, 2, ReadOptions{}},
		{4, 3, ReadOptions{Grid: &Grid{4, 4}}}, {5, 0, ReadOptions{Grid: &Grid{5, 5}}},
	} {
		window := c.block + 2*c.halo
		m := (&memory{}).with("0.self_attn.pos_embed.height_rel", 2*window-1, 1).with("0.self_attn.pos_embed.width_rel", 2*window-1, 1).with("0.self_attn.kv.weight", 4, 4, 1, 1)
		found := Detect(m)
		if len(found) != 1 || found[0].Arch != "HaloNet" {
			t.Fatalf("detected %+v", found)
		}
		v := mustLoad(t, m, c.opt).(*Vectors)
		if slices.Contains(m.read, "0.self_attn.kv.weight") {
			t.Error("read what only tells the family")
		}
		if want := fmt.Sprintf("(no offset uses rows 0 to %d)", 2*c.halo-1); told(v.Notes, want) != (c.halo > 0) {
			t.Errorf("notes %q, want %q", v.Notes, want)
		}
		seen := map[int]bool{}
		for i := range c.block {
			for j := range window {
				k := j - c.halo - i // the key's place in the block, less the query's
				row := skewRow(i, j, c.block, window)
				seen[row] = true
				for axis := range 2 {
					if got := v.Stored[axis].At[k-v.Axes[axis].Min]; got != row {
						t.Errorf("block %d, halo %d, offset %d along axis %d: row %d, want %d", c.block, c.halo, k, axis, got, row)
					}
				}
			}
		}
		if x := v.Axes[0]; x.Min != 1-c.block-c.halo || x.Max != c.block+c.halo-1 || len(seen) != x.Len() {
			t.Errorf("block %d, halo %d: %+v, %d rows looked up", c.block, c.halo, x, len(seen))
		}
		explained := Explain(v)
		for row := range 2*window - 1 {
			if idle := explained.Entry(0, row).Kind == MeansUnused; idle == seen[row] || slices.Contains(v.Unused, row) != idle {
				t.Errorf("block %d, halo %d, row %d: idle %v, looked up %v", c.block, c.halo, row, idle, seen[row])
			}
		}
		// (0, 0) is the sum of the rows of offset 0.
		zero := float64(2 * (window - 1 + c.halo + 1))
		if got := v.Table.At(-v.Axes[0].Min*v.Axes[1].Len()-v.Axes[1].Min, 0); got != zero {
			t.Errorf("block %d, halo %d, (0, 0): %v, want %v", c.block, c.halo, got, zero)
		}
	}
	m := (&memory{}).with("0.self_attn.pos_embed.height_rel", 23, 2).with("0.self_attn.kv.weight", 4, 4, 1, 1)
	for _, g := range []Grid{{7, 7}, {13, 13}, {0, 0}, {-2, 4}} {
		_, err := loadOnly(t, m, ReadOptions{Grid: &g})
		wantFault(t, err, BadOption, "a window of 12")
	}
}
