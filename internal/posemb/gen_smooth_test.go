package posemb

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestExpectedCosine(t *testing.T) {
	np := readTestdata[numpyValues](t, "numpy.json")
	if len(np.Expected) == 0 {
		t.Fatal("no values")
	}
	for _, e := range np.Expected {
		if got := ExpectedCosine(e[0], int(e[1])); !nearTo(got, e[2], 1e-12) {
			t.Errorf("r %v, d %v: %v, want %v", e[0], e[1], got, e[2])
		}
	}
	for _, e := range []struct {
		r    float64
		d    int
		want float64
	}{{0.9, 8, 0.88695}, {0.9, 64, 0.89863}, {-0.9, 8, -0.88695}, {1, 1, 1}, {1, 64, 1}, {-1, 768, -1}, {0, 5, 0}} {
		if got := ExpectedCosine(e.r, e.d); math.Abs(got-e.want) > 5e-6 {
			t.Errorf("r %v, d %d: %v, want %v", e.r, e.d, got, e.want)
		}
	}
	for _, r := range []float64{-0.7, 0.3, 0.999} { // one component: the mean sign, an arcsine
		if got, want := ExpectedCosine(r, 1), math.Asin(r)*2/math.Pi; !nearTo(got, want, 1e-12) {
			t.Errorf("r %v, d 1: %v, want %v", r, got, want)
		}
	}
	for _, v := range []float64{ExpectedCosine(1.01, 8), ExpectedCosine(math.NaN(), 8), ExpectedCosine(0.5, 0)} {
		if !math.IsNaN(v) {
			t.Errorf("%v out of the domain, want NaN", v)
		}
	}
}

// The formula against draws of pairs of vectors: within 4 standard errors.
func TestExpectedCosineMonteCarlo(t *testing.T) {
	const draws = 10000
	for _, d := range []int{1, 2, 8, 64} {
		for _, r := range []float64{0.9, -0.5} {
			rng := newLegacyRand(uint32(d))
			var sum, squares float64
			for range draws {
				var ab, aa, bb float64
				for range d {
					x := rng.Normal()
					y := r*x + math.Sqrt(1-r*r)*rng.Normal()
					ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
				}
				c := ab / math.Sqrt(aa*bb)
				sum, squares = sum+c, squares+c*c
			}
			mean := sum / draws
			se := math.Sqrt((squares/draws - mean*mean) / draws)
			if want := ExpectedCosine(r, d); math.Abs(mean-want) > 4*se {
				t.Errorf("d %d, r %v: mean of %d draws %v +- %v, formula %v", d, r, draws, mean, se, want)
			}
		}
	}
}

func TestCorrelation(t *testing.T) {
	for _, c := range []struct {
		opt  SmoothOptions
		k    int
		want float64
	}{
		{SmoothOptions{}, 0, 1},
		{SmoothOptions{}, 1, 0.913 * math.Exp(-1.0/72)},
		{SmoothOptions{}, -6, 0.913 * math.Exp(-0.5)},
		{SmoothOptions{Kernel: "rbf", Noise: new(0.0)}, 12, math.Exp(-2)},
		{SmoothOptions{Kernel: "exponential", Length: 4, Noise: new(0.5)}, 8, 0.5 * math.Exp(-2)},
		{SmoothOptions{Kernel: "matern32", Length: math.Sqrt(3), Noise: new(0.0)}, 2, 3 * math.Exp(-2)},
		{SmoothOptions{Noise: new(1.0)}, 1, 0},
		{SmoothOptions{Kernel: "matern32", Length: 1e-100}, 1 << 40, 0},
	} {
		if got := c.opt.Correlation(c.k); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%+v at %d: %v, want %v", c.opt, c.k, got, c.want)
		}
	}
	if got := (SmoothOptions{Length: -1}).Correlation(1); !math.IsNaN(got) {
		t.Errorf("a negative length gave %v", got)
	}
}

// The default's shape is that of a well-trained table: 1, about 0.9, near 0 from 20 on.
func TestSmoothDefaultShape(t *testing.T) {
	var opt SmoothOptions
	if c := ExpectedCosine(opt.Correlation(1), 64); math.Abs(c-0.9) > 0.005 {
		t.Errorf("expected cosine %v at distance 1, want about 0.9", c)
	}
	for k := 20; k < 128; k++ {
		if c := ExpectedCosine(opt.Correlation(k), 64); math.Abs(c) > 0.1 {
			t.Errorf("expected cosine %v at distance %d, want near 0", c, k)
		}
	}
}

