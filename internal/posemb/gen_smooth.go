package posemb

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

// SmoothOptions say what Smooth makes; zero and nil are the defaults.
type SmoothOptions struct {
	N      int      // positions; 0 is 128
	D      int      // width; 0 is 64
	Kernel string   // "squared-exponential" (the default, or "rbf"), "exponential" or "matern32"
	Length float64  // length scale in positions, above 0; 0 is 6
	Noise  *float64 // share of the variance that is white noise, 0..1; nil is 0.087
	Seed   *uint32  // nil is 42
}

// kernel is a correlation function of x = distance / length.
type kernel struct {
	name  string
	at    func(x float64) float64
	reach float64 // x beyond which it is 0 to rounding; 0 for a convex one, whose embedding is exact at any size
}

var kernels = []kernel{
	{"squared-exponential", func(x float64) float64 { return math.Exp(-x * x / 2) }, 8.6},
	{"exponential", func(x float64) float64 { return math.Exp(-x) }, 0},
	{"matern32", func(x float64) float64 { x *= math.Sqrt(3); return (1 + x) * math.Exp(-x) }, 24},
}

func kernelNames() []string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.name)
	}
	return names
}

// smooth is SmoothOptions with the defaults in place and all values checked.
type smooth struct {
	n, d          int
	kernel        kernel
	length, noise float64
	seed          uint32
}

// maxSmooth bounds the positions of Smooth: its transforms are longer than the table.
const maxSmooth = 1 << 24

func (o SmoothOptions) settle() (s smooth, err error) {
	s = smooth{n: cmp.Or(o.N, 128), d: cmp.Or(o.D, 64), length: cmp.Or(o.Length, 6),
		noise: valueOr(o.Noise, 0.087), seed: valueOr(o.Seed, 42)}
	name := o.Kernel
	if name == "" || name == "rbf" {
		name = "squared-exponential"
	}
	for _, k := range kernels {
		if k.name == name {
			s.kernel = k
		}
	}
	if s.n > maxSmooth {
		return s, &OptionError{Msg: fmt.Sprintf("n is %d, expected at most %d for smooth", s.n, maxSmooth)}
	}
	return s, cmp.Or(
		checkSize("n", s.n, "d", s.d),
		checkWord("kernel", name, kernelNames()),
		checkReal("length", s.length, tinyReal, hugeReal),
		checkReal("noise", s.noise, 0, 1),
	)
}

// correlation is r(k) for k >= 0.
func (s smooth) correlation(k int) float64 {
	if k == 0 {
		return 1
	}
	return (1 - s.noise) * s.kernel.at(float64(k)/s.length)
}

// Correlation is that of a component at two positions k apart,
//
//	r(0) = 1,  r(k) = (1 - noise) * kernel(|k| / length)
//
// or NaN when the options are out of range.
func (o SmoothOptions) Correlation(k int) float64 {
	s, err := o.settle()
	if err != nil {
		return math.NaN()
	}
	return s.correlation(max(k, -k))
}

// ExpectedCosine is the mean cosine of two vectors of d components, whose pairs of
// components are independent standard normals of correlation r:
//
//	E = r * (2/d) * (Gamma((d+1)/2) / Gamma(d/2))^2 * F(r^2),  F(z) = 2F1(1/2, 1/2; d/2 + 1; z)
//
// It is below |r| for |r| < 1 and tends to r as d grows. NaN for d < 1 and |r| > 1.
// It is the mean of a sample correlation of d degrees of freedom: Hotelling 1953, New
// Light on the Correlation Coefficient and its Transforms.
func ExpectedCosine(r float64, d int) float64 {
	switch {
	case d < 1 || !(math.Abs(r) <= 1):
		return math.NaN()
	case math.Abs(r) == 1:
		return r
	}
	h := float64(d) / 2
	if d <= 16 {
		g := math.Gamma(h+0.5) / math.Gamma(h)
		return r * g * g / h * mathext.Hypergeo(0.5, 0.5, h+1, r*r)
	}
	// From here on the series is short even at 1, where it gives the factor before F
	// too, by Gauss's theorem; the general routine's gammas overflow.
	return r * halfSeries(h+1, r*r) / halfSeries(h+1, 1)
}

// halfSeries sums 2F1(1/2, 1/2; c; z) for z in 0..1; its terms fall at least as k^-c.
func halfSeries(c, z float64) float64 {
	sum, term := 1.0, 1.0
	for k := 0.0; term > 1e-18; k++ {
		term *= (k + 0.5) / (k + c) * (k + 0.5) / (k + 1) * z
		sum += term
	}
	return sum
}

