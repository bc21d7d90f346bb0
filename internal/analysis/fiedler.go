package analysis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// mostOrdered bounds the rows that are ordered: their cosines are n x n numbers.
const mostOrdered = 2048

// Cosines up to this are rounding and no similarity.
const leastCosine = 1e-12

// Order is how well a table's cosines alone give its order back.
type Order struct {
	Spearman Value  `json:"spearman"` // |rho| of the Fiedler vector and the position, 0 to 1
	Second   Value  `json:"second"`   // eigenvalues of the Laplacian, behind the 0 of the constant vector
	Third    Value  `json:"third"`
	Rows     int    `json:"rows"`
	Reason   string `json:"reason,omitempty"` // why there is no Spearman
}

// sharpPower is the power of the cosines for the sharp order.
const sharpPower = 8

// recoverOrder compares the order of the Fiedler vector with the positions: the
// eigenvector of the second smallest eigenvalue of
//
//	L = D - W,  W[i,j] = max(S[i,j], 0),  D[i,i] = sum over j of W[i,j]
//
// S being the cosines. (The diagonal of W cancels in L, so that it does not matter.)
// Where S falls with the distance from its diagonal in every row, the vector never
// turns back (Atkins, Boman and Hendrickson 1998, on R-matrices), and rho is 1.
//
// The cosines of far rows are as good as random, and there are many of them: their
// positive halves together can outweigh the few neighbours, and the vector is theirs.
// (The smooth table of 128 x 64 with a length of 6 has a rho of 0.2.) The sharp order
// takes W[i,j]^8, which keeps what is larger than what, and leaves of a cosine of 0.3
// less than 1e-4.
//
// Undefined: where W falls apart, each part has an order of its own; where the second
// and third eigenvalues are equal, as of a ring or of equal rows, no vector is singled
// out.
func (r *ProbeResult) recoverOrder(ctx context.Context, s *probing, _ ProbeOptions) error {
	var defined []int
	for i := range s.rows.N {
		if s.rows.defined(i) {
			defined = append(defined, i)
		}
	}
	which := spreadRows(defined, mostOrdered)
	n := len(which)
	if n < leastProbed {
		nan := Value(math.NaN())
		r.Order = Order{nan, nan, nan, n, fmt.Sprintf("%d %s a cosine: an order needs %d", n, plural(n, "row has", "rows have"), leastProbed)}
		r.OrderSharp = r.Order
		return nil
	}
	for _, o := range []struct {
		into  *Order
		power float64
	}{{&r.Order, 1}, {&r.OrderSharp, sharpPower}} {
		w, err := s.similarities(ctx, which, o.power)
		if err != nil {
			return err
		}
		f, err := fiedlerOf(ctx, w, n)
		if err != nil {
			return err
		}
		*o.into = f.order(n)
	}
	return nil
}

// order compares the vector with the positions of n rows.
func (f *fiedlerPair) order(n int) Order {
	o := Order{Value(math.NaN()), Value(f.second), Value(f.third), n, f.reason}
	if f.reason == "" {
		at := make([]float64, n)
		for k := range at {
			at[k] = float64(k)
		}
		o.Spearman = Value(math.Abs(spearman(f.vector, at)))
	}
	return o
}

// similarities are the positive parts of the cosines of some rows, to a power.
func (s *subject) similarities(ctx context.Context, which []int, power float64) ([]float64, error) {
	n, d := len(which), s.rows.D
	v := gram.Vectors{N: n, D: d, Stride: d, Data: make([]float64, 0, n*d), Norm: make([]float64, n)}
	for k, i := range which {
		v.Data = append(v.Data, s.rows.row(i)...)
		v.Norm[k] = s.rows.Norm[i]
	}
	w := make([]float64, n*n)
	if err := gram.Matrix(ctx, w, v); err != nil {
		return nil, err
	}
	for i, x := range w {
		if x = clamp(x); x <= leastCosine {
			x = 0
		}
		w[i] = math.Pow(x, power)
	}
	return w, nil
}

// fiedlerPair is the Fiedler vector of a graph, its eigenvalue and the next.
type fiedlerPair struct {
	vector        []float64
	second, third float64
	reason        string // why there is none
}

// closest is how near the second and third eigenvalue may be, as a share of the
// third.
const closest = 1e-8

// fiedlerOf finds the Fiedler vector of n x n weights, none below 0, whose diagonal
// does not matter. They are overwritten.
func fiedlerOf(ctx context.Context, w []float64, n int) (*fiedlerPair, error) {
	f := &fiedlerPair{second: math.NaN(), third: math.NaN()}
	if parts := partsOf(w, n); parts > 1 {
		f.reason = fmt.Sprintf("the positive cosines fall apart into %d groups of rows", parts)
		return f, nil
	}
	// The constant vector moves from the eigenvalue 0 to the mean degree, which makes
	// the matrix positive definite and leaves all else; its inverse has the small
	// eigenvalues as its large ones, well apart.
	total := 0.0
	for i := range n {
		w[i*n+i] = 0
		degree := floats.Sum(w[i*n : (i+1)*n])
		w[i*n+i] = -degree
		total += degree
	}
	shift := total / float64(n) / float64(n)
	for i := range w {
		w[i] = shift - w[i]
	}
	var c mat.Cholesky
	if !c.Factorize(mat.NewSymDense(n, w)) || !(c.Cond() <= 1e13) {
		f.reason = "the positive cosines all but fall apart into groups of rows"
		return f, nil
	}
	inverse := func(dst, x []float64) error {
		return c.SolveVecTo(mat.NewVecDense(n, dst), mat.NewVecDense(n, x))
	}
	constant := make([]float64, n)
	for i := range constant {
		constant[i] = 1 / math.Sqrt(float64(n))
	}
	first, ok, err := largestEigen(ctx, inverse, [][]float64{constant})
	if err != nil || !ok {
		f.reason = errEigen.Error()
		return f, err
	}
	next, ok, err := largestEigen(ctx, inverse, [][]float64{constant, first.vector})
	if err != nil || !ok {
		f.reason = errEigen.Error()
		return f, err
	}
	f.vector, f.second, f.third = first.vector, 1/first.value, 1/next.value
	if f.third-f.second <= closest*f.third {
		f.reason = "the second and third eigenvalues of the Laplacian are equal, as of a ring or of equal rows: no order is singled out"
	}
	return f, nil
}

// partsOf counts the connected parts of a graph.
func partsOf(w []float64, n int) int {
	seen := make([]bool, n)
	parts := 0
	var open []int
	for from := range n {
		if seen[from] {
			continue
		}
		parts++
		seen[from] = true
		open = append(open[:0], from)
		for len(open) > 0 {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			for j, x := range w[i*n : (i+1)*n] {
				if x > 0 && !seen[j] {
					seen[j] = true
					open = append(open, j)
				}
			}
		}
	}
	return parts
}
