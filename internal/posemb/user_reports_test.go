package posemb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/tensor"
)

// What users of other tools tripped over when they drew position embeddings: a
// subtest a public thread, named after its symptom.

func TestUsersDrawing(t *testing.T) {
	vit := func() *memory {
		return (&memory{}).with("pos_embed", 1, 197, 4).with("cls_token", 1, 1, 4).with("head.weight", 1000, 4)
	}
	t.Run("tiles shifted by one: the class token is in front, not behind (vision_transformer#55)", func(t *testing.T) {
		a := mustLoad(t, vit(), ReadOptions{}).(*Absolute)
		s := a.Stored[0]
		if s.At[0] != 1 || s.At[195] != 196 || s.Other[0] != "class token" || !told(a.Notes, "class token in row 0, then a 14 x 14 grid") {
			t.Errorf("cell 0 is row %d, the last row %d, row 0 is %q, notes %q", s.At[0], s.At[195], s.Other[0], a.Notes)
		}
		// A cell is most like itself: with the last patch dropped in place of the class
		// token every tile's brightest cell would be one off.
		table := mat.NewDense(197, 16, nil)
		for i := range 197 {
			for j := range 16 {
				table.Set(i, j, math.Sin(float64((i+1)*(j+3)*(j+5))))
			}
		}
		a = mustLoad(t, (&memory{}).holding("pos_embed", table.RawMatrix().Data, 1, 197, 16), ReadOptions{}).(*Absolute)
		for p := range 196 {
			best, at := math.Inf(-1), 0
			for q := range 197 {
				if v := cosine(a.Table.RawRowView(p), table.RawRowView(q)); v > best {
					best, at = v, q
				}
			}
			if at != p+1 {
				t.Fatalf("cell (%d, %d) is most like row %d, want %d", p/14, p%14, at, p+1)
			}
		}
	})
	t.Run("why 7 x 7 here and 14 x 14 there: the patch size makes the grid (vision_transformer#138)", func(t *testing.T) {
		for rows, side := range map[int]int{50: 7, 197: 14, 257: 16, 1370: 37} { // 224/32, 224/16, 224/14, 518/14
			a := mustLoad(t, (&memory{}).with("pos_embed", 1, rows, 4), ReadOptions{}).(*Absolute)
			if a.Grid != (Grid{side, side}) || !told(a.Notes, fmt.Sprintf("%d x %d grid", side, side)) {
				t.Errorf("%d rows: %v, notes %q", rows, a.Grid, a.Notes)
			}
		}
	})
	t.Run("a table of one's own with a grid of one's own (PETR#168)", func(t *testing.T) {
		a := mustLoad(t, (&memory{}).with("", 1000, 8), ReadOptions{Grid: &Grid{20, 50}}).(*Absolute)
		if a.Grid != (Grid{20, 50}) || a.Reserved != 0 || a.Table.At(51, 0) != 51*8+1 {
			t.Errorf("%v, %d reserved", a.Grid, a.Reserved)
		}
	})
	t.Run("the products of a sinusoid against distance (ConvTran#3)", func(t *testing.T) {
		a, err := Sinusoid(SinusoidOptions{N: 100, D: 64})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 100 { // sum of cos(w k), whatever the position
			want := 0.0
			for i := range 32 {
				want += math.Cos(float64(k) * math.Pow(10000, -float64(i)/32))
			}
			if got := mat.Dot(a.Table.RowView(0), a.Table.RowView(k)); math.Abs(got-want) > 1e-9 {
				t.Errorf("distance %d: %v, want %v", k, got, want)
			}
			if q := 99 - k; math.Abs(mat.Dot(a.Table.RowView(q), a.Table.RowView(99))-want) > 1e-9 {
				t.Errorf("distance %d from the end differs", k)
			}
		}
	})
	const swin = "layers.0.blocks.%d.attn.relative_position_bias_table"
	t.Run("do corners attract attention by their bias? a head has a map of its own (Swin-Transformer#307)", func(t *testing.T) {
		const w, heads = 7, 3
		b := mustLoad(t, (&memory{}).with(fmt.Sprintf(swin, 0), 169, heads), ReadOptions{}).(*Bias)
		if rows, h := b.Scores.Dims(); rows != 169 || h != heads {
			t.Fatalf("%d x %d", rows, h)
		}
		for _, c := range []struct{ qy, qx, ky, kx int }{{6, 6, 0, 0}, {0, 0, 6, 6}, {3, 3, 0, 6}, {0, 6, 6, 0}} {
			at := (c.ky-c.qy+w-1)*(2*w-1) + c.kx - c.qx + w - 1
			row := (c.qy-c.ky+w-1)*(2*w-1) + c.qx - c.kx + w - 1
			for h := range heads {
				if got, want := b.Scores.At(at, h), float64(row*heads+h+1); got != want || b.Stored[0].At[at] != row {
					t.Errorf("query (%d, %d), key (%d, %d), head %d: %v, want %v of row %d", c.qy, c.qx, c.ky, c.kx, h, got, want, row)
				}
			}
		}
	})
	t.Run("why the index matrix is [[4,3,1,0], ...] (Swin-Transformer#281)", func(t *testing.T) {
		b := mustLoad(t, (&memory{}).with(fmt.Sprintf(swin, 0), 9, 2), ReadOptions{}).(*Bias)
		var index [4][4]int
		for q := range 4 {
			for k := range 4 {
				dy, dx := k/2-q/2, k%2-q%2
				index[q][k] = b.Stored[0].At[(dy-b.Axes[0].Min)*b.Axes[1].Len()+dx-b.Axes[1].Min]
			}
		}
		if want := [4][4]int{{4, 3, 1, 0}, {5, 4, 2, 1}, {7, 6, 4, 3}, {8, 7, 5, 4}}; index != want {
			t.Errorf("index %v, want %v", index, want)
		}
		if !b.Stored[0].Turned {
			t.Error("not said to run by query - key")
		}
	})
	t.Run("a window that is not square (Swin-Transformer#139)", func(t *testing.T) {
		m := (&memory{}).with(fmt.Sprintf(swin, 0), 3*5, 2)
		_, err := loadOnly(t, m, ReadOptions{})
		wantFault(t, err, Ambiguous, "2 x 3", "--grid HxW")
		b := mustLoad(t, m, ReadOptions{Grid: &Grid{2, 3}}).(*Bias)
		if got := fmt.Sprint(b.Axes); got != "[{dy -1 1 none} {dx -2 2 none}]" {
			t.Error(got)
		}
		for q := range 6 {
			for k := range 6 {
				dy, dx := k/3-q/3, k%3-q%3
				if got, want := b.Stored[0].At[(dy+1)*5+dx+2], (-dy+1)*5-dx+2; got != want {
					t.Errorf("query %d, key %d: row %d, want %d", q, k, got, want)
				}
			}
		}
	})
	t.Run("are biases shared over heads and blocks? a table a block, a column a head (Swin-Transformer#14)", func(t *testing.T) {
		m := (&memory{}).with(fmt.Sprintf(swin, 0), 169, 3).with(fmt.Sprintf(swin, 1), 169, 3)
		found, err := Choose(m, Choice{Many: true}, ReadOptions{})
		if err != nil || len(found) != 2 || found[0].Layer != 0 || found[1].Layer != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		for _, match := range found {
			table, err := Load(t.Context(), m, match, ReadOptions{})
			if b, ok := table.(*Bias); err != nil || !ok || !slices.Equal(b.Heads, []string{"0", "1", "2"}) || b.Scores.At(0, 0) == b.Scores.At(0, 1) {
				t.Errorf("%v, %v", table, err)
			}
		}
	})
	t.Run("the table is always 0 (coatnet-pytorch#2)", func(t *testing.T) {
		m := (&memory{}).holding(fmt.Sprintf(swin, 0), make([]float64, 169*3), 169, 3)
		if b := mustLoad(t, m, ReadOptions{}).(*Bias); !told(b.Notes, "every value is zero: never trained, or never filled") {
			t.Errorf("notes %q", b.Notes)
		}
	})
	gpt := func() *memory {
		return (&memory{}).with("transformer.wte.weight", 100, 8).with("transformer.wpe.weight", 64, 8).with("transformer.h.0.attn.bias", 1, 1, 64, 64).with("lm_head.weight", 100, 8)
	}
	t.Run("how many columns of wte are positional? none: wpe is a table of its own, of all columns (transformers#7529)", func(t *testing.T) {
		m := gpt()
		a := mustLoad(t, m, ReadOptions{}).(*Absolute)
		if _, d := a.Table.Dims(); a.Tensor != "transformer.wpe.weight" || d != 8 || !slices.Equal(m.read, []string{"transformer.wpe.weight"}) {
			t.Errorf("%s of width %d, read %q", a.Tensor, d, m.read)
		}
	})
	t.Run("where are the positions in GPT-2? (transformers#1458)", func(t *testing.T) {
		found, err := Choose(gpt(), Choice{}, ReadOptions{})
		if err != nil || len(found) != 1 || found[0].Info.Name != "transformer.wpe.weight" || found[0].Arch != "GPT-2" {
			t.Errorf("%+v, %v", found, err)
		}
	})
	t.Run("where are the sines and cosines? is it right to start at random? (nanoGPT#370, bert#58)", func(t *testing.T) {
		s, err := Sinusoid(SinusoidOptions{N: 64, D: 16})
		if err != nil {
			t.Fatal(err)
		}
		random, err := Random(RandomOptions{N: 64, D: 16})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			a    *Absolute
			told bool
		}{{s, true}, {random, false}} {
			m := (&memory{}).holding("wpe.weight", c.a.Table.RawMatrix().Data, 64, 16)
			if a := mustLoad(t, m, ReadOptions{}).(*Absolute); told(a.Notes, "stored, not learned") != c.told {
				t.Errorf("notes %q", a.Notes)
			}
		}
	})
}

