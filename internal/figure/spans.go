package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Span is a range of x that is marked, such as rows in which something was found: a
// faint band behind the data from the bottom of the plot to its top, or a line where
// it is as narrow as one, and above the plot a bar with its name. What lies outside the
// plot is not drawn, and widens no axis.
type Span struct {
	From, To float64 // both ends included; infinite ones are the edges of the plot. NaN, and From > To, is nothing
	Name     string  // said once for all spans that share it; "": there is no bar
	Strong   bool    // matters more: a darker band with edges, and a thick bar
}

// spanKey is what spans share that are told as one.
type spanKey struct {
	name   string
	strong bool
}

func (s Span) key() spanKey { return spanKey{s.Name, s.Strong} }

// marking is the spans of one name, as a frame shows them.
type marking struct {
	name   string
	strong bool
	parts  []span // rising and apart, in places of the x axis
}

// hull is from the first part to the last.
func (m *marking) hull() span { return span{m.parts[0].lo, m.parts[len(m.parts)-1].hi, true} }

// widest is the part that a name stands at.
func (m *marking) widest() span {
	return slices.MaxFunc(m.parts, func(a, b span) int { return cmp.Compare(a.hi-a.lo, b.hi-b.lo) })
}

// markings are the spans that lie in a frame by their names: strong ones first, else in
// the order of their first. Those of a name that come nearer than a gap are one.
func (l *Lines) markings(f frame, gap float64) []*marking {
	byKey := map[spanKey]*marking{}
	var all []*marking
	for _, s := range l.Spans {
		part, ok := s.within(f)
		if !ok {
			continue
		}
		k := s.key()
		if byKey[k] == nil {
			byKey[k] = &marking{name: s.Name, strong: s.Strong}
			all = append(all, byKey[k])
		}
		byKey[k].parts = append(byKey[k].parts, part)
	}
	for _, m := range all {
		slices.SortFunc(m.parts, func(a, b span) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
		joined := m.parts[:1]
		for _, p := range m.parts[1:] {
			if last := &joined[len(joined)-1]; p.lo <= last.hi+gap {
				last.hi = max(last.hi, p.hi)
			} else {
				joined = append(joined, p)
			}
		}
		m.parts = joined
	}
	slices.SortStableFunc(all, func(a, b *marking) int { return cmp.Compare(rank(a.strong), rank(b.strong)) })
	return all
}

// rank puts what is strong first.
func rank(strong bool) int {
	if strong {
		return 0
	}
	return 1
}

// within is the part of a span that lies in a frame, in places of its x axis.
func (s Span) within(f frame) (part span, ok bool) {
	if !(s.From <= s.To) {
		return span{}, false
	}
	place := func(x float64) float64 {
		if math.IsInf(x, 0) {
			return x
		}
		return f.scale.place(x)
	}
	part = span{max(f.x.lo, place(s.From)), min(f.x.hi, place(s.To)), true}
	return part, part.lo <= part.hi
}

// loggedSpans are spans on a logarithmic axis, which has no place for 0 and less.
func loggedSpans(spans []Span) []Span {
	logged := slices.Clone(spans)
	for i, s := range spans {
		logged[i].From, logged[i].To = math.Log10(max(0, s.From)), math.Log10(s.To) // of 0: the left edge; of less: NaN
		if !(s.From <= s.To) || s.To <= 0 {
			logged[i].To = math.NaN()
		}
	}
	return logged
}

// lanes are rows of what may not overlap.
type lanes [][]span

// take gives the first lane in which something is apart from all else by a gap, and
// keeps its place; -1 where no lane is left.
func (l lanes) take(s span, gap float64) int {
	for i, taken := range l {
		if !slices.ContainsFunc(taken, func(o span) bool { return s.lo < o.hi+gap && o.lo < s.hi+gap }) {
			l[i] = append(taken, s)
			return i
		}
	}
	return -1
}

// What a description names at most: markings, and places of each.
const altMarkings, altWhere = 8, 4

// altSpans says what is marked, and where.
func (l *Lines) altSpans() string {
	drawn := l.logged()
	f := frameOf(drawn)
	var words []string
	places := map[spanKey][]string{}
	var order []Span
	for i, s := range drawn.Spans {
		if _, ok := s.within(f); !ok {
			continue
		}
		s.From, s.To = l.Spans[i].From, l.Spans[i].To
		at := altNumber(s.From)
		if to := altNumber(s.To); to != at {
			at += " to " + to
		}
		if places[s.key()] == nil {
			order = append(order, s)
		}
		places[s.key()] = append(places[s.key()], at)
	}
	slices.SortStableFunc(order, func(a, b Span) int { return cmp.Compare(rank(a.Strong), rank(b.Strong)) })
	for _, s := range order[:min(len(order), altMarkings)] {
		at := places[s.key()]
		word := "a range"
		if name := altText(s.Name); name != "" {
			word = `"` + name + `"`
		}
		if s.Strong {
			word += " (strong)"
		}
		word += " at " + strings.Join(at[:min(len(at), altWhere)], ", ")
		if more := len(at) - altWhere; more > 0 {
			word += " and " + count(more, "more place")
		}
		words = append(words, word)
	}
	if more := len(order) - altMarkings; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	if words == nil {
		return ""
	}
	return "; marked: " + strings.Join(words, "; ")
}
