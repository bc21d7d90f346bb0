package analysis

import (
	"context"
	"fmt"

	"poslens/internal/posemb"
)

// DecayOptions say what to compare and how far.
type DecayOptions struct {
	SimilarityOptions
	MaxDistance *int // in positions; nil is 40 rows apart, or as far as the table goes
	All         bool // every distance there is; MaxDistance is not looked at
	RowStride   int  // positions between two rows of a score matrix; 0 is 1
	MeanOnly    bool // the mean and the pairs alone: no deviation, no quantiles
	NoSummary   bool // no summary, which looks at every distance there is
	NoFit       bool // no Fit is to follow, for whose errors pairs are summed once more
}

// DecayCurve tells how similar positions are that stand a distance apart: for
// each distance the mean over all such pairs and how they spread about it.
type DecayCurve struct {
	posemb.Origin
	Measure  string            `json:"measure"` // MeasureCosine, MeasureDot or MeasureScore
	Centered bool              `json:"centered"`
	Eps      float64           `json:"eps"`
	Axis     string            `json:"axis"`          // AxisDistance or AxisOffset
	Raster   bool              `json:"raster"`        // positions are cells of an image, and distances those of its raster order
	At       []int             `json:"at"`            // distances or offsets, in positions, rising
	Mean     Values            `json:"mean"`          // at each of At, as all that follows
	Std      Values            `json:"std,omitempty"` // of the population; this and the quantiles are nil under MeanOnly
	Min      Values            `json:"min,omitempty"`
	Q1       Values            `json:"q1,omitempty"` // quantiles are numpy's linear ones
	Median   Values            `json:"median,omitempty"`
	Q3       Values            `json:"q3,omitempty"`
	Max      Values            `json:"max,omitempty"`
	Pairs    []int             `json:"pairs"` // how many are defined; all else is NaN where it is 0
	Summary  DecaySummary      `json:"summary"`
	Fits     *CurveFits        `json:"fits,omitempty"`     // what Fit gave, where it was asked for
	Reasons  map[string]string `json:"reasons,omitempty"`  // why a figure is undefined, by its JSON name
	Warnings []string          `json:"warnings,omitempty"` // what may be wrong with the table or the call
	Notes    []string          `json:"notes,omitempty"`    // how the figures are meant
	Path     string            `json:"-"`                  // how they were computed

	stretches *stretches // of an absolute table's pairs; nil where they were not taken one by one, or not for a spread
}

// What the entries of DecayCurve.At are.
const (
	AxisDistance = "distance" // |offset|
	AxisOffset   = "offset"   // key - query, both signs
)

// defaultReach is the largest distance when none is asked for.
const defaultReach = 40

// reach is how many steps of stride positions the options go, of at most largest
// steps, with a warning if that is less than was asked for.
func (o DecayOptions) reach(largest, stride int) (steps int, warning string, err error) {
	if o.All {
		return largest, "", nil
	}
	if o.MaxDistance == nil {
		return min(defaultReach, largest), "", nil
	}
	asked := *o.MaxDistance
	switch {
	case asked < 0:
		return 0, "", fmt.Errorf("largest distance %d: must not be negative", asked)
	case asked/stride > largest:
		return largest, fmt.Sprintf("largest distance %d asked for, but no two positions are farther apart than %d", asked, largest*stride), nil
	}
	return asked / stride, "", nil
}

// newCurve makes a curve with room for the figures at each place.
func newCurve(from posemb.Origin, measure, axis string, at []int, meanOnly bool) *DecayCurve {
	c := &DecayCurve{
		Origin:  from,
		Measure: measure,
		Axis:    axis,
		At:      at,
		Mean:    undefined(len(at)),
		Pairs:   make([]int, len(at)),
		Summary: noSummary(),
		Reasons: map[string]string{},
	}
	if !meanOnly {
		for _, v := range []*Values{&c.Std, &c.Min, &c.Q1, &c.Median, &c.Q3, &c.Max} {
			*v = undefined(len(at))
		}
	}
	return c
}

