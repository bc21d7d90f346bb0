package analysis

import (
	"context"
	"fmt"
	"math"

	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// Alignment is the linear CKA of every two of some tables, over the rows that all of
// them have, finite.
type Alignment struct {
	Sources  []posemb.Origin `json:"sources"`
	Of       string          `json:"of"`        // OfPositions or OfOffsets
	Rows     int             `json:"rows"`      // that all tables have
	Used     int             `json:"rows_used"` // of these, finite in all
	CKA      []Values        `json:"cka"`       // a row and a column a table
	Chance   []Values        `json:"cka_chance"`
	Reasons  Reasons         `json:"reasons,omitempty"` // why a table's figures are undefined, by its label
	Warnings []string        `json:"warnings,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
}

// Align takes the CKA of every two of some tables of positions; see Comparison. The
// rows are the same for every pair. An error wraps ErrNothing when there are none.
func Align(ctx context.Context, tables []*posemb.Absolute) (*Alignment, error) {
	return align(ctx, tables, OfPositions)
}

// AlignRelative is Align of relative tables, whose rows are offsets and whose
// components are those of a vector or the heads.
func AlignRelative(ctx context.Context, tables []posemb.Table) (*Alignment, error) {
	var all []*posemb.Absolute
	var axes [][]posemb.Axis
	for _, t := range tables {
		var a *posemb.Absolute
		var err error
		switch t := t.(type) {
		case *posemb.Vectors:
			axes = append(axes, t.Axes)
			a, err = asRows(t.Origin, t.Axes, t.Table)
		case *posemb.Bias:
			axes = append(axes, t.Axes)
			a, err = asRows(t.Origin, t.Axes, t.Scores)
		default:
			return nil, fmt.Errorf("%s is not a relative table", t.From().Label)
		}
		if err != nil {
			return nil, err
		}
		if err := oneRaster(axes[0], axes[len(axes)-1], tables[0].From().Label, t.From().Label); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return align(ctx, all, OfOffsets)
}

func align(ctx context.Context, tables []*posemb.Absolute, of string) (*Alignment, error) {
	m, err := pairUp(ctx, tables, of)
	if err != nil {
		return nil, err
	}
	a := &Alignment{Of: of, Rows: len(m.at), Used: len(m.subjects[0].whole), Warnings: m.warnings, Notes: m.notes}
	parts := make([]*scattered, len(tables))
	done := progress.Start(ctx, "pairs of tables", int64(len(tables)*(len(tables)+1)/2))
	for i, s := range m.subjects {
		if parts[i], err = newScattered(ctx, s); err != nil {
			return nil, err
		}
		a.Sources = append(a.Sources, tables[i].Origin)
		a.CKA = append(a.CKA, undefined(len(tables)))
		a.Chance = append(a.Chance, undefined(len(tables)))
		if parts[i].reason != "" {
			if a.Reasons == nil {
				a.Reasons = Reasons{}
			}
			a.Reasons[tables[i].Label] = parts[i].reason
		}
	}
	most := 0.0
	for i, x := range parts {
		for j, y := range parts[:i+1] {
			if x.reason != "" || y.reason != "" {
				continue
			}
			v := 1.0
			if i != j {
				if v, _, err = x.cka(ctx, y); err != nil {
					return nil, err
				}
			}
			chance := x.chance(y)
			a.CKA[i][j], a.CKA[j][i] = v, v
			a.Chance[i][j], a.Chance[j][i] = chance, chance
			if i != j {
				most = math.Max(most, chance)
			}
		}
		done(int64(i + 1))
	}
	if most > 0.5 {
		a.Notes = append(a.Notes, fmt.Sprintf("rows in a random order would have a CKA of up to %.3g already: %d rows are few for their width", most, a.Used))
	}
	return a, nil
}
