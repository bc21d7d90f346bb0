package posemb

import "slices"

// Runs says what the entries of a tensor are, from one to before another. Those
// that go on in the same way are one Meaning: a run of positions, of offsets, of
// unused rows.
func (e *Explanation) Runs(part, from, to int) []Meaning {
	var runs []Meaning
	var last Meaning // the entry at the end of the last run
	for entry := max(from, 0); entry < min(to, e.parts[part].Count); entry++ {
		next := e.Entry(part, entry)
		if n := len(runs) - 1; n >= 0 && e.join(&runs[n], last, next) {
			runs[n].Last = entry
		} else {
			runs = append(runs, next)
		}
		last = next
	}
	return runs
}

// join lets a run take up the next entry, if that goes on in the same way.
func (e *Explanation) join(run *Meaning, last, next Meaning) bool {
	p := &e.parts[run.part]
	switch {
	case last.Kind != next.Kind:
		return false
	case last.Kind == MeansUnused:
		return true
	case last.Kind == MeansReserved:
		return p.Other[last.Row] == p.Other[next.Row] && e.outside(p, last.Row) == e.outside(p, next.Row)
	case last.Kind == MeansPosition && p.Axis == WholeTable:
		return e.joinPosition(run, last, next)
	}
	return joinAlong(run, last, next)
}

// joinPosition is join for an entry a position. Where on a grid a run is, its
// positions tell.
func (e *Explanation) joinPosition(run *Meaning, last, next Meaning) bool {
	a, b := point(last.Where[0]), point(next.Where[0])
	step := 1
	if last.Read && next.Read {
		step = max(e.absolute.Stride, 1)
	}
	if a == nil || b == nil || *b != *a+step || e.read(last) != e.read(next) {
		return false
	}
	first := run.Where[0].Spans[0].From
	run.Where = e.undefined()
	run.Where[0].Spans = []Span{{first, *b}}
	return true
}

// How much of a run of positions a table holds.
const (
	readNone   = iota
	readAll    // each
	readStride // one in a stride
)

// read says whether an entry is one that the table holds, or stands between the
// first and the last of those that a stride picks.
func (e *Explanation) read(m Meaning) int {
	p := &e.parts[m.part]
	switch a := e.absolute; {
	case a.Stride > 1 && e.inPlace(p) && m.Row >= p.At[0] && m.Row <= p.At[len(p.At)-1]:
		return readStride
	case m.Read:
		return readAll
	}
	return readNone
}

// joinAlong is join along the one axis on which two entries differ: by a step up
// or down, or where offsets are mirrored to both sides, by one outwards.
func joinAlong(run *Meaning, last, next Meaning) bool {
	axis := -1
	for i := range next.Where {
		switch {
		case slices.Equal(run.Where[i].Spans, next.Where[i].Spans):
		case next.Where[i].Spans == nil || last.Where[i].Spans == nil:
			return false
		case axis >= 0:
			return false
		default:
			axis = i
		}
	}
	if axis < 0 {
		return false
	}
	to := &run.Where[axis]
	if mirrored(last.Where) && mirrored(next.Where) {
		start, end := outermost(*to), outermost(next.Where[axis])
		if end.To != start.To+1 {
			return false
		}
		run.mirrored, to.Spans = true, []Span{{start.From, end.To}}
		return true
	}
	a, b := point(last.Where[axis]), point(next.Where[axis])
	if a == nil || b == nil || len(to.Spans) != 1 {
		return false
	}
	start := to.Spans[0].From
	if step := *b - *a; step != 1 && step != -1 || start != *a && (*a-start)*step < 0 {
		return false
	}
	to.Spans = []Span{{start, *b}}
	return true
}

// outermost is the span farthest out on the positive side.
func outermost(a Along) Span { return a.Spans[len(a.Spans)-1] }

// mirrored says that an entry serves one distance along each axis, to both sides.
func mirrored(where []Along) bool {
	for _, a := range where {
		one := len(a.Spans) == 1 && a.Spans[0] == Span{}
		two := len(a.Spans) == 2 && a.Spans[0].From == a.Spans[0].To && a.Spans[1].From == a.Spans[1].To && a.Spans[0].From == -a.Spans[1].From
		if !one && !two {
			return false
		}
	}
	return true
}

// point is the one value that an entry has along an axis; nil when there are more.
func point(a Along) *int {
	if len(a.Spans) == 1 && a.Spans[0].From == a.Spans[0].To {
		return &a.Spans[0].From
	}
	return nil
}
