package posemb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/tensor"
)

// names are the tensors of matches.
func names(found []Match) []string {
	var s []string
	for _, m := range found {
		s = append(s, m.Info.Name)
	}
	return s
}

func TestDetectLeavesOut(t *testing.T) {
	m := &memory{}
	for _, name := range []string{
		"optimizer.state.0.exp_avg", "optimizer_states.0.state.1.exp_avg_sq", "opt.exp_avg.wpe.weight",
		"bert/embeddings/position_embeddings/adam_m", "adam_v/embeddings/position_embeddings", "opt_state/0/mu/wpe/embedding", "1/nu/wpe/embedding",
		"momentum.wpe.weight", "momentum_buffer.pos_embed", "optimizer/state/param_states/encoder/relpos_bias/rel_embedding/m", "optimizer/wpe.weight",
		"state/param_states/encoder/relpos_bias/rel_embedding", "model/position_embedding/embeddings/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE",
		"relative_position_index", "relative_coords_table", "attention_bias_idxs", "token_type_embeddings.weight", "query_embed.weight", "rotary_emb.inv_freq",
		"model.query_position_embeddings.weight",
		"decoder.relative_bias.biases.0.relative_attention_bias.weight", "decoder.relative_bias.biases.1.relative_attention_bias.weight", "module.decoder.relative_bias.biases.2.relative_attention_bias.weight",
		"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight", "decoder/block_000/layer_001/EncDecAttention/relative_attention_bias", "dec.blk.0.cross_attn_rel_b.weight", "dec.blk.11.cross_attn_rel_b.weight",
		"embeddings.word_embeddings.weight", "transformer.wte.weight", "embeddings.position_ids",
	} {
		m.with(name, 32, 4)
	}
	m.with("h.0.attn.bias", 1, 1, 8, 8).with("pos_embed", 8).with("pos_embedding").with("wpe.weight", 8, 4).typed(tensor.I64)
	if found := Detect(m); len(found) > 0 {
		t.Errorf("detected %q", names(found))
	}
	m.with("optimizer/target/encoder/relpos_bias/rel_embedding", 4, 32).with("embeddings.position_embeddings.weight", 32, 4)
	want := []string{"embeddings.position_embeddings.weight", "optimizer/target/encoder/relpos_bias/rel_embedding"}
	if found := names(Detect(m)); !slices.Equal(found, want) {
		t.Errorf("detected %q, want %q", found, want)
	}
	if len(m.read) > 0 {
		t.Errorf("read %q", m.read)
	}
}

