package analysis

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/posemb"
)

// BiasComparison holds the scores of two relative tables against each other at the
// offsets that both have.
type BiasComparison struct {
	posemb.Origin                // of the first table
	Other         posemb.Origin  `json:"other"`
	Offsets       int            `json:"offsets"`         // that both tables have
	All           HeadMatch      `json:"all"`             // of the scores of all heads together
	Heads         []HeadMatch    `json:"heads,omitempty"` // of each head with that of the same number; nil where their numbers differ
	Across        *HeadAlignment `json:"across"`          // of every head with every one of the other table
	Reasons       Reasons        `json:"reasons,omitempty"`
	Warnings      []string       `json:"warnings,omitempty"`
	Notes         []string       `json:"notes,omitempty"`
}

// HeadMatch tells how alike two lists of scores are. Scores that are not finite in
// either are left out.
type HeadMatch struct {
	Head          string `json:"head,omitempty"`
	Correlation   Value  `json:"correlation"`    // Pearson's; its square is their linear CKA
	MaxDifference Value  `json:"max_difference"` // largest |b - a|
	RMSDifference Value  `json:"rms_difference"` // root of the mean of (b - a)^2
	Scores        int    `json:"scores"`         // that are compared
	Reason        string `json:"reason,omitempty"`
}

// CompareBias holds two relative tables against each other. Tables of different reach
// are compared at the offsets that both have, and a note says so.
func CompareBias(ctx context.Context, a, b *posemb.Bias) (*BiasComparison, error) {
	m, err := headsOf([]*posemb.Bias{a, b})
	if err != nil {
		return nil, err
	}
	c := &BiasComparison{Origin: a.Origin, Other: b.Origin, Offsets: len(m.offsets), Notes: m.notes, Warnings: m.warnings}
	first, second := m.byTable[0], m.byTable[1]
	if len(first) == len(second) {
		var x, y []float64
		for h := range first {
			c.Heads = append(c.Heads, first[h].match(second[h].scores))
			x, y = append(x, first[h].scores...), append(y, second[h].scores...)
		}
		c.All = headScores{scores: x}.match(y)
	} else {
		nan := Value(math.NaN())
		reason := fmt.Sprintf("%d heads and %d", len(first), len(second))
		c.All = HeadMatch{Correlation: nan, MaxDifference: nan, RMSDifference: nan, Reason: reason}
		c.Reasons = Reasons{"all": reason, "heads": reason}
	}
	c.Across, err = alignHeads(ctx, first, second)
	if err == nil {
		c.Across.Offsets = len(m.offsets)
	}
	return c, err
}

// headScores are a head's scores at the offsets that are compared.
type headScores struct {
	name   HeadName
	scores []float64
}

// manyHeads are the heads of some tables.
type manyHeads struct {
	offsets  []Offset
	byTable  [][]headScores
	warnings []string
	notes    []string
}

// headsOf cuts relative tables to the offsets that all have.
func headsOf(tables []*posemb.Bias) (*manyHeads, error) {
	m := &manyHeads{}
	var axes []posemb.Axis
	cut := false
	for i, t := range tables {
		if _, err := offsetsOf(t.Axes, t.Scores); err != nil {
			return nil, err
		}
		if i == 0 {
			axes = append(axes, t.Axes...)
			continue
		}
		if len(t.Axes) != len(axes) {
			return nil, fmt.Errorf("%s has %d axes of offsets, and %s has %d", tables[0].Label, len(axes), t.Label, len(t.Axes))
		}
		for k, x := range t.Axes {
			cut = cut || x.Min != axes[k].Min || x.Max != axes[k].Max
			axes[k].Min, axes[k].Max = max(axes[k].Min, x.Min), min(axes[k].Max, x.Max)
			if axes[k].Min > axes[k].Max {
				return nil, nothing("no offset is in all of the tables: %s has %s from %d to %d", t.Label, x.Name, x.Min, x.Max)
			}
		}
	}
	if cut {
		said := ""
		for k, x := range axes {
			if k > 0 {
				said += ", "
			}
			said += fmt.Sprintf("%s %d to %d", x.Name, x.Min, x.Max)
		}
		m.notes = append(m.notes, "the tables reach differently far: compared at the offsets that all have, "+said)
	}
	m.offsets = offsetsAlong(axes)
	for _, t := range tables {
		_, heads := t.Scores.Dims()
		var all []headScores
		broken := 0
		for h := range heads {
			name := strconv.Itoa(h)
			if h < len(t.Heads) {
				name = t.Heads[h]
			}
			s := headScores{name: HeadName{t.Origin, name}}
			for _, k := range m.offsets {
				row, _ := offsetIndex(t.Axes, k)
				v := t.Scores.At(row, h)
				if !finite(v) {
					broken++
				}
				s.scores = append(s.scores, v)
			}
			all = append(all, s)
		}
		if broken > 0 {
			m.warnings = append(m.warnings, fmt.Sprintf("%d %s of %s %s not finite: left out", broken, plural(broken, "score", "scores"), t.Label, plural(broken, "is", "are")))
		}
		m.byTable = append(m.byTable, all)
	}
	return m, nil
}

// offsetsAlong lists the offsets of axes, the last fastest.
func offsetsAlong(axes []posemb.Axis) []Offset {
	var list []Offset
	for x := axes[0].Min; x <= axes[0].Max; x++ {
		if len(axes) == 1 {
			list = append(list, Offset{x})
			continue
		}
		for y := axes[1].Min; y <= axes[1].Max; y++ {
			list = append(list, Offset{x, y})
		}
	}
	return list
}

// match holds a head's scores against others.
func (h headScores) match(other []float64) HeadMatch {
	nan := Value(math.NaN())
	m := HeadMatch{Head: h.name.Head, Correlation: nan, MaxDifference: nan, RMSDifference: nan}
	x, y := bothFinite(h.scores, other)
	if m.Scores = len(x); m.Scores == 0 {
		m.Reason = "no score is finite in both"
		return m
	}
	_, e := math.Frexp(max(magnitude(x), magnitude(y)))
	largest, squares := 0.0, 0.0
	for i := range x {
		d := math.Abs(math.Ldexp(y[i], -e) - math.Ldexp(x[i], -e))
		largest, squares = max(largest, d), squares+d*d
	}
	m.MaxDifference = Value(math.Ldexp(largest, e))
	m.RMSDifference = Value(math.Ldexp(math.Sqrt(squares/float64(len(x))), e))
	u, v := standardised(x), standardised(y)
	if u == nil || v == nil {
		m.Reason = "all scores of one are equal"
		return m
	}
	m.Correlation = Value(clamp(floats.Dot(u, v)))
	return m
}

// bothFinite are the numbers of two lists where both are finite.
func bothFinite(x, y []float64) (u, v []float64) {
	for i := range x {
		if finite(x[i]) && finite(y[i]) {
			u, v = append(u, x[i]), append(v, y[i])
		}
	}
	return u, v
}

// standardised is x less its mean, of length 1; nil where all values are equal.
func standardised(x []float64) []float64 {
	z := append([]float64(nil), x...)
	_, e := math.Frexp(magnitude(z))
	shiftExponent(z, -e)
	before := magnitude(z)
	floats.AddConst(-meanOf(append([]float64(nil), z...)), z)
	if magnitude(z) <= 1e-12*before {
		return nil
	}
	floats.Scale(1/floats.Norm(z, 2), z)
	return z
}
