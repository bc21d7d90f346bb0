package posemb

import (
	"strconv"
	"strings"
)

// configObject is what Source.Meta gives for an object of config.json; its entries
// stand under the object's key and a dot.
const configObject = "{}"

// configNames are what a config.json calls the parts of a model, by the word of the
// part that stands in tensors' names, without _model, _tower or _encoder. Others have
// a part's own name, such as backbone_config or decoder.
var configNames = map[string][]string{
	"visual":   {"vision_config"},
	"vision":   {"vision_config"},
	"image":    {"image_config", "vision_config"},
	"language": {"text_config", "llm_config", "language_config"},
	"text":     {"text_config"},
}

// configPlace is where config.json tells of the part of a model that a tensor belongs
// to: "config.", or behind it the objects whose names go with segments of the tensor's,
// as vision_config does with vision_tower (transformers, configuration_clip.py,
// configuration_llava.py, configuration_vision_encoder_decoder.py).
func configPlace(src Source, segs []string) string {
	place := "config."
	for _, seg := range segs {
		stem := seg
		for _, tail := range []string{"_model", "_tower", "_encoder"} {
			stem = strings.TrimSuffix(stem, tail)
		}
		for _, name := range append([]string{seg, seg + "_config", stem + "_config"}, configNames[stem]...) {
			if v, ok := src.Meta(place + name); ok && v == configObject {
				place += name + "."
				break
			}
		}
	}
	return place
}

// tower is the model type of the part of a model that a tensor is in, where config.json
// has one of its own; lower case.
func (s *survey) tower(segs []string) string {
	place := configPlace(s.src, segs)
	if place == "config." {
		return ""
	}
	v, _ := s.src.Meta(place + "model_type")
	return strings.ToLower(v)
}

// entry is what the configuration says of the tensor's part of the model: the
// source's own metadata, what config.json has for the part, or GGUF behind the
// architecture's name. An object of config.json for the part speaks alone: what it
// leaves out is the part's default, and not another part's.
func (r *reading) entry(key string) (string, bool) {
	keys := []string{key, configPlace(r.src, r.segs) + key}
	if arch, ok := r.src.Meta("general.architecture"); ok {
		keys = append(keys, arch+"."+key)
	}
	for _, k := range keys {
		if v, ok := r.src.Meta(k); ok {
			return v, true
		}
	}
	return "", false
}

// number is an entry of the configuration that is a number from 1 to a million.
func (r *reading) number(key string) (int, bool) {
	v, ok := r.entry(key)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(v)
	return n, err == nil && n >= 1 && n <= maxDistance
}

// numberOf is the first of several entries that there is.
func (r *reading) numberOf(keys []string) (int, bool) {
	for _, key := range keys {
		if n, ok := r.number(key); ok {
			return n, true
		}
	}
	return 0, false
}

// numbers is an entry of the configuration that is a number or a list of them, each
// from 0 to a million; nil where there is none.
func (r *reading) numbers(key string) []int {
	v, ok := r.entry(key)
	if !ok {
		return nil
	}
	var list []int
	for _, word := range strings.Split(v, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > maxDistance {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// sides is the size of an image or a patch: one number for both sides, or a list of
// the height and the width.
func (r *reading) sides(key string) (h, w int, ok bool) {
	list := r.numbers(key)
	switch len(list) {
	case 1:
		h, w = list[0], list[0]
	case 2:
		h, w = list[0], list[1]
	}
	return h, w, h > 0 && w > 0
}

// statedGrid is the grid of patches that the configuration makes of its image_size and
// patch_size, where those agree; zero where they don't say it.
func (r *reading) statedGrid() Grid {
	h, w, ok := r.sides("image_size")
	y, x, ok2 := r.sides("patch_stride") // patches of Hiera overlap
	if !ok2 {
		y, x, ok2 = r.sides("patch_size")
	}
	if !ok || !ok2 || h/y < 1 || w/x < 1 {
		return Grid{}
	}
	return Grid{h / y, w / x}
}
