package posemb

import "slices"

// Stored tells how one tensor of a file gives a table its rows, so that every
// stored row can be named, and the row of every offset or position found.
type Stored struct {
	Tensor string         // its name in the file
	Unit   string         // what an entry of it is called: "row", "column", "bucket", "tap"
	Count  int            // how many entries it has
	Axis   int            // which axis of the table the entries follow: 0 or 1; WholeTable: all rows in the table's order
	At     []int          // the entry of each offset (or row, column of a grid) along Axis, rising; of every row of the table under WholeTable
	Other  map[int]string // what some entries are that no offset and no position has: "padding", "class token"
	Turned bool           // the entries run by query - key
}

// WholeTable is the Stored.Axis of entries that follow all rows of a table.
const WholeTable = -1

// inOrder is the Stored of n entries that give the rows in the order of the file,
// those of a relative table that is turned in the reverse one.
func (r *reading) inOrder(unit string, n int) Stored {
	s := Stored{Tensor: r.match.Name(), Unit: unit, Count: n, Axis: WholeTable, Turned: r.reversed(), At: upTo(n)}
	if s.Turned {
		slices.Reverse(s.At)
	}
	return s
}

// asMade says of a table made here that its rows are those that a file of it has.
func asMade(t Table) {
	order := func(n int) []Stored {
		return []Stored{{Unit: "row", Count: n, Axis: WholeTable, At: upTo(n)}}
	}
	switch t := t.(type) {
	case *Absolute:
		n, _ := t.Table.Dims()
		t.Stored = order(n)
	case *Vectors:
		n, _ := t.Table.Dims()
		t.Stored = order(n)
	case *Bias:
		n, _ := t.Scores.Dims()
		t.Stored = order(n)
	}
}

// reversed says whether stored rows run by query - key: as the caller says, else
// as the architecture does.
func (r *reading) reversed() bool {
	if r.opt.Sign != "" {
		return r.opt.Sign == QueryKey
	}
	return r.preset.Reversed
}

// reverseRows copies n rows of d numbers, the last first.
func reverseRows(n, d int, data []float64) []float64 {
	turned := make([]float64, 0, n*d)
	for i := n - 1; i >= 0; i-- {
		turned = append(turned, data[i*d:(i+1)*d]...)
	}
	return turned
}

// upTo is 0, 1, ..., n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
