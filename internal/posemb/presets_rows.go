package posemb

const bertName Pattern = "embeddings.position_embeddings.weight|embeddings.position_embeddings"

// rowPresets have one row a position, in order.
var rowPresets = []Preset{
	{
		Arch: "Longformer", Kind: KindAbsolute, Read: readRows, Reserved: 2, Padding: padIndex,
		Parts: []Pattern{bertName}, Fits: allOf(dims(2), anyOf(under("longformer"), model("longformer"))),
		Doc: "position p is row p+2", Ref: "transformers, modeling_longformer.py",
	},
	{
		Arch: "ESM", Also: []string{"ESM-1b", "ESM-2"}, Kind: KindAbsolute, Read: readRows, Reserved: 2, Padding: padIndex,
		Parts: []Pattern{bertName}, Fits: allOf(dims(2), anyOf(under("esm"), model("esm"))),
		Doc: "position p is row p+2; ESM-2 uses rotary positions and may still keep the table", Ref: "transformers, modeling_esm.py",
	},
	{
		Arch: "MPNet", Kind: KindAbsolute, Read: readRows, Reserved: 2, Padding: padIndex,
		Parts: []Pattern{bertName}, Fits: allOf(dims(2), anyOf(under("mpnet"), model("mpnet"))),
		Doc: "position p is row p+2; a T5-like bias stands beside", Ref: "transformers, modeling_mpnet.py",
	},
	{
		Arch: "Nystromformer", Kind: KindAbsolute, Read: readRows, Reserved: 2, Padding: padIndex,
		Parts: []Pattern{bertName}, Fits: allOf(dims(2), anyOf(under("nystromformer"), model("nystromformer"))),
		Doc: "position p is row p+2, though no row is padding", Ref: "transformers, modeling_nystromformer.py",
	},
	{
		Arch: "Perceiver text", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"input_preprocessor.position_embeddings.weight|embeddings.position_embeddings.weight"},
		Fits:  allOf(dims(2), anyOf(lastButTwo("input_preprocessor"), model("perceiver"))),
		Doc:   "row = position, of a byte", Ref: "transformers, modeling_perceiver.py (PerceiverTextPreprocessor)",
	},
	{
		Arch: "ProphetNet", Also: []string{"XLM-ProphetNet"}, Kind: KindAbsolute, Read: readRows, Padding: padAny,
		Parts:  []Pattern{"position_embeddings.weight"},
		Fits:   allOf(dims(2), anyOf(under("prophetnet"), model("prophetnet", "xlm-prophetnet"), beside("relative_pos_embeddings.weight"))),
		Unsaid: "none of the first rows is exactly zero: nothing is reserved; --reserved 1 leaves out the row of padding",
		Remark: "each layer adds a bias of 32 buckets of the offset, which a projection (relative_pos_embeddings) makes of the content: there is no table of it",
		Doc:    "position p is row p+padding_idx+1, where the row of padding_idx is exactly zero; the relative bias depends on the content", Ref: "transformers, modeling_prophetnet.py",
	},
	{
		Arch: "LayoutLM coordinates", Also: []string{"LayoutLMv2 coordinates", "LayoutLMv3 coordinates", "LiLT coordinates", "UDOP coordinates"}, Kind: KindAbsolute, Read: readRows,
		Parts:  []Pattern{"x_position_embeddings.weight|y_position_embeddings.weight|h_position_embeddings.weight|w_position_embeddings.weight"},
		Fits:   dims(2),
		Remark: "the rows are coordinates on the page, 0 to 1000, and no places of tokens",
		Doc:    "row = coordinate of a token's box (x, y) or its size (h, w), on a page of 1000 x 1000", Ref: "transformers, modeling_layoutlm.py, modeling_layoutlmv3.py",
	},
	{
		Arch: "RoBERTa", Also: []string{"XLM-R", "XLM-RoBERTa", "CamemBERT", "RoBERTa-PreLN", "Data2Vec-text", "MarkupLM", "LiLT", "LUKE", "X-MOD", "I-BERT",
			"XLM-R-XL", "XLM-RoBERTa-XL", "LayoutLMv3 text", "AltCLIP text", "BridgeTower text", "CLAP text"},
		Kind: KindAbsolute, Read: readRows, Reserved: 2, Padding: padIndex,
		Parts: []Pattern{bertName + "|layout_embeddings.box_position_embeddings.weight"},
		Fits: allOf(dims(2), anyOf(powerAnd(2),
			under("roberta", "xlm_roberta", "camembert", "roberta_prelayernorm", "data2vec_text", "markuplm", "lilt", "luke", "ibert", "layoutlmv3"),
			model("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "roberta-prelayernorm", "data2vec-text", "markuplm", "lilt", "luke", "xmod", "ibert", "layoutlmv3", "altclip", "bridgetower", "clap"))),
		Doc: "position p is row p+padding_idx+1; padding_idx is 1, and where another of the first rows is exactly zero, that one",
		Ref: "transformers, modeling_roberta.py; facebookresearch/fairseq#1187",
	},
	{
		Arch: "BERT", Also: []string{"ELECTRA", "ALBERT", "DistilBERT", "MobileBERT", "ERNIE", "SqueezeBERT", "ConvBERT", "RemBERT", "FNet", "BigBird", "LXMERT", "XLM",
			"TAPAS", "Splinter", "VisualBERT", "LayoutLM text", "LayoutLMv2 text", "Chinese-CLIP text", "CANINE"},
		Kind: KindAbsolute, Read: readRows, Padding: padIndex,
		Parts: []Pattern{bertName + "|position_embeddings.weight|char_position_embeddings.weight"}, Fits: dims(2),
		Doc: "row = position", Ref: "google-research/bert, modeling.py",
	},
	{
		Arch: "GPT-1", Also: []string{"OpenAI GPT"}, Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"positions_embed.weight"},
		Doc:   "row = position", Ref: "transformers, modeling_openai.py",
	},
	{
		Arch: "ImageGPT", Kind: KindAbsolute, Read: readGrid, Prefixed: true,
		Parts: []Pattern{"wpe.weight"}, Fits: anyOf(model("imagegpt"), under("imagegpt")),
		Remark: "the positions are pixels in raster order",
		Doc:    "row = pixel in raster order (32 x 32 as released)", Ref: "transformers, modeling_imagegpt.py",
	},
	{
		Arch: "GPT-2", Also: []string{"DistilGPT2", "nanoGPT", "GPT-Neo", "StarCoder", "GPT-BigCode"}, Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"wpe.weight|wpe"},
		Doc:   "row = position", Ref: "openai/gpt-2, model.py",
	},
	{
		Arch: "Decision Transformer", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"embed_timestep.weight"}, Fits: allOf(dims(2), beside("embed_return.weight|embed_state.weight")),
		Remark: "the rows are steps of an episode: the return, the state and the action of a step share one",
		Doc:    "row = step of the episode", Ref: "kzl/decision-transformer, gym/decision_transformer/models/decision_transformer.py; transformers, modeling_decision_transformer.py",
	},
	{
		Arch: "Bark", Also: []string{"CLVP"}, Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"position_embeds_layer.weight"}, Fits: dims(2),
		Doc: "row = position", Ref: "transformers, modeling_bark.py, modeling_clvp.py",
	},
	{
		Arch: "minGPT", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"pos_emb"}, Fits: dims(3),
		Doc: "row = position", Ref: "karpathy/minGPT, mingpt/model.py",
	},
	{
		Arch: "RoFormer", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"embed_positions.weight"}, Fits: allOf(dims(2), anyOf(under("roformer"), model("roformer"))),
		Remark: "rotary: each head's queries and keys are turned by the rows, which are not added to tokens",
		Doc:    "row = position: sines, then cosines of the angles by which pairs of components are turned", Ref: "transformers, modeling_roformer.py",
	},
	{
		Arch: "Whisper", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"encoder.positional_embedding|decoder.positional_embedding|encoder.embed_positions.weight|decoder.embed_positions.weight"},
		Fits:  anyOf(model("whisper"), beside("encoder.conv1.weight"), rows(448, 1500)),
		Doc:   "row = position; the encoder's table is a sinusoid formula that is stored", Ref: "openai/whisper, whisper/model.py",
	},
	{
		Arch: "OPT", Kind: KindAbsolute, Read: readRows, Reserved: 2,
		Parts: []Pattern{"decoder.embed_positions.weight"}, Fits: anyOf(model("opt"), rows(2050)),
		Doc: "position p is row p+2", Ref: "transformers, modeling_opt.py",
	},
	{
		Arch: "BART", Also: []string{"mBART", "PLBART", "MVP", "BioGPT", "TrOCR", "Florence-2"}, Kind: KindAbsolute, Read: readRows, Reserved: 2, Padding: padIndex,
		Parts: []Pattern{"embed_positions.weight"},
		Fits:  anyOf(powerAnd(2), multipleAnd(2), model("bart", "mbart", "plbart", "mvp", "biogpt", "trocr", "florence2")),
		Doc:   "position p is row p+2", Ref: "transformers, modeling_bart.py",
	},
	{
		Arch: "Blenderbot", Also: []string{"Blenderbot-small", "LED", "BigBird-Pegasus"}, Kind: KindAbsolute, Read: readRows,
		Parts:  []Pattern{"embed_positions.weight"},
		Fits:   anyOf(powerAnd(0), model("blenderbot", "blenderbot-small", "led", "bigbird_pegasus")),
		Unsaid: "nothing is reserved: BART's tables have 2 rows more",
		Doc:    "row = position: BART's code without its offset", Ref: "huggingface/transformers#5190",
	},
	{
		Arch: "fairseq", Kind: KindAbsolute, Read: readRows, Padding: padIndex,
		Parts:  []Pattern{"embed_positions.weight"},
		Unsaid: "none of the first rows is exactly zero: nothing is reserved; --reserved 2 leaves out what BART reserves",
		Doc:    "position p is row p+padding_idx+1, where the row of padding_idx is exactly zero", Ref: "facebookresearch/fairseq, modules/learned_positional_embedding.py",
	},
	{
		Arch: "SigLIP text", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"text_model.embeddings.position_embedding.weight"}, Fits: anyOf(model("siglip"), rows(64)),
		Doc: "row = position", Ref: "transformers, modeling_siglip.py",
	},
	{
		Arch: "CLIP text", Also: []string{"CLIP", "OpenCLIP text"}, Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"text_model.embeddings.position_embedding.weight|positional_embedding"},
		Fits:  allOf(dims(2), not(ofVision)),
		Doc:   "row = position", Ref: "openai/CLIP, clip/model.py",
	},
	{
		Arch: "TUPE", Kind: KindAbsolute, Read: readUntied, Reserved: 2,
		Parts: []Pattern{"pos.weight"}, Fits: allOf(dims(2), anyOf(beside("pos_q_linear.weight"), beside("pos_proj.weight"))),
		Remark: "not added to tokens: a score of two positions is made of their rows (pos_ln, pos_q_linear, pos_k_linear), which is not applied here",
		Doc:    "rows 0 and 1 serve [CLS], as query and as key; token p is row p+1", Ref: "guolinke/TUPE, fairseq/modules/transformer_sentence_encoder.py",
	},
	{
		Arch: "TimeSformer time", Also: []string{"Hiera time", "MAE-ST time", "torchvision MViT time"}, Kind: KindAbsolute, Read: readRows,
		Parts:  []Pattern{"time_embeddings|time_embed|pos_embed_temporal|decoder_pos_embed_temporal|pos_encoding.temporal_pos"},
		Fits:   allOf(dims(2, 3), beside("position_embeddings|pos_embed|pos_embed_spatial|decoder_pos_embed_spatial|pos_encoding.spatial_pos")),
		Remark: "the rows are frames of a video, added to every place of the frame",
		Doc:    "row = frame; the places of a frame have a table of their own", Ref: "facebookresearch/TimeSformer, timesformer/models/vit.py; transformers, modeling_timesformer.py",
	},
	{
		Arch: "big_vision text", Also: []string{"LiT text", "ImageBind text"}, Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"pos_embedding|pos_embed"}, Fits: allOf(dims(3), under("txt", "text")),
		Doc: "row = position of a token", Ref: "google-research/big_vision, models/proj/image_text/text_transformer.py; facebookresearch/ImageBind, imagebind/models/multimodal_preprocessors.py",
	},
	{
		Arch: "Pix2Struct", Also: []string{"Kosmos-2.5 image"}, Kind: KindAbsolute, Read: readRows, Reserved: 1,
		Parts:  []Pattern{"row_embedder.weight|column_embedder.weight"},
		Remark: "one axis of an image: a patch gets the vectors of its row and of its column, added",
		Doc:    "row or column p of the image is row p+1; row 0 is of padding", Ref: "transformers, modeling_pix2struct.py, image_processing_pix2struct.py",
	},
	{
		Arch: "NaViT", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"pos_embed_height|pos_embed_width"}, Fits: dims(2),
		Remark: "one axis of an image: a patch gets the vectors of its row and of its column, added",
		Doc:    "row = row or column of the image", Ref: "lucidrains/vit-pytorch, vit_pytorch/na_vit.py",
	},
	{
		Arch: "Reformer positions", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"position_embeddings.embedding.weight"}, Fits: dims(2),
		Doc: "row = position, where positions are not axial", Ref: "transformers, modeling_reformer.py (PositionEmbeddings)",
	},
	{
		Arch: "TransformerLens", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"pos_embed.W_pos"},
		Doc:   "row = position", Ref: "seen in files",
	},
	{
		Arch: "GGUF", Also: []string{"llama.cpp"}, Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"position_embd.weight"}, Fits: not(under("v")),
		Doc: "row = position: the converter has taken RoBERTa's reserved rows out", Ref: "ggml-org/llama.cpp, gguf-py/gguf/constants.py",
	},
	{
		Arch: "SASRec", Also: []string{"TiSASRec"}, Kind: KindAbsolute, Read: readRows, Padding: padFirst,
		Parts: []Pattern{"pos_emb.weight|abs_pos_K_emb.weight|abs_pos_V_emb.weight"},
		Fits:  anyOf(beside("item_emb.weight"), not(lastBut("pos_emb"))),
		Doc:   "row 0 is padding where it is exactly zero; else row = position", Ref: "pmixer/SASRec.pytorch, model.py",
	},
}

