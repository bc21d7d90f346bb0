package posemb

const sinusoidBehind = "computed by the sinusoid of query - key (sines, then cosines) behind a learned projection, met by a learned vector"

// computedPresets are biases that are computed from weights: a small network, a
// convolution, a sinusoid behind a projection; and the learned tables that take the
// sinusoid's place in Transformer-XL.
var computedPresets = []Preset{
	{
		Arch: "Transformer-XL", Also: []string{"transfo-xl"}, Kind: KindBias, Read: readSinusoid, Span: spanBack, Reversed: true, Beyond: BeyondEndless, Endless: true,
		Parts: []Pattern{"r_net.weight|rel_attn.r.kernel", "^r_r_bias"}, Fits: dims(2),
		Doc: sinusoidBehind + "; looks back only", Ref: "kimiyoung/transformer-xl, pytorch/mem_transformer.py and tf/model.py",
	},
	{
		Arch: "Transformer-XL vectors", Kind: KindVectors, Read: readLearnedXL, Stacked: true, Beyond: BeyondClipped,
		Parts: []Pattern{"r_emb"}, Fits: allOf(dims(4), beside("r_bias")),
		Doc: "stored as layers x K x heads x width; the last row is offset 0, those before look back", Ref: "kimiyoung/transformer-xl, pytorch/mem_transformer.py (attn_type 1)",
	},
	{
		Arch: "Transformer-XL bias", Kind: KindBias, Read: readLearnedXL, Stacked: true, Beyond: BeyondClipped,
		Parts: []Pattern{"r_bias"}, Fits: allOf(dims(3), beside("r_emb")),
		Doc: "stored as layers x K x heads; the last row is offset 0, those before look back", Ref: "kimiyoung/transformer-xl, pytorch/mem_transformer.py (attn_type 1)",
	},
	{
		Arch: "XLNet", Kind: KindBias, Read: readSinusoid, Reversed: true, Beyond: BeyondEndless, Endless: true,
		Parts: []Pattern{"rel_attn.r|rel_attn.r.kernel", "^rel_attn.r_r_bias|r_r_bias"}, Fits: dims(3),
		Doc: sinusoidBehind, Ref: "zihangdai/xlnet, modeling.py; transformers, modeling_xlnet.py",
	},
	{
		Arch: "Funnel", Also: []string{"Funnel Transformer"}, Kind: KindBias, Read: readSinusoid, Reversed: true, Beyond: BeyondEndless, Endless: true,
		Parts: []Pattern{"attention.r_kernel", "^attention.r_r_bias"}, Fits: dims(3),
		Doc: sinusoidBehind + "; offsets of the input's tokens, of which a pooled block B has each 2^B-th", Ref: "transformers, modeling_funnel.py",
	},
	{
		Arch: "Conformer", Also: []string{"Wav2Vec2-Conformer", "SeamlessM4T", "FastSpeech2Conformer", "Parakeet", "NeMo Conformer", "ESPnet Conformer"},
		Kind: KindBias, Read: readInterleaved, Reversed: true, Beyond: BeyondEndless, Endless: true,
		Parts: []Pattern{"linear_pos.weight|linear_pos.kernel|relative_k_proj.weight", "^pos_bias_v|bias_v"},
		Fits:  allOf(dims(2), not(beside("pos_bias_v_scale"))), // icefall scales both by parameters of their own
		Doc:   "as Transformer-XL, to both sides, with sines and cosines in turn; WeNet has the same names, but may leave out the shift that makes the positions relative",
		Ref:   "transformers, modeling_wav2vec2_conformer.py and modeling_parakeet.py; wenet-e2e/wenet, transformer/attention.py",
	},
	{
		Arch: "wav2vec 2.0", Also: []string{"wav2vec2", "HuBERT", "UniSpeech", "SEW", "pos_conv"}, Kind: KindBias, Read: readConv, Beyond: BeyondZero,
		Parts: []Pattern{
			"pos_conv_embed.conv.weight_v|pos_conv_embed.conv.parametrizations.weight.original1|pos_conv.0.weight_v|pos_conv.0.parametrizations.weight.original1",
			"pos_conv_embed.conv.weight_g|pos_conv_embed.conv.parametrizations.weight.original0|pos_conv.0.weight_g|pos_conv.0.parametrizations.weight.original0",
		},
		Fits: dims(3),
		Doc:  "a convolution over time, stored as channels x channels of a group x taps: the energy of each group of channels at each tap; tap = key - query + taps/2",
		Ref:  "facebookresearch/fairseq, models/wav2vec/wav2vec2.py; transformers, modeling_wav2vec2.py",
	},
	{
		Arch: "data2vec-audio", Also: []string{"fused pos_conv"}, Kind: KindBias, Read: readConv, Beyond: BeyondZero,
		Parts: []Pattern{"pos_conv_embed.conv.weight|pos_conv_embed.layers.*.conv.weight|pos_conv.*.0.weight"}, Fits: dims(3),
		Doc: "as wav2vec 2.0, without weight norm or with it worked in; data2vec has several, one behind the other", Ref: "transformers, modeling_data2vec_audio.py",
	},
	{
		Arch: "Swin v2", Also: []string{"Swin2SR", "torchvision Swin v2"}, Kind: KindBias, Read: readNetwork, Reversed: true, Beyond: BeyondNone,
		Parts: []Pattern{
			"cpb_mlp.0.weight|continuous_position_bias_mlp.0.weight", "cpb_mlp.0.bias|continuous_position_bias_mlp.0.bias", "cpb_mlp.2.weight|continuous_position_bias_mlp.2.weight",
			"?relative_coords_table", "?relative_position_index", "?cpb_mlp.2.bias|continuous_position_bias_mlp.2.bias",
		},
		Doc: "16 sigmoid(network) of the logarithms of query - key along both axes of a window; turned to key - query here", Ref: "microsoft/Swin-Transformer, models/swin_transformer_v2.py",
	},
}
