package posemb

import "testing"

// stepsRule is a T5 rule by its printed intervals: the first distance of each bucket
// from the exact ones on. Both directions have the other half behind it.
func stepsRule(exact, half int, starts ...int) func(q, k int) int {
	side := func(n int) int {
		if n < exact {
			return n
		}
		b := exact - 1
		for _, s := range starts {
			if n >= s {
				b++
			}
		}
		return b
	}
	return func(q, k int) int {
		switch n := k - q; {
		case half == 0:
			return side(max(-n, 0))
		case n > 0:
			return half + side(n)
		default:
			return side(-n)
		}
	}
}

// The rules of 32 buckets and 128, as steps.
var (
	bothSteps   = stepsRule(8, 16, 8, 12, 16, 23, 32, 46, 64, 91)
	causalSteps = stepsRule(16, 0, 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113)
)

// bothTable is a bias of 32 buckets in both directions.
func bothTable(name string, heads int) wantTable {
	return wantTable{name: name, kind: KindBias, axes: [][2]int{{-128, 128}}, heads: heads, row: bothSteps, unused: []int{16}, beyond: BeyondClipped}
}

// causalTable is a bias of 32 buckets that looks back.
func causalTable(name string, heads int) wantTable {
	return wantTable{name: name, kind: KindBias, axes: [][2]int{{-128, 0}}, heads: heads, row: causalSteps, beyond: BeyondClipped}
}

// headsFirstRow turns the storage: a head after the other.
func headsFirstRow(w wantTable) wantTable {
	w.headsFirstRow = true
	return w
}

