package analysis

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
	"poslens/internal/posemb"
)

// subject is a table that metrics are taken of.
type subject struct {
	rows   *rows          // of the cosine; of very large or small rows a scaled copy
	table  blas64.General // as it was read
	stride int            // positions from one row to the next
	whole  []int          // rows that are finite, which components and spectra are taken of

	patient bool // figures that take minutes are wanted too

	// Of a draw, and of a table whose rows are drawn in other orders.
	random       bool                     // the order of the rows, or all of them, were drawn
	order        []int                    // the table's row at every position; nil: its own order
	plain, apart func() (*cosines, error) // of the rows, and of those less their mean (nil when fewer than two are left), in the table's order; nil: not held
	lengths      []length                 // of the rows; nil: not measured yet
	middle       *finiteRows              // less their mean; nil: not taken yet
}

// newSubject makes a table's rows ready. An error wraps ErrNothing when none is
// defined.
func newSubject(ctx context.Context, a *posemb.Absolute) (*subject, error) {
	r, err := newRows(ctx, a, SimilarityOptions{})
	if err != nil {
		return nil, err
	}
	s := &subject{rows: r, table: a.Table.RawMatrix(), stride: max(a.Stride, 1)}
	for i := range r.N {
		if m := magnitude(s.row(i)); finite(m) {
			s.whole = append(s.whole, i)
		}
	}
	return s, nil
}

// row is position i's vector.
func (s *subject) row(i int) []float64 {
	if s.order != nil {
		i = s.order[i]
	}
	return s.table.Data[i*s.table.Stride : i*s.table.Stride+s.table.Cols]
}

// figures are metrics by name, and why others are undefined.
type figures struct {
	value  map[string]float64
	reason map[string]string
}

func newFigures() *figures {
	return &figures{map[string]float64{}, map[string]string{}}
}

// set keeps a figure; one that is not finite is undefined, as overflow.
func (f *figures) set(name string, v float64) {
	if !finite(v) {
		f.undefine(overflow, name)
		return
	}
	f.value[name] = v
}

// undefine gives the reason of figures that have none.
func (f *figures) undefine(reason string, names ...string) {
	for _, name := range names {
		f.reason[name] = reason
	}
}

// measure gives some of the metrics of a subject at once.
type measure struct {
	names   []string
	figures func(context.Context, *subject, *figures) error
}

// measures are all of them.
var measures = []measure{
	{pairNames(), pairFigures},
	{centredNames(), centredFigures},
	{componentNames, componentFigures},
	{[]string{"isotropy"}, isotropyFigure},
	{spectrumNames, spectrumFigures},
	{normNames, normFigures},
}

// normNames are the metrics of the rows' lengths.
var normNames = []string{"norm_min", "norm_mean", "norm_max", "norm_max_z", "norm_slope"}

// normFigures looks at the lengths of the rows, those of zero rows too.
func normFigures(_ context.Context, s *subject, f *figures) error {
	norms := make([]float64, len(s.whole))
	at := make([]float64, len(s.whole))
	for k, i := range s.whole {
		norms[k] = s.norm(i)
		at[k] = float64(i * s.stride)
	}
	if len(norms) == 0 {
		f.undefine("no row is finite", normNames...)
		return nil
	}
	sp := spreadOf(append([]float64(nil), norms...))
	f.set("norm_min", sp.min)
	f.set("norm_mean", sp.mean)
	f.set("norm_max", sp.max)
	equal := sp.std <= flat*sp.mean // rounding is no spread
	if equal {
		f.undefine("all norms are equal", "norm_max_z")
	} else {
		f.set("norm_max_z", max(sp.max-sp.mean, sp.mean-sp.min)/sp.std)
	}
	switch {
	case len(norms) < 2:
		f.undefine("a single row has no slope", "norm_slope")
	case sp.mean == 0:
		f.undefine("every row is zero", "norm_slope")
	case equal:
		f.set("norm_slope", 0)
	default:
		f.set("norm_slope", 1000*slopeOf(at, norms, sp.mean))
	}
	return nil
}

// norm is the length of row i; an infinity where no float64 holds it.
func (s *subject) norm(i int) float64 {
	l := s.length(i)
	return math.Ldexp(l.fraction, l.exponent)
}

// length is fraction 2^exponent, whatever its size.
type length struct {
	fraction float64
	exponent int
}

