package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/posemb"
)

// CompareOptions say what of a comparison is chosen.
type CompareOptions struct {
	Tolerance float64 // relative distance above which a row has moved; 0 is DefaultTolerance
	Seed      uint64  // of the permutations, and of the sample of positions

	noTest bool // no permutations: the correlation of the cosines has no p
}

// DefaultTolerance is how far apart two rows may be, as a share of the longer one, and
// still be the same: more than float32 rounds, less than a step of training.
const DefaultTolerance = 1e-6

// What the rows of tables are that are compared.
const (
	OfPositions = "positions"
	OfOffsets   = "offsets"
)

// Comparison holds two tables against each other, row by row, over the rows that both
// have. The figures do not look at what the components of a width are but where they
// say so: two runs of one training have no component in common.
type Comparison struct {
	posemb.Origin               // of the first table
	Other         posemb.Origin `json:"other"`
	Of            string        `json:"of"`          // OfPositions or OfOffsets
	Rows          int           `json:"rows"`        // rows that both tables have
	Used          int           `json:"rows_used"`   // of these, finite in both
	Width         int           `json:"width"`       // of the first
	OtherWidth    int           `json:"other_width"` // of the other

	CKA        Value       `json:"cka"`           // linear centred kernel alignment, 0 to 1
	CKAChance  Value       `json:"cka_chance"`    // its mean over all orders of one table's rows
	Procrustes Value       `json:"procrustes_r2"` // share of the variance that the best rotation and scale explain
	Cosines    CosineMatch `json:"cosines"`       // correlation of the cosine matrices
	MovedCount Value       `json:"rows_moved"`    // rows farther apart than Tolerance; undefined where widths differ
	Tolerance  float64     `json:"tolerance"`
	Moved      []int       `json:"moved,omitempty"` // their positions or offsets
	MovedText  string      `json:"moved_text,omitempty"`
	At         []int       `json:"at"`                    // position or offset of each row, as all that follows
	Cosine     Values      `json:"cosine,omitempty"`      // of a row with its counterpart; nil where widths differ
	Distance   Values      `json:"distance,omitempty"`    // |b - a| / max(|a|, |b|); nil where widths differ
	Norm       Values      `json:"norm"`                  // |a|
	OtherNorm  Values      `json:"other_norm"`            // |b|
	NormRatio  Values      `json:"norm_ratio"`            // |b| / |a|
	Decay      *DecayCurve `json:"decay,omitempty"`       // of the first table over these rows; nil for offsets
	OtherDecay *DecayCurve `json:"other_decay,omitempty"` // of the other
	Sample     int         `json:"cosines_rows"`          // rows that Cosines is over
	Seed       uint64      `json:"seed"`                  // of the permutations and the sample
	Reasons    Reasons     `json:"reasons,omitempty"`     // why a figure is undefined, by its JSON name
	Warnings   []string    `json:"warnings,omitempty"`    // what may be wrong with a table or the call
	Notes      []string    `json:"notes,omitempty"`       // how the figures are meant
}

// Reasons tell why figures are undefined, by their JSON names.
type Reasons = map[string]string

// Compare holds two tables of positions against each other; see the fields of
// Comparison. Tables of different length, or of different first positions, are compared
// at the positions that both have, and a note says so. Rows that hold NaN or an
// infinity in either are left out of the figures of the whole, and a warning names
// them. An error wraps ErrNothing when no row is left.
//
// It takes O(n d^2) time or O(n^2 d) where that is less, and the permutations as
// CosineMatch tells; it holds a copy of each table and products of the smaller of
// n x n and d x d.
func Compare(ctx context.Context, a, b *posemb.Absolute, opt CompareOptions) (*Comparison, error) {
	p, err := pairUp(ctx, []*posemb.Absolute{a, b}, OfPositions)
	if err != nil {
		return nil, err
	}
	c, err := p.compare(ctx, opt)
	if err != nil {
		return nil, err
	}
	for k, into := range []**DecayCurve{&c.Decay, &c.OtherDecay} {
		t := p.tables[k]
		if p.cosines[k].count == 0 {
			c.Reasons[[]string{"decay", "other_decay"}[k]] = fmt.Sprintf("%s has no row with a length", t.Label)
			continue
		}
		if *into, err = Decay(ctx, t, DecayOptions{NoSummary: true, NoFit: true}); err != nil {
			return nil, err
		}
	}
	return c.tidy(), nil
}

