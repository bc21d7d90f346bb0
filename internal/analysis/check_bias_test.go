package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// t5Like is a bias of 32 buckets and 8 heads that falls off with distance, as a file
// would give it: the unused bucket 16 is small.
func t5Like(t *testing.T, unused float64, plant func(stored *mat.Dense)) *posemb.Bias {
	t.Helper()
	rule := posemb.BucketRule{Name: posemb.T5Both, Buckets: 32, MaxDistance: 128}
	r := rand.New(rand.NewPCG(4, 4))
	stored := mat.NewDense(32, 8, nil)
	for b := range 32 {
		for h := range 8 {
			stored.Set(b, h, 4-float64(b%16)*float64(1+h)/8+0.3*r.NormFloat64())
		}
	}
	for h := range 8 {
		stored.Set(16, h, unused*[]float64{1, -1}[h%2])
	}
	if plant != nil {
		plant(stored)
	}
	b := &posemb.Bias{Axes: []posemb.Axis{{Name: "offset", Min: -128, Max: 128}}, Scores: mat.NewDense(257, 8, nil), Unused: rule.Unused(), Aside: mat.NewDense(1, 8, nil)}
	at := make([]int, 257)
	for k := -128; k <= 128; k++ {
		at[k+128] = rule.Bucket(k)
		b.Scores.SetRow(k+128, stored.RawRowView(at[k+128]))
	}
	b.Aside.SetRow(0, stored.RawRowView(16))
	b.Stored = []posemb.Stored{{Tensor: "w", Unit: "bucket", Count: 32, Axis: posemb.WholeTable, At: at}}
	return b
}

func TestCheckBuckets(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		unused float64
		plant  func(*mat.Dense)
		want   string
		says   string
	}{
		{"clean", 0.04, nil, "", ""},
		{"unused bucket trained", 3, nil, "trained-unused bucket 16", "bucket 16 is used by no offset, yet its scores are"},
		{"far buckets untrained", 0.04, func(m *mat.Dense) {
			for h := range 8 {
				m.Set(15, h, 0.05)
				m.Set(31, h, -0.06)
			}
		}, "untrained-buckets bucket 15 31", "buckets 15, 31 (offsets -128 to -91, 91 to 128) are no larger"},
		{"nan", 0.04, func(m *mat.Dense) { m.Set(3, 2, nan); m.Set(4, 2, inf) }, "non-finite bucket 3..4", "buckets 3, 4 (offsets -4, -3) hold NaN or +Inf (2 of 16 scores)"},
		{"a mask", 0.04, func(m *mat.Dense) {
			for b := 17; b < 32; b++ {
				m.Set(b, 1, -inf)
			}
		}, "masked-scores bucket 17..31", "(15 of 120)"},
		{"a head that is masked throughout", 0.04, func(m *mat.Dense) {
			for b := range 32 {
				m.Set(b, 1, -inf)
			}
		}, "non-finite head 1; masked-scores bucket 0..15 17..31", "head 1 has no finite score"},
		{"a constant head", 0.04, func(m *mat.Dense) {
			for b := range 32 {
				m.Set(b, 5, -0.25)
			}
		}, "constant-head head 5", "head 5 has the same score, -0.25, at every offset"},
		{"all zero", 0, func(m *mat.Dense) { m.Zero() }, "zero-table", "every score is zero"},
		{"all constant", 0, func(m *mat.Dense) {
			for b := range 32 {
				for h := range 8 {
					m.Set(b, h, float64(h))
				}
			}
		}, "constant-table", "in every head"},
		{"random", 0.04, func(m *mat.Dense) { m.Copy(gaussian(32, 8, 2)) }, "initial-scores", "no more alike than random ones"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := check(t, t5Like(t, c.unused, c.plant), CheckOptions{})
			if r.summary() != c.want {
				t.Fatalf("%q, want %q", r.summary(), c.want)
			}
			text := ""
			for _, f := range r.Findings {
				text += f.Text + "\n"
			}
			if !strings.Contains(text, c.says) {
				t.Errorf("%q does not say %q", text, c.says)
			}
		})
	}
	// Without the unused scores, or heads enough, the question has a reason.
	b := t5Like(t, 3, nil)
	b.Aside = nil
	if r := check(t, b, CheckOptions{}); r.summary() != "" || r.Reasons[CodeTrainedUnused] == "" {
		t.Errorf("%s %q", r.summary(), r.Reasons)
	}
}

