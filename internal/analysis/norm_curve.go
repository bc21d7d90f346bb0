package analysis

import (
	"fmt"
	"sort"

	"poslens/internal/posemb"
)

// NormCurve is the length of every row of a table of vectors, with what Check found in
// it. Reserved rows have no position and are not on it.
type NormCurve struct {
	posemb.Origin
	Kind    posemb.Kind   `json:"kind"`
	Axis    string        `json:"axis"`              // what At counts: NormPosition, NormOffset or NormRow
	Axes    []posemb.Axis `json:"-"`                 // of offsets
	Raster  posemb.Grid   `json:"-"`                 // whose cells the positions are; zero: a line
	Aside   bool          `json:"-"`                 // rows in front or behind are no positions
	At      []int         `json:"at"`                // of each row, rising
	Offsets [][]int       `json:"offsets,omitempty"` // of each row, where there are two axes
	Norm    Values        `json:"norm"`              // L2, of each row
	Median  Value         `json:"median"`            // of the defined norms, as the two extremes
	Min     *Extreme      `json:"min"`               // nil where no norm is defined
	Max     *Extreme      `json:"max"`
	Marks   []NormMark    `json:"findings"` // in the order of Checks

	// Reasons say why norms are undefined.
	Reasons map[string]string `json:"reasons,omitempty"`
	Notes   []string          `json:"notes,omitempty"` // what was found and has no place on the curve
}

// What NormCurve.At counts.
const (
	NormPosition = "position"
	NormOffset   = "offset" // key - query; an offset of a stored row that serves several is at each of them
	NormRow      = "row"    // of the table: offsets along two axes, the last one fastest
)

// Extreme is a value and the first place that has it.
type Extreme struct {
	Value Value `json:"value"`
	At    int   `json:"at"`
}

// NormMark is where something was found.
type NormMark struct {
	Code  string `json:"code"` // of Checks
	Level Level  `json:"level"`
	Rows  []Span `json:"rows"`  // of At, rising: rows that follow each other there are one
	Whole bool   `json:"whole"` // it is said of the table as a whole
}

// Norms takes the length of every row of a table of positions or of vectors of offsets,
// and marks what a check of the same table found; nil marks nothing. Scores of offsets
// have no norms: softmax takes a constant from them, so that their size says nothing.
func Norms(t posemb.Table, checked *CheckResult) (*NormCurve, error) {
	c := &NormCurve{Origin: *t.From(), Kind: t.Kind(), Marks: []NormMark{}, Reasons: map[string]string{}}
	var names rowNames
	var row func(i int) []float64
	of := func(i int) int { return i } // which of names row i is
	switch t := t.(type) {
	case *posemb.Absolute:
		if t.Table == nil || t.Table.IsEmpty() {
			return nil, nothing("the table has no rows")
		}
		c.Axis, c.At, c.Raster, c.Aside = NormPosition, t.Positions(), t.Grid, t.Reserved > 0 || t.Suffix > 0
		names, row = namesOf(t), t.Table.RawRowView
	case *posemb.Vectors:
		if t.Table == nil || t.Table.IsEmpty() {
			return nil, nothing("the table has no rows")
		}
		c.axes(t)
		e := entriesOf(t.Table, t.Axes, t.Stored)
		names, row = e.names(), t.Table.RawRowView
		of = func(i int) int { return e.of[i] }
	case *posemb.Bias:
		return nil, fmt.Errorf("no norms of scores of offsets: softmax takes a constant from those of a head, so that their size says nothing")
	default:
		return nil, fmt.Errorf("no norms of a %s table", t.Kind())
	}
	c.measure(row)
	if checked == nil {
		return c, nil
	}
	number := make([]int, len(c.At))
	for i := range number {
		number[i] = names.number(of(i))
	}
	for _, f := range checked.Findings {
		c.mark(f, names.unit, number)
	}
	return c, nil
}

// axes says which offsets the rows are.
func (c *NormCurve) axes(v *posemb.Vectors) {
	n, _ := v.Table.Dims()
	c.Axis, c.Axes, c.At = NormRow, v.Axes, upTo(0, n)
	switch len(v.Axes) {
	case 1:
		c.Axis = NormOffset
		for i := range c.At {
			c.At[i] += v.Axes[0].Min
		}
	case 2:
		across := v.Axes[1].Len()
		for i := range c.At {
			c.Offsets = append(c.Offsets, []int{v.Axes[0].Min + i/across, v.Axes[1].Min + i%across})
		}
	}
}

// measure fills the norms and their figures.
func (c *NormCurve) measure(row func(i int) []float64) {
	c.Norm = undefined(len(c.At))
	var broken, huge []int
	var defined []float64
	for i, at := range c.At {
		m := magnitude(row(i))
		norm := m // 0 for a row of zeros
		if m > 0 && finite(m) {
			norm = normOf(row(i), m)
		}
		switch {
		case !finite(m):
			broken = append(broken, at)
			continue
		case !finite(norm):
			huge = append(huge, at)
			continue
		}
		c.Norm[i] = norm
		defined = append(defined, norm)
		if c.Min == nil || Value(norm) < c.Min.Value {
			c.Min = &Extreme{Value(norm), at}
		}
		if c.Max == nil || Value(norm) > c.Max.Value {
			c.Max = &Extreme{Value(norm), at}
		}
	}
	c.Median = Value(spreadOf(defined).median)
	var why []string
	if len(broken) > 0 {
		why = append(why, fmt.Sprintf("NaN or an infinity at %s", enumerate(broken)))
	}
	if len(huge) > 0 {
		why = append(why, fmt.Sprintf("no float64 holds the norm at %s", enumerate(huge)))
	}
	if why != nil {
		c.Reasons["norm"] = more(why, 0)
	}
}

// mark puts a finding onto the curve. number is what findings that count in unit call
// each row.
func (c *NormCurve) mark(f Finding, unit string, number []int) {
	if len(f.Rows) == 0 {
		last := len(c.At) - 1
		c.Marks = append(c.Marks, NormMark{f.Code, f.Level, []Span{{c.At[0], c.At[last]}}, true})
		return
	}
	m := NormMark{Code: f.Code, Level: f.Level}
	open := false
	for i, at := range c.At {
		in := f.Unit == unit && covers(f.Rows, number[i])
		switch {
		case in && open:
			m.Rows[len(m.Rows)-1].To = at
		case in:
			m.Rows = append(m.Rows, Span{at, at})
		}
		open = in
	}
	if m.Rows == nil {
		var rows []int
		for _, s := range f.Rows {
			rows = append(rows, upTo(s.From, s.To+1)...)
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%s in reserved %s %s, which %s no position, is not marked", f.Code, plural(len(rows), "row", "rows"), enumerate(rows), plural(len(rows), "has", "have")))
		return
	}
	c.Marks = append(c.Marks, m)
}

// Found gives the codes of what was found at a place of At.
func (c *NormCurve) Found(at int) []string {
	var codes []string
	for _, m := range c.Marks {
		if covers(m.Rows, at) {
			codes = append(codes, m.Code)
		}
	}
	return codes
}

// covers tells whether a number is in one of rising spans.
func covers(spans []Span, n int) bool {
	k := sort.Search(len(spans), func(k int) bool { return spans[k].To >= n })
	return k < len(spans) && spans[k].From <= n
}
