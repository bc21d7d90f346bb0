package posemb

import (
	"fmt"
	"slices"
	"strings"
)

// aside puts what is to be added to a meaning's words in brackets, with the way
// the file counts where that is query - key.
func (e *Explanation) aside(m Meaning, words ...string) string {
	if e.parts[m.part].Turned && !m.mirrored {
		if s := e.turnedWords(m); s != "" {
			words = append(words, "the file counts query - key: "+s)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}

// turnedWords are the offsets as query - key; empty when they are the same.
func (e *Explanation) turnedWords(m Meaning) string {
	var words []string
	same := true
	p := &e.parts[m.part]
	for i, a := range m.Where {
		if p.Axis != WholeTable && p.Axis != i || a.Spans == nil {
			continue
		}
		t := Along{a.Axis, turn(a.Spans, m.Last > m.Row)}
		same = same && slices.Equal(t.Spans, a.Spans)
		switch {
		case len(e.axes) > 1:
			words = append(words, e.along(i, t))
		case t.Spans[0].From == NoStart && t.Spans[0].To != End:
			words = append(words, fmt.Sprintf("%d and below", t.Spans[0].To))
		case t.Spans[0].To == End:
			words = append(words, fmt.Sprintf("%d and above", t.Spans[0].From))
		default:
			words = append(words, few(t.Spans))
		}
	}
	if same {
		return ""
	}
	return strings.Join(words, ", ")
}

// turn changes the sign of offsets. Those of one entry rise again; those of a run
// stay in the order of its entries.
func turn(spans []Span, run bool) []Span {
	turned := make([]Span, len(spans))
	for i, s := range spans {
		t := Span{-s.To, -s.From}
		if run {
			t.From, t.To = t.To, t.From
		}
		if s.From == NoStart {
			t.To = End
		}
		if s.To == End {
			t.From = NoStart
		}
		turned[len(spans)-1-i] = t
	}
	return turned
}
