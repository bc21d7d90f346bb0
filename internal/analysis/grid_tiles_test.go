package analysis

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
	"poslens/internal/tensor"
)

// held is a source with one tensor.
type held struct{ t tensor.Tensor }

func (h held) Tensors() []tensor.Info { return []tensor.Info{h.t.Info} }
func (h held) Tensor(context.Context, string) (*tensor.Tensor, error) {
	t := h.t
	return &t, nil
}
func (h held) Meta(string) (string, bool) { return "", false }

// behind reads a grid that stands behind some prefix rows as a model file holds it,
// the prefix being told or, of square grids, found.
func behind(t *testing.T, grid *posemb.Absolute, prefix int, told bool) *posemb.Absolute {
	t.Helper()
	n, d := grid.Table.Dims()
	data := append([]float64(nil), gaussian(prefix+1, d, 99).RawMatrix().Data[:prefix*d]...)
	data = append(data, grid.Table.RawMatrix().Data...)
	info := tensor.Info{Name: "pos_embed", DType: tensor.F64, Shape: []int{1, prefix + n, d}}
	opt := posemb.ReadOptions{Arch: "ViT"}
	if told {
		opt.Reserved, opt.Grid = &prefix, &grid.Grid
	}
	table, err := posemb.Load(context.Background(), held{tensor.Tensor{Info: info, Data: data}}, posemb.Match{Info: info, Kind: posemb.KindAbsolute, Layer: -1, Item: -1}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return table.(*posemb.Absolute)
}

// every is 0 .. n-1.
func every(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// misplaced counts the tiles of a table that are not those of a grid that is known: the
// vector of its cell (r, c) must be most similar to what the table has at (r, c), and
// tile (r, c) must hold the similarities of that vector, its largest, 1, at (r, c).
func misplaced(t *testing.T, known, a *posemb.Absolute) (bad int) {
	t.Helper()
	h, w := known.Grid.Rows, known.Grid.Cols
	tiles, err := gridOf(t, a, GridOptions{MeansOnly: true}).TilesOf(context.Background(), every(h), every(w))
	if err != nil {
		t.Fatal(err)
	}
	both := mat.NewDense(2, known.Table.RawMatrix().Cols, nil)
	for r := range h {
		for c := range w {
			both.SetRow(0, known.Table.RawRowView(r*w+c))
			wrong := tiles.At(r, c, r, c) != 1
			nearest, best := -1, math.Inf(-1)
			for j := range h * w {
				both.SetRow(1, a.Table.RawRowView(j))
				s := naiveCosine(both, 0, 1)
				if s > best {
					nearest, best = j, s
				}
				at := tiles.At(r, c, j/w, j%w)
				wrong = wrong || math.Abs(at-s) > 1e-12 || j != r*w+c && at >= 1
			}
			if wrong || nearest != r*w+c {
				bad++
			}
		}
	}
	return bad
}

// Tile (r, c) is that of cell (r, c) with whatever prefix. A table that drops the last
// row in the place of the class token is shifted by one in every tile
// (google-research/vision_transformer#55).
func TestTilesStandAtTheirCells(t *testing.T) {
	for _, shape := range [][2]int{{7, 7}, {14, 14}, {12, 101}} {
		grid := sinusoidGrid(t, shape[0], shape[1], 32)
		for _, prefix := range []int{0, 1, 2} {
			a := behind(t, grid, prefix, shape[0] != shape[1])
			if a.Grid != grid.Grid || a.Reserved != prefix {
				t.Fatalf("%v behind %d rows: read as %v behind %d", shape, prefix, a.Grid, a.Reserved)
			}
			if bad := misplaced(t, grid, a); bad > 0 {
				t.Errorf("%v behind %d rows: %d tiles are not those of their cells", shape, prefix, bad)
			}
			if prefix == 0 {
				continue
			}
			n, d := grid.Table.Dims()
			shifted := mat.NewDense(n, d, nil)
			shifted.SetRow(0, a.Aside.RawRowView(prefix-1))
			shifted.Slice(1, n, 0, d).(*mat.Dense).Copy(grid.Table)
			if bad := misplaced(t, grid, gridTable(shifted, shape[0])); bad != n {
				t.Errorf("%v shifted by one: only %d of %d tiles differ", shape, bad, n)
			}
		}
	}
}

// Some tiles are those of all.
func TestTilesSome(t *testing.T) {
	ctx := context.Background()
	m := gaussian(5*6, 7, 2)
	clear(m.RawRowView(8))
	m.Set(20, 3, math.Inf(1))
	for _, opt := range []GridOptions{{}, {Center: true}} {
		c := gridOf(t, gridTable(m, 5), opt)
		all, err := c.TilesOf(ctx, every(5), every(6))
		if err != nil {
			t.Fatal(err)
		}
		if !opt.Center {
			for k := range 30 {
				for j := range 30 {
					near(t, "cosine", all.At(k/6, k%6, j/6, j%6), naiveCosine(m, k, j), 1e-14)
				}
			}
		}
		rows, cols := []int{1, 4}, []int{0, 2, 5}
		some, err := c.TilesOf(ctx, rows, cols)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			for j, q := range cols {
				for k := range 30 {
					near(t, "cosine", some.At(i, j, k/6, k%6), all.At(r, q, k/6, k%6), 1e-15)
				}
			}
		}
		if !some.Extent().Undefined {
			t.Error("undefined cells are not told")
		}
		for _, bad := range [][2][]int{{{}, {0}}, {{0, 5}, {0}}, {{0}, {3, 2}}, {{-1}, {0}}} {
			if _, err := c.TilesOf(ctx, bad[0], bad[1]); err == nil {
				t.Errorf("tiles of %v", bad)
			}
		}
	}
}
