package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"

	"poslens/internal/posemb"
)

// A shift is found where it is, and not in series that only wander.
func TestShift(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	alarms := 0
	for range 2000 { // white noise and walks of short memory
		y, level := make([]float64, 200), 0.0
		rho := 0.8 * random.Float64()
		for i := range y {
			level = rho*level + random.NormFloat64()
			y[i] = level
		}
		if _, ok := shiftOf(y); ok {
			alarms++
		}
	}
	if alarms > 0 {
		t.Errorf("%d of 2000 series without a shift have one", alarms)
	}
	for _, at := range []int{8, 50, 192} {
		y := make([]float64, 200)
		for i := range y {
			y[i] = 0.05 * random.NormFloat64()
			if i < at {
				y[i] += 0.9
			}
		}
		s, ok := shiftOf(y)
		if s.at != at || at == 50 && !ok {
			t.Errorf("a shift at %d is found at %d (%v)", at, s.at, ok)
		}
		near(t, "before", s.before, 0.9, 0.1)
		near(t, "after", s.after, 0, 0.05)
	}
	step := make([]float64, 40)
	for i := 20; i < 40; i++ {
		step[i] = 0.19
	}
	if _, ok := shiftOf(step); ok {
		t.Error("a shift of 0.19 counts")
	}
	for i := 20; i < 40; i++ {
		step[i] = 0.21
	}
	if s, ok := shiftOf(step); !ok || s.at != 20 {
		t.Errorf("a step without noise: %+v, %v", s, ok)
	}
	if _, ok := shiftOf(step[:15]); ok {
		t.Error("15 values have a shift")
	}
	near(t, "in order", inOrder([]float64{1, 2, 3}, []float64{3, 4}), (5+0.5)/6, 1e-15)
	near(t, "in the other order", inOrder([]float64{3, 4}, []float64{1, 2, 3}), (5+0.5)/6, 1e-15)
}

// Rows that were trained a little are no random ones, though each may look so: there is
// a change point, and where they are wide enough nothing else.
func TestCheckHalfTrained(t *testing.T) {
	for _, d := range []int{64, 512} {
		for _, r := range []int{64, 128, 300} {
			a, err := posemb.Smooth(posemb.SmoothOptions{N: 512, D: d})
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(3, 3))
			for i := r; i < 512; i++ {
				for j := range d {
					a.Table.Set(i, j, a.Table.At(i, j)+1.4*random.NormFloat64())
				}
			}
			got := check(t, a, CheckOptions{})
			if got.Errors > 0 {
				t.Errorf("%d components, from %d: %s", d, r, got.summary())
			}
			last := got.Findings[len(got.Findings)-1]
			if d == 512 && (len(got.Findings) != 1 || !strings.Contains(last.Text, "falls from 0.90 to 0.31 there; likely trained at length")) {
				t.Errorf("from %d: %s: %s", r, got.summary(), last.Text)
			}
			// The one pair across the seam has a cosine half-way between both levels.
			if last.Code != CodeChangePoint || last.Rows[0].From < r || last.Rows[0].From > r+1 {
				t.Errorf("%d components, from %d: %+v", d, r, last)
			}
		}
	}
}
