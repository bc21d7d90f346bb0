package posemb

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"poslens/internal/tensor"
)

// Whatever the shape, the numbers and the options, every preset gives a table
// that agrees with itself, or an error.
func TestEveryPresetTakesAnyShape(t *testing.T) {
	shapes := [][]int{{}, {0}, {1}, {6}, {0, 4}, {4, 0}, {1, 1}, {1, 4}, {2, 3}, {3, 2}, {4, 4}, {5, 1}, {9, 2}, {12, 2}, {16, 3}, {32, 3}, {33, 2}, {73, 2},
		{1, 5, 2}, {3, 1, 2}, {2, 3, 5}, {2, 5, 5}, {1, 1, 1}, {0, 3, 3}, {1, 3, 3, 2}, {1, 2, 3, 3}, {1, 4, 4, 4}, {2, 2, 2, 2}, {1, 0, 0, 2}, {1, 1, 2, 3, 4}}
	options := []ReadOptions{
		{}, {Reserved: ptr(1)}, {Reserved: ptr(-3)}, {Suffix: ptr(2)}, {Grid: &Grid{2, 2}}, {Grid: &Grid{0, 0}}, {Grid: &Grid{math.MaxInt, 2}},
		{Frames: 2}, {Frames: -1}, {Frames: math.MaxInt}, {Frames: 2, Grid: &Grid{2, 2}}, {Frames: math.MaxInt, Grid: &Grid{math.MaxInt, math.MaxInt}}, {Frames: 2, Positions: &Range{1, 9}}, {Grid: &Grid{1, 1}},
		{Axes: []string{"positions", "width"}}, {Axes: []string{"width", "rows", "cols"}}, {Axes: []string{"rows", "cols", "width"}, Grid: &Grid{2, 2}},
		{Positions: &Range{1, 3}, Stride: 2}, {Positions: &Range{-5, -2}}, {Stride: math.MaxInt}, {Offsets: &Range{-2, 3}}, {Offsets: &Range{math.MinInt, math.MaxInt}}, {Offsets: &Range{math.MaxInt - 1, math.MinInt + 3}},
		{Offsets: &Range{1 << 40, 1<<40 + 5}}, {Reserved: ptr(math.MaxInt), Suffix: ptr(math.MaxInt)}, {Reserved: ptr(1), Suffix: ptr(math.MaxInt)},
		{Relative: true}, {Buckets: &BucketRule{}}, {Buckets: &BucketRule{T5Causal, 0, 16}}, {Buckets: &BucketRule{T5Both, -4, math.MaxInt}},
	}
	fills := map[string]func(i int) float64{
		"counting": func(i int) float64 { return float64(i) },
		"zeros":    func(int) float64 { return 0 },
		"NaN":      func(int) float64 { return math.NaN() },
	}
	made := 0
	for _, p := range append(slices.Clone(Presets), Preset{}) {
		for _, shape := range shapes {
			for name, fill := range fills {
				m := &memory{}
				match := Match{Arch: p.Arch, Kind: p.Kind}
				size := 1
				for _, s := range shape {
					size *= s
				}
				for i := range max(len(p.Parts), 1) {
					data := make([]float64, size)
					for j := range data {
						data[j] = fill(j)
					}
					part := fmt.Sprint("t", i)
					m.holding(part, data, shape...)
					match.Parts = append(match.Parts, part)
				}
				match.Info = m.tensors[0].Info
				for _, opt := range options {
					table, err := Load(t.Context(), m, match, opt)
					if err != nil {
						if _, ok := err.(*Error); !ok {
							t.Fatalf("%s %v %s %+v: %v", p.Arch, shape, name, opt, err)
						}
						continue
					}
					made++
					if why := inconsistent(table); why != "" {
						t.Fatalf("%s %v %s %+v: %s", p.Arch, shape, name, opt, why)
					}
					_ = Describe(table, match.Info)
				}
			}
		}
	}
	if made < 1000 {
		t.Errorf("only %d tables were made", made)
	}
}

