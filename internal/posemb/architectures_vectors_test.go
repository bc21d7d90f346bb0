package posemb

import (
	"fmt"
	"math"
	"testing"
)

// line is the index of a table whose rows go one offset at a time: zero is the row
// of offset 0, and sign 1 or -1 for key - query or query - key.
func line(zero, sign int) func(q, k int) int {
	return func(q, k int) int { return zero + sign*(k-q) }
}

// clipped is the same where the end's row serves for all farther offsets of
// key - query.
func clipped(back, ahead int) func(q, k int) int {
	return func(q, k int) int { return min(max(k-q, -back), ahead) + back }
}

// vectorTable is a table of vectors of one axis.
func vectorTable(name string, first, last int, row func(q, k int) int) wantTable {
	return wantTable{name: name, kind: KindVectors, axes: [][2]int{{first, last}}, row: row}
}

// vectorModels have a vector an offset.
func vectorModels() []modelRow {
	// The log buckets of DeBERTa-v2: linear to 128, then these, which the reference
	// table of bucket_size 256 and max_position 512 has.
	spots := map[int]int{-511: 255, -510: 255, -400: 233, -300: 207, -256: 192, -200: 169, -130: 130, -129: 129, -128: 128, -1: 1, 0: 0, 1: -1, 128: -128, 200: -169, 256: -192, 511: -255}
	logs := func(q, k int) int { return q - k + 256 } // within 128
	deberta := func(arch, prefix, model string, beside ...storedTensor) modelRow {
		name := prefix + "encoder.rel_embeddings.weight"
		w := vectorTable(name, -511, 511, logs)
		w.unused, w.exact, w.changed = []int{0}, 128, true
		w.check = logRows(spots)
		return modelRow{
			arch: arch, meta: ofType(model),
			tensors: []storedTensor{
				numbers(name, 512, 4).filled(func(i int) float64 { return float64(i * 7919 % 101) }),
				numbers(prefix+"encoder.LayerNorm.weight", 4).filled(func(j int) float64 { return float64(j + 2) }),
				numbers(prefix+"encoder.LayerNorm.bias", 4).filled(func(j int) float64 { return float64(10 * j) }),
			},
			beside: append(beside, numbers(prefix+"encoder.layer.0.attention.self.query_proj.weight", 4, 4), numbers(prefix+"encoder.layer.0.attention.output.LayerNorm.weight", 4)),
			want:   []wantTable{w},
		}
	}
	t2t := "transformer/body/encoder/layer_0/self_attention/multihead_attention/dot_product_attention_relative/"
	music := "transformer/body/decoder/layer_0/self_attention/multihead_attention/dot_product_self_attention_relative_v2/key_relative_embeddings"
	const far = 20 // Shaw's K; also the length of a music table
	rows := []modelRow{
		{ // the absolute table, which is not used, is in the file too
			arch: "BERT relative_key", meta: ofType("bert", "position_embedding_type", "relative_key"),
			tensors: []storedTensor{
				numbers("bert.encoder.layer.0.attention.self.distance_embedding.weight", 1023, 4), numbers("bert.encoder.layer.1.attention.self.distance_embedding.weight", 1023, 4),
				numbers("bert.embeddings.position_embeddings.weight", 512, 4),
			},
			beside: besideBert("bert."),
			want: []wantTable{
				vectorTable("bert.encoder.layer.0.attention.self.distance_embedding.weight", -511, 511, line(511, -1)),
				vectorTable("bert.encoder.layer.1.attention.self.distance_embedding.weight", -511, 511, line(511, -1)),
				absoluteTable("bert.embeddings.position_embeddings.weight", 512, 0),
			},
		},
		{ // K = 512: row 0 would be 512 ahead, which 512 tokens never have
			arch: "DeBERTa", meta: ofType("deberta"),
			tensors: []storedTensor{numbers("deberta.encoder.rel_embeddings.weight", 1024, 4), numbers("deberta.embeddings.position_embeddings.weight", 512, 4)},
			beside:  append(besideBert("deberta."), numbers("deberta.encoder.layer.0.attention.self.pos_proj.weight", 4, 4), numbers("deberta.encoder.layer.0.attention.self.in_proj.weight", 12, 4)),
			want: []wantTable{
				func() wantTable {
					w := vectorTable("deberta.encoder.rel_embeddings.weight", -511, 511, line(512, -1))
					w.unused = []int{0}
					return w
				}(),
				absoluteTable("deberta.embeddings.position_embeddings.weight", 512, 0),
			},
		},
		{ // the absolute table is left away with position_biased_input=false
			arch: "DeBERTa without positions", meta: ofType("deberta"),
			tensors: []storedTensor{numbers("deberta.encoder.rel_embeddings.weight", 1024, 4)}, beside: besideBert("deberta."),
			want: []wantTable{func() wantTable {
				w := vectorTable("deberta.encoder.rel_embeddings.weight", -511, 511, line(512, -1))
				w.unused = []int{0}
				return w
			}()},
		},
		deberta("DeBERTa-v2", "deberta.", "deberta-v2", besideBert("deberta.")...),
		deberta("SEW-D", "sew_d.encoder.", "sew-d"),
		{
			arch: "Shaw T2T", tensors: []storedTensor{numbers(t2t+"relative_positions_keys/embeddings", 2*far+1, 4), numbers(t2t+"relative_positions_values/embeddings", 2*far+1, 4)},
			beside: []storedTensor{numbers("transformer/body/encoder/layer_0/self_attention/multihead_attention/q/kernel", 4, 4)},
			want: []wantTable{
				{name: t2t + "relative_positions_keys/embeddings", kind: KindVectors, axes: [][2]int{{-far, far}}, row: clipped(far, far), beyond: BeyondClipped},
				{name: t2t + "relative_positions_values/embeddings", kind: KindVectors, axes: [][2]int{{-far, far}}, row: clipped(far, far), beyond: BeyondClipped},
			},
		},
		{
			arch: "T2T music", tensors: []storedTensor{numbers(music, far, 4)}, beside: []storedTensor{numbers("transformer/symbol_modality_310_4/shared/weights_0", 310, 4)},
			want: []wantTable{vectorTable(music, 1-far, 0, line(far-1, 1))},
		},
		{ // a table a head
			arch: "T2T music per head", tensors: []storedTensor{numbers(music, 8, far, 4)}, beside: []storedTensor{numbers("transformer/symbol_modality_310_4/shared/weights_0", 310, 4)},
			want: []wantTable{{name: music, kind: KindVectors, axes: [][2]int{{1 - far, 0}}, row: line(far-1, 1), heads: 8, headsFirstRow: true}},
		},
		{ // nothing is added outside the window of 4
			arch:    "VITS",
			tensors: []storedTensor{numbers("text_encoder.encoder.layers.0.attention.emb_rel_k", 1, 9, 4), numbers("text_encoder.encoder.layers.0.attention.emb_rel_v", 1, 9, 4)},
			beside:  []storedTensor{numbers("text_encoder.embed_tokens.weight", 178, 4), numbers("text_encoder.encoder.layers.0.attention.q_proj.weight", 4, 4)},
			want: []wantTable{
				{name: "text_encoder.encoder.layers.0.attention.emb_rel_k", kind: KindVectors, axes: [][2]int{{-4, 4}}, row: line(4, 1), beyond: BeyondZero},
				{name: "text_encoder.encoder.layers.0.attention.emb_rel_v", kind: KindVectors, axes: [][2]int{{-4, 4}}, row: line(4, 1), beyond: BeyondZero},
			},
		},
		{ // by query - key in [-160, 159]: 320 rows, not 321
			arch: "SpeechT5", meta: ofType("speecht5"),
			tensors: []storedTensor{numbers("speecht5.encoder.wrapped_encoder.embed_positions.pe_k.weight", 320, 4)}, beside: []storedTensor{numbers("speecht5.encoder.wrapped_encoder.layers.0.attention.q_proj.weight", 4, 4)},
			want: []wantTable{{name: "speecht5.encoder.wrapped_encoder.embed_positions.pe_k.weight", kind: KindVectors, axes: [][2]int{{-159, 160}}, row: line(160, -1), beyond: BeyondClipped}},
		},
	}
	for _, m := range []struct{ arch, name, model string }{
		{"Wav2Vec2-BERT", "wav2vec2_bert.encoder.layers.0.self_attn.distance_embedding.weight", "wav2vec2-bert"},
		{"SeamlessM4T-v2", "speech_encoder.encoder.layers.0.self_attn.distance_embedding.weight", "seamless_m4t_v2"},
	} {
		rows = append(rows, modelRow{
			arch: m.arch, meta: ofType(m.model), tensors: []storedTensor{numbers(m.name, 73, 4)}, beside: []storedTensor{numbers("encoder.layers.0.self_attn.linear_q.weight", 4, 4), numbers("shared.weight", 256102, 4)},
			want: []wantTable{{name: m.name, kind: KindVectors, axes: [][2]int{{-64, 8}}, row: clipped(64, 8), beyond: BeyondClipped}},
		})
	}
	for _, m := range []struct{ arch, layer string }{{"BotNet", "stages.3.0.self_attn."}, {"HaloNet", "stages.2.0.self_attn."}} {
		const side = 8
		h, w := m.layer+"pos_embed.height_rel", m.layer+"pos_embed.width_rel"
		rows = append(rows, modelRow{
			arch: m.arch, tensors: []storedTensor{numbers(h, 2*side-1, 4), numbers(w, 2*side-1, 4)}, beside: []storedTensor{numbers(m.layer+"qkv.weight", 12, 4, 1, 1)},
			want: []wantTable{{
				name: h, kind: KindVectors, axes: [][2]int{{1 - side, side - 1}, {1 - side, side - 1}}, dy: line(side-1, 1), dx: line(side-1, 1),
				check: alongAxes(side, side, func(o, s int) int { return o + s - 1 }),
			}},
		})
	}
	// Transformer-XL's attention type 1: rows from far to near, a table a layer and head.
	const layers, heads, width = 3, 2, 4
	xl := modelRow{
		arch: "Transformer-XL r_emb", tensors: []storedTensor{numbers("r_emb", layers, far, heads, width), numbers("r_bias", layers, far, heads)},
		beside: []storedTensor{numbers("r_w_bias", layers, heads, width), numbers("word_emb.emb_layers.0.weight", 100, 8), numbers("layers.0.dec_attn.qkv_net.weight", 24, 8)},
	}
	for i := range layers {
		xl.want = append(xl.want, wantTable{
			name: fmt.Sprintf("r_emb[%d]", i), kind: KindVectors, axes: [][2]int{{1 - far, 0}}, row: line(far-1, 1), heads: heads, beyond: BeyondClipped, base: i * far * heads * width,
		}, wantTable{
			name: fmt.Sprintf("r_bias[%d]", i), kind: KindBias, axes: [][2]int{{1 - far, 0}}, row: line(far-1, 1), heads: heads, beyond: BeyondClipped, base: i * far * heads,
		})
	}
	return append(rows, xl)
}

// logRows checks entries by offset, and that the encoder's LayerNorm, of gain j+2
// and shift 10j, is applied to them.
func logRows(spots map[int]int) func(*testing.T, Table) {
	return func(t *testing.T, table Table) {
		v := table.(*Vectors)
		for offset, bucket := range spots {
			i := offset - v.Axes[0].Min
			if got := v.Stored[0].At[i]; got != bucket+256 {
				t.Errorf("offset %d is said to be row %d, want %d", offset, got, bucket+256)
				continue
			}
			var row [4]float64
			mean, square := 0.0, 0.0
			for j := range row {
				row[j] = float64(((bucket+256)*4 + j) * 7919 % 101)
				mean += row[j] / 4
				square += row[j] * row[j] / 4
			}
			for j := range row {
				want := (row[j]-mean)/math.Sqrt(square-mean*mean)*float64(j+2) + float64(10*j)
				if got := v.Table.At(i, j); math.Abs(got-want) > 1e-6 {
					t.Errorf("offset %d, component %d is %v, want %v", offset, j, got, want)
				}
			}
		}
	}
}
