package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"poslens/internal/posemb"
)

// naiveCKA is the correlation of the entries of X X' and Y Y', from each of which the
// means of its row and its column are taken.
func naiveCKA(x, y mat.Matrix) float64 {
	n, _ := x.Dims()
	kernel := func(x mat.Matrix) *mat.Dense {
		var k mat.Dense
		k.Mul(x, x.T())
		mean, all := make([]float64, n), 0.0
		for i := range n {
			mean[i] = stat.Mean(k.RawRowView(i), nil)
			all += mean[i] / float64(n)
		}
		k.Apply(func(i, j int, v float64) float64 { return v - mean[i] - mean[j] + all }, &k)
		return &k
	}
	k, l := kernel(x), kernel(y)
	var p mat.Dense
	p.MulElem(k, l)
	return mat.Sum(&p) / mat.Norm(k, 2) / mat.Norm(l, 2)
}

// rotation is a random orthogonal matrix.
func rotation(d int, seed uint64) *mat.Dense {
	var qr mat.QR
	qr.Factorize(gaussian(d, d, seed))
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

// turned is s X Q + shift.
func turned(x mat.Matrix, q mat.Matrix, s, shift float64) *mat.Dense {
	var y mat.Dense
	y.Mul(x, q)
	y.Apply(func(_, _ int, v float64) float64 { return s*v + shift }, &y)
	return &y
}

func compared(t *testing.T, x, y *mat.Dense) *Comparison {
	t.Helper()
	return comparedBy(t, x, y, CompareOptions{Seed: 42})
}

// aligned is the same without permutations, which take most of the time.
func aligned(t *testing.T, x, y *mat.Dense) *Comparison {
	t.Helper()
	return comparedBy(t, x, y, CompareOptions{noTest: true})
}

func comparedBy(t *testing.T, x, y *mat.Dense, opt CompareOptions) *Comparison {
	t.Helper()
	a, b := absolute(x), absolute(y)
	a.Label, b.Label = "a", "b"
	c, err := Compare(t.Context(), a, b, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// nearValue is near of a Value.
func nearValue(t *testing.T, what string, got Value, want, within float64) {
	t.Helper()
	near(t, what, float64(got), want, within)
}

// Of every shape, those that take kernels, cross products and blocks of rows.
func TestCKA(t *testing.T) {
	for _, c := range []struct{ n, dx, dy int }{{2, 1, 1}, {7, 20, 20}, {20, 7, 7}, {12, 20, 5}, {12, 5, 20}, {1100, 3, 4}, {30, 30, 31}} {
		x, y := gaussian(c.n, c.dx, 1), gaussian(c.n, c.dy, 2)
		got := aligned(t, x, y)
		nearValue(t, fmt.Sprint("CKA of ", c), got.CKA, naiveCKA(x, y), 1e-11)
		own := aligned(t, x, x)
		nearValue(t, fmt.Sprint("CKA with itself of ", c), own.CKA, 1, 1e-12)
		nearValue(t, fmt.Sprint("CKA of a turned copy of ", c), aligned(t, x, turned(x, rotation(c.dx, 3), -7, 2)).CKA, 1, 1e-10)
		var mix mat.Dense // turned and scaled copies have the CKA of the tables themselves
		mix.Mul(y, rotation(c.dy, 4))
		mix.Scale(1e-5, &mix)
		nearValue(t, fmt.Sprint("CKA with a turned table of ", c), aligned(t, x, &mix).CKA, float64(got.CKA), 1e-10)
	}
}

// The chance level is the mean over all orders of the rows; and unrelated tables have
// about it.
func TestCKAChance(t *testing.T) {
	x, y := gaussian(4, 3, 1), gaussian(4, 2, 2)
	sum, count := 0.0, 0
	var walk func(order, left []int)
	walk = func(order, left []int) {
		if len(left) == 0 {
			z := mat.NewDense(4, 2, nil)
			for to, from := range order {
				z.SetRow(to, y.RawRowView(from))
			}
			sum += naiveCKA(x, z)
			count++
			return
		}
		for i := range left {
			rest := slices.Delete(slices.Clone(left), i, i+1)
			walk(append(slices.Clone(order), left[i]), rest)
		}
	}
	walk(nil, []int{0, 1, 2, 3})
	if count != 24 {
		t.Fatal(count)
	}
	nearValue(t, "chance", aligned(t, x, y).CKAChance, sum/24, 1e-12)

	var ratio []float64
	for seed := range uint64(20) {
		c := aligned(t, gaussian(40, 30, 100+seed), gaussian(40, 30, 200+seed))
		ratio = append(ratio, float64(c.CKA/c.CKAChance))
		// of Gaussian tables tr(K)^2 / |K|^2 is about m d / (m + d + 1), m = n - 1
		nearValue(t, "chance", c.CKAChance, 30.0/(39+30+1), 0.03)
	}
	mean, std := stat.MeanStdDev(ratio, nil)
	if math.Abs(mean-1) > 4*std/math.Sqrt(20) {
		t.Errorf("CKA of unrelated tables is %v of the chance level, sd %v", mean, std)
	}
}

func TestProcrustes(t *testing.T) {
	for _, c := range []struct{ n, d int }{{20, 6}, {6, 20}, {9, 9}, {1100, 3}} {
		x, y := gaussian(c.n, c.d, 1), gaussian(c.n, c.d, 2)
		nearValue(t, fmt.Sprint("of a turned copy of ", c), aligned(t, x, turned(x, rotation(c.d, 3), 0.01, 5)).Procrustes, 1, 1e-9)
		// by the singular values of X'Y itself, of centred copies
		centred := func(x *mat.Dense) *mat.Dense {
			z := mat.DenseCopyOf(x)
			for j := range c.d {
				mean := stat.Mean(mat.Col(nil, j, z), nil)
				for i := range c.n {
					z.Set(i, j, z.At(i, j)-mean)
				}
			}
			return z
		}
		u, v := centred(x), centred(y)
		var m mat.Dense
		m.Mul(u.T(), v)
		var svd mat.SVD
		svd.Factorize(&m, mat.SVDNone)
		sum := 0.0
		for _, s := range svd.Values(nil) {
			sum += s
		}
		want := math.Pow(sum/mat.Norm(u, 2)/mat.Norm(v, 2), 2)
		nearValue(t, fmt.Sprint("of ", c), aligned(t, x, y).Procrustes, want, 1e-10)
	}
	// Of one component it is the square of the correlation; and it is the share that
	// the best turn explains, here found by trying turns of two components.
	x, y := gaussian(15, 1, 1), gaussian(15, 1, 2)
	nearValue(t, "of width 1", aligned(t, x, y).Procrustes, math.Pow(stat.Correlation(mat.Col(nil, 0, x), mat.Col(nil, 0, y), nil), 2), 1e-12)
	x, y = gaussian(15, 2, 3), gaussian(15, 2, 4)
	cov := func(m *mat.Dense, i int, o *mat.Dense, j int) float64 {
		return stat.Covariance(mat.Col(nil, i, m), mat.Col(nil, j, o), nil)
	}
	spread := (cov(x, 0, x, 0) + cov(x, 1, x, 1)) * (cov(y, 0, y, 0) + cov(y, 1, y, 1))
	c00, c01, c10, c11 := cov(x, 0, y, 0), cov(x, 0, y, 1), cov(x, 1, y, 0), cov(x, 1, y, 1)
	best := 0.0
	for i := range 100000 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 100000)
		for _, mirror := range []float64{1, -1} {
			inner := cos*c00 + sin*c01 + mirror*(cos*c11-sin*c10)
			best = max(best, inner*inner/spread)
		}
	}
	nearValue(t, "of width 2", aligned(t, x, y).Procrustes, best, 1e-8)
}

// cosinePairs are the cosines of all pairs i < j, and j - i.
func cosinePairs(x *mat.Dense) (c []float64, apart []int) {
	n, _ := x.Dims()
	for i := range n {
		for j := i + 1; j < n; j++ {
			u, v := x.RowView(i), x.RowView(j)
			c = append(c, mat.Dot(u, v)/mat.Norm(u, 2)/mat.Norm(v, 2))
			apart = append(apart, j-i)
		}
	}
	return c, apart
}

func TestCosineCorrelation(t *testing.T) {
	x, y := gaussian(25, 6, 1), gaussian(25, 9, 2)
	u, apart := cosinePairs(x)
	v, _ := cosinePairs(y)
	c := compared(t, x, y)
	nearValue(t, "correlation", c.Cosines.Correlation, stat.Correlation(u, v, nil), 1e-12)
	for _, z := range [][]float64{u, v} {
		sum, count := map[int]float64{}, map[int]float64{}
		for i, k := range apart {
			sum[k] += z[i]
			count[k]++
		}
		for i, k := range apart {
			z[i] -= sum[k] / count[k]
		}
	}
	nearValue(t, "beyond distance", c.Cosines.BeyondDistance, stat.Correlation(u, v, nil), 1e-12)
}

// On a grid the distance is down and across: cosines that depend on these alone are
// nothing beyond it.
func TestBeyondDistanceOnGrid(t *testing.T) {
	a, err := posemb.SinusoidGrid(posemb.SinusoidGridOptions{Rows: 5, Cols: 4, D: 16})
	if err != nil {
		t.Fatal(err)
	}
	other := *a
	other.Table = gaussian(20, 3, 1)
	c, err := Compare(t.Context(), a, &other, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Cosines.BeyondDistance.Defined() || !strings.Contains(c.Reasons["cosines.beyond_distance"], "distance alone") {
		t.Errorf("%v, %q", c.Cosines.BeyondDistance, c.Reasons["cosines.beyond_distance"])
	}
}

func TestMantel(t *testing.T) {
	var p []float64
	for seed := range uint64(40) {
		x := gaussian(20, 8, 1000+seed)
		p = append(p, float64(compared(t, x, gaussian(20, 8, 2000+seed)).Cosines.P))
		noisy := turned(x, rotation(8, seed), 3, 0)
		noise := gaussian(20, 8, 3000+seed)
		noise.Scale(0.6, noise)
		noisy.Add(noisy, noise)
		if c := compared(t, x, noisy); c.Cosines.P > 0.005 || c.Cosines.Draws != 999 {
			t.Errorf("seed %d: p of a noisy turned copy is %v of %d", seed, c.Cosines.P, c.Cosines.Draws)
		}
	}
	slices.Sort(p)
	worst := 0.0
	for i, v := range p {
		worst = max(worst, math.Abs(v-float64(i)/40), math.Abs(v-float64(i+1)/40))
	}
	if worst > 0.257 { // Kolmogorov and Smirnov's bound of 1 % for 40
		t.Errorf("p of unrelated tables is not uniform: off by %v, %v", worst, p)
	}
	// of three rows there are six orders, and the own one is among them
	for seed := range uint64(5) {
		x, y := gaussian(3, 4, seed), gaussian(3, 4, 50+seed)
		u, _ := cosinePairs(x)
		v, _ := cosinePairs(y)
		own, as := stat.Correlation(u, v, nil), 0
		for _, o := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			if stat.Correlation(u, []float64{v[o[0]], v[o[1]], v[o[2]]}, nil) >= own-1e-9 {
				as++
			}
		}
		nearValue(t, "p of three rows", compared(t, x, y).Cosines.P, float64(as)/6, 0.06)
	}
}

// Of many rows a part is taken, the same for the same seed, in its order.
func TestSample(t *testing.T) {
	list := make([]int, 50)
	for i := range list {
		list[i] = 3 * i
	}
	one, again, other := sample(list, 20, 7), sample(list, 20, 7), sample(list, 20, 8)
	if len(one) != 20 || !slices.IsSorted(one) || !slices.Equal(one, again) || slices.Equal(one, other) || len(slices.Compact(slices.Clone(one))) != 20 {
		t.Errorf("%v, %v, %v", one, again, other)
	}
	a := absolute(gaussian(mantelLargest+10, 2, 1))
	c, err := Compare(t.Context(), a, a, CompareOptions{noTest: true})
	if err != nil {
		t.Fatal(err)
	}
	if c.Sample != mantelLargest || c.Cosines.P.Defined() || c.Reasons["cosines.p"] != "not asked for" {
		t.Errorf("%d rows, p %v", c.Sample, c.Cosines.P)
	}
	says(t, c.Notes, "sample of 2048 of 2058 positions")
	nearValue(t, "correlation", c.Cosines.Correlation, 1, 1e-12)
}

func TestMovedRows(t *testing.T) {
	x := gaussian(30, 5, 1)
	y := mat.DenseCopyOf(x)
	for _, i := range []int{0, 1, 2, 7, 29} {
		y.Set(i, 3, y.At(i, 3)+1e-3)
	}
	for i := range 30 { // rounding to float32 moves no row
		for j := range 5 {
			y.Set(i, j, float64(float32(y.At(i, j))))
		}
	}
	c := compared(t, x, y)
	if !slices.Equal(c.Moved, []int{0, 1, 2, 7, 29}) || c.MovedCount != 5 {
		t.Errorf("moved: %v, %v", c.Moved, c.MovedCount)
	}
	if want := "rows 0 to 2, 7, 29 moved, the other 25 did not (moved: a distance above 1e-06 of the longer row)"; c.MovedText != want {
		t.Errorf("%q, want %q", c.MovedText, want)
	}
	for i := range 30 {
		a, b := x.RowView(i), y.RowView(i)
		var d mat.VecDense
		d.SubVec(a, b)
		na, nb := mat.Norm(a, 2), mat.Norm(b, 2)
		nearValue(t, "cosine", Value(c.Cosine[i]), mat.Dot(a, b)/na/nb, 1e-13)
		nearValue(t, "ratio", Value(c.NormRatio[i]), nb/na, 1e-13)
		nearValue(t, "distance", Value(c.Distance[i]), mat.Norm(&d, 2)/max(na, nb), 1e-13)
	}
	for _, k := range []struct {
		y    *mat.Dense
		want string
	}{{x, "the tables are equal"}, {turned(x, rotation(5, 2), 1, 0), "every position moved"}, {turned(x, mat.NewDiagDense(5, []float64{1, 1, 1, 1, 1}), 1+1e-9, 0), "no position moved"}} {
		if c := compared(t, x, k.y); !strings.HasPrefix(c.MovedText, k.want) {
			t.Errorf("%q, want %q", c.MovedText, k.want)
		}
	}
	if c := compared(t, x, gaussian(30, 4, 2)); c.Cosine != nil || c.Distance != nil || c.MovedCount.Defined() || c.Reasons["cosine"] == "" || c.Procrustes.Defined() || c.Reasons["procrustes_r2"] == "" || !c.CKA.Defined() {
		t.Errorf("tables of different width: %+v", c)
	}
}

// Rows are matched by their position, and only those in both tables count.
func TestCommonPositions(t *testing.T) {
	x := gaussian(12, 3, 1)
	a := &posemb.Absolute{Origin: posemb.Origin{Label: "a"}, Table: x.Slice(0, 8, 0, 3).(*mat.Dense)}
	b := &posemb.Absolute{Origin: posemb.Origin{Label: "b"}, Table: x.Slice(3, 12, 0, 3).(*mat.Dense), First: 3}
	c, err := Compare(t.Context(), a, b, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.At, []int{3, 4, 5, 6, 7}) || c.MovedText != "the tables are equal" || len(c.Notes) == 0 || !strings.Contains(c.Notes[0], "5 positions that all have, 3 to 7") {
		t.Errorf("%v, %q, %q", c.At, c.MovedText, c.Notes)
	}
	if len(c.Decay.At) != 5 || len(c.OtherDecay.At) != 5 {
		t.Errorf("decays over %d and %d distances", len(c.Decay.At), len(c.OtherDecay.At))
	}
	b.First = 20
	if _, err := Compare(t.Context(), a, b, CompareOptions{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no common position: %v", err)
	}
	b.First, b.Stride = 3, 2
	if _, err := Compare(t.Context(), a, b, CompareOptions{}); err == nil || !strings.Contains(err.Error(), "line up") {
		t.Errorf("other stride: %v", err)
	}
}

func TestCompareDegenerate(t *testing.T) {
	nan := math.NaN()
	x := gaussian(10, 3, 1)
	ones := constant(10, 3, 0.1)
	c := compared(t, x, ones)
	if c.CKA.Defined() || c.Procrustes.Defined() || c.Cosines.Correlation.Defined() || c.Reasons["cka"] != "b: all rows are equal: nothing varies" || c.Reasons["cosines.p"] == "" {
		t.Errorf("constant: %+v", c)
	}
	c = compared(t, mat.NewDense(10, 3, nil), x)
	if c.CKA.Defined() || c.Reasons["cka"] != "a: every row is zero" || c.Decay != nil || c.OtherDecay == nil || c.Reasons["decay"] == "" || c.MovedCount != 10 || c.Reasons["norm_ratio"] == "" {
		t.Errorf("zero: %+v", c)
	}
	c = compared(t, gaussian(1, 3, 1), gaussian(1, 3, 2))
	if c.CKA.Defined() || c.Reasons["cka"] == "" || c.Reasons["cosines.correlation"] == "" || !finite(c.Cosine[0]) {
		t.Errorf("one row: %+v", c)
	}
	c = compared(t, gaussian(6, 1, 1), gaussian(6, 1, 2)) // cosines are 1 and -1
	nearValue(t, "CKA of width 1", c.CKA, float64(c.Procrustes), 1e-12)

	// Rows that are not finite are left out, and the figures are those without them.
	y := gaussian(10, 3, 2)
	holed, other := mat.DenseCopyOf(x), mat.DenseCopyOf(y)
	holed.Set(4, 1, nan)
	other.Set(7, 0, math.Inf(1))
	c = compared(t, holed, other)
	keep := []int{0, 1, 2, 3, 5, 6, 8, 9}
	u, v := mat.NewDense(8, 3, nil), mat.NewDense(8, 3, nil)
	for to, from := range keep {
		u.SetRow(to, x.RawRowView(from))
		v.SetRow(to, y.RawRowView(from))
	}
	without := compared(t, u, v)
	nearValue(t, "CKA without rows", c.CKA, float64(without.CKA), 1e-13)
	nearValue(t, "Procrustes without rows", c.Procrustes, float64(without.Procrustes), 1e-13)
	nearValue(t, "correlation without rows", c.Cosines.Correlation, float64(without.Cosines.Correlation), 1e-13)
	if c.Used != 8 || c.Rows != 10 || len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "row 4 of a") || !strings.Contains(c.Warnings[1], "row 7 of b") {
		t.Errorf("left out: %d of %d, %q", c.Used, c.Rows, c.Warnings)
	}
	if finite(c.Cosine[4]) || finite(c.Cosine[7]) || !finite(c.Cosine[0]) || c.MovedCount != 8 {
		t.Errorf("rows: %v, %v moved", c.Cosine, c.MovedCount)
	}
	all := mat.NewDense(2, 1, []float64{nan, nan})
	if _, err := Compare(t.Context(), absolute(all), absolute(all), CompareOptions{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no finite row: %v", err)
	}
	if _, err := Compare(t.Context(), absolute(nil), absolute(x), CompareOptions{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no table: %v", err)
	}
	// Units do not matter, however extreme.
	for _, scale := range []float64{1e-300, 1e300} {
		c := compared(t, x, turned(x, mat.NewDiagDense(3, []float64{1, 1, 1}), scale, 0))
		nearValue(t, "CKA of a scaled copy", c.CKA, 1, 1e-12)
		nearValue(t, "Procrustes of a scaled copy", c.Procrustes, 1, 1e-12)
		nearValue(t, "cosine of a scaled copy", Value(c.Cosine[0]), 1, 1e-14)
		nearValue(t, "distance of a scaled copy", Value(c.Distance[0]), 1, 1e-12)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, absolute(x), absolute(y), CompareOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
