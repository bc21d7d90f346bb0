package posemb

import (
	"fmt"
	"math"
	"testing"
)

// computedModels store no table: a bias is computed from a network, a sinusoid
// behind a projection, or a convolution.
func computedModels() []modelRow {
	rows := []modelRow{
		swinV2Row("Swin v2", false),
		swinV2Row("Swin v2 with a second bias", true),
		xl("Wav2Vec2-Conformer", "wav2vec2_conformer.encoder.layers.0.self_attn.", "linear_pos.weight", "pos_bias_v", 128, numbers("wav2vec2_conformer.encoder.layers.0.self_attn.pos_bias_u", xlHeads, xlWidth)),
		xl("Transformer-XL", "transformer.layers.0.dec_attn.", "r_net.weight", "r_r_bias", 0, numbers("transformer.layers.0.dec_attn.r_w_bias", xlHeads, xlWidth), numbers("transformer.word_emb.emb_layers.0.weight", 100, 8)),
		xl("XLNet", "transformer.layer.0.rel_attn.", "r", "r_r_bias", 128,
			numbers("transformer.layer.0.rel_attn.r_w_bias", xlHeads, xlWidth), numbers("transformer.layer.0.rel_attn.r_s_bias", xlHeads, xlWidth), numbers("transformer.layer.0.rel_attn.seg_embed", 2, xlHeads, xlWidth),
			numbers("transformer.layer.0.rel_attn.q", 8, xlHeads, xlWidth), numbers("transformer.word_embedding.weight", 32000, 8), numbers("transformer.mask_emb", 1, 1, 8)),
		xl("Funnel", "funnel.encoder.blocks.0.0.attention.", "r_kernel", "r_r_bias", 128,
			numbers("funnel.encoder.blocks.0.0.attention.r_w_bias", xlHeads, xlWidth), numbers("funnel.encoder.blocks.0.0.attention.r_s_bias", xlHeads, xlWidth), numbers("funnel.encoder.blocks.0.0.attention.seg_embed", 2, xlHeads, xlWidth),
			numbers("funnel.embeddings.word_embeddings.weight", 30522, 8)),
		tiedXL(), xlnetTF(),
	}
	for _, m := range []struct{ arch, g, v string }{
		{"wav2vec2", "wav2vec2.encoder.pos_conv_embed.conv.weight_g", "wav2vec2.encoder.pos_conv_embed.conv.weight_v"},
		{"HuBERT", "hubert.encoder.pos_conv_embed.conv.weight_g", "hubert.encoder.pos_conv_embed.conv.weight_v"},
		{"WavLM's convolution", "wavlm.encoder.pos_conv_embed.conv.weight_g", "wavlm.encoder.pos_conv_embed.conv.weight_v"},
		{"UniSpeech", "unispeech.encoder.pos_conv_embed.conv.weight_g", "unispeech.encoder.pos_conv_embed.conv.weight_v"},
		{"wav2vec2 by parametrizations", "wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original0", "wav2vec2.encoder.pos_conv_embed.conv.parametrizations.weight.original1"},
		{"wav2vec2 fairseq", "encoder.pos_conv.0.weight_g", "encoder.pos_conv.0.weight_v"},
	} {
		rows = append(rows, posConv(m.arch, m.g, m.v))
	}
	return rows
}

