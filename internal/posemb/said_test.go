package posemb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

// sayingOf makes a source of n rows of d numbers that says things of itself,
// key and value in turn, without the "poslens." in front.
func sayingOf(n, d int, said ...string) *memory {
	m := (&memory{}).with("t", n, d)
	for i := 0; i < len(said); i += 2 {
		m.saying("poslens."+said[i], said[i+1])
	}
	return m
}

// What a table says is read back, whatever its kind.
func TestSaidIsReadBack(t *testing.T) {
	values := func(n, d int) *mat.Dense {
		m := mat.NewDense(n, d, nil)
		for i := range n * d {
			m.RawMatrix().Data[i] = float64(i) - 2.5
		}
		return m
	}
	dy, dx := Axis{"dy", -1, 1, BeyondZero}, Axis{"dx", -2, 2, BeyondNone}
	for name, table := range map[string]Table{
		"positions":         &Absolute{Table: values(6, 4), Stride: 1},
		"strided positions": &Absolute{Table: values(6, 4), First: 7, Stride: 3},
		"a grid":            &Absolute{Table: values(6, 4), Stride: 1, Grid: Grid{2, 3}, Origin: Origin{Arch: "DETR"}},
		"a line of cells":   &Absolute{Table: values(6, 4), Stride: 1, Grid: Grid{1, 6}},
		"frames":            &Absolute{Table: values(24, 4), Stride: 1, Grid: Grid{2, 3}, Frames: 4},
		"vectors":           &Vectors{Table: values(4, 6), Axes: []Axis{{"offset", -3, 0, BeyondClipped}}},
		"vectors of heads":  &Vectors{Table: values(15, 6), Axes: []Axis{dy, dx}, Heads: []string{"0", "one, or two", "<é>"}, Unused: []int{0}},
		"a bias":            &Bias{Scores: values(15, 2), Axes: []Axis{dy, dx}, Heads: []string{"0", "1"}},
		"steps":             &Bias{Scores: values(4, 2), Axes: []Axis{{"offset", -1, 2, BeyondClipped}}, Heads: []string{"3", "5"}, Steps: true, Unused: []int{16, 32}, Origin: Origin{Arch: "T5"}},
	} {
		rows, cols := 0, 0
		var data []float64
		switch v := table.(type) {
		case *Absolute:
			rows, cols = v.Table.Dims()
			data = v.Table.RawMatrix().Data
		case *Vectors:
			rows, cols = v.Table.Dims()
			data = v.Table.RawMatrix().Data
		case *Bias:
			rows, cols = v.Scores.Dims()
			data = v.Scores.RawMatrix().Data
		}
		// The architecture's own name of the tensor does not bring its rules back.
		m := (&memory{meta: Said(table)}).holding("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", data, rows, cols)
		if diff := cmp.Diff(table, mustLoad(t, m, ReadOptions{}), tableOptions...); diff != "" {
			t.Errorf("%s (-said +read)\n%s", name, diff)
		}
	}
}

// tableOptions compare tables by what they mean, not where they come from.
var tableOptions = []cmp.Option{
	cmp.Comparer(func(a, b *mat.Dense) bool { return a == b || a != nil && b != nil && mat.Equal(a, b) }),
	cmp.FilterPath(func(p cmp.Path) bool {
		switch p.Last().String() {
		case ".Label", ".Tensor", ".Notes", ".Stored":
			return true
		}
		return false
	}, cmp.Ignore()),
}

