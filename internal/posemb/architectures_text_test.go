package posemb

import "math"

// besideBert are the tensors around BERT's positions that are none.
func besideBert(prefix string) []storedTensor {
	return []storedTensor{
		indices(prefix+"embeddings.position_ids", 1, 512),
		numbers(prefix+"embeddings.word_embeddings.weight", 30522, 4),
		numbers(prefix+"embeddings.token_type_embeddings.weight", 2, 4),
		numbers(prefix+"embeddings.LayerNorm.weight", 4),
		numbers(prefix+"encoder.layer.0.attention.self.query.weight", 4, 4),
		numbers(prefix+"encoder.layer.0.intermediate.dense.weight", 16, 4),
		numbers(prefix+"pooler.dense.weight", 4, 4),
	}
}

// bertLike is a model with BERT's names behind a prefix.
func bertLike(arch, prefix, model string, positions, reserved int) modelRow {
	name := prefix + "embeddings.position_embeddings.weight"
	table := numbers(name, reserved+positions, 4)
	if reserved > 0 {
		table = table.padded(1) // padding_idx
	}
	return modelRow{
		arch: arch, tensors: []storedTensor{table}, beside: besideBert(prefix), meta: ofType(model),
		want: []wantTable{absoluteTable(name, positions, reserved)},
	}
}