// CompareVectors is Compare of tables with a vector an offset. They must have the same
// axes where they have two. There is no decay: distances of vectors that stand for
// distances mean nothing.
func CompareVectors(ctx context.Context, a, b *posemb.Vectors, opt CompareOptions) (*Comparison, error) {
	x, err := asRows(a.Origin, a.Axes, a.Table)
	if err != nil {
		return nil, err
	}
	y, err := asRows(b.Origin, b.Axes, b.Table)
	if err != nil {
		return nil, err
	}
	if err := oneRaster(a.Axes, b.Axes, a.Label, b.Label); err != nil {
		return nil, err
	}
	p, err := pairUp(ctx, []*posemb.Absolute{x, y}, OfOffsets)
	if err != nil {
		return nil, err
	}
	c, err := p.compare(ctx, opt)
	if err != nil {
		return nil, err
	}
	if len(a.Axes) == 2 {
		c.Notes = append(c.Notes, fmt.Sprintf("offsets are numbered in the order of their rows, first %s then %s", a.Axes[0].Name, a.Axes[1].Name))
	}
	return c.tidy(), nil
}

// tidy leaves out what is empty.
func (c *Comparison) tidy() *Comparison {
	if len(c.Reasons) == 0 {
		c.Reasons = nil
	}
	return c
}

// compare takes the figures of a pair that are the same for positions and offsets.
func (m *matched) compare(ctx context.Context, opt CompareOptions) (*Comparison, error) {
	a, b := m.subjects[0], m.subjects[1]
	nan := Value(math.NaN())
	c := &Comparison{
		Origin: m.tables[0].Origin, Other: m.tables[1].Origin, Of: m.of,
		Rows: len(m.at), Used: len(a.whole), Width: a.rows.D, OtherWidth: b.rows.D,
		CKA: nan, CKAChance: nan, Procrustes: nan, Seed: opt.Seed, At: m.at,
		Reasons: Reasons{}, Warnings: m.warnings, Notes: m.notes,
	}
	c.Tolerance = opt.Tolerance
	if c.Tolerance == 0 {
		c.Tolerance = DefaultTolerance
	}
	if err := c.aligned(ctx, m); err != nil {
		return nil, err
	}
	if err := c.correlate(ctx, m, opt); err != nil {
		return nil, err
	}
	c.rows(m)
	return c, ctx.Err()
}

// aligned fills CKA and Procrustes.
func (c *Comparison) aligned(ctx context.Context, m *matched) error {
	x, err := newScattered(ctx, m.subjects[0])
	if err != nil {
		return err
	}
	y, err := newScattered(ctx, m.subjects[1])
	if err != nil {
		return err
	}
	undefined := ""
	for k, s := range []*scattered{x, y} {
		if s.reason != "" {
			undefined = m.tables[k].Label + ": " + s.reason
		}
	}
	if undefined != "" {
		for _, figure := range []string{"cka", "cka_chance", "procrustes_r2"} {
			c.Reasons[figure] = undefined
		}
		return nil
	}
	cka, cross, err := x.cka(ctx, y)
	if err != nil {
		return err
	}
	c.CKA, c.CKAChance = Value(cka), Value(x.chance(y))
	if c.CKAChance > 0.5 {
		c.Notes = append(c.Notes, fmt.Sprintf("rows in a random order would have a CKA of %.3g already: %d rows are few for their width", float64(c.CKAChance), c.Used))
	}
	r2, reason, err := x.procrustes(ctx, y, cross)
	c.Procrustes = Value(r2)
	if reason != "" {
		c.Reasons["procrustes_r2"] = reason
	}
	return err
}
