package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/posemb"
)

// SimilarityOptions choose how two positions are compared. The zero value is the
// exact cosine.
type SimilarityOptions struct {
	Dot    bool    // the plain dot product instead of the cosine
	Center bool    // subtract the mean vector of the table first
	Eps    float64 // added to each norm; 0 is exact, and a zero row is then undefined
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
// is the dot product of their rows.
type rows struct {
	n, d     int
	vectors  []float64 // n x d; undefined rows are zero
	defined  []bool
	count    int  // defined rows
	dot      bool // plain dot products; else cosines, in [-1, 1]
	exact    bool // a row's similarity to itself is exactly 1
	warnings []string
}

// row is position i's vector.
func (r *rows) row(i int) []float64 { return r.vectors[i*r.d : (i+1)*r.d : (i+1)*r.d] }

// score is the similarity of positions i and j: NaN where one is undefined, and
// an infinity where the product overflows.
func (r *rows) score(i, j int) float64 {
	if !r.defined[i] || !r.defined[j] {
		return math.NaN()
	}
	if i == j && r.exact {
		return 1
	}
	s := floats.Dot(r.row(i), r.row(j))
	if !r.dot {
		return clamp(s)
	}
	if math.IsNaN(s) {
		return math.Inf(1)
	}
	return s
}

// clamp takes away what rounding adds beyond -1 and 1.
func clamp(cosine float64) float64 { return max(-1, min(1, cosine)) }

// overflow is the reason of a figure that finite scores have, but no float64 holds.
const overflow = "overflows float64"

// overflowed is the warning about pairs whose dot product is no float64.
func overflowed(pairs int) string {
	return fmt.Sprintf("the dot %s of %d %s float64: left out", plural(pairs, "product", "products"), pairs, plural(pairs, "pair overflows", "pairs overflow"))
}

// newRows prepares a table. An error says that no row of it is defined.
func newRows(a *posemb.Absolute, opt SimilarityOptions) (*rows, error) {
	if !(opt.Eps >= 0) || math.IsInf(opt.Eps, 0) {
		return nil, fmt.Errorf("eps %v: must be a finite number, 0 or more", opt.Eps)
	}
	if a.Table == nil || a.Table.IsEmpty() {
		return nil, nothing("the table has no rows")
	}
	n, d := a.Table.Dims()
	r := &rows{
		n: n, d: d,
		vectors: make([]float64, n*d),
		defined: make([]bool, n),
		dot:     opt.Dot,
		exact:   !opt.Dot && opt.Eps == 0,
	}
	var nans, infs, zeros []int
	largest := 0.0
	for i := range n {
		row := r.row(i)
		copy(row, a.Table.RawRowView(i))
		m := magnitude(row)
		switch {
		case math.IsNaN(m):
			nans = append(nans, i)
			clear(row)
		case math.IsInf(m, 0):
			infs = append(infs, i)
			clear(row)
		default:
			r.defined[i] = true
			largest = max(largest, m)
		}
	}
	// Powers of two scale without rounding. One for the whole table keeps sums of
	// rows finite, one for each row keeps its squares so.
	_, scale := math.Frexp(largest)
	if opt.Center {
		r.center(scale)
	} else {
		scale = 0
	}
	for i := range n {
		switch row := r.row(i); {
		case !r.defined[i]:
		case opt.Dot:
			shiftExponent(row, scale)
		case !unit(row, opt.Eps, scale) && opt.Eps == 0:
			r.defined[i] = false
			zeros = append(zeros, i)
		}
		if r.defined[i] {
			r.count++
		}
	}
	if r.count == 0 {
		return nil, r.none(opt, nans, infs, zeros)
	}
	name := naming(a)
	r.warn(name(nans), "holds NaN", "hold NaN", len(nans))
	r.warn(name(infs), "holds an infinity", "hold an infinity", len(infs))
	if opt.Center {
		r.warn(name(zeros), "equals the mean vector, so its cosine is undefined", "equal the mean vector, so their cosines are undefined", len(zeros))
	} else {
		r.warn(name(zeros), "is zero, so its cosine is undefined", "are zero, so their cosines are undefined", len(zeros))
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
func (r *rows) none(opt SimilarityOptions, nans, infs, zeros []int) error {
	switch {
	case len(zeros) == 0:
		return nothing("no row of %d holds only finite numbers", r.n)
	case opt.Center:
		return nothing("all rows are equal, so nothing is left once their mean is subtracted")
	case len(nans)+len(infs) == 0:
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

// unit divides a row by its norm plus eps and tells whether it was not zero. The
// row stands for row * 2^scale, which is what eps is to be added to.
func unit(row []float64, eps float64, scale int) bool {
	m := magnitude(row)
	if m == 0 {
		return false
	}
	_, e := math.Frexp(m)
	shiftExponent(row, -e)
	norm := math.Sqrt(floats.Dot(row, row))
	norm += math.Ldexp(eps, -e-scale)
	for j := range row {
		row[j] /= norm
	}
	return true
}