// cosine is that of two vectors.
func cosine(a, b []float64) float64 {
	x, y := mat.NewVecDense(len(a), a), mat.NewVecDense(len(b), b)
	return mat.Dot(x, y) / (mat.Norm(x, 2) * mat.Norm(y, 2))
}

func TestUsersReservedRows(t *testing.T) {
	const bert = "embeddings.position_embeddings.weight"
	roberta := func() *memory { return (&memory{}).with("roberta."+bert, 514, 4).zeroRow(1) }
	bart := func(rows int, model string) *memory {
		return (&memory{}).with("model.decoder.embed_positions.weight", rows, 4).saying("model_type", model)
	}
	t.Run("514 rows, row 1 zeros, row 0 random (fairseq#1187)", func(t *testing.T) {
		a := mustLoad(t, roberta(), ReadOptions{}).(*Absolute)
		s := a.Stored[0]
		if !strings.Contains(s.Other[1], "padding") || !strings.Contains(s.Other[0], "no position has it") || !told(a.Notes, "row 1 is exactly zero and taken as padding (2 reserved rows)") {
			t.Errorf("rows %v, notes %q", s.Other, a.Notes)
		}
	})
	t.Run("a 513th token crashes: 512 positions are left of 514 rows (transformers#1363)", func(t *testing.T) {
		a := mustLoad(t, roberta(), ReadOptions{}).(*Absolute)
		if p := a.Positions(); len(p) != 512 || p[511] != 511 {
			t.Errorf("%d positions", len(p))
		}
		_, err := loadOnly(t, roberta(), ReadOptions{Positions: &Range{512, 514}})
		wantFault(t, err, BadOption, "0:512")
	})
	t.Run("the offset of Longformer is said nowhere (transformers#5285)", func(t *testing.T) {
		a := mustLoad(t, (&memory{}).with("longformer."+bert, 4098, 2), ReadOptions{}).(*Absolute)
		if !told(a.Notes, "4098 rows are 4096 + 2: positions start at row 2") {
			t.Errorf("notes %q", a.Notes)
		}
	})
	t.Run("padding_idx moves the positions, and the last is out of range (transformers#15292)", func(t *testing.T) {
		s := mustLoad(t, roberta(), ReadOptions{}).(*Absolute).Stored[0]
		if s.Count != 514 || s.At[0] != 2 || s.At[511] != 513 {
			t.Errorf("position 0 is row %d, 511 row %d, of %d", s.At[0], s.At[511], s.Count)
		}
	})
	t.Run("padding_idx is 3, so 510 tokens are the most (japanese-pretrained-models#3)", func(t *testing.T) {
		a := mustLoad(t, (&memory{}).with("roberta."+bert, 514, 4).zeroRow(3), ReadOptions{}).(*Absolute)
		if n, _ := a.Table.Dims(); n != 510 || a.Stored[0].At[0] != 4 || !told(a.Notes, "row 3 is exactly zero and taken as padding (4 reserved rows)") {
			t.Errorf("%d positions, notes %q", n, a.Notes)
		}
	})
	t.Run("why an offset of 2? users take it for a bug (transformers#20761, #22359, #19240)", func(t *testing.T) {
		for _, m := range []*memory{bart(2050, "opt"), bart(1026, "bart")} {
			a := mustLoad(t, m, ReadOptions{}).(*Absolute)
			if a.Stored[0].At[0] != 2 || !told(a.Notes, "positions start at row 2 (2 reserved rows, as in "+a.Arch+")") {
				t.Errorf("%s: notes %q", a.Arch, a.Notes)
			}
		}
	})
	t.Run("Blenderbot has BART's code without its offset (transformers#5190)", func(t *testing.T) {
		for rows, model := range map[int]string{128: "blenderbot", 512: "blenderbot-small", 16384: "led"} {
			a := mustLoad(t, bart(rows, model), ReadOptions{}).(*Absolute)
			if a.Reserved != 0 || a.Stored[0].At[0] != 0 || !told(a.Notes, "nothing is reserved") {
				t.Errorf("%s: %d reserved, notes %q", model, a.Reserved, a.Notes)
			}
		}
	})
	t.Run("a port moved the reserved rows to the end (PaddleNLP#2659)", func(t *testing.T) {
		s := mustLoad(t, bart(1026, "bart"), ReadOptions{}).(*Absolute).Stored[0]
		if s.At[0] != 2 || s.At[1023] != 1025 {
			t.Errorf("position 0 is row %d, 1023 row %d", s.At[0], s.At[1023])
		}
		ported := mustLoad(t, bart(1026, "bart"), ReadOptions{Reserved: ptr(0), Suffix: ptr(2)}).(*Absolute)
		if s := ported.Stored[0]; s.At[0] != 0 || s.At[1023] != 1023 || ported.Suffix != 2 {
			t.Errorf("position 0 is row %d, 1023 row %d", s.At[0], s.At[1023])
		}
	})
	t.Run("positions shifted by 2 for the RoBERTa family, and nothing crashes (sentence-transformers#3879)", func(t *testing.T) {
		for _, model := range []string{"roberta", "xlm-roberta", "camembert", "longformer", "mpnet", "esm", "xmod", "luke", "data2vec-text"} {
			for _, rows := range []int{514, 100} { // a power of two and 2 more; and what only the model tells
				m := (&memory{}).with(bert, rows, 4).saying("model_type", model)
				a := mustLoad(t, m, ReadOptions{}).(*Absolute)
				if a.Reserved != 2 || a.Table.At(0, 0) != 2*4+1 || len(a.Notes) == 0 {
					t.Errorf("%s of %d rows: %d reserved, notes %q", model, rows, a.Reserved, a.Notes)
				}
			}
		}
	})
	t.Run("counting rows from 0 gives a cosine of 0.65 instead of 1 (ANEForge#257)", func(t *testing.T) {
		m := (&memory{}).holding("roberta."+bert, nil, 514, 8)
		for i := range 514 * 8 {
			m.tensors[0].Data = append(m.tensors[0].Data, math.Sin(float64(i*i)))
		}
		stored := func(row int) []float64 { return m.tensors[0].Data[row*8 : (row+1)*8] }
		a := mustLoad(t, m, ReadOptions{}).(*Absolute)
		for p := range 512 {
			if right, wrong := cosine(a.Table.RawRowView(p), stored(p+2)), cosine(a.Table.RawRowView(p), stored(p)); math.Abs(right-1) > 1e-12 || wrong > 0.9999 {
				t.Fatalf("position %d: cosine %v with row p+2, %v with row p", p, right, wrong)
			}
		}
	})
	t.Run("a GGUF file of a RoBERTa has its reserved rows cut off already (llama.cpp#10856)", func(t *testing.T) {
		m := (&memory{}).with("position_embd.weight", 512, 4).with("token_embd.weight", 1000, 4).saying("general.architecture", "bert")
		if a := mustLoad(t, m, ReadOptions{}).(*Absolute); a.Reserved != 0 || a.Stored[0].At[0] != 0 {
			t.Errorf("%d reserved", a.Reserved)
		}
	})
	t.Run("extending BART: rows [2:], not [1:-1] (fairseq#1685, transformers#4277)", func(t *testing.T) {
		a := mustLoad(t, bart(1026, "bart"), ReadOptions{}).(*Absolute)
		if n, _ := a.Table.Dims(); n != 1024 || a.Table.At(0, 0) != 2*4+1 || a.Table.At(1023, 0) != 1025*4+1 {
			t.Errorf("%d positions, from %v to %v", n, a.Table.At(0, 0), a.Table.At(n-1, 0))
		}
	})
	t.Run("which position do padding tokens have? the padding row, which is none (transformers#1761)", func(t *testing.T) {
		a := mustLoad(t, roberta(), ReadOptions{}).(*Absolute)
		if slices.Contains(a.Stored[0].At, 1) || a.Stored[0].Other[1] != "padding, exactly zero" {
			t.Errorf("row 1 is %q", a.Stored[0].Other[1])
		}
		for p := range 512 {
			if allZero(a.Table.RawRowView(p)) {
				t.Errorf("position %d is zero", p)
			}
		}
	})
}

