package posemb

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// A head that attends to the token just before the query, written in each
// family's own storage, by the family's own index of a query and a key. Whatever
// the storage, it must peak at offset -1 (one to the left, in an image).
func TestPreviousTokenPeaksAtMinusOne(t *testing.T) {
	clip := func(v, lo, hi int) int { return min(max(v, lo), hi) }
	const n = 20 // tokens of a line
	type layout struct {
		arch  string
		name  string
		shape []int
		index func(q, k int) int // element of head 0 (or component 0)
	}
	line := []layout{
		{"BERT relative", "bert.encoder.layer.3.attention.self.distance_embedding.weight", []int{2*n - 1, 4}, func(q, k int) int { return (q - k + n - 1) * 4 }},
		{"Wav2Vec2-BERT", "encoder.layers.3.self_attn.distance_embedding.weight", []int{73, 4}, func(q, k int) int { return (clip(k-q, -64, 8) + 64) * 4 }},
		{"T2T", "layer_3/self_attention/relative_positions_keys/embeddings", []int{9, 4}, func(q, k int) int { return (clip(k-q, -4, 4) + 4) * 4 }},
		{"Music Transformer", "layer_3/key_relative_embeddings", []int{n, 4}, func(q, k int) int { return (n - 1 - max(q-k, 0)) * 4 }},
		{"VITS", "enc_p.encoder.attn_layers.3.emb_rel_k", []int{1, 9, 4}, func(q, k int) int { return (clip(k-q, -4, 4) + 4) * 4 }},
		{"SpeechT5", "speecht5.encoder.wrapped_encoder.embed_positions.pe_k.weight", []int{2 * n, 4}, func(q, k int) int { return (clip(q-k, -n, n-1) + n) * 4 }},
		{"DeBERTa", "deberta.encoder.rel_embeddings.weight", []int{2 * n, 4}, func(q, k int) int { return clip(q-k+n, 0, 2*n-1) * 4 }},
		{"DeBERTa-v2", "deberta.encoder.rel_embeddings.weight", []int{512, 4}, func(q, k int) int { return (logBucket(q-k, 256, 512) + 256) * 4 }},
		{"SAM relative", "image_encoder.blocks.2.attn.rel_pos_w", []int{2*n - 1, 4}, func(q, k int) int { return (q - k + n - 1) * 4 }},
		{"BotNet", "stages.3.0.self_attn.pos_embed.width_rel", []int{2*n - 1, 4}, func(q, k int) int { return (k - q + n - 1) * 4 }},
		{"T5", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", []int{32, 3}, func(q, k int) int { return (BucketRule{T5Both, 32, 128}).Bucket(k-q) * 3 }},
		{"T5", "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", []int{32, 3}, func(q, k int) int { return (BucketRule{T5Causal, 32, 128}).Bucket(k-q) * 3 }},
		{"T5 Mesh", "encoder/block_000/layer_000/SelfAttention/relative_attention_bias", []int{3, 32}, func(q, k int) int { return (BucketRule{T5Both, 32, 128}).Bucket(k - q) }},
		{"T5X", "target/encoder/relpos_bias/rel_embedding", []int{3, 32}, func(q, k int) int { return (BucketRule{T5Both, 32, 128}).Bucket(k - q) }},
		{"GGUF T5", "dec.blk.0.attn_rel_b.weight", []int{32, 3}, func(q, k int) int { return (BucketRule{T5Causal, 32, 128}).Bucket(k-q) * 3 }},
		{"WavLM", "encoder.layers.0.attention.rel_attn_embed.weight", []int{320, 3}, func(q, k int) int { return (BucketRule{T5Both, 320, 800}).Bucket(k-q) * 3 }},
		{"LayoutLM", "layoutlmv3.encoder.rel_pos_bias.weight", []int{3, 32}, func(q, k int) int { return (BucketRule{T5Both, 32, 128}).Bucket(k - q) }},
		{"LayoutLM 2-D", "layoutlmv3.encoder.rel_pos_x_bias.weight", []int{3, 64}, func(q, k int) int { return (BucketRule{T5Both, 64, 256}).Bucket(k - q) }},
	}
	const h, w = 3, 3 // an image's window; tokens run along its rows
	split := func(p int) (y, x int) { return p / w, p % w }
	flat := func(q, k int) int {
		qy, qx := split(q)
		ky, kx := split(k)
		return (qy-ky+h-1)*(2*w-1) + qx - kx + w - 1
	}
	image := []layout{
		{"Swin", "layers.1.blocks.3.attn.relative_position_bias_table", []int{25, 2}, func(q, k int) int { return flat(q, k) * 2 }},
		{"BEiT", "blocks.3.attn.relative_position_bias_table", []int{28, 2}, func(q, k int) int { return flat(q, k) * 2 }},
		{"MaxViT", "stages.0.blocks.3.attn_block.attn.rel_pos.relative_position_bias_table", []int{2, 5, 5}, func(q, k int) int { return flat(k, q) }},
	}

	covered := []string{"LeViT", "RETSim", // the same to both sides; tested below
		"Transformer-XL", "Transformer-XL vectors", "Transformer-XL bias", "XLNet", "Funnel", "Conformer", "wav2vec 2.0", "data2vec-audio", "Swin v2"} // tested elsewhere, each beside its reader
	check := func(l layout, tokens int, previous func(q int) bool) {
		t.Run(l.name, func(t *testing.T) {
			covered = append(covered, l.arch)
			size := 1
			for _, s := range l.shape {
				size *= s
			}
			data := make([]float64, size)
			for q := range tokens {
				if previous(q) {
					data[l.index(q, q-1)] = 1
				}
			}
			m := (&memory{}).holding(l.name, data, l.shape...)
			found := Detect(m)
			if len(found) != 1 || found[0].Arch != l.arch {
				t.Fatalf("detected %+v, want %s", found, l.arch)
			}
			table := mustLoad(t, m, ReadOptions{})
			if table.Kind() != found[0].Kind {
				t.Errorf("kind %s, but detected %s", table.Kind(), found[0].Kind)
			}
			at := peak(t, table)
			if want := []int{-1}; len(at) == 1 && !slices.Equal(at, want) {
				t.Errorf("peaks at %v, want %v", at, want)
			}
			if want := []int{0, -1}; len(at) == 2 && !slices.Equal(at, want) {
				t.Errorf("peaks at %v, want %v", at, want)
			}
		})
	}
	for _, l := range line {
		check(l, n, func(q int) bool { return q > 0 })
	}
	for _, l := range image {
		check(l, h*w, func(q int) bool { return q%w > 0 })
	}
	for _, p := range Presets {
		if p.Kind != KindAbsolute && !slices.Contains(covered, p.Arch) {
			t.Errorf("%s: not tested here", p.Arch)
		}
	}
}

// peak is the offset of the largest score of head 0, a query on component 0
// making scores of vectors. It must be the only one as large.
func peak(t *testing.T, table Table) []int {
	t.Helper()
	b, ok := table.(*Bias)
	if v, isVectors := table.(*Vectors); isVectors {
		_, d := v.Table.Dims()
		query := make([]float64, d)
		query[0] = 1
		var err error
		if b, err = v.Score(query, ScoreOptions{}); err != nil {
			t.Fatal(err)
		}
	} else if !ok {
		t.Fatalf("%T is not relative", table)
	}
	rows, _ := b.Scores.Dims()
	size := 1
	for _, x := range b.Axes {
		size *= x.Len()
	}
	if size != rows {
		t.Fatalf("axes of %d offsets over %d rows", size, rows)
	}
	best, times := 0, 0
	for i := range rows {
		switch v, top := b.Scores.At(i, 0), b.Scores.At(best, 0); {
		case v > top:
			best, times = i, 1
		case v == top:
			times++
		}
	}
	if times != 1 {
		t.Errorf("%d offsets are as high as the peak", times)
	}
	if len(b.Axes) == 1 {
		return []int{b.Axes[0].Min + best}
	}
	return []int{b.Axes[0].Min + best/b.Axes[1].Len(), b.Axes[1].Min + best%b.Axes[1].Len()}
}

// <R_m a, R_n b> with b turned one step back from a is the sum of the cosines of
// w(k) (n - m + 1), which is half the width at n = m - 1 and less elsewhere.
func TestRotaryBias(t *testing.T) {
	const d = 64
	a, b := make([]float64, d), make([]float64, d)
	for k := range d / 2 {
		w := math.Pow(10000, -float64(k)/(d/2))
		a[k] = 1
		b[k], b[k+d/2] = math.Cos(w), math.Sin(w)
	}
	m := (&memory{}).holding("gau_layers.1.positional_encoding.a", a, d).holding("gau_layers.1.positional_encoding.b", b, d).with("other", 4, 4)
	bias := mustLoad(t, m, ReadOptions{}).(*Bias)
	if got := peak(t, bias); got[0] != -1 {
		t.Errorf("peaks at %d", got[0])
	}
	if x := bias.Axes[0]; x.Min != 1-d || x.Max != d-1 || len(bias.Heads) != 1 {
		t.Errorf("axis %+v, heads %v", x, bias.Heads)
	}
	for i := range bias.Axes[0].Len() {
		want := 0.0
		for k := range d / 2 {
			want += math.Cos(math.Pow(10000, -float64(k)/(d/2)) * float64(bias.Axes[0].Min+i+1))
		}
		if got := bias.Scores.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("offset %d: %v, want %v", bias.Axes[0].Min+i, got, want)
		}
	}
	if slices.Contains(m.read, "other") {
		t.Error("read a tensor that it does not need")
	}
}

