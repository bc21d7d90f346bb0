package analysis

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// window4x3 is the bias of a window of 4 x 3 cells with two heads, no two scores alike.
func window4x3() *posemb.Bias {
	b := &posemb.Bias{
		Axes:   []posemb.Axis{{Name: "dy", Min: -3, Max: 3, Beyond: posemb.BeyondNone}, {Name: "dx", Min: -2, Max: 2, Beyond: posemb.BeyondNone}},
		Heads:  []string{"0", "1"},
		Scores: mat.NewDense(35, 2, nil),
		Stored: []posemb.Stored{{Tensor: "x"}},
	}
	for i := range 35 {
		b.Scores.SetRow(i, []float64{float64(i), math.Sin(float64(i))})
	}
	return b
}

// TestSeenFrom compares the map of every query cell with a loop over the keys of the
// window: the score is the bias at key - query.
func TestSeenFrom(t *testing.T) {
	b := window4x3()
	for row := range 4 {
		for col := range 3 {
			part, err := SeenFrom(b, Cell{row, col})
			if err != nil {
				t.Fatal(err)
			}
			p := profile(t, part.(*posemb.Bias), ProfileOptions{})
			p.Cell = &Cell{row, col}
			i := 0
			for y := range 4 {
				for x := range 3 {
					if d := cmp.Diff(Offset{y, x}, p.Place(p.Offsets[i])); d != "" {
						t.Fatal(d)
					}
					dy, dx := y-row, x-col
					for h := range 2 {
						near(t, "score", p.Heads[h].Score[i], b.Scores.At((dy+3)*5+dx+2, h), 0)
					}
					i++
				}
			}
			if i != len(p.Offsets) {
				t.Errorf("%d cells, want %d", len(p.Offsets), i)
			}
		}
	}
	for _, c := range []Cell{{-1, 0}, {0, -1}, {4, 0}, {0, 3}, {math.MaxInt, 0}, {math.MinInt, math.MinInt}} {
		if _, err := SeenFrom(b, c); err == nil || !strings.Contains(err.Error(), "rows are 0..3 and its columns 0..2") {
			t.Errorf("%v: %v", c, err)
		}
	}
	if n, _ := b.Scores.Dims(); n != 35 || len(b.Stored) != 1 || b.Axes[0].Min != -3 {
		t.Error("the table itself is changed")
	}
}

// The part along an axis is what AxisProfile shows, of vectors as of biases.
func TestAlong(t *testing.T) {
	b := window4x3()
	whole := profile(t, b, ProfileOptions{})
	for i, axis := range []string{"dy", "dx"} {
		part, err := Along(b, axis)
		if err != nil {
			t.Fatal(err)
		}
		if part.Storage() != nil {
			t.Error("the stored rows are not those of the part")
		}
		want, err := AxisProfile(whole, i)
		if err != nil {
			t.Fatal(err)
		}
		got := profile(t, part.(*posemb.Bias), ProfileOptions{})
		want.Notes = got.Notes
		if d := cmp.Diff(want, got, cmp.AllowUnexported(HeadProfile{})); d != "" {
			t.Error(d)
		}
	}
	v := &posemb.Vectors{Axes: b.Axes, Table: b.Scores}
	part, err := Along(v, "dx")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]float64{15, 16, 17, 18, 19}, mat.Col(nil, 0, part.(*posemb.Vectors).Table)); d != "" {
		t.Error(d)
	}
	one := bias(1, []float64{1, 2, 3})
	if same, err := Along(one, "dy"); err != nil || same != posemb.Table(one) {
		t.Errorf("one axis: %v, %v", same, err)
	}
}

func TestWindowOdd(t *testing.T) {
	far := window4x3()
	far.Axes[0].Min, far.Axes[0].Max = 1, 7
	short := window4x3()
	short.Axes[0].Max = 2
	for name, table := range map[string]posemb.Table{
		"no offset 0": far, "axes that do not fit": short, "no axes": &posemb.Bias{Scores: mat.NewDense(1, 1, nil)},
		"an absolute table": absolute(mat.NewDense(2, 2, nil)), "no rows": &posemb.Vectors{Table: &mat.Dense{}},
		"three axes": &posemb.Vectors{Axes: make([]posemb.Axis, 3), Table: mat.NewDense(1, 1, nil)},
	} {
		if _, err := Along(table, "dx"); err == nil {
			t.Errorf("along dx: %s passes", name)
		}
		if _, err := SeenFrom(table, Cell{}); err == nil {
			t.Errorf("a cell: %s passes", name)
		}
	}
	if _, err := Along(window4x3(), "dz"); err == nil {
		t.Error("an axis dz passes")
	}
	if _, err := SeenFrom(bias(1, []float64{1, 2, 3}), Cell{}); err == nil {
		t.Error("a cell of one axis passes")
	}
	uneven := window4x3()
	uneven.Axes[1].Min, uneven.Axes[1].Max = -1, 3
	if _, err := SeenFrom(uneven, Cell{}); err == nil {
		t.Error("a cell of offsets -1..3 passes")
	}
	p := profile(t, window4x3(), ProfileOptions{Mean: true, Softmax: true})
	if _, err := AxisProfile(p, 0); err == nil {
		t.Error("mean masses are cut")
	}
}
