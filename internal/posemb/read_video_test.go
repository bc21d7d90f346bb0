package posemb

import "testing"

// vivit is a ViViT-like table of n rows.
func vivit(n int) *memory { return (&memory{}).with("vivit.embeddings.position_embeddings", 1, n, 2) }

func TestVideoRasters(t *testing.T) {
	for _, c := range []struct {
		name     string
		m        *memory
		opt      ReadOptions
		reserved int
		frames   int // 0: one
		grid     Grid
		note     string
	}{
		{"as released", vivit(3137), ReadOptions{}, 1, 16, Grid{14, 14}, "16 frames of a 14 x 14 grid, as released"},
		{"one reading", vivit(1 + 3*5*5), ReadOptions{}, 1, 3, Grid{5, 5}, "class token in row 0, then 3 frames of a 5 x 5 grid"},
		{"one frame", vivit(1 + 49), ReadOptions{}, 1, 0, Grid{7, 7}, "a 7 x 7 grid: one frame"},
		{"no square", vivit(1 + 6), ReadOptions{}, 1, 0, Grid{}, "read as positions in a line; --grid TxHxW"},
		{"by config", vivit(1+8*14*14).saying("config.num_frames", "16").saying("config.tubelet_size", "2").saying("config.image_size", "224"), ReadOptions{}, 1, 8, Grid{14, 14}, "as config.json has it"},
		{"by patch", vivit(1+8*14*14).saying("config.image_size", "224").saying("config.patch_size", "16"), ReadOptions{}, 1, 8, Grid{14, 14}, "as config.json has it"},
		{"config of another", vivit(3137).saying("config.num_frames", "5"), ReadOptions{}, 1, 16, Grid{14, 14}, "as released"},
		{"frames and grid", vivit(1 + 8*14*14), ReadOptions{Frames: 8, Grid: &Grid{14, 14}}, 1, 8, Grid{14, 14}, "class token in row 0, then 8 frames of a 14 x 14 grid"},
		{"a grid alone", vivit(3137), ReadOptions{Grid: &Grid{28, 28}}, 1, 4, Grid{28, 28}, "4 frames of a 28 x 28 grid"},
		{"a grid no square", vivit(1 + 3*4*5), ReadOptions{Grid: &Grid{4, 5}}, 1, 3, Grid{4, 5}, "3 frames of a 4 x 5 grid"},
		{"frames alone", vivit(3137), ReadOptions{Frames: 4}, 1, 4, Grid{28, 28}, ""},
		{"no class token", vivit(8 * 4 * 4), ReadOptions{Grid: &Grid{4, 4}, Frames: 8}, 0, 8, Grid{4, 4}, "no class token, then 8 frames"},
		{"reserved", vivit(3 + 3*5*5), ReadOptions{Reserved: ptr(3)}, 3, 3, Grid{5, 5}, "rows 0 to 2 are prefix tokens, then 3 frames"},
		{"a part", vivit(3137), ReadOptions{Positions: &Range{0, 196}}, 1, 0, Grid{}, "class token in row 0"},
		{"a frame of it", vivit(3137), ReadOptions{Positions: &Range{196, 392}, Grid: &Grid{14, 14}}, 1, 0, Grid{14, 14}, ""},
		{"two frames of it", vivit(3137), ReadOptions{Positions: &Range{196, 588}, Grid: &Grid{14, 14}, Frames: 2}, 1, 2, Grid{14, 14}, ""},
		{"a ViT's frames", (&memory{}).with("pos_embed", 1, 1568, 2), ReadOptions{Frames: 8}, 0, 8, Grid{14, 14}, "8 frames of a 14 x 14 grid, no class token"},
		{"a ViT's frames and grid", (&memory{}).with("pos_embed", 1, 1569, 2), ReadOptions{Frames: 8, Grid: &Grid{14, 14}}, 1, 8, Grid{14, 14}, "8 frames of a 14 x 14 grid leaves 1 row in front"},
		{"rows as frames", (&memory{}).with("wpe.weight", 32, 2), ReadOptions{Frames: 2}, 0, 2, Grid{4, 4}, ""},
	} {
		a, err := loadOnly(t, c.m, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		v := a.(*Absolute)
		if v.Reserved != c.reserved || v.Frames != c.frames || v.Grid != c.grid || !told(v.Notes, c.note) && c.note != "" {
			t.Errorf("%s: %d reserved, %d frames of %v, %q", c.name, v.Reserved, v.Frames, v.Grid, v.Notes)
		}
		if n, _ := v.Table.Dims(); v.Grid != (Grid{}) && n != max(v.Frames, 1)*v.Grid.Rows*v.Grid.Cols {
			t.Errorf("%s: %d positions, %d frames of %v", c.name, n, v.Frames, v.Grid)
		}
	}
}

func TestVideoErrors(t *testing.T) {
	_, err := loadOnly(t, vivit(1+8*14*14), ReadOptions{}) // 8 x 14 x 14, 2 x 28 x 28, 32 x 7 x 7, ...
	wantFault(t, err, Ambiguous, "1568 rows", "2 x 28 x 28, 8 x 14 x 14, 32 x 7 x 7, 98 x 4 x 4, 392 x 2 x 2", "--grid TxHxW")
	for _, opt := range []ReadOptions{{Frames: -1}, {Frames: 5}, {Frames: 16, Grid: &Grid{14, 13}}, {Grid: &Grid{14, 13}}, {Grid: &Grid{0, 14}}, {Frames: 1 << 62, Grid: &Grid{1 << 62, 1 << 62}}} {
		_, err := loadOnly(t, vivit(3137), opt)
		wantFault(t, err, BadOption)
	}
}
