package posemb

import (
	"fmt"
	"slices"
)

// Place is the stored entry that serves an offset or a position.
type Place struct {
	Meaning        // Row is -1 when no entry serves it
	Asked   []int  // as it was asked for
	None    string // why no entry does
}

// FindOffset finds the entry of an offset k, or of dy, dx, in each stored tensor.
// Where an axis is clipped, its end serves all that is beyond.
func (e *Explanation) FindOffset(k ...int) ([]Place, error) {
	switch {
	case e.absolute != nil:
		return nil, fault(WrongKind, "", "--position P; where the rows of a matrix are offsets, --offsets A:B says which", "the table is absolute: its rows are positions, not offsets")
	case len(k) != len(e.axes) && len(e.axes) == 2:
		return nil, fault(BadOption, "", "--offset DY,DX", "the table has two axes of offsets, dy and dx")
	case len(k) != len(e.axes):
		return nil, fault(BadOption, "", "--offset K", "the table has one axis of offsets, and %s given", count(len(k), "number")+plural(len(k), " was", " were"))
	}
	index := make([]int, len(k))
	for i, x := range e.axes {
		v := k[i]
		if v < x.Min || v > x.Max {
			switch {
			case x.Beyond == BeyondClipped:
				v = min(max(v, x.Min), x.Max)
			case len(e.parts) == 0: // a formula may go on
				return e.nowhere(k, fmt.Sprintf("the %s computed here are %d..%d", e.axisName(i), x.Min, x.Max)), nil
			case x.Beyond == BeyondZero:
				return e.nowhere(k, fmt.Sprintf("the %s are %d..%d, and nothing is added beyond", e.axisName(i), x.Min, x.Max)), nil
			default:
				return e.nowhere(k, fmt.Sprintf("the %s are %d..%d, and none farther occurs", e.axisName(i), x.Min, x.Max)), nil
			}
		}
		index[i] = v - x.Min
	}
	return e.found(k, index), nil
}

// axisName is an axis in a sentence: "offsets", "offsets dy".
func (e *Explanation) axisName(i int) string {
	if len(e.axes) == 1 {
		return "offsets"
	}
	return "offsets " + e.names[i]
}

// FindPosition finds the entry of a position p, of a row and column of the grid,
// or of a frame and these, in each stored tensor. All count from 0.
func (e *Explanation) FindPosition(p ...int) ([]Place, error) {
	a := e.absolute
	if a == nil {
		return nil, fault(WrongKind, "", "--offset K, or --offset DY,DX on two axes", "the table is relative: its rows are offsets, not positions")
	}
	if len(p) > 1 {
		if want := e.names[1:]; len(p) != len(want) {
			return nil, e.notThat(len(p), want)
		}
		for i, v := range p {
			if v < 0 || v >= e.dims[i] {
				return e.nowhere(p, fmt.Sprintf("the grid has %s 0..%d", gridWord(e.names[i+1])+"s", e.dims[i]-1)), nil
			}
		}
		return e.found(p, p), nil
	}
	n, _ := a.Table.Dims()
	stride := max(a.Stride, 1)
	if i := p[0] - a.First; i >= 0 && i%stride == 0 && i/stride < n {
		return e.found(p, e.split(i/stride)), nil
	}
	if len(e.parts) > 0 {
		if s := &e.parts[0]; s.Axis == WholeTable && e.inPlace(s) {
			have := s.Count - a.Reserved - a.Suffix
			if p[0] < 0 || p[0] >= have {
				return e.nowhere(p, fmt.Sprintf("the positions are 0..%d", have-1)), nil
			}
			return []Place{{Meaning: e.Entry(0, p[0]+a.Reserved), Asked: p}}, nil
		}
	}
	have := fmt.Sprintf("the positions are %d..%d", a.First, a.First+(n-1)*stride)
	if stride > 1 {
		have += ", " + every(stride)
	}
	return e.nowhere(p, have), nil
}

// notThat is the error for more numbers than a position of the table has.
func (e *Explanation) notThat(n int, want []string) *Error {
	switch len(want) {
	case 0:
		return fault(BadOption, "", "--position P; where the rows are a grid, --grid HxW says it", "the positions are in a line, and %s given", count(n, "number")+plural(n, " was", " were"))
	case 2:
		return fault(BadOption, "", "--position ROW,COLUMN", "the positions are on a grid, and %s given", count(n, "number")+plural(n, " was", " were"))
	}
	return fault(BadOption, "", "--position FRAME,ROW,COLUMN", "the positions are on a grid in several frames, and %s given", count(n, "number")+plural(n, " was", " were"))
}

// split is the index of a row of the table along each of dims.
func (e *Explanation) split(i int) []int {
	index := make([]int, len(e.dims))
	for j := len(e.dims) - 1; j >= 0; j-- {
		index[j] = i % e.dims[j]
		i /= e.dims[j]
	}
	return index
}

// found gives the entry of every tensor for an index along each of dims.
func (e *Explanation) found(asked, index []int) []Place {
	if len(e.parts) == 0 {
		m := e.Computed()
		m.Kind = ""
		return []Place{{Meaning: m, Asked: asked, None: e.computedWords()}}
	}
	var places []Place
	for k := range e.parts {
		p := &e.parts[k]
		at := 0
		for _, d := range p.along {
			at = at*e.dims[d] + index[d]
		}
		if p.along == nil && p.Axis != WholeTable && e.absolute != nil && len(e.dims) == 1 && e.inner() > 0 { // two tensors make positions in a line
			position := e.absolute.First + index[0]*max(e.absolute.Stride, 1)
			at = []int{position / e.inner(), position % e.inner()}[p.Axis]
		}
		if at >= len(p.At) || !p.has(p.At[at]) {
			places = append(places, e.nowhereIn(k, asked, "the tensor has none for it"))
			continue
		}
		places = append(places, Place{Meaning: e.Entry(k, p.At[at]), Asked: asked})
	}
	return places
}

// nowhere says of the table that no entry serves what was asked.
func (e *Explanation) nowhere(asked []int, why string) []Place {
	m := e.Computed()
	m.Kind = ""
	return []Place{{Meaning: m, Asked: slices.Clone(asked), None: why}}
}

// nowhereIn says it of one tensor.
func (e *Explanation) nowhereIn(part int, asked []int, why string) Place {
	p := &e.parts[part]
	return Place{Meaning: Meaning{Tensor: p.Tensor, Unit: p.Unit, Row: -1, Last: -1, part: part}, Asked: asked, None: why}
}

// every is "every 3rd".
func every(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		suffix = []string{"th", "st", "nd", "rd", "th", "th", "th", "th", "th", "th"}[n%10]
	}
	return fmt.Sprintf("every %d%s", n, suffix)
}