// biasModels have a score an offset and head.
func biasModels() []modelRow {
	t5 := func(arch, model string, heads int) modelRow {
		const enc, dec = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
		return modelRow{
			arch: arch, meta: ofType(model), tensors: []storedTensor{numbers(enc, 32, heads), numbers(dec, 32, heads)},
			beside: []storedTensor{
				numbers("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight", 32, heads), // of old files; cross-attention has none
				numbers("shared.weight", 32128, 4), numbers("encoder.block.0.layer.0.SelfAttention.q.weight", 4, 4), numbers("decoder.block.0.layer.2.DenseReluDense.wi.weight", 16, 4),
			},
			want: []wantTable{bothTable(enc, heads), causalTable(dec, heads)},
		}
	}
	long := func(arch, attention string, beside ...storedTensor) modelRow {
		enc, dec := "encoder.block.0.layer.0."+attention+".relative_attention_bias.weight", "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
		return modelRow{
			arch: arch, meta: ofType("longt5"), tensors: []storedTensor{numbers(enc, 32, 12), numbers(dec, 32, 12)}, beside: append(beside, numbers("shared.weight", 32128, 4)),
			want: []wantTable{bothTable(enc, 12), causalTable(dec, 12)},
		}
	}
	global := func(m modelRow) modelRow { // with the side bias to global tokens
		const name = "encoder.block.0.layer.0.TransientGlobalSelfAttention.global_relative_attention_bias.weight"
		m.tensors = append(m.tensors, numbers(name, 32, 12))
		m.want = append(m.want, bothTable(name, 12))
		return m
	}
	slashed := func(arch string, heads int, enc, dec string, beside ...storedTensor) modelRow {
		return modelRow{
			arch: arch, tensors: []storedTensor{numbers(enc, heads, 32), numbers(dec, heads, 32)}, beside: append(beside, numbers("shared/embedding", 32128, 4)),
			want: []wantTable{headsFirstRow(bothTable(enc, heads)), headsFirstRow(causalTable(dec, heads))},
		}
	}
	alone := func(arch, model string, w wantTable, tensors []storedTensor, beside ...storedTensor) modelRow {
		m := modelRow{arch: arch, tensors: tensors, beside: beside, want: []wantTable{w}}
		if model != "" {
			m.meta = ofType(model)
		}
		return m
	}
	umt5 := t5("UMT5", "umt5", 12)
	for _, side := range []string{"encoder", "decoder"} {
		name := side + ".block.1.layer.0.SelfAttention.relative_attention_bias.weight"
		umt5.tensors = append(umt5.tensors, numbers(name, 32, 12))
		if side == "encoder" {
			umt5.want = append(umt5.want, bothTable(name, 12))
		} else {
			umt5.want = append(umt5.want, causalTable(name, 12))
		}
	}
	const wavlm = "wavlm.encoder.layers.0.attention.rel_attn_embed.weight"
	const pix = "decoder.layer.0.self_attention.attention.relative_attention_bias.weight"
	const cpm = "cpmant.position_bias.relative_attention_bias"
	const tupe = "encoder.sentence_encoder.relative_attention_bias.weight"
	rows := []modelRow{
		t5("T5", "t5", 8), t5("mT5", "mt5", 6), t5("Flan-T5", "t5", 12), t5("ByT5", "t5", 6), t5("Switch", "switch_transformers", 12), t5("Pop2Piano", "pop2piano", 8),
		long("LongT5 local", "LocalSelfAttention"),
		global(long("LongT5 tglobal", "TransientGlobalSelfAttention", numbers("encoder.block.0.layer.0.TransientGlobalSelfAttention.global_input_layer_norm.weight", 4))),
		umt5,
		alone("Pix2Struct", "pix2struct", causalTable(pix, 12), []storedTensor{numbers(pix, 32, 12)}, numbers("decoder.embed_tokens.weight", 50244, 4), numbers("decoder.layer.0.self_attention.attention.query.weight", 4, 4)),
		slashed("T5 Mesh", 8, "encoder/block_000/layer_000/SelfAttention/relative_attention_bias", "decoder/block_000/layer_000/SelfAttention/relative_attention_bias",
			numbers("decoder/block_000/layer_001/EncDecAttention/relative_attention_bias", 8, 32), numbers("encoder/block_000/layer_000/SelfAttention/relative_attention_bias_slot_v", 8, 32)),
		slashed("T5X", 12, "target/encoder/relpos_bias/rel_embedding", "target/decoder/relpos_bias/rel_embedding",
			numbers("state/param_states/encoder/relpos_bias/rel_embedding/v", 12, 32), numbers("target/token_embedder/embedding", 32128, 4)),
		slashed("T5X a layer each", 12, "encoder/layers_0/relpos_bias/rel_embedding", "decoder/layers_0/relpos_bias/rel_embedding"),
		{
			arch: "MPNet", meta: ofType("mpnet"), tensors: []storedTensor{numbers("mpnet.embeddings.position_embeddings.weight", 514, 4).padded(1), numbers("mpnet.encoder.relative_attention_bias.weight", 32, 12)},
			beside: besideBert("mpnet."),
			want:   []wantTable{absoluteTable("mpnet.embeddings.position_embeddings.weight", 512, 2), bothTable("mpnet.encoder.relative_attention_bias.weight", 12)},
		},
		{
			arch: "MPNet without a prefix", meta: ofType("mpnet"), tensors: []storedTensor{numbers("embeddings.position_embeddings.weight", 514, 4).padded(1), numbers("encoder.relative_attention_bias.weight", 32, 12)},
			beside: besideBert(""),
			want:   []wantTable{absoluteTable("embeddings.position_embeddings.weight", 512, 2), bothTable("encoder.relative_attention_bias.weight", 12)},
		},
		{ // the tokens' own, then two of the page
			arch: "UDOP", meta: ofType("udop"),
			tensors: []storedTensor{
				numbers("encoder.relative_bias.biases.0.relative_attention_bias.weight", 32, 16), numbers("encoder.relative_bias.biases.1.relative_attention_bias.weight", 32, 16),
				numbers("encoder.relative_bias.biases.2.relative_attention_bias.weight", 32, 16),
			},
			beside: []storedTensor{numbers("shared.weight", 33201, 4), numbers("encoder.block.0.layer.0.SelfAttention.q.weight", 4, 4)},
			want: []wantTable{
				bothTable("encoder.relative_bias.biases.0.relative_attention_bias.weight", 16),
				{name: "encoder.relative_bias.biases.1.relative_attention_bias.weight", kind: KindBias, heads: 16, unused: []int{16}},
				{name: "encoder.relative_bias.biases.2.relative_attention_bias.weight", kind: KindBias, heads: 16, unused: []int{16}},
			},
		},
		layoutLM("LayoutLMv2", "layoutlmv2", 512, 0),
		layoutLM("LayoutLMv3", "layoutlmv3", 512, 2, numbers("layoutlmv3.pos_embed", 1, 197, 4)),
		{
			arch: "WavLM", meta: ofType("wavlm"), tensors: []storedTensor{numbers(wavlm, 320, 12)},
			beside: []storedTensor{numbers("wavlm.encoder.layers.0.attention.gru_rel_pos_const", 1, 12, 1, 1), numbers("wavlm.encoder.layers.0.attention.gru_rel_pos_linear.weight", 8, 64), numbers("wavlm.encoder.layers.0.attention.q_proj.weight", 4, 4)},
			want: []wantTable{{
				name: wavlm, kind: KindBias, axes: [][2]int{{-800, 800}}, heads: 12, unused: []int{160}, note: "gate",
				row: stepsRule(80, 160), exact: 79,
				check: bucketSpots(map[int]int{0: 0, -1: 1, 1: 161, -79: 79, 79: 239, -80: 80, -777: 158, -778: 159, -800: 159, 778: 319, 800: 319}),
			}},
		},
		alone("CPM-Ant", "cpmant", wantTable{ // buckets, then the pairs of 32 segment types
			name: cpm, kind: KindBias, axes: [][2]int{{-2048, 2048}}, heads: 4, unused: []int{256}, other: map[int]string{512: "segment", 1535: "segment"},
			row: stepsRule(128, 256), exact: 127,
			check: bucketSpots(map[int]int{0: 0, -1: 1, 1: 257, -127: 127, 127: 383, -2048: 255, 2048: 511}),
		}, []storedTensor{numbers(cpm, 512+32*32, 4)}, numbers("cpmant.segment_embedding.weight", 32, 4), numbers("cpmant.input_embedding.weight", 31232, 4)),
		{ // rows 0 and 1 of the positions, and buckets 16 and 32, are those of the class token
			arch:    "TUPE",
			tensors: []storedTensor{numbers("encoder.sentence_encoder.pos.weight", 513, 4), numbers(tupe, 33, 12)},
			beside: []storedTensor{
				numbers("encoder.sentence_encoder.pos_q_linear.weight", 4, 4), numbers("encoder.sentence_encoder.pos_k_linear.weight", 4, 4),
				numbers("encoder.sentence_encoder.pos_ln.weight", 4), numbers("encoder.sentence_encoder.embed_tokens.weight", 32769, 4),
			},
			want: []wantTable{absoluteTable("encoder.sentence_encoder.pos.weight", 511, 2), {name: tupe, kind: KindBias, axes: [][2]int{{-128, 128}}, heads: 12, row: bothSteps, other: map[int]string{16: "from [CLS]", 32: "to [CLS]"}}},
		},
		{
			arch: "GGUF T5", meta: map[string]string{"general.architecture": "t5", "t5.attention.relative_buckets_count": "32"},
			tensors: []storedTensor{numbers("enc.blk.0.attn_rel_b.weight", 32, 8), numbers("dec.blk.0.attn_rel_b.weight", 32, 8)},
			beside:  []storedTensor{numbers("dec.blk.0.cross_attn_rel_b.weight", 32, 8), numbers("token_embd.weight", 32128, 4), numbers("enc.blk.0.attn_q.weight", 4, 4)},
			want:    []wantTable{bothTable("enc.blk.0.attn_rel_b.weight", 8), causalTable("dec.blk.0.attn_rel_b.weight", 8)},
		},
	}
	return append(rows, windowModels()...)
}

