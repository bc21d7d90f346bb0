package analysis

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"poslens/internal/posemb"
)

// Cell is a place in a window of an image, counted from 0 at its upper left.
type Cell struct {
	Row int `json:"row"`
	Col int `json:"col"`
}

// Along is the part of a relative table that lies on one of its two axes: the offsets
// whose other part is 0. Then tables of one axis and of two can be compared. A table of
// one axis is itself, whatever that axis is called. It is an error where no axis has
// the name, or offset 0 of the other one is not in the table.
func Along(t posemb.Table, axis string) (posemb.Table, error) {
	axes, err := axesOf(t)
	if err != nil {
		return nil, err
	}
	if len(axes) == 1 {
		return t, nil
	}
	at := -1
	for i, x := range axes {
		if x.Name == axis {
			at = i
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("no axis %s: the table has %s and %s", axis, axes[0].Name, axes[1].Name)
	}
	other := axes[1-at]
	if other.Min > 0 || other.Max < 0 {
		return nil, fmt.Errorf("no profile along %s: offset 0 of %s is not in the table", axis, other.Name)
	}
	part := []posemb.Axis{axes[0], axes[1]}
	part[1-at].Min, part[1-at].Max = 0, 0
	return cut(t, part, []posemb.Axis{axes[at]})
}

// SeenFrom is the part of a window's table that the query in one of its cells meets:
// the offsets to the cells of the window,
//
//	(row - c.Row, col - c.Col)  for row in 0..h-1, col in 0..w-1
//
// so that the score of a key's cell is the table's at key - query. A table that has
// not the offsets -(h-1)..h-1 and -(w-1)..w-1 is of no window, which is an error, as a
// cell outside it is.
func SeenFrom(t posemb.Table, c Cell) (posemb.Table, error) {
	axes, err := axesOf(t)
	if err != nil {
		return nil, err
	}
	if len(axes) == 1 {
		return nil, fmt.Errorf("offsets on one axis, %s, have no window of rows and columns", axes[0].Name)
	}
	y, x := axes[0], axes[1]
	if y.Min != -y.Max || x.Min != -x.Max {
		return nil, fmt.Errorf("%s %d..%d and %s %d..%d are not the offsets of a window", y.Name, y.Min, y.Max, x.Name, x.Min, x.Max)
	}
	if c.Row < 0 || c.Row > y.Max || c.Col < 0 || c.Col > x.Max {
		return nil, fmt.Errorf("row %d, column %d is outside the window: its rows are 0..%d and its columns 0..%d", c.Row, c.Col, y.Max, x.Max)
	}
	y.Min, y.Max = -c.Row, y.Max-c.Row
	x.Min, x.Max = -c.Col, x.Max-c.Col
	part := []posemb.Axis{y, x}
	return cut(t, part, part)
}

// axesOf are a relative table's axes, one or two, held against its rows.
func axesOf(t posemb.Table) ([]posemb.Axis, error) {
	var axes []posemb.Axis
	var table *mat.Dense
	switch t := t.(type) {
	case *posemb.Vectors:
		axes, table = t.Axes, t.Table
	case *posemb.Bias:
		axes, table = t.Axes, t.Scores
	default:
		return nil, fmt.Errorf("a table that is %s has no offsets", t.Kind())
	}
	_, err := offsetsOf(axes, table)
	return axes, err
}

// cut copies the rows whose offsets lie in part, an axis each, as a table with the axes
// named. What is known of stored rows is left behind.
func cut(t posemb.Table, part, axes []posemb.Axis) (posemb.Table, error) {
	switch t := t.(type) {
	case *posemb.Vectors:
		kept := *t
		kept.Axes, kept.Table, kept.Stored = axes, rowsWithin(t.Table, t.Axes, part), nil
		return &kept, nil
	case *posemb.Bias:
		kept := *t
		kept.Axes, kept.Scores, kept.Stored = axes, rowsWithin(t.Scores, t.Axes, part), nil
		return &kept, nil
	}
	return nil, fmt.Errorf("a table that is %s has no offsets", t.Kind())
}

// rowsWithin copies the rows of the offsets in part, in order. Part lies within axes.
func rowsWithin(table *mat.Dense, axes, part []posemb.Axis) *mat.Dense {
	_, d := table.Dims()
	kept := mat.NewDense(part[0].Len()*part[1].Len(), d, nil)
	for i := range part[0].Len() {
		for j := range part[1].Len() {
			from := (part[0].Min+i-axes[0].Min)*axes[1].Len() + part[1].Min + j - axes[1].Min
			kept.SetRow(i*part[1].Len()+j, table.RawRowView(from))
		}
	}
	return kept
}
