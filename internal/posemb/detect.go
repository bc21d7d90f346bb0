package posemb

import (
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// Detect lists the position tables of a source, sorted by name. It goes by names
// and shapes alone and reads no data. Optimiser state, integer tensors, and a
// moving average of a table that is there itself are left out.
func Detect(src Source) []Match { return lookOver(src).matches(Presets, floats) }

// wanted is which element types a survey's matches may have.
type wanted func(tensor.Info) bool

// floats are all but integers; a type that is not known may be one.
func floats(t tensor.Info) bool { return !t.DType.IsInteger() && t.DType != tensor.Bool }

// integers are what a quantised table is stored as.
func integers(t tensor.Info) bool { return !floats(t) }

// matches are the tensors that one of the presets reads. In a table that this
// tool wrote, every matrix is one, whatever its name.
func (s *survey) matches(presets []Preset, want wanted) []Match {
	var found []Match
	hopeful := endings(presets)
	for i, t := range s.infos {
		switch {
		case s.kind == "" && !hopeful(s.names[i]) || !want(t) || never(s.names[i]):
		case s.kind != "":
			if len(squeeze(t.Shape)) == 2 {
				found = append(found, bareMatch(t, s.names[i], Kind(s.kind)))
			}
		default:
			if m, ok := s.match(presets, i); ok {
				found = append(found, m.items()...)
			}
		}
	}
	found = withoutParts(withoutAverages(found))
	slices.SortStableFunc(found, func(a, b Match) int { return strings.Compare(a.Info.Name, b.Info.Name) })
	return found
}

// endings tells the names that may be a table by their last two segments. Models
// have thousands of tensors that end alike, so each ending is looked at once.
func endings(presets []Preset) func(segs []string) bool {
	seen := map[[2]string]bool{}
	return func(segs []string) bool {
		tail := segs[max(len(segs)-2, 0):]
		var key [2]string
		copy(key[:], tail)
		may, ok := seen[key]
		if !ok {
			may = slices.ContainsFunc(presets, func(p Preset) bool { return p.Parts[0].mayMatch(tail) })
			seen[key] = may
		}
		return may
	}
}

// match finds the first preset that reads tensor i.
func (s *survey) match(presets []Preset, i int) (Match, bool) {
	t := s.infos[i]
	if len(s.names[i]) == 0 {
		return Match{}, false
	}
	c := clue{s, s.names[i], t.Shape, s.tower(s.names[i])}
	for k := range presets {
		p := &presets[k]
		taken, ok := p.fits(c)
		if !ok {
			continue
		}
		if parts := p.parts(c, t.Name, taken); parts != nil {
			m := Match{Arch: p.Arch, Kind: p.Kind, Parts: parts, Info: t, Layer: layerOf(s.names[i]), Item: -1}
			if p.Stacked {
				m.Layer, m.Item = 0, 0
			}
			return m, true
		}
	}
	return Match{}, false
}

// mostItems bounds the layers that one tensor may hold: a shape is only a claim.
const mostItems = 1024

// items are the tables that the tensor of a match holds: one, or a layer each.
func (m Match) items() []Match {
	if m.Item < 0 || len(m.Info.Shape) == 0 {
		return []Match{m}
	}
	var all []Match
	for i := range min(m.Info.Shape[0], mostItems) {
		m.Layer, m.Item = i, i
		all = append(all, m)
	}
	return all
}

// withoutParts leaves out the tensors that another table consists of as well.
func withoutParts(found []Match) []Match {
	parts := map[string]bool{}
	for _, m := range found {
		for _, name := range m.Parts[1:] {
			parts[name] = true
		}
	}
	return slices.DeleteFunc(found, func(m Match) bool { return parts[m.Info.Name] })
}

// bareMatch is a tensor without an architecture.
func bareMatch(t tensor.Info, segs []string, k Kind) Match {
	return Match{Kind: k, Parts: []string{t.Name}, Info: t, Layer: layerOf(segs), Item: -1}
}

// never says that a name is no table, though its end or its shape look so:
// optimiser state, index and mask buffers, embeddings of other things.
func never(segs []string) bool {
	for i, seg := range segs {
		seg = strings.ToLower(seg)
		switch {
		case seg == "optimizer" || seg == "optim":
			if i+1 == len(segs) || segs[i+1] != "target" { // T5X: optimizer/target is the model
				return true
			}
		case slices.Contains(optimiserWords, seg),
			strings.HasPrefix(seg, "exp_avg"), strings.HasPrefix(seg, "optimizer_"), strings.HasPrefix(seg, "opt_state"),
			strings.HasPrefix(seg, "momentum"), strings.HasPrefix(seg, "adam_"):
			return true
		}
	}
	if len(segs) == 0 {
		return false
	}
	last := segs[len(segs)-1]
	if last == "weight" && len(segs) > 1 {
		last = segs[len(segs)-2]
	}
	return slices.Contains(otherWords, last) || idle(segs) ||
		last == "bias" && len(segs) > 1 && (segs[len(segs)-2] == "attn" || segs[len(segs)-2] == "attention")
}

// idle says that a name is a bias that files carry and models never use: T5's
// cross-attention has none, though old checkpoints store one, and the one of a UDOP
// decoder is its first layer's (transformers, modeling_t5.py and modeling_udop.py;
// ggml-org/llama.cpp says the same where it loads T5).
func idle(segs []string) bool {
	for i, seg := range segs {
		switch seg {
		case "EncDecAttention":
			return slices.Contains(segs[i:], "relative_attention_bias")
		case "cross_attn_rel_b":
			return true
		case "relative_bias":
			if i > 0 && segs[i-1] == "decoder" && i+1 < len(segs) && segs[i+1] == "biases" {
				return true
			}
		}
	}
	return false
}

// optimiserWords are segments under which no model stands.
var optimiserWords = []string{"adam", "adam_1", "mu", "nu", "max_exp_avg_sq", "optimizers", "param_states", "grads", "gradients"}

// otherWords name buffers and tables of something other than positions.
var otherWords = []string{
	"position_ids", "relative_position_index", "relative_coords_table", "attention_bias_idxs", "masked_bias", "inv_freq",
	"token_type_embeddings", "query_embed", "query_position_embeddings",
}

// averageWords mark a moving average of the weights.
var averageWords = []string{"ema", "model_ema", "ema_model", "ema_state_dict", "state_dict_ema", "model_state_ema", "module_ema", "params_ema", "ema_params"}

// containers are segments in front of a model's own names.
var containers = []string{"model", "state_dict", "module", "model_state", "model_state_dict", "params"}

// withoutAverages leaves out the moving average of a table that is there itself.
func withoutAverages(found []Match) []Match {
	itself := map[string]bool{}
	for _, m := range found {
		if rest, average := ownName(m.Info.Name); !average {
			itself[rest] = true
		}
	}
	return slices.DeleteFunc(found, func(m Match) bool {
		rest, average := ownName(m.Info.Name)
		return average && itself[rest]
	})
}

// ownName is a name without the containers around the model, and whether one of
// them holds a moving average.
func ownName(name string) (rest string, average bool) {
	segs := segments(name)
	for len(segs) > 1 {
		switch {
		case slices.Contains(averageWords, segs[0]):
			average = true
		case !slices.Contains(containers, segs[0]):
			return strings.Join(segs, "."), average
		}
		segs = segs[1:]
	}
	return strings.Join(segs, "."), average
}

// layerOf reads the layer's number out of a name: behind "block" or "blocks"
// where there is one (T5 and Swin number other things too), else behind "layer",
// "h" and the like; -1 when the name holds none.
func layerOf(segs []string) int {
	layer := -1
	for i, seg := range segs {
		word, number := seg, ""
		if j := strings.LastIndexByte(seg, '_'); j > 0 && digits(seg[j+1:]) {
			word, number = seg[:j], seg[j+1:]
		} else if i+1 < len(segs) && digits(segs[i+1]) {
			number = segs[i+1]
		}
		n, ok := small(number)
		if !ok {
			continue
		}
		switch word {
		case "block", "blocks", "blk", "resblocks", "encoderblock":
			return n
		case "layer", "layers", "h", "gau_layers", "attn_layers", "encoder_layers", "decoder_layers", "encoder_layer", "decoder_layer":
			if layer < 0 {
				layer = n
			}
		}
	}
	return layer
}

// small reads a number of at most six digits.
func small(s string) (n int, ok bool) {
	if !digits(s) || len(s) > 6 {
		return 0, false
	}
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n, true
}
