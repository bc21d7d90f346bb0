package posemb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// stage is what a configuration says of the stage of a Swin v2 that a block is in.
type stage struct {
	known   bool   // it says at which window the model was trained
	window  Grid   // zero: it does not say
	trained int    // cells a side of the window that it was trained at first; 0: at this one
	why     string // how the window comes about
}

// stage reads the block's stage in config.json. Each stage halves the sides of the
// image's grid, and a window is no larger than that grid:
//
//	window = min(window_size, image_size / patch_size / 2^stage)
//
// transformers, modeling_swinv2.py (Swinv2Encoder, Swinv2Layer), takes the grid's rows
// for both sides; timm, swin_transformer_v2.py, each side's own. timm's config.json has
// the model's name in the place of these numbers: swinv2_base_window12to24_192to384.
func (r *reading) stage() stage {
	size := r.numbers("window_size")
	if len(size) == 0 {
		return r.namedStage()
	}
	s := stage{}
	step, counted := r.stageNumber()
	if list := r.numbers("pretrained_window_sizes"); counted && step < len(list) && list[step] != 1 {
		s.known, s.trained = true, list[step]
	}
	h, w, ok := r.sides("image_size")
	y, x, ok2 := r.sides("patch_size")
	wh, ww := size[0], size[len(size)-1]
	if !counted || !ok || !ok2 || len(size) > 2 || wh < 1 || ww < 1 {
		return s
	}
	rows, cols := h/y>>step, w/x>>step
	if slices.Contains(r.segs, "continuous_position_bias_mlp") {
		cols, ww = rows, wh
	}
	return s.within(wh, ww, rows, cols, step)
}

// within is the stage with the window of its grid.
func (s stage) within(h, w, rows, cols, step int) stage {
	if rows < 1 || cols < 1 {
		return s
	}
	s.window = Grid{min(h, rows), min(w, cols)}
	s.why = fmt.Sprintf("window_size %d in stage %d, whose grid is %d x %d", h, step, rows, cols)
	if h != w {
		s.why = fmt.Sprintf("window_size %d x %d in stage %d, whose grid is %d x %d", h, w, step, rows, cols)
	}
	return s
}

// namedStage reads the stage off the name of a timm model, whose patches are of 4
// pixels: the window, and behind "to" the one that it was fine-tuned at, and the same
// of the image's side.
func (r *reading) namedStage() stage {
	name, _ := r.entry("architecture")
	_, rest, ok := strings.Cut(name, "swinv2_")
	step, counted := r.stageNumber()
	if !ok || !counted || strings.HasPrefix(rest, "cr_") { // another network
		return stage{}
	}
	for _, key := range []string{"window_size", "img_size"} {
		if _, other := r.src.Meta("config.model_args." + key); other { // not as its name says
			return stage{}
		}
	}
	_, rest, ok = strings.Cut(rest, "_window")
	windows, images, ok2 := strings.Cut(rest, "_")
	images, _, _ = strings.Cut(images, ".")
	first, window, ok3 := fromTo(windows)
	before, image, ok4 := fromTo(images)
	if !ok || !ok2 || !ok3 || !ok4 {
		return stage{}
	}
	const patch = 4
	side := image / patch >> step
	s := stage{known: true}.within(window, window, side, side, step)
	if first != window && s.window != (Grid{}) {
		s.trained = min(first, before/patch>>step)
	}
	return s
}

// fromTo reads "8" as 8 and 8, and "12to24" as 12 and 24.
func fromTo(s string) (from, to int, ok bool) {
	a, b, two := strings.Cut(s, "to")
	if !two {
		b = a
	}
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(b)
	return from, to, err1 == nil && err2 == nil && 0 < from && from <= maxDistance && 0 < to && to <= maxDistance
}

// stageNumber is how often the grid was halved before the tensor's block: the number of
// its stage, which Swin2SR, whose stages are all of one size, calls by another word.
func (r *reading) stageNumber() (n int, ok bool) {
	i := slices.Index(r.segs, "blocks")
	if i < 1 {
		return 0, slices.Contains(r.segs, "stages")
	}
	if n, ok = small(r.segs[i-1]); !ok { // layers_0 in timm's feature extractors
		word := r.segs[i-1]
		n, ok = small(word[strings.LastIndexByte(word, '_')+1:])
	}
	return n, ok && n < 32
}
