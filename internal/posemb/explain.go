package posemb

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// What a stored entry is, as Meaning.Kind.
const (
	MeansOffset   = "offset"   // it serves one offset or several
	MeansPosition = "position" // it is one position's, or several's
	MeansReserved = "reserved" // padding, a token in front of the positions and the like
	MeansUnused   = "unused"   // nothing uses it
	MeansComputed = "computed" // of a table without stored entries: its values are computed
)

// Meaning is what one stored entry of a table is, or what a run of them is.
type Meaning struct {
	Tensor string
	Unit   string  // what an entry is called, as Stored.Unit
	Row    int     // the entry; -1: there is none
	Last   int     // the last entry of a run; Row itself for one entry
	Kind   string  // one of the Means constants; empty when Row is -1 and none is meant
	Read   bool    // the table holds it; false for what nothing has, and for positions left out
	Where  []Along // what it covers, along each of Explanation.Axes; nil for what nothing has

	part     int
	mirrored bool // a run of offsets to both sides of each axis, of which Where has one side
}

// Along is what an entry covers along one axis.
type Along struct {
	Axis  string // one of Explanation.Axes
	Spans []Span // rising, with gaps between; nil: undefined, or not to be said of this axis alone
}

// Span is a run of offsets or positions, both ends included. Where entries of a
// run count down, From is above To.
type Span struct {
	From int // NoStart: all from below
	To   int // End: all above
}

// NoStart is a Span.From without a bound.
const NoStart = math.MinInt

// String is "7", "-22..-16", "..-91" or "91..".
func (s Span) String() string {
	from, to := "", ""
	if s.From != NoStart {
		from = strconv.Itoa(s.From)
	}
	if s.To != End {
		to = strconv.Itoa(s.To)
	}
	if from == to && from != "" {
		return from
	}
	return from + ".." + to
}

// MarshalJSON writes [from, to], and null for an end without a bound.
func (s Span) MarshalJSON() ([]byte, error) {
	ends := [2]*int{&s.From, &s.To}
	if s.From == NoStart {
		ends[0] = nil
	}
	if s.To == End {
		ends[1] = nil
	}
	return json.Marshal(ends)
}

// Open says whether an end has no bound.
func (s Span) Open() bool { return s.From == NoStart || s.To == End }

// String lists the spans: "-1,1".
func (a Along) String() string {
	words := make([]string, len(a.Spans))
	for i, s := range a.Spans {
		words[i] = s.String()
	}
	return strings.Join(words, ",")
}

// Explanation names the stored entries of a table, and finds those of an offset or
// a position.
type Explanation struct {
	table    Table
	absolute *Absolute // nil for a relative table
	axes     []Axis    // of a relative table
	names    []string  // of the axes
	dims     []int     // lengths of the axes that the table's rows follow, the last fastest
	parts    []part
}

// part is one stored tensor with its index turned round.
type part struct {
	Stored
	along  []int // which of dims the entries follow; nil: none that has a name
	starts []int // where each entry's places begin in places, and one more
	places []int // indices into At, an entry's after another's, rising
}

// Explain makes the Explanation of a table. It takes as many steps as the table
// has stored entries and rows.
func Explain(t Table) *Explanation {
	e := &Explanation{table: t}
	switch t := t.(type) {
	case *Absolute:
		e.absolute = t
		e.names = []string{"position"}
		n, _ := t.Table.Dims()
		e.dims = []int{n}
		if g := t.Grid; g != (Grid{}) {
			e.names, e.dims = append(e.names, "grid_row", "grid_col"), []int{g.Rows, g.Cols}
			if t.Frames > 1 {
				e.names, e.dims = []string{"position", "frame", "grid_row", "grid_col"}, []int{t.Frames, g.Rows, g.Cols}
			}
		}
	case *Vectors:
		e.axes = t.Axes
	case *Bias:
		e.axes = t.Axes
	}
	for _, x := range e.axes {
		e.names, e.dims = append(e.names, x.Name), append(e.dims, x.Len())
	}
	if len(e.axes) == 1 {
		e.names[0] = "offsets" // whatever the axis is called
	}
	for _, s := range t.Storage() {
		e.parts = append(e.parts, e.newPart(s))
	}
	return e
}

