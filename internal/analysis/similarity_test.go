package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"poslens/internal/posemb"
)

func similarity(t testing.TB, m *mat.Dense, opt SimilarityOptions) *Matrix {
	t.Helper()
	s, err := Similarity(context.Background(), absolute(m), opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// naive is the definition, entry by entry.
func naive(a *mat.Dense, opt SimilarityOptions) *mat.Dense {
	n, d := a.Dims()
	p := mat.DenseCopyOf(a)
	if opt.Center {
		for j := range d {
			mean := mat.Sum(p.ColView(j)) / float64(n)
			for i := range n {
				p.Set(i, j, p.At(i, j)-mean)
			}
		}
	}
	s := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			x := floats.Dot(p.RawRowView(i), p.RawRowView(j))
			if !opt.Dot {
				x /= (floats.Norm(p.RawRowView(i), 2) + opt.Eps) * (floats.Norm(p.RawRowView(j), 2) + opt.Eps)
			}
			s.Set(i, j, x)
		}
	}
	return s
}

func drawOptions(t *rapid.T) SimilarityOptions {
	return SimilarityOptions{
		Dot:    rapid.Bool().Draw(t, "dot"),
		Center: rapid.Bool().Draw(t, "center"),
		Eps:    rapid.SampledFrom([]float64{0, 1e-8, 0.5}).Draw(t, "eps"),
	}
}

func TestSimilarityIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table, opt := drawTable(rt), drawOptions(rt)
		n, _ := table.Dims()
		if opt.Center && n < 3 {
			return // one row centred is zero, two are opposite up to rounding
		}
		got := similarity(t, table, opt)
		want := naive(table, opt)
		sum, pairs := 0.0, 0
		for i := range n {
			for j := range n {
				near(rt, "score", got.Scores.At(i, j), want.At(i, j), 1e-9*max(1, math.Abs(want.At(i, j))))
				if got.Scores.At(i, j) != got.Scores.At(j, i) {
					rt.Fatalf("scores %d, %d differ from their mirror image", i, j)
				}
				if !opt.Dot && math.Abs(got.Scores.At(i, j)) > 1 {
					rt.Fatalf("the cosine of %d and %d is %v", i, j, got.Scores.At(i, j))
				}
				if i < j {
					sum += got.Scores.At(i, j)
					pairs++
				}
			}
			if opt.Eps == 0 && !opt.Dot && got.Scores.At(i, i) != 1 {
				rt.Fatalf("the diagonal holds %v", got.Scores.At(i, i))
			}
		}
		near(rt, "mean off the diagonal", float64(got.MeanOffdiagonal), sum/float64(pairs), 1e-12)
	})
}

// A cosine does not see scale, rotation, the order of columns, or zero columns.
func TestCosineInvariance(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt)
		n, d := table.Dims()
		want := similarity(t, table, SimilarityOptions{}).Scores

		scaled := mat.NewDense(n, d, nil)
		scaled.Scale(math.Ldexp(1, rapid.IntRange(-1000, 1000).Draw(rt, "power")), table)
		if got := similarity(t, scaled, SimilarityOptions{}).Scores; !mat.Equal(got, want) {
			rt.Error("a power of two as scale changes a cosine")
		}
		scaled.Scale(rapid.Float64Range(1e-3, 1e3).Draw(rt, "scale"), table)
		if got := similarity(t, scaled, SimilarityOptions{}).Scores; !mat.EqualApprox(got, want, 1e-12) {
			rt.Error("scale changes a cosine")
		}

		var qr mat.QR
		qr.Factorize(gaussian(d, d, rapid.Uint64().Draw(rt, "rotation")))
		var q, rotated mat.Dense
		qr.QTo(&q)
		rotated.Mul(table, &q)
		if got := similarity(t, &rotated, SimilarityOptions{}).Scores; !mat.EqualApprox(got, want, 1e-11) {
			rt.Error("a rotation changes a cosine")
		}

		order := rapid.Permutation(floats.Span(make([]float64, max(d, 2)), 0, float64(max(d, 2)-1))[:d]).Draw(rt, "order")
		wide := mat.NewDense(n, d+3, nil) // permuted, and three zero columns
		for to, from := range order {
			wide.SetCol(to, mat.Col(nil, int(from), table))
		}
		if got := similarity(t, wide, SimilarityOptions{}).Scores; !mat.EqualApprox(got, want, 1e-12) {
			rt.Error("permuted or zero columns change a cosine")
		}
	})
}

