package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/gram"
	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// Matrix holds the similarity of every two positions of a table.
type Matrix struct {
	posemb.Origin
	Measure         string            `json:"measure"` // MeasureCosine or MeasureDot
	Centered        bool              `json:"centered"`
	Eps             float64           `json:"eps"`
	MeanOffdiagonal Value             `json:"mean_offdiagonal"` // this and the next two over all pairs of different positions
	Min             Value             `json:"min"`
	Max             Value             `json:"max"`
	Positions       []int             `json:"positions"` // of the rows and columns of Scores
	Reasons         map[string]string `json:"reasons,omitempty"`
	Warnings        []string          `json:"warnings,omitempty"`
	Path            string            `json:"-"`                // how it was computed
	Scores          *Scores           `json:"scores,omitempty"` // nil where they are not kept

	rows *rows
}

// Head is the matrix without its scores, for JSON that needs to be short.
func (m *Matrix) Head() *Matrix {
	head := *m
	head.Scores = nil
	return &head
}

// Fits tells whether a matrix of n positions is within the bounds in double
// precision.
func Fits(n int) bool { return n <= maxScores/8/max(n, 1) }

// maxScores bounds the bytes of a matrix: 32768 positions in float64, 46340 in
// float32.
const maxScores = 8 << 30

// Similarity compares every two positions of a table:
//
//	S[i,j] = p_i . p_j / ((|p_i| + eps) (|p_j| + eps))
//
// or p_i . p_j itself, in O(n^2 d) time; the matrix and a copy of the table are held,
// and a matrix of more than 8 GiB is an error. The exact cosine (eps 0) has a
// diagonal of exactly 1, and a zero row is undefined; with eps it is 0. Rows that
// hold NaN or an infinity are undefined, and a warning names them. Without a defined
// row the error wraps ErrNothing.
func Similarity(ctx context.Context, a *posemb.Absolute, opt SimilarityOptions) (*Matrix, error) {
	if a.Table != nil {
		n, _ := a.Table.Dims()
		number := 8
		if opt.Single {
			number = 4
		}
		if n > maxScores/number/max(n, 1) {
			const gib = 1 << 30
			less := "take a range or a stride of positions"
			if !opt.Single && n <= maxScores/4/n {
				less += ", or single precision"
			}
			return nil, fmt.Errorf("%d positions: their matrix needs %d GiB of memory, more than the %d allowed; %s",
				n, (n*n*number+gib-1)/gib, maxScores/gib, less)
		}
	}
	r, err := newRows(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	m := newMatrix(a, opt, r)
	m.Path = fmt.Sprintf("the products of every two of %d positions, in %s precision", r.N, r.precision())
	m.Scores = &Scores{N: r.N}
	if opt.Single {
		m.Scores.Single = gram.Make[float32](r.N * r.N)
	} else {
		m.Scores.Double = gram.Make[float64](r.N * r.N)
	}
	return m, m.fill(ctx)
}

// SimilarityFigures is Similarity without the scores: the same time, but no n x n
// memory, and so no bound.
func SimilarityFigures(ctx context.Context, a *posemb.Absolute, opt SimilarityOptions) (*Matrix, error) {
	r, err := newRows(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	m := newMatrix(a, opt, r)
	m.Path = fmt.Sprintf("the products of every two of %d positions, in %s precision, of which only the figures are kept", r.N, r.precision())
	return m, m.fill(ctx)
}

// newMatrix is a matrix without scores or figures.
func newMatrix(a *posemb.Absolute, opt SimilarityOptions, r *rows) *Matrix {
	nan := Value(math.NaN())
	return &Matrix{
		Origin:    a.Origin,
		Measure:   opt.measure(),
		Centered:  opt.Center,
		Eps:       opt.Eps,
		Positions: a.Positions(),
		Warnings:  r.warnings,

		MeanOffdiagonal: nan, Min: nan, Max: nan,
		rows: r,
	}
}

// fill computes the figures and, where there is room for them, the scores.
func (m *Matrix) fill(ctx context.Context) error {
	var single []float32
	var double []float64
	if m.Scores != nil {
		single, double = m.Scores.Single, m.Scores.Double
	}
	if m.rows.single {
		return fillMatrix(ctx, m, single)
	}
	return fillMatrix(ctx, m, double)
}

// Undefined tells whether some position has no similarity to any.
func (m *Matrix) Undefined() bool { return m.rows.count < m.rows.N }

// tileFigures are those of the defined scores above the diagonal in one tile.
type tileFigures struct {
	sum, min, max    float64
	count, overflows int
}

// fillMatrix computes the figures of all scores and, unless it is nil, fills scores.
func fillMatrix[F gram.Float](ctx context.Context, m *Matrix, scores []F) error {
	r := m.rows
	unit := 1.0 // of the sums, so that they do not overflow where the products don't
	if r.largest > mostSquares/2 {
		unit = 0x1p-120
	}
	parts := make([]tileFigures, gram.UpperTiles(r.N)) // added up in their order, whoever computed them
	done := progress.Start(ctx, "pairs", int64(r.N)*int64(r.N+1)/2)
	err := gram.Upper(ctx, r.Vectors, func() func(*gram.Tile[F]) {
		return func(t *gram.Tile[F]) {
			overflows := finish(r, t)
			if scores != nil {
				t.Store(scores, r.N)
			}
			parts[t.Index()] = figuresOfTile(t, unit)
			parts[t.Index()].overflows = overflows
			done(pairsIn(t))
		}
	})
	if err != nil {
		return err
	}
	all := tileFigures{min: math.Inf(1), max: math.Inf(-1)}
	for _, p := range parts {
		all.sum, all.min, all.max = all.sum+p.sum, min(all.min, p.min), max(all.max, p.max)
		all.count, all.overflows = all.count+p.count, all.overflows+p.overflows
	}
	r.left = all.overflows
	m.Warnings = append(m.Warnings, r.overflowed()...)
	switch {
	case all.count > 0:
		m.MeanOffdiagonal, m.Min, m.Max = Value(all.sum/float64(all.count)/unit), Value(all.min), Value(all.max)
	case all.overflows > 0:
		m.undefined("every product overflows", "mean_offdiagonal", "min", "max")
	default:
		m.undefined("no defined pair of two positions", "mean_offdiagonal", "min", "max")
	}
	return nil
}

// undefined gives the reason of figures that are not defined.
func (m *Matrix) undefined(reason string, figures ...string) {
	if m.Reasons == nil {
		m.Reasons = map[string]string{}
	}
	for _, figure := range figures {
		m.Reasons[figure] = reason
	}
}

// figuresOfTile takes those of a finished tile, without its overflows, the sum in
// a unit.
func figuresOfTile[F gram.Float](t *gram.Tile[F], unit float64) tileFigures {
	p := tileFigures{min: math.Inf(1), max: math.Inf(-1)}
	for i := range t.Rows {
		row := t.Row(i)
		for _, x := range row[min(max(0, t.I+i+1-t.J), len(row)):] {
			s := float64(x)
			if s != s {
				continue
			}
			p.sum += s * unit
			p.count++
			if s < p.min {
				p.min = s
			}
			if s > p.max {
				p.max = s
			}
		}
	}
	return p
}
