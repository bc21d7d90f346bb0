package analysis

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// entries are the rows of a relative table of which the file holds one each: offsets
// that share one are one, in the order of their first offset.
type entries struct {
	rows  []int // of the table, one an entry
	entry []int // the stored one of each; nil where nothing is stored
	unit  string
	axes  []posemb.Axis
	first int   // the offset of row 0, on one axis
	of    []int // the entry, by its index here, of each row of the table
}

// entriesOf finds them.
func entriesOf(t *mat.Dense, axes []posemb.Axis, stored []posemb.Stored) *entries {
	n, _ := t.Dims()
	e := &entries{axes: axes, of: make([]int, n)}
	known := len(stored) == 1 && stored[0].Axis == posemb.WholeTable && len(stored[0].At) == n
	if known {
		e.unit = stored[0].Unit
	}
	if len(axes) == 1 {
		e.first = axes[0].Min
	}
	index := map[int]int{}
	for i := range n {
		at := i
		if known {
			at = stored[0].At[i]
		}
		k, seen := index[at]
		if !seen {
			k = len(e.rows)
			index[at] = k
			e.rows = append(e.rows, i)
			if known {
				e.entry = append(e.entry, at)
			}
		}
		e.of[i] = k
	}
	return e
}

// table is the entries as a table.
func (e *entries) table(t *mat.Dense) *posemb.Absolute {
	n, d := t.Dims()
	if len(e.rows) < n {
		few := mat.NewDense(len(e.rows), d, nil)
		for k, i := range e.rows {
			few.SetRow(k, t.RawRowView(i))
		}
		t = few
	}
	return &posemb.Absolute{Table: t}
}

// names tells entries, and on one axis their offsets.
func (e *entries) names() rowNames {
	r := rowNames{unit: cmp.Or(e.unit, "row"), number: func(k int) int { return e.rows[k] }}
	switch {
	case e.entry != nil:
		r.number = func(k int) int { return e.entry[k] }
	case len(e.axes) == 1:
		r.unit, r.number = "offset", func(k int) int { return e.first + e.rows[k] }
	}
	r.words = func(rows []int) string {
		var numbers []int
		for _, k := range rows {
			numbers = append(numbers, r.number(k))
		}
		slices.Sort(numbers)
		s := plural(len(numbers), r.unit, r.unit+"s") + " " + enumerate(numbers)
		if len(e.axes) != 1 || e.entry == nil {
			return s
		}
		among := make([]bool, len(e.rows))
		for _, k := range rows {
			among[k] = true
		}
		var offsets []int
		for i, k := range e.of {
			if among[k] {
				offsets = append(offsets, e.first+i)
			}
		}
		return s + " (" + plural(len(offsets), "offset", "offsets") + " " + enumerate(offsets) + ")"
	}
	return r
}
