package posemb

import (
	"math"
	"testing"
)

// nearly compares to a few roundings.
func nearly(got, want float64) bool { return math.Abs(got-want) <= 1e-12*max(1, math.Abs(want)) }

// The kernel by hand: 1 at 0, 0 at other whole numbers, and its values between.
func TestKeysKernel(t *testing.T) {
	for _, c := range []struct{ x, a, want float64 }{
		{0, -0.75, 1}, {1, -0.75, 0}, {2, -0.75, 0}, {3, -0.75, 0},
		{0.5, -0.75, 0.59375}, {1.5, -0.75, -0.09375}, {-1.5, -0.75, -0.09375}, // 1.25/8 - 2.25/4 + 1; -0.75 (27/8 - 45/4 + 12 - 4)
		{0.5, -0.5, 0.5625}, {1.5, -0.5, -0.0625},
		{0.25, -0.75, 0.87890625}, {1.25, -0.75, -0.10546875}, {0.75, -0.75, 0.26171875}, {1.75, -0.75, -0.03515625},
	} {
		if got := keys(c.x, c.a); !nearly(got, c.want) {
			t.Errorf("keys(%v, %v) is %v, want %v", c.x, c.a, got, c.want)
		}
	}
}

// Weights have the sum 1 and stay on the axis; an axis of the same length is kept.
func TestTaps(t *testing.T) {
	for name, taps := range map[string]func(from, to int) [][]tap{"cubic": cubicTaps, "smooth": smoothTaps} {
		for _, size := range [][2]int{{1, 1}, {1, 7}, {2, 3}, {7, 64}, {14, 56}, {64, 7}, {5, 5}, {9, 4}, {100, 1}} {
			all := taps(size[0], size[1])
			if len(all) != size[1] {
				t.Fatalf("%s %v: %d cells", name, size, len(all))
			}
			for i, list := range all {
				sum := 0.0
				for _, p := range list {
					if p.cell < 0 || p.cell >= size[0] {
						t.Fatalf("%s %v: cell %d", name, size, p.cell)
					}
					if size[0] == size[1] && !nearly(p.weight, one01(p.cell == i)) && p.cell != 0 && p.cell != size[0]-1 {
						t.Errorf("%s %v: cell %d has %v of cell %d", name, size, i, p.weight, p.cell)
					}
					sum += p.weight
				}
				if !nearly(sum, 1) {
					t.Errorf("%s %v: the weights of cell %d have the sum %v", name, size, i, sum)
				}
			}
		}
	}
}

// ramp is a grid of 2 components, 3 row + 5 column and a constant.
func ramp(g Grid) []float64 {
	var data []float64
	for y := range g.Rows {
		for x := range g.Cols {
			data = append(data, float64(3*y+5*x), 7)
		}
	}
	return data
}

// A constant stays. A slope stays one inside under a = -0.5, which reproduces it, and
// at double size bends by a known amount under a = -0.75.
func TestResampleConstantAndSlope(t *testing.T) {
	from, to := Grid{6, 5}, Grid{12, 10}
	for name, taps := range map[string]func(from, to int) [][]tap{"cubic": cubicTaps, "smooth": smoothTaps} {
		got := resample(ramp(from), from, to, 2, taps)
		if len(got) != to.Rows*to.Cols*2 {
			t.Fatalf("%d numbers", len(got))
		}
		// Between the weights of -1, 0, 1, 2 at a quarter, a slope of 1 moves by
		// 0.25 - 0.1875 (a + 0.5) instead of 0.25.
		bend := 0.0
		if name == "cubic" {
			bend = 0.1875 * 0.25
		}
		off := func(k int) float64 { // where cell k of the double size lies
			at := (float64(k)+0.5)/2 - 0.5
			if k%2 == 1 { // a quarter behind a cell
				return at + bend
			}
			return at - bend // three quarters behind one
		}
		for y := range to.Rows {
			for x := range to.Cols {
				at := (y*to.Cols + x) * 2
				if !nearly(got[at+1], 7) {
					t.Errorf("%s: the constant is %v at (%d, %d)", name, got[at+1], y, x)
				}
				if inside := y > 3 && y < to.Rows-4 && x > 3 && x < to.Cols-4; inside && !nearly(got[at], 3*off(y)+5*off(x)) {
					t.Errorf("%s: %v at (%d, %d), want %v", name, got[at], y, x, 3*off(y)+5*off(x))
				}
			}
		}
	}
}

// One bright cell, by the kernel: inside, and at the border, where the cubic clamps
// and the smooth one scales.
func TestResampleSpot(t *testing.T) {
	from, to := Grid{1, 5}, Grid{1, 10}
	spot := func(cell int, taps func(from, to int) [][]tap) []float64 {
		data := make([]float64, 5)
		data[cell] = 1
		return resample(data, from, to, 1, taps)
	}
	for _, c := range []struct {
		name string
		got  []float64
		cell int
		want float64
	}{
		{"cubic", spot(2, cubicTaps), 4, keys(0.25, -0.75)}, // (4 + 0.5)/2 - 0.5 = 1.75
		{"cubic", spot(2, cubicTaps), 5, keys(0.25, -0.75)},
		{"cubic", spot(2, cubicTaps), 7, keys(1.25, -0.75)}, // 3.25
		{"cubic", spot(2, cubicTaps), 8, keys(1.75, -0.75)},
		{"cubic", spot(2, cubicTaps), 9, 0},
		{"cubic", spot(0, cubicTaps), 0, keys(1.75, -0.75) + keys(0.75, -0.75) + keys(0.25, -0.75)}, // -0.25: cells -2, -1 and 0 are cell 0
		{"cubic", spot(4, cubicTaps), 9, keys(1.75, -0.75) + keys(0.75, -0.75) + keys(0.25, -0.75)},
		{"smooth", spot(2, smoothTaps), 4, keys(0.25, -0.5)},
		{"smooth", spot(2, smoothTaps), 6, keys(0.75, -0.5)},                          // centre 3.25: cells 1 to 4
		{"smooth", spot(2, smoothTaps), 7, keys(1.25, -0.5) / (1 - keys(1.75, -0.5))}, // centre 3.75: cell 5 is not there
		{"smooth", spot(0, smoothTaps), 0, keys(0.25, -0.5) / (keys(0.25, -0.5) + keys(1.25, -0.5))},
		{"smooth", spot(1, smoothTaps), 0, keys(1.25, -0.5) / (keys(0.25, -0.5) + keys(1.25, -0.5))},
	} {
		if !nearly(c.got[c.cell], c.want) {
			t.Errorf("%s: cell %d is %v, want %v", c.name, c.cell, c.got[c.cell], c.want)
		}
	}
	// Half the size: the smooth kernel is twice as wide.
	data := []float64{0, 0, 0, 1, 0, 0, 0, 0}
	sum := 0.0
	for cell := range 8 {
		sum += keys((float64(cell)+0.5-3)/2, -0.5) // target cell 1 has its centre at 3
	}
	if got := resample(data, Grid{1, 8}, Grid{1, 4}, 1, smoothTaps)[1]; !nearly(got, keys(0.25, -0.5)/sum) {
		t.Errorf("%v, want %v", got, keys(0.25, -0.5)/sum)
	}
}
