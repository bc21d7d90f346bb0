package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// random gives unit vectors in a wider matrix, some of which a norm of 0 leaves
// out though they hold NaN.
func random(n, d int, seed uint64) Vectors {
	rng := rand.New(rand.NewPCG(seed, 7))
	v := Vectors{N: n, D: d, Stride: d + 3, Data: make([]float64, n*(d+3)), Norm: make([]float64, n)}
	for i := range v.Data {
		v.Data[i] = rng.NormFloat64()
	}
	for i := range n {
		if v.Norm[i] = floats.Norm(v.row(i), 2); d == 0 || rng.IntN(10) == 0 {
			v.Norm[i] = 0
			for k := range v.row(i) {
				v.row(i)[k] = math.NaN()
			}
		}
	}
	return v
}

// plain is the matrix of products by gonum's Syrk, the definition.
func plain(v Vectors) []float64 {
	rows := make([]float64, v.N*v.D)
	for i := range v.N {
		if v.norm(i) != 0 {
			copy(rows[i*v.D:], v.row(i))
			floats.Scale(1/v.norm(i), rows[i*v.D:(i+1)*v.D])
		}
	}
	g := make([]float64, v.N*v.N)
	if v.D > 0 && v.N > 0 {
		blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: v.N, Cols: v.D, Stride: v.D, Data: rows}, 0,
			blas64.Symmetric{Uplo: blas.Upper, N: v.N, Stride: v.N, Data: g})
	}
	for i := range v.N {
		for j := range i {
			g[i*v.N+j] = g[j*v.N+i]
		}
	}
	return g
}

// kernels are all that this processor can run.
func kernels[F Float]() map[string]kernel[F] {
	all := map[string]kernel[F]{"portable": portable[F]()}
	if k, ok := vector[F](); ok {
		all["vector"] = k
	}
	return all
}

// tolerance is for products of unit vectors: relative to the vectors' lengths in
// double, absolute in single precision.
func tolerance[F Float]() float64 {
	if any(F(0)) == any(float32(0)) {
		return 1e-5
	}
	return 1e-12
}

// sizes are about the edges of tiles, panels and blocks of components.
var sizes = []int{0, 1, 2, 3, 4, 5, 11, 12, 13, 23, 24, 25, 47, 95, 96, 97, 191, 192, 200, 300}
var widths = []int{0, 1, 2, 3, 4, 7, 64, 127, 128, 129, 191, 192, 193, 320, 333, 384, 385}

func TestUpperIsGonums(t *testing.T) {
	both[float64](t, upperCase[float64])
	both[float32](t, upperCase[float32])
}

func TestBandIsGonums(t *testing.T) {
	both[float64](t, bandCase[float64])
	both[float32](t, bandCase[float32])
}

func TestDiagonalIsGonums(t *testing.T) {
	both[float64](t, diagonalCase[float64])
	both[float32](t, diagonalCase[float32])
}

func TestProductIsGonums(t *testing.T) {
	both[float64](t, productCase[float64])
	both[float32](t, productCase[float32])
}

// both checks a case with every kernel of one precision, at random sizes.
func both[F Float](t *testing.T, check func(*rapid.T, kernel[F], Vectors)) {
	for name, k := range kernels[F]() {
		t.Run(fmt.Sprintf("%T/%s", F(0), name), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				n, d := rapid.SampledFrom(sizes).Draw(rt, "n"), rapid.SampledFrom(widths).Draw(rt, "d")
				check(rt, k, random(n, d, rapid.Uint64().Draw(rt, "seed")))
			})
		})
	}
}

func near(t *rapid.T, what string, i, j int, got, want, tol float64) {
	if !(math.Abs(got-want) <= tol) {
		t.Fatalf("%s %d, %d: %v, want %v", what, i, j, got, want)
	}
}

