package report

import (
	"math"
	"strconv"
)

// Plot is one plot of a drawing: where it stands, and its data for a reader who
// points at it. It is a map of Cells or curves in Series.
type Plot struct {
	Title  string     `json:"title,omitempty"` // among several of one drawing
	Box    [4]float64 `json:"box"`             // left, top, right, bottom in the drawing's units
	X      PlotAxis   `json:"x"`
	Y      PlotAxis   `json:"y"`
	Value  string     `json:"value,omitempty"` // what a cell holds
	Cells  *Cells     `json:"cells,omitempty"`
	Series []Curve    `json:"series,omitempty"`
}

// PlotAxis is an axis of a plot. Of a map it counts rows or columns.
type PlotAxis struct {
	Name  string   `json:"name"`
	Min   float64  `json:"min"` // of curves: at the left or at the bottom
	Max   float64  `json:"max"`
	First int      `json:"first"` // of a map: the number of the first row or column
	Step  int      `json:"step"`
	Count int      `json:"count"` // how many there are; a block of Cells spans several where they are fewer
	Names []string `json:"names,omitempty"`
}

// Cells are the values of a map, of every cell or of blocks of them: block i of n
// blocks is the rows from i*Count/n to before (i+1)*Count/n, of columns likewise.
// They are whole multiples of a unit, 10^-Decimals.
type Cells struct {
	Rows     int    `json:"rows"`
	Cols     int    `json:"cols"`
	Decimals int    `json:"decimals"` // negative: the unit is 10, 100, ...
	Values   Wholes `json:"values"`
}

// undefinedWhole stands in Wholes for a value that is undefined.
const undefinedWhole = math.MinInt32

// Wholes are whole numbers, or undefined.
type Wholes []int32

// MarshalJSON writes null for undefined ones.
func (w Wholes) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 5*len(w)+2), '[')
	for i, v := range w {
		if i > 0 {
			b = append(b, ',')
		}
		if v == undefinedWhole {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(v), 10)
		}
	}
	return append(b, ']'), nil
}

// NewCells rounds values, row after row, to a unit in which the largest has four
// digits: one ten-thousandth where it is from 0.1 to 1.
func NewCells(rows, cols int, values []float64) *Cells {
	largest := 0.0
	for _, v := range values {
		if a := math.Abs(v); a > largest && !math.IsInf(v, 0) {
			largest = a
		}
	}
	c := &Cells{Rows: rows, Cols: cols, Decimals: 4, Values: make(Wholes, len(values))}
	if largest > 0 {
		c.Decimals = max(-304, min(300, 4-int(math.Ceil(math.Log10(largest)))))
	}
	unit := math.Pow10(-c.Decimals)
	for i, v := range values {
		if whole := math.Round(v / unit); math.Abs(whole) <= 100_000 {
			c.Values[i] = int32(whole)
		} else { // NaN, infinite
			c.Values[i] = undefinedWhole
		}
	}
	return c
}

// Curve is one curve of a plot.
type Curve struct {
	Name string `json:"name,omitempty"`
	X    Shorts `json:"x"`
	Y    Shorts `json:"y"`
	Lo   Shorts `json:"lo,omitempty"` // of the band; none without
	Hi   Shorts `json:"hi,omitempty"`
}

// Shorts are numbers that are written with five significant digits, and null where
// they are not finite.
type Shorts []float64

// MarshalJSON writes them.
func (s Shorts) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 7*len(s)+2), '[')
	for i, v := range s {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
			continue
		}
		if v == math.Trunc(v) && math.Abs(v) < 1e9 {
			b = strconv.AppendInt(b, int64(v), 10)
			continue
		}
		b = strconv.AppendFloat(b, v, 'g', 5, 64)
	}
	return append(b, ']'), nil
}
