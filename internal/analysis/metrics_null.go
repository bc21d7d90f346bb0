package analysis

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"poslens/internal/gram"
	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// nullKind is a way to make random tables of a given one.
type nullKind struct {
	keeps  func(Metric) string // why it can't change a metric; empty: it can
	into   func(*MeasuredMetric) **NullModel
	make   func(ctx context.Context, s *subject, random *rand.Rand) (*subject, error)
	scores func(scores []float64, shared [][]int, random *rand.Rand) []float64 // of one head; shared are the offsets of each stored entry
}

var nullKinds = []nullKind{
	{
		keeps:  func(m Metric) string { return m.ShuffleKeeps },
		into:   func(m *MeasuredMetric) **NullModel { return &m.Shuffled },
		make:   shuffled,
		scores: shuffledScores,
	},
	{
		keeps:  func(m Metric) string { return m.GaussianKeeps },
		into:   func(m *MeasuredMetric) **NullModel { return &m.Gaussian },
		make:   gaussianRows,
		scores: gaussianScores,
	},
}

// nulls holds the metrics against each null model.
func (set *MetricSet) nulls(ctx context.Context, a *posemb.Absolute, s *subject, wanted []Metric, opt MetricOptions) error {
	moving := make([][]Metric, len(nullKinds)) // what each kind can change
	total := 0
	for at, kind := range nullKinds {
		for i, m := range wanted {
			if reason := kind.keeps(m); reason != "" {
				*kind.into(&set.Metrics[i]) = noNull(reason)
			} else if m.Name == "isotropy" && s.side() > mostNullEigenvectors && !s.patient {
				*kind.into(&set.Metrics[i]) = noNull("needs eigenvectors for every draw, which takes long: ask for it by its name")
			} else if !set.Metrics[i].Value.Defined() {
				*kind.into(&set.Metrics[i]) = noNull(undefinedItself)
			} else {
				moving[at] = append(moving[at], m)
			}
		}
		if len(moving[at]) > 0 {
			total += opt.Draws
		}
	}
	done := progress.Start(ctx, whatDraws, int64(total))
	s.share()
	for at, kind := range nullKinds {
		if len(moving[at]) == 0 {
			continue
		}
		base := *s // whose matrices go with it
		base.keep(progress.Without(ctx))
		draws, err := draw(ctx, opt.Draws, !s.large(), done, func(ctx context.Context, i int) (*figures, error) {
			random := rand.New(rand.NewPCG(opt.Seed, uint64(2*i+at)))
			null, err := kind.make(ctx, &base, random)
			if err != nil {
				return nil, err
			}
			null.patient, null.random = s.patient, true
			f := newFigures()
			return f, take(ctx, null, f, moving[at])
		})
		if err != nil {
			return err
		}
		for i := range set.Metrics {
			m := &set.Metrics[i]
			if into := kind.into(m); *into == nil {
				*into = against(float64(m.Value), wanted[i], draws, lotOf(opt.Seed, at, m.Name, 0))
			}
		}
	}
	return set.sinusoid(ctx, a, wanted)
}

// DrawSeconds is about how long one processor takes for a draw of both null models of
// n positions of width d: for the products of rows, for eigenvalues, and for what is
// done with every cosine. It is a measure of size to choose a number of draws by: what
// was measured for 512 x 768 to 16384 x 32 is within a third of it or so.
func DrawSeconds(n, d int) float64 {
	rows, width, side := float64(n), float64(d), float64(min(n, d))
	return 2.4e-10 * (rows*rows*width + 2*side*side*side + 170*rows*rows)
}

// whatDraws is what counts as done of null models.
const whatDraws = "draws"

