package posemb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// explained is what a table's entry is, with its label, as people read it.
func explained(e *Explanation, part, entry int) string {
	m := e.Entry(part, entry)
	return m.Label() + ": " + e.Words(m)
}

// T5's buckets are the published intervals, both ways.
func TestExplainT5(t *testing.T) {
	back := []string{
		"offset 0 (the query itself)", "offset -1 (1 back)", "offset -2 (2 back)", "offset -3 (3 back)",
		"offset -4 (4 back)", "offset -5 (5 back)", "offset -6 (6 back)", "offset -7 (7 back)",
		"offsets -11..-8 (8 to 11 back)", "offsets -15..-12 (12 to 15 back)", "offsets -22..-16 (16 to 22 back)", "offsets -31..-23 (23 to 31 back)",
		"offsets -45..-32 (32 to 45 back)", "offsets -63..-46 (46 to 63 back)", "offsets -90..-64 (64 to 90 back)", "offsets -91 and all farther back",
	}
	ahead := []string{
		"used by no offset: keeps its initial values", "offset 1 (1 ahead)", "offset 2 (2 ahead)", "offset 3 (3 ahead)",
		"offset 4 (4 ahead)", "offset 5 (5 ahead)", "offset 6 (6 ahead)", "offset 7 (7 ahead)",
		"offsets 8..11 (8 to 11 ahead)", "offsets 12..15 (12 to 15 ahead)", "offsets 16..22 (16 to 22 ahead)", "offsets 23..31 (23 to 31 ahead)",
		"offsets 32..45 (32 to 45 ahead)", "offsets 46..63 (46 to 63 ahead)", "offsets 64..90 (64 to 90 ahead)", "offsets 91 and all farther ahead",
	}
	causal := []string{"offset 0, and all ahead (clipped)"}
	for k := 1; k < 16; k++ {
		causal = append(causal, fmt.Sprintf("offset %d (%d back)", -k, k))
	}
	for _, ends := range [][2]int{{16, 18}, {19, 20}, {21, 23}, {24, 26}, {27, 30}, {31, 34}, {35, 39}, {40, 45}, {46, 51}, {52, 58}, {59, 66}, {67, 76}, {77, 86}, {87, 98}, {99, 112}} {
		causal = append(causal, fmt.Sprintf("offsets %d..%d (%d to %d back)", -ends[1], -ends[0], ends[0], ends[1]))
	}
	causal = append(causal, "offsets -113 and all farther back")
	for side, want := range map[string][]string{"encoder": append(back, ahead...), "decoder": causal} {
		e := Explain(mustLoad(t, (&memory{}).with(side+".block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 2), ReadOptions{}))
		for b, words := range want {
			if got, want := explained(e, 0, b), fmt.Sprintf("bucket %d: %s", b, words); got != want {
				t.Errorf("%s: %q, want %q", side, got, want)
			}
		}
	}
}

// The index of a query and a key of a 2 x 2 window, as microsoft/Swin-Transformer
// has it in relative_position_index, comes back by looking up their offset.
func TestExplainSwinIndex(t *testing.T) {
	e := Explain(mustLoad(t, (&memory{}).with("layers.0.blocks.0.attn.relative_position_bias_table", 9, 2), ReadOptions{}))
	for q, row := range [][]int{{4, 3, 1, 0}, {5, 4, 2, 1}, {7, 6, 4, 3}, {8, 7, 5, 4}} {
		for k, want := range row {
			places, err := e.FindOffset(k/2-q/2, k%2-q%2)
			if err != nil || len(places) != 1 || places[0].Row != want {
				t.Errorf("query %d, key %d: %+v, %v, want row %d", q, k, places, err, want)
			}
		}
	}
}

// How many pairs of cells share a row is counted over a 2 x 3 window.
func TestExplainSwinPairs(t *testing.T) {
	const h, w = 2, 3
	e := Explain(mustLoad(t, (&memory{}).with("layers.0.blocks.0.attn.relative_position_bias_table", 15, 2), ReadOptions{Grid: &Grid{h, w}}))
	pairs := map[int]int{}
	for q := range h * w {
		for k := range h * w {
			pairs[(q/w-k/w+h-1)*(2*w-1)+q%w-k%w+w-1]++
		}
	}
	for row := range 15 {
		if got, want := explained(e, 0, row), fmt.Sprintf("; shared by %s of cells of the 2 x 3 window", count(pairs[row], "pair")); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want it to end in %q", got, want)
		}
	}
}

// order is the entries from, from+step, ... of n rows.
func order(from, step, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = from + i*step
	}
	return at
}

// offsetTable is a bias made by hand.
func offsetTable(axes []Axis, stored ...Stored) *Bias {
	n := 1
	for _, x := range axes {
		n *= x.Len()
	}
	return &Bias{Axes: axes, Heads: []string{"0"}, Scores: mat.NewDense(n, 1, nil), Stored: stored}
}

// positionTable is an absolute table of n positions made by hand.
func positionTable(n, reserved, frames int, g Grid, stored ...Stored) *Absolute {
	return &Absolute{Table: mat.NewDense(n, 1, nil), Reserved: reserved, Stride: 1, Grid: g, Frames: frames, Stored: stored}
}

// explainCases are tables of every kind, with what some of their entries are and
// what all of them are in the text form.
func explainCases(t *testing.T) map[string]struct {
	table Table
	words []string // part, entry: words
	runs  []string
} {
	load := func(m *memory, opt ReadOptions) Table { return mustLoad(t, m, opt) }
	return map[string]struct {
		table Table
		words []string
		runs  []string
	}{
		"padding": {
			load((&memory{}).with("embeddings.position_embeddings.weight", 66, 4).zeroRow(1), ReadOptions{}),
			[]string{"row 0: before the padding row: no position has it", "row 1: padding, exactly zero", "row 17: position 15"},
			[]string{"row 0: before the padding row: no position has it", "row 1: padding, exactly zero", "rows 2..65: positions 0..63"},
		},
		"reserved without a name, in front and behind": {
			load((&memory{}).with("wpe.weight", 8, 4), ReadOptions{Reserved: ptr(2), Suffix: ptr(1)}),
			[]string{"row 1: in front of the positions, which no position has", "row 2: position 0"},
			[]string{"rows 0..1: in front of the positions, which no position has", "rows 2..6: positions 0..4", "row 7: behind the positions, which no position has"},
		},
		"a part of the positions": {
			load((&memory{}).with("wpe.weight", 8, 4), ReadOptions{Positions: &Range{2, 4}}),
			[]string{"row 1: position 1, not read here", "row 3: position 3", "row 7: position 7, not read here"},
			[]string{"rows 0..1: positions 0..1, not read here", "rows 2..3: positions 2..3", "rows 4..7: positions 4..7, not read here"},
		},
		"a stride": {
			load((&memory{}).with("wpe.weight", 12, 4), ReadOptions{Positions: &Range{1, End}, Stride: 3, Reserved: ptr(1)}),
			[]string{"row 0: in front of the positions, which no position has", "row 2: position 1", "row 3: position 2, not read here"},
			[]string{"row 0: in front of the positions, which no position has", "row 1: position 0, not read here", "rows 2..11: positions 1..10, of which every 3rd from 1 on is read here"},
		},
		"positions that the file says": {
			load((&memory{}).with("table", 4, 4).saying("poslens.kind", "absolute").saying("poslens.positions", "4:5"), ReadOptions{}),
			[]string{"row 0: position 4", "row 3: position 19"},
			[]string{"rows 0..3: positions 4..19, every 5th"},
		},
		"a grid": {
			load((&memory{}).with("pos_embed", 1, 197, 4), ReadOptions{}),
			[]string{"row 0: class token", "row 16: position 15: row 1, column 1 of the 14 x 14 grid (counted from 0)"},
			[]string{"row 0: class token", "rows 1..196: positions 0..195: the 14 x 14 grid, row by row"},
		},
		"frames": {
			positionTable(12, 1, 2, Grid{2, 3}, Stored{Tensor: "p", Unit: "row", Count: 13, Axis: WholeTable, At: order(1, 1, 12), Other: map[int]string{0: "class token"}}),
			[]string{"row 12: position 11: frame 1, row 1, column 2 of the 2 x 3 grid (counted from 0)"},
			[]string{"row 0: class token", "rows 1..12: positions 0..11: 2 frames of the 2 x 3 grid, each row by row"},
		},
		"rows and columns of a grid": {
			positionTable(6, 0, 1, Grid{2, 3}, Stored{Tensor: "row_embed", Unit: "row", Count: 4, Axis: 0, At: order(0, 1, 2)}, Stored{Tensor: "col_embed", Unit: "row", Count: 3, Axis: 1, At: order(0, 1, 3)}),
			[]string{"row 1: row 1 of the 2 x 3 grid, with every column (counted from 0)"},
			[]string{"rows 0..1: rows 0..1 of the 2 x 3 grid, with every column (counted from 0)", "rows 2..3: used by no position that is read",
				"rows 0..2: columns 0..2 of the 2 x 3 grid, with every row (counted from 0)"},
		},
		"frames and cells apart": {
			positionTable(12, 0, 2, Grid{2, 3}, Stored{Tensor: "cells", Unit: "row", Count: 7, Axis: 1, At: order(1, 1, 6), Other: map[int]string{0: "class token"}}, Stored{Tensor: "time", Unit: "row", Count: 2, Axis: 0, At: order(0, 1, 2)}),
			[]string{"row 5: row 1, column 1 of the 2 x 3 grid, with every frame (counted from 0)"},
			[]string{"row 0: class token", "rows 1..3: row 0, columns 0..2 of the 2 x 3 grid, with every frame (counted from 0)", "rows 4..6: row 1, columns 0..2 of the 2 x 3 grid, with every frame (counted from 0)",
				"rows 0..1: frames 0..1 of the 2 x 3 grid, with every row and every column (counted from 0)"},
		},
		"blocks of a line": {
			positionTable(6, 0, 1, Grid{}, Stored{Tensor: "w0", Unit: "row", Count: 2, Axis: 0, At: order(0, 1, 2)}, Stored{Tensor: "w1", Unit: "row", Count: 3, Axis: 1, At: order(0, 1, 3)}),
			[]string{"row 1: positions 3..5"},
			[]string{"row 0: positions 0..2", "row 1: positions 3..5", "row 0: position 0 and every 3rd after it", "row 1: position 1 and every 3rd after it", "row 2: position 2 and every 3rd after it"},
		},
		"a tile that is repeated": {
			positionTable(16, 0, 1, Grid{4, 4}, Stored{Tensor: "tile", Unit: "cell", Count: 4, Axis: WholeTable, At: []int{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}}),
			[]string{"cell 1: positions 1, 3, 9, 11"},
			[]string{"cell 0: positions 0, 2, 8, 10", "cell 1: positions 1, 3, 9, 11", "cell 2: positions 4, 6, 12, 14", "cell 3: positions 5, 7, 13, 15"},
		},
		"Shaw": {
			load((&memory{}).with("layer_3/self_attention/relative_positions_keys/embeddings", 129, 4), ReadOptions{}),
			[]string{"row 0: offset -64, and all farther back (clipped)", "row 61: offset -3 (3 back)", "row 128: offset 64, and all farther ahead (clipped)"},
			[]string{"row 0: offset -64, and all farther back (clipped)", "rows 1..127: offsets -63..63", "row 128: offset 64, and all farther ahead (clipped)"},
		},
		"query - key": {
			load((&memory{}).with("bert.encoder.layer.3.attention.self.distance_embedding.weight", 9, 4), ReadOptions{}),
			[]string{"row 0: offset 4 (4 ahead; the file counts query - key: -4)", "row 4: offset 0 (the query itself)"},
			[]string{"rows 0..8: offsets 4..-4 (the file counts query - key: -4..4)"},
		},
		"query - key, clipped": {
			load((&memory{}).with("speecht5.encoder.wrapped_encoder.embed_positions.pe_k.weight", 8, 4), ReadOptions{}),
			[]string{"row 0: offset 4, and all farther ahead (clipped; the file counts query - key: -4 and below)", "row 7: offset -3, and all farther back (clipped; the file counts query - key: 3 and above)"},
			[]string{"row 0: offset 4, and all farther ahead (clipped; the file counts query - key: -4 and below)", "rows 1..6: offsets 3..-2 (the file counts query - key: -3..2)",
				"row 7: offset -3, and all farther back (clipped; the file counts query - key: 3 and above)"},
		},
		"looking back alone": {
			load((&memory{}).with("layer_3/key_relative_embeddings", 5, 4), ReadOptions{}),
			[]string{"row 4: offset 0 (the query itself)"},
			[]string{"rows 0..4: offsets -4..0"},
		},
		"an unused row": {
			load((&memory{}).with("deberta.encoder.rel_embeddings.weight", 8, 4), ReadOptions{}),
			[]string{"row 0: used by no offset: keeps its initial values", "row 1: offset 3 (3 ahead; the file counts query - key: -3)"},
			[]string{"row 0: used by no offset: keeps its initial values", "rows 1..7: offsets 3..-3 (the file counts query - key: -3..3)"},
		},
		"log buckets": { // ceil(ln(n/128) / ln(511/128) 127) + 128 is 192 for n of 255 to 257, and 255 from 506 on
			load((&memory{}).with("deberta.encoder.rel_embeddings.weight", 512, 4), ReadOptions{}),
			[]string{"row 448: offsets -257..-255 (255 to 257 back; the file counts query - key: 255..257)", "row 511: offsets -511..-506 (506 to 511 back; the file counts query - key: 506..511)"},
			nil,
		},
		"Swin": {
			load((&memory{}).with("layers.0.blocks.0.attn.relative_position_bias_table", 169, 2), ReadOptions{}),
			[]string{"row 0: dy=+6, dx=+6 (the file counts query - key: dy=-6, dx=-6); shared by 1 pair of cells of the 7 x 7 window",
				"row 84: dy=0, dx=0; shared by 49 pairs of cells of the 7 x 7 window",
				"row 125: dy=-3, dx=-2 (the file counts query - key: dy=+3, dx=+2); shared by 20 pairs of cells of the 7 x 7 window"},
			nil,
		},
		"BEiT": {
			load((&memory{}).with("blocks.3.attn.relative_position_bias_table", 12, 2), ReadOptions{}),
			[]string{"row 9: from the class token to a patch", "row 10: from a patch to the class token", "row 11: from the class token to itself"},
			[]string{"rows 0..2: dy=+1, dx=+1..-1 (the file counts query - key: dy=-1, dx=-1..+1)", "rows 3..5: dy=0, dx=+1..-1 (the file counts query - key: dy=0, dx=-1..+1)",
				"rows 6..8: dy=-1, dx=+1..-1 (the file counts query - key: dy=+1, dx=-1..+1)",
				"row 9: from the class token to a patch", "row 10: from a patch to the class token", "row 11: from the class token to itself"},
		},
		"MaxViT": {
			load((&memory{}).with("stages.0.blocks.3.attn_block.attn.rel_pos.relative_position_bias_table", 2, 3, 3), ReadOptions{}),
			[]string{"cell 1: dy=-1, dx=0; shared by 2 pairs of cells of the 2 x 2 window"},
			[]string{"cells 0..2: dy=-1, dx=-1..+1", "cells 3..5: dy=0, dx=-1..+1", "cells 6..8: dy=+1, dx=-1..+1"},
		},
		"LeViT": {
			load((&memory{}).with("blocks.0.attention_biases", 2, 16), ReadOptions{}),
			[]string{"column 6: the four offsets (±1, ±2)", "column 2: the two offsets (0, ±2)", "column 4: the two offsets (±1, 0)", "column 0: dy=0, dx=0; shared by 16 pairs of cells of the 4 x 4 window"},
			[]string{"columns 0..3: the offsets (0, 0..±3), to both sides of each axis", "columns 4..7: the offsets (±1, 0..±3), to both sides of each axis",
				"columns 8..11: the offsets (±2, 0..±3), to both sides of each axis", "columns 12..15: the offsets (±3, 0..±3), to both sides of each axis"},
		},
		"one axis at a time": {
			offsetTable([]Axis{{"dy", -2, 2, BeyondNone}, {"dx", -1, 1, BeyondNone}},
				Stored{Tensor: "rel_pos_h", Unit: "row", Count: 5, Axis: 0, At: order(4, -1, 5), Turned: true}, Stored{Tensor: "rel_pos_w", Unit: "row", Count: 3, Axis: 1, At: order(2, -1, 3), Turned: true}),
			[]string{"row 4: dy=-2, with every dx (the file counts query - key: dy=+2)"},
			[]string{"rows 0..4: dy=+2..-2, with every dx (the file counts query - key: dy=-2..+2)", "rows 0..2: dx=+1..-1, with every dy (the file counts query - key: dx=-1..+1)"},
		},
		"two axes, clipped": {
			offsetTable([]Axis{{"dy", -1, 1, BeyondClipped}, {"dx", -1, 1, BeyondClipped}}, Stored{Tensor: "b", Unit: "row", Count: 9, Axis: WholeTable, At: order(0, 1, 9)}),
			[]string{"row 0: dy=-1 and beyond, dx=-1 and beyond", "row 4: dy=0, dx=0", "row 5: dy=0, dx=+1 and beyond"},
			nil,
		},
		"two axes, in blocks": {
			offsetTable([]Axis{{"dy", -1, 2, BeyondNone}, {"dx", 0, 1, BeyondNone}}, Stored{Tensor: "b", Unit: "bucket", Count: 3, Axis: WholeTable, At: []int{0, 1, 1, 1, 1, 1, 2, 2}}),
			[]string{"bucket 0: dy=-1, dx=0", "bucket 1: several offsets that are no block of dy and dx", "bucket 2: dy=+2, dx=0..+1"},
			nil,
		},
		"taps": {
			offsetTable([]Axis{{"offset", -4, 3, BeyondZero}}, Stored{Tensor: "conv", Unit: "tap", Count: 8, Axis: WholeTable, At: order(0, 1, 8)}),
			[]string{"tap 4: offset 0 (the query itself)"},
			[]string{"taps 0..7: offsets -4..3"},
		},
		"one row for all": {
			offsetTable([]Axis{{"offset", -1, 1, BeyondClipped}}, Stored{Tensor: "b", Unit: "row", Count: 3, Axis: WholeTable, At: []int{0, 0, 0}}),
			[]string{"row 0: every offset"},
			[]string{"row 0: every offset", "rows 1..2: used by no offset: they keep their initial values"},
		},
		"many parts": {
			offsetTable([]Axis{{"offset", 0, 17, BeyondNone}}, Stored{Tensor: "b", Unit: "row", Count: 2, Axis: WholeTable, At: []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0}}),
			[]string{"row 0: offsets 0, 2, 4, 6, 8, 10 and 4 more", "row 1: offsets 1, 3, 5, 7, 9, 11 and 2 more"},
			nil,
		},
		"distances": {
			offsetTable([]Axis{{"offset", -3, 3, BeyondClipped}}, Stored{Tensor: "d", Unit: "row", Count: 4, Axis: WholeTable, At: []int{3, 2, 1, 0, 1, 2, 3}}),
			[]string{"row 1: offsets -1, 1", "row 3: offsets ..-3, 3.."},
			[]string{"rows 0..2: the offsets 0..±2, to both sides", "row 3: offsets ..-3, 3.."},
		},
	}
}

