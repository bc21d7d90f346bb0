package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// sampledAtOnce is how many queries are scored in one product.
const sampledAtOnce = 256

// SampleOptions say which queries are drawn and what is made of their scores.
type SampleOptions struct {
	Samples int    // at least 1
	Seed    uint64 // the same seed draws the same queries
	Scale   bool   // divide scores by the root of the width
	Softmax bool   // softmax each query's scores over the window before the mean is taken
	Heads   []int  // which heads, where each has vectors of its own; none: all
	Mean    bool   // one mean over queries and heads together
}

// ProfileSampled gives the profile of a table of vectors as queries see it whose
// components are drawn independently from N(0, 1): at each offset the mean over
// the queries of the score q . v, or of its softmax mass. Lo and Hi are one
// population standard deviation to each side. The figures are those of the mean.
// Where each head has vectors of its own every one is a line, of the same queries.
// Fewer than one sample is an error, as a head is that the table has not.
func ProfileSampled(ctx context.Context, v *posemb.Vectors, opt SampleOptions) (*Profile, error) {
	samples := opt.Samples
	if samples < 1 {
		return nil, fmt.Errorf("%d samples: must be at least 1", samples)
	}
	p, err := newProfile(v.Origin, v.Axes, v.Table)
	if err != nil {
		return nil, err
	}
	tables, names, err := headTables(v, opt.Heads)
	if err != nil {
		return nil, err
	}
	n, _ := v.Table.Dims()
	width := v.Width()
	factor := 1.0
	if opt.Scale {
		factor = 1 / math.Sqrt(float64(width))
	}
	lines := make([]*running, len(tables))
	for h := range lines {
		lines[h] = &running{mean: make([]float64, n), squares: make([]float64, n)}
		if opt.Mean {
			lines[h] = lines[0]
		}
	}
	random := rand.New(rand.NewPCG(opt.Seed, 0))
	scores := mat.NewDense(n, min(samples, sampledAtOnce), nil)
	for done := 0; done < samples; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		queries := mat.NewDense(min(samples-done, sampledAtOnce), width, nil)
		for i := range queries.RawMatrix().Data {
			queries.RawMatrix().Data[i] = random.NormFloat64() * factor
		}
		for h, table := range tables {
			scores.Reset()
			scores.Mul(table, queries.T())
			if opt.Softmax {
				softmaxColumns(scores)
			}
			lines[h].add(scores)
		}
		_, drawn := scores.Dims()
		done += drawn
	}
	p.MeanOver = OverQueries
	p.Band = fmt.Sprintf("one standard deviation over %d queries", samples)
	drawn := fmt.Sprintf("mean over %d queries drawn from N(0, 1), seed %d", samples, opt.Seed)
	if opt.Mean && len(tables) > 1 {
		names, lines = []string{meanHead}, lines[:1]
		p.MeanOver = OverBoth
		p.Band += fmt.Sprintf(" and %d heads", len(tables))
		drawn += fmt.Sprintf(", and over %d heads", len(tables))
	}
	p.Notes = append(p.Notes, drawn)
	for h, line := range lines {
		p.Heads = append(p.Heads, line.head(names[h]))
	}
	if opt.Softmax {
		p.Quantity = QuantityMass
	}
	return p.finishMeans()
}

// headTables are the vectors of each head wanted, with the heads' names. A table whose
// vectors serve all heads is one, and has no heads to choose from.
func headTables(v *posemb.Vectors, heads []int) (tables []*mat.Dense, names []string, err error) {
	if v.Heads == nil {
		if len(heads) > 0 {
			return nil, nil, fmt.Errorf("no head %d: the vectors serve all heads alike", heads[0])
		}
		return []*mat.Dense{v.Table}, []string{meanHead}, nil
	}
	if len(heads) == 0 {
		for h := range v.Heads {
			heads = append(heads, h)
		}
	}
	n, _ := v.Table.Dims()
	d := v.Width()
	for _, h := range heads {
		if h < 0 || h >= len(v.Heads) {
			return nil, nil, fmt.Errorf("no head %d: the table has %d %s", h, len(v.Heads), plural(len(v.Heads), "head", "heads"))
		}
		tables = append(tables, v.Table.Slice(0, n, h*d, (h+1)*d).(*mat.Dense))
		names = append(names, v.Heads[h])
	}
	return tables, names, nil
}

// running is a mean and spread at each offset that grows with its scores.
type running struct {
	seen          int
	mean, squares []float64 // the mean, and the sum of squares about it
}

// add takes in scores, an offset a row and a query a column.
func (r *running) add(scores *mat.Dense) {
	for k := range r.mean {
		seen := r.seen
		for _, s := range scores.RawRowView(k) {
			seen++
			step := s - r.mean[k]
			r.mean[k] += step / float64(seen)
			r.squares[k] += step * (s - r.mean[k])
		}
	}
	_, queries := scores.Dims()
	r.seen += queries
}

// head is the line of the mean, with its band.
func (r *running) head(name string) HeadProfile {
	n := len(r.mean)
	h := HeadProfile{Head: name, Lo: make(Values, n), Hi: make(Values, n), raw: r.mean}
	for k, m := range r.mean {
		std := math.Sqrt(r.squares[k] / float64(r.seen))
		h.Lo[k], h.Hi[k] = m-std, m+std
	}
	return h
}

// softmaxColumns turns each column, the scores of one query, into masses. NaN stays
// and has no part in the others.
func softmaxColumns(scores *mat.Dense) {
	_, queries := scores.Dims()
	for j := range queries {
		column := mat.Col(nil, j, scores)
		largest, sum := math.Inf(-1), 0.0
		for _, s := range column {
			if s > largest {
				largest = s // NaN never is
			}
		}
		for i, s := range column {
			if column[i] = math.Exp(s - largest); !math.IsNaN(column[i]) {
				sum += column[i]
			}
		}
		for i := range column {
			column[i] /= sum
		}
		scores.SetCol(j, column)
	}
}
