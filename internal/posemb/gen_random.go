package posemb

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// RandomOptions say what Random makes; zero and nil are the defaults.
type RandomOptions struct {
	N    int      // positions; 0 is 512
	D    int      // width; 0 is 64
	Std  *float64 // standard deviation, at least 0; nil is 0.02
	Seed *uint32  // nil is 42
}

// Random makes a table as it is before training: independent N(0, std^2), by
//
//	np.random.seed(seed); np.random.randn(n, d) * std
func Random(opt RandomOptions) (*Absolute, error) {
	n, d := cmp.Or(opt.N, 512), cmp.Or(opt.D, 64)
	std, seed := valueOr(opt.Std, 0.02), valueOr(opt.Seed, 42)
	if err := cmp.Or(checkSize("n", n, "d", d), checkReal("std", std, 0, hugeReal)); err != nil {
		return nil, err
	}
	table := mat.NewDense(n, d, nil)
	newLegacyRand(seed).fillNormal(table.RawMatrix().Data, std)
	return &Absolute{
		Origin: Origin{Label: "random"},
		Table:  table,
		Stride: 1,
		Notes: []string{fmt.Sprintf(
			"made here: %d positions x %d, independent normal numbers of standard deviation %v (np.random.seed(%d); np.random.randn(%d, %d) * %v)",
			n, d, std, seed, n, d, std)},
	}, nil
}