// newPart turns the index of a stored tensor round, by counting.
func (e *Explanation) newPart(s Stored) part {
	p := part{Stored: s, along: e.follows(s), starts: make([]int, s.Count+1)}
	for _, entry := range s.At {
		if p.has(entry) {
			p.starts[entry+1]++
		}
	}
	for i := range s.Count {
		p.starts[i+1] += p.starts[i]
	}
	p.places = make([]int, p.starts[s.Count])
	next := append([]int(nil), p.starts...)
	for i, entry := range s.At {
		if p.has(entry) {
			p.places[next[entry]] = i
			next[entry]++
		}
	}
	return p
}

// has says whether there is such an entry.
func (p *part) has(entry int) bool { return entry >= 0 && entry < p.Count }

// of gives the places of an entry.
func (p *part) of(entry int) []int { return p.places[p.starts[entry]:p.starts[entry+1]] }

// follows says which axes the entries of a tensor go along: those in front for
// Axis 0, those behind for Axis 1, as many as its length makes.
func (e *Explanation) follows(s Stored) []int {
	if e.absolute != nil && len(e.dims) == 1 && s.Axis != WholeTable {
		return nil // a line of positions has no second axis
	}
	for k := range e.dims {
		from, to := 0, len(e.dims)
		switch s.Axis {
		case 0:
			to = k + 1
		case 1:
			from = len(e.dims) - 1 - k
		}
		size, along := 1, []int(nil)
		for j := from; j < to; j++ {
			size *= e.dims[j]
			along = append(along, j)
		}
		if size == len(s.At) && (s.Axis == WholeTable || len(along) < max(len(e.dims), 2)) {
			return along
		}
	}
	return nil
}

// Axes names what Meaning.Where goes along: "offsets", or "dy" and "dx"; of an
// absolute table "position", then "grid_row" and "grid_col" on a grid, with
// "frame" before them where there are several.
func (e *Explanation) Axes() []string { return e.names }

// Parts is the number of stored tensors; 0 for a table that is computed.
func (e *Explanation) Parts() int { return len(e.parts) }

// Stored is how a tensor is stored.
func (e *Explanation) Stored(part int) Stored { return e.parts[part].Stored }

// Computed is the meaning of a table without stored entries.
func (e *Explanation) Computed() Meaning {
	return Meaning{Tensor: e.table.From().Tensor, Row: -1, Last: -1, Kind: MeansComputed}
}

// Entry says what one of the Stored.Count entries of a tensor is.
func (e *Explanation) Entry(part, entry int) Meaning {
	p := &e.parts[part]
	m := Meaning{Tensor: p.Tensor, Unit: p.Unit, Row: entry, Last: entry, Kind: MeansReserved, part: part}
	places := p.of(entry)
	switch _, other := p.Other[entry]; {
	case len(places) > 0 && e.absolute != nil:
		m.Kind, m.Read, m.Where = MeansPosition, true, e.positions(p, places)
	case len(places) > 0:
		m.Kind, m.Read, m.Where = MeansOffset, true, e.offsets(p, places)
	case other, e.outside(p, entry) != "":
	case e.absolute != nil && p.Axis == WholeTable && e.inPlace(p):
		at := entry - e.absolute.Reserved
		m.Kind, m.Where = MeansPosition, e.undefined()
		m.Where[0].Spans = []Span{{at, at}}
	default:
		m.Kind = MeansUnused
	}
	return m
}

// outside says that a row is in front of the positions or behind them; empty when
// it is neither.
func (e *Explanation) outside(p *part, entry int) string {
	switch a := e.absolute; {
	case a == nil || p.Axis != WholeTable:
	case entry < a.Reserved:
		return "in front of the positions, which no position has"
	case entry >= p.Count-a.Suffix:
		return "behind the positions, which no position has"
	}
	return ""
}

// inPlace says that position 0 is the first row behind the reserved ones. The rows
// of a file that says their positions itself may be any others.
func (e *Explanation) inPlace(p *part) bool {
	a := e.absolute
	return len(p.At) > 0 && p.At[0] == a.Reserved+a.First && (len(p.At) == 1 || p.At[1]-p.At[0] == max(a.Stride, 1))
}
