package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// ProfileOptions choose how scores are shown. The zero value shows them as they
// stand.
type ProfileOptions struct {
	Softmax bool // scores become softmax masses over the window
	Mean    bool // one line, the mean over heads, with a band
}

// What HeadProfile.Score can hold, as results name it.
const (
	QuantityScore = "score" // as the table or the query has it
	QuantityMass  = "mass"  // softmax at temperature 1 over the window
)

// Profile is a relative table's score against the offset, a line for each head.
// The window is all offsets that the table holds.
type Profile struct {
	posemb.Origin
	Quantity string            `json:"quantity"` // QuantityScore or QuantityMass
	Axes     []posemb.Axis     `json:"-"`
	Offsets  []Offset          `json:"offsets"` // of every score, the last axis fastest
	Heads    []HeadProfile     `json:"heads"`
	Steps    bool              `json:"steps"`                // several offsets share a stored value: draw steps
	Cell     *Cell             `json:"query_cell,omitempty"` // where in the window the query stands whose keys the offsets are; nil: the offsets are all there are
	MeanOver string            `json:"mean_over,omitempty"`  // what a head is the mean of: OverHeads, OverQueries, OverBoth; empty: it is none
	Band     string            `json:"band,omitempty"`       // what Lo and Hi are; empty without them
	Reasons  map[string]string `json:"reasons,omitempty"`    // why a figure of some head is undefined, by its JSON name
	Warnings []string          `json:"warnings,omitempty"`   // what may be wrong with the table
	Notes    []string          `json:"notes,omitempty"`      // how the figures are meant
}

// HeadProfile is one head's scores and what they come to. Masses are softmax
// masses of the raw scores at temperature 1 over the window, whatever Score shows.
// Undefined figures are NaN or nil, and Reasons tells why.
type HeadProfile struct {
	Head             string            `json:"head"`
	Score            Values            `json:"score"`             // at each of the profile's Offsets: logits, or masses that sum to 1
	Lo               Values            `json:"lo,omitempty"`      // the lower edge of the band that Band names; nil without one
	Hi               Values            `json:"hi,omitempty"`      // its upper edge
	Peak             []Offset          `json:"peak"`              // where the largest score stands, rising; several share it where buckets do
	PeakScore        Value             `json:"peak_score"`        // the largest of Score
	SumBack          Value             `json:"sum_back"`          // of raw scores, k < 0
	SumAhead         Value             `json:"sum_ahead"`         // of raw scores, k > 0
	MassBack         Value             `json:"mass_back"`         // k < 0
	MassHere         Value             `json:"mass_here"`         // k = 0
	MassAhead        Value             `json:"mass_ahead"`        // k > 0
	DirectionBalance Value             `json:"direction_balance"` // mass_back / (mass_back + mass_ahead)
	Asymmetry        Value             `json:"asymmetry"`         // the odd part's share of the variance, 0 to 1
	Reach90          Value             `json:"reach_90"`          // smallest K with 90 % of the mass in |k| <= K
	Entropy          Value             `json:"entropy"`           // of the masses, in nats
	Locality         Value             `json:"locality"`          // sum of mass times 2^-|k|
	Fits             *CurveFits        `json:"fits,omitempty"`    // what Fit gave, where it was asked for
	Reasons          map[string]string `json:"reasons,omitempty"`

	raw []float64 // the scores before any softmax
}

// MarshalJSON adds the axes with lower-case names.
func (p *Profile) MarshalJSON() ([]byte, error) { return json.Marshal(p.JSONView()) }

// JSONView is the profile with its axes, whose names are in lower case.
func (p *Profile) JSONView() any {
	type plain Profile
	type axis struct {
		Name   string        `json:"name"`
		Min    int           `json:"min"`
		Max    int           `json:"max"`
		Beyond posemb.Beyond `json:"beyond,omitempty"`
	}
	axes := make([]axis, len(p.Axes))
	for i, x := range p.Axes {
		axes[i] = axis(x)
	}
	return struct {
		*plain
		Axes []axis `json:"axes"`
	}{(*plain)(p), axes}
}

// PeakText names the offsets of the peak, or says that there is none. Offsets in a
// row, which share a bucket, are a range: "91..128".
func (h *HeadProfile) PeakText() string {
	n := len(h.Peak)
	switch {
	case n == 0:
		return "none"
	case n == 1:
		return h.Peak[0].String()
	case len(h.Peak[0]) == 1 && h.Peak[n-1][0]-h.Peak[0][0] == n-1:
		return fmt.Sprintf("%d..%d", h.Peak[0][0], h.Peak[n-1][0])
	}
	return fmt.Sprintf("%s and %d more", h.Peak[0], n-1)
}

// ProfileOf gives a relative table's profile: the scores of each head against the
// offset, and the figures drawn from them. An error wraps ErrNothing when no score is
// finite, or says that the table and its axes do not fit.
func ProfileOf(ctx context.Context, b *posemb.Bias, opt ProfileOptions) (*Profile, error) {
	p, err := newProfile(b.Origin, b.Axes, b.Scores)
	if err != nil {
		return nil, err
	}
	p.Steps = b.Steps
	if opt.Softmax {
		p.Quantity = QuantityMass
	}
	_, heads := b.Scores.Dims()
	for h := range heads {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name := strconv.Itoa(h)
		if h < len(b.Heads) {
			name = b.Heads[h]
		}
		p.Heads = append(p.Heads, HeadProfile{Head: name, raw: mat.Col(nil, h, b.Scores)})
	}
	if opt.Mean {
		return p.meanOfHeads()
	}
	return p.finish()
}

