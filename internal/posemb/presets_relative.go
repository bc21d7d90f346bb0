package posemb

const behindProjection = "a row meets a query behind the layer's key projection, which is not applied here"

// vectorPresets have a vector an offset.
var vectorPresets = []Preset{
	{
		Arch: "Wav2Vec2-BERT", Also: []string{"SeamlessM4T-v2"}, Kind: KindVectors, Read: readOffsets, Span: spanUneven, Beyond: BeyondClipped,
		Parts: []Pattern{"self_attn.distance_embedding.weight"},
		Doc:   "row = clip(key - query, -64, 8) + 64", Ref: "transformers, modeling_wav2vec2_bert.py",
	},
	{
		Arch: "BERT relative", Also: []string{"relative_key", "relative_key_query"}, Kind: KindVectors, Read: readOffsets, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{"distance_embedding.weight"},
		Doc:   "row = query - key + n-1; one table a layer, shared by its heads", Ref: "transformers, modeling_bert.py",
	},
	{
		Arch: "T2T", Also: []string{"Shaw", "Tensor2Tensor"}, Kind: KindVectors, Read: readOffsets, Beyond: BeyondClipped,
		Parts: []Pattern{"relative_positions_keys.weight|relative_positions_values.weight|relative_positions_keys|relative_positions_values"},
		Doc:   "row = clip(key - query, -K, K) + K", Ref: "tensorflow/tensor2tensor, layers/common_attention.py",
	},
	{
		Arch: "Music Transformer", Kind: KindVectors, Read: readOffsets, Span: spanBack, Beyond: BeyondNone,
		Parts: []Pattern{"key_relative_embeddings"},
		Doc:   "the last row is offset 0, those before look back", Ref: "tensorflow/tensor2tensor, layers/common_attention.py",
	},
	{
		Arch: "VITS", Kind: KindVectors, Read: readOffsets, Beyond: BeyondZero,
		Parts: []Pattern{"emb_rel_k|emb_rel_v"},
		Doc:   "row = key - query + w; nothing outside the window", Ref: "transformers, modeling_vits.py",
	},
	{
		Arch: "SpeechT5", Kind: KindVectors, Read: readOffsets, Span: spanOpenPast, Reversed: true, Beyond: BeyondClipped,
		Parts: []Pattern{"embed_positions.pe_k.weight|pe_k.weight"},
		Doc:   "row = clip(query - key, -M, M-1) + M", Ref: "transformers, modeling_speecht5.py",
	},
	{
		Arch: "DeBERTa-v2", Also: []string{"DeBERTa-v3", "mDeBERTa", "SEW-D"}, Kind: KindVectors, Read: readLogBuckets, Beyond: BeyondNone,
		Parts:  []Pattern{"rel_embeddings.weight", "?LayerNorm.weight", "?LayerNorm.bias"},
		Fits:   anyOf(model("deberta-v2", "sew-d"), rows(512)),
		Remark: behindProjection,
		Doc:    "row = log bucket of query - key, + 256; row 0 is never used; the encoder's LayerNorm is applied", Ref: "transformers, modeling_deberta_v2.py",
	},
	{
		Arch: "DeBERTa", Kind: KindVectors, Read: readOffsets, Span: spanOpenPast, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{"rel_embeddings.weight"}, Remark: behindProjection,
		Doc: "row = clamp(query - key + K, 0, 2K-1); row 0 is offset K ahead, which K tokens never have", Ref: "transformers, modeling_deberta.py",
	},
	{
		Arch: "SAM relative", Also: []string{"ViTDet", "MViTv2", "SegGPT"}, Kind: KindVectors, Read: readOffsets, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{"attn.rel_pos_h|attn.rel_pos_w|rel_pos_h|rel_pos_w"},
		Doc:   "row = query - key + S-1 along one axis of the image, shared by the heads", Ref: "facebookresearch/segment-anything, modeling/image_encoder.py",
	},
	{
		Arch: "BotNet", Also: []string{"HaloNet"}, Kind: KindVectors, Read: readOffsets, Beyond: BeyondNone,
		Parts: []Pattern{"pos_embed.height_rel|pos_embed.width_rel"},
		Doc:   "row = key - query + S-1 along one axis of the image", Ref: "timm, layers/bottleneck_attn.py",
	},
}