// Each kind of table, an entry at a time and in runs.
func TestExplainKinds(t *testing.T) {
	for name, c := range explainCases(t) {
		e := Explain(c.table)
		var have, runs []string
		for k := range e.Parts() {
			n := e.Stored(k).Count
			for i := range n {
				have = append(have, explained(e, k, i))
			}
			next := 0
			for _, m := range e.Runs(k, 0, n) {
				if m.Row != next || m.Last < m.Row {
					t.Errorf("%s: a run of %d..%d where %d is next", name, m.Row, m.Last, next)
				}
				next = m.Last + 1
				runs = append(runs, m.Label()+": "+e.Words(m))
			}
			if next != n {
				t.Errorf("%s: runs of %d of %d entries", name, next, n)
			}
		}
		for _, w := range c.words {
			if !slices.Contains(have, w) {
				t.Errorf("%s: no %q in\n%s", name, w, strings.Join(have, "\n"))
			}
		}
		if c.runs != nil && !slices.Equal(runs, c.runs) {
			t.Errorf("%s: runs\n%s\nwant\n%s", name, strings.Join(runs, "\n"), strings.Join(c.runs, "\n"))
		}
	}
}

// Looking an offset or a position up gives the entry that is its, in every table;
// and what that entry is said to cover holds it.
func TestExplainBothWays(t *testing.T) {
	holds := func(a Along, v int) bool {
		return a.Spans == nil || slices.ContainsFunc(a.Spans, func(s Span) bool { return s.From <= v && v <= s.To })
	}
	for name, c := range explainCases(t) {
		e := Explain(c.table)
		check := func(asked []int, places []Place, err error, want func(s Stored) int, at []int) {
			if err != nil || len(places) != e.Parts() {
				t.Fatalf("%s: %v: %v, %v", name, asked, places, err)
			}
			for k, p := range places {
				if p.Row != want(e.Stored(k)) || !p.Read {
					t.Errorf("%s: %v: entry %d of %s, want %d", name, asked, p.Row, p.Tensor, want(e.Stored(k)))
				}
				for i, v := range at {
					if !holds(p.Where[i], v) {
						t.Errorf("%s: %v: entry %d covers %v", name, asked, p.Row, p.Where)
					}
				}
			}
		}
		if a, ok := c.table.(*Absolute); ok {
			for i, p := range a.Positions() {
				places, err := e.FindPosition(p)
				want := func(s Stored) int {
					if s.Axis == WholeTable {
						return s.At[i]
					}
					inner := len(e.Stored(slices.IndexFunc(a.Stored, func(s Stored) bool { return s.Axis == 1 })).At)
					return s.At[[]int{i / inner, i % inner}[s.Axis]]
				}
				check([]int{p}, places, err, want, []int{p})
				if g := a.Grid; g != (Grid{}) {
					cell := []int{i / g.Cols % g.Rows, i % g.Cols}
					if a.Frames > 1 {
						cell = append([]int{i / g.Cols / g.Rows}, cell...)
					}
					places, err := e.FindPosition(cell...)
					check(cell, places, err, want, append([]int{p}, cell...))
				}
			}
			continue
		}
		axes := e.axes
		for i := range axes[0].Len() {
			if len(axes) == 1 {
				k := axes[0].Min + i
				places, err := e.FindOffset(k)
				check([]int{k}, places, err, func(s Stored) int { return s.At[i] }, []int{k})
				continue
			}
			for j := range axes[1].Len() {
				k := []int{axes[0].Min + i, axes[1].Min + j}
				places, err := e.FindOffset(k...)
				check(k, places, err, func(s Stored) int {
					return s.At[map[int]int{WholeTable: i*axes[1].Len() + j, 0: i, 1: j}[s.Axis]]
				}, k)
			}
		}
	}
}