func TestDetectPrefersTheModelToItsAverage(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{[]string{"ema.pos_embed", "model.pos_embed"}, []string{"model.pos_embed"}},
		{[]string{"state_dict_ema.pos_embed", "state_dict.pos_embed"}, []string{"state_dict.pos_embed"}},
		{[]string{"params_ema.pos_embed", "params.pos_embed"}, []string{"params.pos_embed"}},
		{[]string{"model_ema.module.pos_embed", "model.pos_embed"}, []string{"model.pos_embed"}},
		{[]string{"ema.pos_embed"}, []string{"ema.pos_embed"}},
		{[]string{"ema.a.pos_embed", "model.b.pos_embed"}, []string{"ema.a.pos_embed", "model.b.pos_embed"}},
	} {
		m := &memory{}
		for _, name := range c.in {
			m.with(name, 16, 4)
		}
		if got := names(Detect(m)); !slices.Equal(got, c.want) {
			t.Errorf("%q: detected %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLayers(t *testing.T) {
	for name, want := range map[string]int{
		"bert.encoder.layer.11.attention.self.distance_embedding.weight":       11,
		"encoder.block.3.layer.0.SelfAttention.relative_attention_bias.weight": 3,
		"encoder/block_007/layer_000/SelfAttention/relative_attention_bias":    7,
		"layers.1.blocks.4.attn.relative_position_bias_table":                  4,
		"gau_layers.1.positional_encoding.a":                                   1,
		"encoder_layer1.blocks.2.attn.relative_position_bias_table":            2,
		"target/encoder/layers_5/relpos_bias/rel_embedding":                    5,
		"transformer.wpe.weight":                                               -1,
		"layers.99999999999999999999.rel_pos_h":                                -1,
	} {
		if got := layerOf(segments(name)); got != want {
			t.Errorf("%s: layer %d, want %d", name, got, want)
		}
	}
}

func TestChooseWithoutName(t *testing.T) {
	two := (&memory{}).with("text_model.embeddings.position_embedding.weight", 77, 8).with("vision_model.embeddings.position_embedding.weight", 50, 12)
	_, err := one(two, "", ReadOptions{})
	wantFault(t, err, Ambiguous, "text_model.embeddings.position_embedding.weight: 77 x 8", "vision_model.embeddings.position_embedding.weight: 50 x 12", "add #TENSOR")
	if m, err := one(two, "", ReadOptions{Arch: "CLIP text"}); err != nil || m.Info.Name != "text_model.embeddings.position_embedding.weight" {
		t.Errorf("%v %v", m, err)
	}
	many := &memory{}
	for i := range 40 {
		many.with(fmt.Sprintf("blocks.%d.attn.relative_position_bias_table", i), 9, 2)
	}
	_, err = one(many, "", ReadOptions{})
	wantFault(t, err, Ambiguous, "40 position tables fit", "and 28 more")
	if n := strings.Count(err.Error(), "\n"); n != 13 {
		t.Errorf("%d lines", n)
	}

	if m, err := one((&memory{}).with("0", 4).with("1", 16, 4), "", ReadOptions{}); err != nil || m.Info.Name != "1" || m.Arch != "" || m.Kind != KindAbsolute {
		t.Errorf("%+v %v", m, err)
	}
	if m, err := one((&memory{}).with("embeddings.position_ids", 1, 512).typed(tensor.I64).with("wpe.weight_quantized", 16, 4).typed(tensor.U8), "", ReadOptions{}); err != nil || m.Arch != "GPT-2" {
		t.Errorf("%+v %v", m, err)
	}
	for _, c := range []struct {
		m     *memory
		kind  string
		texts []string
	}{
		{&memory{}, NotFound, []string{"no tensors"}},
		{(&memory{}).with("pos_embed", 8), NotATable, []string{"1 dimension (8)"}},
		{(&memory{}).with("pos_embed"), NotATable, []string{"a single number"}},
		{(&memory{}).with("a", 8).with("b", 9), NotATable, []string{"none of 2 tensors"}},
		{(&memory{}).with("token_embd.weight", 100, 8), NotFound, []string{"no position table is known by its name", "token_embd.weight: 100 x 8"}},
		{(&memory{}).with("a.weight", 16, 8).with("b.weight", 32, 8), NotFound, []string{"a.weight: 16 x 8", "add #TENSOR"}},
		{(&memory{}).with("layers.0.rotary_emb.inv_freq", 32).with("wte.weight", 16, 8), NotFound, []string{"rotary: no learned position table"}},
		{(&memory{}).with("embed_tokens.weight", 16, 8).saying("model_type", "llama"), NotFound, []string{"rotary: no learned position table"}},
		{(&memory{}).with("embed_tokens.weight", 16, 8).saying("general.architecture", "gptneox"), NotFound, []string{"rotary"}},
		{(&memory{}).with("language_model.embed_tokens.weight", 16, 8).saying("config.model_type", "llava").saying("config.text_config.model_type", "llama"), NotFound, []string{"rotary"}},
		{(&memory{}).with("word_embeddings.weight", 16, 8).saying("config.model_type", "bloom"), NotFound, []string{"ALiBi"}},
		{(&memory{}).with("layers.0.blocks.0.attn.cpb_mlp.0.weight", 512, 2).with("w", 8, 8), NotFound, []string{"Swin v2"}},
	} {
		_, err := one(c.m, "", ReadOptions{})
		wantFault(t, err, c.kind, c.texts...)
	}
}

func TestChooseByName(t *testing.T) {
	m := (&memory{}).with("model.transformer.wpe.weight", 16, 4).with("optimizer.state.0.exp_avg.wpe.weight", 16, 4).with("model.h.0.w", 8, 4).with("model.h.1.w", 8, 4).with("b", 4)
	for name, want := range map[string]string{
		"model.transformer.wpe.weight":         "GPT-2",
		"*wpe*":                                "GPT-2",
		"model.h.0.w":                          "",
		"*.h.1.*":                              "",
		"optimizer.state.0.exp_avg.wpe.weight": "GPT-2",
	} {
		got, err := one(m, name, ReadOptions{})
		if err != nil || got.Arch != want || got.Kind != KindAbsolute || !glob(name, got.Info.Name) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	if got, err := one(m, "model.h.0.w", ReadOptions{Arch: "bert"}); err != nil || got.Arch != "BERT" {
		t.Errorf("%+v %v", got, err)
	}
	_, err := one(m, "wpe", ReadOptions{})
	wantFault(t, err, NotFound, "no tensor has this name", "model.transformer.wpe.weight")
	_, err = one(m, "*.w", ReadOptions{})
	wantFault(t, err, Ambiguous, "model.h.0.w: 8 x 4", "model.h.1.w: 8 x 4")
	_, err = one(m, "b", ReadOptions{})
	wantFault(t, err, NotATable, "1 dimension")
	_, err = one(m, "b", ReadOptions{Arch: "no such thing"})
	wantFault(t, err, BadOption)

	match, err := one(m, "model.h.0.w", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Load(t.Context(), m, match, ReadOptions{})
	if err != nil || !told(table.Remarks(), "no architecture is known by this name") || !slices.Equal(m.read, []string{"model.h.0.w"}) {
		t.Errorf("%v %v, read %q", table, err, m.read)
	}
}

// A source with a table of positions and a bias in two layers, and what each choice makes
// of it.
func TestChooseFilters(t *testing.T) {
	const wpe, first, second = "transformer.wpe.weight", "blocks.0.attn.relative_position_bias_table", "blocks.1.attn.relative_position_bias_table"
	m := (&memory{}).with(wpe, 16, 4).with(first, 9, 2).with(second, 9, 2).with("blocks.1.mlp.weight", 8, 8).with("opt.exp_avg.blocks.1.mlp.weight", 8, 8)
	relative, absolute := []Kind{KindVectors, KindBias}, []Kind{KindAbsolute}
	for _, c := range []struct {
		choice Choice
		want   []string
	}{
		{Choice{Many: true}, []string{first, second, wpe}},
		{Choice{Kinds: absolute}, []string{wpe}},
		{Choice{Kinds: relative, Many: true}, []string{first, second}},
		{Choice{Layers: []int{1}}, []string{second}},
		{Choice{Layers: []int{1}, Kinds: relative}, []string{second}},
		{Choice{Name: "*table"}, []string{first, second}}, // a glob means all that it fits
		{Choice{Layers: []int{0}, Name: "*table"}, []string{first}},
		{Choice{Name: "*w*", Kinds: absolute}, []string{wpe}},
		{Choice{Name: "*mlp*"}, []string{"blocks.1.mlp.weight"}}, // not recognised, and optimiser state is passed over
		{Choice{Name: "opt.*"}, []string{"opt.exp_avg.blocks.1.mlp.weight"}},
		{Choice{Layers: []int{0}, Name: second, Kinds: absolute}, []string{second}}, // its own name is that tensor
	} {
		found, err := Choose(m, c.choice, ReadOptions{})
		if got := names(found); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, %v; want %q", c.choice, got, err, c.want)
		}
	}
	for _, c := range []struct {
		choice Choice
		kind   string
		texts  []string
	}{
		{Choice{}, Ambiguous, []string{"3 position tables fit", "add #TENSOR"}},
		{Choice{Kinds: relative}, Ambiguous, []string{"2 position tables fit"}},
		{Choice{Layers: []int{7}}, NotFound, []string{"no table of layer 7; there are:", wpe + ": 16 x 4"}},
		{Choice{Layers: []int{7}, Kinds: relative, Many: true}, NotFound, []string{"no table of layer 7; there are:\n  " + first}},
		{Choice{Layers: []int{7}, Name: "*table"}, NotFound, []string{"no table of layer 7"}},
		{Choice{Name: "*table", Kinds: absolute}, WrongKind, []string{"the tables here are relative", first}},
		{Choice{Name: "*nothing*", Many: true}, NotFound, []string{"no tensor has this name", "closest to a table"}},
		{Choice{Name: "b*[*"}, NotFound, nil}, // a bracket is a letter like any other
	} {
		found, err := Choose(m, c.choice, ReadOptions{})
		if found != nil {
			t.Errorf("%+v: %q beside an error", c.choice, names(found))
		}
		wantFault(t, err, c.kind, c.texts...)
	}
	_, err := Choose((&memory{}).with("wpe.weight", 4, 4), Choice{Layers: []int{0, 2}}, ReadOptions{})
	wantFault(t, err, NotFound, "no table of layer 0, 2; there are:", "leave --layer out")
	_, err = Choose((&memory{}).with("wpe.weight", 4, 4), Choice{Kinds: relative}, ReadOptions{})
	wantFault(t, err, WrongKind, "the tables here are absolute", "wpe.weight: 4 x 4")
	_, err = Choose((&memory{}).with("a", 4), Choice{Many: true}, ReadOptions{})
	wantFault(t, err, NotATable, "1 dimension")

	// The preset that is asked for goes through a glob, too.
	two := (&memory{}).with("a.wpe.weight", 8, 4).with("b.wpe.weight", 8, 4).with("b.pos_emb.weight", 8, 4)
	found, err := Choose(two, Choice{Name: "*"}, ReadOptions{Arch: "gpt-2"})
	if got := names(found); err != nil || !slices.Equal(got, []string{"a.wpe.weight", "b.wpe.weight"}) {
		t.Errorf("%q, %v", got, err)
	}
	// Quantised tables are found where there are no others.
	quantised := (&memory{}).with("h.wpe.weight", 8, 4).typed(tensor.I8).with("g.wpe.weight", 8, 4).typed(tensor.U8)
	found, err = Choose(quantised, Choice{Many: true}, ReadOptions{})
	if err != nil || len(found) != 2 {
		t.Errorf("%q, %v", names(found), err)
	}
	if len(m.read) > 0 {
		t.Errorf("read %q", m.read)
	}
}

// A table that this tool wrote says what it is; names say nothing.
func TestChooseOwnTable(t *testing.T) {
	m := (&memory{}).with("wpe.weight", 9, 2).saying("poslens.kind", "bias").saying("poslens.offsets", "-1:2,-1:2")
	found, err := one(m, "", ReadOptions{})
	if err != nil || found.Kind != KindBias || found.Arch != "" {
		t.Errorf("%+v, %v", found, err)
	}
	b, ok := mustLoad(t, m, ReadOptions{}).(*Bias)
	if !ok || len(b.Axes) != 2 || b.Axes[0] != (Axis{"dy", -1, 1, BeyondNone}) {
		t.Errorf("%+v", b)
	}
	_, err = Choose(m, Choice{Kinds: []Kind{KindAbsolute}}, ReadOptions{})
	wantFault(t, err, WrongKind, "relative")
}

func TestPick(t *testing.T) {
	b := &Bias{Heads: headNames(3), Scores: mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})}
	got, err := b.Pick([]int{2, 0, 2})
	if err != nil || !slices.Equal(got.Heads, []string{"2", "0", "2"}) || !mat.Equal(got.Scores, mat.NewDense(2, 3, []float64{3, 1, 3, 6, 4, 6})) {
		t.Errorf("%+v, %v", got, err)
	}
	if same, err := b.Pick(nil); err != nil || same != b {
		t.Errorf("no numbers: %+v, %v", same, err)
	}
	for _, h := range []int{-1, 3} {
		_, err := b.Pick([]int{0, h})
		wantFault(t, err, BadOption, "the table has 3 heads")
	}
	if len(b.Heads) != 3 {
		t.Error("picking changed the table")
	}
}

func TestDescribe(t *testing.T) {
	for want, m := range map[string]*memory{
		"wpe.weight: 1024 positions x 8, F32 (GPT-2)":                           (&memory{}).with("wpe.weight", 1024, 8),
		"16 positions x 8, F32":                                                 (&memory{}).with("", 16, 8),
		"wpe.weight: 1 position x 8, BF16 (GPT-2)":                              (&memory{}).with("wpe.weight", 1, 8).typed(tensor.BF16),
		"emb_rel_k: 9 offsets x 4, F32 (VITS)":                                  (&memory{}).with("emb_rel_k", 1, 9, 4),
		"attn.relative_position_bias_table: 3 x 3 offsets x 1 head, F32 (Swin)": (&memory{}).with("attn.relative_position_bias_table", 9, 1),
		"relative_attention_bias.weight: 257 offsets x 4 heads, F32 (T5)":       (&memory{}).with("relative_attention_bias.weight", 32, 4),
		`"wpe\x1b[31m.wpe.weight": 4 positions x 4, F32 (GPT-2)`:                (&memory{}).with("wpe\x1b[31m.wpe.weight", 4, 4),
		"模型.wpe.weight: 4 positions x 4, F32 (GPT-2)":                           (&memory{}).with("模型.wpe.weight", 4, 4),
	} {
		if got := Describe(mustLoad(t, m, ReadOptions{}), m.tensors[0].Info); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Each preset is a complete row, and its names lead to it alone.
func TestPresetRows(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Presets {
		for _, name := range append([]string{p.Arch}, p.Also...) {
			if seen[plain(name)] {
				t.Errorf("%s stands twice", name)
			}
			seen[plain(name)] = true
			if got := byArch(strings.ToUpper(name)); got == nil || got.Arch != p.Arch {
				t.Errorf("%s leads to %+v", name, got)
			}
		}
		if p.Arch == "" || p.Kind == "" || p.Read == nil || len(p.Parts) == 0 || p.Doc == "" || p.Ref == "" {
			t.Errorf("%s: an empty field", p.Arch)
		}
	}
}