// layoutLM has positions of tokens and of boxes, and biases by the distance of
// both, stored a head a row.
func layoutLM(arch, prefix string, positions, reserved int, patches ...storedTensor) modelRow {
	emb, enc := prefix+".embeddings.", prefix+".encoder."
	pageTable := func(name string) wantTable {
		return headsFirstRow(wantTable{
			name: name, kind: KindBias, axes: [][2]int{{-256, 256}}, heads: 12, unused: []int{32},
			row: stepsRule(16, 32), exact: 15,
			check: bucketSpots(map[int]int{0: 0, -15: 15, 15: 47, -16: 16, -215: 30, -216: 31, 215: 62, 216: 63, 256: 63}),
		})
	}
	m := modelRow{
		arch: arch, meta: ofType(prefix),
		tensors: append(patches, numbers(emb+"position_embeddings.weight", reserved+positions, 4), numbers(enc+"rel_pos_bias.weight", 12, 32), numbers(enc+"rel_pos_x_bias.weight", 12, 64), numbers(enc+"rel_pos_y_bias.weight", 12, 64)),
		beside:  append(besideBert(prefix+"."), numbers(prefix+".cls_token", 1, 1, 4), numbers(prefix+".visual_proj.weight", 4, 256)),
		want:    []wantTable{absoluteTable(emb+"position_embeddings.weight", positions, reserved), headsFirstRow(bothTable(enc+"rel_pos_bias.weight", 12)), pageTable(enc + "rel_pos_x_bias.weight"), pageTable(enc + "rel_pos_y_bias.weight")},
	}
	for _, axis := range []string{"x", "y", "h", "w"} {
		m.tensors = append(m.tensors, numbers(emb+axis+"_position_embeddings.weight", 1024, 4))
		m.want = append(m.want, absoluteTable(emb+axis+"_position_embeddings.weight", 1024, 0))
	}
	for _, p := range patches {
		m.want = append(m.want, gridTable(p.name, 14, 14, 1))
	}
	return m
}

