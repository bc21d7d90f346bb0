package posemb

import (
	"fmt"
	"slices"
	"testing"
)

// The stored rows that the tokens of a 2 x 2 window look up, as they stand in
// microsoft/Swin-Transformer's relative_position_index.
func TestSwinIndex(t *testing.T) {
	for _, name := range []string{
		"layers.0.blocks.0.attn.relative_position_bias_table", "backbone.stages.0.blocks.0.attn.w_msa.relative_position_bias_table",
		"swin.encoder.layers.0.blocks.0.attention.self.relative_position_bias_table", "layers.0.blocks.0.attn.rel_pos_embed_table",
	} {
		b := mustLoad(t, (&memory{}).with(name, 9, 1), ReadOptions{}).(*Bias)
		var index [][]int
		for q := range 4 {
			var row []int
			for k := range 4 {
				dy, dx := k/2-q/2, k%2-q%2
				row = append(row, b.Stored[0].At[(dy+1)*3+dx+1])
			}
			index = append(index, row)
		}
		if got := fmt.Sprint(index); b.Arch != "Swin" || got != "[[4 3 1 0] [5 4 2 1] [7 6 4 3] [8 7 5 4]]" {
			t.Errorf("%s (%s): %s", name, b.Arch, got)
		}
	}
}

// A window of h x w that is no square: row (dy+h-1)(2w-1) + dx+w-1 with query - key.
func TestWindowNoSquare(t *testing.T) {
	const h, w, heads = 2, 4, 3
	for _, c := range []struct {
		sign string
		by   int
	}{{"", -1}, {QueryKey, -1}, {KeyQuery, 1}} {
		for _, extra := range []int{0, 3} {
			m := (&memory{}).with("attn.relative_position_bias_table", (2*h-1)*(2*w-1)+extra, heads)
			b := mustLoad(t, m, ReadOptions{Grid: &Grid{h, w}, Sign: c.sign}).(*Bias)
			if got := fmt.Sprint(b.Axes); got != "[{dy -1 1 none} {dx -3 3 none}]" {
				t.Fatal(got)
			}
			for dy := 1 - h; dy < h; dy++ {
				for dx := 1 - w; dx < w; dx++ {
					row := (c.by*dy+h-1)*(2*w-1) + c.by*dx + w - 1
					i := (dy+h-1)*(2*w-1) + dx + w - 1
					if got := b.Scores.At(i, 2); got != float64(row*heads+3) || b.Stored[0].At[i] != row {
						t.Errorf("(%d, %d) by %q: %v of row %d, want row %d", dy, dx, c.sign, got, b.Stored[0].At[i], row)
					}
				}
			}
			if len(b.Stored[0].Other) != extra || b.Stored[0].Count != 21+extra {
				t.Errorf("stored %+v", b.Stored[0])
			}
		}
	}
}

// The sign turns MaxViT's maps of heads as well.
func TestHeadMapsSign(t *testing.T) {
	m := (&memory{}).with("attn.rel_pos.relative_position_bias_table", 2, 3, 5)
	a, b := mustLoad(t, m, ReadOptions{}).(*Bias), mustLoad(t, m, ReadOptions{Sign: QueryKey}).(*Bias)
	for i := range 15 {
		if a.Scores.At(i, 1) != float64(15+i+1) || b.Scores.At(14-i, 1) != a.Scores.At(i, 1) || a.Stored[0].At[i] != i || b.Stored[0].At[i] != 14-i {
			t.Errorf("cell %d: %v, turned %v", i, a.Scores.At(i, 1), b.Scores.At(14-i, 1))
		}
	}
	if !slices.Equal(a.Axes, b.Axes) || a.Stored[0].Turned || !b.Stored[0].Turned {
		t.Errorf("%+v and %+v", a.Stored, b.Stored)
	}
}