func upperCase[F Float](t *rapid.T, k kernel[F], v Vectors) {
	want := plain(v)
	got := make([]F, v.N*v.N)
	seen := make([]int, UpperTiles(v.N))
	err := upper(context.Background(), k, v, func() func(*Tile[F]) {
		return func(tile *Tile[F]) {
			seen[tile.Index()]++
			tile.Store(got, v.N)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range got {
		near(t, "product", i/v.N, i%v.N, float64(x), want[i], tolerance[F]())
		if x != got[i%v.N*v.N+i/v.N] {
			t.Fatalf("%d is not symmetric", i)
		}
	}
	for i, times := range seen {
		if times != 1 {
			t.Fatalf("tile %d is visited %d times", i, times)
		}
	}
}

func bandCase[F Float](t *rapid.T, k kernel[F], v Vectors) {
	from := rapid.IntRange(0, max(0, v.N-1)).Draw(t, "from")
	to := from + rapid.SampledFrom([]int{0, 1, 2, 40, 41, 96, 97, 1000}).Draw(t, "width")
	want := plain(v)
	got := make([]float64, v.N*v.N)
	seen := make([]int, v.N*v.N)
	err := band(context.Background(), k, v, from, to, func() func(*Tile[F]) {
		return func(tile *Tile[F]) {
			for i := range tile.Rows {
				for j, x := range tile.Row(i) {
					if k := tile.J + j - tile.I - i; from <= k && k < to {
						got[(tile.I+i)*v.N+tile.J+j] = float64(x)
						seen[(tile.I+i)*v.N+tile.J+j]++
					}
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for at, times := range seen {
		i, j := at/v.N, at%v.N
		in := 0
		if from <= j-i && j-i < to {
			in = 1
			near(t, "product", i, j, got[at], want[at], tolerance[F]())
		}
		if times != in {
			t.Fatalf("%d, %d of the band %d to %d is visited %d times", i, j, from, to, times)
		}
	}
}

func diagonalCase[F Float](t *rapid.T, k kernel[F], v Vectors) {
	p, err := pack(context.Background(), k, v)
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]F, v.N*v.N), plain(v)
	for diagonal := range p.Diagonals() {
		err := p.Diagonal(context.Background(), diagonal, func() func(*Tile[F]) {
			return func(tile *Tile[F]) { tile.Store(got, v.N) }
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range v.N {
			for j := i; j < min(v.N, i+diagonal*Side+1); j++ {
				near(t, "product", i, j, float64(got[i*v.N+j]), want[i*v.N+j], tolerance[F]())
			}
		}
	}
}

func productCase[F Float](t *rapid.T, k kernel[F], v Vectors) {
	cut := rapid.IntRange(0, v.N).Draw(t, "cut")
	a, b := v, v
	a.N, a.Norm = cut, v.Norm[:cut]
	b.N, b.Norm, b.Data = v.N-cut, v.Norm[cut:], v.Data[cut*v.Stride:]
	got := make([]F, a.N*b.N)
	if err := product(context.Background(), k, got, a, b); err != nil {
		t.Fatal(err)
	}
	want := plain(v)
	for at, x := range got {
		i, j := at/b.N, at%b.N
		near(t, "product", i, j, float64(x), want[i*v.N+cut+j], tolerance[F]())
	}
}

// The sums at every distance are those of the matrix's diagonals, on every path.
func TestLags(t *testing.T) {
	for name, s := range map[string]func(int) spectrum{"best": bestSpectrum, "plain": newPlainSpectrum} {
		for _, n := range append([]int{2050, 2500}, sizes...) { // 8192 padded is more than is transformed at once
			for _, d := range []int{0, 1, 5, 8, 9, 23} {
				v := random(n, d, uint64(n))
				got, err := lags(context.Background(), v, s)
				if err != nil || len(got) != n {
					t.Fatal(len(got), err)
				}
				g := plain(v)
				for k, x := range got {
					want := 0.0
					for i := range n - k {
						want += g[i*n+i+k]
					}
					if !(math.Abs(x-want) <= 1e-10) {
						t.Fatalf("%s, %d x %d: %v at distance %d, want %v", name, n, d, x, k, want)
					}
				}
			}
		}
	}
}

// The product of two blocks' means is the mean of their products.
func TestMeans(t *testing.T) {
	v := random(200, 17, 3)
	v.Norm[30], v.Norm[31] = 0, 0
	edges := []int{0, 1, 3, 30, 32, 32, 120, 200}
	m, err := Means(context.Background(), v, edges)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, m.N*m.N)
	if err := Matrix(context.Background(), got, m); err != nil {
		t.Fatal(err)
	}
	g := plain(v)
	for a := range m.N {
		for b := range m.N {
			sum, count := 0.0, 0.0
			for i := edges[a]; i < edges[a+1]; i++ {
				for j := edges[b]; j < edges[b+1]; j++ {
					if v.Norm[i] != 0 && v.Norm[j] != 0 {
						sum += g[i*200+j]
						count++
					}
				}
			}
			if count == 0 != (m.Norm[a] == 0 || m.Norm[b] == 0) {
				t.Errorf("blocks %d, %d: %v pairs, norms %v and %v", a, b, count, m.Norm[a], m.Norm[b])
			}
			if count > 0 && !(math.Abs(got[a*m.N+b]-sum/count) <= 1e-12) {
				t.Errorf("blocks %d, %d: %v, want %v", a, b, got[a*m.N+b], sum/count)
			}
		}
	}
}

func TestAnyWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	v := random(300, 77, 2)
	var matrix, sums []float64
	for _, workers := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(workers)
		g := make([]float64, 300*300)
		if err := Matrix(context.Background(), g, v); err != nil {
			t.Fatal(err)
		}
		s, err := Lags(context.Background(), v)
		if err != nil {
			t.Fatal(err)
		}
		if matrix == nil {
			matrix, sums = g, s
		} else if !slices.Equal(matrix, g) || !slices.Equal(sums, s) {
			t.Errorf("%d workers give other sums", workers)
		}
	}
}

// A product by the routines of asm depends on its two vectors alone, not on where
// in the table they are.
func TestAnyPlace(t *testing.T) {
	if _, ok := vector[float64](); !ok {
		t.Skip("gonum sums the last rows of a block in another order")
	}
	v := random(1, 333, 5)
	v.Norm = nil
	row := v.row(0)
	n := 150
	many := Vectors{N: n, D: 333, Stride: 333}
	for range n {
		many.Data = append(many.Data, row...)
	}
	g := make([]float64, n*n)
	if err := Matrix(context.Background(), g, many); err != nil {
		t.Fatal(err)
	}
	for at, x := range g {
		if x != g[0] {
			t.Fatalf("%d, %d: %v, but %v at 0, 0", at/n, at%n, x, g[0])
		}
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	v := random(300, 5, 1)
	visit := func() func(*Tile[float64]) { return func(*Tile[float64]) { t.Error("a tile is visited") } }
	dst := make([]float64, 300*300)
	_, lagsErr := Lags(ctx, v)
	_, meansErr := Means(ctx, v, []int{0, 100, 300})
	for _, err := range []error{Upper(ctx, v, visit), Band(ctx, v, 0, 4, visit), Product(ctx, dst, v, v), lagsErr, meansErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// Stripes hold all rows of the matrix, whatever the batch, and each batch is told
// once it is whole.
func TestStripes(t *testing.T) {
	for _, n := range []int{0, 1, Side - 1, Side, 2*Side + 5, 7*Side + 1} {
		v := random(n, 11, uint64(n))
		want := plain(v)
		for _, batch := range []int{1, 3, 100} {
			p, err := Pack[float64](t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, n*n)
			next := 0
			err = p.Stripes(t.Context(), batch, func() func(*Stripe[float64]) {
				return func(s *Stripe[float64]) {
					for i := range s.Rows {
						copy(got[(s.I+i)*n:], s.Row(i))
					}
				}
			}, func(from, to int) {
				if from != next || to <= from {
					t.Errorf("%d vectors, batch %d: stripes %d..%d after %d", n, batch, from, to, next)
				}
				next = to
			})
			if err != nil || next != StripeCount(n) {
				t.Fatalf("%d vectors, batch %d: %d stripes, %v", n, batch, next, err)
			}
			if !floats.EqualApprox(got, want, 1e-12) {
				t.Errorf("%d vectors, batch %d: products differ", n, batch)
			}
		}
	}
}

// Stripes of very many vectors have fewer rows, which hold the same products.
func TestStripesOfManyVectors(t *testing.T) {
	const n = 22_000
	if rows := StripeRows(n); rows >= Side || rows%leastRows != 0 {
		t.Fatalf("%d rows a stripe", rows)
	}
	v := random(n, 1, 5)
	p, err := Pack[float64](t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int, n)
	err = p.Stripes(t.Context(), 7, func() func(*Stripe[float64]) {
		return func(s *Stripe[float64]) {
			for i := range s.Rows {
				seen[s.I+i]++
				for j := i; j < n; j += 997 {
					want := 0.0
					if v.norm(s.I+i) != 0 && v.norm(j) != 0 {
						want = v.row(s.I + i)[0] / v.norm(s.I+i) * (v.row(j)[0] / v.norm(j))
					}
					if got := s.Row(i)[j]; !(math.Abs(got-want) <= 1e-12) {
						t.Errorf("the product of %d and %d is %v, want %v", s.I+i, j, got, want)
						return
					}
				}
			}
		}
	}, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, times := range seen {
		if times != 1 {
			t.Fatalf("vector %d is in %d stripes", i, times)
		}
	}
}
