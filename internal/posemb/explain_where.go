package posemb

import "slices"

// undefined is a Where without a span.
func (e *Explanation) undefined() []Along {
	where := make([]Along, len(e.names))
	for i, name := range e.names {
		where[i].Axis = name
	}
	return where
}

// offsets says which offsets some places of a tensor are.
func (e *Explanation) offsets(p *part, places []int) []Along {
	where := e.undefined()
	sets := e.project(p, places)
	if sets == nil {
		return where
	}
	for i, x := range e.axes {
		if sets[i] == nil { // the tensor says nothing of this axis
			sets[i] = []Span{{0, x.Len() - 1}}
		}
		where[i].Spans = opened(sets[i], x)
	}
	return where
}

// opened moves spans of indices along an axis to its offsets. Where the axis is
// clipped, a span at its end has no bound.
func opened(spans []Span, x Axis) []Span {
	for i := range spans {
		s := &spans[i]
		s.From, s.To = s.From+x.Min, s.To+x.Min
		if x.Beyond != BeyondClipped {
			continue
		}
		if s.From == x.Min {
			s.From = NoStart
		}
		if s.To == x.Max {
			s.To = End
		}
	}
	return spans
}

// positions says which positions some places of a tensor are, and where they are
// on the grid.
func (e *Explanation) positions(p *part, places []int) []Along {
	where := e.undefined()
	a := e.absolute
	if p.Axis == WholeTable {
		for _, i := range places {
			where[0].Spans = extend(where[0].Spans, a.First+i*max(a.Stride, 1))
		}
	} else if inner := e.inner(); p.Axis == 0 && p.along == nil && inner > 0 { // blocks of positions in a line
		first := places[0] * inner
		where[0].Spans = []Span{{first, first + inner*len(places) - 1}}
		if places[len(places)-1]-places[0] != len(places)-1 {
			where[0].Spans = nil
		}
	}
	if len(e.dims) < 2 {
		return where
	}
	sets := e.project(p, places)
	for i := range sets {
		if sets[i] == nil {
			sets[i] = []Span{{0, e.dims[i] - 1}}
		}
		where[i+1].Spans = sets[i]
	}
	return where
}

// inner is the length of the tensor that follows the second axis; 0 without one.
func (e *Explanation) inner() int {
	for _, p := range e.parts {
		if p.Axis == 1 {
			return len(p.At)
		}
	}
	return 0
}

// project gives the indices that some places of a tensor have along each of dims,
// nil for one that the tensor does not follow. Places that are not all
// combinations of these have no such answer, and give nil.
func (e *Explanation) project(p *part, places []int) [][]Span {
	if p.along == nil {
		return nil
	}
	sets := make([][]Span, len(e.dims))
	left, size := 1, 1
	for j := len(p.along) - 1; j >= 0; j-- {
		d := p.along[j]
		index := make([]int, len(places))
		for i, place := range places {
			index[i] = place / left % e.dims[d]
		}
		left *= e.dims[d]
		if !slices.IsSorted(index) {
			slices.Sort(index)
		}
		for _, i := range index {
			sets[d] = extend(sets[d], i)
		}
		size *= total(sets[d])
	}
	if size != len(places) {
		return nil
	}
	return sets
}

// extend adds the next of rising numbers to spans.
func extend(spans []Span, i int) []Span {
	if last := len(spans) - 1; last >= 0 && spans[last].To >= i-1 {
		spans[last].To = i
		return spans
	}
	return append(spans, Span{i, i})
}

// total is how many numbers spans with bounds hold.
func total(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += s.To - s.From + 1
	}
	return n
}
