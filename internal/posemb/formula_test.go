package posemb

import (
	"math"
	"testing"
)

func TestFormulaIsTold(t *testing.T) {
	s, err := Sinusoid(SinusoidOptions{N: 1500, D: 64, Layout: "concatenated", Frequencies: "timescales"})
	if err != nil {
		t.Fatal(err)
	}
	data := s.Table.RawMatrix().Data
	for i, v := range data {
		data[i] = float64(float32(v))
	}
	m := (&memory{}).holding("encoder.positional_embedding", data, 1500, 64)
	if a := mustLoad(t, m, ReadOptions{}).(*Absolute); a.Arch != "Whisper" || !told(a.Notes, "the rows are a sinusoid formula (concatenated, timescales)") {
		t.Errorf("%s: notes %q", a.Arch, a.Notes)
	}
	data[1499*64] += 0.1
	if a := mustLoad(t, m, ReadOptions{}).(*Absolute); len(a.Notes) > 0 {
		t.Errorf("notes %q", a.Notes)
	}
}

// gridOfSines is a 2-D sinusoid by its definition, each number on its own: quarters
// of sines and cosines of the first axis, then of the second.
func gridOfSines(rows, cols, d int, steps float64, rowsFirst bool) []float64 {
	data := make([]float64, 0, rows*cols*d)
	for r := range rows {
		for c := range cols {
			for j := range d {
				p := float64(c)
				if (j >= d/2) != rowsFirst {
					p = float64(r)
				}
				angle := p / math.Pow(10000, float64(j%(d/4))/steps)
				if j%(d/2) < d/4 {
					data = append(data, math.Sin(angle))
				} else {
					data = append(data, math.Cos(angle))
				}
			}
		}
	}
	return data
}

// MAE's, simple ViT's and MoCo's tables are told apart, behind prefix rows and on a
// grid that is no square; one number that is off, and no formula is told.
func TestGridFormulaIsTold(t *testing.T) {
	const d = 24
	for _, c := range []struct {
		name       string
		rows, cols int
		steps      float64
		rowsFirst  bool
		prefix     int
		opt        ReadOptions
		want       string
	}{
		{"pos_embed", 7, 7, 6, false, 1, ReadOptions{}, "columns first, frequencies 10000^(-i/(d/4)), as MAE"},
		{"decoder_pos_embed", 5, 5, 6, false, 1, ReadOptions{}, "as MAE"},
		{"pos_embed", 14, 14, 6, false, 0, ReadOptions{}, "as MAE"},
		{"pos_embed", 6, 6, 5, false, 0, ReadOptions{}, "columns first, frequencies 10000^(-i/(d/4-1)), as simple ViT"},
		{"pos_embed", 7, 7, 6, true, 2, ReadOptions{}, "rows first, frequencies 10000^(-i/(d/4)), as MoCo v3"},
		{"pos_embed", 4, 9, 6, false, 1, ReadOptions{Grid: &Grid{4, 9}}, "as MAE"},
		{"pos_embed", 4, 9, 6, true, 0, ReadOptions{Grid: &Grid{4, 9}}, "as MoCo v3"},
		{"pos_embed", 4, 9, 6, false, 1, ReadOptions{Grid: &Grid{9, 4}}, ""},
		{"wpe.weight", 8, 8, 6, false, 0, ReadOptions{}, "as MAE"}, // in a line, though it is a grid
		{"pos_embed", 7, 7, 6.5, false, 1, ReadOptions{}, ""},
	} {
		grid := gridOfSines(c.rows, c.cols, d, c.steps, c.rowsFirst)
		data := append(make([]float64, c.prefix*d), grid...)
		shape := []int{1, len(data) / d, d}
		if c.name == "wpe.weight" {
			shape = shape[1:]
		}
		m := (&memory{}).holding(c.name, data, shape...)
		const told2D = "the rows are a 2-D sinusoid formula ("
		a := mustLoad(t, m, c.opt).(*Absolute)
		if told(a.Notes, told2D) != (c.want != "") || !told(a.Notes, c.want+"): stored, not learned") && c.want != "" {
			t.Errorf("%+v: %q", c, a.Notes)
		}
		for _, at := range []int{0, d, len(grid) - 1} { // the first row, the second, the last
			data[c.prefix*d+at] += 0.01
			if a := mustLoad(t, m, c.opt).(*Absolute); told(a.Notes, "formula") {
				t.Errorf("%+v with number %d changed: %q", c, at, a.Notes)
			}
			data[c.prefix*d+at] -= 0.01
		}
	}
	for _, shape := range [][]int{{1, 16, 4}, {1, 16, 6}, {1, 4, 4}, {1, 1, 8}} { // d/4-1 is 0; no quarters
		mustLoad(t, (&memory{}).with("pos_embed", shape...), ReadOptions{})
	}
}