// Place is the cell of the window that the key at an offset stands in, as row and
// column; the offset itself where no cell of the query is known.
func (p *Profile) Place(k Offset) Offset {
	if p.Cell == nil {
		return k
	}
	return Offset{p.Cell.Row + k[0], p.Cell.Col + k[1]}
}

// newProfile makes a profile without heads.
func newProfile(from posemb.Origin, axes []posemb.Axis, table *mat.Dense) (*Profile, error) {
	offsets, err := offsetsOf(axes, table)
	if err != nil {
		return nil, err
	}
	p := &Profile{Origin: from, Quantity: QuantityScore, Axes: axes, Offsets: offsets}
	if len(axes) == 2 {
		p.Notes = append(p.Notes, fmt.Sprintf("back and ahead are in raster order, first %s then %s; |k| is the larger of |%s| and |%s|",
			axes[0].Name, axes[1].Name, axes[0].Name, axes[1].Name))
	}
	return p, nil
}

// finish draws the figures of each head from its raw scores. An error says that no
// head has a finite score.
func (p *Profile) finish() (*Profile, error) {
	found := false
	warned := map[string][]string{} // heads by what is wrong with their offsets
	var order []string
	for i := range p.Heads {
		h := &p.Heads[i]
		w := newWindow(p.Axes, p.Offsets, h.raw)
		found = found || w.finite > 0
		w.figures(h, p.Quantity == QuantityMass)
		for _, fault := range w.faults(!p.ofMeanMasses()) {
			if warned[fault] == nil {
				order = append(order, fault)
			}
			warned[fault] = append(warned[fault], h.Head)
		}
	}
	if !found {
		return nil, nothing("no score of the table is finite")
	}
	for _, fault := range order {
		p.Warnings = append(p.Warnings, p.ofHeads(warned[fault])+fault)
	}
	p.reasons()
	return p, nil
}

// ofHeads names some of the heads, or none when they are all.
func (p *Profile) ofHeads(heads []string) string {
	if len(heads) == len(p.Heads) {
		return ""
	}
	named := heads[:min(len(heads), listed)]
	return plural(len(heads), "head ", "heads ") + more(named, len(heads)-len(named)) + ": "
}

// reasons gathers the heads' reasons.
func (p *Profile) reasons() {
	type reason struct{ figure, text string }
	heads := map[reason][]string{}
	var order []reason
	figures := figuresOf("profile")
	for _, h := range p.Heads {
		for _, figure := range figures {
			if text, ok := h.Reasons[figure]; ok {
				r := reason{figure, text}
				if heads[r] == nil {
					order = append(order, r)
				}
				heads[r] = append(heads[r], h.Head)
			}
		}
	}
	texts := map[string][]string{}
	for _, r := range order {
		texts[r.figure] = append(texts[r.figure], p.ofHeads(heads[r])+r.text)
	}
	for figure, list := range texts {
		if p.Reasons == nil {
			p.Reasons = map[string]string{}
		}
		p.Reasons[figure] = strings.Join(list, "; ")
	}
}

// AxisProfile is the profile along one axis (0 or 1) of a table with two: the offsets
// whose other part is 0. Its figures are those of that narrower window. A profile of
// one axis is itself; a table without offset 0 on the other axis is an error.
func AxisProfile(p *Profile, axis int) (*Profile, error) {
	if axis < 0 || axis >= len(p.Axes) {
		return nil, fmt.Errorf("axis %d: the profile has %d", axis, len(p.Axes))
	}
	if len(p.Axes) == 1 {
		return p, nil
	}
	along, other := p.Axes[axis], p.Axes[1-axis]
	if p.ofMeanMasses() {
		return nil, fmt.Errorf("no profile along %s of mean masses, which are over the whole window", along.Name)
	}
	if other.Min > 0 || other.Max < 0 {
		return nil, fmt.Errorf("no profile along %s: offset 0 of %s is not in the table", along.Name, other.Name)
	}
	q := &Profile{
		Origin:   p.Origin,
		Quantity: p.Quantity,
		Axes:     []posemb.Axis{along},
		Steps:    p.Steps,
		MeanOver: p.MeanOver,
		Band:     p.Band,
		Notes:    []string{fmt.Sprintf("along %s: the offsets with %s = 0", along.Name, other.Name)},
	}
	var rows []int
	for row, k := range p.Offsets {
		if k[1-axis] == 0 {
			rows = append(rows, row)
			q.Offsets = append(q.Offsets, Offset{k[axis]})
		}
	}
	pick := func(from []float64) []float64 {
		if from == nil {
			return nil
		}
		to := make([]float64, len(rows))
		for i, row := range rows {
			to[i] = from[row]
		}
		return to
	}
	for _, h := range p.Heads {
		q.Heads = append(q.Heads, HeadProfile{Head: h.Head, Lo: pick(h.Lo), Hi: pick(h.Hi), raw: pick(h.raw)})
	}
	return q.finish()
}
