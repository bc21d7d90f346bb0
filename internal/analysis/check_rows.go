package analysis

import (
	"math"
	"slices"

	"poslens/internal/posemb"
)

// The sizes below which a row is nothing: that of float32's smallest normal number,
// and the share of the median norm.
const (
	leastNormal = 0x1p-126
	leastShare  = 1e-6
)

// values looks at the rows one by one. It gives those that are of a size to compare,
// by index; nil where the table as a whole is nothing.
func (c *checking) values() (left []int) {
	n, d := c.t.Table.Dims()
	var odd, zero []int
	bad := 0
	size := make([]float64, n) // logarithms of the norms, none of which overflows
	for i := range n {
		row := c.t.Table.RawRowView(i)
		switch m := magnitude(row); {
		case !finite(m):
			odd = append(odd, i)
			for _, x := range row {
				if !finite(x) {
					bad++
				}
			}
		case m == 0:
			zero = append(zero, i)
		default:
			size[i] = logNorm(row, m)
			left = append(left, i)
		}
	}
	if len(odd) > 0 {
		c.found(CodeNonFinite, odd, "values", float64(bad), "%s %s NaN or an infinity (%d of %d values): whatever the model computes there is NaN",
			c.words(odd), plural(len(odd), "holds", "hold"), bad, len(odd)*d)
	}
	if len(zero) > 0 && len(left) == 0 {
		if len(odd) == 0 {
			c.found(CodeZeroTable, nil, "rows", float64(n), "every value is zero: the table was never filled, or never trained")
		} else {
			c.zeros(zero)
		}
		return nil
	}
	if len(zero) > 0 {
		c.zeros(zero)
	}
	return c.vanishing(left, size)
}

// zeros tells rows that are exactly zero.
func (c *checking) zeros(zero []int) {
	n, _ := c.t.Table.Dims()
	why := "nothing tells tokens there where they are"
	switch last := zero[len(zero)-1]; {
	case !c.relative() && c.t.First == 0 && last < firstPadding:
		why = "padding that was taken for a position (--reserved leaves leading rows out), or padding_idx on a row that is a position"
	case zero[0] == n-len(zero):
		why = "the end of the table was never written, or is padding to a round size"
	}
	c.found(CodeZeroRows, zero, "rows", float64(len(zero)), "%s %s exactly zero: %s", c.words(zero), plural(len(zero), "is", "are"), why)
}

// firstPadding is how many leading rows may be padding: padding_idx is 0, 1 or 3.
const firstPadding = 4

// vanishing tells rows that are too small to matter, and gives the others.
func (c *checking) vanishing(rows []int, size []float64) (left []int) {
	if len(rows) == 0 {
		return nil
	}
	var norms []float64
	for _, i := range rows {
		norms = append(norms, size[i])
	}
	median := spreadOf(norms).median
	var small []int
	largest := 0.0
	for _, i := range rows {
		if m := magnitude(c.t.Table.RawRowView(i)); m < leastNormal || size[i] < median+math.Log(leastShare) {
			small = append(small, i)
			largest = max(largest, m)
		} else {
			left = append(left, i)
		}
	}
	if len(small) > 0 {
		c.found(CodeVanishing, small, "largest_value", largest, "%s %s not zero, but no value there is larger than %.2g, which float32 drops beside anything else: weight decay takes rows there that no training example reaches",
			c.words(small), plural(len(small), "is", "are"), largest)
	}
	return left
}

// normOf is the length of a row whose largest value is m.
func normOf(row []float64, m float64) float64 { return m * relativeNorm(row, m) }

// logNorm is its logarithm, which no size makes overflow.
func logNorm(row []float64, m float64) float64 { return math.Log(m) + math.Log(relativeNorm(row, m)) }

// relativeNorm is the length of a row in units of its largest value m.
func relativeNorm(row []float64, m float64) float64 {
	sum := 0.0
	for _, x := range row {
		sum += (x / m) * (x / m)
	}
	return math.Sqrt(sum)
}

// paddedBy are the architectures whose code makes an nn.Embedding with padding_idx of
// the position table, of which that row is zero: modeling_roberta.py,
// modeling_longformer.py, modeling_esm.py and modeling_mpnet.py of transformers.
var paddedBy = []string{"RoBERTa", "Longformer", "ESM", "MPNet"}

// aside looks at the reserved rows.
func (c *checking) aside(a *posemb.Absolute) {
	if a.Aside == nil {
		return
	}
	n, d := a.Aside.Dims()
	if _, width := a.Table.Dims(); d != width {
		return
	}
	names := c.rowNames
	defer func() { c.rowNames = names }()
	c.rowNames = rowNames{"row", func(i int) int { return i }, func(rows []int) string {
		return "reserved " + plural(len(rows), "row", "rows") + " " + enumerate(rows)
	}}
	var odd []int
	for i := range n {
		if !finite(magnitude(a.Aside.RawRowView(i))) {
			odd = append(odd, i)
		}
	}
	if len(odd) > 0 {
		c.found(CodeNonFinite, odd, "rows", float64(len(odd)), "%s %s NaN or an infinity", c.words(odd), plural(len(odd), "holds", "hold"))
	}
	padding := n - 1 // padding_idx: positions start behind it
	row := a.Aside.RawRowView(padding)
	if m := magnitude(row); slices.Contains(paddedBy, a.Arch) && m > 0 && finite(m) {
		c.found(CodePadding, []int{padding}, "norm", normOf(row, m), "%s is the one of padding_idx in %s and not zero: padded tokens get a position of length %.3g", c.words([]int{padding}), a.Arch, normOf(row, m))
	}
}