// textModels have a row a position of a text, in the way of BERT and RoBERTa.
func textModels() []modelRow {
	const bare = "embeddings.position_embeddings.weight"
	untyped := func(m modelRow) modelRow {
		m.meta = nil
		return m
	}
	rows := []modelRow{
		bertLike("BERT", "bert.", "bert", 512, 0),
		untyped(bertLike("BERT without a prefix", "", "", 512, 0)),
		bertLike("ELECTRA", "electra.", "electra", 512, 0),
		bertLike("ALBERT", "albert.", "albert", 512, 0),
		bertLike("DistilBERT", "distilbert.", "distilbert", 512, 0),
		bertLike("MobileBERT", "mobilebert.", "mobilebert", 512, 0),
		bertLike("ERNIE", "ernie.", "ernie", 512, 0),
		bertLike("SqueezeBERT", "transformer.", "squeezebert", 512, 0),
		bertLike("ConvBERT", "convbert.", "convbert", 512, 0),
		bertLike("Splinter", "splinter.", "splinter", 512, 0),
		bertLike("TAPAS", "tapas.", "tapas", 1024, 0),
		bertLike("RemBERT", "rembert.", "rembert", 512, 0),
		bertLike("VisualBERT", "visual_bert.", "visual_bert", 512, 0),
		bertLike("FNet", "fnet.", "fnet", 512, 0),
		bertLike("BigBird", "bert.", "big_bird", 4096, 0),
		{
			arch:    "BERT TF1",
			tensors: []storedTensor{numbers("bert/embeddings/position_embeddings", 512, 4)},
			beside: []storedTensor{
				numbers("bert/embeddings/position_embeddings/adam_m", 512, 4), numbers("bert/embeddings/position_embeddings/adam_v", 512, 4),
				numbers("bert/embeddings/word_embeddings", 30522, 4), numbers("bert/embeddings/token_type_embeddings", 2, 4),
				numbers("bert/encoder/layer_0/attention/self/query/kernel", 4, 4), indices("global_step"),
			},
			want: []wantTable{absoluteTable("bert/embeddings/position_embeddings", 512, 0)},
		},
		bertLike("RoBERTa", "roberta.", "roberta", 512, 2),
		untyped(bertLike("RoBERTa without a prefix", "", "", 512, 2)),
		bertLike("XLM-R", "roberta.", "xlm-roberta", 512, 2),
		bertLike("CamemBERT", "roberta.", "camembert", 512, 2),
		bertLike("XLM-R-XL", "roberta.", "xlm-roberta-xl", 512, 2),
		bertLike("RoBERTa-PreLN", "roberta_prelayernorm.", "roberta-prelayernorm", 512, 2),
		bertLike("Data2Vec-text", "data2vec_text.", "data2vec-text", 512, 2),
		bertLike("MarkupLM", "markuplm.", "markuplm", 512, 2),
		bertLike("LiLT", "lilt.", "lilt", 512, 2),
		bertLike("LUKE", "luke.", "luke", 512, 2),
		bertLike("X-MOD", "roberta.", "xmod", 512, 2),
		bertLike("I-BERT", "ibert.", "ibert", 512, 2),
		bertLike("AltCLIP text", "text_model.roberta.", "altclip", 512, 2),
		bertLike("BridgeTower text", "bridgetower.text_model.", "bridgetower", 512, 2),
		bertLike("CLAP text", "text_model.", "clap", 512, 2),
		{ // padding_idx is 3: only 510 positions are left of 514 rows
			arch:    "RoBERTa of rinna",
			tensors: []storedTensor{numbers("roberta."+bare, 514, 4).padded(3)}, beside: besideBert("roberta."), meta: ofType("roberta"),
			want: []wantTable{{name: "roberta." + bare, kind: KindAbsolute, positions: 510, reserved: 4, note: "row 3 is exactly zero"}},
		},
		{
			arch:    "RoBERTa fairseq",
			tensors: []storedTensor{numbers("decoder.sentence_encoder.embed_positions.weight", 514, 4).padded(1)},
			beside:  []storedTensor{numbers("decoder.sentence_encoder.embed_tokens.weight", 50265, 4), numbers("decoder.sentence_encoder.layers.0.self_attn.q_proj.weight", 4, 4), numbers("decoder.lm_head.weight", 50265, 4)},
			want:    []wantTable{absoluteTable("decoder.sentence_encoder.embed_positions.weight", 512, 2)},
		},
		bertLike("Longformer", "longformer.", "longformer", 4096, 2),
		{
			arch:    "ESM",
			tensors: []storedTensor{numbers("esm."+bare, 1026, 4).padded(1)},
			beside:  append(besideBert("esm."), numbers("esm.encoder.layer.0.attention.self.rotary_embeddings.inv_freq", 32), numbers("esm.contact_head.regression.weight", 1, 660)),
			meta:    ofType("esm"),
			want:    []wantTable{absoluteTable("esm."+bare, 1024, 2)},
		},
		{ // +2 though no row is padding: 512 rows, which alone would look like BERT's
			arch:    "Nystromformer",
			tensors: []storedTensor{numbers("nystromformer."+bare, 512, 4)}, beside: besideBert("nystromformer."), meta: ofType("nystromformer"),
			want: []wantTable{absoluteTable("nystromformer."+bare, 510, 2)},
		},
		{ // row 0 is zero by padding_idx 0, and yet the class token's
			arch:    "LXMERT",
			tensors: []storedTensor{numbers("bert."+bare, 512, 4).padded(0)}, beside: besideBert("bert."), meta: ofType("lxmert"),
			want: []wantTable{{name: "bert." + bare, kind: KindAbsolute, positions: 512, note: "row 0 is exactly zero"}},
		},
		{
			arch:    "ProphetNet",
			tensors: []storedTensor{numbers("prophetnet.encoder.position_embeddings.weight", 512, 4).padded(0), numbers("prophetnet.decoder.position_embeddings.weight", 512, 4).padded(0)},
			beside: []storedTensor{
				numbers("prophetnet.encoder.layers.0.self_attn.relative_pos_embeddings.weight", 512, 4), numbers("prophetnet.decoder.layers.0.self_attn.relative_pos_embeddings.weight", 512, 4),
				numbers("prophetnet.decoder.layers.0.self_attn.relative_pos_embeddings.bias", 512), numbers("prophetnet.word_embeddings.weight", 30522, 4), numbers("prophetnet.decoder.ngram_embeddings.weight", 2, 4),
			},
			meta: ofType("prophetnet"),
			want: []wantTable{absoluteTable("prophetnet.encoder.position_embeddings.weight", 511, 1), absoluteTable("prophetnet.decoder.position_embeddings.weight", 511, 1)},
		},
		{
			arch:    "Perceiver text",
			tensors: []storedTensor{numbers("perceiver.input_preprocessor.embeddings.position_embeddings.weight", 2048, 4), numbers("perceiver.decoder.output_position_encodings.position_embeddings", 2048, 4)},
			beside:  []storedTensor{numbers("perceiver.embeddings.latents", 256, 4), numbers("perceiver.input_preprocessor.embeddings.weight", 262, 4), numbers("perceiver.encoder.cross_attention.attention.self.query.weight", 4, 4)},
			meta:    ofType("perceiver"),
			want: []wantTable{
				absoluteTable("perceiver.input_preprocessor.embeddings.position_embeddings.weight", 2048, 0),
				{name: "perceiver.decoder.output_position_encodings.position_embeddings", kind: KindAbsolute, positions: 2048, anyGrid: true},
			},
		},
		{
			arch:    "Reformer",
			tensors: []storedTensor{numbers("reformer.embeddings.position_embeddings.weights.0", 128, 1, 1), numbers("reformer.embeddings.position_embeddings.weights.1", 1, 512, 3).filled(func(i int) float64 { return -float64(i + 1) })},
			beside:  []storedTensor{numbers("reformer.embeddings.word_embeddings.weight", 258, 4), numbers("reformer.encoder.layers.0.attention.self_attention.query_key.weight", 4, 4)},
			meta:    ofType("reformer"),
			want: []wantTable{{
				name: "reformer.embeddings.position_embeddings.weights.0", kind: KindAbsolute, positions: 128 * 512, anyGrid: true, computed: true,
				check: axialRows(512, 1, 3),
			}},
		},
	}
	for i := range rows {
		if rows[i].arch == "I-BERT" { // buffers of its quantised embedding
			rows[i].beside = append(rows[i].beside, numbers("ibert.embeddings.position_embeddings.weight_integer", 514, 4), numbers("ibert.embeddings.position_embeddings.weight_scaling_factor", 1))
		}
	}
	return rows
}

