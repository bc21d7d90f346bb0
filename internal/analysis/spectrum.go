package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/posemb"
)

// defaultComponents is how many principal components are given unasked.
const defaultComponents = 8

// SpectrumOptions choose what is given of a spectrum.
type SpectrumOptions struct {
	Components int // principal components whose scores are given; 0 means 8
}

// SpectrumResult is what a table's variance is spread over: directions (principal
// components) and frequencies. Rows that are not finite have no part in it.
type SpectrumResult struct {
	posemb.Origin
	Positions []int        `json:"positions"`      // of the rows
	Grid      *posemb.Grid `json:"grid,omitempty"` // that they follow, row after row; absent: none, or more than one
	Width     int          `json:"width"`

	// The figures of the same names in Metrics.
	TopComponentShare  Value `json:"top_component_share"`
	ComponentsFor90    Value `json:"components_for_90"`
	ComponentsFor95    Value `json:"components_for_95"`
	ComponentsFor99    Value `json:"components_for_99"`
	ParticipationRatio Value `json:"participation_ratio"`
	EntropyRank        Value `json:"entropy_rank"`
	StableRank         Value `json:"stable_rank"`
	DominantPeriod     Value `json:"dominant_period"`
	SpectralFlatness   Value `json:"spectral_flatness"`
	SpectralTop5Share  Value `json:"spectral_top5_share"`

	Reasons map[string]string `json:"reasons,omitempty"` // why a figure is null, by its name

	Variance        Values       `json:"variance"`         // along each of all principal components, over the rows (of the population), in squared units of the table
	Share           Values       `json:"share"`            // of the variance, 0 to 1
	CumulativeShare Values       `json:"cumulative_share"` // of the first 1, 2, ... components
	Components      []Component  `json:"components"`       // the first ones
	pairable        []Component  // those that pairs are sought among, which may be more
	Power           *PowerCurve  `json:"power"` // nil where there is no spectrum
	Periods         []PeriodPeak `json:"dominant_periods"`
	Pairs           []HelixPair  `json:"rotational_pairs"`

	Path     string   `json:"-"` // how the components were found
	Warnings []string `json:"warnings,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// Component is one principal component of the centred table.
type Component struct {
	Index     int    `json:"component"`  // 0 is that of the largest variance
	Variance  Value  `json:"variance"`   // as in SpectrumResult
	Share     Value  `json:"share"`      // of the variance, 0 to 1
	Period    Value  `json:"period"`     // of the wave that fits its scores best, in positions
	WaveShare Value  `json:"wave_share"` // of the scores' energy that this wave explains, 0 to 1
	Scores    Values `json:"scores"`     // of the rows along it, in the table's units, the largest one positive
}

// Spectrum takes the principal components and the power spectrum of a table of
// positions.
//
// The components are those of the rows less their mean: the eigenvectors of the
// scatter matrix, of which the first few alone are computed for wide tables (leading).
// The power spectrum is the mean of those of the columns (finiteRows.meanPower); its
// dominant periods are told in peaks, pairs of components that turn in helixPairs,
// which looks at the first 32 components.
//
// It takes O(n d min(n, d) + min(n, d)^3) time and little more memory than three
// copies of the table. The result depends on the table alone. Errors: ErrNothing, or
// a number of components below 0.
func Spectrum(ctx context.Context, a *posemb.Absolute, opt SpectrumOptions) (*SpectrumResult, error) {
	if opt.Components < 0 {
		return nil, fmt.Errorf("%d components: must be 0 or more", opt.Components)
	}
	s, err := newSubject(ctx, a)
	if err != nil {
		return nil, err
	}
	n, d := a.Table.Dims()
	r := &SpectrumResult{Origin: a.Origin, Positions: a.Positions(), Width: d, Reasons: map[string]string{}}
	if g := a.Grid; a.Frames <= 1 && g.Rows > 0 && g.Rows*g.Cols == n {
		r.Grid = &g
		r.Notes = append(r.Notes, fmt.Sprintf("positions are taken in raster order, so a period near %d is that of the grid's rows", g.Cols))
	}
	if odd := s.odd(); len(odd) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s %s not finite: %s no part in the components, and there is no power spectrum", naming(a)(odd), plural(len(odd), "is", "are"), plural(len(odd), "it has", "they have")))
	}
	k := opt.Components
	if k == 0 {
		k = defaultComponents
	}
	if err := r.components(ctx, s, max(k, pairAmong), opt.Components); err != nil {
		return nil, err
	}
	if err := r.powers(ctx, s); err != nil {
		return nil, err
	}
	if err := r.waves(ctx, s); err != nil {
		return nil, err
	}
	r.pairable = r.Components
	r.Components = r.Components[:min(k, len(r.Components))]
	r.lists()
	if len(r.Reasons) == 0 {
		r.Reasons = nil
	}
	return r, nil
}

// lists gives lists that are missing as a whole the reason of the figures that are so
// with them.
func (r *SpectrumResult) lists() {
	if r.Variance == nil {
		for _, name := range []string{"variance", "share", "cumulative_share", "components"} {
			r.Reasons[name] = r.Reasons["top_component_share"]
		}
	}
	if r.Power == nil {
		r.Reasons["power"] = r.Reasons["dominant_period"]
	}
}

// odd are the rows that are not finite.
func (s *subject) odd() []int {
	var odd []int
	next := 0
	for i := range s.rows.N {
		if next < len(s.whole) && s.whole[next] == i {
			next++
			continue
		}
		odd = append(odd, i)
	}
	return odd
}

// figure gives the place of a figure by its name in Metrics.
func (r *SpectrumResult) figure(name string) *Value {
	return map[string]*Value{
		"top_component_share": &r.TopComponentShare,
		"components_for_90":   &r.ComponentsFor90, "components_for_95": &r.ComponentsFor95, "components_for_99": &r.ComponentsFor99,
		"participation_ratio": &r.ParticipationRatio, "entropy_rank": &r.EntropyRank, "stable_rank": &r.StableRank,
		"dominant_period": &r.DominantPeriod, "spectral_flatness": &r.SpectralFlatness, "spectral_top5_share": &r.SpectralTop5Share,
	}[name]
}

// take copies the figures of some names.
func (r *SpectrumResult) take(f *figures, names ...string) {
	for _, name := range names {
		v, ok := f.value[name]
		if !ok {
			v = math.NaN()
			r.Reasons[name] = f.reason[name]
		}
		*r.figure(name) = Value(v)
	}
}
