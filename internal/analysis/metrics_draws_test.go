package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// A subject that holds its cosines and looks at them in another order has the figures
// of the table whose rows are copied in that order; so has one that holds them in the
// table's own. Rows that are not defined move too.
func TestHeldCosinesHaveTheFiguresOfACopy(t *testing.T) {
	odd := gaussian(50, 30, 2)
	odd.SetRow(7, make([]float64, 30))
	odd.Set(20, 3, math.NaN())
	for name, table := range map[string]*mat.Dense{"defined": gaussian(40, 60, 1), "odd": odd, "two": gaussian(2, 3, 3)} {
		own, err := newSubject(t.Context(), absolute(table))
		if err != nil {
			t.Fatal(err)
		}
		own.share()
		base := *own
		base.keep(t.Context())
		n, d := table.Dims()
		order := rand.New(rand.NewPCG(1, 2)).Perm(n)
		copied := mat.NewDense(n, d, nil)
		for to, from := range order {
			copied.SetRow(to, table.RawRowView(from))
		}
		plain, err := newSubject(t.Context(), &posemb.Absolute{Table: copied, Stride: 1})
		if err != nil {
			t.Fatal(err)
		}
		held := *plain
		held.hold(t.Context())
		random := *plain
		random.random = true
		want := newFigures()
		if err := take(t.Context(), plain, want, Metrics); err != nil {
			t.Fatal(err)
		}
		for way, s := range map[string]*subject{"reordered": base.reordered(order), "held": &held, "random": &random} {
			got := newFigures()
			if err := take(t.Context(), s, got, Metrics); err != nil {
				t.Fatal(err)
			}
			for _, m := range Metrics {
				g, gok := got.value[m.Name]
				w, wok := want.value[m.Name]
				if gok != wok || !(math.Abs(g-w) <= 1e-12*max(1, math.Abs(w))) || got.reason[m.Name] != want.reason[m.Name] {
					t.Errorf("%s, %s: %s is %v (%s), want %v (%s)", name, way, m.Name, g, got.reason[m.Name], w, want.reason[m.Name])
				}
			}
		}
	}
}

// Draws take longer the larger the table is.
func TestDrawSecondsGrow(t *testing.T) {
	before := 0.0
	for _, size := range [][2]int{{1, 1}, {128, 64}, {512, 768}, {1024, 768}, {2048, 768}, {4096, 1024}, {65536, 64}} {
		s := DrawSeconds(size[0], size[1])
		if !(s > before) {
			t.Errorf("%v: %v seconds, after %v", size, s, before)
		}
		before = s
	}
}
