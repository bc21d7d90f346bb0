package analysis_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// The figures of a trained vision transformer are those that numpy gives in float64
// from its 49 rows behind the class token.
func TestRealGrid(t *testing.T) {
	ctx, dir := context.Background(), realData(t)
	f := open(t, dir, "vit-mnist/vit_mnist_gpu.pt")
	a, ok := load(t, f, "pos_embedding", posemb.ReadOptions{}).(*posemb.Absolute)
	if !ok {
		t.Fatal("no absolute table")
	}
	c, err := analysis.Grid(ctx, a, analysis.GridOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Grid != (posemb.Grid{Rows: 7, Cols: 7}) || len(c.Notes) != 1 {
		t.Fatalf("grid %v, notes %q", c.Grid, c.Notes)
	}
	want := map[string]float64{
		"grid_separability_cosine": 0.03419962107328478, "grid_toeplitz_r2_cosine": 0.09624437996531832, "grid_separability_table": 0.2543499580532175,
		"grid_separability_table_chance": 0.25, "grid_mean_cosine": 0.004127669215084039, "half_life_rows": 0.503660524602994,
		"half_life_columns": 0.5403762569240911, "grid_isotropy": 0.503660524602994 / 0.5403762569240911,
	}
	for _, m := range c.Figures {
		near(t, m.Name, float64(m.Value), want[m.Name])
	}
	for _, at := range []struct {
		dy, dx, pairs int
		mean, std     float64
	}{
		{0, 0, 49, 1, 0}, {1, 0, 42, 0.011365510956111298, 0.13404944176071243}, {0, 1, 42, 0.0785380389827061, 0.13237295484511818},
		{-1, 1, 36, 0.011454423456501618, 0.11481653358036395}, {1, 1, 36, -0.005031658318370569, 0.09527469663198541},
	} {
		y, x := at.dy+6, at.dx+6
		near(t, "mean", c.Mean[y][x], at.mean)
		near(t, "std", c.Std[y][x], at.std)
		if c.Pairs[y][x] != at.pairs {
			t.Errorf("%d pairs at %d, %d", c.Pairs[y][x], at.dy, at.dx)
		}
	}

	// Tile (r, c) is of row 1 + 7 r + c of the tensor as it is stored.
	raw, err := f.Tensor(ctx, "pos_embedding")
	if err != nil {
		t.Fatal(err)
	}
	row := func(i int) []float64 { return raw.Data[i*64 : (i+1)*64] }
	all := []int{0, 1, 2, 3, 4, 5, 6}
	tiles, err := c.TilesOf(ctx, all, all)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 49 {
		for j := range 49 {
			p, q := row(1+i), row(1+j)
			s := floats.Dot(p, q) / floats.Norm(p, 2) / floats.Norm(q, 2)
			got := tiles.At(i/7, i%7, j/7, j%7)
			near(t, "tile", got, s)
			if i != j && got >= tiles.At(i/7, i%7, i/7, i%7) {
				t.Errorf("tile %d has %v at %d", i, got, j)
			}
		}
	}
	near(t, "a cosine by numpy", tiles.At(1, 1, 6, 6), 0.06095482472139693)
	if math.Abs(tiles.At(0, 0, 0, 1)-0.07799177263460386) < 1e-6 {
		t.Error("the tile of cell (1, 1) stands at (0, 0)")
	}
}
