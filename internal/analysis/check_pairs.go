package analysis

import (
	"cmp"
	"slices"
)

// Pair tells of which rows others are copies: Rows of Partners, one by one in order. A
// single partner is that of all Rows. Both count what the finding's Unit says.
type Pair struct {
	Rows     Span `json:"rows"`
	Partners Span `json:"partners"`
}

// String is "300..309=20..29".
func (p Pair) String() string { return p.Rows.String() + "=" + p.Partners.String() }

// pairs are those of some rows, given by their index, drawn together in runs.
func (c *checking) pairs(rows []int, partner func(i int) int) []Pair {
	type copied struct{ row, of int }
	var all []copied
	for _, i := range rows {
		all = append(all, copied{c.number(i), c.number(partner(i))})
	}
	slices.SortFunc(all, func(a, b copied) int { return cmp.Compare(a.row, b.row) })
	var runs []Pair
	for _, next := range all {
		if k := len(runs) - 1; k >= 0 && runs[k].Rows.To+1 == next.row {
			run := &runs[k]
			along := next.of == run.Partners.To+1 && run.Partners.To-run.Partners.From == run.Rows.To-run.Rows.From
			same := next.of == run.Partners.From && run.Partners.From == run.Partners.To
			if along || same {
				run.Rows.To, run.Partners.To = next.row, next.of
				continue
			}
		}
		runs = append(runs, Pair{Span{next.row, next.row}, Span{next.of, next.of}})
	}
	return runs
}
