package posemb

import (
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// uneven are the offsets of Wav2Vec2-BERT's table.
var uneven = Axis{Name: "offset", Min: -64, Max: 8}

// readOffsets reads a table with one vector an offset.
func readOffsets(r *reading) (Table, error) {
	n, d, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	r.noPositions()
	axis := Axis{Name: "offset", Beyond: r.preset.Beyond}
	var unused []int
	switch span := r.preset.Span; {
	case span == spanBack:
		axis.Min = 1 - n
	case span == spanUneven:
		if axis.Min, axis.Max = r.sides(); axis.Len() != n {
			return nil, r.fault(BadOption, "--offsets A:B says which offsets the rows are", "%s, but %s has offsets %d..%d", count(n, "row"), r.preset.Arch, axis.Min, axis.Max)
		}
	case span == spanOpenPast && n%2 == 0 && axis.Beyond == BeyondNone:
		if n == 2 {
			return nil, r.fault(NotATable, "", "2 rows are too few for a table of offsets")
		}
		// By query - key from -K on; K tokens never have that first one.
		axis.Min, axis.Max = 1-n/2, n/2-1
		data, n, unused = data[d:], n-1, []int{0}
		r.note("row 0 is used by no offset of up to %d tokens", n/2+1)
	case span == spanOpenPast && n%2 == 0:
		axis.Min, axis.Max = 1-n/2, n/2
	case span == spanBoth && n%2 == 1:
		axis.Min, axis.Max = -(n / 2), n/2
	default:
		return nil, r.fault(BadOption, "--offsets A:B says which offsets the rows are", "%s do not fit the offsets of %s", count(n, "row"), r.preset.Arch)
	}
	if r.reversed() {
		data = reverseRows(n, d, data)
		r.note("rows run by query - key and are turned: offsets %d..%d of key - query", axis.Min, axis.Max)
	} else {
		r.note("offsets %d..%d of key - query", axis.Min, axis.Max)
	}
	v := r.vectors([]Axis{axis}, n, d, data, unused)
	if len(unused) > 0 { // the rows start behind it
		s := &v.Stored[0]
		s.Count += len(unused)
		for i := range s.At {
			s.At[i] += len(unused)
		}
	}
	return v, nil
}

// sides are the farthest offsets of a table that looks farther back than ahead:
// what config.json says, else Wav2Vec2-BERT's own.
func (r *reading) sides() (lo, hi int) {
	left, ok := r.number("left_max_position_embeddings")
	right, ok2 := r.number("right_max_position_embeddings")
	if ok && ok2 {
		return -left, right
	}
	return uneven.Min, uneven.Max
}

// number is an entry of config.json that is a number from 1 to a million.
func (r *reading) number(key string) (int, bool) {
	for _, k := range []string{key, "config." + key} {
		if v, ok := r.src.Meta(k); ok {
			n, err := strconv.Atoi(v)
			return n, err == nil && n >= 1 && n <= maxDistance
		}
	}
	return 0, false
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
