package posemb

import "testing"

func TestPatternMatch(t *testing.T) {
	for _, c := range []struct {
		pattern Pattern
		name    string
		want    bool
	}{
		{"wpe.weight", "wpe.weight", true},
		{"wpe.weight", "_orig_mod.transformer.wpe.weight", true},
		{"wpe.weight", "transformer/wpe/embedding", true},
		{"wpe.weight", "transformer.xwpe.weight", false},
		{"wpe.weight", "wpe.weight_quantized", true},
		{"wpe.weight", "weight", false},
		{"a.b|wpe.weight", "x.wpe.weight", true},
		{"*embeddings.position_embeddings.weight", "x.tok_embeddings.position_embeddings.weight", true},
		{"embeddings.position_embeddings", "bert/embeddings/position_embeddings", true},
		{"position_embeddings.weight", "bert/tf_bert_model/bert/embeddings/position_embeddings/embeddings:0", true},
		{"position_embedding.weight", "layers/position_embedding/vars/0", true},
		{"position_embedding.weight", "model/position_embedding/embeddings/.ATTRIBUTES/VARIABLE_VALUE", true},
		{"rel_*_h", "attn.rel_pos_h", true},
		{"rel_*_h", "attn.rel_h", false},
		{"*", "anything", true},
		{"pos_embed", "", false},
	} {
		if _, got := c.pattern.match(segments(c.name)); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.name, got)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*wpe*", "transformer.wpe.weight", true},
		{"*wpe", "transformer.wpe.weight", false},
		{"h.?.attn", "h.3.attn", true},
		{"h.?.attn", "h.13.attn", false},
		{"*a*b*c", "xxaxxbxxbxc", true},
		{"*", "", true},
		{"", "x", false},
		{"模*", "模型/позиция", true},
	} {
		if got := glob(c.pattern, c.name); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.name, got)
		}
	}
}
