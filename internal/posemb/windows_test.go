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
