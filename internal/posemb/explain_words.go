package posemb

import (
	"fmt"
	"slices"
	"strings"
)

// Label names an entry or a run of them: "row 17", "buckets 1..7"; empty where
// there is none.
func (m Meaning) Label() string {
	switch {
	case m.Row < 0:
		return ""
	case m.Last > m.Row:
		return fmt.Sprintf("%ss %d..%d", m.Unit, m.Row, m.Last)
	}
	return fmt.Sprintf("%s %d", m.Unit, m.Row)
}

// Words says what a Meaning of this table is: "dy=-3, dx=+2 (the file counts
// query - key: dy=+3, dx=-2); shared by 24 pairs of cells of the 6 x 6 window".
func (e *Explanation) Words(m Meaning) string {
	switch {
	case m.Kind == MeansComputed:
		return e.computedWords()
	case m.Kind == MeansReserved:
		p := &e.parts[m.part]
		if s := p.Other[m.Row]; s != "" {
			return s
		}
		return e.outside(p, m.Row)
	case m.Kind == MeansUnused && e.absolute != nil:
		return "used by no position that is read"
	case m.Kind == MeansUnused && m.Last > m.Row:
		return "used by no offset: they keep their initial values"
	case m.Kind == MeansUnused:
		return "used by no offset: keeps its initial values"
	case m.Kind == MeansPosition:
		return e.positionWords(m)
	case m.Kind == MeansOffset && len(e.axes) == 1:
		words, asides := e.offsetWords(m)
		return words + e.aside(m, asides...)
	case m.Kind == MeansOffset:
		return e.pairWords(m) + e.aside(m) + e.windowWords(m)
	}
	return ""
}

// computedWords says how a table without stored entries comes about.
func (e *Explanation) computedWords() string {
	s := "no single row holds an offset"
	if e.absolute != nil {
		s = "no single row holds a position"
	}
	if notes := e.table.Remarks(); len(notes) > 0 {
		s += ": " + strings.Join(notes, "; ")
	}
	return s
}

// offsetWords are those of entries on one axis, and what to add in brackets.
func (e *Explanation) offsetWords(m Meaning) (words string, asides []string) {
	spans := m.Where[0].Spans
	if len(spans) != 1 {
		return "offsets " + few(spans), nil
	}
	s := spans[0]
	switch {
	case s == Span{NoStart, End}:
		return "every offset", nil
	case s.From == NoStart:
		return endWords(s.To, e.axes[0].Min, "back")
	case s.To == End:
		return endWords(s.From, e.axes[0].Max, "ahead")
	case m.mirrored:
		return "the offsets " + outwards(s) + ", to both sides", nil
	case s == Span{}:
		asides = []string{"the query itself"}
	case s.From > 0 && s.To > 0:
		asides = []string{strings.Replace(s.String(), "..", " to ", 1) + " ahead"}
	case s.From < 0 && s.To < 0:
		far := Span{-s.To, -s.From}
		if m.Last > m.Row { // in the order of the entries
			far = Span{-s.From, -s.To}
		}
		asides = []string{strings.Replace(far.String(), "..", " to ", 1) + " back"}
	}
	if s.From == s.To {
		return "offset " + s.String(), asides
	}
	return "offsets " + s.String(), asides
}

// endWords are those of an entry that serves all offsets from one on: of several
// inside the axis, or of its last one alone.
func endWords(from, last int, way string) (words string, asides []string) {
	far := "farther " + way
	if from == 0 {
		far = way
	}
	if from == last {
		return fmt.Sprintf("offset %d, and all %s", from, far), []string{"clipped"}
	}
	return fmt.Sprintf("offsets %d and all %s", from, far), nil
}

// pairWords are those of entries on two axes.
func (e *Explanation) pairWords(m Meaning) string {
	dy, dx := m.Where[0], m.Where[1]
	if dy.Spans == nil || dx.Spans == nil {
		return "several offsets that are no block of dy and dx"
	}
	if p := &e.parts[m.part]; p.Axis != WholeTable { // it says nothing of the other axis
		return e.along(p.Axis, m.Where[p.Axis]) + ", with every " + e.names[1-p.Axis]
	}
	switch both := total(dy.Spans) * total(dx.Spans); {
	case m.mirrored:
		return fmt.Sprintf("the offsets (%s, %s), to both sides of each axis", outwards(outermost(dy)), outwards(outermost(dx)))
	case both == 2 && mirrored(m.Where):
		return fmt.Sprintf("the two offsets (%s, %s)", outwards(outermost(dy)), outwards(outermost(dx)))
	case both == 4 && mirrored(m.Where):
		return fmt.Sprintf("the four offsets (%s, %s)", outwards(outermost(dy)), outwards(outermost(dx)))
	}
	return e.along(0, dy) + ", " + e.along(1, dx)
}

// windowWords says how many pairs of cells of a window share an offset, where all
// offsets of a window are the table's and no others: of h x w cells,
//
//	(h - |dy|) (w - |dx|)
func (e *Explanation) windowWords(m Meaning) string {
	dy, dx := point(m.Where[0]), point(m.Where[1])
	if dy == nil || dx == nil || m.Last > m.Row || e.parts[m.part].Axis != WholeTable {
		return ""
	}
	for _, x := range e.axes {
		if x.Min != -x.Max || x.Beyond == BeyondClipped {
			return ""
		}
	}
	h, w := e.axes[0].Max+1, e.axes[1].Max+1
	pairs := (h - max(*dy, -*dy)) * (w - max(*dx, -*dx))
	return fmt.Sprintf("; shared by %s of cells of the %d x %d window", count(pairs, "pair"), h, w)
}

// along is what an entry has on one of two axes: "dx=+2", "dy=-5..-3".
func (e *Explanation) along(i int, a Along) string {
	words := make([]string, len(a.Spans))
	for k, s := range a.Spans {
		words[k] = signed(s)
		if s == (Span{NoStart, End}) {
			return "every " + e.names[i]
		}
	}
	return e.names[i] + "=" + strings.Join(words, " or ")
}

// signed is a span of dy or dx: "+2", "-5..+5", "-5 and beyond".
func signed(s Span) string {
	one := func(n int) string {
		if n == 0 {
			return "0"
		}
		return fmt.Sprintf("%+d", n)
	}
	switch {
	case s.From == NoStart:
		return one(s.To) + " and beyond"
	case s.To == End:
		return one(s.From) + " and beyond"
	case s.From == s.To:
		return one(s.From)
	}
	return one(s.From) + ".." + one(s.To)
}

// outwards is a distance to both sides, or a run of them: "±2", "0..±13".
func outwards(s Span) string {
	one := func(n int) string {
		if n == 0 {
			return "0"
		}
		return fmt.Sprintf("±%d", n)
	}
	if s.From == s.To {
		return one(s.To)
	}
	return one(s.From) + ".." + one(s.To)
}

// few lists spans, and of many the first ones.
func few(spans []Span) string {
	const most = 6
	words := strings.ReplaceAll(Along{Spans: spans[:min(len(spans), most)]}.String(), ",", ", ")
	switch rest := spans[min(len(spans), most):]; {
	case len(rest) == 0:
		return words
	case slices.ContainsFunc(rest, Span.Open):
		return words + " and more"
	default:
		return fmt.Sprintf("%s and %d more", words, total(rest))
	}
}
