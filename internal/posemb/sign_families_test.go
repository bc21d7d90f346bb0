package posemb

import "slices"

// layout is a family's own storage of a relative table: a tensor, and the element
// that a query and a key look up in it, of head 0 (or component 0).
type layout struct {
	arch   string
	name   string
	shape  []int
	axes   []string // what the dimensions are, as --axes has it
	index  func(q, k int) int
	beside []string // tensors that tell the family
	second *layout  // the tensor of dx beside this one of dy
}

const lineTokens = 20 // tokens of a line

var (
	vectorWords = []string{"offsets", "width"}
	headWords   = []string{"buckets", "heads"}
	headsFirst  = []string{"heads", "buckets"}
)

// bucketIndex looks up buckets x heads, or heads x buckets where heads is 0.
func bucketIndex(rule BucketRule, heads int) func(q, k int) int {
	return func(q, k int) int { return rule.Bucket(k-q) * max(heads, 1) }
}

func clip(v, lo, hi int) int { return min(max(v, lo), hi) }

// lineFamilies are the families of one axis, each by its own source's formula.
func lineFamilies() []layout {
	const n = lineTokens
	both, causal := BucketRule{T5Both, 32, 128}, BucketRule{T5Causal, 32, 128}
	return []layout{
		{arch: "BERT relative", name: "bert.encoder.layer.3.attention.self.distance_embedding.weight", shape: []int{2*n - 1, 4}, axes: vectorWords, index: func(q, k int) int { return (q - k + n - 1) * 4 }},
		{arch: "Wav2Vec2-BERT", name: "encoder.layers.3.self_attn.distance_embedding.weight", shape: []int{73, 4}, axes: vectorWords, index: func(q, k int) int { return (clip(k-q, -64, 8) + 64) * 4 }},
		{arch: "Granite Speech", name: "encoder.layers.3.attn.rel_pos_emb.weight", shape: []int{9, 4}, axes: vectorWords, beside: []string{"encoder.layers.3.attn.to_kv.weight"}, index: func(q, k int) int { return (clip(q-k, -4, 4) + 4) * 4 }},
		{arch: "T2T", name: "layer_3/self_attention/relative_positions_keys/embeddings", shape: []int{9, 4}, axes: vectorWords, index: func(q, k int) int { return (clip(k-q, -4, 4) + 4) * 4 }},
		{arch: "Music Transformer", name: "layer_3/key_relative_embeddings", shape: []int{n, 4}, axes: vectorWords, index: func(q, k int) int { return (n - 1 - max(q-k, 0)) * 4 }},
		{arch: "Music Transformer", name: "layer_4/key_relative_embeddings", shape: []int{3, n, 4}, axes: []string{"heads", "offsets", "width"}, index: func(q, k int) int { return (n - 1 - max(q-k, 0)) * 4 }},
		{arch: "VITS", name: "enc_p.encoder.attn_layers.3.emb_rel_k", shape: []int{1, 9, 4}, axes: vectorWords, index: func(q, k int) int { return (clip(k-q, -4, 4) + 4) * 4 }},
		{arch: "SpeechT5", name: "speecht5.encoder.wrapped_encoder.embed_positions.pe_k.weight", shape: []int{2 * n, 4}, axes: vectorWords, index: func(q, k int) int { return (clip(q-k, -n, n-1) + n) * 4 }},
		{arch: "DeBERTa", name: "deberta.encoder.rel_embeddings.weight", shape: []int{2 * n, 4}, axes: vectorWords, index: func(q, k int) int { return clip(q-k+n, 0, 2*n-1) * 4 }},
		{arch: "DeBERTa-v2", name: "deberta.encoder.rel_embeddings.weight", shape: []int{512, 4}, axes: vectorWords, index: func(q, k int) int { return (logBucket(q-k, 256, 512) + 256) * 4 }},
		{arch: "SAM relative", name: "image_encoder.blocks.2.attn.rel_pos_w", shape: []int{2*n - 1, 4}, axes: vectorWords, index: func(q, k int) int { return (q - k + n - 1) * 4 }},
		{arch: "MViTv2", name: "stages.0.blocks.2.attn.rel_pos_w", shape: []int{2*n - 1, 4}, axes: vectorWords, beside: []string{"stages.0.blocks.2.attn.pool_k.weight"}, index: func(q, k int) int { return (q - k + n - 1) * 4 }},
		{arch: "MViTv2 time", name: "blocks.2.attn.rel_pos_t", shape: []int{2*n - 1, 4}, axes: vectorWords, beside: []string{"blocks.2.attn.rel_pos_h"}, index: func(q, k int) int { return (q - k + n - 1) * 4 }},
		{arch: "BotNet", name: "stages.3.0.self_attn.pos_embed.width_rel", shape: []int{2*n - 1, 4}, axes: vectorWords, beside: []string{"stages.2.0.self_attn.kv.weight"}, index: func(q, k int) int { return (k - q + n - 1) * 4 }},
		{arch: "T5", name: "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "T5", name: "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(causal, 3)},
		{arch: "T5", name: "decoder.layer.0.self_attention.attention.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(causal, 3)},
		{arch: "T5 Mesh", name: "encoder/block_000/layer_000/SelfAttention/relative_attention_bias", shape: []int{3, 32}, axes: headsFirst, index: bucketIndex(both, 0)},
		{arch: "T5X", name: "target/encoder/relpos_bias/rel_embedding", shape: []int{3, 32}, axes: headsFirst, index: bucketIndex(both, 0)},
		{arch: "GGUF T5", name: "enc.blk.0.attn_rel_b.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "GGUF T5", name: "dec.blk.0.attn_rel_b.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(causal, 3)},
		{arch: "LongT5 global", name: "encoder.block.0.layer.0.TransientGlobalSelfAttention.global_relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "MPNet bias", name: "mpnet.encoder.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "MPNet bias", name: "decoder.sentence_encoder.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "TUPE bias", name: "decoder.sentence_encoder.relative_attention_bias.weight", shape: []int{33, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "CPM-Ant", name: "cpmant.position_bias.relative_attention_bias", shape: []int{516, 3}, axes: headWords, index: bucketIndex(BucketRule{T5Both, 512, 2048}, 3)},
		{arch: "CPM-Bee", name: "position_bias.relative_attention_bias", shape: []int{512, 3}, axes: headWords, index: bucketIndex(BucketRule{T5Both, 256, 2048}, 3)},
		{arch: "UDOP", name: "encoder.relative_bias.biases.0.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(both, 3)},
		{arch: "UDOP 2-D", name: "encoder.relative_bias.biases.1.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(BucketRule{T5Both, 32, 100}, 3)},
		{arch: "UDOP 2-D", name: "encoder.relative_bias.biases.2.relative_attention_bias.weight", shape: []int{32, 3}, axes: headWords, index: bucketIndex(BucketRule{T5Both, 32, 100}, 3)},
		{arch: "WavLM", name: "encoder.layers.0.attention.rel_attn_embed.weight", shape: []int{320, 3}, axes: headWords, index: bucketIndex(BucketRule{T5Both, 320, 800}, 3)},
		{arch: "WavLM", name: "encoder.layers.0.self_attn.relative_attention_bias.weight", shape: []int{320, 3}, axes: headWords, index: bucketIndex(BucketRule{T5Both, 320, 800}, 3)},
		{arch: "LayoutLM", name: "layoutlmv3.encoder.rel_pos_bias.weight", shape: []int{3, 32}, axes: headsFirst, index: bucketIndex(both, 0)},
		{arch: "LayoutLM", name: "layoutlmv2.encoder.rel_pos_bias.weight", shape: []int{3, 32}, axes: headsFirst, index: bucketIndex(both, 0)},
		{arch: "LayoutLM 2-D", name: "layoutlmv3.encoder.rel_pos_x_bias.weight", shape: []int{3, 64}, axes: headsFirst, index: bucketIndex(BucketRule{T5Both, 64, 256}, 0)},
		{arch: "LayoutLM 2-D", name: "layoutlmv2.encoder.rel_pos_y_bias.weight", shape: []int{3, 64}, axes: headsFirst, index: bucketIndex(BucketRule{T5Both, 64, 256}, 0)},
	}
}

const imageRows, imageCols = 3, 4 // tokens run along the rows of an image

// place is the row and column of a token.
func place(p int) (y, x int) { return p / imageCols, p % imageCols }

// flatIndex is Swin's index of a query and a key.
func flatIndex(q, k int) int {
	qy, qx := place(q)
	ky, kx := place(k)
	return (qy-ky+imageRows-1)*(2*imageCols-1) + qx - kx + imageCols - 1
}

// imageFamilies are the families of two axes, each by its own source's formula.
func imageFamilies() []layout {
	const h, w = imageRows, imageCols
	const flat = (2*h - 1) * (2*w - 1)
	swin := func(arch, name string, rows int) layout {
		return layout{arch: arch, name: name, shape: []int{rows, 2}, axes: []string{"offsets", "heads"}, index: func(q, k int) int { return flatIndex(q, k) * 2 }}
	}
	// decomposed gives the two tensors of a table, row by query, key and extent.
	decomposed := func(arch, nameY, nameX string, row func(q, k, side int) int) layout {
		x := layout{name: nameX, shape: []int{2*w - 1, 4}, index: func(q, k int) int {
			_, qx := place(q)
			_, kx := place(k)
			return row(qx, kx, w) * 4
		}}
		return layout{arch: arch, name: nameY, shape: []int{2*h - 1, 4}, axes: vectorWords, second: &x, index: func(q, k int) int {
			qy, _ := place(q)
			ky, _ := place(k)
			return row(qy, ky, h) * 4
		}}
	}
	queryKey := func(q, k, side int) int { return q - k + side - 1 }
	keyQuery := func(q, k, side int) int { return k - q + side - 1 }
	mvit := decomposed("MViTv2", "blocks.2.attn.rel_pos_h", "blocks.2.attn.rel_pos_w", queryKey)
	mvit.beside = []string{"blocks.2.attn.pool_k.weight"}
	return []layout{
		swin("Swin", "layers.1.blocks.3.attn.relative_position_bias_table", flat),
		swin("Swin", "backbone.stages.1.blocks.3.attn.w_msa.relative_position_bias_table", flat),
		swin("Swin", "swin.encoder.layers.1.blocks.3.attention.self.relative_position_bias_table", flat),
		swin("Swin", "layers.1.blocks.3.attn.rel_pos_embed_table", flat),
		swin("BEiT", "blocks.3.attn.relative_position_bias_table", flat+3),
		swin("BEiT", "rel_pos_bias.relative_position_bias_table", flat+3),
		{
			arch: "MaxViT", name: "stages.0.blocks.3.attn_block.attn.rel_pos.relative_position_bias_table", shape: []int{2, 2*h - 1, 2*w - 1},
			axes: []string{"heads", "dy", "dx"}, index: func(q, k int) int { return flatIndex(k, q) },
		},
		{
			arch: "NAT", name: "levels.0.blocks.3.attn.rpb", shape: []int{2, 2*h - 1, 2*w - 1},
			axes: []string{"heads", "dy", "dx"}, index: func(q, k int) int { return flatIndex(k, q) },
		},
		decomposed("SAM relative", "image_encoder.blocks.2.attn.rel_pos_h", "image_encoder.blocks.2.attn.rel_pos_w", queryKey),
		decomposed("BotNet", "stages.3.0.self_attn.pos_embed.height_rel", "stages.3.0.self_attn.pos_embed.width_rel", keyQuery),
		mvit,
	}
}

// source holds a layout with 1 at what each pair of a query and a key looks up, and
// 0 elsewhere; with words, each tensor's dimensions in that order.
func (l layout) source(pairs [][2]int, words []string) *memory {
	m := &memory{}
	for _, part := range []*layout{&l, l.second} {
		if part == nil {
			continue
		}
		size := 1
		for _, s := range part.shape {
			size *= s
		}
		data, shape := make([]float64, size), part.shape
		for _, p := range pairs {
			data[part.index(p[0], p[1])] = 1
		}
		if words != nil {
			data, shape = reordered(data, shape, l.axes, words)
		}
		m.holding(part.name, data, shape...)
	}
	for _, name := range l.beside {
		m.with(name, 1)
	}
	return m
}

// reordered stores dimensions that are called from in the order of to.
func reordered(data []float64, shape []int, from, to []string) ([]float64, []int) {
	for len(shape) > len(from) {
		shape = shape[1:]
	}
	var order, out []int
	for _, word := range to {
		at := slices.Index(from, word)
		order = append(order, at)
		out = append(out, shape[at])
	}
	return permuted(data, shape, order), out
}
