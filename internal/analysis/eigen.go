package analysis

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/gram"
)

// errEigen is what gonum's eigenvalues may fail with on strange matrices.
var errEigen = errors.New("the eigenvalues did not converge")

// eigenvectors are all eigenvalues of a symmetric matrix, the largest first, and the
// unit vectors that belong to them.
func eigenvectors(s *mat.SymDense) ([]float64, gram.Vectors, error) {
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		return nil, gram.Vectors{}, errEigen
	}
	values := e.Values(nil)
	slices.Reverse(values)
	return values, vectorsOf(&e, len(values)), nil
}

// vectorsOf are the eigenvectors of the k largest eigenvalues, the largest first.
func vectorsOf(e *mat.EigenSym, k int) gram.Vectors {
	var u mat.Dense
	e.VectorsTo(&u)
	size, _ := u.Dims()
	v := gram.Vectors{N: k, D: size, Stride: size, Data: make([]float64, k*size)}
	for c := range k {
		for j := range size {
			v.Data[c*size+j] = u.At(j, size-1-c)
		}
	}
	return v
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