// swinV2 has a network of the offset: 16 s(W2 relu(W1 c + b1) [+ b2]), where c is, for
// each axis, sign(x) log2(1 + |8x/(w-1)|) / log2 8 of query - key.
func swinV2Row(arch string, second bool) modelRow {
	const layer, side, hidden, heads = "layers.0.blocks.0.attn.", 8, 512, 3
	const span = 2*side - 1
	coordinate := func(x int) float64 {
		return math.Copysign(math.Log2(1+math.Abs(8*float64(x)/(side-1)))/3, float64(x))
	}
	w1 := func(i int) float64 { return math.Sin(float64(3*i + 1)) }
	b1 := func(i int) float64 { return math.Cos(float64(5*i)) / 4 }
	w2 := func(i int) float64 { return math.Sin(float64(7*i+2)) / 16 }
	b2 := func(i int) float64 { return float64(i) / 2 }
	m := modelRow{
		arch: arch,
		tensors: []storedTensor{
			numbers(layer+"cpb_mlp.0.weight", hidden, 2).filled(w1), numbers(layer+"cpb_mlp.0.bias", hidden).filled(b1), numbers(layer+"cpb_mlp.2.weight", heads, hidden).filled(w2),
			numbers(layer+"relative_coords_table", 1, span, span, 2).filled(func(i int) float64 {
				if y := i / 2 / span; i%2 == 0 {
					return coordinate(y - (side - 1))
				}
				return coordinate(i/2%span - (side - 1))
			}),
		},
		beside: []storedTensor{numbers(layer+"logit_scale", heads, 1, 1), numbers(layer+"q_bias", 4), numbers(layer+"qkv.weight", 12, 4), numbers("layers.0.blocks.0.mlp.fc1.weight", 16, 4)},
	}
	if second {
		m.tensors = append(m.tensors, numbers(layer+"cpb_mlp.2.bias", heads).filled(b2))
	}
	m.want = []wantTable{{
		name: layer + "cpb_mlp.0.weight", kind: KindBias, axes: [][2]int{{1 - side, side - 1}, {1 - side, side - 1}}, heads: heads, computed: true,
		check: func(t *testing.T, table Table) {
			b := table.(*Bias)
			for i := range span * span {
				dy, dx := i/span-(side-1), i%span-(side-1) // key - query
				for h := range heads {
					sum := 0.0
					if second {
						sum = b2(h)
					}
					for j := range hidden {
						sum += w2(h*hidden+j) * max(w1(2*j)*coordinate(-dy)+w1(2*j+1)*coordinate(-dx)+b1(j), 0)
					}
					if got, want := b.Scores.At(i, h), 16/(1+math.Exp(-sum)); math.Abs(got-want) > 1e-9 {
						t.Errorf("offset (%d, %d), head %d is %v, want %v", dy, dx, h, got, want)
						return
					}
				}
			}
		},
	}}
	return m
}

// Heads of the XL family's rows, and their width.
const xlHeads, xlWidth = 2, 4

// xl has a projection of the sinusoid of query - key, and a vector v a head: its bias
// is v W R. Here W is the identity and v of head 0 picks the first component, which
// is sin(query - key) in every layout. The table reaches ahead positions ahead.
func xl(arch, layer, projection, v string, ahead int, beside ...storedTensor) modelRow {
	const d = xlHeads * xlWidth
	w := numbers(layer+projection, d, d)
	if len(projection) > 0 && projection[0] == 'r' && projection != "r_net.weight" { // a parameter of three dimensions
		w = numbers(layer+projection, d, xlHeads, xlWidth)
	}
	return modelRow{
		arch: arch, tensors: []storedTensor{w.filled(identity(d)), numbers(layer+v, xlHeads, xlWidth).filled(firstOf(xlWidth))}, beside: beside,
		want: []wantTable{xlTable(layer+projection+"|"+layer+v, ahead)},
	}
}

// identity is a square matrix with ones on the diagonal.
func identity(d int) func(i int) float64 {
	return func(i int) float64 {
		if i/d == i%d {
			return 1
		}
		return 0
	}
}

// firstOf is 1 in the first of every so many elements.
func firstOf(width int) func(i int) float64 {
	return func(i int) float64 {
		if i%width == 0 {
			return 1
		}
		return 0
	}
}

// xlTable is a computed bias whose head 0 is the sine of query - key, to a positive
// factor.
func xlTable(name string, ahead int) wantTable {
	return wantTable{
		name: name, kind: KindBias, axes: [][2]int{{-128, ahead}}, heads: xlHeads, computed: true,
		check: func(t *testing.T, table Table) {
			b := table.(*Bias)
			factor := b.Scores.At(127, 0) / math.Sin(1) // at offset -1
			if !(factor > 1e-6) {
				t.Errorf("%s: %v at offset -1, want what sin(1) is the sign of", b.Tensor, b.Scores.At(127, 0))
			}
			for i := range b.Axes[0].Len() {
				if got, want := b.Scores.At(i, 0), factor*math.Sin(float64(128-i)); math.Abs(got-want) > 1e-6 {
					t.Errorf("%s: offset %d is %v, want %v", b.Tensor, i-128, got, want)
					return
				}
			}
		},
	}
}

