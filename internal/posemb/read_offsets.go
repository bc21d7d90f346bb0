package posemb

import (
	"gonum.org/v1/gonum/mat"
)

// uneven are the offsets of Wav2Vec2-BERT's table.
var uneven = Axis{Name: "offset", Min: -64, Max: 8}

// readOffsets reads a table with one vector an offset, or one an offset and head.
func readOffsets(r *reading) (Table, error) {
	r.noPositions()
	n, heads, d, data, err := r.offsetRows()
	if err != nil {
		return nil, err
	}
	axis, skip, err := r.span(n)
	if err != nil {
		return nil, err
	}
	width := max(heads, 1) * d
	data, n = data[skip*width:], n-skip
	var unused []int
	for row := range skip {
		unused = append(unused, row)
		r.note("row %d is used by no offset of up to %s", row, count(n/2+1, "token"))
	}
	if r.reversed() {
		data = reverseRows(n, width, data)
		axis.Min, axis.Max = -axis.Max, -axis.Min
		r.note("rows run by query - key and are turned: offsets %d..%d of key - query", axis.Min, axis.Max)
	} else {
		r.note("offsets %d..%d of key - query", axis.Min, axis.Max)
	}
	switch axis.Beyond {
	case BeyondClipped:
		r.note("offsets farther than these take the row at their end")
	case BeyondZero:
		r.note("offsets farther than these get nothing")
	}
	v := r.vectors([]Axis{axis}, n, width, data, unused)
	if heads > 0 {
		v.Heads = headNames(heads)
	}
	v.Stored[0].skip(skip)
	return v, nil
}

// skip makes room for entries in front of the others that no offset uses.
func (s *Stored) skip(n int) {
	s.Count += n
	for i := range s.At {
		s.At[i] += n
	}
}

// offsetRows is the naming tensor as n rows of heads times d numbers, the rows of
// all heads side by side; heads is 0 where there are no dimensions for them.
func (r *reading) offsetRows() (n, heads, d int, data []float64, err error) {
	t := r.parts[0]
	s := squeeze(t.Shape)
	if len(s) != 3 {
		n, d, data, err = r.matrix()
		return n, 0, d, data, err
	}
	n, heads, d = s[1], s[0], s[2] // as T2T and VITS store it
	if r.oriented {
		n, heads = s[0], s[1]
	}
	if n == 0 || heads == 0 || d == 0 {
		return 0, 0, 0, nil, r.fault(NotATable, "", "%s: no numbers in it", shapeText(t.Shape))
	}
	data = t.Data
	if !r.oriented {
		data = permuted(data, s, []int{1, 0, 2})
		r.note("%d x %d x %d is read as heads x offsets x width", s[0], s[1], s[2])
	}
	r.oddValues(n, heads*d, data)
	return n, heads, d, data, nil
}

// span gives the offsets of n rows, in the sign that they are stored in, and how
// many rows stand in front that no offset uses.
func (r *reading) span(n int) (x Axis, skip int, err error) {
	x = Axis{Name: "offset", Beyond: r.preset.Beyond}
	switch span := r.preset.Span; {
	case span == spanBack:
		x.Min = 1 - n
		if n > 1 && n%2 == 1 {
			r.note("the rows are taken to look back, the last at offset 0; as an odd number they may as well be both directions: --offsets A:B says so")
		}
	case span == spanUneven:
		if x.Min, x.Max = r.reach(); x.Len() != n {
			return x, 0, r.fault(BadOption, "--offsets A:B says which offsets the rows are", "%s, but %s has offsets %d..%d", count(n, "row"), r.preset.Arch, x.Min, x.Max)
		}
	case span == spanOpenPast && n%2 == 0 && x.Beyond == BeyondNone:
		if n == 2 {
			return x, 0, r.fault(NotATable, "", "2 rows are too few for a table of offsets")
		}
		// From -K on; K tokens never have that first one.
		x.Min, x.Max, skip = 1-n/2, n/2-1, 1
	case span == spanOpenPast && n%2 == 0:
		x.Min, x.Max = -n/2, n/2-1
	case span == spanBoth && n%2 == 1:
		x.Min, x.Max = -(n / 2), n/2
	default:
		return x, 0, r.fault(BadOption, "--offsets A:B says which offsets the rows are", "%s not fit the offsets of %s", count(n, "row")+plural(n, " does", " do"), r.preset.Arch)
	}
	return x, skip, nil
}

// reach is how far a table goes that looks farther back than ahead: what the
// configuration says, else Wav2Vec2-BERT's own.
func (r *reading) reach() (lo, hi int) {
	left, ok := r.number("left_max_position_embeddings")
	right, ok2 := r.number("right_max_position_embeddings")
	if ok && ok2 {
		if -left != uneven.Min || right != uneven.Max {
			r.note("%d back and %d ahead, as the configuration has it", left, right)
		}
		return -left, right
	}
	return uneven.Min, uneven.Max
}

// noPositions notes options that a relative table can't follow.
func (r *reading) noPositions() {
	if o := r.opt; o.Reserved != nil || o.Suffix != nil || o.Positions != nil || o.Stride > 1 {
		r.note("a relative table has offsets: --reserved, --suffix, --positions and --stride are not applied")
	}
}

// vectors makes the table of n rows.
func (r *reading) vectors(axes []Axis, n, d int, data []float64, unused []int) *Vectors {
	return &Vectors{Origin: r.origin(), Axes: axes, Table: mat.NewDense(n, d, data), Unused: unused, Notes: r.notes, Stored: []Stored{r.inOrder("row", n)}}
}

// bias makes the table of n rows and h heads.
func (r *reading) bias(axes []Axis, n, h int, data []float64) *Bias {
	return &Bias{Origin: r.origin(), Axes: axes, Heads: headNames(h), Scores: mat.NewDense(n, h, data), Notes: r.notes, Stored: []Stored{r.inOrder("row", n)}}
}
