package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// componentNames are the metrics of the variances along the principal components.
var componentNames = []string{
	"top_component_share", "mean_vector_energy_share", "components_for_90", "components_for_95", "components_for_99",
	"participation_ratio", "entropy_rank", "stable_rank",
}

// errEigen is what gonum's eigenvalues may fail with on strange matrices.
var errEigen = errors.New("the eigenvalues did not converge")

// scatter is the smaller of X X' and X' X of some rows X, which have the same
// eigenvalues but for zeros. Products that are nothing beside the largest value's
// square are 0, for gonum's eigenvalues panic on blocks of such.
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
		all := gram.Vectors{N: n, D: d, Stride: d, Data: make([]float64, 0, n*d)}
		v.blocks(func(b gram.Vectors) { all.Data = append(all.Data, b.Data[:b.N*d]...) })
		products := make([]float64, n*n)
		return mat.NewSymDense(n, products), gram.Matrix(ctx, products, all)
	}
	sum, part := make([]float64, d*d), make([]float64, d*d)
	var failed error
	v.blocks(func(b gram.Vectors) {
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

// variances are the eigenvalues of the scatter, the largest first, none below 0.
func (v *finiteRows) variances(ctx context.Context) ([]float64, error) {
	s, err := v.scatter(ctx)
	if err != nil {
		return nil, err
	}
	return eigenvalues(s)
}

// eigenvalues are those of a scatter, the largest first, none below 0.
func eigenvalues(s *mat.SymDense) ([]float64, error) {
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return nil, errEigen
	}
	values := e.Values(nil)
	slices.Reverse(values)
	for i, l := range values {
		values[i] = max(l, 0)
	}
	return values, nil
}

// componentFigures gives the figures of componentNames, over the finite rows.
func componentFigures(ctx context.Context, s *subject, f *figures) error {
	plain, centred := s.finite(false), s.finite(true)
	energy := plain.energy()
	if energy == 0 {
		f.undefine("every finite row is zero", componentNames...)
		return nil
	}
	f.set("mean_vector_energy_share", float64(plain.n())*floats.Dot(centred.mean, centred.mean)/energy)
	largest, err := plain.variances(ctx)
	if err != nil {
		return undefinedEigen(f, err, componentNames...)
	}
	f.set("stable_rank", energy/largest[0])
	l, err := centred.variances(ctx)
	if err != nil {
		return undefinedEigen(f, err, componentNames...)
	}
	total := floats.Sum(l)
	if total <= 1e-24*energy { // rounding of the mean is no variance
		f.undefine("all rows are equal: nothing varies", "top_component_share", "components_for_90", "components_for_95", "components_for_99", "participation_ratio", "entropy_rank")
		return nil
	}
	d := dimensionsOf(l)
	f.set("top_component_share", l[0]/total)
	f.set("participation_ratio", d.participation)
	f.set("entropy_rank", d.entropyRank)
	for k, percent := range shares {
		f.set(fmt.Sprintf("components_for_%d", percent), float64(d.components[k]))
	}
	return nil
}

// undefinedEigen makes figures undefined that eigenvalues were wanted for. Other
// errors are returned.
func undefinedEigen(f *figures, err error, names ...string) error {
	if !errors.Is(err, errEigen) {
		return err
	}
	for _, name := range names {
		if _, ok := f.value[name]; !ok {
			f.undefine(err.Error(), name)
		}
	}
	return nil
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
