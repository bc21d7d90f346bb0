package posemb

import (
	"strconv"
	"strings"
)

// bareKind is what a matrix without an architecture holds: what the caller says,
// else what a file of our own says of itself, else positions.
func bareKind(said string, opt ReadOptions) Kind {
	switch {
	case opt.Buckets != nil:
		return KindBias
	case opt.Offsets != nil && Kind(said) == KindBias:
		return KindBias
	case opt.Offsets != nil:
		return KindVectors
	case said != "":
		return Kind(said)
	case opt.Relative:
		return KindVectors
	}
	return KindAbsolute
}

// readBare reads a matrix that no preset knows.
func readBare(r *reading) (Table, error) {
	said, _ := r.src.Meta("poslens.kind")
	kind := bareKind(said, r.opt)
	if r.opt.Offsets != nil && r.match.Kind == KindBias {
		kind = KindBias
	}
	switch kind {
	case KindAbsolute:
		if said == "" {
			r.note("%s", bareNote(r.src))
		}
		t, err := r.bareRows()
		if a, ok := t.(*Absolute); ok && err == nil {
			err = r.saidPositions(a)
		}
		return t, err
	case KindVectors, KindBias:
		return r.bareOffsets(kind)
	default:
		return nil, r.fault(NotATable, "", "poslens.kind is %q, expected absolute, vectors or bias", string(kind))
	}
}

// maxPosition bounds what a file may say of its rows' positions.
const maxPosition = 1 << 31

// saidPositions takes the positions of the rows from a file that says them as
// FIRST:STRIDE, as one does that was exported with a range or a stride. The
// caller's own range or stride counts the rows instead.
func (r *reading) saidPositions(a *Absolute) error {
	said, ok := r.src.Meta("poslens.positions")
	if !ok || r.opt.Positions != nil || r.opt.Stride > 1 {
		return nil
	}
	from, by, _ := strings.Cut(said, ":")
	first, err1 := strconv.Atoi(from)
	stride, err2 := strconv.Atoi(by)
	if err1 != nil || err2 != nil || first < 0 || stride < 1 || first > maxPosition || stride > maxPosition {
		return r.fault(NotATable, "", "poslens.positions is %q, expected FIRST:STRIDE", said)
	}
	a.First, a.Stride = first+a.Reserved*stride, stride
	r.note("its rows are the positions %d, %d ..., as it says itself", a.First, a.First+stride)
	a.Notes = r.notes
	return nil
}

// bareRows reads a bare matrix as positions. Rows are reserved where the file or
// a padding row says so.
func (r *reading) bareRows() (Table, error) {
	shape := r.parts[0].Shape
	if s := squeeze(shape); len(s) == 3 {
		return r.image(s)
	}
	return r.positions(func(n, d int, data []float64, _ int) (int, Grid, error) {
		reserved, err := r.bareReserved(n, d, data)
		if prefix, g, ok := gridBehind(n, 0, 1, 2); ok && len(shape) == 3 && r.opt.Grid == nil && r.opt.Reserved == nil {
			r.note("as rows of a ViT they are: %s, then %s (--arch ViT)", prefixNote(prefix), g)
		}
		return reserved, Grid{}, err
	})
}

// bareNote says why a matrix is taken as positions.
func bareNote(src Source) string {
	matrices := 0
	for _, t := range src.Tensors() {
		if floats(t) && len(t.Shape) > 1 {
			matrices++
		}
	}
	if matrices == 1 {
		return "the only matrix here: its rows are taken as positions"
	}
	return "no architecture is known by this name: its rows are taken as positions"
}

