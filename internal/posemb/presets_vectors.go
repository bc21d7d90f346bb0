package posemb

const behindProjection = "each layer projects the rows before a query meets them, as it does keys: that is not applied here"

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
		Arch: "Granite Speech", Also: []string{"lucidrains Conformer"}, Kind: KindVectors, Read: readOffsets, Reversed: true, Beyond: BeyondClipped,
		Parts: []Pattern{"rel_pos_emb.weight"}, Fits: allOf(dims(2), sibling(2, "to_kv.weight")),
		Doc: "row = clip(query - key, -K, K) + K; Granite clips at its context_size, which may be less", Ref: "lucidrains/conformer, conformer/conformer.py; transformers, modeling_granite_speech.py",
	},
	{
		Arch: "T2T", Also: []string{"Shaw", "Tensor2Tensor"}, Kind: KindVectors, Read: readOffsets, Beyond: BeyondClipped,
		Parts: []Pattern{"relative_positions_keys.weight|relative_positions_values.weight|relative_positions_keys|relative_positions_values"},
		Doc:   "row = clip(key - query, -K, K) + K", Ref: "tensorflow/tensor2tensor, layers/common_attention.py",
	},
	{
		Arch: "Music Transformer", Kind: KindVectors, Read: readOffsets, Span: spanBack, Beyond: BeyondNone,
		Parts: []Pattern{"key_relative_embeddings|value_relative_embeddings"},
		Doc:   "the last row is offset 0, those before look back; with three dimensions heads x rows x width", Ref: "tensorflow/tensor2tensor, layers/common_attention.py, get_relative_embeddings_left",
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
		Arch: "DeBERTa-v2", Also: []string{"DeBERTa-v3", "mDeBERTa", "SEW-D"}, Kind: KindVectors, Read: readLogBuckets, Reversed: true, Beyond: BeyondNone,
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
		Arch: "MViTv2", Also: []string{"MViT"}, Kind: KindVectors, Read: readDecomposed, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{"rel_pos_h|rel_pos_w", "?rel_pos_w"}, Fits: sibling(1, "pool_k.weight|pool_k.pool.weight"),
		Remark: "in a layer that pools its keys by s, a query's own cell is at s-1 along both axes, not at 0: the file does not say s",
		Doc:    "row = query - key + S-s along each axis of the image, in cells of the query, keys pooled by s; read with s = 1", Ref: "facebookresearch/mvit, mvit/models/attention.py, cal_rel_pos_spatial",
	},
	{
		Arch: "MViTv2 time", Kind: KindVectors, Read: readDecomposed, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{"rel_pos_t"}, Fits: sibling(1, "rel_pos_h"),
		Doc: "row = query - key + T-1 along a video's time", Ref: "facebookresearch/SlowFast, slowfast/models/attention.py, cal_rel_pos_temporal",
	},
	{
		Arch: "SAM relative", Also: []string{"ViTDet", "SegGPT"}, Kind: KindVectors, Read: readDecomposed, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{"rel_pos_h|rel_pos_w", "?rel_pos_w"},
		Doc:   "row = query - key + S-1 along each axis of the image, shared by the heads; the vector of (dy, dx) is the sum of both", Ref: "facebookresearch/segment-anything, modeling/image_encoder.py, add_decomposed_rel_pos",
	},
	{
		Arch: "HaloNet", Kind: KindVectors, Read: readHalo, Beyond: BeyondNone,
		Parts: []Pattern{"pos_embed.height_rel|pos_embed.width_rel", "?pos_embed.width_rel"}, Fits: sibling(2, "kv.weight"),
		Remark: "in a layer of stride 2, which the file does not tell, queries stand in every second cell: its rows are no offsets between cells",
		Doc:    "row = key - query + S-1 + halo along each axis, of windows of S = block + 2 halo; the vector of (dy, dx) is the sum of both", Ref: "timm, layers/halo_attn.py",
	},
	{
		Arch: "BotNet", Kind: KindVectors, Read: readDecomposed, Beyond: BeyondNone,
		Parts: []Pattern{"pos_embed.height_rel|pos_embed.width_rel", "?pos_embed.width_rel"},
		Doc:   "row = key - query + S-1 along each axis of the image; the vector of (dy, dx) is the sum of both", Ref: "timm, layers/bottleneck_attn.py",
	},
}
