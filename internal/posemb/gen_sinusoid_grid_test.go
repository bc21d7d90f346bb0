package posemb

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The cosine of two cells is the mean of the closed forms of their columns and
// their rows, and every row has the squared norm d/2.
func TestSinusoidGridClosedForm(t *testing.T) {
	const rows, cols, d = 5, 9, 48
	for _, frequencies := range gridFrequencyNames {
		a, err := SinusoidGrid(SinusoidGridOptions{Rows: rows, Cols: cols, D: d, Frequencies: frequencies})
		if err != nil {
			t.Fatal(err)
		}
		if n, width := a.Table.Dims(); n != rows*cols || width != d || a.Grid != (Grid{rows, cols}) || a.Frames != 0 {
			t.Fatalf("%d x %d, %v, %d frames", n, width, a.Grid, a.Frames)
		}
		along := func(k int) float64 { // the mean cosine of k steps along one axis
			sum := 0.0
			for i := range d / 4 {
				exponent := float64(i) / (d / 4)
				if frequencies == "simple-vit" {
					exponent = float64(i) / (d/4 - 1)
				}
				sum += math.Cos(float64(k) / math.Pow(10000, exponent))
			}
			return sum / (d / 4)
		}
		for i := range rows * cols {
			if row := a.Table.RowView(i); !nearTo(mat.Dot(row, row), d/2, 1e-13) {
				t.Errorf("%s: squared norm of row %d is %v", frequencies, i, mat.Dot(row, row))
			}
			for j := i; j < rows*cols; j++ {
				want := (along(j%cols-i%cols) + along(j/cols-i/cols)) / 2
				if got := rowCosine(a.Table, i, j-i); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: cosine of cells %d and %d is %v, want %v", frequencies, i, j, got, want)
				}
			}
		}
	}
}

// The order of the components: the column's sines and cosines, then the row's.
func TestSinusoidGridLayout(t *testing.T) {
	for frequencies, w := range map[string]float64{"mae": 0.1, "simple-vit": 0.01} {
		a, err := SinusoidGrid(SinusoidGridOptions{Rows: 2, Cols: 4, D: 8, Base: 100, Frequencies: frequencies})
		if err != nil {
			t.Fatal(err)
		}
		const x, y = 3, 1 // of row 7
		for j, want := range []float64{math.Sin(x), math.Sin(x * w), math.Cos(x), math.Cos(x * w), math.Sin(y), math.Sin(y * w), math.Cos(y), math.Cos(y * w)} {
			if got := a.Table.At(7, j); !nearTo(got, want, 1e-14) {
				t.Errorf("%s: component %d is %v, want %v", frequencies, j, got, want)
			}
		}
	}
}
