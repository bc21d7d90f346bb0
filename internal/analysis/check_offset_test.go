package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A vector that all rows share is told from 90 % of the energy on: of rows +-e_1 + a e_2
// it has a^2 / (1 + a^2).
func TestCheckCommonOffset(t *testing.T) {
	for _, c := range []struct{ a, scale float64 }{{2.9, 1}, {3.1, 1}, {1000, 1}, {3.1, 1e-30}, {3.1, 1e200}} {
		m := mat.NewDense(32, 2, nil)
		for i := range 32 {
			m.SetRow(i, []float64{c.scale * float64(1-i%2*2), c.scale * c.a})
		}
		r := check(t, absolute(m), CheckOptions{Ignore: []string{CodeTiled}})
		if c.a < 3 {
			if r.summary() != "" {
				t.Errorf("%v: %s", c.a, r.summary())
			}
			continue
		}
		if r.summary() != CodeCommonOffset || r.Errors > 0 {
			t.Errorf("%v: %s", c, r.summary())
			continue
		}
		near(t, "share", float64(r.Findings[0].Value), c.a*c.a/(1+c.a*c.a), 1e-12)
	}
}

// Norms from 1 to 10^k in a row differ by 10^(0.9 k) between the quantiles of 5 and 95 %.
func TestCheckNormRange(t *testing.T) {
	for _, orders := range []float64{2, 2.5, 3} {
		m := gaussian(201, 64, 2)
		for i := range 201 {
			scaleRow(m, i, math.Pow(10, orders*float64(i)/200)/mat.Norm(m.RowView(i), 2))
		}
		r := check(t, absolute(m), CheckOptions{Ignore: []string{CodeNoiseFloor}})
		if orders < 2.2 {
			if r.summary() != "" {
				t.Errorf("%v orders: %s", orders, r.summary())
			}
			continue
		}
		// Row 10 is at the quantile of 5 %, and 200 / orders rows are ten times.
		if want := fmt.Sprintf("norm-range 0..%d", 9+int(math.Ceil(200/orders))); r.summary() != want {
			t.Errorf("%v orders: %s, want %s", orders, r.summary(), want)
			continue
		}
		near(t, "ratio", float64(r.Findings[0].Value), math.Pow(10, 0.9*orders), 1e-6)
	}
	for _, largest := range []float64{1e10, 1e300} { // told in few digits, and the last, 10^337 times, is beyond float64
		m := gaussian(40, 64, 2)
		for i := range 40 {
			scaleRow(m, i, map[bool]float64{true: 1e-37, false: largest}[i < 24])
		}
		r := check(t, absolute(m), CheckOptions{Ignore: []string{CodeNoiseFloor, CodeNorms, CodeUntrained}})
		if f := r.Findings[0]; f.Code != CodeNormRange || !f.Value.Defined() || !strings.Contains(f.Text, "e+") || len(f.Text) > 250 {
			t.Errorf("largest %v: %s: %v: %s", largest, r.summary(), f.Value, f.Text)
		}
	}
	m := learned(t, 128, 1) // some rows are no range
	for i := range 5 {
		scaleRow(m, i, 1e-3)
	}
	if r := check(t, absolute(m), CheckOptions{Ignore: []string{CodeNorms}}); r.summary() != "" {
		t.Error(r.summary())
	}
}
