package posemb

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/tensor"
)

// Choice says which tables of a source a caller wants.
type Choice struct {
	Name  string // a tensor, exactly or by a glob; empty: what is recognised
	Kinds []Kind // what the caller can use; empty: all
	Layer int    // -1: any
	Many  bool   // all that fit are wanted, and not only one
}

// Choose finds the tables that a choice means. A glob gives all that it fits,
// recognised ones before others. Without a name, several that fit are an
// Ambiguous error that lists them unless Many is set, and a source without any
// recognised table gives what Only gives.
func Choose(src Source, c Choice, opt ReadOptions) ([]Match, error) {
	if c.Name != "" {
		return c.named(src, opt)
	}
	presets, err := asked(opt)
	if err != nil {
		return nil, err
	}
	found := lookOver(src).matches(presets, floats)
	fit := c.filter(found)
	switch {
	case len(found) == 0:
		m, err := Only(src, opt)
		return []Match{m}, err
	case len(fit) == 0 && c.Layer >= 0 && len(c.ofKinds(found)) > 0:
		return nil, fault(NotFound, "", "", "no table of layer %d; there are:%s", c.Layer, list(infosOf(c.ofKinds(found))))
	case len(fit) == 0:
		return nil, wrongKind(found)
	case len(fit) > 1 && !c.Many:
		return nil, ambiguous(fit)
	}
	return fit, nil
}

// named finds the tensor of a name, or all that a glob fits.
func (c Choice) named(src Source, opt ReadOptions) ([]Match, error) {
	exact := slices.ContainsFunc(src.Tensors(), func(t tensor.Info) bool { return t.Name == c.Name })
	if exact || !strings.ContainsAny(c.Name, "*?") {
		m, err := Named(src, c.Name, opt)
		return []Match{m}, err
	}
	var fit []Match
	for _, m := range Detect(src) {
		if glob(c.Name, m.Info.Name) {
			fit = append(fit, m)
		}
	}
	if fit = c.filter(fit); len(fit) > 0 {
		return fit, nil
	}
	m, err := Named(src, c.Name, opt)
	return []Match{m}, err
}

// filter keeps the matches of the kinds and the layer that are wanted.
func (c Choice) filter(found []Match) []Match {
	var fit []Match
	for _, m := range c.ofKinds(found) {
		if c.Layer < 0 || m.Layer == c.Layer {
			fit = append(fit, m)
		}
	}
	return fit
}

func (c Choice) ofKinds(found []Match) []Match {
	if len(c.Kinds) == 0 {
		return found
	}
	var fit []Match
	for _, m := range found {
		if slices.Contains(c.Kinds, m.Kind) {
			fit = append(fit, m)
		}
	}
	return fit
}

// wrongKind says that there are tables, but of a kind that the caller can't use.
func wrongKind(found []Match) *Error {
	kind := "relative"
	if found[0].Kind == KindAbsolute {
		kind = "absolute"
	}
	return fault(WrongKind, "", "", "the tables here are %s:%s", kind, list(infosOf(found)))
}

func infosOf(found []Match) []tensor.Info {
	infos := make([]tensor.Info, len(found))
	for i, m := range found {
		infos[i] = m.Info
	}
	return infos
}

// Pick keeps the heads of the given numbers, in that order; no numbers keep all.
// A number that the table does not have is a BadOption error.
func (b *Bias) Pick(heads []int) (*Bias, error) {
	if len(heads) == 0 {
		return b, nil
	}
	n, all := b.Scores.Dims()
	kept := *b
	kept.Heads = nil
	kept.Scores = mat.NewDense(n, len(heads), nil)
	for j, h := range heads {
		if h < 0 || h >= all {
			return nil, fault(BadOption, b.Tensor, "", "no head %d: the table has %s", h, count(all, "head"))
		}
		kept.Heads = append(kept.Heads, b.Heads[h])
		kept.Scores.SetCol(j, mat.Col(nil, h, b.Scores))
	}
	return &kept, nil
}
