package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// fiedler is fiedlerOf, of a copy.
func fiedler(t *testing.T, w *mat.SymDense) *fiedlerPair {
	t.Helper()
	n := w.SymmetricDim()
	f, err := fiedlerOf(t.Context(), append([]float64(nil), mat.DenseCopyOf(w).RawMatrix().Data...), n)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The Laplacian of a path of n has the eigenvalues 2 - 2 cos(pi k / n) and the
// vectors cos(pi k (i + 1/2) / n), whatever the order of its rows.
func TestFiedlerOfPath(t *testing.T) {
	for _, n := range []int{10, 61, 700} {
		order := rand.New(rand.NewPCG(uint64(n), 1)).Perm(n)
		w := mat.NewSymDense(n, nil)
		for i := range n - 1 {
			w.SetSym(order[i], order[i+1], 1)
		}
		f := fiedler(t, w)
		if f.reason != "" {
			t.Fatal(f.reason)
		}
		value := func(k float64) float64 { return 4 * math.Pow(math.Sin(math.Pi*k/2/float64(n)), 2) }
		near(t, "second", f.second, value(1), 1e-7*value(1))
		near(t, "third", f.third, value(2), 1e-7*value(2))
		sign := math.Copysign(math.Sqrt(2/float64(n)), f.vector[order[0]])
		for i := range n {
			near(t, "vector", f.vector[order[i]], sign*math.Cos(math.Pi*(float64(i)+0.5)/float64(n)), 1e-7)
		}
		at := make([]float64, n)
		for k, i := range order {
			at[i] = float64(k)
		}
		near(t, "rho", math.Abs(spearman(f.vector, at)), 1, 1e-12)
	}
}

// The vector is gonum's, of graphs near and far from a path, with clusters of
// eigenvalues and without.
func TestFiedlerIsGonums(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for name, weight := range map[string]func(i, j int) float64{
		"random":    func(i, j int) float64 { return random.Float64() },
		"nearly 1":  func(i, j int) float64 { return 1 - 1e-3*random.Float64() },
		"kernel":    func(i, j int) float64 { return math.Exp(-float64((i-j)*(i-j)) / 50) },
		"long tail": func(i, j int) float64 { return 1 / (1 + math.Abs(float64(i-j))) },
		"sparse":    func(i, j int) float64 { return max(0, random.Float64()-0.8) },
	} {
		const n = 150
		w, l := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
		for i := range n {
			w.SetSym(i, i, 3) // of no consequence
			for j := range i {
				x := weight(i, j)
				w.SetSym(i, j, x)
				l.SetSym(i, j, -x)
				l.SetSym(i, i, l.At(i, i)+x)
				l.SetSym(j, j, l.At(j, j)+x)
			}
		}
		f := fiedler(t, w)
		if f.reason != "" {
			t.Fatal(name, f.reason)
		}
		var e mat.EigenSym
		if !e.Factorize(l, true) {
			t.Fatal(name)
		}
		values := e.Values(nil)
		near(t, name+": second", f.second, values[1], 1e-9*values[n-1])
		near(t, name+": third", f.third, values[2], 1e-9*values[n-1])
		var u mat.Dense
		e.VectorsTo(&u)
		near(t, name+": the product with gonum's vector", math.Abs(floats.Dot(f.vector, mat.Col(nil, 1, &u))), 1, 1e-8)
	}
}

// No order is made up where there is none.
func TestFiedlerIsUndefined(t *testing.T) {
	const n = 40
	for name, c := range map[string]struct {
		weight func(i, j int) float64
		reason string
	}{
		"ring":      {func(i, j int) float64 { return float64(max(0, 2-min(i-j, n-i+j))) }, "no order"},
		"wide ring": {func(i, j int) float64 { d := float64(min(i-j, n-i+j)); return math.Exp(-d * d / 20) }, "no order"},
		"complete":  {func(i, j int) float64 { return 1 }, "no order"},
		"star":      {func(i, j int) float64 { return float64(max(0, 1-j)) }, "no order"},
		"halves":    {func(i, j int) float64 { return float64(1 - (i/20+j/20)%2) }, "into 2 groups"},
		"nothing":   {func(i, j int) float64 { return 0 }, "into 40 groups"},
		"a thread":  {func(i, j int) float64 { return max(1-float64((i/20+j/20)%2), 1e-15) }, "all but fall apart"},
	} {
		w := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i {
				w.SetSym(i, j, c.weight(i, j))
			}
		}
		if f := fiedler(t, w); !strings.Contains(f.reason, c.reason) {
			t.Errorf("%s: %q, second %v, third %v", name, f.reason, f.second, f.third)
		}
	}
}

// Tables that are smooth over many positions give their order back; where the noise of
// far rows outweighs the neighbours, the sharp order alone does. A circle has none.
func TestOrderOfTables(t *testing.T) {
	order := func(a *posemb.Absolute) (plain, sharp Order) {
		r := &ProbeResult{}
		if err := r.recoverOrder(t.Context(), probingOf(t, a.Table), ProbeOptions{}); err != nil {
			t.Fatal(err)
		}
		return r.Order, r.OrderSharp
	}
	smooth := func(opt posemb.SmoothOptions) *posemb.Absolute {
		a, err := posemb.Smooth(opt)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if plain, sharp := order(smooth(posemb.SmoothOptions{N: 256, D: 512, Length: 100})); !(plain.Spearman > 0.999 && sharp.Spearman > 0.999) {
		t.Errorf("smooth: %v, sharp %v", plain.Spearman, sharp.Spearman)
	}
	if plain, sharp := order(smooth(posemb.SmoothOptions{})); !(plain.Spearman < 0.5 && sharp.Spearman > 0.999) {
		t.Errorf("smooth of 128 x 64: %v, sharp %v", plain.Spearman, sharp.Spearman)
	}
	circle := mat.NewDense(36, 2, nil)
	for i := range 36 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 36)
		circle.SetRow(i, []float64{sin, cos})
	}
	if plain, _ := order(absolute(circle)); plain.Reason == "" || plain.Spearman.Defined() {
		t.Errorf("a circle has the order %v", plain.Spearman)
	}
	// Half a turn, no row being opposite to another: S falls with the distance.
	for i := range 36 {
		sin, cos := math.Sincos(math.Pi / 2 * float64(i) / 36)
		circle.SetRow(i, []float64{sin, cos})
	}
	circle.SetRow(9, []float64{0, 0}) // has no cosine
	plain, _ := order(absolute(circle))
	near(t, "an arc's order", float64(plain.Spearman), 1, 1e-12)
	if plain.Rows != 35 {
		t.Errorf("%d rows", plain.Rows)
	}
}

// Equal values share their mean rank: rho of (1, 2, 2, 3) and (1, 2, 3, 4) is
// 4.5 / sqrt(4.5 * 5).
func TestSpearman(t *testing.T) {
	near(t, "rho with a tie", spearman([]float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}), 4.5/math.Sqrt(4.5*5), 1e-15)
	near(t, "rho of a falling curve", spearman([]float64{9, 3, 1, -7}, []float64{1, 2, 3, 50}), -1, 1e-15)
}
