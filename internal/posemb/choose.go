package posemb

import (
	"fmt"
	"slices"
	"strings"

	"poslens/internal/tensor"
)

// Named finds the tensor that the caller names, exactly or by a glob. A preset
// that its name fits reads it, or the one that opt.Arch asks for; any other
// tensor is taken as a bare matrix.
func Named(src Source, name string, opt ReadOptions) (Match, error) {
	s := lookOver(src)
	at := slices.IndexFunc(s.infos, func(t tensor.Info) bool { return t.Name == name })
	if at < 0 {
		var err error
		if at, err = s.byGlob(name); err != nil {
			return Match{}, err
		}
	}
	presets, err := asked(opt)
	if err != nil {
		return Match{}, err
	}
	t := s.infos[at]
	if s.kind == "" || opt.Arch != "" {
		if m, ok := s.match(presets, at); ok {
			return m, nil
		}
	}
	if opt.Arch != "" {
		p := presets[0]
		if len(p.Parts) > 1 && !strings.HasPrefix(string(p.Parts[1]), "?") {
			return Match{}, fault(BadOption, name, "", "%s needs %s side by side", p.Arch, p.wants())
		}
		return asArch(s.bare(at, src, opt), &p), nil
	}
	if len(t.Shape) < 2 {
		return Match{}, notRows(t)
	}
	return s.bare(at, src, opt), nil
}

// Only finds the one table of a source. Several that fit are an Ambiguous error
// which lists them. When none fits, the file's only float matrix is taken as a
// bare one, and else the error says what is there instead.
func Only(src Source, opt ReadOptions) (Match, error) {
	s := lookOver(src)
	presets, err := asked(opt)
	if err != nil {
		return Match{}, err
	}
	found := s.matches(presets, floats)
	if len(found) == 0 {
		found = s.matches(presets, integers) // a quantised table
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Match{}, ambiguous(found)
	}
	at, ok := s.only(floats)
	if !ok {
		at, ok = s.only(integers)
	}
	if !ok {
		return Match{}, s.nothing()
	}
	m := s.bare(at, src, opt)
	if opt.Arch != "" {
		m = asArch(m, &presets[0])
	}
	return m, nil
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

// bare is tensor i as a matrix without an architecture.
func (s *survey) bare(i int, src Source, opt ReadOptions) Match {
	return bareMatch(s.infos[i], s.names[i], bareKind(src, opt))
}

// asArch reads a tensor as a preset, whatever its name; parts that may be absent
// are.
func asArch(m Match, p *Preset) Match {
	m.Arch, m.Kind = p.Arch, p.Kind
	for range p.Parts[1:] {
		m.Parts = append(m.Parts, "")
	}
	return m
}

// only finds the one tensor of two or more dimensions. Where the file holds
// others, it must not be a known table of something else.
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

// byGlob finds the tensor whose name a glob matches; of several, the one that is
// a position table.
func (s *survey) byGlob(pattern string) (int, error) {
	var at []int
	for i, t := range s.infos {
		if glob(pattern, t.Name) {
			at = append(at, i)
		}
	}
	if len(at) > 1 {
		var tables []int
		for _, i := range at {
			if _, ok := s.match(Presets, i); ok && !never(s.names[i]) {
				tables = append(tables, i)
			}
		}
		if len(tables) > 0 {
			at = tables
		}
	}
	switch len(at) {
	case 1:
		return at[0], nil
	case 0:
		var near []string
		for _, t := range s.closest() {
			near = append(near, printable(t.Name))
		}
		text := ""
		if len(near) > 0 {
			text = "closest to a table: " + strings.Join(near, ", ")
		}
		return 0, fault(NotFound, pattern, text, "no tensor has this name")
	}
	var infos []tensor.Info
	for _, i := range at {
		infos = append(infos, s.infos[i])
	}
	return 0, fault(Ambiguous, pattern, "name one of them", "%d tensors match:%s", len(at), list(infos))
}

// ambiguous lists the tables of which one is to be chosen.
func ambiguous(found []Match) *Error {
	return fault(Ambiguous, "", addTensor+", its name or a glob", "%d position tables fit:%s", len(found), list(infosOf(found)))
}

// list writes tensors a line each, name and shape; after some, only how many.
func list(infos []tensor.Info) string {
	var s strings.Builder
	for i, t := range infos {
		if i == listLength && len(infos) > listLength+1 {
			fmt.Fprintf(&s, "\n  and %d more", len(infos)-i)
			break
		}
		fmt.Fprintf(&s, "\n  %s: %s", printable(t.Name), shapeText(t.Shape))
	}
	return s.String()
}