const flatWindow Pattern = "relative_position_bias_table|rel_pos_embed_table"

// biasPresets have a score an offset and head.
var biasPresets = []Preset{
	{
		Arch: "MaxViT", Also: []string{"CoAtNet"}, Kind: KindBias, Read: readWindow, Heads1st: true, Beyond: BeyondNone,
		Parts: []Pattern{flatWindow}, Fits: dims(3),
		Doc: "stored as [heads, 2h-1, 2w-1] by key - query", Ref: "timm, layers/pos_embed_rel.py",
	},
	{
		Arch: "BEiT", Also: []string{"data2vec-vision", "EVA"}, Kind: KindBias, Read: readWindow, Reversed: true, Suffix: 3, Beyond: BeyondNone,
		Parts: []Pattern{flatWindow}, Fits: allOf(dims(2), evenRows),
		Doc: "as Swin, then 3 rows for the class token: to a patch, from a patch, to itself", Ref: "microsoft/unilm, beit/modeling_finetune.py",
	},
	{
		Arch: "Swin", Kind: KindBias, Read: readWindow, Reversed: true, Beyond: BeyondNone,
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
		Arch: "T5", Also: []string{"mT5", "Flan-T5", "ByT5", "UMT5", "LongT5", "Switch", "Pop2Piano", "UDOP", "MPNet bias"}, Kind: KindBias, Read: readBuckets, Buckets: BucketRule{MaxDistance: 128},
		Parts: []Pattern{"relative_attention_bias.weight"}, Fits: not(pageAxis),
		Doc: "buckets x heads; both directions in an encoder, looking back only in a decoder", Ref: "transformers, modeling_t5.py",
	},
	{
		Arch: "GGUF T5", Kind: KindBias, Read: readBuckets, Buckets: BucketRule{MaxDistance: 128},
		Parts: []Pattern{"attn_rel_b.weight"},
		Doc:   "buckets x heads; the T5 rule", Ref: "ggml-org/llama.cpp, gguf-py/gguf/constants.py",
	},
	{
		Arch: "WavLM", Kind: KindBias, Read: readBuckets, Buckets: BucketRule{Name: T5Both, MaxDistance: 800},
		Parts: []Pattern{"rel_attn_embed.weight"}, Remark: "this is the bias before the gate that each query computes",
		Doc: "320 buckets x heads, both directions; a gate computed from the query multiplies it later", Ref: "microsoft/unilm, wavlm/modules.py",
	},
	{
		Arch: "LayoutLM", Also: []string{"LayoutLMv2", "LayoutLMv3"}, Kind: KindBias, Read: readBuckets, Heads1st: true, Buckets: BucketRule{Name: T5Both, MaxDistance: 128},
		Parts: []Pattern{"encoder.rel_pos_bias.weight"},
		Doc:   "stored as heads x 32 buckets; offsets of tokens", Ref: "transformers, modeling_layoutlmv3.py",
	},
	{
		Arch: "LayoutLM 2-D", Kind: KindBias, Read: readBuckets, Heads1st: true, Buckets: BucketRule{Name: T5Both, MaxDistance: 256},
		Parts: []Pattern{"encoder.rel_pos_x_bias.weight|encoder.rel_pos_y_bias.weight"},
		Doc:   "stored as heads x 64 buckets; offsets of boxes on the page", Ref: "transformers, modeling_layoutlmv3.py",
	},
	{
		Arch: "RETSim", Kind: KindBias, Read: readRotary, Vector: true, Beyond: BeyondNone, Window: true,
		Parts: []Pattern{"positional_encoding.a", "positional_encoding.b"},
		Doc:   "two vectors a and b, turned by rotary angles: bias = <R(query) a, R(key) b>", Ref: "LLukas22/retsim-pytorch",
	},
}