// NGswin has a window of 2 x 2 for its n-grams beside the usual one.
func TestTwoWindowsInOneFile(t *testing.T) {
	const block = "encoder_layer1.blocks.0."
	m := (&memory{}).with(block+"attn.relative_position_bias_table", 225, 6).with(block+"ngram_window_partition.ngram_context.ngram_attn.relative_position_bias_table", 9, 6)
	want := []string{"15 x 15 offsets", "225 rows are a window of 8 x 8", "3 x 3 offsets", "9 rows are a window of 2 x 2"}
	var got []string
	for _, match := range Detect(m) {
		table, err := Load(t.Context(), m, match, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, axesText(table.(*Bias).Axes))
		if next := want[len(got)]; told(table.Remarks(), next) {
			got = append(got, next)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A bias of a window whose file has heads in front, with 3 rows for a class token or
// none: whatever the number of heads, it is the window's.
func TestWindowHeadsFirst(t *testing.T) {
	const name = "layers.0.blocks.0.attn.relative_position_bias_table"
	for _, heads := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48} {
		for _, side := range []int{2, 5, 7, 8, 12, 14, 16, 24} {
			for _, extra := range []int{0, 3} {
				if side == 2 && (extra > 0 || heads > 1) { // 9 offsets and some heads may be either
					continue
				}
				span := 2*side - 1
				rows := span*span + extra
				want := map[int]string{0: "Swin", 3: "BEiT"}[extra]
				for _, opt := range []ReadOptions{{}, {Axes: []string{"heads", "offsets"}}, {Grid: &Grid{side, side}}} {
					b := mustLoad(t, (&memory{}).with(name, heads, rows), opt).(*Bias)
					if b.Arch != want || b.Axes[0].Max != side-1 || b.Axes[1].Max != side-1 || len(b.Heads) != heads {
						t.Errorf("%d x %d, %+v: %s, %v, %d heads", heads, rows, opt, b.Arch, b.Axes, len(b.Heads))
						continue
					}
					// The query at (1, 0) and the key at (0, 1): query - key is (1, -1).
					at := side*span + side - 2
					if got := b.Scores.At((side-2)*span+side, heads-1); got != float64((heads-1)*rows+at+1) {
						t.Errorf("%d x %d, %+v: %v, want entry %d of the last head", heads, rows, opt, got, at)
					}
					if s := b.Stored[0]; s.Unit != "column" || s.Count != rows || s.At[(side-2)*span+side] != at || len(s.Other) != extra {
						t.Errorf("%d x %d, %+v: stored as %d %ss", heads, rows, opt, s.Count, s.Unit)
					}
				}
				b := mustLoad(t, (&memory{}).with(name, rows, heads), ReadOptions{Axes: []string{"offsets", "heads"}}).(*Bias)
				if b.Arch != want || b.Stored[0].Unit != "row" || b.Scores.At((side-2)*span+side, 0) != float64((side*span+side-2)*heads+1) {
					t.Errorf("%d x %d: %s by %s", rows, heads, b.Arch, b.Stored[0].Unit)
				}
			}
		}
	}
	for _, c := range []struct {
		rows, cols int
		opt        ReadOptions
		note       string
	}{
		{4, 169, ReadOptions{}, "4 x 169 is read as heads x offsets, the reverse of what Swin stores: 4 are no offsets of a square window; --axes offsets,heads keeps it as it is"},
		{6, 21, ReadOptions{Grid: &Grid{2, 4}}, "6 are no offsets of a window of 2 x 4"},
		{25, 169, ReadOptions{}, "25 x 169 fits both ways and is read as offsets x heads, as Swin stores it; --axes heads,offsets turns it"},
	} {
		if b := mustLoad(t, (&memory{}).with(name, c.rows, c.cols), c.opt).(*Bias); !told(b.Notes, c.note) {
			t.Errorf("%d x %d: notes %q, want %q", c.rows, c.cols, b.Notes, c.note)
		}
	}
	_, err := loadOnly(t, (&memory{}).with(name, 6, 4), ReadOptions{})
	wantFault(t, err, NotATable, "3 rows are no (2h-1)(2w-1) offsets of a window", "--axes heads,offsets")
	if b := mustLoad(t, (&memory{}).with(name, 1, 4), ReadOptions{}).(*Bias); b.Arch != "Swin" || !told(b.Notes, "1 row is a window of 1 x 1; it runs by query - key and is turned") {
		t.Errorf("a window of one cell: %s, notes %q", b.Arch, b.Notes)
	}
}

// A window of three dimensions is no error of the user's, and no window of two.
func TestWindowOfThreeDimensions(t *testing.T) {
	for rows, want := range map[int]string{15 * 13 * 13: "(8 x 7 x 7, as in Video Swin", 13 * 13 * 13: "(7 x 7 x 7, as in Video Swin"} {
		_, err := loadOnly(t, (&memory{}).with("layers.0.blocks.0.attn.relative_position_bias_table", rows, 2), ReadOptions{})
		wantFault(t, err, Ambiguous, "--grid HxW", want)
	}
	_, err := loadOnly(t, (&memory{}).with("layers.0.blocks.0.attn.relative_position_bias_table", 15*29, 2), ReadOptions{})
	wantFault(t, err, Ambiguous, "8 x 15")
	if d, s := boxOf(15 * 29); d != 0 || s != 0 {
		t.Errorf("%d x %d x %d", d, s, s)
	}
}
