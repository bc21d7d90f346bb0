package analysis

import (
	"encoding/json"
	"iter"
	"math"

	"poslens/internal/gram"

	"gonum.org/v1/gonum/mat"
)

// Scores is a square mat.Matrix, in double or in single precision; NaN is undefined.
type Scores struct {
	N      int
	Double []float64 // N x N, row after row; nil in single precision
	Single []float32 // the same in single precision; else nil
}

// Dims are N and N.
func (s *Scores) Dims() (rows, columns int) { return s.N, s.N }

// T is the transpose.
func (s *Scores) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// At is the score in row i and column j.
func (s *Scores) At(i, j int) float64 {
	if s.Single != nil {
		return float64(s.Single[i*s.N+j])
	}
	return s.Double[i*s.N+j]
}

// Row is row i, which is not to be changed.
func (s *Scores) Row(i int) Values {
	if s.Single == nil {
		return s.Double[i*s.N : (i+1)*s.N : (i+1)*s.N]
	}
	row := make(Values, s.N)
	for j, x := range s.Single[i*s.N : (i+1)*s.N] {
		row[j] = float64(x)
	}
	return row
}

// JSONRows are the rows, for a writer of JSON that makes no copy of them.
func (s *Scores) JSONRows() iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		for i := range s.N {
			if !yield(s.Row(i)) {
				return
			}
		}
	}
}

// MarshalJSON writes a list of rows.
func (s *Scores) MarshalJSON() ([]byte, error) {
	rows := make([]Values, s.N)
	for i := range rows {
		rows[i] = s.Row(i)
	}
	return json.Marshal(rows)
}

// finish turns the products of a tile into scores: undefined ones and those that
// overflow into NaN, cosines into [-1, 1], and a row's with itself, where that is
// exact, into 1. It counts those of pairs i <= j that overflow.
func finish[F gram.Float](r *rows, t *gram.Tile[F]) (overflows int) {
	for i := range t.Rows {
		row := t.Row(i)
		switch {
		case !r.defined(t.I + i):
			for j := range row {
				row[j] = F(math.NaN())
			}
			continue
		case r.dot:
			for j, s := range row {
				if s-s != 0 {
					row[j] = F(math.NaN())
					if t.J+j >= t.I+i && r.defined(t.J+j) {
						overflows++
					}
				}
			}
		default:
			for j, s := range row {
				row[j] = clamp(s)
			}
		}
		if r.count < r.N {
			for j := range row {
				if !r.defined(t.J + j) {
					row[j] = F(math.NaN())
				}
			}
		}
		if j := t.I + i - t.J; r.exact && j >= 0 && j < t.Cols {
			row[j] = 1
		}
	}
	return overflows
}