// What is false, or nothing that can be said, is an error and no guess.
func TestSaidErrors(t *testing.T) {
	for _, c := range []struct {
		m    *memory
		text string
	}{
		{sayingOf(6, 4, "kind", "absolute", "grid", "2x4"), `poslens.grid is "2x4" for 6 positions`},
		{sayingOf(6, 4, "kind", "absolute", "grid", "2x2x3"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "6"), "expected ROWSxCOLS or FRAMESxROWSxCOLS"},
		{sayingOf(6, 4, "kind", "absolute", "grid", ""), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "2x3x"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "1x1x2x3"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "-2x-3"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "+2x3"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "0x3"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "2147483647x2147483647x2147483647"), "for 6 positions"},
		{sayingOf(6, 4, "kind", "absolute", "grid", "1x6148914691236517206"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "reserved", "2", "grid", "2x3"), "for 4 positions"},
		{sayingOf(6, 4, "kind", "absolute", "grid", strings.Repeat("1x", 1<<16)+"6"), "poslens.grid"},
		{sayingOf(6, 4, "kind", "absolute", "arch", "a\x1b[31mb"), `poslens.arch is "a\x1b[31mb", expected a word`},
		{sayingOf(6, 4, "kind", "absolute", "arch", strings.Repeat("x", 101)), "poslens.arch"},
		{sayingOf(6, 4, "kind", "absolute", "arch", ""), "poslens.arch"},
		{sayingOf(5, 4, "kind", "bias", "beyond", "far"), "poslens.beyond"},
		{sayingOf(5, 4, "kind", "bias", "beyond", "zero,zero"), "expected 1 word of clipped, zero, none and endless"},
		{sayingOf(5, 4, "kind", "bias", "beyond", ""), "poslens.beyond"},
		{sayingOf(15, 4, "kind", "vectors", "offsets", "-1:2,-2:3", "beyond", "zero"), "expected 2 words"},
		{sayingOf(5, 4, "kind", "bias", "heads", `["a","b","c"]`), "poslens.heads has 3 names for 4 columns"},
		{sayingOf(5, 4, "kind", "bias", "heads", `["a","b"]`), "poslens.heads has 2 names for 4 columns"},
		{sayingOf(5, 4, "kind", "vectors", "heads", `["a","b","c"]`), "3 names for 4 columns"},
		{sayingOf(5, 4, "kind", "vectors", "heads", `[]`), "poslens.heads"},
		{sayingOf(5, 4, "kind", "vectors", "heads", `a,b`), "expected a list of names"},
		{sayingOf(5, 2, "kind", "bias", "heads", `["a",null]`), "poslens.heads has the name"},
		{sayingOf(5, 2, "kind", "bias", "heads", `["a","\u001b[2J"]`), "poslens.heads has the name"},
		{sayingOf(5, 2, "kind", "bias", "heads", `["a","`+strings.Repeat("b", 101)+`"]`), "poslens.heads has the name"},
		{sayingOf(5, 4, "kind", "bias", "steps", "yes"), "poslens.steps"},
		{sayingOf(5, 4, "kind", "bias", "unused", "3,3"), "poslens.unused"},
		{sayingOf(5, 4, "kind", "vectors", "unused", "-1"), "poslens.unused"},
		{sayingOf(5, 4, "kind", "vectors", "unused", ""), "poslens.unused"},
		{sayingOf(5, 4, "kind", "vectors", "unused", "99999999999999999999"), "poslens.unused"},
	} {
		_, err := loadOnly(t, c.m, ReadOptions{})
		wantFault(t, err, NotATable, c.text)
		if len(err.Error()) > 500 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	}
}