// length is the length of row i.
func (s *subject) length(i int) length {
	if s.lengths != nil {
		return s.lengths[i]
	}
	row := s.row(i)
	m := magnitude(row)
	if m == 0 {
		return length{}
	}
	_, e := math.Frexp(m)
	sum := 0.0
	for _, x := range row {
		x = math.Ldexp(x, -e)
		sum += float64(x * x)
	}
	return length{math.Sqrt(sum), e}
}

// share keeps what draws have of the table, or of its rows in any order.
func (s *subject) share() {
	off := s.rows.offdiagonal()
	s.rows.off = &off
	lengths := make([]length, s.rows.N)
	for i := range lengths {
		lengths[i] = s.length(i)
	}
	s.lengths = lengths
}

// slopeOf is the least-squares slope of y over x, in units of y.
func slopeOf(x, y []float64, unit float64) float64 {
	meanX := meanOf(append([]float64(nil), x...))
	var sxy, sxx float64
	for i := range x {
		sxy += (x[i] - meanX) * (y[i] / unit)
		sxx += (x[i] - meanX) * (x[i] - meanX)
	}
	return sxy / sxx
}

// How many rows are copied at a time where all are gone through: for products, and for
// sums.
const (
	blockRows = 1024
	sumRows   = 32
)

// finiteRows are the finite rows as columns, means and scatters see them: in units of
// a power of two, so that no square overflows or vanishes, and less a mean row.
type finiteRows struct {
	s        *subject
	exponent int       // values are those of the table times 2^-exponent
	mean     []float64 // subtracted; nil: nothing is
}

// finite looks at the finite rows; centred subtracts their mean.
func (s *subject) finite(centred bool) *finiteRows {
	if centred && s.middle != nil {
		return s.middle
	}
	v := &finiteRows{s: s}
	largest := 0.0
	for _, i := range s.whole {
		largest = max(largest, magnitude(s.row(i)))
	}
	_, v.exponent = math.Frexp(largest)
	if !centred {
		return v
	}
	v.mean = make([]float64, s.rows.D)
	for range 2 { // the second time takes the first mean's rounding away
		step := make([]float64, s.rows.D)
		v.blocks(sumRows, func(b gram.Vectors) {
			for k := range b.N {
				floats.Add(step, b.Data[k*b.D:(k+1)*b.D])
			}
		})
		floats.AddScaled(v.mean, 1/float64(len(s.whole)), step)
	}
	s.middle = v
	return v
}

// n is how many rows there are.
func (v *finiteRows) n() int { return len(v.s.whole) }

// blocks visits the rows in order, some at a time, in a copy that the visit may
// change.
func (v *finiteRows) blocks(atOnce int, visit func(gram.Vectors)) {
	data := make([]float64, min(atOnce, v.n())*v.s.rows.D)
	for from := 0; from < v.n(); from += atOnce {
		visit(v.block(data, from, min(atOnce, v.n()-from)))
	}
}

// block is a copy of n of the rows, in data where there is room given.
func (v *finiteRows) block(data []float64, from, n int) gram.Vectors {
	d := v.s.rows.D
	if data == nil {
		data = make([]float64, n*d)
	}
	for k := range n {
		row := data[k*d : (k+1)*d]
		copy(row, v.s.row(v.s.whole[from+k]))
		shiftExponent(row, -v.exponent)
		if v.mean != nil {
			floats.Sub(row, v.mean)
		}
	}
	return gram.Vectors{N: n, D: d, Stride: d, Data: data[:n*d]}
}

// energy is the sum of the squares of all values.
func (v *finiteRows) energy() float64 {
	sum := 0.0
	v.blocks(sumRows, func(b gram.Vectors) { sum += floats.Dot(b.Data[:b.N*b.D], b.Data[:b.N*b.D]) })
	return sum
}

// columns gives some of the columns, each in one piece.
func (v *finiteRows) columns(from, to int) gram.Vectors {
	c := gram.Vectors{N: to - from, D: v.n(), Stride: v.n(), Data: make([]float64, (to-from)*v.n())}
	for k, i := range v.s.whole {
		for j, x := range v.s.row(i)[from:to] {
			x = math.Ldexp(x, -v.exponent)
			if v.mean != nil {
				x -= v.mean[from+j]
			}
			c.Data[j*c.D+k] = x
		}
	}
	return c
}
