package posemb

import (
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// headNames are "0", "1", ... for n heads.
func headNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

// Pick keeps the heads of the given numbers (columns of Scores, from 0), in that
// order; no numbers keep all. A number that the table does not have is a
// BadOption error.
func (b *Bias) Pick(heads []int) (*Bias, error) {
	if len(heads) == 0 {
		return b, nil
	}
	n, all := b.Scores.Dims()
	kept := *b
	kept.Heads = nil
	kept.Scores = mat.NewDense(n, len(heads), nil)
	for j, h := range heads {
		if h < 0 || h >= all {
			return nil, fault(BadOption, b.Tensor, "", "no head %d: the table has %s", h, count(all, "head"))
		}
		kept.Heads = append(kept.Heads, b.Heads[h])
		kept.Scores.SetCol(j, mat.Col(nil, h, b.Scores))
	}
	return &kept, nil
}
