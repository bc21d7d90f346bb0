package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
	"poslens/internal/progress"
)

// CosineMatch tells how alike the cosine matrices of two tables are, which needs
// neither the same width nor any common direction.
type CosineMatch struct {
	Correlation    Value `json:"correlation"`     // Pearson's, of the cosines of all pairs of two rows
	P              Value `json:"p"`               // share of orders of one table's rows with as large a correlation
	Draws          int   `json:"draws"`           // how many orders were tried
	BeyondDistance Value `json:"beyond_distance"` // Correlation once each matrix has lost the mean of every distance
}

// The cost of the permutations: draws times pairs is at most about 5e8 steps, a second
// of one processor.
const (
	mantelDraws   = 999  // of up to mantelPlain rows
	mantelFewer   = 199  // of more
	mantelPlain   = 1024 // rows
	mantelLargest = 2048 // rows; of more a random sample is taken
)

// correlate fills Cosines: the Mantel test. The rows of one table are put into random
// orders, and p is (1 + orders with at least the correlation of the true one) /
// (orders + 1): 999 orders of up to 1024 rows, 199 of more, and of more than 2048 rows
// a random sample of that many stands for all. Mantel 1967; Legendre and Legendre,
// Numerical Ecology.
//
// Tables that both fall with distance correlate for that alone, and so have a small p;
// BeyondDistance is what is left.
func (c *Comparison) correlate(ctx context.Context, m *matched, opt CompareOptions) error {
	nan := Value(math.NaN())
	c.Cosines = CosineMatch{Correlation: nan, P: nan, BeyondDistance: nan}
	undefine := func(reason string, figures ...string) {
		for _, figure := range figures {
			c.Reasons["cosines."+figure] = reason
		}
	}
	a, b := m.cosines[0], m.cosines[1]
	var used []int
	for i := range a.N {
		if a.defined(i) && b.defined(i) {
			used = append(used, i)
		}
	}
	if len(used) > mantelLargest {
		c.Notes = append(c.Notes, fmt.Sprintf("the cosines of a random sample of %d of %d %s are correlated, seed %d", mantelLargest, len(used), m.of, opt.Seed))
		used = sample(used, mantelLargest, opt.Seed)
	}
	c.Sample = len(used)
	n := len(used)
	if n < 3 {
		undefine("fewer than three rows have a cosine in both tables", "correlation", "p", "beyond_distance")
		return nil
	}
	var matrices [2][]float64
	for k, r := range []*rows{a, b} {
		var err error
		if matrices[k], err = r.cosines(ctx, used); err != nil {
			return err
		}
	}
	x, y := &pairs{matrices[0], n}, &pairs{matrices[1], n}
	level := func(m *pairs) float64 { m.subtract(m.mean()); return m.norm() }
	nx, ny := level(x), level(y)
	flat := flat * float64(n) // all differences are rounding
	for k, norm := range []float64{nx, ny} {
		if norm <= flat {
			undefine(fmt.Sprintf("all cosines of %s are equal", m.tables[k].Label), "correlation", "p", "beyond_distance")
			return nil
		}
	}
	own := x.dot(y, nil)
	c.Cosines.Correlation = Value(max(-1, min(1, own/nx/ny)))
	if opt.noTest {
		undefine("not asked for", "p")
	} else {
		c.Cosines.Draws = mantelDraws
		if n > mantelPlain {
			c.Cosines.Draws = mantelFewer
		}
		as, err := mantel(ctx, x, y, own-1e-12*nx*ny, c.Cosines.Draws, opt.Seed)
		if err != nil {
			return err
		}
		c.Cosines.P = Value(float64(1+as) / float64(c.Cosines.Draws+1))
	}
	distance := m.distances(used)
	x.subtractMeans(distance)
	y.subtractMeans(distance)
	nx, ny = x.norm(), y.norm()
	for k, norm := range []float64{nx, ny} {
		if norm <= flat {
			undefine(fmt.Sprintf("the cosines of %s depend on the distance alone", m.tables[k].Label), "beyond_distance")
			return nil
		}
	}
	c.Cosines.BeyondDistance = Value(max(-1, min(1, x.dot(y, nil)/nx/ny)))
	return nil
}

