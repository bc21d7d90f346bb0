package posemb

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The handbook's example, in numpy's float64 (testdata/locality_42.json): query
// ones(4)/sqrt(4) over the offsets -5..5. Four products are summed, so 1e-15.
func TestScoreWorkedExample(t *testing.T) {
	text, err := os.ReadFile("testdata/locality_42.json")
	if err != nil {
		t.Skip(err)
	}
	var want struct {
		Table   [][]float64 `json:"vectors"`
		Profile []float64   `json:"profile"`
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	table := mat.NewDense(len(want.Table), 4, nil)
	for i, row := range want.Table {
		table.SetRow(i, row)
	}
	v := &Vectors{Axes: []Axis{{"offset", -5, 5, BeyondNone}}, Table: table}
	b, err := v.Score(UniformQuery(4), ScoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Profile) != 11 || b.Axes[0] != v.Axes[0] || len(b.Heads) != 1 {
		t.Fatalf("%d values, axes %v, heads %v", len(want.Profile), b.Axes, b.Heads)
	}
	for i, w := range want.Profile {
		if got := b.Scores.At(i, 0); math.Abs(got-w) > 1e-15 {
			t.Errorf("offset %d: %v, want %v", i-5, got, w)
		}
	}
}

func TestScore(t *testing.T) {
	v := &Vectors{Table: mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8})}
	b, err := v.Score(OnesQuery(4), ScoreOptions{Scale: true}) // (1+2+3+4)/2, (5+6+7+8)/2
	if err != nil || b.Scores.At(0, 0) != 5 || b.Scores.At(1, 0) != 13 {
		t.Errorf("%v %v", b, err)
	}
	for _, q := range [][]float64{nil, {1, 2, 3}, {1, 2, 3, 4, 5}} {
		_, err := v.Score(q, ScoreOptions{})
		wantFault(t, err, BadOption, "for vectors of 4")
	}
	sum := 0.0
	for _, x := range UniformQuery(768) {
		sum += x * x
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("a uniform query's square is %v", sum)
	}
}
