package cli

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/figure"
	"poslens/internal/posemb"
)

// The curve below a map has the means of the map's diagonals.
func TestMarginalIsMeanOfDiagonals(t *testing.T) {
	const n, d = 23, 5
	table := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			table.Set(i, j, math.Sin(float64(i*(j+2)))+0.3)
		}
	}
	a := &posemb.Absolute{Table: table}
	for _, opt := range []analysis.SimilarityOptions{{}, {Dot: true}, {Center: true}} {
		m, err := analysis.Similarity(context.Background(), a, opt)
		if err != nil {
			t.Fatal(err)
		}
		p := &product{}
		if err := addMarginal(context.Background(), p, m, a, opt, colourSpan{lo: -1, hi: 1}, &outputFlags{}); err != nil {
			t.Fatal(err)
		}
		c := p.chart().(*figure.Marginal)
		s := c.Curve.Series[0]
		if len(s.X) != n {
			t.Fatalf("%d distances of %d", len(s.X), n)
		}
		for k := range n {
			sum := 0.0
			for i := range n - k {
				sum += c.Map.At(i, i+k)
			}
			if want := sum / float64(n-k); s.X[k] != float64(k) || math.Abs(s.Y[k]-want) > 1e-12 {
				t.Errorf("%+v: distance %v is %v, want %v", opt, s.X[k], s.Y[k], want)
			}
		}
	}
}