func TestSimilaritySinusoid(t *testing.T) {
	const n, d = 130, 64
	s := similarity(t, sinusoid(t, n, d), SimilarityOptions{})
	for i := range n {
		for j := range n {
			near(t, "cosine", s.Scores.At(i, j), sinusoidCosine(j-i, d), 1e-12)
		}
	}
}

// sinusoidCosine is c(k) = 2/d sum_i cos(k 10000^(-2i/d)).
func sinusoidCosine(k, d int) float64 {
	c := 0.0
	for i := range d / 2 {
		c += math.Cos(float64(k) * frequency(i, d))
	}
	return 2 * c / float64(d)
}

func TestSimilarityZeroAndBrokenRows(t *testing.T) {
	table := gaussian(12, 5, 1)
	table.SetRow(2, make([]float64, 5))
	table.Set(7, 3, math.NaN())
	table.Set(8, 0, math.Inf(-1))
	table.Set(9, 0, math.NaN())
	s := similarity(t, table, SimilarityOptions{})
	says(t, s.Warnings, "rows 7, 9 hold NaN: their pairs are left out")
	says(t, s.Warnings, "row 8 holds an infinity: its pairs are left out")
	says(t, s.Warnings, "row 2 is zero", "undefined")
	for i := range 12 {
		for j := range 12 {
			bad := func(k int) bool { return k == 2 || k >= 7 && k <= 9 }
			if got := math.IsNaN(s.Scores.At(i, j)); got != (bad(i) || bad(j)) {
				t.Errorf("score %d, %d undefined: %v", i, j, got)
			}
		}
	}
	// With eps a zero row is like nothing, not undefined.
	s = similarity(t, table, SimilarityOptions{Eps: 1e-8})
	if s.Scores.At(2, 3) != 0 || s.Scores.At(2, 2) != 0 || len(s.Warnings) != 2 {
		t.Errorf("with eps: %v, %v, %q", s.Scores.At(2, 3), s.Scores.At(2, 2), s.Warnings)
	}
	norm := floats.Norm(table.RawRowView(0), 2)
	near(t, "diagonal with eps", similarity(t, table, SimilarityOptions{Eps: 0.5}).Scores.At(0, 0), math.Pow(norm/(norm+0.5), 2), 1e-15)
	s = similarity(t, table, SimilarityOptions{Dot: true})
	if s.Scores.At(2, 2) != 0 || !math.IsNaN(s.Scores.At(7, 2)) {
		t.Errorf("dot: %v, %v", s.Scores.At(2, 2), s.Scores.At(7, 2))
	}
	// Undefined rows take no part in the mean that centering subtracts.
	s = similarity(t, table, SimilarityOptions{Center: true})
	rest := mat.NewDense(9, 5, nil)
	for k, i := range []int{0, 1, 2, 3, 4, 5, 6, 10, 11} {
		rest.SetRow(k, table.RawRowView(i))
	}
	near(t, "centred cosine", s.Scores.At(0, 11), similarity(t, rest, SimilarityOptions{Center: true}).Scores.At(0, 8), 1e-14)
}

// A table that starts elsewhere names positions, not rows.
func TestSimilarityNamesPositions(t *testing.T) {
	table := gaussian(4, 2, 1)
	table.Set(1, 0, math.NaN())
	s, err := Similarity(context.Background(), &posemb.Absolute{Table: table, First: 10, Stride: 5}, SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	says(t, s.Warnings, "position 15 holds NaN")
	if d := cmp.Diff([]int{10, 15, 20, 25}, s.Positions); d != "" {
		t.Error(d)
	}
}

func TestSimilarityNothing(t *testing.T) {
	for name, c := range map[string]struct {
		table *mat.Dense
		opt   SimilarityOptions
	}{
		"zero":           {constant(3, 2, 0), SimilarityOptions{}},
		"nan":            {constant(3, 2, math.NaN()), SimilarityOptions{Eps: 1}},
		"inf":            {constant(3, 2, math.Inf(1)), SimilarityOptions{Dot: true}},
		"equal, centred": {constant(7, 3, 0.1), SimilarityOptions{Center: true}},
		"one, centred":   {gaussian(1, 3, 1), SimilarityOptions{Center: true}},
		"empty":          {&mat.Dense{}, SimilarityOptions{}},
		"none":           {nil, SimilarityOptions{}},
	} {
		if _, err := Similarity(context.Background(), absolute(c.table), c.opt); !errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Decay(context.Background(), absolute(c.table), DecayOptions{SimilarityOptions: c.opt}); !errors.Is(err, ErrNothing) {
			t.Errorf("decay, %s: %v", name, err)
		}
	}
	for _, eps := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := Similarity(context.Background(), absolute(gaussian(2, 2, 1)), SimilarityOptions{Eps: eps}); err == nil || errors.Is(err, ErrNothing) {
			t.Errorf("eps %v: %v", eps, err)
		}
	}
}

