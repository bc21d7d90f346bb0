package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
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
	Scores          *mat.Dense        `json:"-"`         // n x n, symmetric to the bit; NaN where undefined
	Reasons         map[string]string `json:"reasons,omitempty"`
	Warnings        []string          `json:"warnings,omitempty"`
}

// MatrixHead is a Matrix whose JSON leaves the scores out.
type MatrixHead Matrix

// Head is the matrix without its scores, for JSON that needs to be short.
func (m *Matrix) Head() *MatrixHead { return (*MatrixHead)(m) }

// MarshalJSON adds the scores as a list of rows.
func (m *Matrix) MarshalJSON() ([]byte, error) {
	scores := make([]Values, len(m.Positions))
	for i := range scores {
		scores[i] = m.Scores.RawRowView(i)
	}
	return json.Marshal(struct {
		*MatrixHead
		Scores []Values `json:"scores"`
	}{m.Head(), scores})
}

// maxScores bounds a matrix: 8 GiB of float64, 32768 positions.
const maxScores = 1 << 30

// tileSize is the side of the tiles of a score matrix: two times that many rows
// of a wide table stay in a processor's second cache. Tiles of plain dot products
// on all processors take half the time of gonum's Syrk, which works on one.
const tileSize = 32

// Similarity compares every two positions of a table:
//
//	S[i,j] = p_i . p_j / ((|p_i| + eps) (|p_j| + eps))
//
// or p_i . p_j itself, in O(n^2 d) time; the matrix and a copy of the table are held,
// and more than 32768 positions are an error. The exact cosine (eps 0) has a diagonal of exactly 1, and a
// zero row is undefined; with eps it is 0. Rows that hold NaN or an infinity are
// undefined, and a warning names them. Without a defined row the error wraps
// ErrNothing.
func Similarity(ctx context.Context, a *posemb.Absolute, opt SimilarityOptions) (*Matrix, error) {
	if a.Table != nil {
		if n, _ := a.Table.Dims(); n > maxScores/max(n, 1) {
			return nil, fmt.Errorf("%d positions: their matrix needs %d GiB of memory, more than the %d allowed; take a range or a stride of positions",
				n, (n*n)>>27, maxScores>>27)
		}
	}
	r, err := newRows(a, opt)
	if err != nil {
		return nil, err
	}
	m := &Matrix{
		Origin:    a.Origin,
		Measure:   opt.measure(),
		Centered:  opt.Center,
		Eps:       opt.Eps,
		Positions: a.Positions(),
		Scores:    mat.NewDense(r.n, r.n, nil),
		Warnings:  r.warnings,
	}
	overflows, err := r.scores(ctx, m.Scores)
	if err != nil {
		return nil, err
	}
	if overflows > 0 {
		m.Warnings = append(m.Warnings, overflowed(overflows))
	}
	if err := m.summarise(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// summarise takes the mean and the range of the scores above the diagonal, row by
// row and then over the rows in their order.
func (m *Matrix) summarise(ctx context.Context) error {
	n := len(m.Positions)
	type part struct {
		sum, min, max float64
		count         int
	}
	parts := make([]part, n)
	err := parallel(ctx, n, func() func(int) {
		return func(i int) {
			p := part{min: math.Inf(1), max: math.Inf(-1)}
			for _, s := range m.Scores.RawRowView(i)[i+1:] {
				if !math.IsNaN(s) {
					p.sum, p.min, p.max = p.sum+s, min(p.min, s), max(p.max, s)
					p.count++
				}
			}
			parts[i] = p
		}
	})
	if err != nil {
		return err
	}
	all := part{min: math.Inf(1), max: math.Inf(-1)}
	for _, p := range parts {
		all.sum, all.min, all.max = all.sum+p.sum, min(all.min, p.min), max(all.max, p.max)
		all.count += p.count
	}
	if all.count == 0 {
		nan := Value(math.NaN())
		m.MeanOffdiagonal, m.Min, m.Max = nan, nan, nan
		m.Reasons = map[string]string{}
		for _, figure := range []string{"mean_offdiagonal", "min", "max"} {
			m.Reasons[figure] = "no defined pair of two positions"
		}
		return nil
	}
	m.MeanOffdiagonal, m.Min, m.Max = Value(all.sum/float64(all.count)), Value(all.min), Value(all.max)
	if !m.MeanOffdiagonal.Defined() {
		m.MeanOffdiagonal = Value(math.NaN())
		m.Reasons = map[string]string{"mean_offdiagonal": overflow}
	}
	return nil
}

// scores fills an n x n matrix with the similarity of every two rows and counts
// the pairs i <= j that overflow. One tile above the diagonal is one task.
func (r *rows) scores(ctx context.Context, dst *mat.Dense) (overflows int, err error) {
	raw := dst.RawMatrix()
	blocks := (r.n + tileSize - 1) / tileSize
	var over atomic.Int64
	err = parallel(ctx, blocks*(blocks+1)/2, func() func(int) {
		return func(task int) {
			i0, j0 := upperTile(task)
			i0, j0 = i0*tileSize, j0*tileSize
			for i := i0; i < min(i0+tileSize, r.n); i++ {
				for j := max(i, j0); j < min(j0+tileSize, r.n); j++ {
					s := r.score(i, j)
					if math.IsInf(s, 0) {
						s = math.NaN()
						over.Add(1)
					}
					raw.Data[i*raw.Stride+j] = s
					raw.Data[j*raw.Stride+i] = s
				}
			}
		}
	})
	return int(over.Load()), err
}

// upperTile counts the tiles on and above the diagonal, column by column:
// (0,0), (0,1), (1,1), (0,2), ...
func upperTile(task int) (row, col int) {
	col = int((math.Sqrt(float64(8*task+1)) - 1) / 2)
	for col*(col+1)/2 > task {
		col--
	}
	for (col+1)*(col+2)/2 <= task {
		col++
	}
	return task - col*(col+1)/2, col
}