// What is asked for the other way, in words: beyond the ends, shared, left out.
func TestExplainPlaces(t *testing.T) {
	cases := explainCases(t)
	t5 := mustLoad(t, (&memory{}).with("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 2), ReadOptions{})
	vits := mustLoad(t, (&memory{}).with("enc_p.encoder.attn_layers.3.emb_rel_k", 1, 9, 4), ReadOptions{})
	for _, c := range []struct {
		table    Table
		relative bool
		asked    []int
		want     []string
	}{
		{t5, true, []int{-200}, []string{"offset -200: bucket 15, shared with all offsets from -91 back"}},
		{t5, true, []int{200}, []string{"offset 200: bucket 31, shared with all offsets from 91 ahead"}},
		{t5, true, []int{-20}, []string{"offset -20: bucket 10, shared with the offsets -22..-16"}},
		{t5, true, []int{3}, []string{"offset 3: bucket 19"}},
		{cases["Shaw"].table, true, []int{-1000}, []string{"offset -1000: row 0, shared with all offsets from -64 back"}},
		{cases["one row for all"].table, true, []int{7}, []string{"offset 7: row 0, shared with every offset"}},
		{vits, true, []int{5}, []string{"offset 5: no row: the offsets are -4..4, and nothing is added beyond"}},
		{cases["query - key"].table, true, []int{-5}, []string{"offset -5: no row: the offsets are -4..4, and none farther occurs"}},
		{cases["distances"].table, true, []int{1}, []string{"offset 1: row 1, shared with the offsets -1, 1"}},
		{cases["LeViT"].table, true, []int{-1, 2}, []string{"dy=-1, dx=+2: column 6, shared with the four offsets (±1, ±2)"}},
		{cases["Swin"].table, true, []int{-3, 7}, []string{"dy=-3, dx=+7: no row: the offsets dx are -6..6, and none farther occurs"}},
		{cases["one axis at a time"].table, true, []int{-2, 1}, []string{"dy=-2, dx=+1: row 4 of rel_pos_h, shared with every dx", "dy=-2, dx=+1: row 0 of rel_pos_w, shared with every dy"}},
		{cases["two axes, clipped"].table, true, []int{0, 9}, []string{"dy=0, dx=+9: row 5, shared with dy=0, dx=+1 and beyond"}},
		{cases["padding"].table, false, []int{15}, []string{"position 15: row 17"}},
		{cases["padding"].table, false, []int{64}, []string{"position 64: no row: the positions are 0..63"}},
		{cases["reserved without a name, in front and behind"].table, false, []int{5}, []string{"position 5: no row: the positions are 0..4"}},
		{cases["a part of the positions"].table, false, []int{6}, []string{"position 6: row 6, not read here"}},
		{cases["a stride"].table, false, []int{2}, []string{"position 2: row 3, not read here"}},
		{cases["positions that the file says"].table, false, []int{9}, []string{"position 9: row 1"}},
		{cases["positions that the file says"].table, false, []int{5}, []string{"position 5: no row: the positions are 4..19, every 5th"}},
		{cases["a grid"].table, false, []int{1, 1}, []string{"row 1, column 1 of the 14 x 14 grid: row 16 of pos_embed"}},
		{cases["a grid"].table, false, []int{1, 14}, []string{"row 1, column 14 of the 14 x 14 grid: no row: the grid has columns 0..13"}},
		{cases["frames"].table, false, []int{1, 0, 2}, []string{"frame 1, row 0, column 2 of the 2 x 3 grid: row 9 of p"}},
		{cases["rows and columns of a grid"].table, false, []int{4}, []string{"position 4: row 1 of row_embed, shared with every column", "position 4: row 1 of col_embed, shared with every row"}},
		{cases["blocks of a line"].table, false, []int{4}, []string{"position 4: row 1 of w0, shared with positions 3..5", "position 4: row 1 of w1, shared with position 1 and every 3rd after it"}},
		{cases["a tile that is repeated"].table, false, []int{9}, []string{"position 9: cell 1 of tile, shared with positions 1, 3, 9, 11"}},
	} {
		e := Explain(c.table)
		find := e.FindPosition
		if c.relative {
			find = e.FindOffset
		}
		places, err := find(c.asked...)
		var got []string
		for _, p := range places {
			got = append(got, e.PlaceWords(p))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, %v, want %q", c.asked, got, err, c.want)
		}
	}
}

// A question that a table can't answer says what it takes.
func TestExplainRefuses(t *testing.T) {
	cases := explainCases(t)
	_, err := Explain(cases["padding"].table).FindOffset(3)
	wantFault(t, err, WrongKind, "the table is absolute", "--position P")
	_, err = Explain(cases["Swin"].table).FindPosition(3)
	wantFault(t, err, WrongKind, "the table is relative", "--offset DY,DX")
	_, err = Explain(cases["Swin"].table).FindOffset(3)
	wantFault(t, err, BadOption, "two axes", "--offset DY,DX")
	_, err = Explain(cases["Shaw"].table).FindOffset(3, 1)
	wantFault(t, err, BadOption, "one axis")
	_, err = Explain(cases["padding"].table).FindPosition(1, 1)
	wantFault(t, err, BadOption, "in a line", "--grid HxW")
	_, err = Explain(cases["a grid"].table).FindPosition(1, 1, 1)
	wantFault(t, err, BadOption, "on a grid", "--position ROW,COLUMN")
	_, err = Explain(cases["frames"].table).FindPosition(1, 1)
	wantFault(t, err, BadOption, "several frames", "--position FRAME,ROW,COLUMN")
}

// A computed table has no row for an offset, and says how it is computed.
func TestExplainComputed(t *testing.T) {
	m := (&memory{}).with("gau_layers.1.positional_encoding.a", 8).with("gau_layers.1.positional_encoding.b", 8)
	e := Explain(mustLoad(t, m, ReadOptions{}))
	want := "no single row holds an offset: computed from the rotary vectors a and b for the offsets -7..7 of key - query"
	if got := e.Words(e.Computed()); e.Parts() != 0 || got != want {
		t.Errorf("%d parts, %q, want %q", e.Parts(), got, want)
	}
	if places, err := e.FindOffset(3); err != nil || len(places) != 1 || places[0].Row != -1 || e.PlaceWords(places[0]) != "offset 3: "+want {
		t.Errorf("%+v, %v", places, err)
	}
	// The formula goes on beyond what is computed.
	if places, err := e.FindOffset(-9); err != nil || e.PlaceWords(places[0]) != "offset -9: the offsets computed here are -7..7" {
		t.Errorf("%+v, %v", places, err)
	}
}

// Storage that contradicts its table is never a panic.
func TestExplainHostile(t *testing.T) {
	for _, axis := range []int{WholeTable, 0, 1} {
		for _, at := range [][]int{nil, {-1}, {5, 0, 9, 1 << 62}, order(0, 0, 40), {2, 1, 0, 0, 1, 2}} {
			s := Stored{Tensor: "x", Unit: "row", Count: 3, Axis: axis, At: at, Turned: true}
			for _, table := range []Table{
				offsetTable([]Axis{{"offset", -2, 3, BeyondClipped}}, s), offsetTable([]Axis{{"dy", -1, 1, BeyondNone}, {"dx", 0, 1, BeyondClipped}}, s),
				offsetTable([]Axis{{"dy", 0, 0, BeyondNone}, {"dx", 0, 0, BeyondNone}}, s, s),
				positionTable(6, 0, 1, Grid{2, 3}, s), positionTable(6, 2, 1, Grid{}, s, s), positionTable(6, 0, 3, Grid{2, 1}, s), positionTable(1, 0, 0, Grid{1, 1}, s),
			} {
				e := Explain(table)
				for k := range e.Parts() {
					for _, m := range append(e.Runs(k, -3, 100), e.Entry(k, 2)) {
						e.Words(m)
					}
				}
				for i := -3; i < 8; i++ {
					for _, asked := range [][]int{{i}, {i, 0}, {0, i}, {0, 0, i}} {
						for _, find := range []func(...int) ([]Place, error){e.FindOffset, e.FindPosition} {
							places, _ := find(asked...)
							for _, p := range places {
								e.PlaceWords(p)
							}
						}
					}
				}
			}
		}
	}
}

// A million rows are one run, and a million offsets of one bucket one span.
func TestExplainLarge(t *testing.T) {
	const n = 1 << 20
	e := Explain(positionTable(n, 0, 1, Grid{}, Stored{Tensor: "p", Unit: "row", Count: n, Axis: WholeTable, At: order(0, 1, n)}))
	if runs := e.Runs(0, 0, n); len(runs) != 1 || e.Words(runs[0]) != "positions 0..1048575" {
		t.Errorf("%d runs", len(runs))
	}
	e = Explain(offsetTable([]Axis{{"offset", 0, n - 1, BeyondNone}}, Stored{Tensor: "b", Unit: "bucket", Count: 2, Axis: WholeTable, At: order(1, 0, n)}))
	if got := explained(e, 0, 1); got != "bucket 1: offsets 0..1048575" {
		t.Error(got)
	}
}

// Spans as text and as JSON.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		s          Span
		text, json string
	}{
		{Span{7, 7}, "7", "[7,7]"}, {Span{-22, -16}, "-22..-16", "[-22,-16]"}, {Span{NoStart, -91}, "..-91", "[null,-91]"},
		{Span{91, End}, "91..", "[91,null]"}, {Span{NoStart, End}, "..", "[null,null]"},
	} {
		if b, err := c.s.MarshalJSON(); c.s.String() != c.text || string(b) != c.json || err != nil {
			t.Errorf("%q, %s, %v, want %q, %s", c.s, b, err, c.text, c.json)
		}
	}
}
