package analysis

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"

	"poslens/internal/gram"
	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// The thresholds of rows that look random; Checks tells why.
const (
	oftenPassed     = 0.01 // tables of which the largest random cosine passes the floor
	highestFloor    = 0.9  // above it the floor tells nothing
	neighbourSigmas = 4.5
)

// cosineFloor is the level that the largest absolute value of the cosines of all pairs
// of n independent random rows of d components passes with a probability of at most
// oftenPassed. The cosine of two rows of which one has no direction of its own passes
// c in absolute value with
//
//	P = I_(1-c^2)((d-1)/2, 1/2)
//
// the regularised incomplete beta function: t = c sqrt((d-1) / (1-c^2)) is Student's
// with d-1 degrees of freedom. 1 for d < 2.
func cosineFloor(n, d int) float64 {
	if d < 2 || n < 2 {
		return 1
	}
	p := oftenPassed / (float64(n) * float64(n-1) / 2)
	low, high := 0.0, 1.0
	for range 60 {
		c := (low + high) / 2
		if mathext.RegIncBeta(float64(d-1)/2, 0.5, (1-c)*(1+c)) > p {
			low = c
		} else {
			high = c
		}
	}
	return high
}

// floorRows are rows held against random ones.
type floorRows struct {
	*rows
	floor     float64
	largest   []float64 // of each row, its largest |cosine| with another
	neighbour []float64 // the mean cosine with its neighbours; NaN without any
	pairs     []int     // how many neighbours that are
	low       []bool    // the row is at the floor
}

// cosines looks at the cosines of the rows that are of a size to compare.
func (c *checking) cosines(ctx context.Context, left []int) error {
	codes := []string{CodeInitialTable, CodeUntrained, CodeNoiseFloor}
	along := []string{CodeChangePoint, CodeFading, CodeNearCopies}
	if c.relative() {
		codes, along = codes[1:], nil
	}
	if !c.wants(append(codes, along...)...) {
		return nil
	}
	if len(left) < 2 {
		c.skip("it takes two rows that are finite and not zero", append(codes, along...)...)
		return nil
	}
	r, err := newRows(ctx, &posemb.Absolute{Table: c.t.Table}, SimilarityOptions{})
	if err != nil {
		return err
	}
	keep := make([]bool, r.N)
	for _, i := range left {
		keep[i] = true
	}
	for i := range r.N {
		if !keep[i] {
			r.Norm[i] = 0
		}
	}
	r.count = len(left)
	c.change(r)
	if err := c.nearCopies(ctx, r); err != nil {
		return err
	}
	f := &floorRows{rows: r, floor: cosineFloor(len(left), r.D)}
	if f.floor > highestFloor {
		c.skip(fmt.Sprintf("%d %s too few to tell %d %s from random ones", r.D, plural(r.D, "component is", "components are"), len(left), plural(len(left), "row", "rows")), codes...)
		return nil
	}
	if !c.wants(codes...) {
		return nil
	}
	if err := f.measure(ctx, c); err != nil {
		return err
	}
	c.floor(f, left)
	return nil
}

// measure fills the figures of each row, in one pass over all pairs.
func (f *floorRows) measure(ctx context.Context, c *checking) error {
	f.largest, f.neighbour, f.pairs, f.low = make([]float64, f.N), make([]float64, f.N), make([]int, f.N), make([]bool, f.N)
	var lock sync.Mutex
	var workers [][]float64
	done := progress.Start(ctx, "pairs", int64(f.N)*int64(f.N+1)/2)
	err := gram.Upper(ctx, f.Vectors, func() func(*gram.Tile[float64]) {
		own := make([]float64, f.N)
		lock.Lock()
		workers = append(workers, own)
		lock.Unlock()
		return func(t *gram.Tile[float64]) {
			for i := range t.Rows {
				row, at := t.Row(i), t.I+i
				from := 0
				if t.I == t.J {
					from = i + 1
				}
				most := own[at]
				for j := from; j < len(row); j++ {
					x := math.Abs(row[j])
					if x > most {
						most = x
					}
					if x > own[t.J+j] {
						own[t.J+j] = x
					}
				}
				own[at] = most
			}
			done(pairsIn(t))
		}
	})
	if err != nil {
		return err
	}
	for _, own := range workers {
		for i, x := range own {
			f.largest[i] = max(f.largest[i], min(x, 1))
		}
	}
	for i := range f.N {
		f.neighbour[i] = math.NaN()
		if !f.defined(i) {
			continue
		}
		sum := 0.0
		for _, j := range c.neighbours(i) {
			if f.defined(j) {
				sum += f.cosine(i, j)
				f.pairs[i]++
			}
		}
		quiet := true
		if f.pairs[i] > 0 {
			f.neighbour[i] = sum / float64(f.pairs[i])
			quiet = math.Abs(f.neighbour[i])*math.Sqrt(float64(f.D*f.pairs[i])) < neighbourSigmas
		}
		f.low[i] = quiet && f.largest[i] < f.floor
	}
	return nil
}

// pairsIn is how many pairs i <= j a tile of gram.Upper holds.
func pairsIn[F gram.Float](t *gram.Tile[F]) int64 {
	if t.I == t.J {
		return int64(t.Rows) * int64(t.Rows+1) / 2
	}
	return int64(t.Rows) * int64(t.Cols)
}

// neighbours are the rows beside row i: before and after, on a grid also above and
// below.
func (c *checking) neighbours(i int) []int {
	n, _ := c.t.Table.Dims()
	var all []int
	if i > 0 && c.beside(i-1) {
		all = append(all, i-1)
	}
	if i+1 < n && c.beside(i) {
		all = append(all, i+1)
	}
	if cols := c.grid.Cols; cols > 0 {
		if i-cols >= 0 {
			all = append(all, i-cols)
		}
		if i+cols < n {
			all = append(all, i+cols)
		}
	}
	return all
}

// floor tells what the rows at the noise floor are: the whole table, some that were
// never trained, or just rows at the floor.
func (c *checking) floor(f *floorRows, left []int) {
	var low, rest []int
	for _, i := range left {
		if f.low[i] {
			low = append(low, i)
		} else {
			rest = append(rest, i)
		}
	}
	if len(low) == 0 {
		return
	}
	if !c.relative() && c.initial(f, left, low) {
		return
	}
	if f.trained(rest) {
		least := leastUntrained
		if f.related(low) {
			least = leastRun
		}
		for _, group := range groupsOf(low, least) {
			low = without(low, c.untrained(f, group, rest))
		}
	}
	if len(low) == 0 {
		return
	}
	most := 0.0
	for _, i := range low {
		most = max(most, f.largest[i])
	}
	which := c.words(low) + " " + plural(len(low), "is", "are")
	if len(low) == len(left) {
		which = fmt.Sprintf("all %d rows are", len(low))
	}
	digits := digitsApart(most, f.floor)
	c.found(CodeNoiseFloor, low, "largest_cosine", most, "%s like no other: no |cosine| is above %.*f, and random rows of %d components reach %.*f", which, digits, most, f.D, digits, f.floor)
}

// digitsApart is how many decimals show two numbers to differ, from 2 to 6.
func digitsApart(a, b float64) int {
	digits := 2
	for digits < 6 && fmt.Sprintf("%.*f", digits, a) == fmt.Sprintf("%.*f", digits, b) {
		digits++
	}
	return digits
}
