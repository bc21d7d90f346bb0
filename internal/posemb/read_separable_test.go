package posemb

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"poslens/internal/tensor"
)

// detr is a learned table of rows of 2 numbers and columns of 3.
func detr(rows, cols int) *memory {
	return (&memory{}).with("backbone.1.row_embed.weight", rows, 2).with("backbone.1.col_embed.weight", cols, 3)
}

// The vector at (row, column) is the column's, then the row's.
func TestSeparableGrid(t *testing.T) {
	for _, c := range []struct {
		m    *memory
		opt  ReadOptions
		grid Grid
		note string
	}{
		{detr(4, 5), ReadOptions{}, Grid{4, 5}, "--grid HxW takes the first rows and columns"},
		{detr(4, 5), ReadOptions{Grid: &Grid{4, 5}}, Grid{4, 5}, "a 4 x 5 grid, a vector for each row"},
		{detr(4, 5), ReadOptions{Grid: &Grid{3, 2}}, Grid{3, 2}, "the first 3 rows and 2 columns of a 4 x 5 grid"},
		{detr(1, 1), ReadOptions{}, Grid{1, 1}, "a 1 x 1 grid"},
		{(&memory{}).with("model.row_embeddings.weight", 3, 2).with("model.column_embeddings.weight", 6, 3), ReadOptions{}, Grid{3, 6}, "a 3 x 6 grid"},
		{(&memory{}).with("model.column_embeddings.weight", 6, 3).with("model.row_embeddings.weight", 3, 2), ReadOptions{}, Grid{3, 6}, "a 3 x 6 grid"},
	} {
		found := Detect(c.m)
		if len(found) != 1 || found[0].Arch != "DETR learned" || len(c.m.read) > 0 {
			t.Fatalf("detected %+v, read %q", found, c.m.read)
		}
		a := mustLoad(t, c.m, c.opt).(*Absolute)
		n, d := a.Table.Dims()
		if a.Grid != c.grid || n != c.grid.Rows*c.grid.Cols || d != 5 || !told(a.Notes, c.note) {
			t.Errorf("%v: %d x %d, grid %v, notes %q", c.grid, n, d, a.Grid, a.Notes)
		}
		for p := range n {
			row, col := p/c.grid.Cols, p%c.grid.Cols
			want := []float64{float64(3*col + 1), float64(3*col + 2), float64(3*col + 3), float64(2*row + 1), float64(2*row + 2)}
			if got := a.Table.RawRowView(p); !slices.Equal(got, want) {
				t.Errorf("%v: position %d is %v, want %v", c.grid, p, got, want)
			}
		}
		stored := a.Storage()
		if len(stored) != 2 || stored[0].Axis != 0 || stored[1].Axis != 1 || !slices.Equal(stored[0].At, upTo(c.grid.Rows)) || !slices.Equal(stored[1].At, upTo(c.grid.Cols)) {
			t.Errorf("%v: stored as %+v", c.grid, stored)
		}
	}
}

// A part of the grid is positions in a line, each with its entries of the two tensors.
func TestSeparablePart(t *testing.T) {
	a := mustLoad(t, detr(4, 5), ReadOptions{Positions: &Range{3, 9}, Stride: 2}).(*Absolute)
	if got := fmt.Sprint(a.Positions(), a.Grid.Rows, a.Storage()[0].At, a.Storage()[1].At, a.Storage()[0].Count, a.Storage()[1].Count); got != "[3 5 7] 0 [0 1 1] [3 0 2] 4 5" {
		t.Error(got)
	}
	if a.Table.At(2, 0) != 7 || a.Table.At(2, 3) != 3 || !told(a.Notes, "a part of a 4 x 5 grid") {
		t.Errorf("position 7 is %v; %q", a.Table.RawRowView(2), a.Notes)
	}
}

// A table of one axis alone is positions in a line; one by its name as well.
func TestOneAxisAlone(t *testing.T) {
	for _, name := range []string{"row_embed.weight", "col_embed.weight", "x.row_embeddings.weight", "x.column_embeddings.weight"} {
		a := mustLoad(t, (&memory{}).with(name, 50, 4), ReadOptions{}).(*Absolute)
		if n, _ := a.Table.Dims(); a.Arch != "DETR axis" || n != 50 || a.Grid != (Grid{}) || !told(a.Notes, "one axis of an image") {
			t.Errorf("%s: %s, %d positions, %q", name, a.Arch, n, a.Notes)
		}
	}
	m := detr(4, 5)
	match, err := one(m, "backbone.1.col_embed.weight", ReadOptions{})
	if err != nil || match.Arch != "DETR axis" {
		t.Errorf("%+v, %v", match, err)
	}
	if match, err := one(m, "backbone.1.row_embed.weight", ReadOptions{}); err != nil || match.Arch != "DETR learned" {
		t.Errorf("%+v, %v", match, err)
	}
	if found := Detect((&memory{}).with("position_embeddings.weights.1", 1, 6, 4)); len(found) != 1 || found[0].Arch != "Reformer axis" {
		t.Errorf("%+v", found)
	}
	if found := Detect((&memory{}).with("e.position_embeddings.weights.0", 2, 1, 1, 4).with("e.position_embeddings.weights.1", 1, 3, 1, 4).with("e.position_embeddings.weights.2", 1, 1, 5, 4)); len(found) > 0 {
		t.Errorf("three axes: %+v", found)
	}
}

