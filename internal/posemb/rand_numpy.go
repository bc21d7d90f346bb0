package posemb

import (
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// legacyRand is numpy's legacy generator, np.random.RandomState: the Mersenne
// Twister with uniform doubles of 53 bits and normals by Marsaglia's polar
// method. Its draws are numpy's to the last bit, but for the platform's logarithm.
//
// Source: numpy, numpy/random/src/legacy/legacy-distributions.c and
// numpy/random/src/mt19937/mt19937.c.
type legacyRand struct {
	src   *prng.MT19937
	spare float64 // the second normal of the last pair
	kept  bool    // whether spare is still to be handed out
}

// newLegacyRand seeds as np.random.seed(seed) does for a number.
func newLegacyRand(seed uint32) *legacyRand {
	src := prng.NewMT19937()
	src.Seed(uint64(seed))
	return &legacyRand{src: src}
}

// newLegacyRandKeys seeds as np.random.seed([keys...]) does for a list: streams
// of different lists are independent.
func newLegacyRandKeys(keys ...uint32) *legacyRand {
	src := prng.NewMT19937()
	src.SeedFromKeys(keys)
	return &legacyRand{src: src}
}

// Float64 draws from [0, 1) as np.random.random_sample does.
func (r *legacyRand) Float64() float64 {
	a := r.src.Uint32() >> 5 // 27 bits
	b := r.src.Uint32() >> 6 // 26 bits
	return float64(uint64(a)<<26|uint64(b)) / (1 << 53)
}

// Normal draws from N(0, 1) as np.random.standard_normal does: of a pair, the
// second coordinate is handed out first.
func (r *legacyRand) Normal() float64 {
	if r.kept {
		r.kept = false
		return r.spare
	}
	for {
		x := 2*r.Float64() - 1
		y := 2*r.Float64() - 1
		// The conversions keep a compiler from fusing the two products into one
		// rounding, which would differ from numpy.
		q := float64(x*x) + float64(y*y)
		if q >= 1 || q == 0 {
			continue
		}
		f := math.Sqrt(-2 * math.Log(q) / q)
		r.spare, r.kept = f*x, true
		return f * y
	}
}

// fillNormal draws std * N(0, 1) into dst in order.
func (r *legacyRand) fillNormal(dst []float64, std float64) {
	for i := range dst {
		dst[i] = r.Normal() * std
	}
}
