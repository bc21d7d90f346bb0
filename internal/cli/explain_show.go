package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"poslens/internal/posemb"
	"poslens/internal/report"
)

// meant is one line of explain: a stored row, or the row of what was asked for.
type meant struct {
	label string
	about *posemb.Explanation
	posemb.Meaning
	asked []int // nil: the row itself was
	words string
	none  string // why there is no row; empty where there is one
}

// each gives the lines of an answer, a row each, until do wants no more, which it
// then tells.
func (w answer) each(do func(meant) bool) (going bool) {
	switch e := w.about; {
	case w.asked:
		for _, p := range w.places {
			if !do(meant{w.label, e, p.Meaning, p.Asked, e.PlaceWords(p), p.None}) {
				return false
			}
		}
	case e.Parts() == 0:
		words := e.Words(e.Computed())
		return do(meant{w.label, e, e.Computed(), nil, words, words})
	default:
		for _, r := range w.rows {
			for i := r.from; i < r.to; i++ {
				m := e.Entry(r.part, i)
				if !do(meant{w.label, e, m, nil, e.Words(m), ""}) {
					return false
				}
			}
		}
	}
	return true
}

// explainProduct is the answers in every form.
func explainProduct(answers []answer) *product {
	return &product{
		command: "explain",
		table:   func() *report.Table { return meantTable(answers) },
		results: func() []any {
			var all []any
			for _, w := range answers {
				w.each(func(m meant) bool {
					all = append(all, m.object())
					return true
				})
			}
			return all
		},
		text: func(w io.Writer, _ screen) error { return writeMeant(w, answers) },
	}
}

// meantTable is the answers with a row each; the columns in between are the axes
// of the tables.
func meantTable(answers []answer) *report.Table {
	var axes []string
	asked := false
	for _, w := range answers {
		asked = w.asked
		for _, axis := range w.about.Axes() {
			if !slices.Contains(axes, axis) {
				axes = append(axes, axis)
			}
		}
	}
	t := &report.Table{Cols: []report.Column{{Name: "source"}}}
	if asked {
		t.Cols = append(t.Cols, report.Column{Name: "asked"})
	}
	t.Cols = append(t.Cols, report.Column{Name: "tensor"}, report.Column{Name: "row", Numeric: true}, report.Column{Name: "unit"}, report.Column{Name: "kind"})
	for _, axis := range axes {
		t.Cols = append(t.Cols, report.Column{Name: axis, Numeric: true})
	}
	t.Cols = append(t.Cols, report.Column{Name: "words"})
	t.Behind = func(yield func([]any) bool) { // a large table has millions
		for _, w := range answers {
			going := w.each(func(m meant) bool {
				row := []any{m.label}
				if asked {
					row = append(row, joinInts(m.asked, ","))
				}
				row = append(row, text(m.Tensor), number(m.row()), text(m.Unit), text(m.Kind))
				for _, axis := range axes {
					row = append(row, m.cell(axis))
				}
				return yield(append(row, m.words))
			})
			if !going {
				return
			}
		}
	}
	return t
}

// row is the stored row; nil where there is none.
func (m *meant) row() *int {
	if m.Row < 0 {
		return nil
	}
	return &m.Row
}

// along is what a row covers along an axis; ok is false where that is undefined.
func (m *meant) along(axis string) (a posemb.Along, ok bool) {
	for _, a := range m.Where {
		if a.Axis == axis && a.Spans != nil {
			return a, true
		}
	}
	return a, false
}

// cell is what a row covers along an axis, for a table: a number where it is one.
func (m *meant) cell(axis string) any {
	a, ok := m.along(axis)
	switch {
	case !ok:
		return nil
	case len(a.Spans) == 1 && a.Spans[0].From == a.Spans[0].To:
		return a.Spans[0].From
	}
	return a.String()
}

// object is a line in JSON: what a row covers along each axis is a list of ranges
// [from, to], with null for an end without a bound.
func (m *meant) object() object {
	o := object{{"source", m.label}}
	if m.asked != nil {
		o = append(o, field{"asked", m.asked})
	}
	reasons := object{}
	o = append(o, field{"tensor", text(m.Tensor)}, field{"row", number(m.row())}, field{"unit", text(m.Unit)}, field{"kind", text(m.Kind)}, field{"read", m.Read})
	why := m.words
	if m.Row < 0 {
		why = m.none
		reasons = append(reasons, field{"row", why})
	}
	for _, axis := range m.about.Axes() {
		a, ok := m.along(axis)
		switch {
		case ok && slices.ContainsFunc(a.Spans, posemb.Span.Open):
			reasons = append(reasons, field{axis, "null: without a bound"})
			fallthrough
		case ok:
			o = append(o, field{axis, a.Spans})
		default:
			reasons = append(reasons, field{axis, why})
			o = append(o, field{axis, nil})
		}
	}
	o = append(o, field{"words", m.words})
	if len(reasons) > 0 {
		o = append(o, field{"reasons", reasons})
	}
	return o
}

// object is a JSON object whose fields keep their order.
type object []field

type field struct {
	name  string
	value any
}

// MarshalJSON writes the fields in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(f.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// writeMeant tells the answers to people, rows that go on in the same way in one
// line. A heading names the tensor where there are several.
func writeMeant(w io.Writer, answers []answer) error {
	out := bufio.NewWriter(w)
	heads := len(answers) > 1
	for _, a := range answers {
		heads = heads || !a.asked && a.about.Parts() > 1
	}
	for _, a := range answers {
		e, indent := a.about, ""
		if heads {
			fmt.Fprintf(out, "%s\n", inline(a.label))
			indent = "  "
		}
		switch {
		case a.asked:
			for _, p := range a.places {
				fmt.Fprintf(out, "%s%s\n", indent, printable(e.PlaceWords(p)))
			}
		case e.Parts() == 0:
			fmt.Fprintf(out, "%s%s\n", indent, printable(e.Words(e.Computed())))
		}
		for i, r := range a.rows {
			if e.Parts() > 1 && (i == 0 || a.rows[i-1].part != r.part) {
				fmt.Fprintf(out, "  %s\n", inline(e.Stored(r.part).Tensor))
				indent = "      "
			}
			for _, m := range e.Runs(r.part, r.from, r.to) {
				fmt.Fprintf(out, "%s%s: %s\n", indent, m.Label(), printable(e.Words(m)))
			}
		}
	}
	return out.Flush()
}
