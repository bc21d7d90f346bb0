package analysis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// varianceNames are the metrics of the variances along the principal components, and
// componentNames these and those that need no variance.
var (
	varianceNames  = []string{"top_component_share", "components_for_90", "components_for_95", "components_for_99", "participation_ratio", "entropy_rank"}
	componentNames = append([]string{"mean_vector_energy_share", "stable_rank"}, varianceNames...)
)

// scatter is the smaller of X X' and X' X of some rows X, which have the same
// eigenvalues but for zeros, in both halves of the matrix. Products that are nothing
// beside the largest value's square are 0, for gonum's eigenvalues panic on blocks of
// such.
func (v *finiteRows) scatter(ctx context.Context) (*mat.SymDense, error) {
	s, err := v.allProducts(ctx)
	if err != nil {
		return nil, err
	}
	for i, x := range s.RawSymmetric().Data {
		if math.Abs(x) < 1e-100 {
			s.RawSymmetric().Data[i] = 0
		}
	}
	return s, nil
}

// allProducts is the scatter as it comes.
func (v *finiteRows) allProducts(ctx context.Context) (*mat.SymDense, error) {
	n, d := v.n(), v.s.rows.D
	if n <= d {
		products := make([]float64, n*n)
		return mat.NewSymDense(n, products), gram.Matrix(ctx, products, v.block(nil, 0, n))
	}
	sum, part := make([]float64, d*d), make([]float64, d*d)
	var failed error
	v.blocks(blockRows, func(b gram.Vectors) {
		if failed == nil {
			failed = gram.Matrix(ctx, part, transposed(b))
			floats.Add(sum, part)
		}
	})
	return mat.NewSymDense(d, sum), failed
}

// transposed are a matrix's columns as vectors.
func transposed(v gram.Vectors) gram.Vectors {
	t := gram.Vectors{N: v.D, D: v.N, Stride: v.N, Data: make([]float64, v.D*v.N)}
	const block = 32
	for i0 := 0; i0 < v.N; i0 += block {
		for j0 := 0; j0 < v.D; j0 += block {
			for i := i0; i < min(i0+block, v.N); i++ {
				for j := j0; j < min(j0+block, v.D); j++ {
					t.Data[j*v.N+i] = v.Data[i*v.Stride+j]
				}
			}
		}
	}
	return t
}

// components are the principal components of a table.
type components struct {
	rows    *finiteRows   // centred
	scatter *mat.SymDense // of them; nil: not kept
	values  []float64     // its eigenvalues, the largest first; nil where nothing varies
}

// components takes them over the finite rows, and gives the figures of componentNames.
func (s *subject) components(ctx context.Context, f *figures, keep bool) (*components, error) {
	plain, c := s.finite(false), &components{rows: s.finite(true)}
	energy := plain.energy()
	if energy == 0 {
		f.undefine("every finite row is zero", componentNames...)
		return c, nil
	}
	f.set("mean_vector_energy_share", float64(plain.n())*floats.Dot(c.rows.mean, c.rows.mean)/energy)
	scatter, err := c.rows.scatter(ctx)
	if err != nil {
		return nil, err
	}
	raw := scatter.RawSymmetric()
	a := blas64.General{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}
	if keep {
		c.scatter, a = scatter, full(scatter)
	}
	values, largest, err := c.rows.spectra(ctx, a)
	if err != nil {
		return c, undefinedEigen(f, err, append([]string{"stable_rank"}, varianceNames...)...)
	}
	f.set("stable_rank", energy/largest)
	total := floats.Sum(values)
	if total <= 1e-24*energy { // rounding of the mean is no variance
		f.undefine("all rows are equal: nothing varies", varianceNames...)
		return c, nil
	}
	c.values = values
	d := dimensionsOf(values)
	f.set("top_component_share", values[0]/total)
	f.set("participation_ratio", d.participation)
	f.set("entropy_rank", d.entropyRank)
	for k, percent := range shares {
		f.set(fmt.Sprintf("components_for_%d", percent), float64(d.components[k]))
	}
	return c, nil
}

// componentFigures gives the figures of componentNames.
func componentFigures(ctx context.Context, s *subject, f *figures) error {
	_, err := s.components(ctx, f, false)
	return err
}

// shares are the percentages of the variance that components are counted for.
var shares = [...]int{90, 95, 99}

// dimensions tell how many components a table's variance needs.
type dimensions struct {
	components    [len(shares)]int
	participation float64
	entropyRank   float64
}

// dimensionsOf counts the components of variances, the largest first, whose sum is
// above 0.
func dimensionsOf(l []float64) dimensions {
	var d dimensions
	total, squares, entropy, sum := floats.Sum(l), 0.0, 0.0, 0.0
	for k, x := range l {
		p := x / total
		squares += p * p
		if p > 0 {
			entropy -= p * math.Log(p)
		}
		sum += p
		for i, percent := range shares {
			if d.components[i] == 0 && (sum >= float64(percent)/100 || k == len(l)-1) {
				d.components[i] = k + 1
			}
		}
	}
	d.participation, d.entropyRank = 1/squares, math.Exp(entropy)
	return d
}