// inconsistent says how a table contradicts itself; empty when it doesn't.
func inconsistent(table Table) string {
	axes := func(axes []Axis, rows int) string {
		n := 1
		for _, x := range axes {
			if x.Len() < 1 || x.Name == "" || x.Beyond == "" || x.Min < -maxDistance || x.Max > maxDistance {
				return fmt.Sprintf("axis %+v", x)
			}
			n *= x.Len()
		}
		if n != rows {
			return fmt.Sprintf("%d rows for the axes %+v", rows, axes)
		}
		return ""
	}
	switch table := table.(type) {
	case *Absolute:
		n, d := table.Table.Dims()
		switch {
		case n < 1 || d < 1 || table.Stride < 1 || table.Reserved < 0 || table.Suffix < 0:
			return fmt.Sprintf("%d x %d, stride %d, reserved %d, suffix %d", n, d, table.Stride, table.Reserved, table.Suffix)
		case table.Grid != (Grid{}) && table.Grid.Rows*table.Grid.Cols*max(table.Frames, 1) != n:
			return fmt.Sprintf("%d frames of %v for %d positions", table.Frames, table.Grid, n)
		case table.Grid == (Grid{}) && table.Frames > 1:
			return fmt.Sprintf("%d frames without a grid", table.Frames)
		case badStorage(table) != "":
			return badStorage(table)
		}
	case *Vectors:
		n, _ := table.Table.Dims()
		return axes(table.Axes, n)
	case *Bias:
		n, h := table.Scores.Dims()
		if len(table.Heads) != h {
			return fmt.Sprintf("%d heads named %v", h, table.Heads)
		}
		return axes(table.Axes, n)
	default:
		return fmt.Sprintf("a table of %T", table)
	}
	return ""
}

// badStorage says how a table's storage contradicts it; empty when it doesn't.
func badStorage(a *Absolute) string {
	n, _ := a.Table.Dims()
	for _, s := range a.Stored {
		want := n
		switch s.Axis {
		case 0:
			want = a.Grid.Rows
		case 1:
			want = a.Grid.Cols
		}
		if len(s.At) != want {
			return fmt.Sprintf("%s: %d entries for %d along axis %d", s.Tensor, len(s.At), want, s.Axis)
		}
		for _, at := range s.At {
			if at < 0 || at >= s.Count {
				return fmt.Sprintf("%s: entry %d of %d", s.Tensor, at, s.Count)
			}
		}
		for at := range s.Other {
			if at < 0 || at >= s.Count {
				return fmt.Sprintf("%s: other entry %d of %d", s.Tensor, at, s.Count)
			}
		}
	}
	return ""
}

// Names of any sort are looked over without harm.
func TestDetectTakesAnyName(t *testing.T) {
	m := &memory{}
	for _, name := range []string{"", ".", "/", "...", ":0", "a:", ".ATTRIBUTES/VARIABLE_VALUE", "vars/0", "x/vars/0", "embedding", "optimizer", "target", "\x00", "模型", "ema", "_1", "layers_"} {
		m.with(name, 4, 4).with(name+"x", 4).with(name + "y")
	}
	if found := Detect(m); len(found) > 0 {
		t.Errorf("detected %q", names(found))
	}
	_, err := one(m, "", ReadOptions{})
	wantFault(t, err, NotFound)
}

// Detect is asked of checkpoints with thousands of tensors.
func BenchmarkDetect(b *testing.B) {
	m := &memory{}
	for i := range 5000 {
		m.tensors = append(m.tensors, tensor.Tensor{Info: tensor.Info{Name: fmt.Sprintf("model.layers.%d.self_attn.q_proj.weight", i), DType: tensor.F32, Shape: []int{64, 64}}})
	}
	m.with("model.embeddings.position_embeddings.weight", 512, 4)
	for b.Loop() {
		if len(Detect(m)) != 1 {
			b.Fatal("not found")
		}
	}
}