// mantel counts the random orders under which the product of x and y is at least as
// large as its own.
func mantel(ctx context.Context, x, y *pairs, own float64, draws int, seed uint64) (int, error) {
	var count atomic.Int64
	done := progress.Start(ctx, "permutations", int64(draws))
	err := gram.Parallel(ctx, draws, func() func(int) {
		return func(draw int) {
			if x.dot(y, permutation(seed, uint64(draw), x.n)) >= own {
				count.Add(1)
			}
			done(1)
		}
	})
	return int(count.Load()), err
}

// permutation is the random order of n rows that a seed and a number give.
func permutation(seed, number uint64, n int) []int {
	return rand.New(rand.NewPCG(seed, number)).Perm(n)
}

// sample is a random part of a rising list, rising too.
func sample(list []int, n int, seed uint64) []int {
	chosen := make([]bool, len(list))
	for _, i := range permutation(seed, math.MaxUint64, len(list))[:n] {
		chosen[i] = true
	}
	part := make([]int, 0, n)
	for i, x := range list {
		if chosen[i] {
			part = append(part, x)
		}
	}
	return part
}

// cosines are those of every two of some rows.
func (r *rows) cosines(ctx context.Context, used []int) ([]float64, error) {
	v := gram.Vectors{N: len(used), D: r.D, Stride: r.D, Data: make([]float64, len(used)*r.D), Norm: make([]float64, len(used))}
	for k, i := range used {
		copy(v.Data[k*r.D:], r.row(i))
		v.Norm[k] = r.Norm[i]
	}
	s := gram.Make[float64](v.N * v.N)
	if err := gram.Matrix(ctx, s, v); err != nil {
		return nil, err
	}
	for i, x := range s {
		s[i] = clamp(x)
	}
	return s, nil
}

// distances tell of every two of some rows how far apart they are, as a number below
// the count of rows: along the table, or where it is a grid the offsets down and across.
func (m *matched) distances(used []int) func(i, j int) int {
	if g := m.tables[0].Grid; g.Rows > 1 && g.Cols > 1 && g == m.tables[1].Grid {
		return func(i, j int) int {
			down, across := used[j]/g.Cols-used[i]/g.Cols, used[j]%g.Cols-used[i]%g.Cols
			return max(down, -down)*g.Cols + max(across, -across)
		}
	}
	return func(i, j int) int { return max(used[j]-used[i], used[i]-used[j]) }
}

// pairs are numbers of every two of n rows, of which those i < j count.
type pairs struct {
	x []float64 // n x n, symmetric
	n int
}

func (p *pairs) row(i int) []float64 { return p.x[i*p.n : (i+1)*p.n : (i+1)*p.n] }

func (p *pairs) mean() float64 {
	sum := 0.0
	for i := range p.n {
		sum += floats.Sum(p.row(i)[i+1:])
	}
	return sum / (float64(p.n) * float64(p.n-1) / 2)
}

func (p *pairs) subtract(c float64) { floats.AddConst(-c, p.x) }

// norm is the root of the sum of the squares.
func (p *pairs) norm() float64 {
	sum := 0.0
	for i := range p.n {
		row := p.row(i)[i+1:]
		sum += floats.Dot(row, row)
	}
	return math.Sqrt(sum)
}

// dot is the sum of products with y, whose rows and columns are in another order where
// one is given.
func (p *pairs) dot(y *pairs, order []int) float64 {
	sum := 0.0
	for i := range p.n {
		if order == nil {
			sum += floats.Dot(p.row(i)[i+1:], y.row(i)[i+1:])
			continue
		}
		own, other := p.row(i)[i+1:], y.row(order[i])
		part := 0.0
		for k, j := range order[i+1:] {
			part += own[k] * other[j]
		}
		sum += part
	}
	return sum
}

// subtractMeans takes from each number the mean of those of the same distance.
func (p *pairs) subtractMeans(distance func(i, j int) int) {
	var sum []float64
	var count []int
	for i := range p.n {
		for j := i + 1; j < p.n; j++ {
			k := distance(i, j)
			for len(sum) <= k {
				sum, count = append(sum, 0), append(count, 0)
			}
			sum[k] += p.x[i*p.n+j]
			count[k]++
		}
	}
	for i := range p.n {
		for j := i + 1; j < p.n; j++ {
			k := distance(i, j)
			p.x[i*p.n+j] -= sum[k] / float64(count[k])
		}
	}
}