// bareReserved is what the caller or the file says; else RoBERTa's rows, where a
// row of zeros and the number of rows agree on them.
func (r *reading) bareReserved(n, d int, data []float64) (int, error) {
	if r.opt.Reserved != nil {
		return *r.opt.Reserved, nil
	}
	if said, ok := r.src.Meta("poslens.reserved"); ok {
		v, err := strconv.Atoi(said)
		if err != nil || v < 0 || v >= n {
			return 0, r.fault(NotATable, "", "poslens.reserved is %q for %s", said, count(n, "row"))
		}
		if v > 0 {
			r.note("the file says that %s in front %s", count(v, "row"), "hold no positions")
		}
		return v, nil
	}
	zero := paddingRow(data, n, d)
	switch {
	case zero > 0 && (isPowerOfTwo(n-zero-1) || isPowerOfTwo(n-2)):
		r.note("row %d is exactly zero and taken as padding (%s), as in RoBERTa; --reserved 0 keeps all rows", zero, count(zero+1, "reserved row"))
		r.padding(zero)
		return zero + 1, nil
	case zero >= 0:
		r.note("row %d is exactly zero; nothing is reserved; --reserved %d leaves it out", zero, zero+1)
	}
	return 0, nil
}

// bareOffsets reads a bare matrix as vectors or scores of offsets.
func (r *reading) bareOffsets(kind Kind) (Table, error) {
	r.noPositions()
	n, d, data, err := r.matrix()
	if err != nil {
		return nil, err
	}
	if r.opt.Buckets != nil {
		return r.expand(BucketRule{Name: T5Both, MaxDistance: 128}, n, d, data)
	}
	axes, err := r.bareAxes(n)
	if err != nil {
		return nil, err
	}
	if r.reversed() {
		data = reverseRows(n, d, data)
		r.note("rows run by query - key, as asked, and are turned")
	}
	if kind == KindBias {
		return r.bias(axes, n, d, data), nil
	}
	return r.vectors(axes, n, d, data, nil), nil
}

// bareAxes are the offsets of n rows: what the caller says, what the file says,
// else -K..K of 2K+1 rows.
func (r *reading) bareAxes(n int) ([]Axis, error) {
	if o := r.opt.Offsets; o != nil {
		if o.From < -maxDistance || o.To > maxDistance+1 {
			return nil, r.fault(BadOption, "", "offsets %d:%d, but none is farther than %d", o.From, o.To, maxDistance)
		}
		if o.To-o.From != n {
			return nil, r.fault(BadOption, "", "offsets %d:%d are %d, but the table has %s", o.From, o.To, o.To-o.From, count(n, "row"))
		}
		return []Axis{{"offset", o.From, o.To - 1, BeyondNone}}, nil
	}
	if said, ok := r.src.Meta("poslens.offsets"); ok {
		axes, ok := parseAxes(said)
		have := 1
		for _, x := range axes {
			have *= x.Len()
		}
		if !ok || have != n {
			return nil, r.fault(NotATable, "--offsets A:B says which offsets the rows are", "poslens.offsets is %q for %s", said, count(n, "row"))
		}
		return axes, nil
	}
	if n%2 == 0 {
		return nil, r.fault(BadOption, "say how the rows go with --offsets A:B, --buckets or --arch", "%s are no offsets -K..K, which are an odd number", count(n, "row"))
	}
	r.note("%s are taken as the offsets %d..%d", count(n, "row"), -(n / 2), n/2)
	return []Axis{{"offset", -(n / 2), n / 2, BeyondNone}}, nil
}

// parseAxes reads "A:B" for one axis, "A:B,C:D" for two; half-open, and none farther
// than maxDistance.
func parseAxes(s string) ([]Axis, bool) {
	var axes []Axis
	for _, part := range strings.Split(s, ",") {
		from, to, _ := strings.Cut(part, ":")
		a, err1 := strconv.ParseInt(strings.TrimSpace(from), 10, 32)
		b, err2 := strconv.ParseInt(strings.TrimSpace(to), 10, 32)
		if err1 != nil || err2 != nil || b <= a || a < -maxDistance || b > maxDistance+1 || len(axes) == 2 {
			return nil, false
		}
		axes = append(axes, Axis{"offset", int(a), int(b) - 1, BeyondNone})
	}
	if len(axes) == 2 {
		axes[0].Name, axes[1].Name = "dy", "dx"
	}
	return axes, true
}