// A window of random scores is told, a smooth one not; mirrored entries count once.
func TestCheckWindow(t *testing.T) {
	axes := []posemb.Axis{{Name: "dy", Min: -7, Max: 7}, {Name: "dx", Min: -7, Max: 7}}
	told := 0
	for seed := range uint64(100) {
		b := &posemb.Bias{Axes: axes, Scores: gaussian(225, 4, seed), Heads: []string{"a", "b", "c", "d"}}
		if r := check(t, b, CheckOptions{}); r.summary() == CodeInitialScores {
			told++
		}
	}
	if told < 97 {
		t.Errorf("%d of 100 random windows are told", told)
	}
	smooth := mat.NewDense(225, 2, nil)
	at := make([]int, 225)
	for i := range 225 {
		dy, dx := i/15-7, i%15-7
		smooth.Set(i, 0, -math.Hypot(float64(dy), float64(dx)))
		smooth.Set(i, 1, float64(dy-dx))
		at[i] = max(dy, -dy)*8 + max(dx, -dx)
	}
	if r := check(t, &posemb.Bias{Axes: axes, Scores: smooth, Heads: []string{"0", "1"}}, CheckOptions{}); r.summary() != "" {
		t.Error(r.summary())
	}
	mirrored := gaussian(64, 2, 3) // entries by |dy|, |dx|
	full := mat.NewDense(225, 2, nil)
	for i, k := range at {
		full.SetRow(i, mirrored.RawRowView(k))
	}
	b := &posemb.Bias{Axes: axes, Scores: full, Stored: []posemb.Stored{{Unit: "column", Count: 64, Axis: posemb.WholeTable, At: at}}}
	r := check(t, b, CheckOptions{})
	if r.summary() != CodeInitialScores || !strings.Contains(r.Findings[0].Text, "over 224 pairs") { // 2 heads x 2 x 8 x 7
		t.Errorf("%+v", r.Findings)
	}
}

// Vectors of offsets are looked at a stored row each, and named by that and by their
// offsets.
func TestCheckVectors(t *testing.T) {
	m := learned(t, 129, 3)
	randomRows(m, 1, upTo(100, 129)...)
	axes := []posemb.Axis{{Name: "offset", Min: -64, Max: 64}}
	v := &posemb.Vectors{Axes: axes, Table: m}
	if r := check(t, v, CheckOptions{}); r.summary() != "untrained-rows offset 36..64" {
		t.Error(r.summary())
	}
	at := make([]int, 129)
	for i := range at {
		at[i] = 128 - i
	}
	v.Stored = []posemb.Stored{{Unit: "row", Count: 129, Axis: posemb.WholeTable, At: at, Turned: true}}
	r := check(t, v, CheckOptions{})
	if r.summary() != "untrained-rows 0..28" || !strings.HasPrefix(r.Findings[0].Text, "rows 0 to 28 (offsets 36 to 64) are as they were initialised") {
		t.Errorf("%+v", r.Findings)
	}
	// Offsets that share a stored row are no copies.
	wide := mat.NewDense(131, 64, nil)
	long := make([]int, 131)
	for i := range 131 {
		k := min(max(i-1, 0), 128)
		wide.SetRow(i, learnedRow(t, k))
		long[i] = k
	}
	shared := &posemb.Vectors{Axes: []posemb.Axis{{Name: "offset", Min: -65, Max: 65}}, Table: wide,
		Stored: []posemb.Stored{{Unit: "row", Count: 129, Axis: posemb.WholeTable, At: long}}}
	if r := check(t, shared, CheckOptions{}); r.summary() != "" {
		t.Error(r.summary())
	}
}

// learnedRow is row k of a simulated table.
func learnedRow(t *testing.T, k int) []float64 { return learned(t, 129, 3).RawRowView(k) }

// A head that is masked everywhere is told, whatever another one holds.
func TestCheckMaskedHeadBesideBroken(t *testing.T) {
	inf := math.Inf(-1)
	r := check(t, bias(2, []float64{1, math.NaN(), 2, 3, 4}, []float64{inf, inf, inf, inf, inf}), CheckOptions{})
	if r.Errors != 2 || r.Findings[0].Code != CodeNonFinite || r.Findings[1].Code != CodeNonFinite || r.Findings[1].Head != "1" {
		t.Errorf("%s", r.summary())
	}
}