func TestSeparableErrors(t *testing.T) {
	for _, g := range []Grid{{5, 5}, {4, 6}, {0, 5}, {4, -1}, {math.MaxInt, math.MaxInt}} {
		_, err := loadOnly(t, detr(4, 5), ReadOptions{Grid: &g})
		wantFault(t, err, BadOption, "4 rows and 5 columns")
	}
	_, err := loadOnly(t, (&memory{}).with("row_embed.weight", 4, 2).with("col_embed.weight", 0, 3), ReadOptions{})
	wantFault(t, err, NotATable, "col_embed.weight", "no numbers")
	_, err = loadOnly(t, (&memory{}).with("row_embed.weight", 4, 2).with("col_embed.weight", 4, 3, 3), ReadOptions{})
	wantFault(t, err, NotATable, "col_embed.weight")
	_, err = loadOnly(t, (&memory{}).with("row_embed.weight", 4, 2), ReadOptions{Arch: "DETR learned"})
	wantFault(t, err, BadOption, "side by side")
}

// reformer is an axial table of a x b positions.
func reformer(a, b int) *memory {
	return (&memory{}).with("reformer.embeddings.position_embeddings.weights.0", a, 1, 2).with("reformer.embeddings.position_embeddings.weights.1", 1, b, 3)
}

// Position p is row p / b of the first axis, then row p % b of the second.
func TestAxialPositions(t *testing.T) {
	a := mustLoad(t, reformer(3, 4), ReadOptions{}).(*Absolute)
	n, d := a.Table.Dims()
	if a.Arch != "Reformer axial" || n != 12 || d != 5 || a.Grid != (Grid{}) || !told(a.Notes, "3 x 4: position p is row p / 4 of") {
		t.Fatalf("%s: %d x %d, grid %v, %q", a.Arch, n, d, a.Grid, a.Notes)
	}
	for p := range n {
		row, col := p/4, p%4
		want := []float64{float64(2*row + 1), float64(2*row + 2), float64(3*col + 1), float64(3*col + 2), float64(3*col + 3)}
		if got := a.Table.RawRowView(p); !slices.Equal(got, want) {
			t.Errorf("position %d is %v, want %v", p, got, want)
		}
		if s := a.Storage(); s[0].At[p] != row || s[1].At[p] != col || s[0].Count != 3 || s[1].Count != 4 || s[0].Axis != WholeTable {
			t.Errorf("position %d is stored as %+v", p, s)
		}
	}
	for _, c := range []struct {
		opt  ReadOptions
		want string // positions, then entries of the second axis
	}{
		{ReadOptions{Positions: &Range{5, 8}}, "[5 6 7] [1 2 3]"},
		{ReadOptions{Stride: 5}, "[0 5 10] [0 1 2]"},
		{ReadOptions{Reserved: ptr(9)}, "[0 1 2] [1 2 3]"},
	} {
		a := mustLoad(t, reformer(3, 4), c.opt).(*Absolute)
		if got := fmt.Sprint(a.Positions(), a.Storage()[1].At); got != c.want {
			t.Errorf("%+v: %s, want %s", c.opt, got, c.want)
		}
	}
	if a := mustLoad(t, reformer(3, 4), ReadOptions{Grid: &Grid{3, 4}}).(*Absolute); a.Grid != (Grid{3, 4}) {
		t.Errorf("grid %v", a.Grid)
	}
}

// Half a million positions of a wide table are refused before they are laid out, and a
// part of them is read.
func TestAxialSize(t *testing.T) {
	m := (&memory{}).with("position_embeddings.weights.0", 1024, 1, 200).with("position_embeddings.weights.1", 1, 1024, 56)
	_, err := loadOnly(t, m, ReadOptions{})
	wantFault(t, err, BadOption, "1048576 positions of 256 numbers", "--positions A:B")
	a := mustLoad(t, m, ReadOptions{Positions: &Range{1 << 19, 1<<19 + 10}}).(*Absolute)
	if n, d := a.Table.Dims(); n != 10 || d != 256 || a.Table.At(3, 0) != 512*200+1 || a.Table.At(3, 200) != 3*56+1 {
		t.Errorf("%d x %d, position %d is %v", n, d, a.Positions()[3], a.Table.RawRowView(3))
	}
	a = mustLoad(t, m, ReadOptions{Stride: 1 << 18}).(*Absolute)
	if n, _ := a.Table.Dims(); n != 4 || a.Table.At(1, 0) != 256*200+1 {
		t.Errorf("%d positions", n)
	}
	lie := (&memory{}).with("position_embeddings.weights.0", 4, 1, 2).with("position_embeddings.weights.1", 1, 4, 2)
	lie.tensors[1].Info = tensor.Info{Name: "position_embeddings.weights.1", DType: tensor.F32, Shape: []int{1, 1 << 40, 1 << 40}}
	_, err = loadOnly(t, lie, ReadOptions{})
	wantFault(t, err, NotATable, "8 numbers")
}
