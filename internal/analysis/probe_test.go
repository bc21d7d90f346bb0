package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// probes takes the probes of a table, whose figures must be those of the registry,
// each a number or a reason.
func probes(t *testing.T, a *posemb.Absolute, opt ProbeOptions) *ProbeResult {
	t.Helper()
	r, err := Probes(t.Context(), a, opt)
	if err != nil {
		t.Fatal(err)
	}
	list := r.Figures()
	if len(list) != len(ProbeMetrics) {
		t.Fatalf("%d figures, but %d probe metrics", len(list), len(ProbeMetrics))
	}
	for i, m := range list {
		if m.Name != ProbeMetrics[i].Name || m.Group != "probes" || ProbeMetrics[i].Doc == "" {
			t.Errorf("figure %d is %s of %s, want %s", i, m.Name, m.Group, ProbeMetrics[i].Name)
		}
		if m.Value.Defined() == (m.Reason != "") {
			t.Errorf("%s is %v with the reason %q", m.Name, m.Value, m.Reason)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	return r
}

// The sinusoid tells its positions without error, Gaussian rows worse than the middle
// does: numpy and scikit-learn have 0.0000, and 196, 192 and 189 for three draws.
//
// For independent rows the fit of least norm to m of them in d dimensions predicts
// numbers whose variance is that of the positions times (m-1) / (d-m): with theirs
// the error has a standard deviation of 216, and its mean size is about 177, which
// draws scatter about.
func TestProbesOfKnownTables(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	r := probes(t, absolute(sinusoid(t, 512, 768)), ProbeOptions{Repeats: 1})
	if r.Absolute.Mean != 0 || !(r.AbsoluteRepaired.Mean < 1e-3) {
		t.Errorf("sinusoid: off by %v, unrounded by %v", r.Absolute.Mean, r.AbsoluteRepaired.Mean)
	}
	near(t, "the sinusoid's order", float64(r.Order.Spearman), 1, 1e-12)
	if !(r.Relative.Mean < 0.12 && r.RelativeRepaired.Mean < 0.12) {
		t.Errorf("sinusoid: wrong order of %v and %v", r.Relative.Mean, r.RelativeRepaired.Mean)
	}
	a, err := posemb.Random(posemb.RandomOptions{N: 512, D: 768})
	if err != nil {
		t.Fatal(err)
	}
	r = probes(t, a, ProbeOptions{Repeats: 1})
	near(t, "the absolute probe of random rows", float64(r.Absolute.Mean), 185, 18)
	near(t, "the guess", float64(r.Absolute.Guess), 128, 0)
	near(t, "the repaired probe of random rows", float64(r.AbsoluteRepaired.Mean/r.AbsoluteRepaired.Guess), 1, 0.03)
	// Rows that are in fitted pairs give the published probe away; where they can't,
	// nothing is told.
	near(t, "the published order of random rows", float64(r.Relative.Mean), 0.39, 0.06)
	near(t, "the repaired order of random rows", float64(r.RelativeRepaired.Mean), 0.5, 0.05)
	if !(r.Order.Spearman < 0.2 && r.OrderSharp.Spearman < 0.2) {
		t.Errorf("random rows have an order, %v and %v", r.Order.Spearman, r.OrderSharp.Spearman)
	}
}

// A position that is a linear function of one component is read without error, beside
// noise by the absolute probe, alone by the relative one.
func TestProbesOfLinearTable(t *testing.T) {
	const n = 120
	noisy, plain := gaussian(n, 6, 1), constant(n, 6, 2)
	for i := range n {
		noisy.Set(i, 2, 0.3*float64(i)-7)
		plain.Set(i, 2, 7-0.3*float64(i))
	}
	byName := map[string]*ProbeResult{}
	for name, m := range map[string]*mat.Dense{"noisy": noisy, "plain": plain} {
		r := probes(t, absolute(m), ProbeOptions{Repeats: 2})
		byName[name] = r
		if r.Absolute.Mean != 0 || r.Absolute.SD != 0 {
			t.Errorf("%s: off by %v, sd %v", name, r.Absolute.Mean, r.Absolute.SD)
		}
		if !(r.AbsoluteRepaired.Mean < 1e-6) {
			t.Errorf("%s: repaired off by %v", name, r.AbsoluteRepaired.Mean)
		}
		near(t, "guess", float64(r.AbsoluteRepaired.Guess), n/4, 0)
	}
	r := byName["plain"]
	if r.RelativeRepaired.Mean != 0 {
		t.Errorf("repaired order wrong for %v", r.RelativeRepaired.Mean)
	}
	if !(r.Relative.Mean < 0.05) {
		t.Errorf("published order wrong for %v", r.Relative.Mean)
	}
	// Positions two apart: errors are in positions.
	apart := absolute(noisy)
	apart.Stride = 2
	near(t, "guess of a stride of 2", float64(probes(t, apart, ProbeOptions{Repeats: 1}).Absolute.Guess), n/2, 0)
}

// The repaired probes and the order do not know the table's unit.
func TestProbesAreFreeOfUnits(t *testing.T) {
	m := gaussian(60, 20, 4)
	for i := range 60 {
		m.Set(i, 0, float64(i)/20)
	}
	one := probes(t, absolute(m), ProbeOptions{Repeats: 1})
	for _, factor := range []float64{1e-290, 3e7, 1e290} {
		scaled := mat.DenseCopyOf(m)
		scaled.Scale(factor, scaled)
		r := probes(t, absolute(scaled), ProbeOptions{Repeats: 1})
		for what, p := range map[string][2]Value{
			"absolute":          {r.Absolute.Mean, one.Absolute.Mean},
			"absolute repaired": {r.AbsoluteRepaired.Mean, one.AbsoluteRepaired.Mean},
			"relative repaired": {r.RelativeRepaired.Mean, one.RelativeRepaired.Mean},
			"order":             {r.Order.Spearman, one.Order.Spearman},
		} {
			near(t, fmt.Sprint(what, " of the table times ", factor), float64(p[0]), float64(p[1]), 1e-9)
		}
	}
}

// The same seed gives the same bytes on any number of processors, and another seed
// other draws.
func TestProbesAreDeterministic(t *testing.T) {
	a := absolute(gaussian(20, 30, 2))
	one := func(seed uint64) string {
		b, err := json.Marshal(probes(t, a, ProbeOptions{Repeats: 2, Seed: seed}))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	want := one(3)
	if got := one(3); got != want {
		t.Errorf("twice differs:\n%s\n%s", got, want)
	}
	before := runtime.GOMAXPROCS(1)
	got := one(3)
	runtime.GOMAXPROCS(before)
	if got != want {
		t.Errorf("one processor differs:\n%s\n%s", got, want)
	}
	r, other := probes(t, a, ProbeOptions{Seed: 3}), probes(t, a, ProbeOptions{Seed: 4, Repeats: 10})
	if len(r.Absolute.Each) != 10 || slices.Equal(r.Absolute.Each, other.Absolute.Each) || slices.Equal(r.RelativeRepaired.Each, other.RelativeRepaired.Each) {
		t.Error("seeds 3 and 4 draw alike")
	}
	sorted := slices.Clone(r.Absolute.Each)
	slices.Sort(sorted)
	if sorted[0] == sorted[9] {
		t.Error("repeats draw alike")
	}
	mean := floats.Sum(r.Absolute.Each) / 10
	squares := 0.0
	for _, x := range r.Absolute.Each {
		squares += (x - mean) * (x - mean)
	}
	near(t, "mean", float64(r.Absolute.Mean), mean, 1e-12)
	near(t, "sd", float64(r.Absolute.SD), math.Sqrt(squares/9), 1e-12)
}

// Which rows are taken is what the notes say.
func TestProbedRows(t *testing.T) {
	a := absolute(gaussian(600, 3, 1))
	r := probes(t, a, ProbeOptions{Repeats: 1})
	if r.Absolute.Rows != 512 || r.AbsoluteRepaired.Rows != 512 || r.Relative.Rows != 512 || r.RelativeRepaired.Rows != 512 || r.Order.Rows != 600 {
		t.Errorf("%+v", r)
	}
	near(t, "guess of the first", float64(r.Absolute.Guess), 128, 0)
	near(t, "guess of all", float64(r.AbsoluteRepaired.Guess), 150, 0.5)
	if r.Absolute.SD.Defined() {
		t.Error("one repeat has a deviation")
	}
	says(t, r.Notes, "first 512 of 600", "released code")
	says(t, r.Notes, "512 of 600 positions, evenly spread")
	r = probes(t, a, ProbeOptions{Repeats: 1, Reserved: true})
	if r.Absolute.Rows != 514 || r.Relative.Rows != 512 {
		t.Errorf("with reserved rows %d and %d", r.Absolute.Rows, r.Relative.Rows)
	}
	says(t, r.Notes, "reserved rows that the table holds")
	a = absolute(gaussian(40, 3, 1))
	a.Reserved = 2
	says(t, probes(t, a, ProbeOptions{Repeats: 1}).Notes, "2 reserved rows are left out")
	if _, err := Probes(t.Context(), a, ProbeOptions{Reserved: true}); err == nil {
		t.Error("reserved rows that are gone are probed")
	}
	for _, repeats := range []int{-1, mostRepeats + 1} {
		if _, err := Probes(t.Context(), a, ProbeOptions{Repeats: repeats}); err == nil {
			t.Errorf("%d repeats", repeats)
		}
	}
	some := spreadRows(firstRows(1000), 512)
	if len(some) != 512 || some[0] != 0 || some[511] != 999 {
		t.Errorf("%d rows from %d to %d", len(some), some[0], some[len(some)-1])
	}
	for k := range some[1:] {
		if step := some[k+1] - some[k]; step < 1 || step > 2 {
			t.Errorf("%d follows %d", some[k+1], some[k])
		}
	}
}

// Whatever the table, every figure is a number or says why it is none.
func TestProbesOfDegenerateTables(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rows := func(n, d int, value func(i, j int) float64) *mat.Dense {
		m := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				m.Set(i, j, value(i, j))
			}
		}
		return m
	}
	small := func(i, j int) float64 { return float64((7*i+j)*i%11 - 5) }
	for name, m := range map[string]*mat.Dense{
		"one position":        rows(1, 4, func(i, j int) float64 { return 1 }),
		"nine":                gaussian(9, 3, 1),
		"ten":                 gaussian(10, 3, 1),
		"ten wide":            gaussian(10, 300, 1),
		"one component":       rows(30, 1, small),
		"constant":            constant(20, 6, 3),
		"constant and odd":    constant(21, 5, 0.1),
		"one row differs":     rows(15, 2, func(i, j int) float64 { return 1 + float64(i/14) }),
		"one row defined":     rows(15, 2, func(i, j int) float64 { return float64(i / 14) }),
		"two halves":          rows(20, 2, func(i, j int) float64 { return float64((i/10 + j) % 2) }),
		"identity":            rows(20, 20, func(i, j int) float64 { return float64(max(0, 1-max(i-j, j-i))) }),
		"tiny":                rows(20, 5, func(i, j int) float64 { return 1e-310 * small(i, j) }),
		"huge":                rows(20, 5, func(i, j int) float64 { return 1e305 * small(i, j) }),
		"large":               rows(20, 5, func(i, j int) float64 { return 1e60 * small(i, j) }),
		"far from the origin": rows(20, 5, func(i, j int) float64 { return 1e9 + small(i, j) }),
		"rows apart": rows(24, 3, func(i, j int) float64 {
			switch i % 6 {
			case 1:
				return nan
			case 2:
				return inf
			case 3:
				return 0
			}
			return small(i, j)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			r := probes(t, absolute(m), ProbeOptions{Repeats: 2})
			n, _ := m.Dims()
			if (r.Absolute.Reason == "") != (n >= 10) {
				t.Errorf("absolute: %v, %q", r.Absolute.Mean, r.Absolute.Reason)
			}
			if v := r.AbsoluteRepaired; v.Mean.Defined() && !(v.Mean >= 0 && v.Mean <= 2*v.Guess) {
				t.Errorf("repaired off by %v where guessing is by %v", v.Mean, v.Guess)
			}
			for _, p := range []Probe{r.Relative, r.RelativeRepaired} {
				if p.Mean.Defined() && !(p.Mean >= 0 && p.Mean <= 1) {
					t.Errorf("a share of %v", p.Mean)
				}
			}
		})
	}
	equal := probes(t, absolute(constant(20, 6, 0.1)), ProbeOptions{Repeats: 2})
	if equal.RelativeRepaired.Mean != 0.5 || equal.Order.Reason == "" {
		t.Errorf("equal rows are told apart: %+v", equal)
	}
	// Of rows at right angles nothing is learnt about others.
	apart := probes(t, absolute(rows(20, 20, func(i, j int) float64 { return float64(max(0, 1-max(i-j, j-i))) })), ProbeOptions{Repeats: 2})
	near(t, "rows at right angles", float64(apart.RelativeRepaired.Mean), 0.5, 0)
	near(t, "equal rows", float64(equal.AbsoluteRepaired.Mean), 5, 1)
	if _, err := Probes(t.Context(), absolute(mat.NewDense(12, 3, nil)), ProbeOptions{}); err == nil {
		t.Error("a table of zeros is probed")
	}
}