// windowModels have a bias for each offset inside a window of an image.
func windowModels() []modelRow {
	flat := func(h, w, sign int) func(qy, qx, ky, kx int) int {
		return func(qy, qx, ky, kx int) int { return (sign*(ky-qy)+h-1)*(2*w-1) + sign*(kx-qx) + w - 1 }
	}
	window := func(name string, h, w, heads, sign int) wantTable {
		return wantTable{name: name, kind: KindBias, axes: [][2]int{{1 - h, h - 1}, {1 - w, w - 1}}, heads: heads, cell: flat(h, w, sign)}
	}
	swin := func(arch, layer, table string) modelRow {
		return modelRow{
			arch: arch, tensors: []storedTensor{numbers(layer+table, 169, 3)},
			beside: []storedTensor{indices(layer+"relative_position_index", 49, 49), numbers("layers.0.blocks.1.attn_mask", 64, 49, 49), numbers(layer+"qkv.weight", 12, 4)},
			want:   []wantTable{window(layer+table, 7, 7, 3, -1)},
		}
	}
	beit := func(arch, layer string) modelRow {
		w := window(layer+"relative_position_bias_table", 14, 14, 12, -1)
		w.other = map[int]string{729: "from the class token", 730: "to the class token", 731: "class token"}
		return modelRow{
			arch: arch, tensors: []storedTensor{numbers(w.name, 732, 12)}, beside: append(besideViT(""), indices(layer+"relative_position_index", 197, 197), numbers("blocks.0.attn.q_bias", 4)),
			want: []wantTable{w},
		}
	}
	maps := func(arch, name string, side, heads int) modelRow {
		w := headsFirstRow(window(name, side, side, heads, 1))
		return modelRow{arch: arch, tensors: []storedTensor{numbers(name, heads, 2*side-1, 2*side-1)}, beside: []storedTensor{numbers("stages.0.blocks.0.conv.conv1_1x1.weight", 16, 4, 1, 1)}, want: []wantTable{w}}
	}
	mirrored := func(arch, name string, side, heads int) modelRow {
		w := headsFirstRow(window(name, side, side, heads, 1))
		w.alike = true
		w.cell = func(qy, qx, ky, kx int) int { return max(ky-qy, qy-ky)*side + max(kx-qx, qx-kx) }
		return modelRow{arch: arch, tensors: []storedTensor{numbers(name, heads, side*side)}, beside: []storedTensor{indices(name[:len(name)-len("attention_biases")]+"attention_bias_idxs", side*side, side*side)}, want: []wantTable{w}}
	}
	const table = "relative_position_bias_table"
	return []modelRow{
		swin("Swin", "layers.0.blocks.0.attn.", table),
		swin("Swin mm", "backbone.stages.0.blocks.0.attn.w_msa.", table),
		swin("Swin HF", "swin.encoder.layers.0.blocks.0.attention.self.", table),
		swin("Swin of old dumps", "layers.0.blocks.0.attn.", "rel_pos_embed_table"),
		beit("BEiT", "blocks.0.attn."),
		beit("BEiT shared", "rel_pos_bias."),
		beit("data2vec-vision", "data2vec_vision.encoder.layer.0.attention.attention.relative_position_bias."),
		beit("EVA", "visual.blocks.0.attn."),
		maps("MaxViT-TF", "stages.0.blocks.0.attn_block.attn.rel_pos."+table, 7, 2),
		maps("CoAtNet-TF", "stages.2.blocks.0.attn.rel_pos."+table, 14, 4),
		mirrored("LeViT", "blocks.0.m.attention_biases", 14, 4),
		mirrored("TinyViT", "layers.1.blocks.0.attn.attention_biases", 7, 4),
		mirrored("EfficientFormer", "stages.3.blocks.5.token_mixer.attention_biases", 7, 8),
		mirrored("EfficientViT-M", "blocks1.0.mixer.m.attn.attention_biases", 7, 4),
	}
}

// bucketSpots checks buckets by offset.
func bucketSpots(spots map[int]int) func(*testing.T, Table) {
	return func(t *testing.T, table Table) {
		b := table.(*Bias)
		if len(b.Axes) != 1 || len(b.Stored) != 1 || len(b.Stored[0].At) != b.Axes[0].Len() {
			t.Errorf("%s: axes %+v, stored as %+v", b.Tensor, b.Axes, b.Stored)
			return
		}
		for offset, want := range spots {
			if got := b.Stored[0].At[offset-b.Axes[0].Min]; got != want {
				t.Errorf("%s: offset %d is said to be bucket %d, want %d", b.Tensor, offset, got, want)
			}
		}
	}
}
