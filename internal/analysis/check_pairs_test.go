package analysis

import (
	"encoding/json"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// Copies are told with what they are copies of, in runs.
func TestCheckPairs(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant func(m *mat.Dense)
		want  string
	}{
		{"duplicates", func(m *mat.Dense) {
			copyRows(m, 20, 300, 10)
			copyRows(m, 5, 310, 1)
			copyRows(m, 7, 400, 1)
			copyRows(m, 6, 401, 1)
			copyRows(m, 6, 402, 1)
		}, "[300..309=20..29 310=5 400=7 401..402=6]"},
		{"the last row again", func(m *mat.Dense) {
			for i := 400; i < 512; i++ {
				copyRows(m, 399, i, 1)
			}
		}, "[400..511=399]"},
		{"tiled", func(m *mat.Dense) {
			for i := 100; i < 512; i++ {
				copyRows(m, i-100, i, 1)
			}
		}, "[100..511=0..411]"},
		{"no copies", func(m *mat.Dense) { m.SetRow(3, make([]float64, 64)) }, "[]"},
	} {
		m := learned(t, 512, 42)
		c.plant(m)
		r := check(t, absolute(m), CheckOptions{})
		if len(r.Findings) != 1 || fmt.Sprint(r.Findings[0].Pairs) != c.want {
			t.Errorf("%s: %+v, want %s", c.name, r.Findings, c.want)
		}
	}
	// Of offsets that are stored from the last to the first.
	v := &posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Min: -1, Max: 1}}, Table: mat.NewDense(3, 2, []float64{1, 2, 3, 4, 1, 2}),
		Stored: []posemb.Stored{{Unit: "row", Count: 3, Axis: posemb.WholeTable, At: []int{2, 1, 0}, Turned: true}}}
	if r := check(t, v, CheckOptions{}); fmt.Sprint(r.Findings[0].Pairs) != "[0=2]" {
		t.Errorf("%+v", r.Findings)
	}
	b, err := json.Marshal([]Pair{{Span{300, 309}, Span{20, 29}}, {Span{4, 5}, Span{1, 1}}})
	if want := `[{"rows":[300,309],"partners":[20,29]},{"rows":[4,5],"partners":[1,1]}]`; err != nil || string(b) != want {
		t.Errorf("%s, want %s (%v)", b, want, err)
	}
}