// The caller's options stand before what the file says, and take what they do not
// touch.
func TestSaidAndAsked(t *testing.T) {
	grid := []string{"kind", "absolute", "grid", "2x3"}
	steps := []string{"kind", "bias", "offsets", "-2:3", "beyond", "clipped", "steps", "true", "heads", `["a","b"]`, "unused", "16"}
	for _, c := range []struct {
		name string
		m    *memory
		opt  ReadOptions
		want string
		note string
	}{
		{"as said", sayingOf(6, 4, grid...), ReadOptions{}, "{2 3} 0 6", "its rows are a 2 x 3 grid, as it says itself"},
		{"frames", sayingOf(12, 4, "kind", "absolute", "grid", "2x2x3"), ReadOptions{}, "{2 3} 2 12", "its rows are 2 times a 2 x 3 grid"},
		{"one frame", sayingOf(6, 4, "kind", "absolute", "grid", "1x2x3"), ReadOptions{}, "{2 3} 0 6", ""},
		{"another grid", sayingOf(6, 4, grid...), ReadOptions{Grid: &Grid{3, 2}}, "{3 2} 0 6", ""},
		{"a grid behind rows", sayingOf(6, 4, grid...), ReadOptions{Grid: &Grid{2, 2}}, "{2 2} 0 4", "leaves 2 rows in front of it"},
		{"a part", sayingOf(6, 4, grid...), ReadOptions{Positions: &Range{0, 3}}, "{0 0} 0 3", "a part of a 2 x 3 grid is read"},
		{"a part of frames", sayingOf(12, 4, "kind", "absolute", "grid", "2x2x3"), ReadOptions{Stride: 2}, "{0 0} 0 6", "a part of"},
		{"rows taken off", sayingOf(6, 4, grid...), ReadOptions{Reserved: ptr(1)}, "{0 0} 0 5", "it says that its rows are a 2 x 3 grid"},
		{"rows taken off to fit", sayingOf(7, 4, grid...), ReadOptions{Suffix: ptr(1)}, "{2 3} 0 6", "as it says itself"},
		{"steps", sayingOf(5, 2, steps...), ReadOptions{}, "[{offset -2 2 clipped}] [a b] true [16]", ""},
		{"other offsets", sayingOf(5, 2, steps...), ReadOptions{Offsets: &Range{0, 5}}, "[{offset 0 4 clipped}] [a b] true [16]", ""},
		{"turned", sayingOf(5, 2, steps...), ReadOptions{Sign: QueryKey}, "[{offset -2 2 clipped}] [a b] true [16]", "are turned"},
		{"one axis of two", sayingOf(9, 2, "kind", "bias", "offsets", "-1:2,-1:2", "beyond", "zero,none"), ReadOptions{Offsets: &Range{0, 9}}, "[{offset 0 8 none}] [0 1] false []", ""},
		{"buckets", sayingOf(8, 2, steps...), ReadOptions{Buckets: &BucketRule{Name: T5Both, Buckets: 8, MaxDistance: 4}}, "[{offset -4 4 clipped}] [a b] true [4]", ""},
		{"a bias of vectors", sayingOf(8, 6, "kind", "vectors", "heads", `["a","b"]`), ReadOptions{Buckets: &BucketRule{Name: T5Both, Buckets: 8, MaxDistance: 4}}, "[{offset -4 4 clipped}] [0 1 2 3 4 5] true [4]", ""},
		{"what another kind says", sayingOf(5, 2, "kind", "bias", "grid", "7x7", "positions", "x"), ReadOptions{}, "[{offset -2 2 none}] [0 1] false []", ""},
		{"of this tensor", sayingOf(5, 2, "kind", "bias", "heads", `["z"]`, "heads:t", `["a","b"]`, "steps:other", "true"), ReadOptions{}, "[{offset -2 2 none}] [a b] false []", ""},
	} {
		got := ""
		table := mustLoad(t, c.m, c.opt)
		switch table := table.(type) {
		case *Absolute:
			n, _ := table.Table.Dims()
			got = fmt.Sprint(table.Grid, " ", table.Frames, " ", n)
			got = strings.ReplaceAll(got, table.Grid.String(), fmt.Sprintf("{%d %d}", table.Grid.Rows, table.Grid.Cols))
		case *Bias:
			got = fmt.Sprint(table.Axes, " ", table.Heads, " ", table.Steps, " ", table.Unused)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if !told(table.Remarks(), c.note) && c.note != "" {
			t.Errorf("%s: notes %q, want %q", c.name, table.Remarks(), c.note)
		}
	}
	// By an architecture's own rules the file's words count for nothing.
	m := (&memory{}).with("", 25, 4).saying("poslens.kind", "bias").saying("poslens.offsets", "0:25").saying("poslens.arch", "T5")
	if b := mustLoad(t, m, ReadOptions{Arch: "Swin"}).(*Bias); b.Arch != "Swin" || len(b.Axes) != 2 {
		t.Errorf("read by %s on %v", b.Arch, b.Axes)
	}
}
