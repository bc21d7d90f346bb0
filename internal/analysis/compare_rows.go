package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"poslens/internal/posemb"
)

// rowFit is how a row has changed.
type rowFit struct {
	norm, other float64 // the lengths
	ratio       float64 // other / norm; NaN for a row without a length
	cosine      float64 // NaN where one of the two has no length
	distance    float64 // |b - a| / max(|a|, |b|); 0 for two zero rows
}

// fits are those of row i of two tables. Rows that are not finite give NaN alone, and
// so do cosine and distance of rows of different width.
func fits(a, b *posemb.Absolute, s, t *rows, i int) rowFit {
	x, y := a.Table.RawRowView(i), b.Table.RawRowView(i)
	nan := math.NaN()
	f := rowFit{nan, nan, nan, nan, nan}
	broken := !finite(magnitude(x)) || !finite(magnitude(y))
	if finite(magnitude(x)) {
		f.norm = floats.Norm(x, 2)
	}
	if finite(magnitude(y)) {
		f.other = floats.Norm(y, 2)
	}
	if broken {
		return f
	}
	if f.norm > 0 {
		f.ratio = f.other / f.norm
	}
	if len(x) != len(y) {
		return f
	}
	if s.defined(i) && t.defined(i) {
		f.cosine = clamp(floats.Dot(s.row(i), t.row(i)) / s.Norm[i] / t.Norm[i])
	}
	apart := 0.0
	longer := max(magnitude(x), magnitude(y))
	if longer > 0 {
		_, e := math.Frexp(longer)
		squares, most := 0.0, [2]float64{}
		for j := range x { // in units of a power of two no square overflows, nor do all of them vanish
			u, v := math.Ldexp(x[j], -e), math.Ldexp(y[j], -e)
			squares += (v - u) * (v - u)
			most[0] += u * u
			most[1] += v * v
		}
		apart = math.Sqrt(squares / max(most[0], most[1]))
	}
	f.distance = apart
	return f
}

// rows fills what is told of each row, and which have moved.
func (c *Comparison) rows(m *matched) {
	n := len(m.at)
	c.Norm, c.OtherNorm, c.NormRatio = undefined(n), undefined(n), undefined(n)
	same := c.Width == c.OtherWidth
	if same {
		c.Cosine, c.Distance = undefined(n), undefined(n)
	}
	var noLength, moved []int
	equal := true
	for i := range n {
		f := fits(m.tables[0], m.tables[1], m.cosines[0], m.cosines[1], i)
		c.Norm[i], c.OtherNorm[i], c.NormRatio[i] = f.norm, f.other, f.ratio
		if f.norm == 0 {
			noLength = append(noLength, i)
		}
		if !same {
			continue
		}
		c.Cosine[i], c.Distance[i] = f.cosine, f.distance
		equal = equal && f.distance == 0
		if f.distance > c.Tolerance {
			moved = append(moved, i)
			c.Moved = append(c.Moved, m.at[i])
		}
	}
	if len(noLength) > 0 {
		c.Reasons["norm_ratio"] = fmt.Sprintf("%s of %s %s zero", m.named(m.tables[0], noLength), c.Label, plural(len(noLength), "is", "are"))
	}
	if !same {
		c.MovedCount = Value(math.NaN())
		reason := fmt.Sprintf("widths %d and %d: rows have no common components", c.Width, c.OtherWidth)
		for _, figure := range []string{"cosine", "distance", "rows_moved"} {
			c.Reasons[figure] = reason
		}
		return
	}
	c.MovedCount = Value(len(moved))
	c.MovedText = m.movedText(moved, c.Used, c.Tolerance)
	if equal && c.Used == c.Rows {
		c.MovedText = "the tables are equal"
	}
}

// movedText says which rows have moved, of some that could.
func (m *matched) movedText(moved []int, of int, tolerance float64) string {
	one := m.of[:len(m.of)-1]
	rule := fmt.Sprintf("(moved: a distance above %.3g of the longer row)", tolerance)
	switch rest := of - len(moved); {
	case len(moved) == 0:
		return fmt.Sprintf("no %s moved %s", one, rule)
	case rest == 0:
		return fmt.Sprintf("every %s moved %s", one, rule)
	default:
		return fmt.Sprintf("%s moved, the other %d did not %s", m.named(m.tables[0], moved), rest, rule)
	}
}