// draw makes the figures of each draw, and tells done of each: together, on all
// processors, which each hold a table then, or one after the other.
func draw(ctx context.Context, draws int, together bool, done func(int64), one func(context.Context, int) (*figures, error)) ([]*figures, error) {
	all, errs := make([]*figures, draws), make([]error, draws)
	alone := progress.Without(ctx)
	if !together {
		for i := range all {
			var err error
			if all[i], err = one(alone, i); err != nil {
				return nil, err
			}
			done(1)
		}
		return all, nil
	}
	err := gram.Parallel(ctx, draws, func() func(int) {
		return func(i int) {
			all[i], errs[i] = one(alone, i)
			done(1)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// undefinedItself is the reason of a null model of nothing.
const undefinedItself = "the figure itself is undefined"

// noNull is a null model that tells nothing, and why.
func noNull(reason string) *NullModel {
	nan := Value(math.NaN())
	return &NullModel{Mean: nan, Std: nan, Z: nan, P: nan, Reason: reason}
}

// lotOf is the source of the lots of one figure, which depend on the seed, the null
// model, the figure and the head, and not on what else is asked for.
func lotOf(seed uint64, kind int, name string, head int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", kind, name, head)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// grain is the size of a figure that is rounding alone, as where a deviation is 0 but
// for that. Figures of cosines are of the order of 1; others have no such size, and
// isotropy and flatness may well be tiny.
func (m Metric) grain() float64 {
	if slices.Contains([]string{"decay", "translation", "monotonicity", "symmetry", "norms", "order"}, m.Group) {
		return 1e-12
	}
	return 0
}

// against compares a figure with those of draws. Draws that are just as far from the
// middle, as those of counts often are, stand before or behind it by lot, so that of
// tables that are the null itself the p is uniform.
func against(value float64, m Metric, draws []*figures, lot *rand.Rand) *NullModel {
	var x []float64
	for _, f := range draws {
		if v, ok := f.value[m.Name]; ok {
			x = append(x, v)
		}
	}
	if len(x) < 2 {
		return noNull("undefined in all draws but one at most")
	}
	n := noNull("")
	n.Draws = len(x)
	mean, std := sampleDeviation(x)
	n.Mean, n.Std = Value(mean), Value(std)
	middle := (floats.Sum(x) + value) / float64(len(x)+1)
	rounding := max(m.grain(), 1e-12*max(math.Abs(middle), math.Abs(value)))
	far, farther, ties := math.Abs(value-middle), 0, 0
	for _, v := range x {
		switch away := math.Abs(v - middle); {
		case away > far+rounding:
			farther++
		case away >= far-rounding:
			ties++
		}
	}
	farther += lot.IntN(ties + 1)
	switch {
	case std <= rounding && far <= rounding:
		n.Std, n.Reason = 0, "every draw has the table's own figure"
		return n
	case std <= rounding:
		n.Std, n.Reason = 0, "all draws have the same figure, so there is no z"
	default:
		n.Z = Value((value - mean) / std)
	}
	n.P = Value(float64(1+farther) / float64(len(x)+1))
	return n
}

// sampleDeviation is the mean of a sample and its deviation by n - 1, in units of a power of two so that no square
// overflows or vanishes.
func sampleDeviation(x []float64) (mean, std float64) {
	x = slices.Clone(x)
	_, exponent := math.Frexp(magnitude(x))
	shiftExponent(x, -exponent)
	mean, std = stat.MeanStdDev(x, nil)
	return math.Ldexp(mean, exponent), math.Ldexp(std, exponent)
}

// shuffled is the table with its rows in a random order.
func shuffled(ctx context.Context, s *subject, random *rand.Rand) (*subject, error) {
	n, d := s.rows.N, s.rows.D
	order := random.Perm(n)
	if s.plain != nil {
		return s.reordered(order), nil
	}
	table := mat.NewDense(n, d, nil)
	for to, from := range order {
		table.SetRow(to, s.row(from))
	}
	return newSubject(ctx, &posemb.Absolute{Table: table, Stride: s.stride})
}

// gaussianRows are normal numbers, each row scaled to the length of the table's own;
// a row that is not finite stays so. Where these are too long for a float64, all are
// shorter by one factor, which changes no figure that a null is drawn for.
func gaussianRows(ctx context.Context, s *subject, random *rand.Rand) (*subject, error) {
	n, d := s.rows.N, s.rows.D
	table := mat.NewDense(n, d, nil)
	shorter := 0
	for _, i := range s.whole {
		if !finite(16 * s.norm(i)) {
			shorter = 64
		}
	}
	whole := 0 // how many of s.whole are before row i
	for i := range n {
		row := table.RawRowView(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		if whole == len(s.whole) || s.whole[whole] != i {
			copy(row, s.row(i))
			continue
		}
		whole++
		l := s.length(i)
		floats.Scale(l.fraction/floats.Norm(row, 2), row)
		shiftExponent(row, l.exponent-shorter)
	}
	null, err := newSubject(ctx, &posemb.Absolute{Table: table, Stride: s.stride})
	if err != nil {
		return nil, err
	}
	null.hold(ctx)
	return null, nil
}

// sinusoid adds what the sinusoid of the same shape has of each metric.
func (set *MetricSet) sinusoid(ctx context.Context, a *posemb.Absolute, wanted []Metric) error {
	n, d := a.Table.Dims()
	table, err := posemb.Sinusoid(posemb.SinusoidOptions{N: n, D: d})
	if err != nil {
		for i := range set.Metrics {
			set.Metrics[i].Sinusoid = &Reference{Value(math.NaN()), "no sinusoid of this shape: " + err.Error()}
		}
		return nil
	}
	table.Stride = a.Stride
	s, err := newSubject(ctx, table)
	if err != nil {
		return err
	}
	f := newFigures()
	if err := take(ctx, s, f, wanted); err != nil {
		return err
	}
	for i := range set.Metrics {
		m := &set.Metrics[i]
		m.Sinusoid = &Reference{Value(math.NaN()), f.reason[m.Name]}
		if v, ok := f.value[m.Name]; ok {
			m.Sinusoid.Value = Value(v)
		}
	}
	return nil
}