// learnedPresets are the names that many models share.
var learnedPresets = []Preset{
	{
		Arch: "buffer", Kind: KindAbsolute, Read: readRows,
		Parts: []Pattern{"pos_idx_to_embed|pos_encoder.pe|pos_encoding.pe|positional_encoding.pe|position_encoding.pe|pos_embed.pe|pos_emb.pe|positional_embedding.pe|position_embedding.pe"},
		Doc:   "row = position; as a rule a sinusoid formula that is stored", Ref: "pytorch/tutorials, transformer_tutorial",
	},
	{
		Arch: "learned", Kind: KindAbsolute, Read: readRows, Padding: padFirst,
		Parts: []Pattern{"pos_emb.weight|pos_emb.emb.weight|pos_embed.weight|pos_embs.weight|pos_embedding.weight|pos_embeddings.weight" +
			"|position_emb.weight|position_embed.weight|position_embedding.weight|positional_emb.weight|positional_embedding.weight|positional_embeddings.weight" +
			"|position_embedding_table.weight|positional_embedding_table.weight|learned_position_embeddings.weight|pos_encoder.weight|pos_encoding.weight|position_encoding.weight|positional_encoding.weight" +
			"|pos_emb|pos_embed|pos_embs|pos_embedding|pos_embeddings|position_embedding|position_embeddings|positional_embedding|positional_embeddings|position_encoding|positional_encoding|pos_encoding" +
			"|*pos_embedding.emb.weight|position.pe.weight|position_enc|pos_queries"},
		Doc: "row 0 is padding where it is exactly zero; else row = position", Ref: "seen in files",
	},
}