// The mean decay over many seeds against its expectation, within 4 standard errors of
// the seeds' own scatter, which makes no assumption on how positions depend.
func TestSmoothDecay(t *testing.T) {
	const seeds = 60
	for _, opt := range []SmoothOptions{
		{},
		{D: 8},
		{D: 16, Kernel: "exponential", Noise: new(0.0)},
		{D: 16, Kernel: "matern32", Length: 10, Noise: new(0.3)},
		{N: 40, D: 16, Length: 60, Noise: new(0.0)}, // longer than the table
		{D: 4, Noise: new(1.0)},
	} {
		distances := []int{0, 1, 2, 5, 10, 20, 35}
		sum, squares := make([]float64, len(distances)), make([]float64, len(distances))
		for seed := range uint32(seeds) {
			opt.Seed = &seed
			a, err := Smooth(opt)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := a.Table.Dims()
			for j, k := range distances {
				mean := 0.0
				for i := range n - k {
					mean += rowCosine(a.Table, i, k) / float64(n-k)
				}
				sum[j], squares[j] = sum[j]+mean, squares[j]+mean*mean
			}
		}
		s, err := opt.settle()
		if err != nil {
			t.Fatal(err)
		}
		for j, k := range distances {
			mean := sum[j] / seeds
			se := math.Sqrt(max(squares[j]/seeds-mean*mean, 0) / (seeds - 1))
			if want := ExpectedCosine(s.correlation(k), s.d); math.Abs(mean-want) > 4*se+1e-12 {
				t.Errorf("%s, d %d, noise %v, distance %d: %v +- %v, want %v", s.kernel.name, s.d, s.noise, k, mean, se, want)
			}
		}
	}
}

// Variance and correlation of the components themselves, which the cosine can't tell.
func TestSmoothMoments(t *testing.T) {
	const d = 5000
	opt := SmoothOptions{N: 32, D: d}
	a, err := Smooth(opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 13} {
		for _, k := range []int{0, 1, 4, 18} {
			var sum, squares float64
			x, y := a.Table.RawRowView(i), a.Table.RawRowView(i+k)
			for c := range x {
				sum += x[c] * y[c]
				squares += x[c] * y[c] * x[c] * y[c]
			}
			mean := sum / d
			se := math.Sqrt((squares/d - mean*mean) / d)
			if want := opt.Correlation(k); math.Abs(mean-want) > 4*se {
				t.Errorf("covariance of positions %d and %d: %v +- %v, want %v", i, i+k, mean, se, want)
			}
		}
	}
}

func TestSmoothIsNumpys(t *testing.T) {
	np := readTestdata[numpyValues](t, "numpy.json")
	if len(np.Smooth) != len(kernels) {
		t.Fatalf("%d tables, want one a kernel", len(np.Smooth))
	}
	for _, w := range np.Smooth {
		a, err := Smooth(SmoothOptions{N: w.N, D: w.D, Kernel: w.Kernel, Length: w.Length, Noise: &w.Noise, Seed: &w.Seed})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range w.Rows {
			for j, want := range row {
				if got := a.Table.At(i, j); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s, row %d, component %d: %v, numpy has %v", w.Kernel, i, j, got, want)
				}
			}
		}
	}
}

func TestSmoothOnAnyNumberOfCores(t *testing.T) {
	opt := SmoothOptions{N: 300, D: 33}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err := Smooth(opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, cores := range []int{2, 5, 40} {
		runtime.GOMAXPROCS(cores)
		many, err := Smooth(opt)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(one.Table.RawMatrix().Data, many.Table.RawMatrix().Data) {
			t.Errorf("%d cores gave another table", cores)
		}
	}
}

// Tables of neighbouring seeds share no component.
func TestSmoothSeeds(t *testing.T) {
	a, _ := Smooth(SmoothOptions{N: 64, D: 8, Seed: new(uint32(7))})
	b, _ := Smooth(SmoothOptions{N: 64, D: 8, Seed: new(uint32(8))})
	for i := range 8 {
		for j := range 8 {
			if mat.Equal(a.Table.ColView(i), b.Table.ColView(j)) {
				t.Errorf("component %d of seed 7 is component %d of seed 8", i, j)
			}
		}
	}
}

// A kernel longer than any affordable ring is clipped, which a note tells; otherwise
// the embedding is exact.
func TestSmoothClipping(t *testing.T) {
	for _, c := range []struct {
		opt  SmoothOptions
		note bool
	}{
		{SmoothOptions{}, false},
		{SmoothOptions{N: 100, D: 2, Length: 1000, Noise: new(0.0)}, false},
		{SmoothOptions{N: 100, Kernel: "exponential", Length: 1e30, Noise: new(0.0)}, false},
		{SmoothOptions{N: 100, D: 2, Kernel: "matern32", Length: 1e3, Noise: new(0.0)}, false},
		{SmoothOptions{N: 1000, D: 1, Length: 1e6, Noise: new(0.0)}, true},
	} {
		a, err := Smooth(c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if note := strings.Contains(strings.Join(a.Notes, "\n"), "correlations are off by"); note != c.note {
			t.Errorf("%+v: notes %q", c.opt, a.Notes)
		}
		s, _ := c.opt.settle()
		scale, off := s.spectrum()
		variance := scale[0]*scale[0] + scale[len(scale)-1]*scale[len(scale)-1]
		for _, v := range scale[1 : len(scale)-1] {
			variance += 4 * v * v // a real and an imaginary part, and the frequency m-j
		}
		if math.Abs(variance-1) > 1e-9 {
			t.Errorf("%+v: variance %v", c.opt, variance)
		}
		if off > 0.02 {
			t.Errorf("%+v: correlations off by %v", c.opt, off)
		}
	}
}

func TestSmoothOnePosition(t *testing.T) {
	a, err := Smooth(SmoothOptions{N: 1, D: 1})
	if err != nil || math.IsNaN(a.Table.At(0, 0)) || a.Table.At(0, 0) == 0 {
		t.Errorf("%v, %v", a, err)
	}
}

func BenchmarkSmooth(b *testing.B) {
	for _, n := range []int{128, 4096, 65536} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Smooth(SmoothOptions{N: n}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
