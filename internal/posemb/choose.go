package posemb

import (
	"slices"

	"poslens/internal/tensor"
)

// Choice says which tables of a source are wanted.
type Choice struct {
	Name   string // a tensor, exactly or by a glob; empty: what is recognised
	Kinds  []Kind // what can be used; empty: all
	Layers []int  // of the table, as Match.Layer has it; none: any
	Many   bool   // without a name: all that fit, and not only one
}

// Choose finds the tables that a choice means, by names and shapes alone; it reads
// no data.
//
// A tensor's own name is that tensor, whatever Kinds and Layers say; of one that
// holds several layers, the Layers that are wanted. A glob is all
// recognised tables whose names it matches; else the one tensor that it matches.
// Without a name it is the one recognised table, or all under Many; else the
// source's only matrix. What no preset recognises is a bare matrix, and
// opt.Arch reads any tensor as that preset.
//
// Its errors are *Error: Ambiguous lists several that fit, WrongKind what there is
// of other kinds, NotFound says what there is instead.
func Choose(src Source, c Choice, opt ReadOptions) ([]Match, error) {
	s := lookOver(src)
	s.opt = opt
	presets, err := asked(opt)
	if err != nil {
		return nil, err
	}
	switch Kind(s.kind) {
	case "", KindAbsolute, KindVectors, KindBias:
	default:
		return nil, fault(NotATable, "", "", "poslens.kind is %q, expected absolute, vectors or bias", s.kind)
	}
	if c.Name != "" {
		exact := slices.IndexFunc(s.infos, func(t tensor.Info) bool { return t.Name == c.Name })
		if exact >= 0 {
			found, err := s.whatever(exact, presets, opt)
			if err != nil || len(found) == 1 {
				return found, err
			}
			return c.among(found) // the layers of one tensor
		}
	}
	found := s.recognised(c.Name, presets)
	if len(found) == 0 {
		i, err := s.unrecognised(c.Name)
		if err != nil {
			return nil, err
		}
		return s.whatever(i, presets, opt)
	}
	return c.among(found)
}

// among picks the tables that are wanted out of those of a name.
func (c Choice) among(found []Match) ([]Match, error) {
	switch fit := c.filter(found); {
	case len(fit) == 0:
		return nil, c.unfit(found)
	case len(fit) > 1 && c.Name == "" && !c.Many:
		return nil, ambiguous(fit)
	default:
		return fit, nil
	}
}

// asked are the presets that an option leaves: all, or the one that it names,
// which then reads whatever its conditions say.
func asked(opt ReadOptions) ([]Preset, error) {
	if opt.Arch == "" {
		return Presets, nil
	}
	p := byArch(opt.Arch)
	if p == nil {
		return nil, unknownArch(opt.Arch)
	}
	free := *p
	free.Fits = nil
	return []Preset{free}, nil
}

// recognised are the tables that the presets know and a glob matches, an empty
// one all of them; those of whole numbers, as quantised files have them, where
// there are no others.
func (s *survey) recognised(pattern string, presets []Preset) []Match {
	for _, want := range []wanted{floats, integers} {
		found := slices.DeleteFunc(s.matches(presets, want), func(m Match) bool {
			return pattern != "" && pattern != m.Name() && !glob(pattern, m.Info.Name)
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// unrecognised finds the tensor that a glob matches, or without one the only
// matrix.
func (s *survey) unrecognised(pattern string) (int, error) {
	if pattern != "" {
		return s.byGlob(pattern)
	}
	for _, want := range []wanted{floats, integers} {
		if i, ok := s.only(want); ok {
			return i, nil
		}
	}
	return 0, s.nothing()
}

// whatever makes a match of tensor i: by a preset that its name fits, as the one
// that is asked for, or as a bare matrix. In a table that this tool wrote the
// name says nothing.
func (s *survey) whatever(i int, presets []Preset, opt ReadOptions) ([]Match, error) {
	if s.kind == "" || opt.Arch != "" {
		if m, ok := s.match(presets, i); ok {
			return m.items(), nil
		}
	}
	m := bareMatch(s.infos[i], s.names[i], bareKind(s.kind, opt))
	switch {
	case opt.Arch != "":
		p := presets[0]
		m.Arch, m.Kind = p.Arch, p.Kind
		m.Parts = append(m.Parts, make([]string, len(p.Parts)-1)...) // the others are not known
	case len(m.Info.Shape) == 0 && m.Info.DType == tensor.Invalid: // not known: reading it says why
	case len(m.Info.Shape) < 2:
		return nil, notRows(m.Info)
	}
	return []Match{m}, nil
}

// only finds the one tensor of two or more dimensions, unless its name is a known
// one of something else.
func (s *survey) only(want wanted) (at int, ok bool) {
	at = -1
	for i, t := range s.infos {
		if !want(t) || len(squeeze(t.Shape)) < 2 || never(s.names[i]) {
			continue
		}
		if at >= 0 {
			return 0, false
		}
		at = i
	}
	return at, at >= 0 && !elsewhere(s.names[at])
}

// byGlob finds the one tensor whose name a glob matches; optimiser state and the
// like only where it matches nothing else.
func (s *survey) byGlob(pattern string) (int, error) {
	var at, others []int
	for i, t := range s.infos {
		switch {
		case !glob(pattern, t.Name):
		case never(s.names[i]):
			others = append(others, i)
		default:
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		at = others
	}
	switch len(at) {
	case 0:
		return 0, s.noName(pattern)
	case 1:
		return at[0], nil
	}
	infos := make([]tensor.Info, len(at))
	for k, i := range at {
		infos[k] = s.infos[i]
	}
	return 0, fault(Ambiguous, pattern, "name one of them", "%d tensors match:%s", len(at), list(infos))
}

// filter keeps the matches of the kinds and the layer that are wanted.
func (c Choice) filter(found []Match) []Match {
	var fit []Match
	for _, m := range c.ofKinds(found) {
		if len(c.Layers) == 0 || slices.Contains(c.Layers, m.Layer) {
			fit = append(fit, m)
		}
	}
	return fit
}

// ofKinds keeps the matches of the kinds that are wanted.
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

// unfit is the error for tables of which none passes the filter.
func (c Choice) unfit(found []Match) *Error {
	if ofKinds := c.ofKinds(found); len(ofKinds) > 0 {
		hint := ""
		if !slices.ContainsFunc(ofKinds, func(m Match) bool { return m.Layer >= 0 }) {
			hint = "none of their names holds a layer's number: leave --layer out"
		}
		return fault(NotFound, "", hint, "no table of layer %s; there are:%s", joined(c.Layers, ", "), list(infosOf(ofKinds)))
	}
	kind := "relative"
	if found[0].Kind == KindAbsolute {
		kind = "absolute"
	}
	return fault(WrongKind, "", "", "the tables here are %s:%s", kind, list(infosOf(found)))
}

// Named are the tensors that a name means, whatever they are: the one of exactly
// this name, or all that it fits as a glob. An empty one means all. Without any the
// error is NotFound.
func Named(infos []tensor.Info, name string) ([]tensor.Info, error) {
	if name == "" {
		return infos, nil
	}
	if i := slices.IndexFunc(infos, func(t tensor.Info) bool { return t.Name == name }); i >= 0 {
		return infos[i : i+1], nil
	}
	var found []tensor.Info
	for _, t := range infos {
		if glob(name, t.Name) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return nil, fault(NotFound, name, "", "no tensor of %d has this name", len(infos))
	}
	return found, nil
}
