package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/analysis"
	"poslens/internal/posemb"
)

// helix is one in a plane of its own.
type helix struct{ period, radius float64 }

// helices are some in random planes that are orthogonal, and noise.
func helices(n, d int, noise float64, seed uint64, some ...helix) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 77))
	axes := mat.NewDense(d, 2*len(some), nil)
	for i := range d {
		for j := range 2 * len(some) {
			axes.Set(i, j, random.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(axes)
	var q mat.Dense
	qr.QTo(&q)
	table := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			v := 0.7 + noise*random.NormFloat64()
			for k, h := range some {
				sin, cos := math.Sincos(2*math.Pi*float64(i)/h.period + float64(k))
				v += h.radius * (cos*q.At(j, 2*k) + sin*q.At(j, 2*k+1))
			}
			table.Set(i, j, v)
		}
	}
	return table
}

// A helix in noise is found with its period, to 1 %, its radius, and a quarter of a
// turn between its components; its period stands out of the power spectrum.
func TestSpectrumFindsHelix(t *testing.T) {
	const n, d = 256, 48
	for _, period := range []float64{2.3, 3, 5, 7.31, 16, 20.5, 33.7, 64, 100, 120, 180, 256} {
		for seed := range uint64(3) {
			const radius, noise = 2.0, 0.05
			r := spectrumOf(t, helices(n, d, noise, seed, helix{period, radius}), analysis.SpectrumOptions{})
			name := fmt.Sprintf("period %v, seed %d", period, seed)
			if len(r.Pairs) != 1 {
				t.Errorf("%s: pairs %+v; components of periods %v, %v", name, r.Pairs, r.Components[0].Period, r.Components[1].Period)
				continue
			}
			p := r.Pairs[0]
			if p.A != 0 || p.B != 1 || !(math.Abs(p.Period/period-1) <= 0.01) || p.QuadratureError > 3 || p.WaveShare < 0.97 || p.EnergyShare < 0.8 || p.Coherence < 0.9 {
				t.Errorf("%s: %+v", name, p)
			}
			if !(math.Abs(p.Turns*p.Period/n-1) <= 1e-12) {
				t.Errorf("%s: %v turns of %v", name, p.Turns, p.Period)
			}
			if turns := n / period; turns == math.Trunc(turns) && !(math.Abs(float64(p.Radius)/radius-1) <= 0.01) {
				t.Errorf("%s: radius %v, want %v", name, p.Radius, radius)
			}
			if period > 150 { // not told from a trend in the power spectrum
				continue
			}
			if len(r.Periods) == 0 || !(math.Abs(r.Periods[0].Period/period-1) <= 0.02) {
				t.Errorf("%s: dominant periods %+v", name, r.Periods)
			}
		}
	}
}

// The power spectrum of a circle gives its period almost exactly, whatever the part of
// a bin.
func TestDominantPeriodIsRefined(t *testing.T) {
	for _, turns := range []float64{20, 20.1, 20.25, 20.49, 20.6, 20.9} {
		const n = 400
		r := spectrumOf(t, helices(n, 2, 0, 1, helix{n / turns, 1}), analysis.SpectrumOptions{})
		if len(r.Periods) != 1 || !(math.Abs(r.Periods[0].Turns-turns) <= 2e-3) {
			t.Errorf("%v turns: %+v", turns, r.Periods)
		}
	}
}

// Several helices are found with their components, the widest first, also where rows
// are far apart.
func TestSpectrumFindsHelices(t *testing.T) {
	want := []helix{{11.7, 3}, {50, 2}, {2.7, 1.3}, {90.5, 0.8}}
	table := helices(500, 40, 0.02, 9, want...)
	r, err := analysis.Spectrum(t.Context(), &posemb.Absolute{Table: table, Stride: 4}, analysis.SpectrumOptions{Components: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pairs) != len(want) || len(r.Components) != 2 {
		t.Fatalf("%d components, pairs %+v", len(r.Components), r.Pairs)
	}
	for i, p := range r.Pairs {
		if p.A != 2*i || p.B != 2*i+1 || !(math.Abs(p.Period/(4*want[i].period)-1) <= 0.01) || !(math.Abs(float64(p.Radius)/want[i].radius-1) <= 0.03) {
			t.Errorf("pair %+v, want %+v", p, want[i])
		}
	}
	found := 0
	for _, p := range r.Periods {
		for _, h := range want {
			if math.Abs(p.Period/(4*h.period)-1) <= 0.02 {
				found++
			}
		}
	}
	if found != len(want) || len(r.Periods) != len(want) {
		t.Errorf("dominant periods %+v", r.Periods)
	}
}

// A wave in one direction alone is no helix, nor are two in step.
func TestWavesInStepAreNoHelix(t *testing.T) {
	const n = 200
	random := rand.New(rand.NewPCG(6, 6))
	table := mat.NewDense(n, 5, nil)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 20)
		slow := math.Cos(2 * math.Pi * float64(i) / 70)
		table.SetRow(i, []float64{3 * sin, 3*sin + 0.1*random.NormFloat64(), cos * 0, slow, random.NormFloat64() * 0.1})
	}
	if r := spectrumOf(t, table, analysis.SpectrumOptions{}); len(r.Pairs) != 0 {
		t.Errorf("pairs %+v", r.Pairs)
	}
}

// Tables that are random, or smooth and no more, hold no helix. Smooth ones do so by
// chance where they make few turns: of 200 two at most may.
func TestSpectrumFindsNoHelixInNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	for seed := range uint32(40) {
		for _, c := range []struct{ n, d int }{{64, 16}, {128, 64}, {200, 8}} {
			a, err := posemb.Random(posemb.RandomOptions{N: c.n, D: c.d, Seed: &seed})
			if err != nil {
				t.Fatal(err)
			}
			r, err := analysis.Spectrum(t.Context(), a, analysis.SpectrumOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Pairs) > 0 {
				t.Errorf("random %d x %d, seed %d: %+v", c.n, c.d, seed, r.Pairs)
			}
			if c.d >= 16 && len(r.Periods) > 0 {
				t.Errorf("random %d x %d, seed %d: periods %+v", c.n, c.d, seed, r.Periods)
			}
		}
	}
	found := 0
	for seed := range uint64(40) {
		for _, c := range []struct {
			n, d  int
			width float64
		}{{128, 64, 6}, {128, 64, 12}, {256, 64, 10}, {128, 16, 25}, {400, 32, 20}} {
			r := spectrumOf(t, smoothTable(c.n, c.d, c.width, seed), analysis.SpectrumOptions{})
			if len(r.Pairs) > 0 {
				t.Logf("smooth %+v, seed %d: %+v", c, seed, r.Pairs)
				found++
			}
		}
	}
	if found > 2 {
		t.Errorf("%d of 200 smooth tables hold a helix", found)
	}
}

// smoothTable is noise under a Gaussian window of a width, with a little of its own at
// each position.
func smoothTable(n, d int, width float64, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 7))
	reach := int(3 * width)
	window := make([]float64, 2*reach+1)
	for i := range window {
		x := float64(i-reach) / width
		window[i] = math.Exp(-x*x) / math.Sqrt(width)
	}
	table := mat.NewDense(n, d, nil)
	noise := make([]float64, n+2*reach)
	for j := range d {
		for i := range noise {
			noise[i] = random.NormFloat64()
		}
		for i := range n {
			sum := 0.1 * random.NormFloat64()
			for k, w := range window {
				sum += w * noise[i+k]
			}
			table.Set(i, j, sum)
		}
	}
	return table
}
