package posemb

import (
	"fmt"
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// nothing is the error for a source without a table: why there is none, where
// the model tells, or what comes closest.
func (s *survey) nothing() *Error {
	if len(s.infos) == 0 {
		return fault(NotFound, "", "", "no tensors")
	}
	if len(s.infos) == 1 && len(s.infos[0].Shape) < 2 {
		return notRows(s.infos[0])
	}
	if k := s.reason(); k != nil {
		return fault(NotFound, "", k.hint, "%s", k.why)
	}
	near := s.closest()
	if len(near) == 0 {
		if !slices.ContainsFunc(s.infos, func(t tensor.Info) bool { return len(t.Shape) > 1 }) {
			return fault(NotATable, "", "", "none of %s has rows and columns", count(len(s.infos), "tensor"))
		}
		return fault(NotFound, "", addTensor+" if one of them is a table", "no position table is known among %s", count(len(s.infos), "tensor"))
	}
	return fault(NotFound, "", addTensor+" if one of them is the table", "no position table is known by its name; closest by shape:%s", list(near))
}

// noName is the error for a name or glob that no tensor has.
func (s *survey) noName(pattern string) *Error {
	var near []string
	for _, t := range s.closest() {
		if t.Name != "" {
			near = append(near, printable(t.Name))
		}
	}
	hint := ""
	if len(s.infos) == 1 && s.infos[0].Name == "" {
		hint = "the file holds one tensor, which has no name: leave #TENSOR out"
	}
	if len(near) > 0 {
		hint = "closest to a table: " + strings.Join(near, ", ")
	}
	return fault(NotFound, pattern, hint, "no tensor has this name")
}

// ambiguous lists the tables of which one is to be chosen.
func ambiguous(found []Match) *Error {
	hint := addTensor + ", its name or a glob"
	for _, m := range found[1:] {
		if m.Layer != found[0].Layer && m.Layer >= 0 && found[0].Layer >= 0 {
			hint += "; --layer N takes one layer's, --layer all every layer's"
			break
		}
	}
	return fault(Ambiguous, "", hint, "%d position tables fit:%s", len(found), list(infosOf(found)))
}

// infosOf are the naming tensors of matches.
func infosOf(found []Match) []tensor.Info {
	infos := make([]tensor.Info, len(found))
	for i, m := range found {
		infos[i] = m.Info
		infos[i].Name = m.Name()
		if m.Item >= 0 {
			infos[i].Shape = m.Info.Shape[1:]
		}
	}
	return infos
}

// list writes tensors a line each, name and shape; after listed, only how many.
func list(infos []tensor.Info) string {
	const listed = 12
	var s strings.Builder
	for i, t := range infos {
		if i == listed && len(infos) > listed+1 {
			fmt.Fprintf(&s, "\n  and %d more", len(infos)-i)
			break
		}
		fmt.Fprintf(&s, "\n  %s: %s", printable(t.Name), shapeText(t.Shape))
	}
	return s.String()
}

// reason says why a model has no table, by its type or its tensors; nil where
// neither tells.
func (s *survey) reason() *kin {
	text, _ := s.src.Meta("config.text_config.model_type") // of a model of images and text
	for i, k := range kinless {
		if slices.Contains(k.models, s.model) || slices.Contains(k.models, strings.ToLower(text)) {
			return &kinless[i]
		}
	}
	for i, k := range kinless {
		if k.sign != "" && beside(k.sign)(clue{survey: s}) {
			return &kinless[i]
		}
	}
	return nil
}

// kin is a family of models without a stored table.
type kin struct {
	why    string
	hint   string  // what shows their positions; may be empty
	sign   Pattern // a tensor that only they have; empty: none
	models []string
}

// kinless are the ways to go without a table, stored or computed.
var kinless = []kin{
	{"rotary: " + noLearned, "gen:rotary,d=WIDTH is what its formula makes of equal heads of that width", "inv_freq|rope_freqs.weight|rope.freqs|freqs_cis", []string{
		"llama", "llama4", "mistral", "mixtral", "gptj", "gpt_neox", "gptneox", "falcon", "qwen", "qwen2", "qwen2_moe", "qwen3", "gemma", "gemma2", "gemma3", "phi", "phi2", "phi3",
		"stablelm", "olmo", "olmo2", "cohere", "command-r", "starcoder2", "deepseek", "deepseek2", "deepseek_v2", "deepseek_v3", "chatglm", "codegen", "internlm2", "nomic_bert", "nomic-bert", "modernbert",
		"dinov3_vit", "eurobert", "exaone4", "gemma3_text", "glm", "glm4", "gpt_oss", "granite", "granitemoe", "ministral", "mllama_text_model", "nemotron", "olmo3", "olmoe", "persimmon", "phimoe", "qwen2_vl", "qwen2_5_vl", "qwen3_moe", "seed_oss", "smollm3"}},
	{"ALiBi: a formula of the distance, " + noLearned, "gen:alibi,heads=N is that formula", "", []string{"bloom", "mpt", "baichuan", "jina-bert-v2"}},
	{"sinusoid, computed and not stored: " + noLearned, "gen:sinusoid,d=WIDTH is that formula", "", []string{"xglm", "m2m_100", "speech_to_text"}},
	{"sinusoid of the offset behind a projection (r_net, rel_attn.r, r_kernel or linear_pos), which is not here in full: no table can be computed", "", "r_w_bias|pos_bias_u", []string{"xlnet", "transfo-xl", "funnel"}},
	{"recurrent: no positions are stored", "", "", []string{"mamba", "mamba2", "rwkv"}},
	{"convolution over time (pos_conv), of which weight_g or weight_v is not here", "", "pos_conv_embed.conv.weight_v|pos_conv_embed.conv.weight_g|pos_conv_embed.conv.parametrizations.weight.original0|pos_conv_embed.conv.parametrizations.weight.original1|pos_conv.0.weight_v|pos_conv.0.weight_g", []string{"wav2vec2", "hubert"}},
	{"a small network computes the bias from the offset (Swin v2, cpb_mlp), and a part of it is not here", "", "cpb_mlp.0.weight|cpb_mlp.2.weight|continuous_position_bias_mlp.0.weight|continuous_position_bias_mlp.2.weight", nil},
}
