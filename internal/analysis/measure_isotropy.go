package analysis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
)

// The sides of a scatter matrix up to which eigenvectors are taken unasked: of a
// table, and of every draw of a null model. They take 0.02 s for 128, 11 s for 1024.
const (
	mostEigenvectors     = 1024
	mostNullEigenvectors = 128
)

// side is that of the scatter matrix.
func (s *subject) side() int { return min(len(s.whole), s.rows.D) }

// isotropyFigure gives Mu and Viswanath's measure over the finite rows,
//
//	min Z(a) / max Z(a),  Z(a) = sum over i of exp(a . p_i)
//
// over the eigenvectors a of P'P. They have no sign, so both are tried. A direction
// that no row has, where there are fewer rows than components, has Z = n.
func isotropyFigure(ctx context.Context, s *subject, f *figures) error {
	v := s.finite(false)
	switch {
	case v.energy() == 0:
		f.undefine("every finite row is zero", "isotropy")
		return nil
	case s.side() > mostEigenvectors && !s.patient:
		f.undefine(fmt.Sprintf("eigenvectors of a %d x %d matrix take minutes: ask for it by its name", s.side(), s.side()), "isotropy")
		return nil
	}
	scatter, err := v.scatter(ctx)
	if err != nil {
		return err
	}
	values, vectors, err := eigenvectors(scatter)
	if err != nil {
		return undefinedEigen(f, err, "isotropy")
	}
	z, err := v.directions(ctx, values, vectors)
	if err != nil {
		return err
	}
	least, most := math.Inf(1), math.Inf(-1)
	if s.side() < s.rows.D {
		least = math.Log(float64(v.n()))
		most = least
	}
	for _, l := range z {
		least, most = min(least, l), max(most, l)
	}
	f.set("isotropy", math.Exp(least-most))
	return nil
}

// directions is ln Z along every eigenvector and its opposite.
func (v *finiteRows) directions(ctx context.Context, values []float64, vectors gram.Vectors) ([]float64, error) {
	size := vectors.N
	sums := make([]expSum, 2*size)
	for i := range sums {
		sums[i].most = math.Inf(-1)
	}
	add := func(k int, along []float64) {
		for _, x := range along {
			x = math.Ldexp(x, v.exponent) // the exponential is not free of units
			sums[2*k].add(x)
			sums[2*k+1].add(-x)
		}
	}
	if v.n() <= v.s.rows.D {
		// Of X X' = U S^2 U': along the eigenvector a = X'u/s of X'X the rows are s u.
		for k := range size {
			row := vectors.Data[k*size : (k+1)*size]
			floats.Scale(math.Sqrt(max(values[k], 0)), row)
			add(k, row)
		}
		return logs(sums), nil
	}
	var failed error
	v.blocks(blockRows, func(b gram.Vectors) {
		if failed != nil {
			return
		}
		along := make([]float64, size*b.N)
		failed = gram.Product(ctx, along, vectors, b)
		for k := range size {
			add(k, along[k*b.N:(k+1)*b.N])
		}
	})
	return logs(sums), failed
}

// expSum is a sum of exponentials in units of the largest.
type expSum struct{ most, sum float64 }

func (s *expSum) add(x float64) {
	if x > s.most {
		s.sum = s.sum*math.Exp(s.most-x) + 1
		s.most = x
		return
	}
	s.sum += math.Exp(x - s.most)
}

func logs(sums []expSum) []float64 {
	z := make([]float64, len(sums))
	for i, s := range sums {
		z[i] = s.most + math.Log(s.sum)
	}
	return z
}
