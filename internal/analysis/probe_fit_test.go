package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// centredBy subtracts the mean of some rows and gives those rows and others.
func centredBy(m *mat.Dense, train, test []int) (x, y *mat.Dense) {
	_, d := m.Dims()
	pick := func(which []int) *mat.Dense {
		p := mat.NewDense(len(which), d, nil)
		for k, i := range which {
			for j := range d {
				sum := 0.0
				for _, r := range train {
					sum += m.At(r, j)
				}
				p.Set(k, j, m.At(i, j)-sum/float64(len(train)))
			}
		}
		return p
	}
	return pick(train), pick(test)
}

func probingOf(t *testing.T, m *mat.Dense) *probing {
	t.Helper()
	s, err := newSubject(t.Context(), absolute(m))
	if err != nil {
		t.Fatal(err)
	}
	return &probing{s, m}
}

// upTo is 0, 1, ... n-1.
func firstRows(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// The fits of every penalty are those of the normal equations: for more rows than
// components, for fewer, where the fit of least norm is X' (X X')^+ y, and where
// components repeat.
func TestFitIsLeastSquares(t *testing.T) {
	doubled := mat.NewDense(40, 8, nil)
	for j := range 8 {
		for i, x := range mat.Col(nil, j%4, gaussian(40, 4, 9)) {
			doubled.Set(i, j, x)
		}
	}
	for name, m := range map[string]*mat.Dense{"tall": gaussian(50, 7, 1), "square": gaussian(41, 32, 2), "wide": gaussian(40, 90, 3), "doubled": doubled} {
		n, d := m.Dims()
		probed := probingOf(t, m).probe(firstRows(n))
		m = mat.DenseCopyOf(m)
		m.Scale(math.Ldexp(1, -probed.exponent), m) // the unit of penalties
		train, test := apart(rand.New(rand.NewPCG(1, 2)).Perm(n), 1)
		f, ok := probed.fit(train, test)
		if !ok {
			t.Fatal(name)
		}
		x, other := centredBy(m, train, test)
		middle := 0.0
		for _, i := range train {
			middle += float64(i)
		}
		middle /= float64(len(train))
		y := mat.NewVecDense(len(train), nil)
		for k, i := range train {
			y.SetVec(k, float64(i)-middle)
		}
		// By the kernel: other X' (X X' + penalty + 11'/m)^-1 y, the 1s of which only keep
		// the centred matrix from being singular.
		byKernel := func(penalty float64) (predicted []float64, residuals, left float64) {
			var k, cross mat.Dense
			k.Mul(x, x.T())
			cross.Mul(other, x.T())
			for i := range len(train) {
				for j := range len(train) {
					k.Set(i, j, k.At(i, j)+1/float64(len(train)))
				}
				k.Set(i, i, k.At(i, i)+penalty)
			}
			var inverse mat.Dense
			if err := inverse.Inverse(&k); err != nil {
				t.Fatal(name, err)
			}
			var dual, p mat.VecDense
			dual.MulVec(&inverse, y)
			p.MulVec(&cross, &dual)
			// Residuals are penalty times the dual, and m less the trace of the hat matrix
			// penalty times the inverse's trace, less the intercept's share.
			residuals = penalty * penalty * mat.Dot(&dual, &dual)
			left = penalty*mat.Trace(&inverse) - penalty/(1+penalty)
			return p.RawVector().Data, residuals, left
		}
		scale := 0.0
		for _, v := range x.RawMatrix().Data {
			scale += v * v
		}
		compare := func(penalty float64, want []float64, tol float64) {
			for k, got := range f.predict(penalty) {
				near(t, name, got, middle+want[k], tol)
			}
		}
		for _, share := range []float64{1e-6, 1e-3, 1} {
			want, _, _ := byKernel(share * scale)
			compare(share*scale, want, 1e-6)
		}
		compare(math.Inf(1), make([]float64, len(test)), 0)
		switch name {
		case "wide":
			want, _, _ := byKernel(0)
			compare(0, want, 1e-8)
		default:
			// Of columns: X'X w = X'y, by the first four where they repeat.
			width := d
			if name == "doubled" {
				width = 4
			}
			var w, p mat.Dense
			if err := w.Solve(x.Slice(0, len(train), 0, width), y); err != nil {
				t.Fatal(name, err)
			}
			p.Mul(other.Slice(0, len(test), 0, width), &w)
			compare(0, p.RawMatrix().Data, 1e-8)
		}
		best, least := 0.0, math.Inf(1)
		for i := range penalties {
			penalty := f.s[0] * f.s[0] * math.Pow(10, 4-float64(i)/2)
			if penalty < 1e-7*scale { // the inverse's rounding
				break
			}
			if _, residuals, left := byKernel(penalty); residuals/left/left < least {
				best, least = penalty, residuals/left/left
			}
		}
		near(t, name+": the penalty", math.Log10(f.penalty()), math.Log10(best), 1e-9)
	}
}

// A logistic regression is at its minimum where the gradient is 0: over the weights
// of explicit features, and the intercept.
func TestLogisticIsAtTheMinimum(t *testing.T) {
	for _, c := range []struct {
		m, d    int
		size    float64
		without bool
	}{{40, 5, 1, false}, {40, 90, 0.02, false}, {40, 90, 30, false}, {60, 3, 1e4, false}, {30, 1, 0, false}, {40, 60, 1, true}, {40, 2, 100, true}} {
		x := gaussian(c.m, c.d, 5)
		x.Scale(c.size, x)
		labels := make([]float64, c.m)
		for i := range labels {
			labels[i] = 1
			if i%3 == 0 && !c.without {
				labels[i] = -1
			}
		}
		var k mat.Dense
		k.Mul(x, x.T())
		f := fitLogistic(k.RawMatrix().Data, labels, c.without)
		if !f.ok {
			t.Errorf("%+v: not found, gradient %v", c, f.gradient)
			continue
		}
		var w mat.VecDense
		w.MulVec(x.T(), mat.NewVecDense(c.m, f.weight))
		gradient, start := mat.VecDenseCopyOf(&w), mat.NewVecDense(c.d, nil)
		slope := 0.0
		for i, l := range labels {
			margin := l * (mat.Dot(x.RowView(i), &w) + f.intercept)
			gradient.AddScaledVec(gradient, -l/(1+math.Exp(margin)), x.RowView(i))
			start.AddScaledVec(start, -l/2, x.RowView(i))
			slope -= l / (1 + math.Exp(margin))
		}
		if c.without {
			slope = 0
			if f.intercept != 0 {
				t.Errorf("%+v: an intercept of %v", c, f.intercept)
			}
		}
		if all := math.Hypot(mat.Norm(gradient, 2), slope); !(all <= 3e-6*(mat.Norm(start, 2)+1)) {
			t.Errorf("%+v: a gradient of %v, %v at the start", c, all, mat.Norm(start, 2))
		}
	}
	// Of equal examples the intercept alone tells: ln of the odds.
	f := fitLogistic(make([]float64, 16), []float64{1, 1, 1, -1}, false)
	near(t, "intercept", f.intercept, math.Log(3), 1e-8)
}

// Folds are scikit-learn's.
func TestFolds(t *testing.T) {
	// KFold(5) of 13: sizes 3, 3, 3, 2, 2.
	for k, want := range [][2]int{{0, 3}, {3, 6}, {6, 9}, {9, 11}, {11, 13}} {
		if from, to := foldBounds(13, k); from != want[0] || to != want[1] {
			t.Errorf("fold %d is %d to %d", k, from, to)
		}
	}
	// StratifiedKFold(5): of seven and five, the first label first, dealt in turn, folds
	// get 2 2 1 1 1 and 1 1 1 1 1.
	label := []bool{true, false, true, true, false, false, true, true, false, true, true, false}
	want := []int{0, 0, 0, 1, 1, 2, 1, 2, 3, 3, 4, 4}
	if got := stratified(label); !slices.Equal(got, want) {
		t.Errorf("folds %v, want %v", got, want)
	}
	for i := range label {
		label[i] = !label[i]
	}
	if got := stratified(label); !slices.Equal(got, want) {
		t.Errorf("turned round %v, want %v", got, want)
	}
	if got := stratified(make([]bool, 7)); !slices.Equal(got, []int{0, 0, 1, 1, 2, 3, 4}) {
		t.Errorf("of one label %v", got)
	}
}

// Pairs are different ones, their labels right, and those of disjoint folds rise.
func TestPairs(t *testing.T) {
	l := publishedPairs(30, rand.New(rand.NewPCG(1, 1)))
	seen := map[pair]bool{}
	for i, p := range l.pairs {
		if seen[p] || p.a < 0 || p.a >= 30 || p.b < 0 || p.b >= 30 || l.later[i] != (p.b > p.a) {
			t.Errorf("pair %v is later: %v", p, l.later[i])
		}
		seen[p] = true
	}
	if len(l.pairs) != 30 || len(l.fold) != 30 {
		t.Errorf("%d pairs in %d folds", len(l.pairs), len(l.fold))
	}
	rows := []int{5, 2, 9, 4}
	some := someAhead(rows, 5, rand.New(rand.NewPCG(1, 1)))
	seen = map[pair]bool{}
	for _, p := range some {
		if seen[p] || p.a >= p.b || !slices.Contains(rows, p.a) || !slices.Contains(rows, p.b) {
			t.Errorf("pair %v", p)
		}
		seen[p] = true
	}
	if len(some) != 5 || len(someAhead(rows, 50, rand.New(rand.NewPCG(1, 1)))) != 6 {
		t.Errorf("%d pairs", len(some))
	}
}

// Turned into fewer coordinates, rows keep their products.
func TestProbedCoordinates(t *testing.T) {
	m := gaussian(12, 40, 3)
	p := probingOf(t, m).probe([]int{1, 4, 11})
	if n, d := p.x.Dims(); n != 3 || d != 3 {
		t.Errorf("%d x %d", n, d)
	}
	g, err := p.products(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []int{1, 4, 11} {
		for j, b := range []int{1, 4, 11} {
			near(t, "product", g[3*i+j], floats.Dot(m.RawRowView(a), m.RawRowView(b)), 1e-12*40)
		}
	}
	if !slices.Equal(p.at, []float64{1, 4, 11}) {
		t.Errorf("positions %v", p.at)
	}
	near(t, "guess", guessError(p.at), (3+0+7)/3., 1e-15)
	near(t, "guess of an even number", guessError([]float64{0, 1, 2, 3}), 1, 0)
}
