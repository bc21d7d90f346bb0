package posemb

import (
	"slices"
	"strings"
	"testing"
)

// What is told of presets, against rows written out by hand.
func TestPresetFacts(t *testing.T) {
	for arch, want := range map[string][]Fact{
		"BART": {
			{"tensor", "embed_positions.weight"}, {"rows", "position p is row p+2"},
			{"left out", "2 rows in front; where one of rows 1 to 3 is exactly zero, the rows up to it"}, {"source", "transformers, modeling_bart.py"},
		},
		"BEiT": {
			{"tensor", "relative_position_bias_table, rel_pos_embed_table"}, {"rows", "as Swin, then 3 rows for the class token: to a patch, from a patch, to itself"},
			{"left out", "3 rows behind"}, {"sign", "query - key"}, {"grid", "a square window; --grid HxW says another"}, {"source", "microsoft/unilm, beit/modeling_finetune.py"},
		},
		"DeBERTa-v2": {
			{"tensor", "rel_embeddings.weight"}, {"with", "LayerNorm.weight (where it is there); LayerNorm.bias (where it is there)"},
			{"rows", "row = log bucket of query - key, + 256; row 0 is never used; the encoder's LayerNorm is applied"},
			{"sign", "query - key"}, {"source", "transformers, modeling_deberta_v2.py"},
		},
		"WavLM": {
			{"tensor", "rel_attn_embed.weight, self_attn.relative_attention_bias.weight"}, {"rows", "320 buckets x heads, both directions; a gate computed from the query multiplies it later"},
			{"sign", "key - query"}, {"buckets", "as many as there are, to distance 800, both directions (t5)"}, {"source", "microsoft/unilm, wavlm/modules.py; transformers, modeling_wavlm.py"},
		},
	} {
		if got := byArch(arch).Facts(); !slices.Equal(got, want) {
			t.Errorf("%s:\n%q, want\n%q", arch, got, want)
		}
	}
	for arch, want := range map[string]Fact{
		"YOLOS":             {"left out", "1 row in front; 100 rows behind"},
		"SASRec":            {"left out", "row 0 where it is exactly zero"},
		"ProphetNet":        {"left out", "where one of rows 0 to 3 is exactly zero, the rows up to it"},
		"T5X":               {"stored", "heads before offsets"},
		"T5":                {"buckets", "as many as there are, to distance 128, both directions in an encoder, back only in a decoder (t5, t5-causal)"},
		"LeViT":             {"sign", "none: the same to all sides"},
		"RETSim":            {"with", "positional_encoding.b"},
		"VITS":              {"offsets", "-K..K of 2K+1 rows; nothing is added beyond"},
		"SpeechT5":          {"offsets", "-K..K-1 of 2K rows, as stored; the end's row serves beyond"},
		"Music Transformer": {"offsets", "-(K-1)..0 of K rows"},
		"Wav2Vec2-BERT":     {"offsets", "-64..8 of 73 rows, or what the configuration says; the end's row serves beyond"},
		"ViT":               {"grid", "a square behind 0, 1 or 2 rows, or as config.json has it; --grid HxW says another"},
		"AST":               {"grid", "12 rows behind 2 rows, or a square where those do not fit; --grid HxW says another"},
		"BEiT-3":            {"grid", "a square behind 3 rows, or as config.json has it; --grid HxW says another"},
		"SAM":               {"stored", "rows x columns x width"},
	} {
		p := byArch(arch)
		if p == nil || !slices.Contains(p.Facts(), want) {
			t.Errorf("%s: %q is missing", arch, want)
		}
	}
}

// Each preset says where its tensors are, how rows go and where that is known from;
// a relative one also the sign.
func TestPresetFactsOfAll(t *testing.T) {
	for _, p := range Presets {
		said := map[string]string{}
		for _, f := range p.Facts() {
			if said[f.About] != "" {
				t.Errorf("%s: %s twice", p.Arch, f.About)
			}
			said[f.About] = f.Says
			if strings.ContainsAny(f.Says, "|?^\n") && f.About != "rows" && f.About != "source" {
				t.Errorf("%s: %s is %q", p.Arch, f.About, f.Says)
			}
		}
		if said["tensor"] == "" || said["rows"] == "" || said["source"] == "" || (said["sign"] == "") != (p.Kind == KindAbsolute) {
			t.Errorf("%s: %q", p.Arch, said)
		}
		if !slices.Contains(Kinds(), p.Kind) || p.Kind.Holds() == "" {
			t.Errorf("%s: kind %q", p.Arch, p.Kind)
		}
		if names := p.Names(); names[0] != p.Arch || len(names) != 1+len(p.Also) {
			t.Errorf("%s: names %q", p.Arch, names)
		}
	}
	if got := Kind("other").Holds(); got != "" {
		t.Errorf("%q", got)
	}
}

// Models without a table are told with the reason.
func TestTableless(t *testing.T) {
	said := map[string]string{}
	for _, f := range Tableless() {
		said[f.About] = f.Says
	}
	if !strings.Contains(said["rotary"], "llama, ") || said["ALiBi"] == "" {
		t.Errorf("%q", said)
	}
}
