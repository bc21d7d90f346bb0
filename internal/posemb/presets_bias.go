package posemb

const (
	flatWindow Pattern = "relative_position_bias_table|rel_pos_embed_table"

	hundredths  = "the offsets are hundredths of the page's width (dx) or height (dy), between the middles of two boxes"
	thousandths = "the offsets are thousandths of the page: of its width between left edges (dx), of its height between lower edges (dy)"
)

// biasPresets have a score an offset and head: those of windows, then those of
// buckets.
var biasPresets = []Preset{
	{
		Arch: "MaxViT", Also: []string{"CoAtNet"}, Kind: KindBias, Read: readWindow, Heads1st: true, Beyond: BeyondNone,
		Parts: []Pattern{flatWindow}, Fits: dims(3),
		Doc: "stored as [heads, 2h-1, 2w-1] by key - query", Ref: "timm, layers/pos_embed_rel.py",
	},
	{
		Arch: "NAT", Also: []string{"DiNAT"}, Kind: KindBias, Read: readWindow, Heads1st: true, Beyond: BeyondNone,
		Parts: []Pattern{"rpb"}, Fits: dims(3),
		Doc: "stored as [heads, 2k-1, 2k-1] by key - query, of a neighbourhood of k x k cells; in DiNAT of cells that are a dilation apart", Ref: "SHI-Labs/Neighborhood-Attention-Transformer, natten; transformers, modeling_dinat.py",
	},
	{
		Arch: "BEiT", Also: []string{"data2vec-vision", "EVA"}, Kind: KindBias, Read: readWindow, Reversed: true, Suffix: 3, Beyond: BeyondNone,
		Parts: []Pattern{flatWindow}, Fits: allOf(dims(2), evenOffsets),
		Doc: "as Swin, then 3 rows for the class token: to a patch, from a patch, to itself", Ref: "microsoft/unilm, beit/modeling_finetune.py",
	},
	{
		Arch: "Swin", Also: []string{"NGswin"}, Kind: KindBias, Read: readWindow, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{flatWindow}, Fits: dims(2),
		Doc: "row = (dy+h-1)(2w-1) + dx+w-1 with query - key; turned to key - query here", Ref: "microsoft/Swin-Transformer, models/swin_transformer.py",
	},
	{
		Arch: "LeViT", Also: []string{"TinyViT", "EfficientFormer", "EfficientViT-M"}, Kind: KindBias, Read: readMirrored, Beyond: BeyondNone,
		Parts: []Pattern{"attention_biases"},
		Doc:   "stored as heads x R*R; row = |dy| R + |dx|, the same in all directions", Ref: "facebookresearch/LeViT, levit.py",
	},
	{
		Arch: "T5X", Also: []string{"Flaxformer"}, Kind: KindBias, Read: readBuckets, Heads1st: true, Buckets: BucketRule{MaxDistance: 128},
		Parts: []Pattern{"relpos_bias.rel_embedding|rel_embedding"},
		Doc:   "stored as heads x buckets; the T5 rule", Ref: "google/flaxformer, components/relative_position_biases.py",
	},
	{
		Arch: "T5 Mesh", Kind: KindBias, Read: readBuckets, Heads1st: true, Buckets: BucketRule{MaxDistance: 128},
		Parts: []Pattern{"SelfAttention.relative_attention_bias"},
		Doc:   "stored as heads x buckets; the T5 rule", Ref: "tensorflow/mesh, transformer/transformer_layers.py",
	},
	{
		Arch: "UDOP", Kind: KindBias, Read: readBuckets, Buckets: BucketRule{Name: T5Both, MaxDistance: 128},
		Parts: []Pattern{"biases.0.relative_attention_bias.weight"},
		Doc:   "buckets x heads, both directions; offsets of tokens", Ref: "transformers, modeling_udop.py, RelativePositionBias1D",
	},
	{
		Arch: "UDOP 2-D", Kind: KindBias, Read: readPageBuckets, Buckets: BucketRule{Name: T5Both, MaxDistance: 100},
		Parts:  []Pattern{"biases.1.relative_attention_bias.weight|biases.2.relative_attention_bias.weight"},
		Remark: hundredths,
		Doc:    "buckets x heads, both directions; biases.1 is dx, biases.2 dy, of page positions 0..1 times 100", Ref: "transformers, modeling_udop.py, RelativePositionBiasHorizontal",
	},
	{
		Arch: "TUPE bias", Kind: KindBias, Read: readClassBuckets, Buckets: BucketRule{Name: T5Both, Buckets: 32, MaxDistance: 128},
		Parts: []Pattern{"relative_attention_bias.weight"}, Fits: anyOf(rows(33), beside("pos_q_linear.weight|pos_proj.weight")),
		Doc: "32 buckets x heads, both directions, shared by all layers; bucket 32 is from a token to [CLS], bucket 16 from [CLS]", Ref: "guolinke/TUPE, fairseq/modules/transformer_sentence_encoder.py",
	},
	{
		Arch: "WavLM", Also: []string{"BEATs"}, Kind: KindBias, Read: readBuckets, Buckets: BucketRule{Name: T5Both, MaxDistance: 800},
		Parts: []Pattern{"rel_attn_embed.weight|self_attn.relative_attention_bias.weight"}, Fits: anyOf(lastBut("rel_attn_embed"), rows(320), sibling(2, "grep_a")),
		Remark: "this is the bias before the gate that each query computes",
		Doc:    "320 buckets x heads, both directions; a gate computed from the query multiplies it later", Ref: "microsoft/unilm, wavlm/modules.py; transformers, modeling_wavlm.py",
	},
	{
		Arch: "MPNet bias", Kind: KindBias, Read: readBuckets, Buckets: BucketRule{Name: T5Both, MaxDistance: 128},
		Parts:  []Pattern{"encoder.relative_attention_bias.weight|sentence_encoder.relative_attention_bias.weight"},
		Remark: "all layers share this bias",
		Doc:    "buckets x heads, both directions", Ref: "transformers, modeling_mpnet.py, compute_position_bias",
	},
	{
		Arch: "LongT5 global", Kind: KindBias, Read: readBuckets, Buckets: BucketRule{Name: T5Both, MaxDistance: 128},
		Parts:  []Pattern{"global_relative_attention_bias.weight"},
		Remark: "the offsets count blocks of tokens (16 each, unless global_block_size says otherwise): from the query's own to the one that a global token sums up",
		Doc:    "buckets x heads, both directions, from a token to the global tokens", Ref: "transformers, modeling_longt5.py, compute_side_bias",
	},
	{
		Arch: "CPM-Bee", Kind: KindBias, Read: readSegmentBuckets, Buckets: BucketRule{Name: T5Both, Buckets: 256, MaxDistance: 2048},
		Parts: []Pattern{"position_bias.relative_attention_bias"}, Fits: anyOf(model("cpmbee"), rows(512)),
		Doc: "256 buckets x heads, both directions, shared by all layers; the rows behind are relations of segments", Ref: "transformers, modeling_cpmbee.py, CpmBeeBucketPositionBias",
	},
	{
		Arch: "CPM-Ant", Kind: KindBias, Read: readSegmentBuckets, Buckets: BucketRule{Name: T5Both, Buckets: 512, MaxDistance: 2048},
		Parts: []Pattern{"position_bias.relative_attention_bias"},
		Doc:   "512 buckets x heads, both directions, shared by all layers; the rows behind are pairs of segments", Ref: "transformers, modeling_cpmant.py, CpmAntSegmentPositionEmbedding",
	},
	{
		Arch: "T5", Also: []string{"mT5", "Flan-T5", "ByT5", "UMT5", "LongT5", "Switch", "Pop2Piano", "Pix2Struct decoder"}, Kind: KindBias, Read: readBuckets, Buckets: BucketRule{MaxDistance: 128},
		Parts: []Pattern{"relative_attention_bias.weight"},
		Doc:   "buckets x heads; both directions in an encoder, looking back only in a decoder; UMT5 has one in every layer, the others in the first", Ref: "transformers, modeling_t5.py",
	},
	{
		Arch: "GGUF T5", Kind: KindBias, Read: readBuckets, Buckets: BucketRule{MaxDistance: 128},
		Parts: []Pattern{"attn_rel_b.weight"},
		Doc:   "buckets x heads; the T5 rule, looking back only in dec.", Ref: "ggml-org/llama.cpp, gguf-py/gguf/constants.py",
	},
	{
		Arch: "LayoutLM", Also: []string{"LayoutLMv2", "LayoutLMv3"}, Kind: KindBias, Read: readBuckets, Heads1st: true, Buckets: BucketRule{Name: T5Both, MaxDistance: 128},
		Parts: []Pattern{"encoder.rel_pos_bias.weight"},
		Doc:   "stored as heads x 32 buckets; offsets of tokens", Ref: "transformers, modeling_layoutlmv3.py",
	},
	{
		Arch: "LayoutLM 2-D", Kind: KindBias, Read: readPageBuckets, Heads1st: true, Buckets: BucketRule{Name: T5Both, MaxDistance: 256},
		Parts:  []Pattern{"encoder.rel_pos_x_bias.weight|encoder.rel_pos_y_bias.weight"},
		Remark: thousandths,
		Doc:    "stored as heads x 64 buckets; offsets of boxes on the page, dx and dy by themselves", Ref: "transformers, modeling_layoutlmv3.py",
	},
	{
		Arch: "RETSim", Kind: KindBias, Read: readRotary, Vector: true, Endless: true, Beyond: BeyondEndless,
		Parts: []Pattern{"positional_encoding.a", "positional_encoding.b"},
		Doc:   "two vectors a and b, turned by rotary angles: bias = <R(query) a, R(key) b>", Ref: "LLukas22/retsim-pytorch",
	},
}