// towerModels have decoders, towers of two sides, or no table at all.
func towerModels() []modelRow {
	towers := func(arch, prefix, model string, rows, reserved int) modelRow {
		enc, dec := prefix+"encoder.embed_positions.weight", prefix+"decoder.embed_positions.weight"
		return modelRow{
			arch: arch, tensors: []storedTensor{numbers(enc, rows, 4), numbers(dec, rows, 4)}, meta: ofType(model),
			beside: []storedTensor{numbers(prefix+"shared.weight", 50265, 4), numbers(prefix+"encoder.layers.0.self_attn.q_proj.weight", 4, 4), numbers(prefix+"encoder.layernorm_embedding.weight", 4)},
			want:   []wantTable{absoluteTable(enc, rows-reserved, reserved), absoluteTable(dec, rows-reserved, reserved)},
		}
	}
	single := func(arch, name, model string, rows, reserved int, beside ...storedTensor) modelRow {
		m := modelRow{arch: arch, tensors: []storedTensor{numbers(name, rows, 4)}, beside: beside, want: []wantTable{absoluteTable(name, rows-reserved, reserved)}}
		if model != "" {
			m.meta = ofType(model)
		}
		return m
	}
	gpt := func(prefix string, n int) []storedTensor {
		return []storedTensor{
			numbers(prefix+"wte.weight", 50257, 4), numbers(prefix+"h.0.attn.bias", 1, 1, n, n), numbers(prefix + "h.0.attn.masked_bias"),
			numbers(prefix+"h.0.attn.c_attn.weight", 4, 12), numbers(prefix+"h.0.attn.c_attn.bias", 12), numbers(prefix+"h.0.mlp.c_fc.weight", 4, 16), numbers("lm_head.weight", 50257, 4),
		}
	}
	rotary := func(arch, model, words string, beside ...storedTensor) modelRow {
		return modelRow{
			arch: arch, meta: ofType(model), nothing: words,
			beside: append(beside, numbers("model.embed_tokens.weight", 32000, 4), numbers("model.layers.0.self_attn.q_proj.weight", 4, 4), numbers("lm_head.weight", 32000, 4)),
		}
	}
	fairseq := towers("fairseq learned", "", "", 1026, 2)
	fairseq.meta = nil
	for i := range fairseq.tensors {
		fairseq.tensors[i] = fairseq.tensors[i].padded(1)
	}
	led := towers("LED", "led.", "led", 16384, 0)
	led.tensors[1].shape, led.want[1].positions = []int{1024, 4}, 1024
	// Whisper's encoder has a formula: sines, then cosines, of p e^(-i ln(1e4)/(d/2-1)).
	const whisperWidth = 8
	formula := func(i int) float64 {
		p, j := float64(i/whisperWidth), i%whisperWidth
		angle := p * math.Exp(-float64(j%(whisperWidth/2))*math.Log(1e4)/(whisperWidth/2-1))
		if j < whisperWidth/2 {
			return math.Sin(angle)
		}
		return math.Cos(angle)
	}
	whisper := func(arch, enc, dec string, meta map[string]string) modelRow {
		return modelRow{
			arch: arch, tensors: []storedTensor{numbers(enc, 1500, whisperWidth).filled(formula), numbers(dec, 448, whisperWidth)}, meta: meta,
			beside: []storedTensor{numbers("model.encoder.conv1.weight", 8, 80, 3), numbers("model.decoder.embed_tokens.weight", 51865, 8)},
			want: []wantTable{
				{name: enc, kind: KindAbsolute, positions: 1500, note: "the rows are a sinusoid formula (concatenated, timescales): stored, not learned"},
				absoluteTable(dec, 448, 0),
			},
		}
	}
	return []modelRow{
		fairseq,
		single("OPT", "model.decoder.embed_positions.weight", "opt", 2050, 2, numbers("model.decoder.embed_tokens.weight", 50272, 4), numbers("model.decoder.layers.0.self_attn.q_proj.weight", 4, 4)),
		single("OPT without a prefix", "decoder.embed_positions.weight", "opt", 2050, 2, numbers("decoder.embed_tokens.weight", 50272, 4)),
		towers("BART", "model.", "bart", 1026, 2),
		towers("mBART", "model.", "mbart", 1026, 2),
		towers("PLBART", "model.", "plbart", 1026, 2),
		towers("MVP", "model.", "mvp", 1026, 2),
		towers("Florence-2 text", "language_model.model.", "florence2", 1026, 2),
		single("BioGPT", "biogpt.embed_positions.weight", "biogpt", 1026, 2, numbers("biogpt.embed_tokens.weight", 42384, 4)),
		{
			arch:    "TrOCR",
			tensors: []storedTensor{numbers("decoder.model.decoder.embed_positions.weight", 514, 4), numbers("encoder.embeddings.position_embeddings", 1, 577, 4)},
			beside:  []storedTensor{numbers("encoder.embeddings.cls_token", 1, 1, 4), numbers("decoder.model.decoder.embed_tokens.weight", 50265, 4)},
			meta:    ofType("vision-encoder-decoder"),
			want:    []wantTable{absoluteTable("decoder.model.decoder.embed_positions.weight", 512, 2), gridTable("encoder.embeddings.position_embeddings", 24, 24, 1)},
		},
		towers("Blenderbot", "model.", "blenderbot", 128, 0),
		towers("Blenderbot-small", "model.", "blenderbot-small", 512, 0),
		led,
		towers("BigBird-Pegasus", "model.", "bigbird_pegasus", 4096, 0),
		single("GPT-1", "transformer.positions_embed.weight", "openai-gpt", 512, 0, numbers("transformer.tokens_embed.weight", 40478, 4), numbers("transformer.h.0.attn.bias", 1, 1, 512, 512)),
		single("GPT-1 without a prefix", "positions_embed.weight", "", 512, 0, numbers("tokens_embed.weight", 40478, 4)),
		single("GPT-2", "wpe.weight", "", 1024, 0, gpt("", 1024)...),
		single("GPT-2 with a prefix", "transformer.wpe.weight", "gpt2", 1024, 0, gpt("transformer.", 1024)...),
		single("DistilGPT2", "transformer.wpe.weight", "gpt2", 1024, 0, gpt("transformer.", 1024)...),
		single("GPT-Neo", "transformer.wpe.weight", "gpt_neo", 2048, 0, numbers("transformer.h.0.attn.attention.bias", 1, 1, 2048, 2048), numbers("transformer.h.0.attn.attention.masked_bias"), numbers("transformer.wte.weight", 50257, 4)),
		single("StarCoder", "transformer.wpe.weight", "gpt_bigcode", 8192, 0, gpt("transformer.", 8192)...),
		single("Decision Transformer", "encoder.wpe.weight", "decision_transformer", 1024, 0, numbers("encoder.h.0.attn.bias", 1, 1, 1024, 1024), numbers("embed_state.weight", 4, 17)),
		{
			arch:    "ImageGPT",
			tensors: []storedTensor{numbers("transformer.wpe.weight", 1024, 4)}, beside: gpt("transformer.", 1024), meta: ofType("imagegpt"),
			want: []wantTable{gridTable("transformer.wpe.weight", 32, 32, 0)},
		},
		single("nanoGPT", "model._orig_mod.transformer.wpe.weight", "", 1024, 0,
			append(gpt("model._orig_mod.transformer.", 1024), numbers("optimizer.state.1.exp_avg", 1024, 4), numbers("optimizer.state.1.exp_avg_sq", 1024, 4))...),
		{
			arch: "minGPT", tensors: []storedTensor{numbers("pos_emb", 1, 128, 4)}, beside: []storedTensor{numbers("tok_emb.weight", 65, 4), numbers("blocks.0.attn.mask", 1, 1, 128, 128)},
			want: []wantTable{absoluteTable("pos_emb", 128, 0)},
		},
		rotary("LLaMA", "llama", "rotary: no learned position table", numbers("model.layers.0.self_attn.rotary_emb.inv_freq", 64)),
		rotary("GPT-J", "gptj", "rotary: no learned position table", numbers("transformer.h.0.attn.bias", 1, 1, 2048, 2048)),
		rotary("GPT-NeoX", "gpt_neox", "rotary: no learned position table", numbers("gpt_neox.layers.0.attention.rotary_emb.inv_freq", 12), numbers("gpt_neox.layers.0.attention.bias", 1, 1, 2048, 2048), numbers("gpt_neox.layers.0.attention.masked_bias")),
		rotary("Falcon", "falcon", "rotary: no learned position table", numbers("transformer.h.0.self_attention.maybe_rotary.inv_freq", 32)),
		rotary("BLOOM", "bloom", "ALiBi", numbers("h.0.self_attention.query_key_value.weight", 12, 4), numbers("word_embeddings.weight", 250880, 4)),
		rotary("MPT", "mpt", "ALiBi"),
		rotary("Baichuan-13B", "baichuan", "ALiBi"),
		{
			arch: "Jina-v2", meta: map[string]string{"general.architecture": "jina-bert-v2"}, nothing: "ALiBi",
			beside: []storedTensor{numbers("token_embd.weight", 30528, 4), numbers("token_types.weight", 2, 4), numbers("blk.0.attn_q.weight", 4, 4)},
		},
		rotary("M2M-100", "m2m_100", "sinusoid", numbers("model.encoder.layers.0.fc1.weight", 16, 4)),
		whisper("Whisper", "model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight", ofType("whisper")),
		whisper("Whisper OpenAI", "encoder.positional_embedding", "decoder.positional_embedding", nil),
		{
			arch: "CLIP", tensors: []storedTensor{numbers("positional_embedding", 77, 4), numbers("visual.positional_embedding", 50, 6)},
			beside: []storedTensor{numbers("token_embedding.weight", 49408, 4), numbers("visual.class_embedding", 6), numbers("visual.proj", 6, 4), numbers("text_projection", 4, 4), numbers("transformer.resblocks.0.attn.in_proj_weight", 12, 4), numbers("logit_scale")},
			want:   []wantTable{absoluteTable("positional_embedding", 77, 0), gridTable("visual.positional_embedding", 7, 7, 1)},
		},
		{
			arch: "CLIP ResNet", tensors: []storedTensor{numbers("positional_embedding", 77, 4), numbers("visual.attnpool.positional_embedding", 50, 6)},
			beside: []storedTensor{numbers("token_embedding.weight", 49408, 4), numbers("visual.attnpool.q_proj.weight", 6, 6)},
			want:   []wantTable{absoluteTable("positional_embedding", 77, 0), gridTable("visual.attnpool.positional_embedding", 7, 7, 1)},
		},
		{
			arch:    "CLIP HF",
			tensors: []storedTensor{numbers("text_model.embeddings.position_embedding.weight", 77, 4), numbers("vision_model.embeddings.position_embedding.weight", 257, 6)},
			beside:  []storedTensor{indices("text_model.embeddings.position_ids", 1, 77), indices("vision_model.embeddings.position_ids", 1, 257), numbers("text_model.embeddings.token_embedding.weight", 49408, 4), numbers("vision_model.embeddings.class_embedding", 6)},
			meta:    ofType("clip"),
			want:    []wantTable{absoluteTable("text_model.embeddings.position_embedding.weight", 77, 0), gridTable("vision_model.embeddings.position_embedding.weight", 16, 16, 1)},
		},
		{ // the converter has taken the reserved rows out, so none is reserved here
			arch: "GGUF XLM-R", meta: map[string]string{"general.architecture": "bert", "bert.context_length": "512"},
			tensors: []storedTensor{numbers("position_embd.weight", 512, 4)}, beside: []storedTensor{numbers("token_embd.weight", 250002, 4), numbers("token_types.weight", 1, 4), numbers("blk.0.attn_q.weight", 4, 4)},
			want: []wantTable{absoluteTable("position_embd.weight", 512, 0)},
		},
		{
			arch: "SASRec", tensors: []storedTensor{numbers("pos_emb.weight", 201, 4).padded(0)}, beside: []storedTensor{numbers("item_emb.weight", 3417, 4), numbers("attention_layers.0.in_proj_weight", 12, 4)},
			want: []wantTable{{name: "pos_emb.weight", kind: KindAbsolute, positions: 200, reserved: 1, note: "row 0 is exactly zero and taken as padding"}},
		},
		{
			arch: "TiSASRec", tensors: []storedTensor{numbers("abs_pos_K_emb.weight", 50, 4), numbers("abs_pos_V_emb.weight", 50, 4)}, beside: []storedTensor{numbers("item_emb.weight", 3417, 4)},
			want: []wantTable{absoluteTable("abs_pos_K_emb.weight", 50, 0), absoluteTable("abs_pos_V_emb.weight", 50, 0)},
		},
		single("TransformerLens", "pos_embed.W_pos", "", 1024, 0, numbers("embed.W_E", 50257, 4), numbers("blocks.0.attn.W_Q", 12, 4, 4), numbers("blocks.0.attn.mask", 1024, 1024)),
	}
}