// Smooth simulates a learned table: each component is a Gaussian process along
// the positions, independent of the others, of unit variance and the correlation
// that SmoothOptions.Correlation gives. ExpectedCosine of that is the mean cosine of two
// rows: with the defaults 0.9 at distance 1 and near 0 from 20 on.
//
// Components are drawn by circulant embedding (Wood and Chan 1994): negative
// eigenvalues, which only a kernel longer than the transform has, are clipped, the
// rest is scaled back to unit variance, and a note tells what that changed.
// Component c takes its normals from np.random.seed([seed, c]), so that the table is
// the same on any number of cores.
func Smooth(opt SmoothOptions) (*Absolute, error) {
	s, err := opt.settle()
	if err != nil {
		return nil, err
	}
	scale, off := s.spectrum()
	a := &Absolute{
		Origin: Origin{Label: "smooth"},
		Table:  mat.NewDense(s.n, s.d, nil),
		Stride: 1,
		Notes: []string{fmt.Sprintf(
			"made here: %d positions x %d, components that are independent Gaussian processes with a %s kernel of length %v and noise %v, seed %d",
			s.n, s.d, s.kernel.name, s.length, s.noise, s.seed)},
	}
	if off > 1e-6 {
		a.Notes = append(a.Notes, fmt.Sprintf(
			"the kernel is long for %d positions: correlations are off by up to %.2g", s.n, off))
	}
	s.draw(a.Table, scale)
	return a, nil
}

// size is the length of the circle that the positions are embedded in, a power of
// 2: room for the kernel to fall to 0 on both sides, as far as that is affordable.
func (s smooth) size() int {
	want := 2 * s.kernel.reach * s.length
	limit := float64(min(max(8*s.n, 1<<20), 2*maxSmooth))
	m := 2
	for float64(m) < max(min(want, limit), float64(2*(s.n-1))) {
		m *= 2
	}
	return m
}

// spectrum gives the amplitude of each frequency 0..m/2 of a circle of m
// positions, and how far clipping moves any correlation within the table.
func (s smooth) spectrum() (scale []float64, off float64) {
	m := s.size()
	fft := fourier.NewFFT(m)
	ring := make([]float64, m)
	for k := range m/2 + 1 {
		ring[k] = s.correlation(k)
		ring[(m-k)%m] = ring[k]
	}
	power := fft.Coefficients(nil, ring)
	scale = make([]float64, len(power))
	total, clipped := 0.0, 0.0
	for j, p := range power {
		scale[j] = max(real(p), 0)
		times := 2.0 // frequency j stands for m-j as well
		if j == 0 || j == m/2 {
			times = 1
		}
		total += times * scale[j]
		clipped += times * (scale[j] - real(p))
	}
	if clipped > 1e-9*total {
		for j := range power {
			power[j] = complex(scale[j]/total, 0)
		}
		fft.Sequence(ring, power)
		for k := range s.n {
			off = max(off, math.Abs(ring[k]-s.correlation(k)))
		}
	}
	for j := range scale {
		scale[j] = math.Sqrt(scale[j] / total)
		if j != 0 && j != m/2 {
			scale[j] *= math.Sqrt2 / 2
		}
	}
	return scale, off
}

// draw fills the table, a component at a time on each core.
func (s smooth) draw(table *mat.Dense, scale []float64) {
	m := 2 * (len(scale) - 1)
	data, stride := table.RawMatrix().Data, table.RawMatrix().Stride
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), s.d, max(1, 4*maxSmooth/m)) { // large transforms are few, for memory
		group.Go(func() {
			fft := fourier.NewFFT(m)
			wave, line := make([]complex128, len(scale)), make([]float64, m)
			for {
				c := int(next.Add(1) - 1)
				if c >= s.d {
					return
				}
				r := newLegacyRandKeys(s.seed, uint32(c))
				wave[0] = complex(scale[0]*r.Normal(), 0)
				for j := 1; j < m/2; j++ {
					re := r.Normal()
					wave[j] = complex(scale[j]*re, scale[j]*r.Normal())
				}
				wave[m/2] = complex(scale[m/2]*r.Normal(), 0)
				fft.Sequence(line, wave)
				for i, v := range line[:s.n] {
					data[i*stride+c] = v
				}
			}
		})
	}
	group.Wait()
}
