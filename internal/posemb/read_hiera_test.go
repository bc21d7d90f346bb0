package posemb

import (
	"math"
	"testing"
)

// hiera is a table of 2 components, an image of 4 x 3 and a window of 2 x 4, whose
// second one has the name given.
func hiera(window string) *memory {
	return (&memory{}).with("trunk.pos_embed", 1, 2, 4, 3).with(window, 1, 2, 2, 4)
}

// Without a grid the image is read as it is stored, [width, rows, columns].
func TestHieraAlone(t *testing.T) {
	for _, opt := range []ReadOptions{{}, {Grid: &Grid{4, 3}}} {
		m := hiera("trunk.pos_embed_window")
		a := mustLoad(t, m, opt).(*Absolute)
		if a.Arch != "Hiera" || a.Grid != (Grid{4, 3}) || !told(a.Notes, "--grid HxW, of whole windows, gives the sum") || len(a.Storage()) != 1 {
			t.Fatalf("%s: grid %v, %q", a.Arch, a.Grid, a.Notes)
		}
		for p := range 12 {
			for k := range 2 {
				if got, want := a.Table.At(p, k), float64(k*12+p+1); got != want {
					t.Errorf("position %d, component %d: %v, want %v", p, k, got, want)
				}
			}
		}
	}
}

// With a grid it is resized, and the window's vector added to each cell.
func TestHieraSum(t *testing.T) {
	for window, taps := range map[string]func(from, to int) [][]tap{"trunk.pos_embed_window": cubicTaps, "trunk.pos_embed_win": smoothTaps} {
		a := mustLoad(t, hiera(window), ReadOptions{Grid: &Grid{6, 8}}).(*Absolute)
		if a.Grid != (Grid{6, 8}) || a.Storage() != nil || !told(a.Notes, "a 6 x 8 grid: trunk.pos_embed of a 4 x 3 grid resized (bicubic") {
			t.Fatalf("grid %v, %q", a.Grid, a.Notes)
		}
		rows, cols := taps(4, 6), taps(3, 8)
		for y := range 6 {
			for x := range 8 {
				for k := range 2 {
					want := float64(k*8 + y%2*4 + x%4 + 1)
					for _, v := range rows[y] {
						for _, h := range cols[x] {
							want += v.weight * h.weight * float64(k*12+v.cell*3+h.cell+1)
						}
					}
					if got := a.Table.At(y*8+x, k); !nearly(got, want) {
						t.Errorf("%s: (%d, %d), component %d: %v, want %v", window, y, x, k, got, want)
					}
				}
			}
		}
	}
	// Zeros resized are zeros: the tiles alone.
	m := hiera("trunk.pos_embed_window")
	clear(m.tensors[0].Data)
	a := mustLoad(t, m, ReadOptions{Grid: &Grid{4, 8}}).(*Absolute)
	for p := range 32 {
		if got, want := a.Table.At(p, 1), float64(8+p/8%2*4+p%8%4+1); got != want {
			t.Errorf("position %d: %v, want %v", p, got, want)
		}
	}
	part := mustLoad(t, hiera("trunk.pos_embed_window"), ReadOptions{Grid: &Grid{6, 8}, Positions: &Range{8, 11}}).(*Absolute)
	if n, _ := part.Table.Dims(); n != 3 || part.Grid != (Grid{}) || part.First != 8 || !told(part.Notes, "a part of a 6 x 8 grid") {
		t.Errorf("%d positions from %d, grid %v, %q", n, part.First, part.Grid, part.Notes)
	}
}

func TestHieraErrors(t *testing.T) {
	for _, g := range []Grid{{5, 8}, {6, 6}, {0, 4}, {-2, 4}, {math.MaxInt - 1, 4}, {1 << 30, 1 << 30}, {2, 1 << 25}} {
		_, err := loadOnly(t, hiera("trunk.pos_embed_window"), ReadOptions{Grid: &g})
		wantFault(t, err, BadOption)
	}
	for _, m := range []*memory{
		(&memory{}).with("pos_embed", 1, 2, 4, 3).with("pos_embed_window", 1, 3, 2, 2),
		(&memory{}).with("pos_embed", 1, 2, 4, 3).with("pos_embed_window", 2, 2),
		(&memory{}).with("pos_embed", 1, 2, 4, 3).with("pos_embed_window", 1, 2, 0, 2),
		(&memory{}).with("pos_embed", 1, 2, 0, 3).with("pos_embed_window", 1, 2, 2, 2),
	} {
		_, err := loadOnly(t, m, ReadOptions{Grid: &Grid{2, 2}})
		wantFault(t, err, NotATable)
	}
}
