package analysis

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// probing is a table to probe: rows are taken from it, for the subject's own may each
// have been scaled.
type probing struct {
	*subject
	table *mat.Dense
}

// probed are some of a table's rows and where they stand.
type probed struct {
	x        *mat.Dense // rows x at most as many coordinates, in units of 2^exponent
	at       []float64  // positions, counted from the table's first row
	exponent int
}

// probe takes some rows, which are finite. Where the table is wider than there are
// rows, they are turned into as many coordinates, which leaves their lengths and
// angles, and with them every probe, as they are:
//
//	X = L Q,  Q Q' = 1:  X X' = L L'
func (s *probing) probe(which []int) *probed {
	p := &probed{x: mat.NewDense(len(which), s.rows.D, nil)}
	largest := 0.0
	for _, i := range which {
		largest = max(largest, magnitude(s.table.RawRowView(i)))
	}
	_, p.exponent = math.Frexp(largest)
	for k, i := range which {
		row := p.x.RawRowView(k)
		copy(row, s.table.RawRowView(i))
		shiftExponent(row, -p.exponent)
		p.at = append(p.at, float64(i*s.stride))
	}
	if len(which) < s.rows.D {
		var lq mat.LQ
		lq.Factorize(p.x)
		var l mat.Dense
		lq.LTo(&l)
		p.x = mat.DenseCopyOf(l.Slice(0, len(which), 0, len(which)))
	}
	return p
}

// firstRows are the finite ones of the first rows.
func (s *probing) firstRows(most int) []int {
	k := 0
	for k < len(s.whole) && s.whole[k] < most {
		k++
	}
	return s.whole[:k]
}

// spreadRows takes at most so many of some rows, evenly from the first to the last.
func spreadRows(rows []int, most int) []int {
	if len(rows) <= most {
		return rows
	}
	some := make([]int, most)
	for k := range some {
		some[k] = rows[k*(len(rows)-1)/(most-1)]
	}
	return some
}

// products gives the products of every two rows, in units of the table.
func (p *probed) products(ctx context.Context) ([]float64, error) {
	n, d := p.x.Dims()
	g := make([]float64, n*n)
	if err := gram.Matrix(ctx, g, gram.Vectors{N: n, D: d, Stride: d, Data: p.x.RawMatrix().Data}); err != nil {
		return nil, err
	}
	shiftExponent(g, 2*p.exponent)
	return g, nil
}

// standard gives the products of every two rows once their mean is subtracted and
// one factor has made the mean square of a component 1, of d of them; zeros where all
// rows are equal.
func (p *probed) standard(ctx context.Context, d int) ([]float64, error) {
	n, width := p.x.Dims()
	centred := mat.DenseCopyOf(p.x)
	energy := floats.Dot(centred.RawMatrix().Data, centred.RawMatrix().Data)
	subtractMean(centred, meanRow(centred))
	data := centred.RawMatrix().Data
	g := make([]float64, n*n)
	variance := floats.Dot(data, data)
	if variance <= 1e-24*energy { // rounding of the mean is no variance
		return g, nil
	}
	if err := gram.Matrix(ctx, g, gram.Vectors{N: n, D: width, Stride: width, Data: data}); err != nil {
		return nil, err
	}
	floats.Scale(float64(n)*float64(d)/variance, g)
	return g, nil
}

// meanRow is the mean of a matrix's rows.
func meanRow(x *mat.Dense) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), x.RawRowView(i))
	}
	return mean
}

// subtractMean subtracts a row from every row.
func subtractMean(x *mat.Dense, mean []float64) {
	n, _ := x.Dims()
	for i := range n {
		floats.Sub(x.RawRowView(i), mean)
	}
}

// What the random numbers of a repeat are for.
const (
	forOrder = iota // of the absolute probes, which thus share it where they share rows
	forPairs
	forDisjoint
	forFold                        // and the next ones: the pairs that a fold is fitted to
	streams = forFold + probeFolds // a repeat
)

// repeated is the source of one repeat's random numbers.
func repeated(seed uint64, repeat, use int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(streams*repeat+use)))
}

// foldBounds is where fold k of n things begins and ends: as even as can be, the
// larger ones in front, as scikit-learn's KFold has it (scikit-learn/scikit-learn,
// sklearn/model_selection/_split.py).
func foldBounds(n, k int) (from, to int) {
	size, larger := n/probeFolds, n%probeFolds
	from = k*size + min(k, larger)
	to = from + size
	if k < larger {
		to++
	}
	return from, to
}

// apart splits an order into fold k and the rest.
func apart(order []int, k int) (train, test []int) {
	from, to := foldBounds(len(order), k)
	train = append(append(train, order[:from]...), order[to:]...)
	return train, order[from:to]
}
