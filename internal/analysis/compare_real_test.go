package analysis_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// Two runs of one recommender: SASRec without and with a padding row. They were
// trained apart, so no row of one is near that of the other, and what they share is
// that near positions are alike. Every figure is computed once more from its formula.
func TestCompareRealTables(t *testing.T) {
	dir := realData(t)
	a := load(t, open(t, dir, "sasrec/sasrec-e601.pth"), "", posemb.ReadOptions{}).(*posemb.Absolute)
	b := load(t, open(t, dir, "sasrec/sasrec-e720.pth"), "", posemb.ReadOptions{}).(*posemb.Absolute)
	c, err := analysis.Compare(t.Context(), a, b, analysis.CompareOptions{Seed: 42})
	if err != nil {
		t.Fatal(err)
	}
	if c.Rows != 200 || c.Used != 200 || c.MovedCount != 200 {
		t.Errorf("%d rows, %d used, %v moved", c.Rows, c.Used, c.MovedCount)
	}
	x, y := centred(a.Table), centred(b.Table)
	var xy, xx, yy mat.Dense
	xy.Mul(x.T(), y)
	xx.Mul(x.T(), x)
	yy.Mul(y.T(), y)
	near(t, "CKA", float64(c.CKA), math.Pow(mat.Norm(&xy, 2), 2)/mat.Norm(&xx, 2)/mat.Norm(&yy, 2))
	near(t, "chance", float64(c.CKAChance), mat.Trace(&xx)*mat.Trace(&yy)/199/mat.Norm(&xx, 2)/mat.Norm(&yy, 2))
	var svd mat.SVD
	svd.Factorize(&xy, mat.SVDNone)
	sum := 0.0
	for _, s := range svd.Values(nil) {
		sum += s
	}
	near(t, "Procrustes", float64(c.Procrustes), sum*sum/mat.Trace(&xx)/mat.Trace(&yy))
	var u, v []float64
	for i := range 200 {
		near(t, "cosine", c.Cosine[i], cosine(a.Table.RowView(i), b.Table.RowView(i)))
		for j := range i {
			u = append(u, cosine(a.Table.RowView(i), a.Table.RowView(j)))
			v = append(v, cosine(b.Table.RowView(i), b.Table.RowView(j)))
		}
	}
	near(t, "correlation", float64(c.Cosines.Correlation), stat.Correlation(u, v, nil))
	if c.Cosines.P != analysis.Value(1.0/1000) {
		t.Errorf("p is %v", c.Cosines.P)
	}
	if m := slices.Max(c.Cosine); m > 0.7 {
		t.Errorf("a row is as near as %v", m)
	}
}

func centred(m *mat.Dense) *mat.Dense {
	c := mat.DenseCopyOf(m)
	_, d := c.Dims()
	for j := range d {
		mean := stat.Mean(mat.Col(nil, j, c), nil)
		for i := range c.RawMatrix().Rows {
			c.Set(i, j, c.At(i, j)-mean)
		}
	}
	return c
}

func cosine(a, b mat.Vector) float64 { return mat.Dot(a, b) / mat.Norm(a, 2) / mat.Norm(b, 2) }