// set fills place k from the defined scores there, which are overwritten.
func (c *DecayCurve) set(k int, scores []float64) {
	c.Pairs[k] = len(scores)
	if c.stretches != nil {
		c.stretches.take(k, scores)
	}
	if c.Std == nil {
		c.Mean[k] = meanOf(scores)
		return
	}
	s := spreadOf(scores)
	c.Mean[k], c.Std[k], c.Min[k], c.Q1[k], c.Median[k], c.Q3[k], c.Max[k] = s.mean, s.std, s.min, s.q1, s.median, s.q3, s.max
}

// LeaveOutSpread leaves the curve what MeanOnly has: a fit needs the spread, whether or
// not it is shown.
func (c *DecayCurve) LeaveOutSpread() {
	c.Std, c.Min, c.Q1, c.Median, c.Q3, c.Max = nil, nil, nil, nil, nil, nil
}

// finish gives the reason of places without a pair.
func (c *DecayCurve) finish() {
	var none []int
	for k, pairs := range c.Pairs {
		if pairs == 0 {
			none = append(none, c.At[k])
		}
	}
	if len(none) > 0 {
		c.Reasons["mean"] = fmt.Sprintf("no defined pair at %s %s", c.Axis, enumerate(none))
	}
	if len(c.Reasons) == 0 {
		c.Reasons = nil
	}
}

// Decay averages the similarity of positions i and i+k over i, for each distance
// k up to the largest one:
//
//	c(k) = mean over i of S[i,i+k]
//
// with S as in Similarity. Distances follow the rows, which is raster order where
// the table is a grid.
//
// It takes O(n d K) time for K distances, or O(n d log n) for the means alone of
// many, and O(n d log n) more for the summary, which looks at all distances. It keeps
// no n x n matrix: the scores of up to 192 distances at a time and, where there are
// more, a packed copy of the table; for the summary what gram.Lags holds.
func Decay(ctx context.Context, a *posemb.Absolute, opt DecayOptions) (*DecayCurve, error) {
	r, err := newRows(ctx, a, opt.SimilarityOptions)
	if err != nil {
		return nil, err
	}
	stride := max(a.Stride, 1)
	steps, warning, err := opt.reach(r.N-1, stride)
	if err != nil {
		return nil, err
	}
	at := make([]int, steps+1)
	for k := range at {
		at[k] = k * stride
	}
	c := newCurve(a.Origin, opt.measure(), AxisDistance, at, opt.MeanOnly)
	c.Centered, c.Eps = opt.Center, opt.Eps
	if !opt.MeanOnly && !opt.NoFit {
		c.stretches = newStretches(len(at), r.N*stride)
	}
	c.Warnings = append(c.Warnings, r.warnings...)
	if warning != "" {
		c.Warnings = append(c.Warnings, warning)
	}
	if a.Grid.Rows > 1 && a.Grid.Cols > 1 {
		c.Raster = true
		c.Notes = append(c.Notes, fmt.Sprintf("distance is in raster order of the %d x %d grid; poslens grid has both axes", a.Grid.Rows, a.Grid.Cols))
	}

	far := opt.MeanOnly && steps > meanByFFT
	var all *autocorrelation
	if !opt.Dot && (far || !opt.NoSummary) {
		if all, err = r.autocorrelate(ctx); err != nil {
			return nil, err
		}
	}
	if far && all != nil {
		c.Path = "the means of all distances by Fourier transform, in double precision"
		copy(c.Mean, all.mean)
		copy(c.Pairs, all.pairs)
	} else {
		c.Path = fmt.Sprintf("the products of all pairs up to %d rows apart, in %s precision", steps, r.precision())
		if err := r.band(ctx, c); err != nil {
			return nil, err
		}
	}
	c.Warnings = append(c.Warnings, r.overflowed()...)
	switch {
	case opt.Dot:
		c.withoutSummary("only a cosine has this figure")
	case opt.NoSummary:
		c.withoutSummary("not asked for")
	default:
		copy(all.mean, c.Mean)
		c.summarise(r, all.mean, stride)
	}
	c.finish()
	return c, nil
}

// meanByFFT is the largest distance up to which a mean is taken pair by pair even
// where nothing but the mean is wanted.
const meanByFFT = 256
