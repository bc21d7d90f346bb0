package posemb

// gridPresets have rows that follow a raster, behind 0, 1 or 2 prefix rows.
var gridPresets = []Preset{
	{
		Arch: "ViViT", Kind: KindAbsolute, Read: readVideo, Reserved: 1,
		Parts: []Pattern{"embeddings.position_embeddings"}, Fits: allOf(dims(3), anyOf(under("vivit"), model("vivit"))),
		Doc: "row 0 is the class token; the rest run over time, then over the rows and columns of a frame (16 x 14 x 14 as released)", Ref: "transformers, modeling_vivit.py",
	},
	{
		Arch: "AST", Also: []string{"Audio Spectrogram Transformer"}, Kind: KindAbsolute, Read: readGrid, Reserved: 2, Prefixed: true, GridRows: 12,
		Parts: []Pattern{"embeddings.position_embeddings|v.pos_embed"},
		Fits:  allOf(dims(3), anyOf(under("audio_spectrogram_transformer"), model("audio-spectrogram-transformer"), beside("v.dist_token"))),
		Doc:   "rows 0 and 1 are the class and distillation tokens, then 12 frequencies x times", Ref: "transformers, modeling_audio_spectrogram_transformer.py; YuanGongND/ast, src/models/ast_models.py",
	},
	{
		Arch: "YOLOS", Kind: KindAbsolute, Read: readGrid, Reserved: 1, Prefixed: true, Suffix: 100,
		Parts: []Pattern{"embeddings.position_embeddings|pos_embed"}, Fits: allOf(dims(3), anyOf(model("yolos"), beside("embeddings.detection_tokens|det_token"))),
		Doc: "row 0 is the class token, the last 100 rows are detection tokens", Ref: "transformers, modeling_yolos.py; hustvl/YOLOS, models/backbone.py",
	},
	{
		Arch: "YOLOS layers", Kind: KindAbsolute, Read: readGrid, Reserved: 1, Prefixed: true, Suffix: 100, Stacked: true,
		Parts: []Pattern{"mid_position_embeddings|mid_pos_embed"}, Fits: allOf(dims(4), anyOf(model("yolos"), beside("embeddings.detection_tokens|det_token"))),
		Doc: "[layers - 1, 1, rows, width]: a table behind each layer but the last, with the rows of the first one", Ref: "transformers, modeling_yolos.py; hustvl/YOLOS, models/backbone.py",
	},
	{
		Arch: "Perceiver", Also: []string{"Perceiver image"}, Kind: KindAbsolute, Read: readGrid, Prefixed: true,
		Parts: []Pattern{"input_preprocessor.position_embeddings.position_embeddings"}, Fits: dims(2),
		Doc: "row = pixel in raster order (224 x 224 as released); no class token", Ref: "transformers, modeling_perceiver.py (PerceiverTrainablePositionEncoding)",
	},
	{
		Arch: "Perceiver output", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"output_position_encodings.position_embeddings|position_encodings.position_embeddings"}, Fits: dims(2),
		Remark: "the decoder's queries, one an output: read as positions in a line; --grid HxW where they are pixels",
		Doc:    "row = output: a token of text, one row for a class", Ref: "transformers, modeling_perceiver.py (PerceiverBasicDecoder)",
	},
	{
		Arch: "SAM", Also: []string{"Segment Anything"}, Kind: KindAbsolute, Read: readGrid, Prefixed: true, RowMajor: true,
		Parts: []Pattern{"image_encoder.pos_embed|vision_encoder.pos_embed"}, Fits: dims(4),
		Doc: "stored as [1, rows, columns, width]; no class token", Ref: "facebookresearch/segment-anything, modeling/image_encoder.py",
	},
	{
		Arch: "Hiera", Also: []string{"SAM 2", "Hiera abswin"}, Kind: KindAbsolute, Read: readHiera,
		Parts: []Pattern{"pos_embed|pos_embed_abs", "pos_embed_window|pos_embed_win"}, Fits: dims(4),
		Doc: "[1, width, h, w] for the picture and [1, width, wh, ww] for a window: the model resizes the first and adds the second to each window (--grid HxW)",
		Ref: "facebookresearch/sam2, sam2/modeling/backbones/hieradet.py; timm, models/hiera.py",
	},
	{
		Arch: "Hiera space", Also: []string{"MAE-ST space", "MViT space", "torchvision MViT space"}, Kind: KindAbsolute, Read: readGrid, Prefixed: true,
		Parts: []Pattern{"pos_embed_spatial|decoder_pos_embed_spatial|pos_encoding.spatial_pos"}, Fits: dims(2, 3),
		Remark: "the same in every frame; a table of times (pos_embed_temporal) is added",
		Doc:    "the grid of a frame alone, no class token", Ref: "timm, models/hiera.py; facebookresearch/mae_st, models_mae.py",
	},
	{
		Arch: "MAE decoder", Kind: KindAbsolute, Read: readGrid,
		Parts: []Pattern{"decoder_pos_embed"}, Fits: dims(3),
		Doc: "row 0 is the class token, then the grid; a formula that is stored", Ref: "facebookresearch/mae, models_mae.py",
	},
	{
		Arch: "BEiT-3", Kind: KindAbsolute, Read: readGrid, Reserved: 3, Prefixed: true,
		Parts: []Pattern{"embed_positions.A.weight"},
		Doc:   "rows 0 and 1 are never used, row 2 is the class token, then the grid", Ref: "timm, vision_transformer.py",
	},
	{
		Arch: "SigLIP", Also: []string{"SigLIP 2", "Idefics2 image", "MiniCPM-V image"}, Kind: KindAbsolute, Read: readGrid, Prefixed: true,
		Parts: []Pattern{"embeddings.position_embedding.weight"},
		Fits: allOf(not(ofText), anyOf(model("siglip", "siglip_vision_model", "siglip2"),
			allOf(ofVision, squareAnd(0), not(sibling(2, "class_embedding")), not(model("clip", "clip_vision_model"))))),
		Doc: "the grid alone, no class token", Ref: "transformers, modeling_siglip.py",
	},
	{
		Arch: "Llama 4 vision", Kind: KindAbsolute, Read: readGrid, Prefixed: true, Suffix: 1,
		Parts: []Pattern{"positional_embedding_vlm"}, Fits: dims(2),
		Doc: "the grid, then the class token in the last row", Ref: "transformers, modeling_llama4.py",
	},
	{
		Arch: "CLIP vision", Also: []string{"OpenCLIP vision", "Kosmos-2 image", "BridgeTower image", "CogVLM image", "Molmo image", "Mllama image"}, Kind: KindAbsolute, Read: readGrid,
		Parts: []Pattern{"vision_model.embeddings.position_embedding.weight|visual.positional_embedding|attnpool.positional_embedding" +
			"|embeddings.position_embedding.weight|patch_embedding.position_embedding.weight|gated_positional_embedding.weight|image_vit.positional_embedding"},
		Fits: allOf(ofVision, not(ofText)),
		Doc:  "row 0 is the class token (in a ResNet's attnpool the mean token), then the grid", Ref: "openai/CLIP, clip/model.py; transformers, modeling_clip.py, modeling_mllama.py",
	},
	{
		Arch: "Qwen3-VL", Also: []string{"Qwen3-Omni image"}, Kind: KindAbsolute, Read: readGrid, Prefixed: true,
		Parts: []Pattern{"pos_embed.weight"}, Fits: allOf(dims(2), ofVision, squareAnd(0)),
		Remark: "brought to the size of each image, and beside rotary positions in each layer",
		Doc:    "the grid alone, no class token", Ref: "transformers, modeling_qwen3_vl.py",
	},
	{
		Arch: "MoonViT", Also: []string{"Kimi-VL image"}, Kind: KindAbsolute, Read: readGrid, Prefixed: true, RowMajor: true,
		Parts: []Pattern{"patch_embed.pos_emb.weight"}, Fits: dims(3),
		Remark: "brought to the size of each image, and beside rotary positions in each layer",
		Doc:    "stored as [rows, columns, width]; no class token", Ref: "vllm-project/vllm, vllm/model_executor/models/moonvit.py (Learnable2DInterpPosEmb)",
	},
	{
		Arch: "BLIP", Also: []string{"BLIP-2"}, Kind: KindAbsolute, Read: readGrid,
		Parts: []Pattern{"embeddings.position_embedding"}, Fits: dims(3),
		Doc: "row 0 is the class token, then the grid", Ref: "transformers, modeling_blip.py",
	},
	{
		Arch: "GGUF vision", Kind: KindAbsolute, Read: readGrid,
		Parts: []Pattern{"v.position_embd.weight"},
		Doc:   "row 0 is the class token where there is one, then the grid", Ref: "ggml-org/llama.cpp, gguf-py/gguf/constants.py",
	},
	{
		Arch: "ViT", Also: []string{"DeiT", "DINO", "DINOv2", "MAE", "ViT-MSN", "DPT", "vit-pytorch", "torchvision ViT", "LiT", "TimeSformer", "PVT", "CrossViT", "TNT"}, Kind: KindAbsolute, Read: readGrid,
		Parts: []Pattern{"pos_embed|pos_embed_abs|pos_embedding|embeddings.position_embeddings|position_embeddings|posembed_input.pos_embedding|posemb" +
			"|pos_embed1|pos_embed2|pos_embed3|pos_embed4|pos_embed_0|pos_embed_1|patch_pos|pixel_pos"},
		Fits: dims(3, 4),
		Doc:  "the class token first (DeiT's distillation token second), where the table has rows for them, then the grid",
		Ref:  "google-research/vision_transformer, vit_jax/models_vit.py; timm, vision_transformer.py",
	},
}
