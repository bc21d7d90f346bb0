package analysis

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// PowerCurve is the mean power spectrum of a table's columns at the frequencies
// 1/n, 2/n, ... up to 1/2 a row.
type PowerCurve struct {
	Frequency Values `json:"frequency"` // in cycles a position, rising
	Period    Values `json:"period"`    // in positions, 1 / frequency
	Power     Values `json:"power"`     // in squared units of the table, such that white noise has its variance at every frequency
	Share     Values `json:"share"`     // of the sum of all, 0 to 1
}

// PeriodPeak is a period that stands out of the power spectrum.
type PeriodPeak struct {
	Period    float64 `json:"period"`    // in positions
	Frequency float64 `json:"frequency"` // in cycles a position
	Turns     float64 `json:"turns"`     // cycles within the table
	Power     Value   `json:"power"`     // of its frequency's bin
	Share     float64 `json:"share"`     // of this bin and its two neighbours in the sum of all
}

// What makes a period a dominant one.
const (
	peakOverMedian = 5    // its power over the median of all
	peakOverDip    = 2    // its power over the least on the way to any higher one
	mostPeaks      = 10   // of which the strongest are kept
	leastPeak      = 1e-3 // its share of the power of all, below which rounding may be
)

// powers fills in the power spectrum and what it tells.
func (r *SpectrumResult) powers(ctx context.Context, s *subject) error {
	f := newFigures()
	defer func() { r.take(f, spectrumNames...) }()
	n := s.rows.N
	r.Periods = []PeriodPeak{}
	power, err := s.power(ctx, f)
	if err != nil || power == nil {
		return err
	}
	spectrumOf(power, n*s.stride, f)
	v := s.finite(true)
	total := floats.Sum(power)
	c := &PowerCurve{}
	for b, p := range power {
		turns := float64(b + 1)
		c.Frequency = append(c.Frequency, turns/float64(n*s.stride))
		c.Period = append(c.Period, float64(n*s.stride)/turns)
		// The squares of the window have the sum 3n/8.
		c.Power = append(c.Power, math.Ldexp(p/(0.375*float64(n)), 2*v.exponent))
		c.Share = append(c.Share, p/total)
	}
	if top := slices.Max(power) / (0.375 * float64(n)); !representable(top, 2*v.exponent) {
		c.Power = undefined(len(power))
		r.Reasons["power"] = beyond
	}
	r.Power = c
	for _, b := range peaks(power) {
		turns := refined(power, b, n)
		share := 0.0
		for _, p := range c.Share[max(0, b-1):min(len(power), b+2)] {
			share += p
		}
		r.Periods = append(r.Periods, PeriodPeak{
			Period: float64(n*s.stride) / turns, Frequency: turns / float64(n*s.stride), Turns: turns,
			Power: Value(c.Power[b]), Share: share,
		})
	}
	return nil
}

// peaks are the bins of a power spectrum that stand out, the strongest first, 10 at
// most: those that hold a thousandth of all power or more, whose power is 5 times the
// median or more, and twice the least on the way to any higher bin or more
// (standsOut). Waves of less than about one and a half turns are none, since a
// spectrum does not tell them from a trend. The noise of a table of few columns, whose
// spectrum is rough, may be such.
func peaks(power []float64) []int {
	sorted := slices.Clone(power)
	slices.Sort(sorted)
	least := max(peakOverMedian*sorted[len(sorted)/2], leastPeak*floats.Sum(power))
	var found []int
	for b, p := range power {
		if b > 0 && p >= least && peaksAbove(power, b) {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int {
		switch {
		case power[a] > power[b]:
			return -1
		case power[a] < power[b]:
			return 1
		}
		return 0
	})
	return found[:min(len(found), mostPeaks)]
}

// peaksAbove tells whether the power falls to half that of bin b before it rises above
// it, on both sides. What lies below the first bin counts as higher, since it is a
// trend; beyond the last is the mirror image of what lies before it. Of equal
// neighbours the first is the higher.
func peaksAbove(power []float64, b int) bool {
	p := power[b]
	dip := p
	for i := b - 1; i >= 0 && power[i] < p; i-- {
		dip = min(dip, power[i])
	}
	if p < peakOverDip*dip {
		return false
	}
	dip = p
	for i := b + 1; i < len(power); i++ {
		if power[i] > p {
			return p >= peakOverDip*dip
		}
		dip = min(dip, power[i])
	}
	return true
}

// refined is how many cycles the wave of a peak at bin b makes within n rows, from the
// peak and the larger of its neighbours. With the ratio a of their moduli under a Hann
// window it lies
//
//	(2a - 1) / (a + 1)
//
// bins from the peak, which is exact for a single wave.
//
//	Grandke, Interpolation algorithms for discrete Fourier transforms of weighted
//	signals, IEEE Trans. Instrum. Meas. 32, 1983
func refined(power []float64, b, n int) float64 {
	turns := float64(b + 1)
	if 2*(b+1) == n { // the mirror image of its left neighbour stands right of it
		return turns
	}
	at := func(i int) float64 {
		if i < 0 || i >= len(power) {
			return -1
		}
		return power[i]
	}
	side, beside := 1.0, at(b+1)
	if left := at(b - 1); left > beside {
		side, beside = -1, left
	}
	if beside < 0 {
		return turns
	}
	a := math.Sqrt(beside / power[b])
	return turns + side*max(-0.5, min(0.5, (2*a-1)/(a+1)))
}