func TestUsersLoading(t *testing.T) {
	const table = "relative_position_bias_table"
	t.Run("renamed tables and missing index buffers (mmpretrain#794, #945, mmdetection#6667)", func(t *testing.T) {
		for _, layer := range []string{"layers.0.blocks.0.attn.", "stages.0.blocks.0.attn.w_msa.", "backbone.layers.0.blocks.0.attn.", "encoder.layers.0.blocks.0.attention.self.", "module.layers.0.blocks.0.attn."} {
			for _, with := range []bool{true, false} {
				m := (&memory{}).with(layer+table, 169, 3)
				if with {
					m.with(layer+"relative_position_index", 49, 49).typed(tensor.I64).with(layer+"attn_mask", 64, 49, 49)
				}
				if b, ok := mustLoad(t, m, ReadOptions{}).(*Bias); !ok || b.Tensor != layer+table || b.Axes[0].Min != -6 {
					t.Errorf("%s: %+v", layer, b)
				}
			}
		}
	})
	t.Run("the coordinate tables of Swin v2 do not fit: they are no tables (Swin-Transformer#251)", func(t *testing.T) {
		m := &memory{}
		for i, window := range []int{8, 16} {
			layer := fmt.Sprintf("layers.%d.blocks.0.attn.", i)
			m.with(layer+"relative_coords_table", 1, 2*window-1, 2*window-1, 2).with(layer+"relative_position_index", window*window, window*window).typed(tensor.I64)
		}
		if found := Detect(m); len(found) > 0 {
			t.Errorf("detected %q", names(found))
		}
	})
	t.Run("weight_g and weight_v, or parametrizations: the same convolution (transformers#33995, #30628)", func(t *testing.T) {
		g, v := make([]float64, 128), make([]float64, 32*2*128)
		for i := range g {
			g[i] = 1 + float64(i%7)
		}
		for i := range v {
			v[i] = math.Cos(float64(i))
		}
		var scores []*mat.Dense
		for _, pair := range [][2]string{{"weight_g", "weight_v"}, {"parametrizations.weight.original0", "parametrizations.weight.original1"}} {
			const conv = "wav2vec2.encoder.pos_conv_embed.conv."
			m := (&memory{}).holding(conv+pair[0], g, 1, 1, 128).holding(conv+pair[1], v, 32, 2, 128).with(conv+"bias", 32)
			b, ok := mustLoad(t, m, ReadOptions{}).(*Bias)
			if !ok {
				t.Fatal("no bias")
			}
			scores = append(scores, b.Scores)
		}
		if !mat.Equal(scores[0], scores[1]) {
			t.Error("the two names read differently")
		}
	})
	t.Run("position_ids is no table (transformers#6882, DPR#165, pytorch#105233)", func(t *testing.T) {
		const bert = "bert.embeddings."
		m := (&memory{}).with(bert+"position_ids", 1, 512).typed(tensor.I64).with(bert+"position_embeddings.weight", 512, 4)
		if a := mustLoad(t, m, ReadOptions{}).(*Absolute); a.Tensor != bert+"position_embeddings.weight" {
			t.Errorf("chose %s", a.Tensor)
		}
		_, err := one((&memory{}).with(bert+"position_ids", 1, 512).typed(tensor.I64).with(bert+"word_embeddings.weight", 1000, 4).with("pooler.weight", 4, 4), "", ReadOptions{})
		wantFault(t, err, NotFound)
	})
	t.Run("the bias of T5 stands in the first layer only (transformers#13397, #10221)", func(t *testing.T) {
		m := &memory{}
		for i := range 6 {
			m.with(fmt.Sprintf("encoder.block.%d.layer.0.SelfAttention.q.weight", i), 4, 4)
		}
		m.with("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 8)
		b := mustLoad(t, m, ReadOptions{}).(*Bias)
		if len(b.Heads) != 8 {
			t.Errorf("%d heads", len(b.Heads))
		}
	})
	t.Run("buckets are halved once in an encoder, and not in a decoder (x-transformers#10, video-diffusion#11)", func(t *testing.T) {
		for side, want := range map[string]map[int]int{
			"encoder": {0: 0, -7: 7, 7: 23, -8: 8, 8: 24, -90: 14, -91: 15, 91: 31, 128: 31},
			"decoder": {0: 0, -7: 7, -15: 15, -16: 16, -112: 30, -113: 31, -128: 31},
		} {
			b := mustLoad(t, (&memory{}).with(side+".block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, 8), ReadOptions{}).(*Bias)
			for k, bucket := range want {
				if got := b.Stored[0].At[k-b.Axes[0].Min]; got != bucket {
					t.Errorf("%s, offset %d: bucket %d, want %d", side, k, got, bucket)
				}
			}
		}
	})
	t.Run("a sign flipped in DeBERTa's index corrupts every score off the diagonal (DeBERTa#47, nntrainer#3982)", func(t *testing.T) {
		v := mustLoad(t, (&memory{}).with("deberta.encoder.rel_embeddings.weight", 1024, 4), ReadOptions{}).(*Vectors)
		at := func(k int) int { return v.Stored[0].At[k-v.Axes[0].Min] }
		if at(0) != 512 || at(-1) != 513 || at(1) != 511 || at(-511) != 1023 || at(511) != 1 {
			t.Errorf("offsets 0, -1, 1, -511, 511 are rows %d, %d, %d, %d, %d", at(0), at(-1), at(1), at(-511), at(511))
		}
		if v.Table.At(510, 0) != 513*4+1 { // offset -1
			t.Errorf("offset -1 begins with %v", v.Table.At(510, 0))
		}
	})
	t.Run("sines interleaved or in a block: other components, the same cosine (tensor2tensor#1423, fairseq#4648)", func(t *testing.T) {
		one, err := Sinusoid(SinusoidOptions{N: 40, D: 16, Layout: "interleaved"})
		if err != nil {
			t.Fatal(err)
		}
		two, err := Sinusoid(SinusoidOptions{N: 40, D: 16, Layout: "concatenated"})
		if err != nil {
			t.Fatal(err)
		}
		if mat.Equal(one.Table, two.Table) || one.Table.At(3, 1) != two.Table.At(3, 8) {
			t.Error("the layouts are not told apart")
		}
		for p := range 40 {
			for q := range 40 {
				a, b := cosine(one.Table.RawRowView(p), one.Table.RawRowView(q)), cosine(two.Table.RawRowView(p), two.Table.RawRowView(q))
				if math.Abs(a-b) > 1e-12 {
					t.Fatalf("positions %d and %d: %v and %v", p, q, a, b)
				}
			}
		}
	})
}
