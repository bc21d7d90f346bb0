package analysis

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// eigenpair is an eigenvalue and its vector, of length 1.
type eigenpair struct {
	value  float64
	vector []float64
}

// The Krylov space grows to this size at most; its eigenvalues are looked at every so
// many steps.
const (
	mostLanczos  = 500
	lanczosCheck = 10
	lanczosExact = 1e-11 // the residual, as a share of the eigenvalue
)

// largestEigen finds the largest eigenvalue of a symmetric positive definite operator
// on what is orthogonal to some eigenvectors of it, by Lanczos' method with full
// reorthogonalisation. The start is random, from a fixed seed: one that knew of
// positions would choose among equal eigenvalues the vector that is wanted. False: it
// did not converge.
func largestEigen(ctx context.Context, apply func(dst, x []float64) error, without [][]float64) (*eigenpair, bool, error) {
	n := len(without[0])
	random := rand.New(rand.NewPCG(1, uint64(len(without))))
	q := make([]float64, n)
	for i := range q {
		q[i] = random.NormFloat64()
	}
	held := slices.Clone(without) // and the basis of the Krylov space behind them
	purge(q, held)
	floats.Scale(1/floats.Norm(q, 2), q)
	held = append(held, q)
	var diagonal, beside []float64
	for k := 1; ; k++ {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		next := make([]float64, n)
		if err := apply(next, q); err != nil {
			return nil, false, nil
		}
		diagonal = append(diagonal, floats.Dot(next, q))
		purge(next, held)
		rest := floats.Norm(next, 2)
		exhausted := rest <= 1e-14*diagonal[0] || k == n-len(without)
		if exhausted || k%lanczosCheck == 0 {
			value, along, ok := largestOfTridiagonal(diagonal, beside)
			if !ok {
				return nil, false, nil
			}
			if exhausted || rest*math.Abs(along[k-1]) <= lanczosExact*value {
				e := &eigenpair{value, make([]float64, n)}
				for j, b := range held[len(without):] {
					floats.AddScaled(e.vector, along[j], b)
				}
				floats.Scale(1/floats.Norm(e.vector, 2), e.vector)
				return e, true, nil
			}
		}
		if k == mostLanczos {
			return nil, false, nil
		}
		q = next
		floats.Scale(1/rest, q)
		held, beside = append(held, q), append(beside, rest)
	}
}

// purge makes x orthogonal to vectors of length 1 that are so to each other; the
// second time takes the first one's rounding away.
func purge(x []float64, vectors [][]float64) {
	for range 2 {
		for _, v := range vectors {
			floats.AddScaled(x, -floats.Dot(x, v), v)
		}
	}
}

// largestOfTridiagonal is the largest eigenvalue of a symmetric tridiagonal matrix,
// and its vector.
func largestOfTridiagonal(diagonal, beside []float64) (value float64, vector []float64, ok bool) {
	k := len(diagonal)
	t := mat.NewSymDense(k, nil)
	for i, x := range diagonal {
		t.SetSym(i, i, x)
		if i > 0 {
			t.SetSym(i-1, i, beside[i-1])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(t, true) {
		return 0, nil, false
	}
	var u mat.Dense
	e.VectorsTo(&u)
	return e.Values(nil)[k-1], mat.Col(nil, k-1, &u), true
}
