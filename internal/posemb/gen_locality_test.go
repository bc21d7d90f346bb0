package posemb

import (
	"math"
	"testing"
)

func TestLocalityWorkedExample(t *testing.T) {
	want := readTestdata[struct {
		Offset  []int
		Vectors [][]float64
		Profile []float64
	}](t, "locality_42.json")
	v, err := Locality(LocalityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if rows, cols := v.Table.Dims(); rows != 11 || cols != 4 || len(want.Vectors) != 11 {
		t.Fatalf("%d x %d, and %d rows wanted", rows, cols, len(want.Vectors))
	}
	if x := v.Axes[0]; len(v.Axes) != 1 || x.Min != want.Offset[0] || x.Max != want.Offset[10] {
		t.Errorf("axes %v", v.Axes)
	}
	for i, row := range want.Vectors {
		score := 0.0
		for j, w := range row {
			got := v.Table.At(i, j)
			score += got / 2
			if math.Abs(got-w) > 1e-12 {
				t.Errorf("offset %d, component %d: %v, want %v", want.Offset[i], j, got, w)
			}
		}
		if math.Abs(score-want.Profile[i]) > 1e-12 {
			t.Errorf("offset %d: profile %v, want %v", want.Offset[i], score, want.Profile[i])
		}
	}
}

func TestLocalityBump(t *testing.T) {
	v, err := Locality(LocalityOptions{Reach: 8, Width: 2, Noise: new(0.0), Amplitude: new(-3.0), Peak: -2, Back: 4, Ahead: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[int]float64{
		-2: -3,
		-6: -3 * math.Exp(-0.5), // one spread back
		-1: -3 * math.Exp(-2),   // two spreads ahead
		8:  -3 * math.Exp(-200),
	} {
		if got := v.Table.At(k+8, 0); !nearTo(got, want, 1e-14) {
			t.Errorf("offset %d: %v, want %v", k, got, want)
		}
		if got := v.Table.At(k+8, 1); got != 0 {
			t.Errorf("offset %d: component 1 is %v", k, got)
		}
	}
}
