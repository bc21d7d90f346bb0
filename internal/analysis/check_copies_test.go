package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// An extension that copies the reserved rows into the middle shifts all that follows.
func TestCheckTiledReserved(t *testing.T) {
	for _, zero := range []bool{false, true} {
		aside := gaussian(2, 64, 9)
		if zero {
			aside.SetRow(1, make([]float64, 64))
		}
		short := learned(t, 100, 1)
		m := mat.NewDense(250, 64, nil) // positions of 252 stored rows: 102 of them two and a half times
		for i := range 250 {
			switch k := (i + 2) % 102; {
			case k < 2:
				m.SetRow(i, aside.RawRowView(k))
			default:
				m.SetRow(i, short.RawRowView(k-2))
			}
		}
		a := &posemb.Absolute{Table: m, Reserved: 2, Aside: aside}
		r := check(t, a, CheckOptions{Ignore: []string{CodeNoiseFloor, CodeNorms}})
		want := "tiled-reserved position 100..101 202..203"
		if zero {
			want = "zero-rows position 101 203; " + want
		}
		if r.summary() != want {
			t.Errorf("%q, want %q", r.summary(), want)
		}
		last := r.Findings[len(r.Findings)-1]
		if last.Value != 102 || !strings.Contains(last.Text, "positions 100, 101, 202, 203 hold copies of the 2 reserved rows") {
			t.Errorf("%+v", last)
		}
	}
}

// A smallest period is found beside one by brute force, for words of few letters.
func TestPeriod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20000 {
		class := make([]int, 1+r.IntN(9))
		plain := make([]bool, len(class))
		for i := range class {
			class[i] = r.IntN(3)
			plain[i] = class[i] > 0
		}
		want := 0
		for p := len(class) - 2; p > 0; p-- { // the smallest lag stays
			all := true
			for i := p; i < len(class); i++ {
				all = all && class[i] == class[i-p]
			}
			if all {
				want = p
			}
		}
		if want > 0 { // two different letters that are no zero must be among the copies
			among := map[int]bool{}
			for _, k := range class[want:] {
				if k > 0 {
					among[k] = true
				}
			}
			if len(among) < 2 {
				want = 0
			}
		}
		if got := periodOf(class, plain); got != want {
			t.Fatalf("%v: period %d, want %d", class, got, want)
		}
		if want > 0 {
			found++
		}
	}
	if found < 100 {
		t.Errorf("only %d words had a period", found)
	}
}
