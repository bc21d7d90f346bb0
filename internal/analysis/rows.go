package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/gram"
	"poslens/internal/posemb"

	"gonum.org/v1/gonum/floats"
)

// SimilarityOptions choose how two positions are compared. The zero value is the
// exact cosine.
type SimilarityOptions struct {
	Dot    bool    // the plain dot product instead of the cosine
	Center bool    // subtract the mean vector of the table first
	Eps    float64 // added to each norm; 0 is exact, and a zero row is then undefined
	Single bool    // take the products in float32, good to 1e-5 of the vectors' lengths, and keep them so: half the time and memory
}

// The measures of similarity, as results name them.
const (
	MeasureCosine = "cosine"
	MeasureDot    = "dot"
	MeasureScore  = "score" // scores as they stand in a bias or a matrix
)

// measure is the name of what the options compare by.
func (o SimilarityOptions) measure() string {
	if o.Dot {
		return MeasureDot
	}
	return MeasureCosine
}

// rows are a table's vectors made ready, so that the similarity of two positions
// is the product of their vectors. A norm of 0 marks an undefined one.
type rows struct {
	gram.Vectors          // of the table itself, or of a copy where that had to change
	own          bool     // they are a copy
	count        int      // defined rows
	dot          bool     // plain dot products; else cosines, in [-1, 1]
	exact        bool     // a row's similarity to itself is exactly 1
	single       bool     // products are taken in float32
	left         int      // pairs whose product overflowed and was left out
	largest      float64  // product of a row with itself, or an infinity; of dot products and in single precision alone
	off          *float64 // what offdiagonal gives; nil: not known
	warnings     []string
}

// row is position i's vector, not divided.
func (r *rows) row(i int) []float64 { return r.Data[i*r.Stride : i*r.Stride+r.D : i*r.Stride+r.D] }

// defined tells whether position i has a similarity to any.
func (r *rows) defined(i int) bool { return r.Norm[i] != 0 }

// copy makes the vectors a copy of the table, so that they may be changed.
func (r *rows) copy() {
	if r.own {
		return
	}
	data := make([]float64, r.N*r.D)
	for i := range r.N {
		copy(data[i*r.D:], r.row(i))
	}
	r.Data, r.Stride, r.own = data, r.D, true
}

// leastSingle is the product of a row with itself below which too many of its terms
// are beneath the smallest float32.
const leastSingle = 0x1p-80

// largestProduct is the largest of a row with itself.
func (r *rows) largestProduct() float64 {
	largest := 0.0
	for i := range r.N {
		if r.defined(i) {
			largest = max(largest, floats.Dot(r.row(i), r.row(i))/r.Norm[i]/r.Norm[i])
		}
	}
	return largest
}

// clamp takes away what rounding adds beyond -1 and 1.
func clamp[F gram.Float](cosine F) F {
	switch { // the built-in min and max look after NaN too, in twice the time
	case cosine > 1:
		return 1
	case cosine < -1:
		return -1
	}
	return cosine
}

// overflow is the reason of a figure that finite scores have, but no float64 holds.
const overflow = "overflows float64"

// precision is that of the products, in a word.
func (r *rows) precision() string {
	if r.single {
		return "single"
	}
	return "double"
}

// overflowed is the warning about pairs that were left out, if any were.
func (r *rows) overflowed() []string {
	if r.left == 0 {
		return nil
	}
	precision := "float64"
	if r.single {
		precision = "float32"
	}
	return []string{fmt.Sprintf("the dot %s of %d %s %s: left out", plural(r.left, "product", "products"), r.left, plural(r.left, "pair overflows", "pairs overflow"), precision)}
}

// newRows prepares a table. An error says that no row of it is defined, or that ctx
// is done.
func newRows(ctx context.Context, a *posemb.Absolute, opt SimilarityOptions) (*rows, error) {
	if !(opt.Eps >= 0) || math.IsInf(opt.Eps, 0) {
		return nil, fmt.Errorf("eps %v: must be a finite number, 0 or more", opt.Eps)
	}
	if a.Table == nil || a.Table.IsEmpty() {
		return nil, nothing("the table has no rows")
	}
	t := a.Table.RawMatrix()
	r := &rows{
		Vectors: gram.Vectors{N: t.Rows, D: t.Cols, Stride: t.Stride, Data: t.Data, Norm: make([]float64, t.Rows)},
		dot:     opt.Dot,
		exact:   !opt.Dot && opt.Eps == 0,
		single:  opt.Single,
	}
	eps := opt.Eps
	if opt.Center {
		eps = math.Ldexp(eps, -r.center())
	}
	odd, err := r.measure(ctx, eps)
	if err != nil {
		return nil, err
	}
	for i := range r.N {
		if r.defined(i) {
			r.count++
		}
	}
	if r.count == 0 {
		return nil, r.none(opt, odd)
	}
	name := naming(a)
	r.warn(name(odd.nans), "holds NaN", "hold NaN", len(odd.nans))
	r.warn(name(odd.infs), "holds an infinity", "hold an infinity", len(odd.infs))
	if opt.Center {
		r.warn(name(odd.zeros), "equals the mean vector, so its cosine is undefined", "equal the mean vector, so their cosines are undefined", len(odd.zeros))
	} else {
		r.warn(name(odd.zeros), "is zero, so its cosine is undefined", "are zero, so their cosines are undefined", len(odd.zeros))
	}
	if opt.Dot || opt.Single {
		r.largest = r.largestProduct()
	}
	if r.single && r.largest < leastSingle {
		r.warnings = append(r.warnings, fmt.Sprintf("the largest product is %.2g, of which float32 keeps few digits or none: take them in double precision", r.largest))
	}
	if opt.Dot && opt.Eps != 0 {
		r.warnings = append(r.warnings, "eps is added to norms, and a dot product has none: ignored")
	}
	return r, nil
}

// warn says which rows are left out and why.
func (r *rows) warn(which, one, many string, count int) {
	if count > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("%s %s: %s pairs are left out", which, plural(count, one, many), plural(count, "its", "their")))
	}
}

// none says why no row is defined.
func (r *rows) none(opt SimilarityOptions, odd oddRows) error {
	switch {
	case len(odd.zeros) == 0:
		return nothing("no row of %d holds only finite numbers", r.N)
	case opt.Center:
		return nothing("all rows are equal, so nothing is left once their mean is subtracted")
	case len(odd.nans)+len(odd.infs) == 0:
		return nothing("every row is zero")
	}
	return nothing("every row is zero or holds NaN or an infinity")
}

// naming gives the way to name rows: by row where rows are the table's own, by
// position where reserved rows or a range, a stride have moved them.
func naming(a *posemb.Absolute) func(rows []int) string {
	one, many := "row", "rows"
	if a.Reserved != 0 || a.First != 0 || a.Stride > 1 {
		one, many = "position", "positions"
	}
	positions := a.Positions()
	return func(rows []int) string {
		named := make([]int, len(rows))
		for k, i := range rows {
			named[k] = positions[i]
		}
		return plural(len(rows), one, many) + " " + enumerate(named)
	}
}