// LeViT's rows are |dy| R + |dx|.
func TestMirroredBias(t *testing.T) {
	m := (&memory{}).with("blocks.0.attention_biases", 2, 9)
	b := mustLoad(t, m, ReadOptions{}).(*Bias)
	for i, dy := range []int{-2, -1, 0, 1, 2} {
		for j, dx := range []int{-2, -1, 0, 1, 2} {
			for h := range 2 {
				want := float64(h*9 + max(dy, -dy)*3 + max(dx, -dx) + 1)
				if got := b.Scores.At(i*5+j, h); got != want {
					t.Errorf("(%d, %d) of head %d: %v, want %v", dy, dx, h, got, want)
				}
			}
		}
	}
}

// Row 0 of DeBERTa's tables is for no offset that occurs.
func TestUnusedRows(t *testing.T) {
	for name, rows := range map[string]int{"v1.rel_embeddings.weight": 40, "v2.rel_embeddings.weight": 512} {
		v := mustLoad(t, (&memory{}).with(name, rows, 2), ReadOptions{}).(*Vectors)
		if !slices.Equal(v.Unused, []int{0}) || !told(v.Notes, "row 0 is used by no offset") {
			t.Errorf("%s: unused %v, notes %q", name, v.Unused, v.Notes)
		}
		for i := range v.Axes[0].Len() {
			if v.Table.At(i, 0) == 1 {
				t.Errorf("%s: row 0 stands at offset %d", name, v.Axes[0].Min+i)
			}
		}
	}
}

// DeBERTa-v2's rows go through the encoder's LayerNorm: here with gain 2 and
// shift 1, of rows a, a+1, whose normal form is -1, 1 but for the epsilon.
func TestLogBucketsNormalised(t *testing.T) {
	m := (&memory{}).with("encoder.rel_embeddings.weight", 512, 2).
		holding("encoder.LayerNorm.weight", []float64{2, 2}, 2).holding("encoder.LayerNorm.bias", []float64{1, 1}, 2)
	v := mustLoad(t, m, ReadOptions{}).(*Vectors)
	for i := range v.Axes[0].Len() {
		for j, want := range []float64{-1, 3} {
			if got := v.Table.At(i, j); math.Abs(got-want) > 1e-6 {
				t.Fatalf("row %d: %v, want %v", i, got, want)
			}
		}
	}
	if got := fmt.Sprint(v.Axes); got != "[{offset -511 511 none}]" {
		t.Error(got)
	}
}
