package posemb

import (
	"fmt"
	"strings"
)

// PlaceWords says which entry serves what was asked for: "offset -200: bucket 15,
// shared with all offsets from -91 back".
func (e *Explanation) PlaceWords(p Place) string {
	s := e.askedWords(p.Asked) + ": "
	of := ""
	if p.Tensor != "" && p.Unit != "" && (len(e.parts) > 1 || e.absolute != nil && len(e.dims) > 1) { // else "row" may be the grid's
		of = " of " + printable(p.Tensor)
	}
	switch {
	case p.Row < 0 && len(e.parts) == 0:
		return s + p.None
	case p.Row < 0:
		return s + "no row" + of + ": " + p.None
	}
	s += p.Label() + of
	switch shared := e.sharedWords(p.Meaning); {
	case !p.Read:
		s += ", not read here"
	case shared != "":
		s += ", shared with " + shared
	}
	return s
}

// askedWords says what was asked for.
func (e *Explanation) askedWords(asked []int) string {
	switch {
	case e.absolute == nil && len(asked) == 1:
		return fmt.Sprintf("offset %d", asked[0])
	case e.absolute == nil:
		return fmt.Sprintf("dy=%s, dx=%s", signed(Span{asked[0], asked[0]}), signed(Span{asked[1], asked[1]}))
	case len(asked) == 1:
		return fmt.Sprintf("position %d", asked[0])
	}
	return e.cellWords(asked) + " of " + e.gridWords()
}

// sharedWords says with what else an offset or a position shares its entry; empty
// when with nothing.
func (e *Explanation) sharedWords(m Meaning) string {
	p := &e.parts[m.part]
	switch {
	case !m.Read || len(m.Where) == 0:
		return ""
	case e.absolute != nil && p.Axis != WholeTable && len(p.along) == 0:
		return e.partWords(m)
	case p.Axis != WholeTable && len(e.dims) > 1:
		return e.otherAxes(p)
	case e.absolute == nil && len(e.axes) > 1:
		if point(m.Where[0]) != nil && point(m.Where[1]) != nil {
			return ""
		}
		return e.pairWords(m)
	case len(m.Where[0].Spans) == 0 || point(m.Where[0]) != nil:
		return ""
	case e.absolute != nil:
		return "positions " + few(m.Where[0].Spans)
	}
	words, _ := e.offsetWords(m)
	switch s := m.Where[0].Spans[0]; {
	case s == Span{NoStart, End}:
		return words
	case s.From == NoStart:
		return fmt.Sprintf("all offsets from %d back", s.To)
	case s.To == End:
		return fmt.Sprintf("all offsets from %d ahead", s.From)
	}
	return "the " + strings.TrimPrefix(words, "the ")
}