// tiedXL shares the vectors among the layers.
func tiedXL() modelRow {
	const d = xlHeads * xlWidth
	m := modelRow{
		arch: "Transformer-XL tied", tensors: []storedTensor{numbers("r_r_bias", xlHeads, xlWidth).filled(firstOf(xlWidth))},
		beside: []storedTensor{numbers("r_w_bias", xlHeads, xlWidth), numbers("word_emb.emb_layers.0.weight", 100, 8), numbers("layers.0.dec_attn.qkv_net.weight", 24, 8)},
	}
	for _, layer := range []string{"layers.0.", "layers.1."} {
		name := layer + "dec_attn.r_net.weight"
		m.tensors = append(m.tensors, numbers(name, d, d).filled(identity(d)))
		m.want = append(m.want, xlTable(name, 0))
	}
	return m
}

// xlnetTF has the vectors of all layers in one tensor.
func xlnetTF() modelRow {
	const d, layers = xlHeads * xlWidth, 2
	const v = "model/transformer/r_r_bias"
	m := modelRow{
		arch: "XLNet TF", tensors: []storedTensor{numbers(v, layers, xlHeads, xlWidth).filled(firstOf(xlWidth))},
		beside: []storedTensor{numbers("model/transformer/r_w_bias", layers, xlHeads, xlWidth), numbers("model/transformer/word_embedding/lookup_table", 32000, 8), numbers("model/transformer/layer_0/rel_attn/q/kernel", 8, xlHeads, xlWidth)},
	}
	for i, layer := range []string{"layer_0", "layer_1"} {
		name := "model/transformer/" + layer + "/rel_attn/r/kernel"
		m.tensors = append(m.tensors, numbers(name, d, xlHeads, xlWidth).filled(identity(d)))
		m.want = append(m.want, xlTable(name+"|"+fmt.Sprintf("%s[%d]", v, i), 128))
	}
	return m
}

// posConv has a convolution over time, its weight normalised a tap at a time: the
// weight is g v / |v|, its energy at tap t the score of offset t - 64.
func posConv(arch, g, v string) modelRow {
	const width, groups, taps = 32, 16, 128
	const each = width / groups
	scale := func(tap int) float64 { return 1 + float64(tap*37%taps) }
	value := func(i int) float64 { return math.Sin(float64(i)) }
	return modelRow{
		arch: arch, tensors: []storedTensor{numbers(g, 1, 1, taps).filled(scale), numbers(v, width, each, taps).filled(value)},
		beside: []storedTensor{numbers("feature_projection.projection.weight", 4, 512), numbers("encoder.layers.0.attention.q_proj.weight", 4, 4), numbers("masked_spec_embed", 4)},
		want: []wantTable{{
			name: g + "|" + v, kind: KindBias, axes: [][2]int{{-64, 63}}, heads: groups,
			check: func(t *testing.T, table Table) {
				b := table.(*Bias)
				energy := func(h, tap int) float64 { // of the output channels of a group
					part, all := 0.0, 0.0
					for row := range width * each {
						x := value(row*taps + tap)
						all += x * x
						if row/(each*each) == h {
							part += x * x
						}
					}
					return scale(tap) * scale(tap) * part / all
				}
				for h := range groups {
					factor := b.Scores.At(64, h) / energy(h, 64)
					for tap := range taps {
						if got, want := b.Scores.At(tap, h), factor*energy(h, tap); !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
							t.Errorf("%s: offset %d of group %d is %v, want %v", b.Tensor, tap-64, h, got, want)
							return
						}
					}
				}
			},
		}},
	}
}
