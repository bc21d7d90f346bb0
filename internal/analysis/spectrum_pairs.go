package analysis

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"poslens/internal/gram"
)

// HelixPair is two principal components that turn together: with the position the
// scores go around a circle, and with a third component along a helix.
type HelixPair struct {
	A               int     `json:"component_a"`      // the one of the larger variance
	B               int     `json:"component_b"`      //
	Period          float64 `json:"period"`           // positions a turn
	Turns           float64 `json:"turns"`            // within the table
	Radius          Value   `json:"radius"`           // root of the mean square of both scores together, in the table's units
	QuadratureError float64 `json:"quadrature_error"` // | |phase difference| - 90 | in degrees
	WaveShare       float64 `json:"wave_share"`       // of both scores' energy, that steady waves of this period explain; 0 to 1
	EnergyShare     float64 `json:"energy_share"`     // of the same, that lies within two turns of this period; 0 to 1
	Coherence       float64 `json:"coherence"`        // of the two there, a quarter of a turn apart; 0 to 1
}

// What makes two components a pair.
const (
	pairAmong      = 32   // of the first components
	pairReach      = 3    // components after the first that the second is looked for among
	pairApart      = 0.25 // most that the turns of each one's own best wave differ by
	pairQuadrature = 30   // most degrees that the phase difference is away from 90
	pairTurns      = 0.98 // the fewest turns within the table
	pairFew        = 2    // below these turns
	pairFewWave    = 0.97 // least share of the energy of each one, that the common wave explains,
	pairSome       = 3    // below these
	pairSomeWave   = 0.9  // this one,
	pairBand       = 2    // and else within so many turns
	pairEnergy     = 0.25 // least share of the energy of each one
	pairCoherence  = 0.95 // and least coherence
	pairPositions  = 64   // where there are so many positions
)

// Of gives both components of a pair, also where they are not among Components.
func (r *SpectrumResult) Of(p HelixPair) [2]Component {
	return [2]Component{r.pairable[p.A], r.pairable[p.B]}
}

// waves fills in the waves of the components, and the pairs of them.
func (r *SpectrumResult) waves(ctx context.Context, s *subject) error {
	r.Pairs = []HelixPair{}
	n := s.rows.N
	if len(s.whole) < n || n < leastSpectrum {
		if len(r.Components) > 0 {
			reason := "fewer than 8 positions have no waves"
			if len(s.whole) < n {
				reason = "some rows are not finite, and a wave needs all"
			}
			r.Reasons["period"], r.Reasons["wave_share"] = reason, reason
		}
		return nil
	}
	signals := make([]*signal, len(r.Components))
	turns := make([]float64, len(r.Components))
	err := gram.Parallel(ctx, len(r.Components), func() func(int) {
		return func(k int) {
			c := &r.Components[k]
			signals[k] = newSignal(c.Scores)
			var share float64
			turns[k], share = best(signals[k])
			c.Period, c.WaveShare = Value(float64(n*s.stride)/turns[k]), Value(share)
		}
	})
	if err != nil {
		return err
	}
	for _, p := range helixPairs(signals, turns, s.stride) {
		r.Pairs = append(r.Pairs, p)
		if p.Turns < pairFew {
			r.Notes = append(r.Notes, fmt.Sprintf("components %d and %d make %.2g turns: in so few a smooth table may look like a helix by chance", p.A, p.B, p.Turns))
		}
	}
	return nil
}