// Squares of these rows overflow or vanish; the cosine does not.
func TestSimilarityExtremeRows(t *testing.T) {
	table := gaussian(40, 7, 5)
	want := similarity(t, table, SimilarityOptions{}).Scores
	wild := mat.DenseCopyOf(table)
	for i, power := range []int{1020, -1030, 600, -600, -535} {
		row := wild.RawRowView(i)
		for j := range row {
			row[j] = math.Ldexp(row[j], power)
		}
	}
	got := similarity(t, wild, SimilarityOptions{}).Scores
	for i := range 40 {
		for j := range 40 {
			tol := 0.0
			if i == 1 || j == 1 {
				tol = 1e-10 // subnormal: digits are lost before we see them
			}
			near(t, "cosine", got.At(i, j), want.At(i, j), tol)
		}
	}
	tiny := mat.NewDense(2, 2, []float64{5e-324, 0, 5e-324, 5e-324})
	near(t, "subnormal", similarity(t, tiny, SimilarityOptions{}).Scores.At(0, 1), math.Sqrt2/2, 1e-15)
	near(t, "subnormal with eps", similarity(t, tiny, SimilarityOptions{Eps: 1e-8}).Scores.At(0, 1), 0, 0)
	big := mat.NewDense(3, 2, []float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, 0, -math.MaxFloat64, math.MaxFloat64})
	near(t, "largest", similarity(t, big, SimilarityOptions{}).Scores.At(0, 1), math.Sqrt2/2, 1e-15)
	centred := similarity(t, big, SimilarityOptions{Center: true})
	small := similarity(t, mat.NewDense(3, 2, []float64{1, 1, 1, 0, -1, 1}), SimilarityOptions{Center: true})
	if !mat.EqualApprox(centred.Scores, small.Scores, 1e-14) {
		t.Errorf("centred: %v, want %v", mat.Formatted(centred.Scores), mat.Formatted(small.Scores))
	}
	dot := similarity(t, big, SimilarityOptions{Dot: true})
	says(t, dot.Warnings, "overflow float64: left out")
	if !math.IsNaN(dot.Scores.At(0, 1)) {
		t.Errorf("an overflowing product is %v", dot.Scores.At(0, 1))
	}
}

// The bits do not depend on how many work.
func TestSimilarityAnyWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	table := gaussian(150, 33, 2)
	var first *Matrix
	for _, workers := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(workers)
		s := similarity(t, table, SimilarityOptions{Center: true})
		if first == nil {
			first = s
		} else if !mat.Equal(first.Scores, s.Scores) || first.MeanOffdiagonal != s.MeanOffdiagonal {
			t.Errorf("%d workers give other scores", workers)
		}
	}
}

func TestSimilarityStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := Similarity(ctx, absolute(gaussian(100, 4, 1)), SimilarityOptions{}); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("cancelled: %v, %v", m, err)
	}
	huge := mat.NewDense(40000, 1, nil)
	if _, err := Similarity(context.Background(), absolute(huge), SimilarityOptions{}); err == nil || errors.Is(err, ErrNothing) {
		t.Errorf("40000 positions: %v", err)
	}
	_, err := Similarity(context.Background(), absolute(mat.NewDense(32769, 1, nil)), SimilarityOptions{})
	says(t, []string{fmt.Sprint(err)}, "needs 9 GiB", "more than the 8 allowed")
	_, err = Similarity(context.Background(), absolute(mat.NewDense(46341, 1, nil)), SimilarityOptions{Single: true})
	says(t, []string{fmt.Sprint(err)}, "needs 9 GiB", "more than the 8 allowed")
}

func TestMatrixJSON(t *testing.T) {
	a := absolute(mat.NewDense(2, 1, []float64{3, 0}))
	a.Label = "a"
	m, err := Similarity(context.Background(), a, SimilarityOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"source":"a","measure":"cosine","centered":false,"eps":0,"mean_offdiagonal":null,"min":null,"max":null,"positions":[0,1],` +
		`"reasons":{"max":"no defined pair of two positions","mean_offdiagonal":"no defined pair of two positions","min":"no defined pair of two positions"},` +
		`"warnings":["row 1 is zero, so its cosine is undefined: its pairs are left out"],"scores":[[1,null],[null,null]]}`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
	head, err := json.Marshal(m.Head())
	if err != nil || len(head) >= len(got) {
		t.Errorf("head: %s, %v", head, err)
	}
}
