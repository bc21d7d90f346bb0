package posemb

import (
	"cmp"
	"strconv"
)

// bareKind is what a matrix without an architecture holds: what the caller says,
// else what a file of our own says of itself, else positions.
func bareKind(said string, opt ReadOptions) Kind {
	axes := axesKind(opt.Axes)
	switch {
	case axes != "":
		return axes
	case opt.Buckets != nil:
		return KindBias
	case opt.Offsets != nil && Kind(said) == KindBias:
		return KindBias
	case opt.Offsets != nil:
		return KindVectors
	case said != "":
		return Kind(said)
	case opt.Relative, opt.Sign != "": // only offsets have a sign
		return KindVectors
	}
	return KindAbsolute
}

// readBare reads a matrix that no preset knows.
func readBare(r *reading) (Table, error) {
	if k := axesKind(r.opt.Axes); k == KindVectors || k == KindBias {
		return r.axesTable()
	}
	kind, _ := r.src.Meta("poslens.kind")
	t, err := r.bare(Kind(kind))
	if err == nil {
		err = r.saidArch(t.From())
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// bare reads the matrix of a file that says a kind, or none.
func (r *reading) bare(said Kind) (Table, error) {
	kind := bareKind(string(said), r.opt)
	if r.opt.Offsets != nil && r.match.Kind == KindBias {
		kind = KindBias
	}
	switch kind {
	case KindAbsolute:
		if said == "" {
			r.note("%s", bareNote(r.src))
		}
		return r.bareRows()
	case KindVectors, KindBias:
		return r.bareOffsets(kind, said)
	default:
		return nil, r.fault(NotATable, "", "poslens.kind is %.200q, expected absolute, vectors or bias", string(kind))
	}
}

// bareRows reads a bare matrix as positions. Rows are reserved where the file or
// a padding row says so, and a grid is the one that the file says.
func (r *reading) bareRows() (Table, error) {
	shape := r.parts[0].Shape
	if s := squeeze(shape); len(s) == 3 {
		return r.image(s)
	}
	frames := 0
	t, err := r.positions(func(n, d int, data []float64, suffix int) (reserved int, g Grid, err error) {
		if reserved, err = r.bareReserved(n, d, data); err != nil {
			return 0, Grid{}, err
		}
		if prefix, g, ok := gridBehind(n, 0, 1, 2); ok && len(shape) == 3 && r.opt.Grid == nil && r.opt.Reserved == nil {
			r.note("as rows of a ViT they are: %s, then %s (--arch ViT)", prefixNote(prefix), g)
		}
		frames, g, err = r.saidGrid(n - reserved - suffix)
		return reserved, g, err
	})
	if err != nil {
		return nil, err
	}
	a := t.(*Absolute)
	if a.Grid != (Grid{}) && r.opt.Grid == nil && r.opt.Frames == 0 {
		a.Frames = frames
	}
	return a, r.saidPositions(a)
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
	if said, ok := r.said("reserved"); ok {
		v, err := strconv.Atoi(said)
		if err != nil || v < 0 || v >= n {
			return 0, r.fault(NotATable, "", "poslens.reserved is %.200q for %s", said, count(n, "row"))
		}
		if v > 0 {
			r.note("the file says that %s in front %s reserved", count(v, "row"), plural(v, "is", "are"))
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

// bareOffsets reads a bare matrix as vectors or scores of offsets. What the file
// says of the kind of table that it names holds, but for what the caller says.
func (r *reading) bareOffsets(kind, said Kind) (Table, error) {
	r.noPositions()
	if r.opt.Buckets != nil {
		t, err := r.bareBuckets()
		if b, ok := t.(*Bias); ok && err == nil && said == KindBias {
			_, heads := b.Scores.Dims()
			err = r.saidHeads(&b.Heads, heads, false)
		}
		return t, err
	}
	n, d, data, err := r.matrix()
	if err != nil {
		return nil, err
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
		b := r.bias(axes, n, d, data)
		if said == KindBias {
			err = cmp.Or(r.saidBeyond(axes), r.saidHeads(&b.Heads, d, false), r.saidSteps(b), r.saidUnused(&b.Unused))
		}
		return b, err
	}
	v := r.vectors(axes, n, d, data, nil)
	if said == KindVectors {
		err = cmp.Or(r.saidBeyond(axes), r.saidHeads(&v.Heads, d, true), r.saidUnused(&v.Unused))
	}
	return v, err
}

// bareAxes are the offsets of n rows: what the caller says, what the file says,
// else -K..K of 2K+1 rows.
func (r *reading) bareAxes(n int) ([]Axis, error) {
	if o := r.opt.Offsets; o != nil {
		if o.From < -maxDistance || o.To > maxDistance+1 {
			return nil, r.fault(BadOption, "", "offsets %d:%d, but none is farther than %d", o.From, o.To, maxDistance)
		}
		if o.To-o.From != n {
			return nil, r.fault(BadOption, "", "offsets %d:%d %s %d, but the table has %s", o.From, o.To, plural(o.To-o.From, "is", "are"), o.To-o.From, count(n, "row"))
		}
		return []Axis{{"offset", o.From, o.To - 1, BeyondNone}}, nil
	}
	if axes, ok, err := r.saidAxes(n); ok || err != nil {
		return axes, err
	}
	if n%2 == 0 {
		return nil, r.fault(BadOption, "say how the rows go with --offsets A:B, --buckets or --arch", "%s no offsets -K..K, which are an odd number", are(n, "row"))
	}
	r.note("%s taken as the offsets %d..%d", are(n, "row"), -(n / 2), n/2)
	return []Axis{{"offset", -(n / 2), n / 2, BeyondNone}}, nil
}
