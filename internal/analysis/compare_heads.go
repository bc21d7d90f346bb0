package analysis

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/gram"
	"poslens/internal/posemb"
	"poslens/internal/progress"
)

// HeadAlignment is the correlation of every two of some heads' scores over the offsets
// that their tables share.
type HeadAlignment struct {
	Rows        []HeadName `json:"rows"`
	Cols        []HeadName `json:"cols"`
	Offsets     int        `json:"offsets"`     // that all tables have
	Correlation []Values   `json:"correlation"` // a row and a column a head
	Constant    []HeadName `json:"constant,omitempty"`
	Reasons     Reasons    `json:"reasons,omitempty"` // why some correlations are null
	Warnings    []string   `json:"warnings,omitempty"`
	Notes       []string   `json:"notes,omitempty"`
}

// HeadName is a head of a table.
type HeadName struct {
	posemb.Origin
	Head string `json:"head"`
}

// AlignHeads takes the correlation of the scores of every two heads of all of some
// relative tables, such as the layers of one model. Heads that share a bias have 1.
func AlignHeads(ctx context.Context, tables []*posemb.Bias) (*HeadAlignment, error) {
	m, err := headsOf(tables)
	if err != nil {
		return nil, err
	}
	var all []headScores
	for _, heads := range m.byTable {
		all = append(all, heads...)
	}
	a, err := alignHeads(ctx, all, all)
	if err != nil {
		return nil, err
	}
	a.Offsets, a.Notes, a.Warnings = len(m.offsets), m.notes, m.warnings
	return a, nil
}

// alignHeads correlates every two of some heads.
func alignHeads(ctx context.Context, rows, cols []headScores) (*HeadAlignment, error) {
	a := &HeadAlignment{}
	whole := func(heads []headScores) [][]float64 { // nil where some score is not finite
		all := make([][]float64, len(heads))
		for i, h := range heads {
			if finite(magnitude(h.scores)) {
				all[i] = standardised(h.scores)
			}
		}
		return all
	}
	x, y := whole(rows), whole(cols)
	for i, h := range rows {
		a.Rows = append(a.Rows, h.name)
		a.Correlation = append(a.Correlation, undefined(len(cols)))
		if x[i] == nil && finite(magnitude(h.scores)) {
			a.Constant = append(a.Constant, h.name)
		}
	}
	for _, h := range cols {
		a.Cols = append(a.Cols, h.name)
	}
	done := progress.Start(ctx, "heads", int64(len(rows)))
	err := gram.Parallel(ctx, len(rows), func() func(int) {
		return func(i int) {
			for j, h := range cols {
				if x[i] != nil && y[j] != nil {
					a.Correlation[i][j] = clamp(floats.Dot(x[i], y[j]))
				} else {
					a.Correlation[i][j] = float64(rows[i].match(h.scores).Correlation)
				}
			}
			done(1)
		}
	})
	for _, row := range a.Correlation {
		if slices.ContainsFunc(row, math.IsNaN) {
			a.Reasons = Reasons{"correlation": "null where all scores of one head are equal, or none is finite in both"}
		}
	}
	return a, err
}