// helixPairs finds the pairs of components that turn together. From the largest
// variance on, each component that is not in a pair yet takes the first of the three
// after it that is neither and with which
//
//   - the waves that fit each of the two best differ by less than a quarter of a turn
//     over the whole table;
//   - waves of one frequency for both, that of a turn or more, are 90 degrees apart in
//     phase, to 30;
//   - these waves explain 97 % of the energy of each where they make less than two
//     turns within the table, and 90 % where they make less than three;
//   - from three turns on the waves may swell and fade: a quarter of the energy of
//     each lies within two turns of their frequency, and their coherence there is 0.95
//     or more (with less than 64 positions, the 90 % hold here too).
//
// The coherence is that of the Fourier transforms A and B of the two, a quarter of a
// turn apart:
//
//	| sum Im(A conj B) | / sqrt(sum |A|^2 sum |B|^2)
//
// The last rules part helices from tables that are smooth only. The components of
// these are waves too, each about half a turn faster than that before, and where two
// mix, as they do by chance, they cross as cosine and sine: the common wave then
// explains about 80 %, and the coherence is up to 0.9.
//
//	Novembre and Stephens, Interpreting principal component analyses of spatial
//	population genetic variation, Nature Genetics 40, 2008
//
// Helices whose radii are alike share their components, and are found by their
// periods in the power spectrum alone.
func helixPairs(signals []*signal, turns []float64, stride int) []HelixPair {
	var pairs []HelixPair
	taken := make([]bool, len(signals))
	for a := range signals {
		for b := a + 1; b < len(signals) && b <= a+pairReach && !taken[a]; b++ {
			if taken[b] || math.Abs(turns[a]-turns[b]) >= pairApart {
				continue
			}
			if p, ok := helixOf(signals[a], signals[b], turns[a], turns[b], stride); ok {
				p.A, p.B = a, b
				taken[a], taken[b] = true, true
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// helixOf fits one frequency to two components, and tells whether they turn together.
func helixOf(a, b *signal, turnsA, turnsB float64, stride int) (HelixPair, bool) {
	n := float64(len(a.y))
	lo := max(leastTurns, min(turnsA, turnsB)-pairApart/2)
	hi := min(n/2-leastTurns, max(turnsA, turnsB)+pairApart/2)
	if lo >= hi {
		return HelixPair{}, false
	}
	turns, _ := climb([]*signal{a, b}, lo, hi)
	shareA, phaseA := a.at(turns)
	shareB, phaseB := b.at(turns)
	difference := math.Abs(math.Remainder(phaseA-phaseB, 2*math.Pi)) * 180 / math.Pi
	bandA, bandB, coherence := band(a, b, turns)
	both := func(x, y float64) float64 { // of the energies of both together
		scale := max(a.length, b.length)
		p, q := a.length/scale, b.length/scale
		return (x*p*p + y*q*q) / (p*p + q*q)
	}
	p := HelixPair{
		Period: n * float64(stride) / turns, Turns: turns,
		Radius:          Value(math.Hypot(a.length, b.length) / math.Sqrt(n)),
		QuadratureError: math.Abs(difference - 90),
		WaveShare:       both(shareA, shareB),
		EnergyShare:     both(bandA, bandB),
		Coherence:       coherence,
	}
	if turns < pairTurns || p.QuadratureError > pairQuadrature {
		return p, false
	}
	wave := min(shareA, shareB)
	switch {
	case turns < pairFew:
		return p, wave >= pairFewWave
	case turns < pairSome, n < pairPositions:
		return p, wave >= pairSomeWave
	}
	return p, coherence >= pairCoherence && min(bandA, bandB) >= pairEnergy
}

// band gives the shares of the energy of two signals within two turns of a frequency,
// and their coherence there, a quarter of a turn apart.
func band(a, b *signal, turns float64) (shareA, shareB, coherence float64) {
	n := float64(len(a.y))
	middle := int(math.Round(turns))
	var energyA, energyB, cross float64
	for k := max(1, middle-pairBand); k <= middle+pairBand && k < len(a.bins); k++ {
		x, y := a.bins[k], b.bins[k]
		weight := 2 / n
		if 2*k == len(a.y) {
			weight = 1 / n
		}
		energyA += weight * (real(x)*real(x) + imag(x)*imag(x))
		energyB += weight * (real(y)*real(y) + imag(y)*imag(y))
		cross += weight * imag(x*cmplx.Conj(y))
	}
	if energyA > 0 && energyB > 0 {
		coherence = math.Abs(cross) / math.Sqrt(energyA*energyB)
	}
	return min(1, energyA), min(1, energyB), min(1, coherence)
}
